//! `callgate explain`: the rules considered, and that what it says of them is true.

use insta::assert_snapshot;

use crate::run::{Folder, POLICY, SETTINGS};

#[test]
fn every_rule_considered_is_shown() {
    let folder = Folder::new("explain");
    folder.file("p.yaml", POLICY);
    folder.file("s.yaml", SETTINGS);
    let mut all = String::new();
    for args in [
        &["explain", "-p", "p.yaml", "bash", "rm -rf build"][..],
        &["explain", "-p", "p.yaml", "bash", "make"],
        &["explain", "-p", "p.yaml", "bash", "git status; ls"],
        &["explain", "-p", "p.yaml", "editor", "README.md"],
        &["explain", "-p", "p.yaml", "deploy", "--action", "now", "prod"],
        &["explain", "-p", "deny_all", "bash", "ls"],
        &["explain", "-p", "p.yaml", "reader", "--args", r#"{"path": []}"#],
        &["explain", "-p", "p.yaml", "bash", "make", "--format", "json"],
        &[
            "explain",
            "-p",
            "s.yaml",
            "Shell",
            "git log && /usr/bin/'g'it push -f | tee log > out",
        ],
        &["explain", "-p", "s.yaml", "Shell", "git log $(id)"],
        &[
            "explain",
            "-p",
            "s.yaml",
            "Shell",
            "xargs sudo",
            "--audience",
            "subagent",
        ],
        &["explain", "-p", "s.yaml", "Shell", "make", "--mode", "plan"],
        &["explain", "-p", "s.yaml", "Read", "notes.txt"],
        &[
            "explain",
            "-p",
            "s.yaml",
            "Copy",
            "--args",
            r#"{"source": "a", "destination": ".env"}"#,
        ],
        &["explain", "-p", "s.yaml", "Shell", "--args", r#"{"command": 7}"#],
        &[
            "explain",
            "-p",
            "s.yaml",
            "Shell",
            "git log | id",
            "--format",
            "json",
        ],
    ] {
        let run = folder.run(args);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        all += &run.transcript();
        all += "\n";
    }
    assert_snapshot!(all);
}

/// A rule is said to match exactly when a policy of that rule alone is decided by it.
#[test]
fn what_is_said_of_a_rule_is_true_of_the_rule_alone() {
    let folder = Folder::new("alone");
    let patterns = ["*", "rm *", "RM -?f *", "[!a]*", "*build", "git *", ""];
    let subjects = ["rm -rf build", "git", "A", "", "Rm -xf ", "é build"];
    let list: Vec<String> = patterns.iter().map(|pattern| format!("'{pattern}'")).collect();
    let policy = |rules: &str| format!("mode: rules\nallow:\n  reader: [{rules}]\n  '*': ['*d']\n");
    folder.file("all.yaml", policy(&list.join(", ")));
    for subject in subjects {
        let out = folder
            .run(&["explain", "-p", "all.yaml", "--format", "json", "reader", subject])
            .out;
        let report: serde_json::Value = serde_json::from_str(&out).unwrap();
        let considered = report["explanation"]["considered"].as_array().unwrap();
        assert_eq!(considered.len(), patterns.len() + 1);
        for rule in considered {
            let pattern = rule["pattern"].as_str().unwrap();
            folder.file(
                "one.yaml",
                format!("mode: rules\nallow: {{reader: ['{pattern}']}}\n"),
            );
            let alone = folder
                .run(&["decide", "-p", "one.yaml", "--exit-code", "reader", subject])
                .code;
            assert_eq!(
                !rule["matches"].as_array().unwrap().is_empty(),
                alone == 0,
                "{pattern} on {subject:?}"
            );
        }
        let first = considered
            .iter()
            .find(|rule| !rule["matches"].as_array().unwrap().is_empty())
            .map(|rule| &rule["index"]);
        assert_eq!(first, Some(&report["decision"]["rule"]["index"]));
        let deciding: Vec<_> = considered.iter().filter(|rule| rule["decides"] == true).collect();
        assert_eq!(deciding.len(), 1);
    }
}

/// In the layered dialect: the rule that decided is among those said to match, on a text that was asked about, and
/// without it the decision or the rule named is another (promise 13).
#[test]
fn the_deciding_rule_of_a_shell_line_matched() {
    let folder = Folder::new("deciding");
    folder.file("s.yaml", SETTINGS);
    for line in [
        "git log",
        "git log && git push -f origin",
        "/usr/bin/sudo id",
        "env A=1 git status",
        "make | tee out",
        "git log > .env",
        "echo $(sudo id)",
        "x=1",
        "for f in *; do rm $f; done",
    ] {
        let out = folder
            .run(&["explain", "-p", "s.yaml", "--format", "json", "Shell", line])
            .out;
        let report: serde_json::Value = serde_json::from_str(&out).unwrap();
        let decided = folder
            .run(&["decide", "-p", "s.yaml", "--format", "json", "Shell", line])
            .out;
        assert_eq!(
            report["decision"],
            serde_json::from_str::<serde_json::Value>(&decided).unwrap(),
            "{line}"
        );
        let texts = report["explanation"]["texts"].as_array().unwrap();
        let index = &report["decision"]["rule"]["index"];
        for rule in report["explanation"]["considered"].as_array().unwrap() {
            let met = rule["matches"].as_array().unwrap();
            assert!(met.iter().all(|text| texts.contains(text)), "{line}: {rule}");
            assert_eq!(
                rule["decides"] == true,
                !index.is_null() && rule["index"] == *index,
                "{line}: {rule}"
            );
            assert!(rule["decides"] == false || !met.is_empty(), "{line}: {rule}");
        }
    }
}
