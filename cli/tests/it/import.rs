//! `callgate import`: settings on standard output, what changed on standard error, and a result that checks clean.

use insta::assert_snapshot;

use crate::run::Folder;

const CLAUDE: &str = r#"{
  "model": "opus",
  "permissions": {
    "defaultMode": "acceptEdits",
    "allow": ["Bash(npm test:*)", "WebFetch(domain:docs.rs)", "Read(~/notes/**)", "Edit(./src/**)"],
    "ask": ["Bash(git push:*)"],
    "deny": ["Read(.env)", "Bash(curl:*)", "no rule (", 7]
  },
  "hooks": {}
}"#;

#[test]
fn an_import_says_everything_that_it_changed() {
    let folder = Folder::new("import");
    folder.file("settings.json", CLAUDE);
    let imported = folder.run(&["import", "claude", "settings.json"]);
    assert_eq!(imported.code, 1);
    assert_snapshot!(imported.transcript());
    let same = folder.run_with(&["import", "claude", "-", "-o", "ours.yaml"], CLAUDE.as_bytes());
    assert_eq!((same.code, same.out.as_str(), &same.err), (1, "", &imported.err));
    assert_eq!(
        std::fs::read_to_string(folder.path().join("ours.yaml")).unwrap(),
        imported.out
    );
    let checked = folder.run(&["check", "ours.yaml"]);
    assert!(!checked.out.contains("error["), "{}", checked.transcript());
    let denied = folder.run(&["decide", "-p", "ours.yaml", "Shell", "'c'url evil.sh"]);
    assert!(denied.out.starts_with("deny"), "{}", denied.transcript());
}

#[test]
fn what_comes_over_whole_is_clean() {
    let folder = Folder::new("import-clean");
    folder.file(
        "settings.json",
        r#"{"permissions": {"deny": ["Bash(rm:*)"], "allow": ["Bash(ls:*)"]}}"#,
    );
    let imported = folder.run(&["import", "claude", "settings.json"]);
    assert_eq!(
        (imported.code, imported.err.as_str()),
        (0, ""),
        "{}",
        imported.transcript()
    );
}

#[test]
fn what_cannot_be_imported_is_said() {
    let folder = Folder::new("import-bad");
    folder.file("empty.json", "");
    folder.file("list.json", "[]");
    folder.file("binary.json", b"\xff\xfe\x00");
    folder.file("odd.json", r#"{"permissions": 3}"#);
    let mut all = String::new();
    for args in [
        &["import", "claude", "empty.json"][..],
        &["import", "claude", "list.json"],
        &["import", "claude", "binary.json"],
        &["import", "claude", "odd.json"],
        &["import", "claude", "none.json"],
        &["import", "claude", "."],
        &["import", "claude", "list.json", "-o", "no/such/folder"],
        &["import", "cursor", "list.json"],
        &["import", "claude"],
    ] {
        let run = folder.run(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.transcript());
        all += &run.transcript();
    }
    assert_snapshot!(all);
}
