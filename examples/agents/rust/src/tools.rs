//! The tools: a reader, an editor and a shell that stay in one folder, and a tool found on a server.

use std::path::{Component, Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use callgate_host::schema::{ArgumentSchema, SchemaFailure};
use callgate_runtime::interceptor::ArgumentMapping;
use callgate_runtime::plan::{RegisteredTool, ToolSource};
use thiserror::Error;
use tokio::process::Command;

/// Programs that the shell tool runs, whatever a policy allows.
const PROGRAMS: [&str; 3] = ["echo", "ls", "cat"];
/// No program of the list takes longer.
const DEADLINE: Duration = Duration::from_secs(5);

/// The tools and the folder they work in.
pub struct Tools {
    folder: PathBuf,
}

/// Why a tool, or something around it, failed.
#[derive(Debug, Error)]
pub enum Failure {
    /// The tool's schema does not hold.
    #[error(transparent)]
    Schema(#[from] SchemaFailure),
    /// A path leads out of the folder.
    #[error("`{0}` leads out of the workspace")]
    Outside(String),
    /// A file cannot be read or written.
    #[error("`{0}` cannot be used: {1}")]
    File(String, std::io::ErrorKind),
    /// The shell tool has no such program.
    #[error("there is no program `{0}`")]
    NoProgram(String),
    /// A program failed.
    #[error("`{0}` failed")]
    Program(String),
    /// Nothing is registered under this name.
    #[error("no such tool or handler: `{0}`")]
    Unknown(String),
}

impl Tools {
    /// Tools that work in `folder`.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
        }
    }

    /// What the registry holds once the server's tools were found.
    pub fn registered() -> Vec<RegisteredTool> {
        let discovered = ToolSource::Discovered(String::from("clock"));
        vec![
            RegisteredTool::new("reader_tool", ToolSource::BuiltIn),
            RegisteredTool::new("editor_tool", ToolSource::BuiltIn),
            RegisteredTool::new("bash_tool", ToolSource::BuiltIn),
            RegisteredTool::new("mcp__clock__set", discovered),
        ]
    }

    /// The schema of a tool's arguments.
    pub fn schema(tool: &str) -> Result<ArgumentSchema, callgate_host::schema::SchemaError> {
        ArgumentSchema::new(match tool {
            "reader_tool" => r#"{"required": ["path"], "properties": {"path": {"type": "string"}}}"#,
            "editor_tool" => {
                r#"{"required": ["file_path", "text"], "additionalProperties": false,
                    "properties": {"file_path": {"type": "string"}, "text": {"type": "string"}}}"#
            }
            "bash_tool" => r#"{"required": ["command"], "properties": {"command": {"type": "string"}}}"#,
            _ => r#"{"type": "object"}"#,
        })
    }

    /// Runs a tool.
    pub async fn run(&self, tool: &str, arguments: &ArgumentMapping) -> Result<String, Failure> {
        let argument = |name: &str| arguments.string(name).unwrap_or_default();
        match tool {
            "reader_tool" => {
                let path = argument("path");
                let text = tokio::fs::read_to_string(self.inside(&path)?).await;
                text.map_err(|error| Failure::File(path, error.kind()))
            }
            "editor_tool" => {
                let path = argument("file_path");
                let written = tokio::fs::write(self.inside(&path)?, argument("text")).await;
                written
                    .map(|()| format!("wrote {path}"))
                    .map_err(|error| Failure::File(path, error.kind()))
            }
            "bash_tool" => self.shell(&argument("command")).await,
            _ => Err(Failure::Unknown(tool.to_owned())),
        }
    }

    /// A path below the folder.
    fn inside(&self, path: &str) -> Result<PathBuf, Failure> {
        let plain = Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if plain {
            Ok(self.folder.join(path))
        } else {
            Err(Failure::Outside(path.to_owned()))
        }
    }

    /// Runs one program of the list in the folder, its words split at spaces. No shell is involved.
    async fn shell(&self, line: &str) -> Result<String, Failure> {
        let mut words = line.split_whitespace();
        let program = words.next().unwrap_or_default();
        if !PROGRAMS.contains(&program) {
            return Err(Failure::NoProgram(program.to_owned()));
        }
        let unusable = |error: std::io::Error| Failure::File(program.to_owned(), error.kind());
        let mut command = Command::new(program);
        command
            .args(words)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let output = match tokio::time::timeout(DEADLINE, command.output()).await {
            Ok(output) => output.map_err(unusable)?,
            Err(_) => return Err(unusable(std::io::ErrorKind::TimedOut.into())),
        };
        if !output.status.success() {
            return Err(Failure::Program(program.to_owned()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }
}
