//! A policy of the rules dialect and its calls: effect and deciding pattern of each.

use super::engine::{Engine, Loaded};
use super::policy::{CompiledPolicy, PolicyText};
use super::row::RulesRow;
use crate::oracle::CallText;

/// Whether every call of the row gets the expected answer.
pub(super) fn judge(row: &RulesRow<'_>, engines: &[&dyn Engine]) -> Result<(), String> {
    let policy = CompiledPolicy::new(PolicyText::Document(row.policy.clone()))?;
    let loaded = Loaded::new(&policy, engines)?;
    for (index, expected) in row.calls.iter().enumerate() {
        let mut call = CallText::new(&expected.tool, expected.args.get());
        call.action.clone_from(&expected.action);
        let place = format!("call {index}: {} {}\n", expected.tool, expected.args);
        let answer = loaded
            .decide(&call, &[])
            .map_err(|problem| format!("{place}{problem}"))?;
        let pattern = answer.rule.as_ref().map(|rule| rule.pattern.as_str());
        if (answer.effect, pattern) != (expected.behavior, expected.matched_rule.as_deref()) {
            let wanted = (expected.behavior.name(), &expected.matched_rule);
            return Err(format!(
                "{place}expected {} by {:?}, got {answer}",
                wanted.0, wanted.1
            ));
        }
    }
    Ok(())
}
