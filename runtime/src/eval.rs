//! A call to a decision: the only place that can say yes.

mod layered;

use alloc::string::{String, ToString};

use crate::call::Call;
use crate::decision::{Cause, DecidingRule, Decision};
use crate::glob::Texts;
use crate::layered::Learned;
use crate::machine::{Probe, Shape};
use crate::order::{Order, smallest};
use crate::rule::{Audience, Classes, Effect, Mode, Provenance};
use crate::table::{Dialect, PolicyMode, Table, TableError, order};
use crate::{control, fold, subject, tool};

pub use layered::learnable;
pub(crate) use layered::{record, with_layered_call};

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
        Self {
            effect,
            provenance,
            rule: None,
        }
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
        Order::new(&self.table, audience)
    }

    /// Decides one call, with no learned rules.
    pub fn decide(&self, call: &Call<'_>) -> Decision<'_> {
        self.decide_with(call, None)
    }

    /// Decides one call; in the layered dialect the session's learned rules count.
    pub fn decide_with(&self, call: &Call<'_>, learned: Option<&dyn Learned>) -> Decision<'_> {
        match self.table.options().dialect {
            Dialect::Rules => self.decide_rules(call),
            Dialect::Layered => self.decide_layered(call, learned),
        }
    }

    fn decide_rules(&self, call: &Call<'_>) -> Decision<'_> {
        let canonical_tool = tool::canonical(&call.tool);
        match subject::of_call(&canonical_tool, call) {
            Err(reason) => {
                let verdict = Verdict::without_rule(Effect::Deny, Provenance::MalformedArguments);
                let cause = Cause::Malformed(reason.to_string());
                self.decision(&call.tool, canonical_tool, &call.action, verdict, cause)
            }
            Ok(subject) => self.decide_subject(&call.tool, &call.action, &subject, call.mode),
        }
    }

    /// Decides one call of a rules-dialect table whose subject the host already has: [`decide_text`](Self::decide_text)
    /// with everything that explains it.
    pub fn decide_subject(&self, tool: &str, action: &str, subject: &str, mode: Mode) -> Decision<'_> {
        let canonical_tool = tool::canonical(tool);
        let verdict = self.judge(canonical_tool.as_bytes(), subject, mode);
        let cause = self.cause(&verdict, subject, mode);
        self.decision(tool, canonical_tool, action, verdict, cause)
    }

    fn decision(
        &self,
        tool: &str,
        canonical_tool: String,
        action: &str,
        verdict: Verdict,
        cause: Cause,
    ) -> Decision<'_> {
        Decision {
            effect: verdict.effect,
            tool: tool.to_string(),
            canonical_tool,
            action: action.to_string(),
            cause,
            provenance: verdict.provenance,
            rule: verdict.rule.and_then(|rank| DecidingRule::of(&self.table, rank)),
            segment: None,
            configured_ask: false,
            floored_configured_allow: false,
            policy: *self.table.digest(),
        }
    }

    /// Decides on a tool and its subject alone, for the main engine. In the rules dialect nothing is allocated for an
    /// ASCII subject of up to 1 KiB and a tool name of up to 1 KiB; in the layered one the subject of `Shell` is its
    /// command, and `Copy` and `Move`, which have two subjects, are never allowed.
    pub fn decide_text(&self, tool: &str, subject: &str, mode: Mode) -> Verdict {
        self.decide_text_as(tool, subject, Audience::Main, mode)
    }

    /// [`decide_text`](Self::decide_text) for any audience.
    pub fn decide_text_as(&self, tool: &str, subject: &str, audience: Audience, mode: Mode) -> Verdict {
        match self.table.options().dialect {
            Dialect::Rules => fold::with_lowered(tool, |lowered| {
                let canonical = tool::alias(lowered.bytes).map_or(lowered.bytes, str::as_bytes);
                self.judge(canonical, subject, mode)
            }),
            Dialect::Layered => self.judge_layered(tool, subject, audience, mode),
        }
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
            match self.table.facts(rank) {
                Some(facts) => Verdict {
                    effect: facts.effect,
                    provenance: Provenance::Rule,
                    rule: Some(rank),
                },
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
