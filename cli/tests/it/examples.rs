//! The example policies: clean, and deciding what their comments say.

use std::fs;
use std::path::Path;

use crate::run::Folder;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/policies");
    for entry in fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

#[test]
fn examples_are_clean() {
    let folder = folder("examples");
    let run = folder.run(&["check", "--fail-on", "note", "."]);
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert!(run.out.starts_with("6 files checked"), "{}", run.out);
}

#[test]
fn examples_decide_as_they_say() {
    let folder = folder("examples-decide");
    let words = |effect: &str| match effect {
        "allow" => 0,
        "ask" => 3,
        _ => 4,
    };
    for (policy, tool, args, effect) in [
        (
            "coding-agent",
            "bash",
            r#"{"command":"cargo test -p x"}"#,
            "allow",
        ),
        ("coding-agent", "bash", r#"{"command":"make"}"#, "ask"),
        (
            "coding-agent",
            "bash",
            r#"{"command":"git push origin main --force"}"#,
            "deny",
        ),
        (
            "coding-agent",
            "bash",
            r#"{"command":"git push origin main"}"#,
            "ask",
        ),
        (
            "coding-agent",
            "bash",
            r#"{"command":"git status && rm -rf x"}"#,
            "deny",
        ),
        (
            "coding-agent",
            "editor",
            r#"{"file_path":"src/main.rs"}"#,
            "allow",
        ),
        (
            "coding-agent",
            "editor",
            r#"{"file_path":"src/prod.env"}"#,
            "deny",
        ),
        ("coding-agent", "editor", r#"{"file_path":"Cargo.toml"}"#, "ask"),
        ("coding-agent", "http", r#"{"url":"x"}"#, "deny"),
        ("ci-bot", "bash", r#"{"command":"npm test"}"#, "allow"),
        ("ci-bot", "bash", r#"{"command":"npm install x"}"#, "deny"),
        ("ci-bot", "editor", r#"{"file_path":"x"}"#, "deny"),
        ("read-only-reviewer", "reader", r#"{"path":"x"}"#, "allow"),
        ("read-only-reviewer", "bash", r#"{"command":"ls"}"#, "deny"),
        (
            "read-only-reviewer",
            "mcp__github__review",
            r#"{"action":"comment","body":"x"}"#,
            "allow",
        ),
        (
            "read-only-reviewer",
            "mcp__github__review",
            r#"{"action":"approve","body":"x"}"#,
            "ask",
        ),
        (
            "data-analyst",
            "mcp__warehouse__query",
            r#"{"sql":"SELECT 1"}"#,
            "allow",
        ),
        (
            "data-analyst",
            "mcp__warehouse__query",
            r#"{"sql":"select 1; drop table t"}"#,
            "deny",
        ),
        (
            "data-analyst",
            "mcp__warehouse__query",
            r#"{"sql":"SELECT customers.email FROM customers"}"#,
            "deny",
        ),
        (
            "data-analyst",
            "mcp__warehouse__query",
            r#"{"sql":"WITH x AS (SELECT 1) SELECT * FROM x"}"#,
            "ask",
        ),
        (
            "data-analyst",
            "mcp__warehouse__drop_table",
            r#"{"name":"t"}"#,
            "deny",
        ),
        ("data-analyst", "reader", r#"{"path":"/etc/passwd"}"#, "deny"),
        (
            "release-manager",
            "Shell",
            r#"{"command":"cargo test -p x"}"#,
            "allow",
        ),
        (
            "release-manager",
            "Shell",
            r#"{"command":"cargo build && git push origin v1"}"#,
            "ask",
        ),
        (
            "release-manager",
            "Shell",
            r#"{"command":"timeout 9 git push --force"}"#,
            "deny",
        ),
        (
            "release-manager",
            "Shell",
            r#"{"command":"cargo test > ~/.profile"}"#,
            "ask",
        ),
        ("release-manager", "Edit", r#"{"path":"CHANGELOG.md"}"#, "allow"),
        ("release-manager", "Edit", r#"{"path":".github/ci.yaml"}"#, "deny"),
        ("release-manager", "Edit", r#"{"path":"src/lib.rs"}"#, "ask"),
    ] {
        let file = format!("{policy}.yaml");
        let run = folder.run(&["decide", "-p", &file, "--exit-code", tool, "--args", args]);
        assert_eq!(
            run.code,
            words(effect),
            "{policy}: {tool} {args} should be {effect}\n{}",
            run.transcript()
        );
    }
}

#[test]
fn child_agents_never_publish() {
    let folder = folder("examples-child");
    let decide = |command: &str, audience: &str| {
        let args = [
            "decide",
            "-p",
            "release-manager.yaml",
            "--exit-code",
            "--audience",
            audience,
            "Shell",
            command,
        ];
        folder.run(&args).code
    };
    for command in [
        "cargo publish",
        "gh release create v1",
        "git log; cargo publish",
        "cargo +nightly publish",
        "git push origin",
        "git push origin v1",
    ] {
        assert_eq!(
            (decide(command, "main"), decide(command, "subagent")),
            (3, 4),
            "{command}"
        );
    }
}

#[test]
fn no_spelling_deletes_a_tag_or_forces_a_push() {
    let folder = folder("examples-spelling");
    for audience in ["main", "subagent"] {
        for command in [
            "git tag -d v1",
            "git tag --delete v1",
            "git tag v1 -d",
            "/usr/bin/git tag -d v1",
            "git push -f origin",
            "git push origin --force",
            "git -C . push --force",
            "sh -c 'git tag -d v1'",
            "cargo -q publish",
        ] {
            let run = folder.run(&[
                "decide",
                "-p",
                "release-manager.yaml",
                "--exit-code",
                "--audience",
                audience,
                "Shell",
                command,
            ]);
            assert_ne!(run.code, 0, "{audience} {command}\n{}", run.transcript());
        }
    }
}

#[test]
fn a_pack_enforces_nothing() {
    let folder = folder("examples-pack");
    let run = folder.run(&["compile", "role-pack.yaml", "-o", "out"]);
    assert!(
        run.code == 1 && run.err.contains("enforces nothing"),
        "{}",
        run.transcript()
    );
    assert_eq!(
        folder.run(&["compile", "release-manager.yaml", "-o", "out"]).code,
        0
    );
}
