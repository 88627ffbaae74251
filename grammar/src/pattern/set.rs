//! The inside of `[…]` to the token it means, as CPython 3.11's `fnmatch` and `re` together read it.
//!
//! `fnmatch` splits the inside into chunks at the hyphens that make ranges, mends reversed ranges by cutting both ends
//! away, writes the rest as a regular expression class and reads a `!` in front as `^`, also one that only came to the
//! front by the cutting. The same steps are taken here.

use super::{Set, Token};

/// What stands in a class of a regular expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Character(char),
    /// An unescaped hyphen: a range, where something stands on both sides.
    Hyphen,
}

/// The token for the set whose inside is `seq`.
pub(super) fn token(seq: &str) -> Token {
    let mut items = Vec::new();
    for (index, chunk) in mended(chunks(seq)).into_iter().enumerate() {
        if index > 0 {
            items.push(Item::Hyphen);
        }
        items.extend(chunk.into_iter().map(Item::Character));
    }
    match items.split_first() {
        None => Token::Set(Set {
            negated: false,
            ranges: Vec::new(),
        }),
        Some((Item::Character('!'), [])) => Token::Any,
        Some((Item::Character('!'), rest)) => Token::Set(Set {
            negated: true,
            ranges: ranges(rest),
        }),
        Some(_) => Token::Set(Set {
            negated: false,
            ranges: ranges(&items),
        }),
    }
}

/// The pieces between the hyphens that make ranges. A hyphen makes one unless it comes first (also after `!`), last, or
/// within two characters of the hyphen before it.
fn chunks(seq: &str) -> Vec<Vec<char>> {
    let first_hyphen = if seq.starts_with('!') { 2 } else { 1 };
    let mut chunks = Vec::new();
    let mut chunk = Vec::new();
    let mut due = first_hyphen;
    for (index, character) in seq.chars().enumerate() {
        if character == '-' && index >= due {
            chunks.push(std::mem::take(&mut chunk));
            due = index.saturating_add(3);
        } else {
            chunk.push(character);
        }
    }
    if chunk.is_empty()
        && let Some(last) = chunks.last_mut()
    {
        last.push('-');
    } else {
        chunks.push(chunk);
    }
    chunks
}

/// The chunks without reversed ranges: where a chunk's last character is greater than the next one's first, both are cut
/// away and the two chunks become one.
///
/// CPython goes from the last chunk to the first. The direction makes no difference: every chunk between two hyphens has
/// two characters or more, so cutting at one end never changes the other.
fn mended(chunks: Vec<Vec<char>>) -> Vec<Vec<char>> {
    let mut out: Vec<Vec<char>> = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        match out.last_mut() {
            Some(before) if before.last() > chunk.first() => {
                before.pop();
                before.extend(chunk.into_iter().skip(1));
            }
            _ => out.push(chunk),
        }
    }
    out
}

/// The ranges of a class, sorted and merged. A hyphen with nothing on one side is itself.
fn ranges(items: &[Item]) -> Vec<(char, char)> {
    let mut ranges = Vec::new();
    let mut rest = items;
    loop {
        rest = match rest {
            [] => break,
            [first, Item::Hyphen, last, after @ ..] => {
                let (first, last) = (character(*first), character(*last));
                if first <= last {
                    ranges.push((first, last));
                }
                after
            }
            [single, after @ ..] => {
                ranges.push((character(*single), character(*single)));
                after
            }
        };
    }
    merged(ranges)
}

fn character(item: Item) -> char {
    match item {
        Item::Character(character) => character,
        Item::Hyphen => '-',
    }
}

fn merged(mut ranges: Vec<(char, char)>) -> Vec<(char, char)> {
    ranges.sort_unstable();
    let mut out: Vec<(char, char)> = Vec::with_capacity(ranges.len());
    for (first, last) in ranges {
        match out.last_mut() {
            Some(previous) if touches(previous.1, first) => previous.1 = previous.1.max(last),
            _ => out.push((first, last)),
        }
    }
    out
}

/// Whether a range that ends with `last` and one that begins with `first`, no earlier one, are a single range.
fn touches(last: char, first: char) -> bool {
    first <= last || (last..=first).nth(2).is_none()
}
