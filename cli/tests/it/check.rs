//! `callgate check`: what is found, where it is shown, and the exit code.

use insta::assert_snapshot;

use crate::run::{BROKEN, Folder, POLICY};

#[test]
fn findings_are_shown_with_their_source() {
    let folder = Folder::new("findings");
    folder.file("broken.yaml", BROKEN);
    let run = folder.run(&["check", "broken.yaml"]);
    assert_eq!(run.code, 1);
    assert_snapshot!(run.transcript());
    assert_snapshot!(
        "findings_json",
        folder
            .run(&["check", "broken.yaml", "--format", "json"])
            .transcript()
    );
}

/// Beside the snapshots: every place in the JSON, read back from the source, is the text that the message names.
#[test]
fn places_lead_back_to_the_source() {
    let folder = Folder::new("places");
    let sources = [
        BROKEN.to_owned(),
        format!("\u{feff}{BROKEN}"),
        BROKEN.replace('\n', "\r\n"),
        BROKEN.replace("no,", "é,  no,"),
    ];
    for source in sources {
        folder.file("broken.yaml", &source);
        let run = folder.run(&["check", "broken.yaml", "--format", "json"]);
        let human = folder.run(&["check", "broken.yaml"]).out;
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let findings = report["diagnostics"].as_array().unwrap();
        assert!(findings.len() >= 5, "{}", run.out);
        for finding in findings {
            let at = |end: usize| usize::try_from(finding["span"][end].as_u64().unwrap()).unwrap();
            let marked = source.get(at(0)..at(1)).unwrap();
            let message = finding["message"].as_str().unwrap();
            assert!(message.contains(marked), "`{marked}` in {message}");
            let before = source.get(..at(0)).unwrap().trim_start_matches('\u{feff}');
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            assert_eq!(
                finding["start"],
                serde_json::json!({"line": line, "column": column}),
                "{message}"
            );
            assert!(
                human.contains(&format!("--> broken.yaml:{line}:{column}\n")),
                "{human}"
            );
        }
    }
}

#[test]
fn exit_codes_follow_fail_on() {
    let folder = Folder::new("fail-on");
    folder.file("clean.yaml", POLICY);
    folder.file("warns.yaml", "mode: deny_all\ndeny: {bash: ['rm *']}\n");
    folder.file("broken.yaml", BROKEN);
    for (file, fail_on, code) in [
        ("clean.yaml", "note", 0),
        ("clean.yaml", "error", 0),
        ("warns.yaml", "error", 0),
        ("warns.yaml", "warning", 1),
        ("warns.yaml", "note", 1),
        ("broken.yaml", "error", 1),
        ("missing.yaml", "error", 2),
    ] {
        for format in ["human", "json"] {
            let run = folder.run(&["check", "--fail-on", fail_on, "--format", format, file]);
            assert_eq!(run.code, code, "{file} {fail_on}\n{}", run.transcript());
        }
    }
    let both = folder.run(&["check", "broken.yaml", "missing.yaml"]);
    assert_eq!(
        both.code, 2,
        "not everything could be checked, which outweighs the findings"
    );
    assert!(
        both.out.contains("CG0204") && both.err.contains("missing.yaml"),
        "{}",
        both.transcript()
    );
}

#[test]
fn folders_are_walked_in_one_order_and_ignore_files_count() {
    let folder = Folder::new("walk");
    folder.file("b.yml", POLICY);
    folder.file("a/z.yaml", BROKEN);
    folder.file("a/y.YAML", POLICY);
    folder.file("a/notes.txt", BROKEN);
    folder.file(".mecatl/settings.yaml", "permissions: {deny: ['Shell(rm:*)']}\n");
    folder.file(".git/config.yaml", BROKEN);
    folder.file("target/left.yaml", BROKEN);
    folder.file(".gitignore", "target\n");
    folder.file("compose.yaml", "services: {web: {image: nginx}}\n");
    folder.file("playbook.yaml", "- hosts: all\n");
    let run = folder.run(&["check", "."]);
    assert_eq!(run.code, 1);
    assert_snapshot!(run.transcript());
    let json = folder.run(&["check", "--format", "json", "."]).out;
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let names: Vec<&str> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["source"].as_str().unwrap())
        .collect();
    assert_eq!(names, [".mecatl/settings.yaml", "a/y.YAML", "a/z.yaml", "b.yml"]);
    assert_eq!(
        report["skipped"],
        serde_json::json!(["compose.yaml", "playbook.yaml"])
    );
    let other = folder
        .run(&[
            "check",
            "--format",
            "json",
            "b.yml",
            "./a",
            ".mecatl",
            "a/z.yaml",
            "./compose.yaml",
        ])
        .out;
    let other: serde_json::Value = serde_json::from_str(&other).unwrap();
    assert_eq!(
        other["files"].as_array().unwrap().len(),
        5,
        "a named file is never skipped, none is read twice: {other}"
    );
    assert_eq!(
        folder.run(&["check", "target/left.yaml"]).code,
        1,
        "a named file is read whatever ignore files say"
    );
}

/// A policy that is misspelled is no other tool's file: skipping it would call the folder clean.
#[test]
fn misspelled_documents_in_a_folder_are_not_skipped() {
    for (name, text, is_ours) in [
        ("p.yaml", "permisions: {deny: [Shell]}\n", true),
        ("p.yaml", "Permissions: {deny: [Shell]}\n", true),
        ("p.yaml", "escalat: {bash: ['*']}\n", true),
        (".mecatl/settings.yaml", "rules: {deny: [Shell]}\n", true),
        (".mecatl/settings.local.yaml", "- deny\n", true),
        ("Taskfile.yaml", "version: 3\ntasks: {a: {cmds: [b]}}\n", false),
        ("prometheus.yaml", "groups: [{rules: []}]\n", false),
        ("eslint.yaml", "rules: {semi: error}\nmodel: x\n", false),
    ] {
        let folder = Folder::new("misspelled");
        folder.file("clean.yaml", POLICY);
        folder.file(name, text);
        let run = folder.run(&["check", "."]);
        assert_eq!(
            run.code,
            i32::from(is_ours),
            "{name}: {text}\n{}",
            run.transcript()
        );
        assert_eq!(run.out.contains("1 skipped"), !is_ours, "{}", run.transcript());
    }
}

#[test]
fn nothing_to_check_is_no_success() {
    let folder = Folder::new("nothing");
    folder.file("empty/notes.txt", "");
    folder.file("foreign/compose.yaml", "services: {}\n");
    for path in ["empty", "foreign"] {
        let run = folder.run(&["check", path]);
        assert_eq!(run.code, 2, "{}", run.transcript());
        assert!(run.err.contains("nothing to check"), "{}", run.transcript());
    }
}

#[test]
fn standard_input_is_a_document() {
    let folder = Folder::new("stdin");
    let run = folder.run_with(&["check", "-"], BROKEN.as_bytes());
    assert!(
        run.code == 1 && run.out.contains("--> <stdin>:1:7"),
        "{}",
        run.transcript()
    );
    assert_eq!(folder.run_with(&["check", "-"], POLICY.as_bytes()).code, 0);
    assert_eq!(folder.run_with(&["check", "-", "-"], POLICY.as_bytes()).code, 2);
}

#[test]
fn limits_are_options() {
    let folder = Folder::new("limits");
    folder.file("p.yaml", POLICY);
    for (limit, value, code) in [
        ("--max-bytes", "10", "CG0102"),
        ("--max-depth", "1", "CG0108"),
        ("--max-rules", "3", "CG0216"),
    ] {
        let run = folder.run(&["check", limit, value, "p.yaml"]);
        assert!(run.code == 1 && run.out.contains(code), "{}", run.transcript());
    }
}

#[test]
fn a_list_of_tools_is_held_against_the_rules() {
    let folder = Folder::new("tools");
    folder.file(
        "p.yaml",
        "mode: rules\ndeny: {bahs: ['rm *']}\nallow: {Reader_Tool: ['src/*']}\n",
    );
    folder.file("lines", "bash\nreader_tool\n");
    folder.file(
        "tools.json",
        r#"{"tools": [{"name": "bash"}, {"name": "reader"}]}"#,
    );
    folder.file("broken", "bash and reader\n");
    assert!(folder.run(&["check", "p.yaml"]).out.contains("no findings"));
    for list in ["lines", "tools.json"] {
        let run = folder.run(&["check", "--tools", list, "p.yaml"]);
        assert_eq!(run.code, 0, "{}", run.transcript());
        assert!(
            run.out.contains("CG0511")
                && run.out.contains("--> p.yaml:2:8")
                && run.out.contains("did you mean `bash`?"),
            "{}",
            run.transcript()
        );
        assert!(run.out.contains("1 warning"), "{}", run.transcript());
    }
    for list in ["broken", "missing"] {
        let run = folder.run(&["check", "--tools", list, "p.yaml"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.transcript());
    }
}

#[test]
fn a_finding_about_the_policy_names_its_call() {
    let folder = Folder::new("witness");
    folder.file(
        "p.yaml",
        "mode: rules\ndeny: {bash: ['*&*', 'rm -rf *']}\nallow: {bash: ['rm *']}\n",
    );
    let run = folder.run(&["check", "--format", "json", "p.yaml"]);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let finding = &report["diagnostics"][0];
    assert_eq!(finding["code"], "CG0503");
    let witness = &finding["witness"];
    assert_eq!(
        witness,
        &serde_json::json!({"tool": "bash", "subject": "rm -fr build", "audience": "main", "effect": "allow"})
    );
    let decided = folder.run(&["decide", "-p", "p.yaml", "--exit-code", "bash", "rm -fr build"]);
    assert_eq!(decided.code, 0, "{}", decided.transcript());
    assert_eq!(
        folder
            .run(&["decide", "-p", "p.yaml", "--exit-code", "bash", "rm -rf build"])
            .code,
        4
    );
}

#[test]
fn the_kind_can_be_given() {
    let folder = Folder::new("kind");
    folder.file("empty.yaml", "");
    assert!(folder.run(&["check", "empty.yaml"]).out.contains("CG0206"));
    assert_eq!(folder.run(&["check", "--kind", "settings", "empty.yaml"]).code, 0);
    folder.file("p.yaml", POLICY);
    assert_eq!(folder.run(&["check", "--kind", "pack", "p.yaml"]).code, 1);
}

/// Colours only where somebody asked for them or a terminal shows them; a pipe is no terminal.
#[test]
fn colours() {
    let folder = Folder::new("colours");
    folder.file("broken.yaml", BROKEN);
    let escapes = |args: &[&str], environment: &[(&str, &str)]| {
        let args: Vec<std::ffi::OsString> = args.iter().map(Into::into).collect();
        folder.run_os(&args, b"", environment).out.contains('\u{1b}')
    };
    assert!(!escapes(&["check", "broken.yaml"], &[]));
    assert!(escapes(&["check", "broken.yaml", "--color", "always"], &[]));
    assert!(escapes(
        &["check", "broken.yaml", "--color", "always"],
        &[("NO_COLOR", "1")]
    ));
    assert!(!escapes(&["check", "broken.yaml", "--color", "never"], &[]));
    assert!(!escapes(
        &["check", "broken.yaml", "--color", "always", "--format", "json"],
        &[]
    ));
}

/// What a policy says cannot steer the terminal of whoever reads the findings.
#[test]
fn text_of_a_policy_is_shown_harmlessly() {
    let folder = Folder::new("harmless");
    folder.file("p.yaml", "mode: \"\\e[31mru\\u202eles\"\n\"al\\alow\": {}\n");
    let run = folder.run(&["check", "p.yaml"]);
    assert_eq!(run.code, 1);
    assert!(
        run.out
            .chars()
            .all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')),
        "{:?}",
        run.out
    );
    let run = folder.run(&["decide", "-p", "deny_all", "bash\u{1b}[2J", "ls"]);
    assert!(!run.out.contains('\u{1b}'), "{:?}", run.out);
}
