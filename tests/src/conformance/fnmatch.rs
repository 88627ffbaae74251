//! A glob and a text: a policy that allows reading what the pattern matches, and a call that reads the text.

use callgate_runtime::rule::Effect;

use super::engine::{Engine, Loaded};
use super::policy::{CompiledPolicy, PolicyText};
use super::row::FnmatchRow;
use crate::oracle::CallText;

/// Whether the pattern matches exactly when the row says so.
pub(super) fn judge(row: &FnmatchRow, engines: &[&dyn Engine]) -> Result<(), String> {
    let policy = CompiledPolicy::new(policy(row))?;
    let answer = Loaded::new(&policy, engines)?.decide(&call(row), &[])?;
    let effect = if row.matches { Effect::Allow } else { Effect::Deny };
    let pattern = answer.rule.as_ref().map(|rule| rule.pattern.as_str());
    if answer.effect == effect && pattern == row.matches.then_some(row.pattern.as_str()) {
        return Ok(());
    }
    Err(format!(
        "{:?} should {}match: {answer}",
        row.text,
        if row.matches { "" } else { "not " }
    ))
}

/// The policy that allows what the pattern matches.
pub(super) fn policy(row: &FnmatchRow) -> PolicyText {
    PolicyText::Document(format!(
        "mode: rules\nallow: {{reader: [{}]}}\n",
        quoted(&row.pattern)
    ))
}

/// The call that reads the text.
pub(super) fn call(row: &FnmatchRow) -> CallText {
    CallText::new("reader", &serde_json::json!({ "path": row.text }).to_string())
}

/// The text as a double-quoted YAML scalar, everything but printable ASCII escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '..='~' => quoted.push(character),
            _ => quoted.push_str(&format!("\\U{:08X}", u32::from(character))),
        }
    }
    quoted.push('"');
    quoted
}
