//! `callgate compile`: tables, documents, schemas; the same bytes from anywhere.

use std::fs;

use callgate_runtime::Table;
use insta::assert_snapshot;

use crate::run::{BROKEN, Folder, POLICY};

#[test]
fn a_table_is_written_and_its_digest_printed() {
    let folder = Folder::new("table");
    folder.file("p.yaml", POLICY);
    let run = folder.run(&["compile", "p.yaml", "-o", "p.cgdt"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let table = Table::load(fs::read(folder.path().join("p.cgdt")).unwrap()).unwrap();
    assert_eq!(run.out, format!("{}\n", table.digest()));
    assert_eq!(
        table.rule(0).map(|rule| (rule.source, rule.line)),
        Some(("p.yaml", 2))
    );
    let json = folder
        .run(&["compile", "p.yaml", "-o", "p.cgdt", "--format", "json"])
        .out;
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["digest"], table.digest().to_string());
    assert_eq!(
        (&report["rules"], &report["bytes"]),
        (&table.len().into(), &table.bytes().len().into())
    );
}

#[test]
fn the_dearest_decision_is_told_where_it_is_asked_for() {
    let folder = Folder::new("cost");
    folder.file(
        "p.yaml",
        "mode: rules\nallow: {bash: ['git *', 'ls *'], reader: ['*']}\n",
    );
    let run = folder.run(&["compile", "p.yaml", "-o", "p.cgdt", "--cost"]);
    let bytes = fs::read(folder.path().join("p.cgdt")).unwrap().len();
    assert_eq!(
        run.err,
        format!(
            "3 rules, 3 machines, {bytes} bytes; worst case bash: 0 passes over the subject, 2 of 2 rules tried on every call\n"
        )
    );
}

#[test]
fn a_table_goes_through_a_pipe() {
    let folder = Folder::new("pipe");
    folder.file("p.yaml", POLICY);
    for args in [&["compile", "p.yaml"][..], &["compile", "p.yaml", "-o", "-"]] {
        let run = folder.run(args);
        assert_eq!((run.code, run.out.as_str()), (0, "(binary)\n"));
        assert_eq!(
            run.err.trim().len(),
            64,
            "the digest goes to standard error: {}",
            run.err
        );
    }
}

/// The digest names the policy, so neither the folder it is compiled from nor how its path is written can change it.
#[test]
fn the_digest_does_not_depend_on_the_machine() {
    let folder = Folder::new("digest");
    folder.file("policies/p.yaml", POLICY);
    folder.file("elsewhere/x", "");
    let absolute = folder.path().join("policies/p.yaml");
    let absolute = absolute.to_str().unwrap();
    let digest = |args: &[&str]| folder.run(args).out;
    let plain = digest(&["compile", "policies/p.yaml", "-o", "a"]);
    assert_eq!(plain.trim().len(), 64);
    assert_eq!(
        plain,
        digest(&["compile", "./policies/../policies/p.yaml", "-o", "b"])
    );
    assert_eq!(plain, digest(&["compile", absolute, "-o", "c"]));
    assert_eq!(plain, digest(&["compile", absolute, "--root", ".", "-o", "d"]));
    let outside = digest(&["compile", absolute, "--root", "elsewhere", "-o", "e"]);
    assert_eq!(
        outside,
        digest(&["compile", "policies/p.yaml", "--root", "policies", "-o", "f"])
    );
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(
        read("a") == read("b") && read("a") == read("c") && read("a") == read("d") && read("e") == read("f")
    );
}

#[test]
fn errors_stop_it_and_leave_no_file() {
    let folder = Folder::new("errors");
    folder.file("broken.yaml", BROKEN);
    let run = folder.run(&["compile", "broken.yaml", "-o", "out"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("CG0204") && !folder.path().join("out").exists(),
        "{}",
        run.transcript()
    );
    folder.file("p.yaml", POLICY);
    let run = folder.run(&["compile", "p.yaml", "-o", "no/such/folder/out"]);
    assert!(
        run.code == 2 && run.err.contains("cannot write `no/such/folder/out`"),
        "{}",
        run.transcript()
    );
    let run = folder.run(&["compile", "p.yaml", "-o", "."]);
    assert!(
        run.code == 2 && run.err.contains("it is a folder"),
        "{}",
        run.transcript()
    );
    folder.file("pack.yaml", "name: team\nroles: {}\n");
    let run = folder.run(&["compile", "pack.yaml", "-o", "out"]);
    assert!(
        run.code == 1 && run.err.contains("CG0221"),
        "{}",
        run.transcript()
    );
}

#[test]
fn warnings_do_not_stop_it() {
    let folder = Folder::new("warnings");
    folder.file("p.yaml", "mode: deny_all\ndeny: {bash: ['rm *']}\n");
    let run = folder.run(&["compile", "p.yaml", "-o", "out"]);
    assert!(
        run.code == 0 && run.err.contains("CG0401") && run.out.trim().len() == 64,
        "{}",
        run.transcript()
    );
}

#[test]
fn the_document_as_json() {
    let folder = Folder::new("ir");
    folder.file("p.yaml", POLICY);
    let run = folder.run(&["compile", "p.yaml", "--emit", "ir"]);
    assert_eq!(run.code, 0);
    let ir: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(ir["kind"], "permissions");
    assert_snapshot!(run.out);
    assert_eq!(
        folder
            .run(&["compile", "p.yaml", "--emit", "ir", "-o", "p.json"])
            .out,
        ""
    );
    assert_eq!(fs::read_to_string(folder.path().join("p.json")).unwrap(), run.out);
    folder.file("broken.yaml", BROKEN);
    assert_eq!(folder.run(&["compile", "broken.yaml", "--emit", "ir"]).code, 1);
}

#[test]
fn schemas_of_every_kind() {
    let folder = Folder::new("schemas");
    for kind in ["permissions", "settings", "pack", "agent", "tests", "catalogue"] {
        let run = folder.run(&["compile", "--emit", "json-schema", "--kind", kind]);
        assert_eq!(run.code, 0);
        let schema: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(
            schema["$schema"], "https://json-schema.org/draft/2020-12/schema",
            "{kind}"
        );
    }
    folder.file("p.yaml", POLICY);
    let of_file = folder.run(&["compile", "--emit", "json-schema", "p.yaml"]).out;
    assert_eq!(
        of_file,
        folder
            .run(&["compile", "--emit", "json-schema", "--kind", "permissions"])
            .out
    );
}

#[cfg(unix)]
#[test]
fn root_needs_a_sandbox_for_lax_postures() {
    let folder = Folder::new("posture");
    folder.file("settings.yaml", "permissions: {deny: ['Shell(rm:*)']}\n");
    let is_root = {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(folder.path().join("settings.yaml")).unwrap().uid() == 0
    };
    let args = |posture: &str| {
        ["compile", "settings.yaml", "-o", "out", "--posture", posture].map(std::ffi::OsString::from)
    };
    for posture in ["strict", "trusted", "auto", "yolo"] {
        let lax = ["auto", "yolo"].contains(&posture);
        let run = folder.run_os(&args(posture), b"", &[]);
        assert_eq!(
            run.code,
            if lax && is_root { 2 } else { 0 },
            "{}",
            run.transcript()
        );
        assert_eq!(folder.run_os(&args(posture), b"", &[("IS_SANDBOX", "1")]).code, 0);
        let run = folder.run_os(&args(posture), b"", &[("IS_SANDBOX", "0")]);
        assert_eq!(
            run.code,
            if lax && is_root { 2 } else { 0 },
            "{}",
            run.transcript()
        );
    }
}
