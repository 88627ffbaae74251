//! Imports of realistic and of generated files: nothing is allowed that was not, and the output compiles.

use callgate_runtime::json::push_string;
use callgate_runtime::rule::Effect;
use callgate_runtime::{Arguments, Call, Policy};
use proptest::prelude::{
    ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest,
};

use super::{ImportError, claude};
use crate::import::NoteKind;
use crate::{Options, Source, compile};

fn notes(text: &str) -> Vec<String> {
    claude(text)
        .unwrap()
        .notes
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn policy(yaml: &str) -> Policy {
    let source = Source {
        name: "settings.yaml",
        bytes: yaml.as_bytes(),
    };
    let compilation = compile(&[source], &Options::default());
    let errors: Vec<&str> = compilation
        .diagnostics
        .iter()
        .map(|found| found.message.as_str())
        .collect();
    let compiled = compilation
        .policy
        .unwrap_or_else(|| panic!("{errors:?} in {yaml}"));
    Policy::from_bytes(compiled.bytes).unwrap()
}

fn effect(policy: &Policy, tool: &str, args: &str) -> Effect {
    policy.decide(&Call::new(tool, Arguments::parse(args))).effect
}

#[test]
fn a_realistic_file_comes_over() {
    let text = r#"{
        "$schema": "https://json.schemastore.org/claude-code-settings.json",
        "model": "opus",
        "permissions": {
            "allow": ["Bash(npm run test:*)", "Bash(git log:*)", "Read(src/**)", "WebFetch(domain:docs.rs)", "mcp__github"],
            "ask": ["Bash(git push:*)"],
            "deny": ["Bash(curl:*)", "Read(./.env)", "Read(~/.ssh/**)", "Bash(it's)"],
            "defaultMode": "acceptEdits"
        },
        "hooks": {}
    }"#;
    let imported = claude(text).unwrap();
    assert_eq!(
        imported.yaml,
        "permissions:\n  deny:\n    - 'Bash(curl:*)'\n    - 'Read(./.env)'\n    - 'Read(~/.ssh/**)'\n    - 'Bash(it''s)'\n  \
         ask:\n    - 'WebFetch(domain:docs.rs)'\n    - 'Bash(git push:*)'\n    - 'WebFetch'\n  allow:\n    - 'Bash(npm run \
         test:*)'\n    - 'Bash(git log:*)'\n    - 'Read(src/**)'\n    - 'mcp__github'\n"
    );
    let kinds: Vec<(NoteKind, &str)> = imported
        .notes
        .iter()
        .map(|note| (note.kind, note.place.as_str()))
        .collect();
    assert_eq!(
        kinds,
        [
            (NoteKind::NotImported, "hooks"),
            (NoteKind::NeverMatches, "permissions.allow[3]"),
            (NoteKind::BecameAsk, "permissions.allow[3]"),
            (NoteKind::NeverMatches, "permissions.allow[4]"),
            (NoteKind::Differs, "permissions.deny[1]"),
            (NoteKind::NeverMatches, "permissions.deny[2]"),
            (NoteKind::NotImported, "permissions.defaultMode"),
            (NoteKind::Added, "permissions.ask"),
        ]
    );
    let policy = policy(&imported.yaml);
    let shell = |command: &str| {
        let mut args = String::from("{\"command\":");
        push_string(command, &mut args);
        effect(&policy, "Shell", &(args + "}"))
    };
    assert_eq!(shell("npm run test -- --watch"), Effect::Allow);
    assert_eq!(shell("git push origin"), Effect::Ask);
    assert_eq!(shell("curl x"), Effect::Deny);
    assert_eq!(
        effect(&policy, "WebFetch", r#"{"url": "https://docs.rs/a"}"#),
        Effect::Ask
    );
}

#[test]
fn what_cannot_be_read_is_dropped_and_said() {
    let text = r#"{"permissions": {"deny": ["Bash(rm", "", 7, "mcp__db__*", "Bash()", "Never touch secrets", "Read(a) b"], "ask": "Edit", "allow": null}}"#;
    let imported = claude(text).unwrap();
    assert_eq!(imported.yaml, "permissions: {}\n");
    policy(&imported.yaml);
    assert!(imported.notes.iter().all(|note| note.kind == NoteKind::Dropped));
    let places: Vec<&str> = imported.notes.iter().map(|note| note.place.as_str()).collect();
    assert_eq!(
        places,
        [
            "permissions.deny[0]",
            "permissions.deny[1]",
            "permissions.deny[2]",
            "permissions.deny[3]",
            "permissions.deny[4]",
            "permissions.deny[5]",
            "permissions.deny[6]",
            "permissions.ask",
            "permissions.allow",
        ]
    );
    assert_eq!(
        notes(text)[0],
        "dropped: permissions.deny[0] `Bash(rm`: this parenthesis is never closed"
    );
    assert_eq!(notes(text)[2], "dropped: permissions.deny[2]: not a string");
}

#[test]
fn a_file_that_has_no_one_reading_is_refused_whole() {
    for (text, error) in [
        ("", ImportError::Json(callgate_runtime::json::JsonError::Syntax)),
        ("[]", ImportError::NotAnObject),
        (r#"{"permissions": []}"#, ImportError::Permissions),
        (
            r#"{"permissions": {"deny": ["Read"], "deny": []}}"#,
            ImportError::Json(callgate_runtime::json::JsonError::DuplicateKey),
        ),
    ] {
        assert_eq!(claude(text), Err(error), "{text}");
    }
    assert_eq!(claude("{}").unwrap().yaml, "permissions: {}\n");
    let many: Vec<String> = (0..10_001).map(|number| format!("\"Read({number})\"")).collect();
    let text = format!("{{\"permissions\": {{\"deny\": [{}]}}}}", many.join(","));
    assert_eq!(claude(&text), Err(ImportError::TooLarge));
}

#[test]
fn fetches_ask_where_a_rule_on_domains_was_meant_to_hold() {
    let fetch = |lists: &str| {
        let imported = claude(&format!("{{\"permissions\": {{{lists}}}}}")).unwrap();
        effect(
            &policy(&imported.yaml),
            "WebFetch",
            r#"{"url": "https://evil.com/"}"#,
        )
    };
    assert_eq!(fetch(r#""allow": ["WebFetch(domain:a.com)"]"#), Effect::Ask);
    assert_eq!(fetch(r#""allow": ["WebFetch( Domain:a.com )"]"#), Effect::Ask);
    assert_eq!(
        fetch(r#""deny": ["WebFetch(domain:evil.com)"], "allow": ["WebFetch"]"#),
        Effect::Ask
    );
    assert_eq!(
        fetch(r#""allow": ["WebFetch", "WebFetch(domain:a.com)"]"#),
        Effect::Allow
    );
    assert_eq!(fetch(r#""allow": ["Read"]"#), Effect::Allow, "the floor");
}

fn spec() -> impl Strategy<Value = String> {
    let tools = [
        "Bash",
        "Read",
        "Edit",
        "WebFetch",
        "mcp__db",
        "mcp__db__*",
        "Tool",
        "",
        "Task ",
    ];
    let patterns = [
        "(npm run:*)",
        "(rm *)",
        "(src/**)",
        "(~/.ssh)",
        "(domain:a.com)",
        "(domain:*)",
        "()",
        "(a(b)",
        "(it's \"q\" # c)",
        "(*)",
        "",
        "(a: b)",
        "(\\t)",
    ];
    prop_oneof![
        4 => (prop::sample::select(Vec::from(tools)), prop::sample::select(Vec::from(patterns)))
            .prop_map(|(tool, pattern)| [tool, pattern].concat()),
        1 => any::<String>(),
        1 => any::<String>().prop_map(|text| format!("Read({text})")),
    ]
}

fn array(specs: &[String]) -> String {
    let quoted = specs.iter().map(|spec| {
        let mut text = String::new();
        push_string(spec, &mut text);
        text
    });
    format!("[{}]", quoted.collect::<Vec<_>>().join(","))
}

/// The lists of a document in this module's own shape.
fn lists(yaml: &str) -> [Vec<String>; 3] {
    let options = Options {
        kind: Some(crate::Kind::Settings),
        ..Options::default()
    };
    let source = Source {
        name: "settings.yaml",
        bytes: yaml.as_bytes(),
    };
    let Some(crate::ir::Document::Settings(settings)) = crate::check(&source, &options).document else {
        panic!("{yaml}");
    };
    let Some(crate::ir::SettingsPermissions::Layered(layered)) = settings.permissions else {
        panic!("{yaml}");
    };
    [Effect::Deny, Effect::Ask, Effect::Allow].map(|effect| {
        let rules = layered.rules.iter().filter(|rule| rule.effect == effect);
        rules.map(|rule| rule.spec.value.clone()).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn an_import_only_tightens_and_compiles(
        deny in prop::collection::vec(spec(), 0..5),
        ask in prop::collection::vec(spec(), 0..5),
        allow in prop::collection::vec(spec(), 0..5),
    ) {
        let text = format!(
            "{{\"permissions\":{{\"allow\":{},\"deny\":{},\"ask\":{}}}}}",
            array(&allow), array(&deny), array(&ask),
        );
        let imported = claude(&text).unwrap();
        let [denied, asked, allowed] = lists(&imported.yaml);
        prop_assert!(allowed.iter().all(|spec| allow.contains(spec) && !spec.starts_with("WebFetch(domain:")));
        let dropped = |list: &str| imported.notes.iter()
            .filter(|note| note.kind == NoteKind::Dropped && note.place.starts_with(&format!("permissions.{list}[")))
            .count();
        prop_assert_eq!(denied.len() + dropped("deny"), deny.len());
        prop_assert!(denied.iter().all(|spec| deny.contains(spec)));
        let became = imported.notes.iter().filter(|note| note.kind == NoteKind::BecameAsk).count();
        let added = imported.notes.iter().filter(|note| note.kind == NoteKind::Added).count();
        prop_assert_eq!(asked.len() + dropped("ask"), ask.len() + became + added);
        prop_assert_eq!(allowed.len() + became + dropped("allow"), allow.len());

        // The same lists with every readable rule in its own.
        let keep = |specs: &[String]| {
            let kept: Vec<String> = specs.iter().filter(|spec| super::accepted(spec).is_ok()).cloned().collect();
            array(&kept)
        };
        let plain = format!("permissions: {{deny: {}, ask: {}, allow: {}}}\n", keep(&deny), keep(&ask), keep(&allow));
        let (plain, imported) = (policy(&plain), policy(&imported.yaml));
        for (tool, args) in [
            ("Shell", r#"{"command": "npm run x"}"#),
            ("Shell", r#"{"command": "rm -r x"}"#),
            ("Read", r#"{"path": "src/a"}"#),
            ("Edit", r#"{"path": "~/.ssh"}"#),
            ("WebFetch", r#"{"url": "https://a.com/"}"#),
            ("WebFetch", r#"{"url": "domain:a.com"}"#),
            ("mcp__db", "{}"),
            ("Tool", "{}"),
        ] {
            prop_assert!(effect(&imported, tool, args) <= effect(&plain, tool, args), "{tool} {args}");
        }
    }
}
