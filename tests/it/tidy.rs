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

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest
        .parent()
        .expect("the crate stands in the workspace")
        .to_path_buf()
}

/// Every Rust file of ours, with its path from the root and its text.
fn sources() -> Vec<(String, String)> {
    let root = root();
    let mut folders: Vec<PathBuf> = members().iter().map(|member| root.join(member)).collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if path.is_dir() {
                if !name.starts_with(['.', '_']) && !name.starts_with("target") && name != "node_modules" {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).expect("source is text");
                let place = path.strip_prefix(&root).expect("below the root");
                found.push((place.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "the tree was not found: {} files", found.len());
    found
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
fn no_file_names_the_folder_it_was_written_in() {
    let here = root().to_string_lossy().into_owned();
    let crossed: Vec<String> = sources()
        .into_iter()
        .filter(|(_, text)| here.len() > 4 && text.contains(&here))
        .map(|(path, _)| path)
        .collect();
    assert_none("files that name this machine's folders", &crossed);
}
