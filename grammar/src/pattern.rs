//! Rule patterns: glob text to tokens, through `pattern.pest`.
//!
//! The rules dialect means exactly what CPython 3.11's `fnmatch.translate` means (page 20), the strange corners of
//! sets included (`set`); the layered dialect has no sets.

mod set;

use pest::Parser as _;
use pest::iterators::Pair;

use self::grammar::{Grammar, Rule};

/// Which glob language a pattern is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// The rules dialect: `fnmatch` with `*`, `?`, `[seq]`, `[!seq]` (page 20).
    Fnmatch,
    /// The layered dialect: `*` and `?` only (page 30).
    Layered,
}

/// One step of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// Any run of characters, also none. Never two in a row.
    Star,
    /// Exactly one character, any.
    Any,
    /// This character.
    Char(char),
    /// One character of a set.
    Set(Set),
}

/// `[seq]` or `[!seq]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Set {
    /// `[!seq]`: every character that is in none of the ranges.
    pub negated: bool,
    /// Inclusive ranges, sorted, not touching; empty for a set that nothing is in (`[z-a]`).
    pub ranges: Vec<(char, char)>,
}

impl Set {
    /// Whether `character` is one of the set.
    pub fn contains(&self, character: char) -> bool {
        let after = self.ranges.partition_point(|(first, _)| *first <= character);
        let in_ranges = after
            .checked_sub(1)
            .and_then(|index| self.ranges.get(index))
            .is_some_and(|(_, last)| character <= *last);
        in_ranges != self.negated
    }
}

/// The grammar. A module of its own keeps the rules that pest generates out of the public interface.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "pattern.pest"]
    pub(super) struct Grammar;
}

/// The tokens of `text`, a Unicode scalar value each. Total: every text is a pattern. Time and memory are linear in
/// the length of the text, but for the sorting of each set.
pub fn parse(text: &str, flavor: Flavor) -> Vec<Token> {
    // Only a `[` before the last `]` can open a set. Looking for the end of every other one would take quadratic time.
    let (with_sets, without_sets) = match flavor {
        Flavor::Fnmatch => {
            let end = text.rfind(']').map_or(0, |last| last.saturating_add(1));
            text.split_at_checked(end).unwrap_or((text, ""))
        }
        Flavor::Layered => ("", text),
    };
    let mut tokens = Vec::new();
    push_tokens(&mut tokens, Rule::fnmatch, with_sets);
    push_tokens(&mut tokens, Rule::wildcards, without_sets);
    tokens
}

fn push_tokens(tokens: &mut Vec<Token>, rule: Rule, text: &str) {
    // INVARIANT: both rules match every text, for each character starts one of their alternatives.
    for pattern in Grammar::parse(rule, text).into_iter().flatten() {
        for pair in pattern.into_inner() {
            push_token(tokens, &pair);
        }
    }
}

fn push_token(tokens: &mut Vec<Token>, pair: &Pair<'_, Rule>) {
    match pair.as_rule() {
        Rule::stars => tokens.push(Token::Star),
        Rule::any => tokens.push(Token::Any),
        Rule::set => {
            let seq = pair
                .as_str()
                .strip_prefix('[')
                .and_then(|set| set.strip_suffix(']'));
            tokens.push(set::token(seq.unwrap_or_default()));
        }
        Rule::literal | Rule::bracketed | Rule::bracket => {
            tokens.extend(pair.as_str().chars().map(Token::Char));
        }
        Rule::EOI | Rule::seq | Rule::fnmatch | Rule::wildcards => {}
    }
}

#[cfg(test)]
mod tests;
