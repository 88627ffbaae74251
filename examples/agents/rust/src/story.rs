//! What happens in the example: two sessions in one folder, one with a person at the terminal and one without.

use std::path::Path;

use crate::agent;
use crate::gate::{Gate, GateError};
use crate::model::{Scripted, Wish};
use crate::terminal::Terminal;
use crate::tools::Tools;

/// The policy that governs both sessions.
const POLICY: &str = include_str!("../../../policies/coding-agent.yaml");

/// Answers to the questions of the first session, in their order.
pub const ANSWERS: [&str; 5] = [
    "y",
    "n",
    r#"{"command":"echo hello, reader"}"#,
    r#"{"command":"rm -rf src"}"#,
    "y",
];

/// Runs both sessions and gives what was written down. `folder` is empty, and the agent's own.
pub async fn run(folder: &Path, terminal: Terminal) -> Result<String, GateError> {
    let with_a_person = vec![
        // Allowed, and done.
        Wish::new("reader_tool", r#"{"path": "README.md"}"#),
        Wish::new(
            "editor_tool",
            r#"{"file_path": "src/greeting.txt", "text": "hello"}"#,
        ),
        // Denied: the model reads why, and tries something else.
        Wish::new("reader_tool", r#"{"path": "secrets.env"}"#)
            .or_else("reader_tool", r#"{"path": "src/greeting.txt"}"#),
        // Asked: a yes, a no, other arguments, other arguments that no yes can allow.
        Wish::new("bash_tool", r#"{"command": "echo hello"}"#),
        Wish::new("editor_tool", r#"{"file_path": "Makefile", "text": "all:"}"#),
        Wish::new("bash_tool", r#"{"command": "echo hello, nobody"}"#),
        Wish::new("bash_tool", r#"{"command": "echo something"}"#),
        // Asked and approved, then rewritten: the second pass looks at what would really run.
        Wish::new("bash_tool", r#"{"command": "echo cleaning up"}"#),
        Wish::new("bash_tool", r#"{"command": "ls src"}"#),
        // Fails: an error handler makes something of it. Of a denial it never hears.
        Wish::new("bash_tool", r#"{"command": "ls nowhere"}"#),
        Wish::new("bash_tool", r#"{"command": "rm -rf src"}"#),
        // A shell line that would be more than one command.
        Wish::new("bash_tool", r#"{"command": "ls && rm -rf src"}"#),
        // Found on a server, and governed as every other tool.
        Wish::new("mcp__clock__set", r#"{"time": "noon"}"#),
        // Allowed by the policy, but not what the tool takes.
        Wish::new("reader_tool", r#"{"file": "README.md"}"#),
    ];
    let alone = vec![
        Wish::new("bash_tool", r#"{"command": "ls"}"#),
        Wish::new("bash_tool", r#"{"command": "echo anybody there"}"#),
    ];
    let mut transcript = String::new();
    for (title, wishes, terminal) in [
        ("with a person at the terminal", with_a_person, terminal),
        ("with nobody to ask", alone, Terminal::Nobody),
    ] {
        let gate = Gate::new(POLICY, Tools::new(folder), terminal)?;
        gate.tell(&format!("== {title}"));
        agent::run(&mut Scripted::new(wishes), &gate).await;
        transcript.push_str(&gate.into_transcript());
    }
    Ok(transcript)
}

/// Puts the files there that the story begins with.
pub async fn prepare(folder: &Path) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder.join("src")).await?;
    tokio::fs::write(folder.join("README.md"), "A project of no importance.").await?;
    tokio::fs::write(folder.join("secrets.env"), "TOKEN=none").await
}
