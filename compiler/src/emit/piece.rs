//! A pattern to the pieces of literal text that every subject it matches must hold, and the choice of one of them.

use std::collections::BTreeMap;

use callgate_grammar::pattern::Token;
use callgate_runtime::machine::{MAX_GRAM, beginning, end, gram, largest_tier};

use super::program::{literal_tokens, segments};
use crate::normal::Matcher;

/// A piece by which a rule is found: what kind, how long, and the hash of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Piece {
    /// The first `length` bytes.
    Beginning { length: u32, hash: u32 },
    /// The last `length` bytes.
    End { length: u32, hash: u32 },
    /// `length` bytes anywhere. For the longest, one byte longer than a gram, the hashes of its two grams.
    Gram { length: u32, hash: u32, second: u32 },
}

impl Piece {
    /// What filters are asked for this piece: two grams where it is a pair, else itself.
    fn asked(&self) -> impl Iterator<Item = Self> + use<> {
        let (first, second) = match *self {
            Self::Gram {
                length: PAIR,
                hash,
                second,
            } => {
                let gram = |hash| Self::Gram {
                    length: MAX_GRAM,
                    hash,
                    second: 0,
                };
                (gram(hash), Some(gram(second)))
            }
            single => (single, None),
        };
        core::iter::once(first).chain(second)
    }
}

/// All pieces of a rule, whose text is `pattern`, with none that stands anywhere longer than `longest_gram`. No piece at
/// all for a rule that must always be tried.
pub(super) fn pieces(matcher: &Matcher, pattern: &str, longest_gram: u32) -> Vec<Piece> {
    match matcher {
        Matcher::Everything => Vec::new(),
        Matcher::Exact => pieces_of(&literal_tokens(pattern), longest_gram),
        Matcher::Glob { tokens, lowered } => pieces_of(lowered.as_deref().unwrap_or(tokens), longest_gram),
    }
}

fn pieces_of(tokens: &[Token], longest_gram: u32) -> Vec<Piece> {
    let mut found = Vec::new();
    let first_run = literal(tokens.iter());
    if let Some(length) = largest_tier(first_run.len()) {
        found.push(Piece::Beginning {
            length,
            hash: beginning(taken(&first_run, length)),
        });
    }
    let last_run = reversed_literal(tokens);
    if let Some(length) = largest_tier(last_run.len()) {
        let start = last_run.len().saturating_sub(wide(length));
        found.push(Piece::End {
            length,
            hash: end(last_run.get(start..).unwrap_or_default()),
        });
    }
    found.extend(grams(tokens, longest_gram));
    found
}

/// Grams of the longest length that some literal run has.
fn grams(tokens: &[Token], longest_gram: u32) -> Vec<Piece> {
    let runs: Vec<Vec<u8>> = segments(tokens).flat_map(literal_runs).collect();
    let longest = runs.iter().map(Vec::len).max().unwrap_or(0);
    let length = u32::try_from(longest).unwrap_or(longest_gram).min(longest_gram);
    if length == 0 {
        return Vec::new();
    }
    let windows = runs.iter().flat_map(|run| run.windows(wide(length)));
    windows.map(|window| gram_piece(window, length)).collect()
}

/// Length of the longest piece that stands anywhere: two grams that overlap in all but one byte.
pub(super) const PAIR: u32 = MAX_GRAM + 1;

fn gram_piece(window: &[u8], length: u32) -> Piece {
    match window.split_last() {
        Some((_, first)) if length == PAIR => Piece::Gram {
            length,
            hash: gram(first),
            second: gram(window.get(1..).unwrap_or_default()),
        },
        Some(_) | None => Piece::Gram {
            length,
            hash: gram(window),
            second: 0,
        },
    }
}

fn literal_runs(segment: &[Token]) -> Vec<Vec<u8>> {
    let is_char = |token: &Token| matches!(token, Token::Char(_));
    segment
        .split(|token| !is_char(token))
        .map(|run| literal(run.iter()))
        .filter(|run| !run.is_empty())
        .collect()
}

/// The bytes of the leading run of characters.
fn literal<'t>(tokens: impl Iterator<Item = &'t Token>) -> Vec<u8> {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Char(character) => text.push(*character),
            Token::Star | Token::Any | Token::Set(_) => break,
        }
    }
    text.into_bytes()
}

/// The bytes of the trailing run of characters.
fn reversed_literal(tokens: &[Token]) -> Vec<u8> {
    let run = tokens
        .iter()
        .rev()
        .take_while(|token| matches!(token, Token::Char(_)))
        .count();
    literal(tokens.iter().skip(tokens.len().saturating_sub(run)))
}

fn taken(text: &[u8], length: u32) -> &[u8] {
    text.get(..wide(length)).unwrap_or_default()
}

fn wide(length: u32) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

/// For each rule the piece that the fewest rules share, a beginning or an end before a gram: those cost no pass over
/// the subject.
pub(super) fn choose(candidates: &[Vec<Piece>]) -> Vec<Option<Piece>> {
    let mut crowds: BTreeMap<Piece, usize> = BTreeMap::new();
    for piece in candidates.iter().flatten().flat_map(Piece::asked) {
        *crowds.entry(piece).or_default() += 1;
    }
    let crowd = |piece: &Piece| {
        piece
            .asked()
            .filter_map(|asked| crowds.get(&asked))
            .sum::<usize>()
    };
    let cost = |piece: &Piece| match piece {
        Piece::Beginning { .. } | Piece::End { .. } => crowd(piece),
        Piece::Gram { length, .. } => {
            let rarity = wide(MAX_GRAM.saturating_sub(*length));
            crowd(piece)
                .saturating_add(SCAN_COST)
                .saturating_mul(1 + rarity * 4)
        }
    };
    candidates
        .iter()
        .map(|pieces| pieces.iter().copied().min_by_key(|piece| (cost(piece), *piece)))
        .collect()
}

/// How many more rules a beginning or an end may share before a gram is better.
const SCAN_COST: usize = 3;
