//! What holds for every text: total, placed, sorted, deterministic, and closed to what it does not know.

use callgate_compiler::{Kind, Options, Severity, Source, check, compile, inspect};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use proptest::{collection, option, sample};

use crate::documents::ALL;
use crate::harness::checked;

/// Words that documents are made of, good and bad.
const WORDS: [&str; 40] = [
    "mode",
    "rules",
    "allow_all",
    "deny",
    "allow",
    "ask",
    "escalate",
    "permissions",
    "subagent",
    "hooks",
    "pre",
    "python",
    "command",
    "roles",
    "critic",
    "authority",
    "boundaries",
    "escalations",
    "default_modes",
    "fast",
    "slow",
    "role",
    "tools",
    "policy",
    "cases",
    "call",
    "expect",
    "invariants",
    "never allow bash",
    "callgate",
    "catalogue",
    "mcp_security",
    "no",
    "5",
    "~",
    "'*'",
    "\"git *\"",
    "Shell(rm:*)",
    "Never push to main",
    "\u{e9}\u{1f600}",
];

/// A flow document of such words.
fn node() -> impl Strategy<Value = String> {
    let word = sample::select(WORDS.to_vec()).prop_map(String::from);
    let leaf = prop_oneof![4 => word, 1 => "[ -~]{0,12}".prop_map(|text| format!("{text:?}")), 1 => Just(String::new())];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let entry = (sample::select(WORDS.to_vec()), inner.clone())
            .prop_map(|(key, value)| format!("{key}: {value}"));
        prop_oneof![
            collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            collection::vec(entry, 0..5).prop_map(|entries| format!("{{{}}}", entries.join(", "))),
        ]
    })
}

fn document() -> impl Strategy<Value = String> {
    let entry = (sample::select(WORDS.to_vec()), node()).prop_map(|(key, value)| format!("{key}: {value}\n"));
    collection::vec(entry, 0..6).prop_map(|entries| entries.concat())
}

fn holds(text: &str, options: &Options) {
    let checked = checked("file.yaml", text, options);
    assert_eq!(checked.document.is_none(), checked.has_errors(), "{text}");
    let keys: Vec<_> = checked
        .diagnostics
        .iter()
        .map(|one| (one.location.span, one.code))
        .collect();
    assert!(keys.is_sorted(), "{text}");
    for diagnostic in &checked.diagnostics {
        let places =
            std::iter::once(&diagnostic.location).chain(diagnostic.related.iter().map(|one| &one.location));
        for place in places {
            assert!(
                text.get(place.span.start..place.span.end).is_some(),
                "{text} {diagnostic:?}"
            );
            assert!(place.start <= place.end, "{diagnostic:?}");
        }
        assert!(
            !diagnostic.message.is_empty() && !diagnostic.help.is_empty(),
            "{diagnostic:?}"
        );
    }
    let source = Source {
        name: "file.yaml",
        bytes: text.as_bytes(),
    };
    let compilation = compile(&[source], options);
    let refused = compilation
        .diagnostics
        .iter()
        .any(|one| one.severity == Severity::Error);
    assert_eq!(compilation.policy.is_none(), refused, "{text}");
    assert_eq!(compile(&[source], options), compilation);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_document_is_checked(text in document(), kind in option::of(sample::select(Kind::ALL.to_vec()))) {
        holds(&text, &Options { kind, ..Options::default() });
    }

    #[test]
    fn every_text_is_checked(text in any::<String>(), kind in option::of(sample::select(Kind::ALL.to_vec()))) {
        holds(&text, &Options { kind, ..Options::default() });
    }

    #[test]
    fn all_bytes_are_checked(bytes in collection::vec(any::<u8>(), 0..60)) {
        let checked = check(&Source { name: "x", bytes: &bytes }, &Options::default());
        assert_eq!(checked.document.is_none(), checked.has_errors());
    }
}

/// Promise 5: a key that nobody knows is never ignored, wherever it stands.
#[test]
fn every_misspelled_key_is_found() {
    let mut n_keys = 0;
    for (kind, text) in ALL {
        let options = Options {
            kind: Some(kind),
            ..Options::default()
        };
        for (at, _) in text.match_indices(": ").chain(text.match_indices(":\n")) {
            let start = text[..at]
                .rfind([' ', '{', '\n', '-'])
                .map_or(0, |before| before + 1);
            let key = &text[start..at];
            let named_by_the_author = [
                "critic",
                "writer",
                "thorough",
                "fast",
                "reader",
                "editor",
                "bash",
                "Bash_tool",
                "command",
                "count",
            ];
            let free = key.starts_with('"') || named_by_the_author.contains(&key);
            if key.is_empty() || (free && !text[at..].starts_with(": [ruff")) {
                continue;
            }
            let broken = format!("{}{key}x{}", &text[..start], &text[at..]);
            let codes: Vec<_> = checked("f.yaml", &broken, &options)
                .diagnostics
                .iter()
                .map(|one| one.code)
                .collect();
            assert!(!codes.is_empty(), "{key} in\n{broken}");
            n_keys += 1;
        }
    }
    assert!(n_keys > 90, "{n_keys}");
}

/// What the policy answers is asked in linear time too, wherever the rules stand.
#[test]
fn many_findings_of_a_policy_cost_no_more_than_their_number() {
    let patterns = "'git ', git x #y\n, ".repeat(2_000);
    let text = format!("{{mode: rules, deny: {{bash: [{patterns}'c']}}}}\n");
    let source = Source {
        name: "p.yaml",
        bytes: text.as_bytes(),
    };
    assert_eq!(inspect(&source, &Options::default()).diagnostics.len(), 4_000);
}

/// Page 90: reading is linear, also of one long line and of a text full of findings.
#[test]
fn long_lines_and_many_findings_cost_no_more_than_their_length() {
    let patterns = "'a*b', ".repeat(9_000);
    let one_line = format!("{{mode: rules, allow: {{bash: [{patterns}'c']}}}}\n");
    assert_eq!(checked("p.yaml", &one_line, &Options::default()).diagnostics, []);
    let tools: String = (0..9_000)
        .map(|n| format!("t{n}: [no], T{n}: ['git ', 'x'], "))
        .collect();
    let findings = format!("{{mode: rules, deny: {{{tools} z: [x]}}}}\n");
    assert_eq!(
        checked("p.yaml", &findings, &Options::default())
            .diagnostics
            .len(),
        18_001
    );
}
