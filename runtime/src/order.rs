//! A compiled table as a [`RuleOrder`]: one query to the smallest rank that answers it.

use crate::fold;
use crate::glob::Texts;
use crate::machine::{self, Probe, Shape};
use crate::rule::{Audience, Classes, Effect, Query, Rank, RuleFacts, RuleOrder, Text};
use crate::table::{Dialect, Table, order};

/// The smallest rank of all rules for `tool` that answers the probe, or [`machine::NONE`].
pub(crate) fn smallest(table: &Table, tool: &[u8], probe: &Probe<'_>) -> u32 {
    let rules = table.rules();
    let (best, complete) = match table.machine_of(tool) {
        Some((own, holds_any)) => (own.smallest(rules, probe, machine::NONE), holds_any),
        None => (machine::NONE, false),
    };
    if complete {
        best
    } else {
        table.machine_of_any().smallest(rules, probe, best)
    }
}

/// The rules of one table that bind one audience, in their order.
#[derive(Clone, Copy)]
pub struct Order<'t> {
    table: &'t Table,
    bit: u8,
}

impl<'t> Order<'t> {
    /// The order of the table's rules that bind `audience`.
    pub fn new(table: &'t Table, audience: Audience) -> Self {
        let bit = match audience {
            Audience::Main => order::MAIN,
            Audience::Subagent => order::SUBAGENT,
            Audience::All => order::ALL,
        };
        Self { table, bit }
    }
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
        self.table.facts(rank.0).unwrap_or(RuleFacts {
            effect: Effect::Deny,
            scope: None,
            class: Classes::DENY,
        })
    }
}
