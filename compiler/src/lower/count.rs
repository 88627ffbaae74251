//! A syntax tree to the number of rules that are missing when its document is refused.

use callgate_grammar::{Document, Node, Value};

use super::suggestion::nearest;
use crate::check::Missing;
use crate::ir::Preset;
use crate::normalize::preset_rules;

const EFFECTS: [&str; 4] = ["deny", "ask", "escalate", "allow"];

/// How many denies, asks and allows stand in the document, good or bad, wherever its kind would look for them.
pub(crate) fn count(tree: &Document) -> Missing {
    let mut missing = [0, 0, 0];
    if let Some(root) = &tree.root {
        rules_under(root, &mut missing);
    }
    let [deny, ask, allow] = missing;
    Missing::Rules { deny, ask, allow }
}

fn rules_under(node: &Node, missing: &mut [usize; 3]) {
    let Value::Mapping(mapping) = &node.value else {
        return;
    };
    let [deny, ask, allow] = missing;
    for entry in &mapping.entries {
        // A misspelled effect is why rules are missing.
        match nearest(&entry.key.scalar.text, &EFFECTS) {
            Some("deny") => *deny += leaves(&entry.value),
            Some("ask" | "escalate") => *ask += leaves(&entry.value),
            Some("allow") => *allow += leaves(&entry.value),
            _ => {}
        }
    }
    for entry in &mapping.entries {
        match (entry.key.scalar.text.as_str(), &entry.value.value) {
            ("permissions", Value::Scalar(scalar)) => preset(&scalar.text, missing),
            ("permissions" | "subagent", _) => rules_under(&entry.value, missing),
            _ => {}
        }
    }
}

fn preset(name: &str, missing: &mut [usize; 3]) {
    let Some(preset) = Preset::from_name(name) else {
        return;
    };
    let rules = preset_rules(preset);
    for (count, table) in missing.iter_mut().zip([rules.deny, rules.escalate, rules.allow]) {
        *count += table.iter().map(|(_, patterns)| patterns.len()).sum::<usize>();
    }
}

fn leaves(node: &Node) -> usize {
    match &node.value {
        Value::Scalar(scalar) => usize::from(!scalar.text.is_empty()),
        Value::Sequence(sequence) => sequence.items.iter().map(leaves).sum(),
        Value::Mapping(mapping) => mapping.entries.iter().map(|entry| leaves(&entry.value)).sum(),
    }
}
