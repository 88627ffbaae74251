//! Decisions and learnable calls of the layered dialect.

use callgate_runtime::rule::{Audience, Effect, Mode};

use super::engine::{Engine, Loaded};
use super::policy::{CompiledPolicy, PolicyText, Spec, Specs};
use super::row::{DecisionExpect, DecisionRow, LearnableRow, RowFloor, ToolCall};
use crate::oracle::layered::Floor;
use crate::oracle::{Answer, CallText};

/// Whether the call gets the expected answer.
pub(super) fn judge(row: &DecisionRow<'_>, engines: &[&dyn Engine]) -> Result<(), String> {
    let policy = CompiledPolicy::new(policy(row))?;
    let (learned, call) = calls(row)?;
    let place = format!("call: {} {}\n", call.tool, call.args);
    let answer = Loaded::new(&policy, engines)?
        .decide(&call, &learned)
        .map_err(|problem| format!("{place}{problem}"))?;
    match complaint(&row.expect, &answer) {
        None => Ok(()),
        Some(expected) => Err(format!("{place}expected {expected}, got {answer}")),
    }
}

/// The row's rules on the floor it stands on.
pub(super) fn policy(row: &DecisionRow<'_>) -> PolicyText {
    let options = &row.options;
    let rules = row.rules.iter().map(|rule| Spec {
        scope: rule.scope,
        effect: rule.effect,
        text: rule.spec.clone(),
        audience: rule.audience,
    });
    PolicyText::Specs(Specs {
        rules: rules.collect(),
        floor: match options.floor {
            RowFloor::None => Floor::None,
            RowFloor::Builtin => Floor::Builtin,
            RowFloor::Child => Floor::Child,
        },
        loose_substitution: options.loose_substitution,
    })
}

/// The calls that the session learned from, and the call.
pub(super) fn calls(row: &DecisionRow<'_>) -> Result<(Vec<CallText>, CallText), String> {
    let text = |call| call_text(call, row.options.audience, row.options.mode);
    let learned = row.learned.iter().map(text).collect::<Result<_, _>>()?;
    Ok((learned, text(&row.call)?))
}

/// Whether the call teaches exactly what the row says.
pub(super) fn judge_learnable(row: &LearnableRow<'_>, engines: &[&dyn Engine]) -> Result<(), String> {
    let call = call_text(&row.call, Audience::Main, Mode::Default)?;
    let expect = &row.expect;
    let mut first: Option<Option<String>> = None;
    for engine in engines {
        let pattern = engine.learnable(&call);
        let holds = pattern.is_some() == expect.learnable
            && (expect.pattern.is_none() || pattern == expect.pattern)
            && first.as_ref().is_none_or(|first| *first == pattern);
        if !holds {
            let wanted = (expect.learnable, &expect.pattern);
            let place = format!("call: {} {}\n", call.tool, call.args);
            return Err(format!(
                "{place}expected {wanted:?}, {} learns {pattern:?}",
                engine.name()
            ));
        }
        first = Some(pattern);
    }
    Ok(())
}

/// The expectation that the answer does not meet.
fn complaint(expect: &DecisionExpect, answer: &Answer) -> Option<String> {
    let effects: Vec<Effect> = expect
        .effect
        .into_iter()
        .chain(expect.effect_in.iter().copied())
        .collect();
    if !effects.contains(&answer.effect) {
        let names: Vec<&str> = effects.iter().map(|effect| effect.name()).collect();
        return Some(names.join(" or "));
    }
    let flags = [
        ("configured_ask", expect.configured_ask, answer.configured_ask),
        (
            "floored_configured_allow",
            expect.floored_configured_allow,
            answer.floored_configured_allow,
        ),
    ];
    flags.into_iter().find_map(|(name, expected, value)| {
        // Both are false whenever the effect is not ask, written or not.
        let expected = if answer.effect == Effect::Ask {
            expected
        } else {
            Some(false)
        };
        expected
            .filter(|expected| *expected != value)
            .map(|expected| format!("{name} {expected}"))
    })
}

fn call_text(call: &ToolCall<'_>, audience: Audience, mode: Mode) -> Result<CallText, String> {
    let args = match (call.args, &call.args_text) {
        (Some(args), None) => args.get(),
        (None, Some(text)) => text,
        (Some(_), Some(_)) | (None, None) => return Err(String::from("a call has `args` or `args_text`")),
    };
    let mut text = CallText::new(&call.tool, args);
    text.audience = audience;
    text.mode = mode;
    Ok(text)
}
