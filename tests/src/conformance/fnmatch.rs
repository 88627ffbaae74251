//! A glob and a text: a policy that allows reading what the pattern matches, and a call that reads the text.

use callgate_runtime::rule::Effect;

use super::engine::{Engine, Loaded};
use super::policy::{CompiledPolicy, PolicyText};
use super::row::FnmatchRow;
use crate::oracle::CallText;

/// Whether the pattern matches exactly when the row says so.
pub(super) fn judge(row: &FnmatchRow, engines: &[&dyn Engine]) -> Result<(), String> {
    let document = format!("mode: rules\nallow: {{reader: [{}]}}\n", quoted(&row.pattern));
    let policy = CompiledPolicy::new(PolicyText::Document(document))?;
    let args = serde_json::json!({ "path": row.text }).to_string();
    let answer = Loaded::new(&policy, engines)?.decide(&CallText::new("reader", &args), &[])?;
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
