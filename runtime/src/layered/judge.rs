//! A call to its judgement: plan mode first, then the rules, the mode and what was learned.

use super::call::{LayeredCall, LayeredOptions};
use super::judgement::{Cause, Judgement, Synthetic};
use super::shell::judge_command;
use super::subject::{self, Subject};
use crate::rule::{Classes, Effect, Mode, Provenance, Query, Rank, RuleFacts, RuleOrder, Scope, Text};

/// Judges one call by the rules of `order`, which binds the call's audience.
///
/// Total and deterministic; linear in the arguments. Plan mode comes before any rule; a deny stands against everything;
/// a configured ask against every allow.
pub fn judge<'a>(
    order: &dyn RuleOrder,
    call: &LayeredCall<'a>,
    options: &LayeredOptions<'_>,
) -> Judgement<'a> {
    let subject = subject::of(call.tool, &call.arguments);
    let planning = call.mode == Mode::Plan;
    if planning && matches!(call.tool, "Edit" | "Write" | "Copy" | "Move" | "Remove") {
        return plan_denies();
    }
    match subject {
        Subject::Malformed(_) if planning && call.tool == "Shell" => plan_denies(),
        Subject::Malformed(what) => judge_malformed(order, call.tool, what),
        Subject::Command(line) => judge_command(order, line, call, options),
        Subject::One(text) => judge_text(order, text, call, options),
        Subject::Two(source, destination) => {
            let source = judge_text(order, source, call, options);
            let destination = judge_text(order, destination, call, options);
            worse(source, destination)
        }
    }
}

/// The strictest of two; a configured ask before another, the first when they are alike.
fn worse<'a>(first: Judgement<'a>, second: Judgement<'a>) -> Judgement<'a> {
    let severity = |judgement: &Judgement<'_>| (judgement.effect, !judgement.configured_ask);
    if severity(&second) < severity(&first) {
        second
    } else {
        first
    }
}

pub(super) fn plan_denies<'a>() -> Judgement<'a> {
    Judgement::plain(Effect::Deny, Provenance::PlanMode, Cause::PlanMode)
}

/// Only rules without a pattern can tell anything of arguments nobody can read, and none of them allows.
fn judge_malformed<'a>(order: &dyn RuleOrder, tool: &str, what: &'static str) -> Judgement<'a> {
    let rank = first(order, tool, Text::Whole(""), Classes::TIGHTENING);
    match rank.map(|rank| (rank, order.facts(rank))) {
        Some((rank, facts)) if facts.effect == Effect::Deny || is_configured(&facts) => by_rule(rank, &facts),
        _ => Judgement::plain(
            Effect::Ask,
            Provenance::MalformedArguments,
            Cause::Malformed(what),
        ),
    }
}

fn judge_text<'a>(
    order: &dyn RuleOrder,
    text: &str,
    call: &LayeredCall<'_>,
    options: &LayeredOptions<'_>,
) -> Judgement<'a> {
    let rank = first(order, call.tool, Text::Whole(text), Classes::ALL);
    let facts = rank.map(|rank| (rank, order.facts(rank)));
    let edits = call.mode == Mode::AcceptEdits && matches!(call.tool, "Edit" | "Write");
    if let Some((rank, facts)) = facts {
        let above = facts.effect == Effect::Allow && matches!(facts.scope, Some(Scope::Managed | Scope::Cli));
        let stands = facts.effect != Effect::Allow && (facts.effect == Effect::Deny || is_configured(&facts));
        if stands || above || (is_configured(&facts) && !edits) {
            return by_rule(rank, &facts);
        }
    }
    if edits {
        let mut judgement = Judgement::plain(Effect::Allow, Provenance::Rule, Cause::Rule);
        judgement.synthetic = Some(Synthetic::AcceptEdits);
        return judgement;
    }
    if !text.is_empty()
        && options
            .learned
            .is_some_and(|learned| learned.has(call.tool, text))
    {
        return learned();
    }
    match facts {
        Some((rank, facts)) => by_rule(rank, &facts),
        None => Judgement::plain(Effect::Ask, Provenance::Default, Cause::NoRule),
    }
}

pub(super) fn learned<'a>() -> Judgement<'a> {
    let mut judgement = Judgement::plain(Effect::Allow, Provenance::Learned, Cause::Learned);
    judgement.synthetic = Some(Synthetic::Learned);
    judgement
}

/// The judgement of the rule at `rank`.
pub(super) fn by_rule<'a>(rank: Rank, facts: &RuleFacts) -> Judgement<'a> {
    let mut judgement = Judgement::plain(facts.effect, Provenance::Rule, Cause::Rule);
    judgement.rank = Some(rank);
    judgement.configured_ask = facts.effect == Effect::Ask && is_configured(facts);
    judgement
}

/// Above the built-in floor.
pub(super) fn is_configured(facts: &RuleFacts) -> bool {
    facts.scope.is_none_or(Scope::is_configured)
}

/// The smallest rank of `classes` that meets `text`.
pub(super) fn first(order: &dyn RuleOrder, tool: &str, text: Text<'_>, classes: Classes) -> Option<Rank> {
    order.first(&Query {
        tool,
        text,
        classes,
        assigned: &[],
    })
}
