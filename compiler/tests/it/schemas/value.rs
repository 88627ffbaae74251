//! Source text to the JSON value that an editor holds against a schema: scalars typed as YAML 1.2 types them.

use callgate_grammar::{Limits, Node, Reading, Value as Tree, parse};
use serde_json::Value;

/// The value of a document that the grammar accepts.
pub(super) fn of_document(text: &str) -> Value {
    parse(text.as_bytes(), &Limits::default())
        .unwrap()
        .root
        .as_ref()
        .map_or(Value::Null, of)
}

fn of(node: &Node) -> Value {
    match &node.value {
        Tree::Sequence(sequence) => sequence.items.iter().map(of).collect(),
        Tree::Mapping(mapping) => mapping
            .entries
            .iter()
            .map(|entry| (entry.key.scalar.text.clone(), of(&entry.value)))
            .collect(),
        Tree::Scalar(scalar) => match scalar.reading() {
            Reading::Null => Value::Null,
            Reading::Bool(value) if matches!(scalar.text.as_str(), "true" | "false") => Value::from(value),
            Reading::Integer => {
                serde_json::from_str(&scalar.text).unwrap_or_else(|_| Value::from(scalar.text.clone()))
            }
            _ => Value::from(scalar.text.clone()),
        },
    }
}
