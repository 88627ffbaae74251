//! A source that cannot be read to what still counts: its denies and asks of its last good reading, and allows of
//! strictly higher scopes (page 30, *Wiring*).
//!
//! Whoever breaks a file may have wanted a deny out of the way that nobody can read any more. So until the file is
//! mended, an allow that it could have stood against is an ask.

use alloc::string::String;

use crate::call::Call;
use crate::decision::{Cause, Decision};
use crate::layered::{self, Judgement, LayeredCall, LayeredOptions};
use crate::rule::{Classes, Effect, Mode, Provenance, Query, Rank, RuleFacts, RuleOrder, Scope};
use crate::table::Digest;

/// A settings source that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BrokenSource {
    /// The scope of its rules.
    pub scope: Scope,
    /// Its name, for people.
    pub name: String,
}

/// The rules of an order without its allows of `limit` and below.
#[derive(Clone, Copy)]
pub struct Above<'o> {
    order: &'o dyn RuleOrder,
    limit: Scope,
}

impl<'o> Above<'o> {
    /// All denies and asks of `order`, and its allows of scopes strictly higher than `limit`. The order must be that of
    /// the layered dialect.
    pub fn new(order: &'o dyn RuleOrder, limit: Scope) -> Self {
        Self { order, limit }
    }
}

impl RuleOrder for Above<'_> {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        let rank = self.order.first(query)?;
        let facts = self.order.facts(rank);
        if facts.effect != Effect::Allow || facts.scope.is_some_and(|scope| scope < self.limit) {
            return Some(rank);
        }
        // Allows stand by scope, so every later one is of this scope or below: only asks of the floor can follow.
        let classes = Classes::from_bits(query.classes.bits() & Classes::TIGHTENING.bits())?;
        self.order.first(&Query { classes, ..*query })
    }

    fn facts(&self, rank: Rank) -> RuleFacts {
        self.order.facts(rank)
    }
}

/// Judges one call while `broken` sources cannot be read. The source is named when it is the reason for the answer.
pub fn judge<'a, 'b>(
    order: &dyn RuleOrder,
    call: &LayeredCall<'a>,
    options: &LayeredOptions<'_>,
    broken: &'b [BrokenSource],
) -> (Judgement<'a>, Option<&'b BrokenSource>) {
    let judgement = layered::judge(order, call, options);
    let Some(source) = broken.iter().min() else {
        return (judgement, None);
    };
    if judgement.effect != Effect::Allow && !judgement.floored_configured_allow {
        return (judgement, None);
    }
    let above = judge_above(order, call, options, source.scope);
    if above.effect == judgement.effect
        && above.floored_configured_allow == judgement.floored_configured_allow
    {
        return (above, None);
    }
    let asked = Judgement {
        effect: above.effect.min(Effect::Ask),
        provenance: Provenance::BrokenSource,
        rank: None,
        synthetic: None,
        configured_ask: false,
        floored_configured_allow: false,
        ..above
    };
    (asked, Some(source))
}

/// Judges by what stands strictly above `limit` alone: rules, and also the mode's and the posture's allows, which are of
/// scope `cli`, and learned ones, which are of scope `user`.
fn judge_above<'a>(
    order: &dyn RuleOrder,
    call: &LayeredCall<'a>,
    options: &LayeredOptions<'_>,
    limit: Scope,
) -> Judgement<'a> {
    let operator_stands = Scope::Cli < limit;
    let mode = match call.mode {
        Mode::AcceptEdits if !operator_stands => Mode::Default,
        mode => mode,
    };
    let options = LayeredOptions {
        learned: options.learned.filter(|_| Scope::User < limit),
        loose_substitution: options.loose_substitution && operator_stands,
    };
    layered::judge(
        &Above::new(order, limit),
        &LayeredCall { mode, ..*call },
        &options,
    )
}

/// The answer to every call while the policy itself has never been read: page 40, *Reload*.
pub fn refusal(call: &Call<'_>, source: &str) -> Decision<'static> {
    Decision {
        effect: Effect::Deny,
        tool: call.tool.clone(),
        canonical_tool: call.tool.clone(),
        action: call.action.clone(),
        cause: Cause::BrokenSource(String::from(source)),
        provenance: Provenance::BrokenSource,
        rule: None,
        segment: None,
        configured_ask: false,
        floored_configured_allow: false,
        policy: Digest([0; 32]),
    }
}
