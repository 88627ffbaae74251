//! One engine for the option tables of page 33: a table's row in compact notation and the words of a command to what
//! each word is, letter by letter.

use super::text;
use super::word::{Arg, Word, Words};

/// The options of one program.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    /// Letters without a value (`-v`).
    pub(super) flags: &'static str,
    /// Letters that take a value: the rest of the word, else the next word (`-k V`).
    pub(super) valued: &'static str,
    /// Letters whose value is optional and only ever in the same word (`-i[V]`).
    pub(super) optional: &'static str,
    /// Long names, apart by spaces: `name` has no value, `name=` takes one, `name?` may take one in the same word,
    /// `name:` takes one in the next word only, `name+` one in either, whatever the quirks say.
    pub(super) long: &'static str,
    /// What is different about this program.
    pub(super) quirks: u8,
}

/// `-NUM` is an option.
pub(super) const NUMBER: u8 = 1;
/// One letter a word.
pub(super) const NO_CLUSTERS: u8 = 1 << 1;
/// `--name=` is one word only (tables A and git).
pub(super) const SAME_WORD: u8 = 1 << 2;
/// A letter with a value stands alone in its word (table A).
pub(super) const VALUE_ALONE: u8 = 1 << 3;
/// The value of a letter is always the next word (`tree`).
pub(super) const NEXT_WORD: u8 = 1 << 4;
/// `-` is an option (`env`).
pub(super) const MINUS: u8 = 1 << 5;
/// Words that are not literal are operands, whatever they begin with (table D).
pub(super) const LENIENT: u8 = 1 << 6;

/// What a word is to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'w> {
    /// An option; the next word to look at.
    Option {
        /// The letters of the word, bit by bit ([`letter`]); none for a long option.
        letters: u128,
        /// The long name.
        long: &'static str,
        /// The value, if it has one.
        value: Option<Value<'w>>,
        /// Where to go on.
        next: usize,
    },
    /// `--`
    EndOfOptions,
    /// An operand.
    Operand,
    /// No word.
    End,
    /// The table does not account for it.
    Unknown,
    /// It should be literal and is not, or nothing is known about it.
    NotLiteral,
}

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value<'w> {
    /// Its unquoted text.
    pub(super) text: &'w str,
    /// The word it is or ends.
    pub(super) index: usize,
    /// Where in that word it begins.
    pub(super) offset: usize,
    /// Nothing in it is expanded.
    pub(super) literal: bool,
}

/// The bit of a letter in [`Step::Option`]'s `letters`.
pub(super) const fn letter(byte: u8) -> u128 {
    1_u128 << (byte & 127)
}

impl Options {
    /// What the word at `index` is.
    pub(super) fn step<'w>(&self, words: Words<'w>, index: usize) -> Step<'w> {
        let (word, text) = match words.get(index) {
            Arg::Word(word, text) => (word, text),
            Arg::Unknown => return Step::NotLiteral,
            Arg::End => return Step::End,
        };
        if self.quirks & LENIENT != 0 && !word.is_literal() {
            return Step::Operand;
        }
        let plain = word.literal.saturating_sub(word.start);
        let Some(rest) = text.strip_prefix("-") else {
            return if word.is_literal() {
                Step::Operand
            } else {
                Step::NotLiteral
            };
        };
        if plain == 0 || (!word.is_literal() && !word.is_single()) {
            return Step::NotLiteral;
        }
        if rest.is_empty() {
            return match self.quirks & MINUS {
                0 => Step::Operand,
                _ => Step::Option {
                    letters: letter(b'-'),
                    long: "",
                    value: None,
                    next: index.wrapping_add(1),
                },
            };
        }
        if let Some(name) = rest.strip_prefix("-") {
            if name.is_empty() {
                return if word.is_literal() {
                    Step::EndOfOptions
                } else {
                    Step::NotLiteral
                };
            }
            return self.long_option(words, index, word, name);
        }
        if self.quirks & NUMBER != 0 && word.is_literal() && rest.bytes().all(|byte| byte.is_ascii_digit()) {
            return Step::Option {
                letters: 0,
                long: "",
                value: None,
                next: index.wrapping_add(1),
            };
        }
        self.cluster(words, index, word, rest)
    }

    /// `-abc`, `-abV`, `-ab V`.
    fn cluster<'w>(&self, words: Words<'w>, index: usize, word: Word, rest: &'w str) -> Step<'w> {
        let next = index.wrapping_add(1);
        let mut letters = 0;
        for (place, byte) in rest.bytes().enumerate() {
            let alone = place == 0 && (self.quirks & NO_CLUSTERS == 0 || rest.len() == 1);
            let offset = place.wrapping_add(2);
            let tail = text::from(rest, offset.saturating_sub(1));
            if !byte.is_ascii() {
                return Step::Unknown;
            }
            if word.start.wrapping_add(offset) > word.literal {
                return Step::NotLiteral;
            }
            letters |= letter(byte);
            if holds(self.flags, byte) {
                if self.quirks & NO_CLUSTERS != 0 && !alone {
                    return Step::Unknown;
                }
                continue;
            }
            let first_only = self.quirks & (NO_CLUSTERS | VALUE_ALONE) != 0;
            if first_only && place > 0 {
                return Step::Unknown;
            }
            if holds(self.optional, byte) {
                let value = (!tail.is_empty()).then_some(Value {
                    text: tail,
                    index,
                    offset,
                    literal: word.is_literal(),
                });
                return Step::Option {
                    letters,
                    long: "",
                    value,
                    next,
                };
            }
            if !holds(self.valued, byte) {
                return Step::Unknown;
            }
            if tail.is_empty() {
                return self.next_value(words, next, letters, "");
            }
            if self.quirks & NEXT_WORD != 0 {
                return Step::Unknown;
            }
            let value = Value {
                text: tail,
                index,
                offset,
                literal: word.is_literal(),
            };
            return Step::Option {
                letters,
                long: "",
                value: Some(value),
                next,
            };
        }
        if word.is_literal() {
            Step::Option {
                letters,
                long: "",
                value: None,
                next,
            }
        } else {
            Step::NotLiteral
        }
    }

    /// `--name`, `--name=V`, `--name V`.
    fn long_option<'w>(&self, words: Words<'w>, index: usize, word: Word, name: &'w str) -> Step<'w> {
        let next = index.wrapping_add(1);
        let (name, value) = match text::cut(name, b'=') {
            Some((name, value)) => (name, Some(value)),
            None => (name, None),
        };
        let value_offset = name.len().wrapping_add(3);
        if !word.is_literal() && (value.is_none() || word.start.wrapping_add(value_offset) > word.literal) {
            return Step::NotLiteral;
        }
        let value = value.map(|text| Value {
            text,
            index,
            offset: value_offset,
            literal: word.is_literal(),
        });
        for row in each(self.long) {
            let long = bare_name(row);
            if long != name || name.is_empty() {
                continue;
            }
            let option = Step::Option {
                letters: 0,
                long,
                value,
                next,
            };
            return match (row.as_bytes().last(), value) {
                (Some(b'='), None) if self.quirks & SAME_WORD != 0 => Step::Unknown,
                (Some(b'=' | b':' | b'+'), None) => self.next_value(words, next, 0, long),
                (Some(b'=' | b'?' | b'+'), _) => option,
                (_, None) => option,
                (_, Some(_)) => Step::Unknown,
            };
        }
        Step::Unknown
    }

    /// An option whose value is the word at `index`, whatever that looks like.
    fn next_value<'w>(&self, words: Words<'w>, index: usize, letters: u128, long: &'static str) -> Step<'w> {
        match words.get(index) {
            Arg::Word(word, text) if word.is_single() || self.quirks & LENIENT != 0 => Step::Option {
                letters,
                long,
                value: Some(Value {
                    text,
                    index,
                    offset: 0,
                    literal: word.is_literal(),
                }),
                next: index.wrapping_add(1),
            },
            Arg::Word(..) | Arg::Unknown => Step::NotLiteral,
            Arg::End => Step::Unknown,
        }
    }
}

/// The name of a long option without what says whether it takes a value.
fn bare_name(row: &str) -> &str {
    let marked = matches!(row.as_bytes().last(), Some(b'=' | b'?' | b':' | b'+'));
    text::part(row, 0, row.len().saturating_sub(usize::from(marked)))
}

/// Whether a list of letters holds one.
fn holds(letters: &str, byte: u8) -> bool {
    letters.as_bytes().contains(&byte)
}

/// Whether a list of names, apart by spaces, holds one.
pub(super) fn listed(names: &str, name: &str) -> bool {
    !name.is_empty() && each(names).any(|listed| listed == name)
}

/// The names of a list, apart by spaces.
pub(super) fn each(names: &str) -> impl Iterator<Item = &str> {
    Each(names)
}

/// Cheaper than `str::split` on lists this short.
struct Each<'n>(&'n str);

impl<'n> Iterator for Each<'n> {
    type Item = &'n str;

    #[inline]
    fn next(&mut self) -> Option<&'n str> {
        if self.0.is_empty() {
            return None;
        }
        let end = self
            .0
            .bytes()
            .position(|byte| byte == b' ')
            .unwrap_or(self.0.len());
        let name = text::part(self.0, 0, end);
        self.0 = text::from(self.0, end.wrapping_add(1));
        Some(name)
    }
}
