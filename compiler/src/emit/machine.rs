//! The rules of one tool to its machine (`callgate_runtime::machine`).

use std::collections::BTreeMap;

use callgate_grammar::pattern::Token;
use callgate_runtime::machine::{INDEX, LOOP, MAX_GRAM, filter_kind};

use super::piece::{PAIR, Piece, choose, pieces};
use super::{EmitError, length};
use crate::normal::Matcher;
use crate::rank::Ranked;

/// Up to this many rules are tried one after another: below it the filters cost more than the rules.
const LOOP_MAX: usize = 12;

/// Up to this many rules, pieces that stand anywhere are looked for at every other place only, under two grams each: more
/// rules have more grams in common, and trying them costs more than looking at every place.
const PAIRED_MAX: usize = 128;

/// The machine of the rules with these ranks, ascending, as words.
pub(super) fn words(ranks: &[u32], rules: &[Ranked<'_>]) -> Result<Vec<u32>, EmitError> {
    let mut words = vec![if ranks.len() <= LOOP_MAX { LOOP } else { INDEX }];
    push_list(ranks, &mut words)?;
    if ranks.len() <= LOOP_MAX {
        return Ok(words);
    }
    let longest_gram = if ranks.len() <= PAIRED_MAX { PAIR } else { MAX_GRAM };
    let mut everything: Vec<(u32, u8, u8, bool)> = Vec::new();
    let mut indexed: Vec<u32> = Vec::new();
    let mut candidates: Vec<Vec<Piece>> = Vec::new();
    for (rank, ranked) in ranks.iter().filter_map(|rank| Some((*rank, rule(rules, *rank)?))) {
        if matches_everything(&ranked.rule.matcher) {
            // A later one of the same class and orders can never be the answer, unless it alone meets the empty text.
            let (class, orders) = (ranked.class.bits(), ranked.orders);
            let empty = matches_empty(&ranked.rule.matcher);
            let covered = everything
                .iter()
                .any(|(_, c, o, e)| *c == class && orders & !o == 0 && (*e || !empty));
            if !covered {
                everything.push((rank, class, orders, empty));
            }
        } else {
            indexed.push(rank);
            candidates.push(pieces(&ranked.rule.matcher, &ranked.rule.pattern, longest_gram));
        }
    }
    let everything: Vec<u32> = everything.iter().map(|(rank, ..)| *rank).collect();
    push_list(&everything, &mut words)?;
    let chosen = choose(&candidates);
    let always: Vec<u32> = indexed
        .iter()
        .zip(&chosen)
        .filter(|(_, piece)| piece.is_none())
        .map(|(rank, _)| *rank)
        .collect();
    push_list(&always, &mut words)?;
    let found: Vec<(Piece, u32)> = chosen
        .into_iter()
        .zip(indexed)
        .filter_map(|(piece, rank)| Some((piece?, rank)))
        .collect();
    push_filters(&found, &mut words)?;
    Ok(words)
}

fn rule<'r, 'p>(rules: &'r [Ranked<'p>], rank: u32) -> Option<&'r Ranked<'p>> {
    rules.get(usize::try_from(rank).ok()?)
}

/// Everything, or everything but the empty text.
fn matches_everything(matcher: &Matcher) -> bool {
    match matcher {
        Matcher::Everything => true,
        Matcher::Exact => false,
        Matcher::Glob { tokens, .. } => matches!(tokens.as_slice(), [Token::Star]),
    }
}

/// Whether a matcher of everything matches the empty text too: `*` does in the rules dialect only.
fn matches_empty(matcher: &Matcher) -> bool {
    match matcher {
        Matcher::Everything => true,
        Matcher::Exact => false,
        Matcher::Glob { lowered, .. } => lowered.is_some(),
    }
}

fn push_list(ranks: &[u32], words: &mut Vec<u32>) -> Result<(), EmitError> {
    words.push(length(ranks.len())?);
    words.extend(ranks);
    Ok(())
}

fn push_filters(found: &[(Piece, u32)], words: &mut Vec<u32>) -> Result<(), EmitError> {
    let (mut beginnings, mut ends) = (FilterBuilder::default(), FilterBuilder::default());
    let mut grams: BTreeMap<u32, FilterBuilder> = BTreeMap::new();
    // One rule whose longest piece is a single gram makes every place be asked; the others need their second gram no more.
    let has = |wanted: u32| {
        found
            .iter()
            .any(|(piece, _)| matches!(piece, Piece::Gram { length, .. } if *length == wanted))
    };
    let paired = has(PAIR) && !has(MAX_GRAM);
    for (piece, rank) in found {
        match *piece {
            Piece::Beginning { length, hash } => beginnings.add(tier_bit(length), hash, *rank),
            Piece::End { length, hash } => ends.add(tier_bit(length), hash, *rank),
            Piece::Gram { length, hash, second } => {
                let filter = grams.entry(length.min(MAX_GRAM)).or_default();
                filter.add(0, hash, *rank);
                if paired && length == PAIR {
                    filter.add(0, second, *rank);
                }
            }
        }
    }
    beginnings.push(filter_kind::BEGINNINGS, 0, 0, words)?;
    ends.push(filter_kind::ENDS, 0, 0, words)?;
    words.push(length(grams.len())?);
    for (gram, filter) in grams.into_iter().rev() {
        let step = if paired && gram == MAX_GRAM { 2 } else { 1 };
        filter.push(filter_kind::GRAMS, gram, step, words)?;
    }
    Ok(())
}

/// The bit of a length in a filter's mask of tiers.
fn tier_bit(length: u32) -> u32 {
    match length {
        1 => 1,
        2 => 2,
        longer => 1 << (longer / 4 + 1),
    }
}

#[derive(Default)]
struct FilterBuilder {
    tiers: u32,
    entries: Vec<(u32, u32)>,
}

impl FilterBuilder {
    fn add(&mut self, tier: u32, hash: u32, rank: u32) {
        self.tiers |= tier;
        self.entries.push((hash, rank));
    }

    fn push(mut self, kind: u32, gram: u32, step: u32, words: &mut Vec<u32>) -> Result<(), EmitError> {
        let count = self.entries.len();
        if count == 0 {
            words.extend([kind, gram, step, 0, 0, 0, 0]);
            return Ok(());
        }
        // Hash order is bucket order, since the bucket is the hash's top bits.
        self.entries.sort_unstable();
        let bits_log = log_of(count.saturating_mul(64), 8)
            .min(SMALL_BITS)
            .max(log_of(count.saturating_mul(16), 8));
        let buckets_log = log_of(count.saturating_mul(2), 1);
        words.extend([
            kind,
            gram,
            step,
            self.tiers,
            bits_log,
            buckets_log,
            length(count)?,
        ]);
        let mut bits = vec![0_u32; 1 << (bits_log - 5)];
        let mut starts = vec![0_u32; (1 << buckets_log) + 1];
        for (hash, _) in &self.entries {
            let bit = hash & ((1 << bits_log) - 1);
            if let Some(word) = bits.get_mut(place(bit >> 5)) {
                *word |= 1 << (bit & 31);
            }
            if let Some(start) = starts.get_mut(place(hash >> (32 - buckets_log)) + 1) {
                *start += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        words.extend(bits);
        words.extend(starts);
        words.extend(self.entries.iter().flat_map(|(hash, rank)| [*hash, *rank]));
        Ok(())
    }
}

/// Up to 16 KiB a filter spends 64 bits an entry, beyond it 16.
const SMALL_BITS: u32 = 17;

/// The logarithm of the power of two that holds `count`, within what a filter allows.
fn log_of(count: usize, least: u32) -> u32 {
    count.next_power_of_two().trailing_zeros().clamp(least, 24)
}

fn place(word: u32) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}
