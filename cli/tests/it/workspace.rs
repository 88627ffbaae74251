//! Settings files of a workspace: found, given their scopes wherever the command runs, trusted only when somebody says so.

use std::ffi::OsString;

use crate::run::{Folder, Run};

const PROJECT: &str = "permissions: {allow: ['Shell(make *)'], deny: ['Shell(rm *)']}\n";
const LOCAL: &str = "permissions: {deny: ['Shell(make clean)']}\n";
const USER: &str = "permissions: {allow: ['Shell(ls *)']}\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("project/.mecatl/settings.yaml", PROJECT);
    folder.file("project/.mecatl/settings.local.yaml", LOCAL);
    folder.file("config/mecatl/settings.yaml", USER);
    folder
}

fn run(folder: &Folder, args: &[&str]) -> Run {
    let config = folder.path().join("config");
    let args: Vec<OsString> = args.iter().map(Into::into).collect();
    folder.run_os(&args, b"", &[("XDG_CONFIG_HOME", config.to_str().unwrap())])
}

fn effect(run: &Run) -> &str {
    assert_eq!(run.code, 0, "{}", run.transcript());
    run.out.split(':').next().unwrap()
}

#[test]
fn the_files_of_a_workspace_and_of_the_user_decide_together() {
    let folder = folder("workspace");
    let decide = |more: &[&str], line: &str| {
        let mut args = vec!["decide", "--workspace", "project"];
        args.extend(more);
        args.extend(["Shell", line]);
        effect(&run(&folder, &args)).to_owned()
    };
    // An untrusted project tightens, and loosens nothing.
    assert_eq!(decide(&[], "make all"), "ask");
    assert_eq!(decide(&["--trust-project"], "make all"), "allow");
    assert_eq!(decide(&["--posture", "trusted"], "make all"), "ask");
    assert_eq!(
        decide(&["--posture", "trusted", "--interactive"], "make all"),
        "allow"
    );
    assert_eq!(decide(&["--trust-project"], "make clean"), "deny");
    assert_eq!(decide(&[], "rm x"), "deny");
    assert_eq!(decide(&[], "ls x"), "allow");
    folder.file("more.yaml", "permissions: {deny: ['Shell(ls secret)']}\n");
    assert_eq!(decide(&["-p", "more.yaml"], "ls secret"), "deny");
    let explained = run(&folder, &["explain", "--workspace", "project", "Shell", "ls x"]);
    assert!(
        explained.out.contains("mecatl/settings.yaml:1:"),
        "{}",
        explained.transcript()
    );
}

#[test]
fn a_file_that_cannot_be_used_decides_nothing() {
    let folder = folder("workspace-broken");
    folder.file(
        "project/.mecatl/settings.yaml",
        "permissions: {alow: ['Shell(make *)']}\n",
    );
    for args in [
        &["decide", "--workspace", "project", "Shell", "ls x"][..],
        &["decide", "--workspace", "nowhere", "Shell", "ls x"],
        &[
            "decide",
            "--workspace",
            "config/mecatl/settings.yaml",
            "Shell",
            "ls x",
        ],
        &["decide", "--workspace", "config", "-p", "safe", "Shell", "ls x"],
    ] {
        let run = run(&folder, args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.transcript());
        assert!(run.err.contains("error: "), "{}", run.transcript());
    }
    let broken = run(&folder, &["decide", "--workspace", "project", "Shell", "ls x"]);
    assert!(broken.err.contains("CG0201") && broken.err.contains(".mecatl/settings.yaml"));
}

#[test]
fn a_workspace_without_settings_has_the_floor() {
    let folder = Folder::new("workspace-empty");
    folder.file("project/README", "");
    let decided = run(&folder, &["decide", "--workspace", "project", "Shell", "ls"]);
    assert_eq!(effect(&decided), "ask");
    let decided = run(&folder, &["decide", "--workspace", "project", "Read", "x"]);
    assert_eq!(effect(&decided), "allow");
}

/// A project's file is the project's, whatever path leads to it.
#[test]
fn no_path_makes_an_untrusted_projects_allow_count() {
    let folder = folder("workspace-paths");
    let absolute = folder.path().join("project/.mecatl/settings.yaml");
    let inside = folder.path().join("project/.mecatl");
    let outside = Folder::new("workspace-paths-outside");
    let from = |folder: &Folder, path: &str, more: &[&str]| {
        let mut args = vec!["decide", "-p", path];
        args.extend(more);
        args.extend(["Shell", "make all"]);
        effect(&run(folder, &args)).to_owned()
    };
    for more in [&[][..], &["--root", "."]] {
        assert_eq!(from(&folder, "project/.mecatl/settings.yaml", more), "ask");
        assert_eq!(from(&outside, absolute.to_str().unwrap(), more), "ask");
        assert_eq!(
            from(&outside, "../workspace-paths/project/.mecatl/settings.yaml", more),
            "ask"
        );
        assert_eq!(from(&Folder::at(&inside), "settings.yaml", more), "ask");
        assert_eq!(from(&Folder::at(&inside), "./settings.yaml", more), "ask");
        assert_eq!(
            from(&folder, "project/.mecatl/../.mecatl/settings.yaml", more),
            "ask"
        );
    }
    assert_eq!(
        from(
            &folder,
            absolute.to_str().unwrap(),
            &["--root", inside.to_str().unwrap()]
        ),
        "ask"
    );
    assert_eq!(
        from(&outside, absolute.to_str().unwrap(), &["--trust-project"]),
        "allow"
    );
    // What is checked is what is compiled.
    let checked = run(&Folder::at(&inside), &["check", "settings.yaml"]);
    assert!(checked.out.contains("CG0219"), "{}", checked.transcript());
    let checked = run(&folder, &["check", "project/.mecatl/"]);
    assert!(checked.out.contains("CG0219"), "{}", checked.transcript());
}
