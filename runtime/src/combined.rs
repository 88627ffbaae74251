//! Several layered tables to one rank order: a base policy and the rules that a host hands in with a call (page 30,
//! *Wiring*).
//!
//! The tables are merged once, by page 40's order: group, scope, then the order of the tables. So an extra rule stands
//! exactly where a file's rule of its scope would stand, and can loosen nothing that such a file could not.

use alloc::sync::Arc;
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::broken::{self, BrokenSource};
use crate::call::Call;
use crate::decision::{Cause, DecidingRule, Decision};
use crate::eval::{Policy, record, with_layered_call};
use crate::layered::{LayeredCall, LayeredOptions, Learned};
use crate::rule::{Audience, Classes, Effect, Mode, Query, Rank, RuleFacts, RuleOrder, Scope};
use crate::table::{Dialect, Digest};

/// Layered policies that decide as one.
#[derive(Clone, Debug)]
pub struct Combined {
    members: Vec<Member>,
    /// By combined rank: the member and the rank in its table.
    rules: Vec<(usize, u32)>,
    digest: Digest,
}

#[derive(Clone, Debug)]
struct Member {
    policy: Arc<Policy>,
    /// By rank in the table: the combined rank.
    ranks: Vec<u32>,
}

/// Why policies cannot be combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotCombinable {
    /// A policy of the rules dialect stands alone.
    #[error("a policy of the rules dialect cannot be combined with others")]
    RulesDialect,
    /// The ranks of a table are not in the order that decides.
    #[error("the rules of a table are not in the order of the layered dialect")]
    Unordered,
    /// More rules than ranks.
    #[error("too many rules")]
    TooManyRules,
}

/// What stands around a call when it is decided.
#[derive(Clone, Copy, Default)]
pub struct Context<'c> {
    /// Which evaluator asks.
    pub audience: Audience,
    /// The session's mode.
    pub mode: Mode,
    /// What the session learned; `None` when learning is off.
    pub learned: Option<&'c dyn Learned>,
    /// The sources that cannot be read.
    pub broken: &'c [BrokenSource],
}

impl Combined {
    /// Merges `base` and `extra` into one order. Where scopes are equal, a rule of an earlier policy stands first. Only
    /// the base's posture counts. Linear in the number of rules, but for sorting them.
    pub fn new(
        base: Arc<Policy>,
        extra: impl IntoIterator<Item = Arc<Policy>>,
    ) -> Result<Self, NotCombinable> {
        let policies: Vec<Arc<Policy>> = [base].into_iter().chain(extra).collect();
        let mut rules = Vec::new();
        for (member, policy) in policies.iter().enumerate() {
            rules.extend(
                places(policy)?
                    .into_iter()
                    .map(|(place, rank)| (place, member, rank)),
            );
        }
        rules.sort_unstable();
        let ranks = policies.iter().map(|policy| Vec::with_capacity(rules_of(policy)));
        let mut ranks: Vec<Vec<u32>> = ranks.collect();
        for (combined, (_, member, _)) in rules.iter().enumerate() {
            let combined = u32::try_from(combined).map_err(|_| NotCombinable::TooManyRules)?;
            if let Some(ranks) = ranks.get_mut(*member) {
                ranks.push(combined);
            }
        }
        let digest = digest_of(&policies);
        let members = policies.into_iter().zip(ranks);
        Ok(Self {
            members: members.map(|(policy, ranks)| Member { policy, ranks }).collect(),
            rules: rules
                .into_iter()
                .map(|(_, member, rank)| (member, rank))
                .collect(),
            digest,
        })
    }

    /// The name of this combination: a single table's digest, else the SHA-256 of all digests in their order.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The merged order of the rules that bind `audience`.
    pub fn order(&self, audience: Audience) -> CombinedOrder<'_> {
        CombinedOrder {
            combined: self,
            audience,
        }
    }

    /// The rule of a combined rank; its index is that rank.
    pub fn rule(&self, rank: Rank) -> Option<DecidingRule<'_>> {
        let (member, own) = self.place(rank)?;
        let rule = DecidingRule::of(member.policy.table(), own)?;
        Some(DecidingRule {
            index: Some(rank.0),
            ..rule
        })
    }

    /// Decides one call. The audience and the mode are the context's, not the call's.
    pub fn decide(&self, call: &Call<'_>, context: &Context<'_>) -> Decision<'_> {
        let loose = self
            .members
            .first()
            .is_some_and(|base| base.policy.is_loose(context.audience));
        let options = LayeredOptions {
            learned: context.learned,
            loose_substitution: loose,
        };
        with_layered_call(call, |call_read| {
            let call_read = LayeredCall {
                mode: context.mode,
                ..*call_read
            };
            let order = self.order(context.audience);
            let (judgement, source) = broken::judge(&order, &call_read, &options, context.broken);
            let mut decision = record(call, &call_read, judgement, |rank| self.rule(rank), self.digest);
            if let Some(source) = source {
                decision.cause = Cause::BrokenSource(source.name.clone());
            }
            decision
        })
    }

    fn place(&self, rank: Rank) -> Option<(&Member, u32)> {
        let index = usize::try_from(rank.0).ok()?;
        let (member, own) = self.rules.get(index)?;
        Some((self.members.get(*member)?, *own))
    }
}

/// Group and scope: where a rule stands before the order of tables and documents counts.
type Place = (u8, Option<Scope>);

/// The place of every rule in the table, by rank.
fn places(policy: &Policy) -> Result<Vec<(Place, u32)>, NotCombinable> {
    let table = policy.table();
    if table.options().dialect != Dialect::Layered {
        return Err(NotCombinable::RulesDialect);
    }
    let places = (0..table.len()).map(|rank| {
        let facts = table.facts(rank).ok_or(NotCombinable::Unordered)?;
        Ok((place(&facts), rank))
    });
    let places: Vec<_> = places.collect::<Result<_, _>>()?;
    // INVARIANT: a table's own order is a part of the merged one, so its smallest matching rank stays its smallest.
    if places.is_sorted() {
        Ok(places)
    } else {
        Err(NotCombinable::Unordered)
    }
}

/// Denies, configured asks, configured allows, built-in asks, built-in allows; in each by scope (page 40).
fn place(facts: &RuleFacts) -> Place {
    let configured = facts.scope.is_none_or(Scope::is_configured);
    let group = match (facts.effect, configured) {
        (Effect::Deny, _) => 0,
        (Effect::Ask, true) => 1,
        (Effect::Allow, true) => 2,
        (Effect::Ask, false) => 3,
        (Effect::Allow, false) => 4,
    };
    (group, facts.scope)
}

fn rules_of(policy: &Policy) -> usize {
    usize::try_from(policy.table().len()).unwrap_or_default()
}

fn digest_of(policies: &[Arc<Policy>]) -> Digest {
    if let [only] = policies {
        return *only.table().digest();
    }
    let mut hash = Sha256::new();
    policies
        .iter()
        .for_each(|policy| hash.update(policy.table().digest().0));
    Digest(hash.finalize().into())
}

/// The rules of all tables that bind one audience, in one order.
#[derive(Clone, Copy, Debug)]
pub struct CombinedOrder<'c> {
    combined: &'c Combined,
    audience: Audience,
}

impl RuleOrder for CombinedOrder<'_> {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        let members = self.combined.members.iter();
        let firsts = members.filter_map(|member| {
            let own = member.policy.order(self.audience).first(query)?;
            member.ranks.get(usize::try_from(own.0).ok()?).copied()
        });
        firsts.min().map(Rank)
    }

    fn facts(&self, rank: Rank) -> RuleFacts {
        let place = self.combined.place(rank);
        let facts = place.and_then(|(member, own)| member.policy.table().facts(own));
        facts.unwrap_or(RuleFacts {
            effect: Effect::Deny,
            scope: None,
            class: Classes::DENY,
        })
    }
}
