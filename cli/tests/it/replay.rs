//! `callgate replay`: a log summed up, for people and as a record, and what changed against an old policy.

use insta::assert_snapshot;

use crate::run::{Folder, POLICY, Run};

const LOG: &str = r#"{"tool": "bash", "args": {"command": "git status"}}
{"tool": "bash", "args": {"command": "git push"}}
{"tool": "bash", "args": {"command": "rm -rf build"}}
{"tool": "bash", "args": {"command": "make"}}
{"tool": "bash", "args": {"command": "git status; rm x"}}
{"tool": "reader", "args": {"path": "src/main.rs"}}
{"tool": "deploy", "args": {"to": "prod"}}
{"tool": "bash", "args": {"command": "make"}}
"#;

const OLD: &str = "\
mode: rules
deny:     {bash: [\"git push*\"]}
allow:    {reader: [\"*\"], bash: [\"git *\", \"make\"]}
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("p.yaml", POLICY);
    folder.file("old.yaml", OLD);
    folder.file("calls.jsonl", LOG);
    folder
}

/// The transcript without what differs from run to run: times, and how many threads there were.
fn steady(run: &Run) -> String {
    let transcript = run.transcript();
    let lines = transcript.lines().filter_map(|line| {
        let (calls, rest) = line.split_once(" in ")?;
        rest.contains(" thread").then(|| format!("{calls} in … on …\n"))
    });
    let last: String = lines.collect();
    let kept: String = transcript
        .lines()
        .filter(|line| !line.contains(" thread"))
        .map(|line| format!("{line}\n"))
        .collect();
    kept + &last
}

#[test]
fn a_log_is_summed_up_for_people() {
    let folder = folder("replay");
    let plain = folder.run(&["replay", "calls.jsonl", "-p", "p.yaml", "--slowest", "0"]);
    assert_eq!(plain.code, 0);
    let args = [
        "replay",
        "-",
        "-p",
        "p.yaml",
        "--against",
        "old.yaml",
        "--slowest",
        "0",
    ];
    let compared = folder.run_with(&args, LOG.as_bytes());
    assert_eq!(compared.code, 1);
    assert_snapshot!(steady(&plain) + &steady(&compared));
}

#[test]
fn the_record_says_what_decide_says_of_every_line() {
    let folder = folder("replay-record");
    let args = [
        "replay",
        "calls.jsonl",
        "-p",
        "p.yaml",
        "--format",
        "json",
        "--against",
        "old.yaml",
    ];
    let run = folder.run(&args);
    let record: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let effects = |policy: &str| -> Vec<String> {
        let decided = folder.run_with(&["decide", "-p", policy], LOG.as_bytes());
        let effect = |line: &str| {
            let decision: serde_json::Value = serde_json::from_str(line).unwrap();
            decision["effect"].as_str().unwrap().to_owned()
        };
        decided.out.lines().map(effect).collect()
    };
    let (now, before) = (effects("p.yaml"), effects("old.yaml"));
    for effect in ["allow", "ask", "deny"] {
        let counted = now.iter().filter(|now| *now == effect).count();
        assert_eq!(record[effect], counted, "{effect}");
    }
    let order = ["deny", "ask", "allow"];
    let rank = |effect: &String| order.iter().position(|known| known == effect).unwrap();
    let widened = now
        .iter()
        .zip(&before)
        .filter(|(now, before)| rank(now) > rank(before))
        .count();
    let narrowed = now
        .iter()
        .zip(&before)
        .filter(|(now, before)| rank(now) < rank(before))
        .count();
    assert!(widened > 0 && narrowed > 0);
    assert_eq!(record["against"]["widened"], widened);
    assert_eq!(record["against"]["narrowed"], narrowed);
    assert_eq!(record["calls"], LOG.lines().count());
    assert_eq!(record["slowest"].as_array().unwrap().len(), 3);
    for change in record["against"]["changes"].as_array().unwrap() {
        let line = usize::try_from(change["first_line"].as_u64().unwrap()).unwrap();
        assert_eq!(change["first_record"].as_str(), LOG.lines().nth(line - 1));
        assert_eq!(change["before"]["effect"].as_str(), Some(&*before[line - 1]));
        assert_eq!(change["now"]["effect"].as_str(), Some(&*now[line - 1]));
    }
}

#[test]
fn what_cannot_be_replayed_is_said() {
    let folder = folder("replay-bad");
    folder.file("empty.jsonl", "");
    folder.file("bad.jsonl", b"{\"tool\": \"bash\"}\n\xff\xfe\nno\n\n");
    let mut all = String::new();
    for args in [
        &["replay", "empty.jsonl", "-p", "p.yaml"][..],
        &["replay", "bad.jsonl", "-p", "p.yaml", "--slowest", "0"],
        &["replay", "none.jsonl", "-p", "p.yaml"],
        &["replay", ".", "-p", "p.yaml"],
        &["replay", "-", "-p", "-"],
        &["replay", "calls.jsonl", "-p", "p.yaml", "--against", "none.yaml"],
        &["replay", "calls.jsonl", "-p", "p.yaml", "--mode", "plan"],
        &["replay", "calls.jsonl"],
    ] {
        all += &steady(&folder.run(args));
        all.push('\n');
    }
    assert_snapshot!(all);
}
