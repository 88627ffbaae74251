//! Bytes as call records.

use std::sync::LazyLock;

use callgate_compiler::{Options, Source, compile};
use callgate_runtime::json::{self, JsonError};
use callgate_runtime::rule::{Effect, Provenance};
use callgate_runtime::{Arguments, Call, Policy};

/// A policy that allows whatever can be judged, and one of the layered dialect.
static POLICIES: LazyLock<[Policy; 2]> = LazyLock::new(|| {
    [
        "mode: rules\nallow: {'*': ['*']}\n",
        "permissions: {allow: [Shell, Read], deny: ['Shell(rm:*)']}\n",
    ]
    .map(|text| {
        let source = Source {
            name: "fuzz.yaml",
            bytes: text.as_bytes(),
        };
        let compiled = compile(&[source], &Options::default())
            .policy
            .expect("the document compiles");
        Policy::from_bytes(compiled.bytes).expect("what was compiled loads")
    })
});

/// Reads the bytes as JSON, as arguments and as a record. Another reader, which is less strict, must read whatever is
/// accepted, and read it alike; and of all that it accepts we may refuse only what has two readings.
pub fn request_json(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let ours = json::parse(text);
    let theirs = serde_json::from_str::<serde_json::Value>(text);
    match (&ours, &theirs) {
        (Ok(value), Ok(other)) => {
            let compact = write(value);
            let again: serde_json::Value = serde_json::from_str(&compact).expect("what is written is JSON");
            assert_eq!(
                without_sign_of_zero(again),
                without_sign_of_zero(other.clone()),
                "{text:?} is written {compact:?}"
            );
            let twice = json::parse(&compact).map(|value| write(&value));
            assert_eq!(
                twice.as_ref(),
                Ok(&compact),
                "writing what was written changes nothing"
            );
        }
        (Err(JsonError::DuplicateKey | JsonError::TooDeep), Ok(_)) | (Err(_), Err(_)) => {}
        (Err(JsonError::Syntax | JsonError::LoneSurrogate | JsonError::NumberRange), Ok(other)) => {
            panic!("{text:?} is refused, and reads as {other}")
        }
        (Ok(_), Err(error)) => {
            let why = error.to_string();
            // Integers of any size are accepted, and the other reader makes doubles of large ones.
            let is_large = why.starts_with("number out of range") && has_large_integer(text);
            assert!(
                is_large || why.starts_with("recursion limit"),
                "{text:?} is accepted: {why}"
            );
        }
    }
    judged(text, ours.is_ok());
}

/// Whether so many digits stand in a row that no double holds such an integer.
fn has_large_integer(text: &str) -> bool {
    let mut runs = text.split(|character: char| !character.is_ascii_digit());
    runs.any(|run| run.len() >= 309)
}

/// The other reader makes a double of the integer `-0`; ours, as CPython, makes it 0.
fn without_sign_of_zero(mut value: serde_json::Value) -> serde_json::Value {
    match &mut value {
        serde_json::Value::Number(number) if number.as_f64() == Some(0.0) => value = serde_json::json!(0),
        serde_json::Value::Array(items) => {
            items
                .iter_mut()
                .for_each(|item| *item = without_sign_of_zero(item.take()));
        }
        serde_json::Value::Object(members) => {
            members
                .values_mut()
                .for_each(|member| *member = without_sign_of_zero(member.take()));
        }
        _ => {}
    }
    value
}

fn write(value: &json::Value<'_>) -> String {
    let mut text = String::new();
    json::push_compact(value, &mut text);
    text
}

/// Arguments that do not read are never allowed; a record that reads gets one decision.
fn judged(text: &str, reads: bool) {
    for policy in POLICIES.iter() {
        for tool in ["bash", "http", "Shell", "Read"] {
            let decision = policy.decide(&Call::new(tool, Arguments::parse(text)));
            if !reads {
                assert_ne!(decision.effect, Effect::Allow, "{tool} {text:?}");
                assert_eq!(
                    decision.provenance,
                    Provenance::MalformedArguments,
                    "{tool} {text:?}"
                );
            }
        }
        if let Ok(call) = Call::parse(text) {
            let decision = policy.decide(&call);
            assert_eq!(decision.tool, call.tool);
            serde_json::from_str::<serde_json::Value>(&decision.to_json()).expect("a decision is JSON");
        }
    }
}
