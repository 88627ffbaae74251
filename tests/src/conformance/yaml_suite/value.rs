//! A parsed node against the JSON value that it must be, plain scalars typed by the YAML 1.2 core schema.

use callgate_grammar::reading::{CoreValue, core_schema};
use callgate_grammar::{Node, Scalar, Value};

/// Where the node is another value, if it is.
pub(super) fn compare(node: &Node, expected: &serde_json::Value) -> Result<(), String> {
    match (&node.value, expected) {
        (Value::Scalar(scalar), _) if is_scalar(scalar, expected) => Ok(()),
        (Value::Sequence(sequence), serde_json::Value::Array(items)) => {
            if sequence.items.len() != items.len() {
                return Err(format!("{} items, expected {expected}", sequence.items.len()));
            }
            sequence
                .items
                .iter()
                .zip(items)
                .try_for_each(|(item, expected)| compare(item, expected))
        }
        (Value::Mapping(mapping), serde_json::Value::Object(members)) => {
            if mapping.entries.len() != members.len() {
                return Err(format!("{} entries, expected {expected}", mapping.entries.len()));
            }
            mapping.entries.iter().try_for_each(|entry| {
                let key = &entry.key.scalar.text;
                let member = members
                    .get(key)
                    .ok_or_else(|| format!("the key {key:?}, expected {expected}"))?;
                compare(&entry.value, member)
            })
        }
        (found, _) => Err(format!("read {found:?}, expected {expected}")),
    }
}

fn is_scalar(scalar: &Scalar, expected: &serde_json::Value) -> bool {
    match core_schema(scalar) {
        CoreValue::Null => expected.is_null(),
        CoreValue::Bool(value) => expected.as_bool() == Some(value),
        CoreValue::Text(text) => expected.as_str() == Some(text),
        CoreValue::Integer(text) => integer(text).map_or_else(
            || expected.is_number() && expected.as_f64() == text.parse().ok(),
            |value| {
                expected
                    .as_i64()
                    .map(i128::from)
                    .or(expected.as_u64().map(i128::from))
                    == Some(value)
            },
        ),
        CoreValue::Float(text) => expected.is_number() && expected.as_f64() == text.parse().ok(),
    }
}

/// The integer, if it is not huge.
fn integer(text: &str) -> Option<i128> {
    if let Some(digits) = text.strip_prefix("0o") {
        i128::from_str_radix(digits, 8).ok()
    } else if let Some(digits) = text.strip_prefix("0x") {
        i128::from_str_radix(digits, 16).ok()
    } else {
        text.parse().ok()
    }
}
