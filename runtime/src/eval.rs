//! A call to a decision: the only place that can say yes.

use alloc::string::{String, ToString};

use crate::call::Call;
use crate::decision::{Cause, DecidingRule, Decision};
use crate::glob::Texts;
use crate::machine::{self, Probe, Shape};
use crate::rule::{Audience, Classes, Effect, Mode, Provenance, Query, Rank, RuleFacts, RuleOrder, Text};
use crate::table::{Dialect, PolicyMode, Table, TableError, order};
use crate::{control, fold, subject, tool};

/// A loaded policy, ready to decide. Deciding never fails and never panics.
#[derive(Clone, Debug)]
pub struct Policy {
    table: Table,
}

/// The short answer to a call whose subject the host already has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The answer.
    pub effect: Effect,
    /// Why.
    pub provenance: Provenance,
    /// The deciding rule's index in the table.
    pub rule: Option<u32>,
}

impl Verdict {
    fn without_rule(effect: Effect, provenance: Provenance) -> Self {
        Self { effect, provenance, rule: None }
    }
}

impl Policy {
    /// Loads a table: [`Table::load`].
    pub fn from_bytes(bytes: impl Into<alloc::vec::Vec<u8>>) -> Result<Self, TableError> {
        Table::load(bytes).map(Self::new)
    }

    /// A policy over a table that was loaded already.
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The order of the rules that bind `audience`.
    pub fn order(&self, audience: Audience) -> Order<'_> {
        let bit = match audience {
            Audience::Main => order::MAIN,
            Audience::Subagent => order::SUBAGENT,
            Audience::All => order::ALL,
        };
        Order { table: &self.table, bit }
    }

    /// Decides one call of a rules-dialect table.
    pub fn decide(&self, call: &Call<'_>) -> Decision<'_> {
        let canonical_tool = tool::canonical(&call.tool);
        let (verdict, cause) = match subject::of_call(&canonical_tool, call) {
            Err(reason) => (
                Verdict::without_rule(Effect::Deny, Provenance::MalformedArguments),
                Cause::Malformed(reason.to_string()),
            ),
            Ok(subject) => {
                let verdict = self.judge(canonical_tool.as_bytes(), &subject, call.mode);
                (verdict, self.cause(&verdict, &subject, call.mode))
            }
        };
        let rule = verdict.rule.and_then(|rank| Some(DecidingRule { rank, rule: self.table.rule(rank)? }));
        Decision {
            effect: verdict.effect,
            tool: call.tool.clone(),
            canonical_tool,
            action: call.action.clone(),
            cause,
            provenance: verdict.provenance,
            rule,
            segment: None,
            configured_ask: false,
            floored_configured_allow: false,
            policy: *self.table.digest(),
        }
    }

    /// Decides on a tool and its subject alone. Nothing is allocated for an ASCII subject of up to 1 KiB and a tool name
    /// of up to 1 KiB.
    pub fn decide_text(&self, tool: &str, subject: &str, mode: Mode) -> Verdict {
        fold::with_lowered(tool, |lowered| {
            let canonical = tool::alias(lowered.bytes).map_or(lowered.bytes, str::as_bytes);
            self.judge(canonical, subject, mode)
        })
    }

    /// Page 20's order. `tool` is canonical.
    fn judge(&self, tool: &[u8], subject: &str, mode: Mode) -> Verdict {
        let options = self.table.options();
        if options.dialect != Dialect::Rules || mode != Mode::Default {
            return Verdict::without_rule(Effect::Deny, Provenance::Mode);
        }
        match options.mode {
            PolicyMode::AllowAll => return Verdict::without_rule(Effect::Allow, Provenance::Mode),
            PolicyMode::DenyAll => return Verdict::without_rule(Effect::Deny, Provenance::Mode),
            PolicyMode::Rules => {}
        }
        fold::with_lowered(subject, |lowered| {
            if tool == b"bash" && lowered.may_control && control::operator(subject).is_some() {
                return Verdict::without_rule(Effect::Deny, Provenance::ShellControl);
            }
            let probe = Probe {
                texts: Texts::new(subject.as_bytes(), lowered.bytes),
                shape: Shape::Whole,
                classes: Classes::ALL,
                order: order::ALL,
                only_everything: false,
                assigned: &[],
            };
            let rank = smallest(&self.table, tool, &probe);
            match self.table.effect(rank) {
                Some(effect) => Verdict { effect, provenance: Provenance::Rule, rule: Some(rank) },
                None => Verdict::without_rule(Effect::Deny, Provenance::Default),
            }
        })
    }

    fn cause(&self, verdict: &Verdict, subject: &str, mode: Mode) -> Cause {
        match verdict.provenance {
            Provenance::Rule => Cause::Rule,
            Provenance::Mode if mode != Mode::Default => Cause::Mode(mode.name()),
            Provenance::Mode => Cause::Mode(self.table.options().mode.name()),
            Provenance::ShellControl => Cause::Operator(control::operator(subject).unwrap_or_default()),
            Provenance::MalformedArguments => Cause::Malformed(String::new()),
            Provenance::Default
            | Provenance::PlanMode
            | Provenance::FloorConfiguredAllow
            | Provenance::FloorBuiltin
            | Provenance::Floor
            | Provenance::Learned
            | Provenance::BrokenSource => Cause::NoRule,
        }
    }
}

/// The smallest rank of all rules for `tool` that answers the probe, or [`machine::NONE`].
fn smallest(table: &Table, tool: &[u8], probe: &Probe<'_>) -> u32 {
    let rules = table.rules();
    let (best, complete) = match table.machine_of(tool) {
        Some((own, holds_any)) => (own.smallest(rules, probe, machine::NONE), holds_any),
        None => (machine::NONE, false),
    };
    if complete { best } else { table.machine_of_any().smallest(rules, probe, best) }
}

/// The rules of one table that bind one audience, in their order.
#[derive(Clone, Copy)]
pub struct Order<'t> {
    table: &'t Table,
    bit: u8,
}

impl Order<'_> {
    /// Whether the rule of this rank matches the query by itself, whatever stands before it. For explanations: no
    /// decision asks this. Linear in the query's text.
    pub fn answers(&self, rank: Rank, query: &Query<'_>) -> bool {
        let named = self.table.rule(rank.0).map(|rule| rule.tool);
        named.is_some_and(|tool| tool.is_none_or(|tool| tool == query.tool))
            && self.with_probe(query, |probe| machine::answers(self.table.rules(), rank.0, probe))
    }

    /// Makes the query what machines are asked: its text, and as globs of the dialect see it.
    fn with_probe<R>(&self, query: &Query<'_>, ask: impl FnOnce(&Probe<'_>) -> R) -> R {
        let dialect = self.table.options().dialect;
        let ask = |raw: &[u8], folded: &[u8], shape: Shape| {
            ask(&Probe {
                texts: Texts::new(raw, folded),
                shape,
                classes: query.classes,
                order: self.bit,
                only_everything: dialect == Dialect::Layered && shape == Shape::Whole && raw.is_empty(),
                assigned: query.assigned,
            })
        };
        let (text, shape) = match query.text {
            Text::Whole(text) if dialect == Dialect::Layered => {
                return ask(text.as_bytes(), text.as_bytes(), Shape::Whole);
            }
            Text::Whole(text) => {
                return fold::with_lowered(text, |lowered| ask(text.as_bytes(), lowered.bytes, Shape::Whole));
            }
            Text::Open(text) => (text, Shape::Open),
            Text::Placeholder(text) => (text, Shape::Placeholder),
        };
        let known = [text, " "].concat();
        ask(known.as_bytes(), known.as_bytes(), shape)
    }
}

impl RuleOrder for Order<'_> {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        let best = self.with_probe(query, |probe| smallest(self.table, query.tool.as_bytes(), probe));
        (best != machine::NONE).then_some(Rank(best))
    }

    fn facts(&self, rank: Rank) -> RuleFacts {
        let denied = RuleFacts { effect: Effect::Deny, scope: None, class: Classes::DENY };
        self.table
            .rule(rank.0)
            .map_or(denied, |rule| RuleFacts { effect: rule.effect, scope: rule.scope, class: rule.class })
    }
}
