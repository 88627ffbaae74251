//! The README and the book, run: every console block prints what it says, every policy in them is what it claims to be.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::Folder;

/// A fenced block.
struct Fence {
    page: PathBuf,
    place: String,
    info: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// README and chapters, by path.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs/src"), root().join("docs/decisions")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

fn fences() -> Vec<Fence> {
    let mut fences = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let mut open: Option<Fence> = None;
        for (number, line) in text.lines().enumerate() {
            let marker = line.strip_prefix("```");
            open = match (open, marker) {
                (None, Some(info)) => {
                    let place = format!("{}:{}", page.file_name().unwrap().display(), number + 1);
                    Some(Fence {
                        page: page.clone(),
                        place,
                        info: info.to_owned(),
                        text: String::new(),
                    })
                }
                (Some(fence), Some(_)) => {
                    fences.push(fence);
                    None
                }
                (Some(mut fence), None) => {
                    fence.text += line;
                    fence.text.push('\n');
                    Some(fence)
                }
                (None, None) => None,
            };
        }
        assert!(open.is_none(), "{}: a fence is never closed", page.display());
    }
    fences
}

/// The words of a command line with `'…'` and `"…"`; nothing is expanded.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in line.chars() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

/// A folder like the project's own, as far as the book's commands look.
fn scene(name: &str) -> Folder {
    let folder = Folder::new(name);
    for entry in fs::read_dir(root().join("examples/policies")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        folder.file(&format!("examples/policies/{name}"), fs::read(&path).unwrap());
    }
    for name in [
        "catalogue.yaml",
        "agents/critic.yaml",
        "agents/implementer.yaml",
        "agents/settings.yaml",
    ] {
        folder.file(
            &format!("examples/{name}"),
            fs::read(root().join("examples").join(name)).unwrap(),
        );
    }
    folder
}

/// In a block `policy.yaml` is the last policy that the book showed. With `BLESS=1` in the environment, what a block says is replaced by what its commands print.
#[test]
fn console_blocks_print_what_they_say() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut n_commands = 0;
    let mut policy = String::new();
    for (number, fence) in fences().into_iter().enumerate() {
        if fence.info.starts_with("yaml") {
            policy = fence.text;
            continue;
        }
        if fence.info != "console" {
            continue;
        }
        let folder = scene(&format!("book-{number}"));
        folder.file("policy.yaml", &policy);
        let mut actual = String::new();
        let mut code = 0;
        for line in fence.text.lines() {
            let Some(command) = line.strip_prefix("$ ") else {
                continue;
            };
            actual += line;
            actual.push('\n');
            if command == "echo $?" {
                actual += &format!("{code}\n");
                continue;
            }
            if let Some(file) = command.strip_prefix("cat ") {
                actual += &fs::read_to_string(folder.path().join(file)).unwrap();
                continue;
            }
            let command = command
                .strip_prefix("cargo run --release -p callgate -- ")
                .or(command.strip_prefix("callgate "));
            let command = command.unwrap_or_else(|| panic!("{}: only callgate is run: {line}", fence.place));
            let (command, stdin) = match command.split_once(" < ") {
                Some((command, file)) => (command, fs::read(folder.path().join(file)).unwrap()),
                None => (command, Vec::new()),
            };
            let run = folder.run_with(&words(command), &stdin);
            code = run.code;
            actual = actual + &run.out + &run.err;
            n_commands += 1;
        }
        if fence.text.trim_end() != actual.trim_end() && bless {
            let page = fs::read_to_string(&fence.page).unwrap();
            fs::write(
                &fence.page,
                page.replace(&fence.text, &format!("{}\n", actual.trim_end())),
            )
            .unwrap();
            continue;
        }
        assert_eq!(
            fence.text.trim_end(),
            actual.trim_end(),
            "{}; BLESS=1 rewrites it",
            fence.place
        );
    }
    assert!(n_commands > 8, "the book has examples");
}

/// `yaml,check` blocks are clean documents; `yaml,CG0201` blocks are refused with exactly these codes.
#[test]
fn policies_in_the_book_are_what_they_claim() {
    let folder = scene("book-yaml");
    let yaml: Vec<Fence> = fences()
        .into_iter()
        .filter(|fence| fence.info.starts_with("yaml"))
        .collect();
    assert!(yaml.len() > 5);
    for fence in yaml {
        let claims: Vec<&str> = fence.info.split(',').skip(1).collect();
        assert!(
            !claims.is_empty(),
            "{}: say `yaml,check` or `yaml,CGnnnn`",
            fence.place
        );
        let run = folder.run_with(
            &["check", "--fail-on", "note", "--format", "json", "-"],
            fence.text.as_bytes(),
        );
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let found = report["diagnostics"].as_array().unwrap();
        let mut found: Vec<&str> = found
            .iter()
            .map(|found| found["code"].as_str().unwrap())
            .collect();
        found.dedup();
        let claimed = if claims == ["check"] { Vec::new() } else { claims };
        assert_eq!(found, claimed, "{}", fence.place);
    }
}

/// The Rust in the README and the book is the tested function of `embed.rs`, word for word.
#[test]
fn rust_blocks_are_tested_code() {
    let source = include_str!("embed.rs");
    let blocks: Vec<Fence> = fences()
        .into_iter()
        .filter(|fence| fence.info == "rust")
        .collect();
    assert!(!blocks.is_empty());
    for fence in blocks {
        assert!(
            source.contains(&fence.text),
            "{}: not the code of embed.rs",
            fence.place
        );
    }
}

#[test]
fn every_chapter_is_in_the_summary_and_every_link_leads_somewhere() {
    let chapters = root().join("docs/src");
    let summary = fs::read_to_string(chapters.join("SUMMARY.md")).unwrap();
    for page in pages().into_iter().filter(|page| page.starts_with(&chapters)) {
        let name = page
            .strip_prefix(&chapters)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name} is not in the summary"
        );
    }
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if !file.is_empty() && !file.contains("://") {
                assert!(
                    page.parent().unwrap().join(file).exists(),
                    "{}: {link}",
                    page.display()
                );
            }
        }
    }
}

#[test]
fn every_decision_is_in_the_book_under_its_number() {
    let page = fs::read_to_string(root().join("docs/src/decisions.md")).unwrap();
    let mut included = Vec::new();
    for entry in fs::read_dir(root().join("docs/decisions")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            page.contains(&format!("{{{{#include ../decisions/{name}}}}}")),
            "{name} is not in decisions.md"
        );
        let number = name.split('-').next().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with(&format!("# {number} ")),
            "{name}: its title is not its number's"
        );
        included.push(name);
    }
    assert_eq!(page.matches("{{#include").count(), included.len());
}
