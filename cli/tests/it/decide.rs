//! `callgate decide`: one call, and streams of them.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use insta::assert_snapshot;

use crate::run::{BROKEN, Folder, POLICY, SETTINGS, command};

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("p.yaml", POLICY);
    folder
}

#[test]
fn one_call_for_people_and_as_a_record() {
    let folder = folder("one");
    let mut all = String::new();
    for args in [
        &["decide", "-p", "p.yaml", "bash", "rm -rf build"][..],
        &[
            "decide",
            "-p",
            "p.yaml",
            "bash",
            "rm -rf build",
            "--format",
            "json",
        ],
        &["decide", "-p", "p.yaml", "Bash_Tool", "git status"],
        &["decide", "-p", "p.yaml", "bash", "git status; rm x"],
        &["decide", "-p", "p.yaml", "bash", "make"],
        &[
            "decide",
            "-p",
            "p.yaml",
            "editor",
            "--args",
            r#"{"file_path": "a.KEY"}"#,
        ],
        &[
            "decide",
            "-p",
            "p.yaml",
            "editor",
            "--args",
            r#"{"file_path": 7}"#,
        ],
        &["decide", "-p", "p.yaml", "editor", "--args", "{"],
        &["decide", "-p", "p.yaml", "search", "TODO src"],
        &["decide", "-p", "p.yaml", "reader"],
        &["decide", "-p", "p.yaml", "deploy", "prod"],
        &[
            "decide", "-p", "p.yaml", "deploy", "--action", "prod", "now", "--format", "json",
        ],
        &["decide", "-p", "deny_all", "bash", "ls"],
        &["decide", "-p", "allow_all", "bash", "ls"],
    ] {
        let run = folder.run(args);
        assert_eq!(run.code, 0);
        all += &run.transcript();
        all += "\n";
    }
    assert_snapshot!(all);
}

#[test]
fn the_exit_code_can_be_the_effect() {
    let folder = folder("exit-code");
    for (tool, subject, code) in [
        ("bash", "git status", 0),
        ("bash", "make", 3),
        ("bash", "sudo ls", 4),
        ("deploy", "x", 4),
        ("bash", "a|b", 4),
    ] {
        assert_eq!(
            folder
                .run(&["decide", "-p", "p.yaml", "--exit-code", tool, subject])
                .code,
            code,
            "{tool} {subject}"
        );
        assert_eq!(folder.run(&["decide", "-p", "p.yaml", tool, subject]).code, 0);
    }
}

/// The same answer from YAML, from its table, and from a table on another path.
#[test]
fn a_table_decides_as_its_source() {
    let folder = folder("same");
    folder.run(&["compile", "p.yaml", "-o", "p.cgdt"]);
    for subject in ["git status", "make", "sudo ls", "rm -rf /", "", "ls > x"] {
        let of = |policy: &str| {
            folder
                .run(&["decide", "-p", policy, "--format", "json", "bash", subject])
                .out
        };
        assert_eq!(of("p.yaml"), of("p.cgdt"), "{subject}");
        let piped = folder
            .run_with(
                &["decide", "-p", "-", "--format", "json", "bash", subject],
                POLICY.as_bytes(),
            )
            .out;
        assert_eq!(
            of("p.yaml").replace("p.yaml", "<stdin>").len(),
            piped.len(),
            "{piped}"
        );
    }
}

#[test]
fn what_is_no_policy_decides_nothing() {
    let folder = folder("no-policy");
    folder.file("broken.yaml", BROKEN);
    folder.file("pack.yaml", "name: team\nroles: {}\n");
    folder.file("module.wasm", b"\0asm\x01\0\0\0");
    folder.run(&["compile", "p.yaml", "-o", "p.cgdt"]);
    let table = std::fs::read(folder.path().join("p.cgdt")).unwrap();
    folder.file("short.cgdt", &table[..table.len() - 1]);
    let mut flipped = table.clone();
    *flipped.last_mut().unwrap() ^= 1;
    folder.file("flipped.cgdt", flipped);
    let mut future = table;
    future[4] = 99;
    folder.file("future.cgdt", future);
    let mut all = String::new();
    for policy in [
        "broken.yaml",
        "pack.yaml",
        "module.wasm",
        "short.cgdt",
        "flipped.cgdt",
        "future.cgdt",
        "missing.yaml",
        ".",
    ] {
        let run = folder.run(&["decide", "-p", policy, "bash", "git status"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.transcript());
        all += &run.transcript();
        all += "\n";
    }
    assert_snapshot!(all);
}

#[test]
fn a_posture_is_for_yaml_of_the_layered_dialect() {
    let folder = folder("posture-decide");
    folder.run(&["compile", "p.yaml", "-o", "p.cgdt"]);
    let run = folder.run(&["decide", "-p", "p.cgdt", "--posture", "strict", "bash", "ls"]);
    assert!(
        run.code == 2 && run.err.contains("baked in"),
        "{}",
        run.transcript()
    );
    let run = folder.run(&["decide", "-p", "p.yaml", "--posture", "trusted", "bash", "ls"]);
    assert!(
        run.code == 0 && run.err.contains("no effect"),
        "{}",
        run.transcript()
    );
}

const CALLS: &str = r#"{"tool":"bash","args":{"command":"git status"}}
{"tool":"bash","args":{"command":"make"}}
{"tool":"Editor_Tool","args":{"file_path":".env"},"session":"s","workspace":"w","branch":"b"}
{"tool":"http","action":"get","args":{"url":"x"}}
"#;

/// Not calls, each for a reason of its own.
const NO_CALLS: &str = r#"
{"tool":"bash"}
{"tool":"bash","args":{"command":"ls"},"extra":1}
{"tool":7,"args":{}}
not json
[]
{"tool":"bash","args":{"command":"ls"}} {"tool":"bash","args":{"command":"ls"}}
{"tool":"bash","args":{},"mode":"Plan"}
"#;

#[test]
fn a_stream_is_answered_line_by_line() {
    let folder = folder("stream");
    let run = folder.run_with(&["decide", "-p", "p.yaml"], CALLS.as_bytes());
    assert_eq!(run.code, 0);
    assert_snapshot!(run.transcript());
    assert_snapshot!(
        "stream_human",
        folder
            .run_with(&["decide", "-p", "p.yaml", "--format", "human"], CALLS.as_bytes())
            .transcript()
    );
    let code = |calls: &str| {
        folder
            .run_with(&["decide", "-p", "p.yaml", "--exit-code"], calls.as_bytes())
            .code
    };
    assert_eq!(code(CALLS), 4);
    assert_eq!(code(CALLS.lines().next().unwrap()), 0);
    assert_eq!(code(&CALLS.lines().take(2).collect::<Vec<_>>().join("\n")), 3);
    assert_eq!(code(""), 0);
}

#[test]
fn a_line_that_is_no_call_is_denied() {
    let folder = folder("no-calls");
    let run = folder.run_with(&["decide", "-p", "allow_all"], NO_CALLS.as_bytes());
    assert_eq!(run.code, 2);
    assert_eq!(run.out.lines().count(), NO_CALLS.lines().count());
    for line in run.out.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (&record["effect"], &record["provenance"]),
            (&"deny".into(), &"malformed_arguments".into())
        );
    }
    assert_snapshot!(run.transcript());
    let mixed = [b"\xff\xfe\n".as_slice(), CALLS.as_bytes()].concat();
    let run = folder.run_with(&["decide", "-p", "p.yaml", "--exit-code"], &mixed);
    assert_eq!(
        (run.code, run.out.lines().count()),
        (2, 5),
        "the rest is still answered: {}",
        run.transcript()
    );
}

#[test]
fn records_have_page_41s_members_in_order() {
    let folder = folder("members");
    let run = folder.run_with(&["decide", "-p", "p.yaml"], CALLS.as_bytes());
    let members = [
        "effect",
        "tool",
        "canonical_tool",
        "action",
        "reason",
        "provenance",
        "rule",
        "segment",
        "configured_ask",
        "floored_configured_allow",
        "policy",
    ];
    for line in run.out.lines() {
        let places: Vec<usize> = members
            .iter()
            .map(|name| line.find(&format!("\"{name}\":")).unwrap())
            .collect();
        assert!(places.is_sorted(), "{line}");
        assert!(!line.contains(": ") && !line.contains(", "), "{line}");
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(record.as_object().unwrap().len(), members.len());
    }
}

/// A host can hold the process open and wait for each answer before it asks again.
#[test]
fn answers_come_at_once() {
    let folder = folder("coprocess");
    let mut child = command(folder.path())
        .args(["decide", "-p", "p.yaml"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for (call, effect) in CALLS.lines().zip(["allow", "ask", "deny", "deny"]) {
        writeln!(stdin, "{call}").unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert!(
            answer.starts_with(&format!("{{\"effect\":\"{effect}\"")),
            "{answer}"
        );
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}

/// Whoever stops listening gets no panic and no message.
#[test]
fn a_closed_pipe_is_quiet() {
    let folder = folder("closed-pipe");
    folder.file("broken.yaml", BROKEN);
    let calls = CALLS.repeat(5_000);
    for args in [
        &["decide", "-p", "p.yaml"][..],
        &["check", "broken.yaml"],
        &["explain-code"],
        &["--help"],
        &["compile", "p.yaml"],
    ] {
        let mut child = command(folder.path())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(calls.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code().is_some_and(|code| code <= 2),
            "{args:?}: {:?}",
            output.status
        );
        let told = err.lines().all(|line| line.len() == 64);
        assert!(told, "{args:?}: {err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = folder("full-disk");
    for args in [
        &["decide", "-p", "p.yaml", "bash", "ls"][..],
        &["check", "p.yaml"],
        &["compile", "p.yaml"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(folder.path()).args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("cannot write `standard output`"),
            "{args:?}"
        );
    }
}

/// The layered dialect: subjects as text, and what only it has.
#[test]
fn settings_decide_too() {
    let folder = Folder::new("layered");
    folder.file("s.yaml", SETTINGS);
    folder.run(&["compile", "s.yaml", "-o", "s.cgdt"]);
    let mut all = String::new();
    for args in [
        &["Shell", "git status"][..],
        &["Shell", "git push origin; sudo id"],
        &["Shell", "git push origin"],
        &["Shell", "git log $(id)"],
        &["Shell", "git log > notes"],
        &["Edit", "x", "--mode", "accept_edits"],
        &["Edit", "x", "--mode", "plan"],
        &["Read", "a.key"],
        &["Read", "a"],
        &["Shell", "rm x", "--audience", "subagent"],
        &["Bash", "ls"],
    ] {
        let run = folder.run(&[&["decide", "-p", "s.yaml"], args].concat());
        assert_eq!(run.code, 0);
        assert_eq!(
            run.out,
            folder.run(&[&["decide", "-p", "s.cgdt"], args].concat()).out
        );
        all += &run.transcript();
        all += "\n";
    }
    let two = folder.run(&["decide", "-p", "s.yaml", "Copy", "a b"]);
    assert!(
        two.code == 2 && two.err.contains("two subjects"),
        "{}",
        two.transcript()
    );
    assert_snapshot!(all);
}

/// What the record leaves open, the command line settles; what it says, stands.
#[test]
fn flags_fill_in_what_records_leave_open() {
    let folder = Folder::new("fill-in");
    folder.file("s.yaml", SETTINGS);
    let effect = |flags: &[&str], more: &str| {
        let call = format!("{{\"tool\":\"Shell\",\"args\":{{\"command\":\"rm x\"}}{more}}}");
        folder
            .run_with(
                &[&["decide", "-p", "s.yaml", "--exit-code"], flags].concat(),
                call.as_bytes(),
            )
            .code
    };
    assert_eq!(effect(&[], ""), 3);
    assert_eq!(effect(&["--mode", "plan"], ""), 4);
    assert_eq!(effect(&["--mode", "plan"], ",\"mode\":\"default\""), 3);
    assert_eq!(effect(&["--mode", "plan"], ",\"mode\":null"), 4);
    assert_eq!(effect(&["--audience", "subagent"], ""), 4);
    assert_eq!(effect(&["--audience", "subagent"], ",\"audience\":\"main\""), 3);
    folder.file("p.yaml", POLICY);
    let run = folder.run_with(&["decide", "-p", "p.yaml", "--mode", "plan"], CALLS.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    let planned = r#"{"tool":"reader","args":{"path":"a"},"mode":"plan"}"#;
    let run = folder.run_with(&["decide", "-p", "p.yaml"], planned.as_bytes());
    assert!(
        run.out.contains(r#""effect":"deny""#) && run.out.contains(r#""provenance":"mode""#),
        "{}",
        run.out
    );
}
