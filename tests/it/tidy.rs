//! The source tree to the lines it crosses: who imports whom, how long a file may be, how every file begins.

use std::fs;
use std::path::{Path, PathBuf};

/// Whom each crate may import, of ours. What is not listed imports nothing, and nobody imports what is in no list.
const IMPORTS: &[(&str, &[&str])] = &[
    ("grammar", &[]),
    ("runtime", &[]),
    ("compiler", &["callgate-grammar", "callgate-runtime"]),
    ("host", &["callgate-compiler", "callgate-runtime"]),
    ("wasm", &["callgate-runtime", "callgate-compiler"]),
    ("cli", &["callgate-host", "callgate-compiler", "callgate-runtime"]),
    (
        "xtask",
        &[
            "callgate-grammar",
            "callgate-runtime",
            "callgate-compiler",
            "callgate-host",
        ],
    ),
    (
        "tests",
        &[
            "callgate-grammar",
            "callgate-runtime",
            "callgate-compiler",
            "callgate-host",
            "callgate-wasm",
        ],
    ),
];

/// Crates whose source forbids `unsafe` itself, whatever the workspace says.
const SAFE: &[&str] = &[
    "grammar/src/lib.rs",
    "compiler/src/lib.rs",
    "runtime/src/lib.rs",
    "cli/src/main.rs",
    "tests/src/lib.rs",
];

/// LIMIT: lines of a source file that is no table.
const MOST_LINES: usize = 600;

/// Names that say nothing of what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "common", "helpers", "misc", "types", "manager"];

/// Files that stand at the root; whatever else does begins with a dot or is a folder of [`ROOT_FOLDERS`].
const ROOT_FILES: &[&str] = &["Cargo.toml", "Cargo.lock", "README.md", "LICENSE"];
/// Folders at the root that are no crate.
const ROOT_FOLDERS: &[&str] = &["docs", "examples"];

/// Folders that fuzzers fill.
const IGNORED: &[&str] = &["tests/fuzz/corpus", "tests/fuzz/artifacts"];

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest
        .parent()
        .expect("the crate stands in the workspace")
        .to_path_buf()
}

/// Every Rust file of the workspace's members, with its path from the root and its text.
fn sources() -> Vec<(String, String)> {
    let members = members();
    let is_ours = |path: &str| {
        path.ends_with(".rs")
            && members
                .iter()
                .any(|member| path.starts_with(&format!("{member}/")))
    };
    let found: Vec<_> = texts().into_iter().filter(|(path, _)| is_ours(path)).collect();
    assert!(found.len() > 100, "the tree was not found: {} files", found.len());
    found
}

/// Every file that is text, with its path from the root and its text, but for what is built or brought in.
fn texts() -> Vec<(String, String)> {
    let root = root();
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            let place = path.strip_prefix(&root).expect("below the root");
            let place = place.to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                if !is_foreign(name) && !IGNORED.contains(&place.as_str()) {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.push((place, text));
            }
        }
    }
    found.sort();
    found
}

/// Folders that are built or brought in, wherever they stand.
fn is_foreign(name: &str) -> bool {
    name.starts_with("target") || matches!(name, ".git" | "node_modules" | "__pycache__")
}

/// The workspace's members, as its manifest lists them.
fn members() -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    let (_, list) = manifest.split_once("members = [").expect("it lists members");
    let (list, _) = list.split_once(']').expect("the list ends");
    list.split(',')
        .map(|member| member.trim().trim_matches('"').to_owned())
        .filter(|member| !member.is_empty())
        .collect()
}

fn assert_none(what: &str, crossed: &[String]) {
    assert!(crossed.is_empty(), "{what}:\n  {}", crossed.join("\n  "));
}

#[test]
fn crates_import_only_what_they_may() {
    let mut crossed = Vec::new();
    for member in members() {
        let may = IMPORTS
            .iter()
            .find(|(name, _)| *name == member)
            .map(|(_, may)| *may);
        let may = may.unwrap_or_else(|| panic!("{member} is not in this test's list"));
        let manifest = fs::read_to_string(root().join(&member).join("Cargo.toml")).expect("a manifest");
        let mut section = "";
        for line in manifest.lines().map(str::trim) {
            if line.starts_with('[') {
                section = line;
            }
            let key = line.split(['=', '.', ' ']).next().unwrap_or_default();
            let in_table = section
                .trim_end_matches(']')
                .rsplit(['.', '['])
                .next()
                .unwrap_or_default();
            let imported = if section.contains("dependencies.") {
                in_table
            } else {
                key
            };
            if section.contains("dependencies")
                && imported.starts_with("callgate")
                && !may.contains(&imported)
            {
                crossed.push(format!("{member} imports {imported}, {section}"));
            }
        }
    }
    assert_none("imports against the direction", &crossed);
}

#[test]
fn no_file_is_too_long() {
    let is_table = |path: &str| path.ends_with("_table.rs") || path.ends_with("_rows.rs");
    let long = sources()
        .into_iter()
        .filter(|(path, text)| !is_table(path) && text.lines().count() > MOST_LINES);
    let crossed: Vec<String> = long
        .map(|(path, text)| format!("{path}: {} lines", text.lines().count()))
        .collect();
    assert_none("files to split", &crossed);
}

#[test]
fn every_file_says_what_it_is_for() {
    let mute = sources()
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//! "));
    assert_none(
        "files that do not begin with `//!`",
        &mute.map(|(path, _)| path).collect::<Vec<_>>(),
    );
}

#[test]
fn no_module_has_an_empty_name() {
    let is_empty = |path: &str| path.split(['/', '.']).any(|part| EMPTY_NAMES.contains(&part));
    let crossed: Vec<String> = sources()
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| is_empty(path))
        .collect();
    assert_none("modules named after nothing", &crossed);
}

#[test]
fn no_comment_puts_work_off() {
    let markers = ["TODO", "FIXME", "XXX", "HACK"];
    let mut crossed = Vec::new();
    for (path, text) in sources() {
        for (index, line) in text.lines().enumerate() {
            let comment = line.trim_start();
            if comment.starts_with("//") && markers.iter().any(|marker| comment.contains(marker)) {
                crossed.push(format!("{path}:{}: {comment}", index + 1));
            }
        }
    }
    assert_none("work put off", &crossed);
}

#[test]
fn unsafe_code_is_forbidden() {
    let open = SAFE.iter().filter(|path| {
        let text = fs::read_to_string(root().join(path)).unwrap_or_default();
        !text.lines().any(|line| line == "#![forbid(unsafe_code)]")
    });
    assert_none(
        "crate roots without `#![forbid(unsafe_code)]`",
        &open.map(|path| (*path).to_owned()).collect::<Vec<_>>(),
    );
    let lax = IMPORTS
        .iter()
        .map(|(member, _)| *member)
        .filter(|member| !matches!(*member, "tests" | "xtask"))
        .filter(|member| {
            let manifest = fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap_or_default();
            !manifest.contains("[lints]\nworkspace = true")
        });
    assert_none(
        "crates without the workspace's lints",
        &lax.map(str::to_owned).collect::<Vec<_>>(),
    );
}

#[test]
fn no_file_names_a_folder_of_this_machine() {
    // Put together here, so that this file does not hold them.
    let mut names = vec![
        ["/.cargo", "/registry"].concat(),
        ["/.rustup", "/toolchains"].concat(),
    ];
    let homes = ["HOME", "CARGO_HOME"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok());
    let here = root().to_string_lossy().into_owned();
    // A short path may stand in a policy as an example.
    names.extend(
        homes
            .chain([here])
            .filter(|path| path.len() > 8 && path.matches('/').count() > 1),
    );
    let crossed: Vec<String> = texts()
        .into_iter()
        .filter(|(_, text)| names.iter().any(|name| text.contains(name.as_str())))
        .map(|(path, _)| path)
        .collect();
    assert_none("files that name this machine's folders", &crossed);
}

#[test]
fn the_root_holds_what_it_should() {
    let members = members();
    let mut crossed = Vec::new();
    for entry in fs::read_dir(root()).expect("the root") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        let expected = if entry.path().is_dir() {
            ROOT_FOLDERS.contains(&name.as_str()) || members.contains(&name) || is_foreign(&name)
        } else {
            ROOT_FILES.contains(&name.as_str())
        };
        if !expected && !name.starts_with('.') {
            crossed.push(name);
        }
    }
    assert_none("unexpected at the root", &crossed);
}

#[test]
fn vectors_are_an_object_a_line() {
    let mut rows = 0;
    let mut crossed = Vec::new();
    for (path, text) in texts() {
        if !path.starts_with("tests/vectors/") || !path.ends_with(".jsonl") {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            rows += 1;
            if serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line).is_err() {
                crossed.push(format!("{path}:{}", index + 1));
            }
        }
    }
    assert!(rows > 3_000, "{rows} rows");
    assert_none("vectors that are no JSON object", &crossed);
}
