//! Typed documents as JSON, and the words of findings, as they are today; beside each snapshot what must hold of it.

use callgate_compiler::{Kind, Options};

use crate::documents::ALL;
use crate::harness::checked;

#[test]
fn typed_documents_as_json() {
    for (index, (kind, text)) in ALL.iter().enumerate() {
        let checked = checked("documents/team.yaml", text, &Options::default());
        assert_eq!(checked.diagnostics, [], "{text}");
        assert_eq!(checked.kind, Some(*kind));
        let document = checked.document.unwrap();
        assert_eq!(document.kind(), *kind);
        let json = document.to_json();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["kind"], kind.name());
        insta::assert_snapshot!(format!("ir_{index}_{}", kind.name()), json);
    }
}

/// Rules in the JSON stand where the JSON says that they stand.
#[test]
fn places_in_the_json_are_those_of_the_source() {
    let text = crate::documents::PERMISSIONS;
    let document = checked("p.yaml", text, &Options::default()).document.unwrap();
    let value: serde_json::Value = serde_json::from_str(&document.to_json()).unwrap();
    let mut n_patterns = 0;
    for effect in ["deny", "allow", "escalate"] {
        for tool in value[effect].as_array().unwrap() {
            for pattern in tool["patterns"].as_array().unwrap() {
                let (line, column) = (
                    pattern["line"].as_u64().unwrap(),
                    pattern["column"].as_u64().unwrap(),
                );
                let rest = text
                    .lines()
                    .nth(line as usize - 1)
                    .unwrap()
                    .split_at(column as usize - 1)
                    .1;
                let written = pattern["pattern"].as_str().unwrap();
                assert!(
                    rest.trim_start_matches('"').starts_with(written),
                    "{written} {rest}"
                );
                n_patterns += 1;
            }
        }
    }
    assert_eq!(n_patterns, 7);
}

/// A file with something wrong on every line.
const BROKEN: &str = "\
mode: allow-all
Deny: {bash: [rm]}
deny:
  bash: [\"rm *\", no, \"Never push to main\", \"git \"]
  Bash_tool: [x]
  \"ed*\": [\"*\"]
  reader: \"*\"
  editor: {x: y}
  12: []
on_escalate: ask
escalations: [a]
";

#[test]
fn the_words_of_findings() {
    let checked = checked(
        "broken.yaml",
        BROKEN,
        &Options {
            kind: Some(Kind::Permissions),
            ..Options::default()
        },
    );
    let mut shown = String::new();
    for diagnostic in &checked.diagnostics {
        let start = diagnostic.location.start;
        shown.push_str(&format!(
            "{}:{} {} {} {}\n  {}\n  {}\n",
            start.line,
            start.column,
            diagnostic.severity.name(),
            diagnostic.code,
            diagnostic.name,
            diagnostic.message,
            diagnostic.help
        ));
        for related in &diagnostic.related {
            let start = related.location.start;
            shown.push_str(&format!(
                "  {}:{} {}\n",
                start.line, start.column, related.message
            ));
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn words_keep_their_form() {
    let mut seen = 0;
    for lint in callgate_compiler::lints::all() {
        for fence in lint.page.split("```yaml bad\n").skip(1) {
            let text = fence.split("```").next().unwrap();
            for diagnostic in checked("file.yaml", text, &Options::default()).diagnostics {
                for words in [&diagnostic.message, &diagnostic.help] {
                    let first = words.chars().next().unwrap_or('A');
                    assert!(!first.is_uppercase(), "{}: {words}", diagnostic.code);
                    assert!(!words.ends_with('.'), "{}: {words}", diagnostic.code);
                    assert!(!words.contains('\n'), "{}: {words}", diagnostic.code);
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 40, "{seen}");
}
