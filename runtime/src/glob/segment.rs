//! One segment of a glob, what stands between two stars, placed in a text.

use core::ops::Range;

use super::code;
use crate::table::words::Cursor;

/// Where the plain search for a text gives way to the standard library's two-way search. LIMIT: below it the plain
/// search is faster; above it the plain search could take length times pattern.
const LONG: usize = 512;

/// A segment whose body stands in the program bytes.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// How many characters it takes.
    pub(super) chars: usize,
    /// The body is the text itself, not items.
    pub(super) is_text: bool,
    /// Where the body stands.
    pub(super) body: Range<usize>,
}

impl Segment {
    fn body<'p>(&self, programs: &'p [u8]) -> &'p [u8] {
        programs.get(self.body.clone()).unwrap_or_default()
    }

    /// What follows the segment at the front of `text`.
    #[inline]
    pub(super) fn strip_front<'t>(&self, programs: &[u8], text: &'t [u8]) -> Option<&'t [u8]> {
        if self.is_text {
            return text.strip_prefix(self.body(programs));
        }
        let mut items = Cursor::new(self.body(programs));
        let mut rest = text;
        while !items.is_empty() {
            rest = step(&mut items, rest)?;
        }
        Some(rest)
    }

    /// What stands before the segment at the end of `text`.
    #[inline]
    pub(super) fn strip_back<'t>(&self, programs: &[u8], text: &'t [u8]) -> Option<&'t [u8]> {
        if self.is_text {
            return text.strip_suffix(self.body(programs));
        }
        let start = self.start_from_end(text)?;
        let (before, end) = text.split_at_checked(start)?;
        self.strip_front(programs, end)?.is_empty().then_some(before)
    }

    /// What follows the segment at its leftmost place in `text`.
    #[inline]
    pub(super) fn find<'t>(&self, programs: &[u8], text: &'t [u8]) -> Option<&'t [u8]> {
        if self.is_text {
            return after_text(text, self.body(programs));
        }
        let last = text.len().checked_sub(self.chars)?;
        let starts = (0..=last).filter_map(|start| text.get(start..));
        let mut starts = starts.filter(|rest| rest.first().is_none_or(|byte| byte & 0xC0 != 0x80));
        starts.find_map(|rest| self.strip_front(programs, rest))
    }

    /// Where the segment must begin to end with the text.
    fn start_from_end(&self, text: &[u8]) -> Option<usize> {
        if text.is_ascii() {
            return text.len().checked_sub(self.chars);
        }
        let mut starts = text
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, byte)| **byte & 0xC0 != 0x80);
        match self.chars.checked_sub(1) {
            Some(skipped) => starts.nth(skipped).map(|(start, _)| start),
            None => Some(text.len()),
        }
    }

    /// Whether `known` is a beginning of some match.
    pub(super) fn begins_with(&self, programs: &[u8], known: &[u8]) -> bool {
        if self.is_text {
            return self.body(programs).starts_with(known);
        }
        let mut items = Cursor::new(self.body(programs));
        let mut rest = known;
        loop {
            let mut ahead = items;
            if let (Some(code::ITEM_TEXT), Some(len)) = (ahead.u8(), ahead.u32())
                && ahead.bytes(len).is_some_and(|literal| literal.starts_with(rest))
            {
                return true;
            }
            if rest.is_empty() {
                return true;
            }
            match step(&mut items, rest) {
                Some(after) => rest = after,
                None => return false,
            }
        }
    }
}

/// Takes one item and what it matches at the front of `rest`.
fn step<'t>(items: &mut Cursor<'_>, rest: &'t [u8]) -> Option<&'t [u8]> {
    match items.u8()? {
        code::ITEM_TEXT => {
            let len = items.u32()?;
            rest.strip_prefix(items.bytes(len)?)
        }
        code::ITEM_ANY => first_char(rest).map(|(_, after)| after),
        code::ITEM_SET => {
            let negated = items.u8()? != 0;
            let count = items.u32()?;
            let ranges = items.words(count.checked_mul(2)?)?;
            let (character, after) = first_char(rest)?;
            let mut bounds = ranges.iter();
            let mut inside = false;
            while let (Some(low), Some(high)) = (bounds.next(), bounds.next()) {
                inside |= low <= character && character <= high;
            }
            (inside != negated).then_some(after)
        }
        _ => None,
    }
}

/// The first character of valid UTF-8, as a number, and what follows it.
fn first_char(text: &[u8]) -> Option<(u32, &[u8])> {
    let (first, rest) = text.split_first()?;
    let follow = match first {
        0..=0x7F => return Some((u32::from(*first), rest)),
        0x80..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xFF => 3,
    };
    let (tail, after) = rest.split_at_checked(follow)?;
    let lead = u32::from(*first) & (0x3F >> follow);
    let code = tail
        .iter()
        .fold(lead, |code, byte| (code << 6) | u32::from(byte & 0x3F));
    Some((code, after))
}

/// What follows the leftmost `needle` in `hay`.
fn after_text<'t>(hay: &'t [u8], needle: &[u8]) -> Option<&'t [u8]> {
    let first = needle.first()?;
    if hay.len() > LONG
        && let (Ok(hay), Ok(needle)) = (core::str::from_utf8(hay), core::str::from_utf8(needle))
    {
        return hay.split_once(needle).map(|(_, after)| after.as_bytes());
    }
    let mut rest = hay;
    while rest.len() >= needle.len() {
        let at = rest.iter().position(|byte| byte == first)?;
        let found = rest.get(at..)?;
        if let Some(after) = found.strip_prefix(needle) {
            return Some(after);
        }
        rest = found.get(1..)?;
    }
    None
}
