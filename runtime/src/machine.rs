//! The machine of one tool: a subject to the smallest rank that matches, looking at few rules.
//!
//! TABLE: a machine is a run of `u32` words: a kind ([`LOOP`] or [`INDEX`]), the number of rules and their ranks, ascending.
//! An index goes on with two more such lists, the rules that match everything and the rules that must always be tried,
//! and then filters: one over beginnings, one over ends, and a counted number over grams (runs of 1 to 4 bytes that
//! stand anywhere). Every other rule stands in one filter, under a piece of literal text that each subject it matches
//! must hold, at that place. A filter tells from hashes which rules' pieces are there; those rules are then tried in
//! full. So the cost of a decision hardly depends on the number of rules, and the table is linear in the policy text.

mod filter;
mod hash;

use alloc::vec::Vec;

use crate::glob::{Guard, Pattern, Patterns, Texts};
use crate::rule::Classes;
use crate::table::words::{Cursor, index};
use filter::Filter;

pub use filter::kind as filter_kind;
pub use hash::{MAX_GRAM, beginning, end, gram, largest_tier, name};

/// Every rule in turn: best for few rules.
pub const LOOP: u32 = 0;
/// Filters first.
pub const INDEX: u32 = 1;

/// No rank found yet.
pub(crate) const NONE: u32 = u32::MAX;

/// What a rule asks before its pattern is looked at: small, since most rules end here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub(crate) guard: Guard,
    pub(crate) class: Classes,
    pub(crate) orders: u8,
}

/// The rest of a rule that decides.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    pub(crate) pattern: Pattern,
    /// The pattern's text up to its first star or question mark.
    pub(crate) beginning: core::ops::Range<usize>,
}

/// The rules of one table, by rank, and what their patterns and their texts point into.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'t> {
    pub(crate) gates: &'t [Gate],
    pub(crate) matchers: &'t [Matcher],
    pub(crate) patterns: &'t Patterns,
    pub(crate) programs: &'t [u8],
    pub(crate) strings: &'t [u8],
}

/// A machine, decoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    all: Vec<u32>,
    index: Option<Index>,
}

#[derive(Clone, Debug)]
struct Index {
    everything: Vec<u32>,
    always: Vec<u32>,
    beginnings: Filter,
    ends: Filter,
    grams: Vec<Filter>,
}

/// What is asked of a machine.
#[derive(Clone, Copy)]
pub(crate) struct Probe<'a> {
    /// What the patterns are held against.
    pub(crate) texts: Texts<'a>,
    /// `texts` in full, or something of which they are only the beginning.
    pub(crate) shape: Shape,
    /// Rules of other classes do not count.
    pub(crate) classes: Classes,
    /// The bit of the order asked: rules without it do not count.
    pub(crate) order: u8,
    /// Only rules that match everything count: the subject is empty, and the dialect is the layered one.
    pub(crate) only_everything: bool,
    /// Ruling 17a: names that the pattern's literal beginning must assign.
    pub(crate) assigned: &'a [&'a str],
}

/// What the probe's texts are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The whole subject.
    Whole,
    /// The subject's beginning up to a space, behind which anything or nothing may stand.
    Open,
    /// The subject up to a space, behind which something stands that only a star can take.
    Placeholder,
}

impl Machine {
    /// The smaller of `best` and the smallest rank of this machine that answers the probe.
    pub(crate) fn smallest(&self, rules: Rules<'_>, probe: &Probe<'_>, best: u32) -> u32 {
        let plain = probe.shape == Shape::Whole && probe.assigned.is_empty();
        match &self.index {
            Some(index) if plain => index.smallest(rules, probe, best, &self.all),
            Some(_) | None => first_of(rules, &self.all, probe, best),
        }
    }

    /// Reads a whole machine; `None` where anything in it is not as the format says.
    pub(crate) fn decode(words: &[u8], rules: u32) -> Option<Self> {
        let mut cursor = Cursor::new(words);
        let kind = cursor.u32()?;
        let all = ranks(&mut cursor, rules)?;
        let index_part = match kind {
            LOOP => None,
            INDEX => {
                let (everything, always) = (ranks(&mut cursor, rules)?, ranks(&mut cursor, rules)?);
                let beginnings = Filter::decode(&mut cursor, filter_kind::BEGINNINGS, rules)?;
                let ends = Filter::decode(&mut cursor, filter_kind::ENDS, rules)?;
                let count = Some(cursor.u32()?).filter(|count| *count <= MAX_GRAM)?;
                let grams = (0..count).map(|_| Filter::decode(&mut cursor, filter_kind::GRAMS, rules));
                Some(Index {
                    everything,
                    always,
                    beginnings,
                    ends,
                    grams: grams.collect::<Option<_>>()?,
                })
            }
            _ => return None,
        };
        cursor.is_empty().then_some(Self {
            all,
            index: index_part,
        })
    }
}

/// What one machine holds and does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachineCost {
    /// Rules in the machine.
    pub rules: usize,
    /// Rules that are tried on every call: all of them without filters, else those without a piece of literal text.
    pub tried: usize,
    /// Entries of the filters.
    pub entries: usize,
    /// Passes over the subject for one decision, the reading of a subject's two ends not counted.
    pub passes: usize,
}

impl Machine {
    /// What this machine holds and does.
    pub(crate) fn cost(&self) -> MachineCost {
        let rules = self.all.len();
        let Some(index) = &self.index else {
            return MachineCost {
                rules,
                tried: rules,
                entries: 0,
                passes: 0,
            };
        };
        let filters = index.grams.iter().chain([&index.beginnings, &index.ends]);
        MachineCost {
            rules,
            tried: index.everything.len().saturating_add(index.always.len()),
            entries: filters.map(Filter::len).sum(),
            passes: index.grams.len(),
        }
    }
}

/// A counted list of ranks that exist, ascending.
fn ranks(cursor: &mut Cursor<'_>, rules: u32) -> Option<Vec<u32>> {
    let count = cursor.u32()?;
    let ranks: Vec<u32> = cursor.words(count)?.iter().collect();
    let ascending = ranks.windows(2).all(|pair| pair.first() < pair.last());
    (ascending && ranks.last().is_none_or(|last| *last < rules)).then_some(ranks)
}

impl Index {
    fn smallest(&self, rules: Rules<'_>, probe: &Probe<'_>, best: u32, all: &[u32]) -> u32 {
        let best = first_of(rules, &self.everything, probe, best);
        if probe.only_everything {
            return best;
        }
        let folded = probe.texts.folded();
        let mut search = Search {
            rules,
            probe,
            best,
            budget: all.len().saturating_add(SPARE_CANDIDATES),
        };
        self.beginnings.beginnings(folded, &mut search);
        self.ends.ends(folded, &mut search);
        for filter in &self.grams {
            filter.grams(folded, &mut search);
        }
        // What was found holds in any case, so the plain loop need only look before it.
        let rest = if search.budget == 0 { all } else { &self.always };
        first_of(rules, rest, probe, search.best)
    }
}

/// LIMIT: a subject may meet the same piece at every byte. When the filters have shown this many entries more than there
/// are rules, the rules are tried one by one instead, so a decision costs at most twice the plain loop.
const SPARE_CANDIDATES: usize = 64;

/// A search through the filters.
struct Search<'s, 'a> {
    rules: Rules<'s>,
    probe: &'s Probe<'a>,
    best: u32,
    budget: usize,
}

impl Search<'_, '_> {
    /// Pays for looking at one entry. False when there were too many.
    #[inline]
    fn spend(&mut self) -> bool {
        let left = self.budget.checked_sub(1);
        self.budget = left.unwrap_or(0);
        left.is_some()
    }

    /// Tries a candidate that could still improve the answer.
    #[inline]
    fn offer(&mut self, rank: u32) {
        if rank < self.best && answers(self.rules, rank, self.probe) {
            self.best = rank;
        }
    }
}

/// The first rank of an ascending list that answers the probe, if it is smaller than `best`.
fn first_of(rules: Rules<'_>, ranks: &[u32], probe: &Probe<'_>, best: u32) -> u32 {
    for rank in ranks {
        if *rank >= best {
            break;
        }
        if answers(rules, *rank, probe) {
            return *rank;
        }
    }
    best
}

/// Whether the rule counts and its pattern matches.
#[inline]
pub(crate) fn answers(rules: Rules<'_>, rank: u32, probe: &Probe<'_>) -> bool {
    let at = index(rank);
    let Some(gate) = rules.gates.get(at) else {
        return false;
    };
    if gate.orders & probe.order == 0 || !gate.class.meets(probe.classes) {
        return false;
    }
    if probe.shape == Shape::Whole && !gate.guard.admits(&probe.texts) {
        return false;
    }
    rules
        .matchers
        .get(at)
        .is_some_and(|rule| matches(rules, rule, probe))
}

fn matches(rules: Rules<'_>, rule: &Matcher, probe: &Probe<'_>) -> bool {
    let Rules {
        patterns,
        programs,
        strings,
        ..
    } = rules;
    let beginning = || strings.get(rule.beginning.clone()).unwrap_or_default();
    if !probe.assigned.is_empty() && !assigns(beginning(), probe.assigned) {
        return false;
    }
    match probe.shape {
        Shape::Whole if probe.only_everything => rule.pattern.is_everything(),
        Shape::Whole => rule.pattern.matches(patterns, programs, &probe.texts),
        Shape::Open => rule.pattern.matches_open(patterns, programs, probe.texts.raw()),
        Shape::Placeholder => rule
            .pattern
            .matches_placeholder(patterns, programs, probe.texts.raw()),
    }
}

/// Whether a pattern's literal beginning holds `NAME=`, as a word's beginning, for every name.
fn assigns(literal: &[u8], names: &[&str]) -> bool {
    names.iter().all(|name| {
        let mut words = literal.split(|byte| *byte == b' ');
        words.any(|word| {
            word.strip_prefix(name.as_bytes())
                .is_some_and(|rest| rest.starts_with(b"="))
        })
    })
}
