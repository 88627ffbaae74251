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

pub use filter::kind as filter_kind;
pub use hash::{MAX_GRAM, beginning, end, gram, largest_tier, name};

use crate::glob::{self, Texts};
use crate::rule::{Classes, Text};
use crate::table::Table;
use crate::table::words::{Cursor, Words};
use filter::Filter;

/// Every rule in turn: best for few rules.
pub const LOOP: u32 = 0;
/// Filters first.
pub const INDEX: u32 = 1;

/// No rank found yet.
pub(crate) const NONE: u32 = u32::MAX;

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
    /// An empty text is matched by rules that match everything, and by no other.
    pub(crate) empty_is_special: bool,
    /// Ruling 17a: names that the pattern's literal beginning must assign.
    pub(crate) assigned: &'a [&'a str],
}

/// The three kinds of [`Text`], without it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Whole,
    Open,
    Placeholder,
}

impl Shape {
    pub(crate) fn of(text: &Text<'_>) -> Self {
        match text {
            Text::Whole(_) => Self::Whole,
            Text::Open(_) => Self::Open,
            Text::Placeholder(_) => Self::Placeholder,
        }
    }
}

/// The smaller of `best` and the smallest rank of the machine at `words` that answers the probe.
pub(crate) fn smallest(table: &Table, words: &[u8], probe: &Probe<'_>, best: u32) -> u32 {
    run(table, words, probe, best).unwrap_or(best)
}

fn run(table: &Table, words: &[u8], probe: &Probe<'_>, best: u32) -> Option<u32> {
    let mut cursor = Cursor::new(words);
    let kind = cursor.u32()?;
    let count = cursor.u32()?;
    let all = cursor.words(count)?;
    let plain = probe.shape == Shape::Whole && probe.assigned.is_empty();
    if kind == LOOP || !plain {
        return Some(first_of(table, all, probe, best));
    }
    let mut search = Search { table, probe, best };
    let everything = list(&mut cursor)?;
    search.best = first_of(table, everything, probe, search.best);
    if probe.empty_is_special && probe.texts.raw.is_empty() {
        return Some(search.best);
    }
    let always = list(&mut cursor)?;
    let beginnings = Filter::read(&mut cursor)?;
    let ends = Filter::read(&mut cursor)?;
    let folded = probe.texts.folded;
    beginnings.beginnings(folded, |rank| search.offer(rank));
    ends.ends(folded, |rank| search.offer(rank));
    for _ in 0..cursor.u32()? {
        Filter::read(&mut cursor)?.grams(folded, |rank| search.offer(rank));
    }
    Some(first_of(table, always, probe, search.best))
}

fn list<'a>(cursor: &mut Cursor<'a>) -> Option<Words<'a>> {
    let count = cursor.u32()?;
    cursor.words(count)
}

/// The first rank of an ascending list that answers the probe, if it is smaller than `best`.
fn first_of(table: &Table, ranks: Words<'_>, probe: &Probe<'_>, best: u32) -> u32 {
    ranks.iter().take_while(|rank| *rank < best).find(|rank| answers(table, *rank, probe)).unwrap_or(best)
}

struct Search<'s, 'a> {
    table: &'s Table,
    probe: &'s Probe<'a>,
    best: u32,
}

impl Search<'_, '_> {
    /// Tries a candidate that could still improve the answer.
    #[inline]
    fn offer(&mut self, rank: u32) {
        if rank < self.best && answers(self.table, rank, self.probe) {
            self.best = rank;
        }
    }
}

/// Whether the rule counts and its pattern matches.
fn answers(table: &Table, rank: u32, probe: &Probe<'_>) -> bool {
    let Some(rule) = table.key(rank) else { return false };
    if rule.orders & probe.order == 0 || !rule.class.meets(probe.classes) {
        return false;
    }
    let pattern = table.text_bytes(rule.pattern);
    if !probe.assigned.is_empty() && !assigns(pattern, probe.assigned) {
        return false;
    }
    match probe.shape {
        Shape::Whole if probe.empty_is_special && probe.texts.raw.is_empty() => glob::is_everything(rule.program),
        Shape::Whole => glob::matches(rule.program, pattern, probe.texts),
        Shape::Open => glob::matches_open(rule.program, pattern, probe.texts.raw),
        Shape::Placeholder => glob::matches_placeholder(rule.program, probe.texts.raw),
    }
}

/// Whether the pattern's literal beginning holds `NAME=`, as a word's beginning, for every name.
fn assigns(pattern: &[u8], names: &[&str]) -> bool {
    let literal = pattern.split(|byte| matches!(byte, b'*' | b'?')).next().unwrap_or_default();
    names.iter().all(|name| {
        let mut words = literal.split(|byte| *byte == b' ');
        words.any(|word| word.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b"=")))
    })
}

/// Reads a whole machine once, so that every later read of it stays inside.
pub(crate) fn validate(words: &[u8], rules: u32) -> Option<()> {
    let mut cursor = Cursor::new(words);
    let kind = cursor.u32()?;
    validate_list(list(&mut cursor)?, rules)?;
    match kind {
        LOOP => {}
        INDEX => {
            validate_list(list(&mut cursor)?, rules)?;
            validate_list(list(&mut cursor)?, rules)?;
            Filter::read(&mut cursor)?.validate(filter_kind::BEGINNINGS, rules)?;
            Filter::read(&mut cursor)?.validate(filter_kind::ENDS, rules)?;
            let grams = cursor.u32()?;
            if grams > MAX_GRAM {
                return None;
            }
            for _ in 0..grams {
                Filter::read(&mut cursor)?.validate(filter_kind::GRAMS, rules)?;
            }
        }
        _ => return None,
    }
    cursor.is_empty().then_some(())
}

/// Ranks that exist, ascending.
fn validate_list(ranks: Words<'_>, rules: u32) -> Option<()> {
    let mut least = 0;
    for rank in ranks.iter() {
        if rank < least || rank >= rules {
            return None;
        }
        least = rank.checked_add(1)?;
    }
    Some(())
}
