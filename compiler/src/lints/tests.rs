//! The registry holds together, and every page does what it says.

use std::collections::BTreeSet;
use std::path::PathBuf;

use callgate_runtime::rule::Scope;

use super::{Lint, all, find};
use crate::ir::{Catalogue, Document, Pack};
use crate::resolve::{Request, resolve};
use crate::{Diagnostic, Kind, Options, Source, check, compile, inspect};

/// Codes whose page has no example: the text of one is no UTF-8, one takes two files, and of one no example is known.
const WITHOUT_EXAMPLE: [&str; 3] = ["CG0101", "CG0109", "CG0220"];

const CATALOGUE: &[u8] = b"callgate: catalogue\nroles: {critic: {body: Judge.}}\ntools: [reader, coding]\n";

/// What `pack=off` stands for.
const PACK: &[u8] = b"name: team\nroles: {critic: {active: false}}\n";

/// How far an example is taken.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Check,
    Compile,
    Resolve,
}

struct Fence<'a> {
    good: bool,
    text: &'a str,
}

fn fences(page: &str) -> Vec<Fence<'_>> {
    let blocks = page.split("```yaml ").skip(1);
    blocks
        .map(|block| {
            let (info, rest) = block.split_once('\n').unwrap();
            let (text, _) = rest.split_once("```").unwrap();
            assert!(matches!(info, "good" | "bad"), "{info}");
            Fence {
                good: info == "good",
                text,
            }
        })
        .collect()
}

/// The options of an example, from its first line: `# options: max-rules=2 stage=compile`.
fn options(text: &str) -> (Options, Stage, Option<Pack>) {
    let mut options = Options::default();
    let (mut stage, mut pack) = (Stage::Check, None);
    let words = text
        .strip_prefix("# options: ")
        .and_then(|rest| rest.lines().next())
        .unwrap_or_default();
    for word in words.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        match name {
            "max-bytes" => options.limits.max_bytes = value.parse().unwrap(),
            "max-depth" => options.limits.max_depth = value.parse().unwrap(),
            "max-rules" => options.max_rules = value.parse().unwrap(),
            "kind" => options.kind = Some(Kind::from_name(value).unwrap()),
            "scope" => options.scope = Scope::ALL.into_iter().find(|scope| scope.name() == value),
            "stage" if value == "compile" => stage = Stage::Compile,
            "stage" if value == "resolve" => stage = Stage::Resolve,
            "pack" if value == "off" => pack = Some(off()),
            "tools" => options.tools = Some(value.split(',').map(str::to_owned).collect()),
            "catalogue" => options.catalogue = Some(catalogue()),
            _ => panic!("unknown option {name}"),
        }
    }
    (options, stage, pack)
}

fn catalogue() -> Catalogue {
    let checked = check(
        &Source {
            name: "catalogue.yaml",
            bytes: CATALOGUE,
        },
        &Options::default(),
    );
    match checked.document {
        Some(Document::Catalogue(catalogue)) => catalogue,
        other => panic!("{other:?} {:?}", checked.diagnostics),
    }
}

fn off() -> Pack {
    match check(
        &Source {
            name: "off.yaml",
            bytes: PACK,
        },
        &Options::default(),
    )
    .document
    {
        Some(Document::Pack(pack)) => pack,
        other => panic!("{other:?}"),
    }
}

fn resolution(source: &Source<'_>, options: &Options, pack: Option<&Pack>) -> Vec<Diagnostic> {
    let checked = check(source, options);
    let Some(Document::Agent(agent)) = &checked.document else {
        return checked.diagnostics;
    };
    let text = std::str::from_utf8(source.bytes).unwrap();
    let request = Request {
        source: source.name,
        text,
        pack,
        ..Request::new(agent)
    };
    let found = resolve(&request).diagnostics;
    checked.diagnostics.into_iter().chain(found).collect()
}

fn findings(text: &str) -> Vec<Diagnostic> {
    let (options, stage, pack) = options(text);
    let source = Source {
        name: "example.yaml",
        bytes: text.as_bytes(),
    };
    match stage {
        Stage::Check => inspect(&source, &options).diagnostics,
        Stage::Compile => compile(&[source], &options).diagnostics,
        Stage::Resolve => resolution(&source, &options, pack.as_ref()),
    }
}

/// Lines that say `# <- CODE`.
fn marked_lines(text: &str, code: &str) -> BTreeSet<u32> {
    let mark = format!("# <- {code}");
    let lines = text.lines().zip(1..);
    lines
        .filter(|(line, _)| line.contains(&mark))
        .map(|(_, number)| number)
        .collect()
}

#[test]
fn the_registry_is_sorted_and_unique() {
    let codes: Vec<&str> = all().iter().map(|lint| lint.code).collect();
    let sorted: BTreeSet<&str> = codes.iter().copied().collect();
    assert_eq!(codes, sorted.into_iter().collect::<Vec<_>>());
    let names: BTreeSet<&str> = all().iter().map(|lint| lint.name).collect();
    assert_eq!(names.len(), codes.len());
    assert_eq!(find("cg0201").map(|lint| lint.name), Some("unknown-key"));
    assert_eq!(find("unknown-key").map(|lint| lint.code), Some("CG0201"));
    assert_eq!(find("CG9999"), None);
}

#[test]
fn the_codes_are_pinned() {
    let codes: Vec<String> = all()
        .iter()
        .map(|lint| format!("{} {} {}", lint.code, lint.severity.name(), lint.name))
        .collect();
    insta::assert_snapshot!(codes.join("\n"));
}

#[test]
fn every_page_has_its_sections() {
    for lint in all() {
        let title = format!("# {} {}\n", lint.code, lint.name);
        assert!(lint.page.starts_with(&title), "{title}");
        let headings: Vec<&str> = lint.page.lines().filter(|line| line.starts_with("## ")).collect();
        let due = [
            "## What",
            "## Why",
            "## Example",
            "## Instead",
            "## When to allow it",
        ];
        assert_eq!(headings, due, "{}", lint.code);
        let fences = fences(lint.page);
        let n_bad = fences.iter().filter(|fence| !fence.good).count();
        assert_eq!(n_bad == 0, WITHOUT_EXAMPLE.contains(&lint.code), "{}", lint.code);
        assert!(fences.iter().any(|fence| fence.good), "{}", lint.code);
    }
}

#[test]
fn every_bad_example_has_its_finding_and_no_other() {
    for lint in all() {
        for fence in fences(lint.page).iter().filter(|fence| !fence.good) {
            let found = findings(fence.text);
            let codes: BTreeSet<&str> = found.iter().map(|diagnostic| diagnostic.code).collect();
            assert_eq!(codes, BTreeSet::from([lint.code]), "{} {found:#?}", fence.text);
            let marked = marked_lines(fence.text, lint.code);
            let lines: BTreeSet<u32> = found
                .iter()
                .map(|diagnostic| diagnostic.location.start.line)
                .collect();
            if !marked.is_empty() {
                assert_eq!(lines, marked, "{} {}", lint.code, fence.text);
            }
            assert_eq!(
                found.first().map(|diagnostic| diagnostic.severity),
                Some(lint.severity),
                "{}",
                lint.code
            );
        }
    }
}

#[test]
fn every_good_example_has_no_finding() {
    for lint in all() {
        for fence in fences(lint.page).iter().filter(|fence| fence.good) {
            assert_eq!(findings(fence.text), [], "{} {}", lint.code, fence.text);
        }
    }
}

#[test]
fn the_broken_examples_are_those_of_the_pages() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/broken");
    let mut due = BTreeSet::new();
    for lint in all() {
        let Some(text) = bad_text(lint) else { continue };
        let name = format!("{}-{}.yaml", lint.code, lint.name);
        assert_eq!(
            std::fs::read(folder.join(&name)).ok().as_deref(),
            Some(text.as_slice()),
            "{name}"
        );
        due.insert(name);
    }
    let there = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(
        there
            .filter(|name| name.ends_with(".yaml"))
            .collect::<BTreeSet<_>>(),
        due
    );
}

fn bad_text(lint: &Lint) -> Option<Vec<u8>> {
    match lint.code {
        "CG0101" => Some(b"mode: rules\nallow: {reader: [\"caf\xe9/*\"]}\n".to_vec()),
        _ => fences(lint.page)
            .iter()
            .find(|fence| !fence.good)
            .map(|fence| fence.text.as_bytes().to_vec()),
    }
}

#[test]
fn bytes_that_are_no_text_are_found() {
    let source = Source {
        name: "latin.yaml",
        bytes: b"mode: rules\nallow: {reader: [\"caf\xe9/*\"]}\n",
    };
    let checked = check(&source, &Options::default());
    let codes: Vec<&str> = checked
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect();
    assert_eq!(codes, ["CG0101"]);
    let start = checked.diagnostics[0].location.start;
    assert_eq!((start.line, start.column), (2, 22));
}
