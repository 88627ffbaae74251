//! Decisions to sums: by outcome, by change, and the slowest; two sums add up to the sum of both, in either order.

use std::collections::BTreeMap;
use std::time::Duration;

use callgate_runtime::Decision;
use callgate_runtime::rule::Effect;

use crate::record::NoCall;

/// LIMIT: bytes kept of a record that is shown.
const EXCERPT: usize = 200;

/// LIMIT: lines named of those that are no call.
const NAMED: usize = 10;

/// What came of a call, as far as calls are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Outcome {
    /// The answer.
    pub(crate) effect: Effect,
    /// The deciding rule's rank.
    pub(crate) rule: Option<u32>,
    /// The provenance's name.
    pub(crate) provenance: &'static str,
}

impl Outcome {
    pub(crate) fn of(decision: &Decision<'_>) -> Self {
        Self {
            effect: decision.effect,
            rule: decision.rule.as_ref().and_then(|rule| rule.index),
            provenance: decision.provenance.name(),
        }
    }
}

/// A line of the log.
pub(crate) struct Seen<'l> {
    /// Its text.
    pub(crate) line: &'l [u8],
    /// Its number, from 1.
    pub(crate) number: usize,
}

/// Calls that changed in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// How many.
    pub(crate) calls: usize,
    /// The number of the first one's line.
    pub(crate) line: usize,
    /// The first one's record, or its beginning.
    pub(crate) record: String,
}

/// A slow decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slow {
    /// What it took, reading the record left out.
    pub(crate) took: Duration,
    /// The number of its line.
    pub(crate) line: usize,
    /// Its record, or its beginning.
    pub(crate) record: String,
}

/// What is known of a log, or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Calls by outcome.
    pub(crate) outcomes: BTreeMap<Outcome, usize>,
    /// Calls whose effect changed, by the outcomes before and now.
    pub(crate) changes: BTreeMap<(Outcome, Outcome), Change>,
    /// Lines that are no call.
    pub(crate) no_calls: usize,
    /// The first of them, and what is wrong with each.
    pub(crate) named: BTreeMap<usize, String>,
    /// The slowest decisions, slowest first.
    pub(crate) slowest: Vec<Slow>,
    keep: usize,
}

impl Tally {
    /// Nothing seen. `keep` slow decisions are remembered.
    pub(crate) fn new(keep: usize) -> Self {
        Self {
            keep,
            ..Self::default()
        }
    }

    /// Counts a decision.
    pub(crate) fn decided(&mut self, seen: &Seen<'_>, now: Outcome, before: Option<Outcome>, took: Duration) {
        bump(self.outcomes.entry(now).or_default());
        if let Some(before) = before.filter(|before| before.effect != now.effect) {
            let change = self.changes.entry((before, now)).or_insert_with(|| Change {
                calls: 0,
                line: seen.number,
                record: excerpt(seen.line),
            });
            bump(&mut change.calls);
        }
        if self.slowest.len() < self.keep || self.slowest.last().is_some_and(|last| took > last.took) {
            self.slow(Slow {
                took,
                line: seen.number,
                record: excerpt(seen.line),
            });
        }
    }

    /// Counts a line that is no call.
    pub(crate) fn no_call(&mut self, number: usize, error: &NoCall) {
        bump(&mut self.no_calls);
        self.name(number, error.to_string());
    }

    /// Adds what another thread has seen.
    pub(crate) fn add(&mut self, other: Self) {
        for (outcome, calls) in other.outcomes {
            let sum = self.outcomes.entry(outcome).or_default();
            *sum = sum.saturating_add(calls);
        }
        for (key, change) in other.changes {
            let calls = self.changes.get(&key).map_or(0, |known| known.calls);
            let sum = calls.saturating_add(change.calls);
            let earlier = self
                .changes
                .remove(&key)
                .filter(|known| known.line < change.line)
                .unwrap_or(change);
            self.changes.insert(
                key,
                Change {
                    calls: sum,
                    ..earlier
                },
            );
        }
        self.no_calls = self.no_calls.saturating_add(other.no_calls);
        for (number, what) in other.named {
            self.name(number, what);
        }
        for slow in other.slowest {
            self.slow(slow);
        }
    }

    /// Calls of an effect.
    pub(crate) fn calls(&self, effect: Effect) -> usize {
        let of_effect = |(outcome, calls): (&Outcome, &usize)| (outcome.effect == effect).then_some(*calls);
        self.outcomes.iter().filter_map(of_effect).sum()
    }

    /// Calls that changed in this direction.
    pub(crate) fn changed(&self, widening: bool) -> usize {
        let in_direction = |((before, now), change): (&(Outcome, Outcome), &Change)| {
            (is_widening(before, now) == widening).then_some(change.calls)
        };
        self.changes.iter().filter_map(in_direction).sum()
    }

    fn name(&mut self, number: usize, what: String) {
        self.named.insert(number, what);
        if self.named.len() > NAMED {
            self.named.pop_last();
        }
    }

    fn slow(&mut self, slow: Slow) {
        let at = self.slowest.partition_point(|known| known.took >= slow.took);
        self.slowest.insert(at, slow);
        self.slowest.truncate(self.keep);
    }
}

/// Whether a change is towards allow.
pub(crate) fn is_widening(before: &Outcome, now: &Outcome) -> bool {
    now.effect > before.effect
}

fn bump(count: &mut usize) {
    *count = count.saturating_add(1);
}

/// The beginning of a record, as text.
fn excerpt(line: &[u8]) -> String {
    let beginning = line.get(..EXCERPT).unwrap_or(line);
    let mut text = String::from_utf8_lossy(beginning).into_owned();
    if beginning.len() < line.len() {
        // A character that the cut went through is no character of the record.
        text.truncate(text.trim_end_matches(char::REPLACEMENT_CHARACTER).len());
        text.push('…');
    }
    text
}
