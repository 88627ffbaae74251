//! Which configuration file counts: every combination of what is there.

use std::fs;
use std::path::{Path, PathBuf};

use callgate_host::discovery::{ConfigFile, ConfigOrigin, Search};

fn empty(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("locate").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn write(root: &Path, file: &str) -> PathBuf {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{}").unwrap();
    path
}

/// What `files` (relative to a root that holds the project `p/q/r` and the home `home`) make of a search from `p/q/r`.
fn found(name: &str, files: &[&str], explicit: Option<&str>, trust_project: bool) -> Option<String> {
    let root = empty(name);
    fs::create_dir_all(root.join("p/q/r")).unwrap();
    for file in files {
        match file.strip_suffix('/') {
            Some(folder) => fs::create_dir_all(root.join(folder)).unwrap(),
            None => drop(write(&root, file)),
        }
    }
    let explicit = explicit.map(|path| root.join(path));
    let search = Search {
        explicit: explicit.as_deref(),
        start: &root.join("p/q/r"),
        home: Some(&root.join("home")),
        trust_project,
    };
    let ConfigFile { path, origin } = search.locate()?;
    let path = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    let due = match explicit {
        Some(_) => ConfigOrigin::Explicit,
        None if path.starts_with("home") => ConfigOrigin::Home,
        None => ConfigOrigin::Project,
    };
    assert_eq!(origin, due, "{path}");
    Some(path)
}

const HOME: &str = "home/.lionagi/.mcp.json";

#[test]
fn rows() {
    let everything = [HOME, "p/q/r/.lionagi/.mcp.json", "p/q/r/.mcp.json", "p/x.json"];
    for (index, (files, explicit, trusted, due)) in [
        // Named: that file, or nothing.
        (&everything[..], Some("p/x.json"), true, Some("p/x.json")),
        (&everything, Some("p/x.json"), false, Some("p/x.json")),
        (&everything, Some("p/y.json"), true, None),
        (&everything, Some("p/y.json"), false, None),
        (&everything, Some("p"), true, None),
        (&everything, Some(""), true, None),
        // A trusted project.
        (&everything, None, true, Some("p/q/r/.lionagi/.mcp.json")),
        (&[HOME, "p/q/r/.mcp.json"], None, true, Some("p/q/r/.mcp.json")),
        (
            &[HOME, "p/q/.lionagi/.mcp.json", "p/.lionagi/.mcp.json"],
            None,
            true,
            Some("p/q/.lionagi/.mcp.json"),
        ),
        (
            &[HOME, "p/q/.mcp.json", "p/q/r/x"],
            None,
            true,
            Some("p/q/.mcp.json"),
        ),
        (
            &[HOME, "p/q/.lionagi/.mcp.json", "p/q/r/.mcp.json"],
            None,
            true,
            Some("p/q/r/.mcp.json"),
        ),
        (
            &[HOME, "p/q/r/.lionagi/", "p/q/r/.mcp.json"],
            None,
            true,
            Some("p/q/r/.mcp.json"),
        ),
        // The first folder with `.lionagi` is the last that is looked at.
        (
            &[HOME, "p/q/.lionagi/", "p/.lionagi/.mcp.json", "p/.mcp.json"],
            None,
            true,
            Some(HOME),
        ),
        (
            &["p/q/.lionagi/", "p/.lionagi/.mcp.json", "p/.mcp.json"],
            None,
            true,
            None,
        ),
        (
            &[HOME, "p/q/.lionagi/.mcp.json/", "p/q/.mcp.json"],
            None,
            true,
            Some("p/q/.mcp.json"),
        ),
        (
            &[HOME, "p/q/.lionagi", "p/.mcp.json"],
            None,
            true,
            Some("p/.mcp.json"),
        ),
        // An untrusted one.
        (&everything, None, false, Some(HOME)),
        (
            &["p/q/r/.lionagi/.mcp.json", "p/q/r/.mcp.json"],
            None,
            false,
            None,
        ),
        (&["home/.mcp.json"], None, false, None),
        (&[HOME], None, true, Some(HOME)),
        (&[], None, true, None),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(
            found(&index.to_string(), files, explicit, trusted).as_deref(),
            due,
            "{files:?} {explicit:?} {trusted}"
        );
    }
}

#[test]
fn without_a_home_there_is_nothing_to_fall_back_to() {
    let root = empty("homeless");
    let search = Search {
        explicit: None,
        start: &root,
        home: None,
        trust_project: false,
    };
    assert_eq!(search.locate(), None);
}
