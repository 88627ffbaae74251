//! Choices and patterns to subjects that are near the patterns: most match one of them, or miss it by a character.

use callgate_grammar::pattern::{Flavor, Token, parse};

use super::Choices;
use super::pattern::{character, word};

/// Longest subject, in characters.
const MAX_LEN: usize = 5_000;

/// Pairs that no one-to-one mapping gives, or that only look like pairs.
const STRANGE: &[(char, char)] = &[
    ('k', '\u{212A}'),
    ('å', '\u{212B}'),
    ('ω', '\u{2126}'),
    ('i', 'İ'),
    ('i', 'ı'),
    ('s', 'ſ'),
    ('ß', 'ẞ'),
    ('σ', 'ς'),
    ('Σ', 'ς'),
    ('µ', 'μ'),
    ('ǆ', 'ǅ'),
];

/// What makes a command line more than one command, and what only looks so.
const OPERATORS: &[&str] = &[
    ";", "&&", "||", "|", "`", "$(", "<", ">", "\n", "&", "$", "(", "\r", "\\;",
];

/// A subject: one of the patterns filled in, or a text of its own; then changed a little, or made long.
pub fn near(choices: &mut Choices<'_>, patterns: &[&str]) -> String {
    let long = choices.chance(25);
    let mut text: Vec<char> = if patterns.is_empty() || choices.chance(15) {
        filler(choices, patterns, long)
    } else {
        let pattern = *choices.pick(patterns);
        filled(choices, pattern, patterns, long)
    };
    for _ in 0..choices.below(3) {
        change(choices, &mut text);
    }
    if choices.chance(30) {
        for character in &mut text {
            *character = other_case(choices, *character);
        }
    }
    let ascii = choices.chance(50);
    text.truncate(MAX_LEN);
    text.into_iter()
        .map(|character| {
            if ascii && !character.is_ascii() {
                'a'
            } else {
                character
            }
        })
        .collect()
}

/// A text that the pattern matches, but for sets that nothing is in.
fn filled(choices: &mut Choices<'_>, pattern: &str, patterns: &[&str], long: bool) -> Vec<char> {
    let mut text = Vec::new();
    for token in parse(pattern, Flavor::Fnmatch) {
        match token {
            Token::Star => text.extend(filler(choices, patterns, long)),
            Token::Any => text.push(character(choices)),
            Token::Char(character) => text.push(character),
            Token::Set(set) => {
                let inside = set.ranges.get(choices.below(set.ranges.len().max(1)));
                match inside {
                    Some((low, high)) if !set.negated => {
                        text.push(if choices.chance(50) { *high } else { *low })
                    }
                    Some(_) | None => text.push(character(choices)),
                }
            }
        }
    }
    text
}

/// What a star may stand for: nothing, words, pieces of other patterns, or one of these very often.
fn filler(choices: &mut Choices<'_>, patterns: &[&str], long: bool) -> Vec<char> {
    let mut piece: Vec<char> = match choices.below(6) {
        0 => Vec::new(),
        1 | 2 => word(choices).chars().collect(),
        3 => (0..choices.below(5)).map(|_| character(choices)).collect(),
        4 if !patterns.is_empty() => choices
            .pick(patterns)
            .chars()
            .filter(|c| !matches!(c, '*' | '?'))
            .collect(),
        _ => "ab".chars().collect(),
    };
    if long && !piece.is_empty() {
        let length = *choices.pick(&[40, 64, 65, 300, 512, 513, 1_000, 1_024, 1_025, 2_500, 4_000]);
        let once = piece.len();
        piece = piece.into_iter().cycle().take(length.max(once)).collect();
    }
    piece
}

fn change(choices: &mut Choices<'_>, text: &mut Vec<char>) {
    let at = choices.below(text.len() + 1);
    match choices.below(5) {
        0 if at < text.len() => {
            text.remove(at);
        }
        1 => text.insert(at, character(choices)),
        2 if at < text.len() => text[at] = other_case(choices, text[at]),
        3 => {
            text.splice(at..at, choices.pick(OPERATORS).chars());
        }
        _ => {
            let inserted = word(choices).chars();
            text.splice(at..at, inserted);
        }
    }
}

/// The character in another case, or a character that some idea of case takes for the same; often the character itself.
pub fn other_case(choices: &mut Choices<'_>, character: char) -> char {
    let strange = STRANGE.iter().find_map(|(a, b)| match character {
        c if c == *a => Some(*b),
        c if c == *b => Some(*a),
        _ => None,
    });
    let upper = single(character.to_uppercase());
    let lower = single(character.to_lowercase());
    match choices.below(4) {
        0 => character,
        1 => upper.unwrap_or(character),
        2 => lower.unwrap_or(character),
        _ => strange.or(upper).unwrap_or(character),
    }
}

fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next();
    if characters.next().is_none() { first } else { None }
}
