//! The published schemas: they accept what the checker accepts, and refuse keys that nobody knows.

mod validator;
mod value;

use callgate_compiler::ir::Document;
use callgate_compiler::{Kind, Options, ir_schema, json_schema, lints};
use serde_json::Value;

use crate::documents::ALL;
use crate::harness::checked;
use validator::{conforms, unknown_keywords};

fn schema(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The documents of the tests, and the good examples of the lint pages.
fn accepted() -> Vec<(Kind, String, Document)> {
    let own = ALL.iter().map(|(_, text)| text.to_string());
    let pages = lints::all().iter().flat_map(|lint| {
        let fences = lint.page.split("```yaml good\n").skip(1);
        fences.map(|fence| fence.split("```").next().unwrap().to_owned())
    });
    let texts = own.chain(pages);
    let documents = texts.filter_map(|text| {
        let checked = checked("team.yaml", &text, &Options::default());
        Some((checked.kind?, text, checked.document?))
    });
    documents.collect()
}

#[test]
fn schemas_use_only_what_the_validator_reads() {
    for kind in Kind::ALL {
        for text in [json_schema(kind), ir_schema(kind)] {
            let schema = schema(text);
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
            assert_eq!(unknown_keywords(&schema), [] as [&str; 0], "{}", kind.name());
        }
    }
}

#[test]
fn accepted_documents_conform() {
    let accepted = accepted();
    assert!(accepted.len() > 50, "{}", accepted.len());
    for (kind, text, document) in accepted {
        let source = value::of_document(&text);
        assert_eq!(conforms(&source, &schema(json_schema(kind))), Ok(()), "{text}");
        let typed = schema(&document.to_json());
        assert_eq!(conforms(&typed, &schema(ir_schema(kind))), Ok(()), "{text}");
    }
}

/// A key that is renamed is refused in the typed form, and in the source wherever the checker refuses it.
#[test]
fn unknown_keys_do_not_conform() {
    let mut n_refused = 0;
    for (kind, text) in ALL {
        let document = checked("team.yaml", text, &Options::default()).document.unwrap();
        let typed = schema(&document.to_json());
        for broken in with_a_renamed_key(&typed) {
            let free = ["/roles", "/modes", "/directives", "/configs"].iter().any(|map| {
                broken.pointer(map).is_some_and(|map| {
                    map.as_object()
                        .is_some_and(|map| map.keys().any(|key| key.ends_with("\u{0}")))
                })
            });
            let conforms = conforms(&broken, &schema(ir_schema(kind)));
            assert_eq!(conforms.is_ok(), free, "{broken:#}");
            n_refused += usize::from(conforms.is_err());
        }
    }
    assert!(n_refused > 100, "{n_refused}");
    for (kind, text, due) in [
        (Kind::Permissions, "mode: rules\nalow: {}\n", false),
        (Kind::Permissions, "mode: rule\n", false),
        (Kind::Permissions, "mode: rules\nallow: {bash: '*'}\n", false),
        (Kind::Settings, "permissions: {alow: [Read]}\n", false),
        (
            Kind::Settings,
            "permissions: {deny: [Read], allow: {a: [b]}}\n",
            false,
        ),
        (Kind::Settings, "permissions: unsafe\n", false),
        (Kind::Settings, "theme: dark\n", true),
        (Kind::Pack, "roles: {critic: {deny: {}}}\n", false),
        (Kind::Agent, "model: x\n", false),
        (Kind::Agent, "role: x\nyolo: maybe\n", false),
        (Kind::Tests, "policy: x\n", false),
        (
            Kind::Tests,
            "policy: x\ncases: [{call: bash, expect: maybe}]\n",
            false,
        ),
        (Kind::Catalogue, "callgate: catalog\n", false),
    ] {
        let conforms = conforms(&value::of_document(text), &schema(json_schema(kind)));
        assert_eq!(conforms.is_ok(), due, "{text} {conforms:?}");
    }
}

/// Every value that differs from `value` in the name of one key.
fn with_a_renamed_key(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => {
            let mut broken = Vec::new();
            for (key, member) in members {
                let mut renamed = members.clone();
                renamed.remove(key);
                renamed.insert(format!("{key}\u{0}"), member.clone());
                broken.push(Value::Object(renamed));
                for inner in with_a_renamed_key(member) {
                    let mut changed = members.clone();
                    changed.insert(key.clone(), inner);
                    broken.push(Value::Object(changed));
                }
            }
            broken
        }
        Value::Array(items) => {
            let inner = |index: usize| {
                with_a_renamed_key(&items[index]).into_iter().map(move |item| {
                    let mut changed = items.clone();
                    changed[index] = item;
                    Value::Array(changed)
                })
            };
            (0..items.len()).flat_map(inner).collect()
        }
        _ => Vec::new(),
    }
}
