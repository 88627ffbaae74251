//! What is said to wrong words, and the help texts.

use insta::assert_snapshot;

use crate::run::{Folder, POLICY};

#[test]
fn help_texts() {
    let folder = Folder::new("help");
    for command in [
        "",
        "check",
        "compile",
        "decide",
        "explain",
        "explain-code",
        "resolve",
        "render",
    ] {
        let args: Vec<&str> = [command, "--help"]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect();
        let run = folder.run(&args);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{command}");
        assert!(
            run.out.lines().all(|line| line.chars().count() <= 120),
            "{}",
            run.out
        );
        let name = if command.is_empty() { "help" } else { command };
        assert_snapshot!(format!("help_{name}"), run.transcript());
    }
    assert_eq!(
        folder.run(&["--version"]).out,
        format!("callgate {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn wrong_words_end_with_2_and_say_what_is_right() {
    let folder = Folder::new("wrong-words");
    folder.file("p.yaml", POLICY);
    let cases: &[&[&str]] = &[
        &[],
        &["chekc"],
        &["check"],
        &["check", "--fail-on", "warnings", "p.yaml"],
        &["check", "--kind", "permission", "p.yaml"],
        &["check", "--formt", "json", "p.yaml"],
        &["compile"],
        &["compile", "--emit", "wasm2", "p.yaml"],
        &["compile", "--emit", "ir", "p.yaml", "p.yaml"],
        &["compile", "--kind", "permissions"],
        &["decide", "bash", "ls"],
        &["decide", "-p", "p.yaml", "--args", "{}"],
        &["decide", "-p", "p.yaml", "--args", "{}", "bash", "ls"],
        &["decide", "-p", "p.yaml", "--mode", "plan", "bash", "ls"],
        &["decide", "-p", "p.yaml", "--audience", "everyone", "bash", "ls"],
        &["decide", "-p", "p.yaml", "-p", "safe", "bash", "ls"],
        &["decide", "-p", "p.yaml", "-p", "p.yaml", "bash", "ls"],
        &["decide", "-p", "saef", "bash", "ls"],
        &["decide", "-p", "-"],
        &["explain", "-p", "safe"],
        &["explain-code", "CG9999"],
        &["explain-code", "CG023"],
        &["explain-code", "unkown-key"],
        &["explain-code", "allowlist"],
    ];
    let mut all = String::new();
    for args in cases {
        let run = folder.run(args);
        assert_eq!(run.code, 2, "{}", run.transcript());
        assert!(run.out.is_empty() && !run.err.is_empty(), "{}", run.transcript());
        all += &run.transcript();
        all += "\n";
    }
    assert_snapshot!(all);
}

#[cfg(unix)]
#[test]
fn words_that_are_not_unicode() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    let folder = Folder::new("not-unicode");
    let odd = OsString::from_vec(b"caf\xe9.yaml".to_vec());
    std::fs::write(folder.path().join(&odd), POLICY).unwrap();
    let run = folder.run_os(&["check".into(), odd.clone()], b"", &[]);
    assert_eq!((run.code, run.out.as_str()), (0, "1 file checked: no findings\n"));
    let run = folder.run_os(
        &["check".into(), ".".into(), "--format".into(), "json".into()],
        b"",
        &[],
    );
    assert!(
        run.code == 0 && run.out.contains("caf\u{fffd}.yaml"),
        "{}",
        run.transcript()
    );
    let run = folder.run_os(
        &["decide".into(), "-p".into(), odd, "bash".into(), "ls".into()],
        b"",
        &[],
    );
    assert!(
        run.code == 0 && run.out.starts_with("ask"),
        "{}",
        run.transcript()
    );
    let subject = OsString::from_vec(b"ls \xff".to_vec());
    let run = folder.run_os(
        &[
            "decide".into(),
            "-p".into(),
            "safe".into(),
            "bash".into(),
            subject,
        ],
        b"",
        &[],
    );
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.transcript());
}

#[test]
fn pages_of_codes() {
    let folder = Folder::new("pages");
    let list = folder.run(&["explain-code"]);
    assert_eq!(list.code, 0);
    assert!(list.out.lines().count() > 40);
    for line in list.out.lines() {
        let mut words = line.split_whitespace();
        let (code, name) = (words.next().unwrap(), words.next().unwrap());
        let by_code = folder.run(&["explain-code", code]);
        let by_name = folder.run(&["explain-code", &name.to_uppercase()]);
        assert_eq!(by_code.code, 0, "{code}");
        assert_eq!(by_code.out, by_name.out);
        assert!(
            by_code.out.contains(code) && by_code.out.contains(name),
            "{}",
            by_code.out
        );
    }
}
