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
                let verdict = self.judge(&canonical_tool, &subject, call.mode);
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
    /// of up to 64 bytes.
    pub fn decide_text(&self, tool: &str, subject: &str, mode: Mode) -> Verdict {
        fold::with_lowered(tool, |lowered| {
            self.judge(tool::alias(lowered).unwrap_or(lowered), subject, mode)
        })
    }

    /// Page 20's order. `tool` is canonical.
    fn judge(&self, tool: &str, subject: &str, mode: Mode) -> Verdict {
        let options = self.table.options();
        if options.dialect != Dialect::Rules || mode != Mode::Default {
            return Verdict::without_rule(Effect::Deny, Provenance::Mode);
        }
        match options.mode {
            PolicyMode::AllowAll => return Verdict::without_rule(Effect::Allow, Provenance::Mode),
            PolicyMode::DenyAll => return Verdict::without_rule(Effect::Deny, Provenance::Mode),
            PolicyMode::Rules => {}
        }
        if tool == "bash" && control::operator(subject).is_some() {
            return Verdict::without_rule(Effect::Deny, Provenance::ShellControl);
        }
        let query = Query { tool, text: Text::Whole(subject), classes: Classes::ALL, assigned: &[] };
        let rank = self.order(Audience::All).first(&query);
        match rank.and_then(|rank| Some((rank, self.table.key_effect(rank.0)?))) {
            Some((rank, effect)) => Verdict { effect, provenance: Provenance::Rule, rule: Some(rank.0) },
            None => Verdict::without_rule(Effect::Deny, Provenance::Default),
        }
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

/// The rules of one table that bind one audience, in their order.
#[derive(Clone, Copy)]
pub struct Order<'t> {
    table: &'t Table,
    bit: u8,
}

impl RuleOrder for Order<'_> {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        let options = self.table.options();
        let layered = options.dialect == Dialect::Layered;
        let shape = Shape::of(&query.text);
        let text = match query.text {
            Text::Whole(text) | Text::Open(text) | Text::Placeholder(text) => text,
        };
        let find = |texts: Texts<'_>| {
            let probe = Probe {
                texts,
                shape,
                classes: query.classes,
                order: self.bit,
                empty_is_special: layered,
                assigned: query.assigned,
            };
            let own = self.table.machine_of(query.tool);
            let best = own.map_or(machine::NONE, |own| machine::smallest(self.table, own, &probe, machine::NONE));
            machine::smallest(self.table, self.table.machine_of_any(), &probe, best)
        };
        let best = match (shape, layered) {
            (Shape::Whole, true) => find(Texts { raw: text.as_bytes(), folded: text.as_bytes() }),
            (Shape::Whole, false) => fold::with_lowered(text, |lowered: &str| {
                find(Texts { raw: text.as_bytes(), folded: lowered.as_bytes() })
            }),
            (Shape::Open | Shape::Placeholder, _) => {
                let known = [text, " "].concat();
                find(Texts { raw: known.as_bytes(), folded: known.as_bytes() })
            }
        };
        (best != machine::NONE).then_some(Rank(best))
    }

    fn facts(&self, rank: Rank) -> RuleFacts {
        let denied = RuleFacts { effect: Effect::Deny, scope: None, class: Classes::DENY };
        self.table
            .rule(rank.0)
            .map_or(denied, |rule| RuleFacts { effect: rule.effect, scope: rule.scope, class: rule.class })
    }
}
