//! A compiled pattern, read in place from a table, held against a text: the one place that knows what `*`, `?` and
//! `[seq]` match.
//!
//! TABLE: a program is a kind byte, then for a glob one variant, or two where the pattern has a set: as written (held
//! against the subject as it is) and lowercased (held against the lowercased subject). A variant is a flags byte
//! (bit 0: begins with no star, bit 1: ends with no star), a `u32` count of segments, and the segments, which are what
//! stands between the stars. A segment is a `u32` count of characters, a `u32` length and a kind byte, then that many
//! bytes: for kind 0 the text itself, for kind 1 items: `1`, `u32`, text · `2` any character · `3`, negated byte,
//! `u32` count, pairs of `u32` (inclusive ranges).
//!
//! Placing the segments in order, each at its leftmost place, is exact for globs: a later start never helps.

use crate::table::words::{Cursor, index};

/// The kinds of program, and the bits and tags inside one.
pub mod code {
    /// Any text, the empty one too.
    pub const EVERYTHING: u8 = 0;
    /// The rule's own pattern text, literally.
    pub const EXACT: u8 = 1;
    /// One variant, held against the lowercased subject (rules dialect) or the subject (layered dialect).
    pub const GLOB: u8 = 2;
    /// Two variants: as written, and lowercased.
    pub const GLOB_TWICE: u8 = 3;
    /// Variant flag: begins with no star.
    pub const HEAD: u8 = 1;
    /// Variant flag: ends with no star.
    pub const TAIL: u8 = 2;
    /// Segment kind: text.
    pub const TEXT: u8 = 0;
    /// Segment kind: items.
    pub const ITEMS: u8 = 1;
    /// Item: a `u32` length and text.
    pub const ITEM_TEXT: u8 = 1;
    /// Item: any one character.
    pub const ITEM_ANY: u8 = 2;
    /// Item: one character of a set.
    pub const ITEM_SET: u8 = 3;
}

/// Where a linear search for a long text gives way to the standard library's two-way search. LIMIT: below it the
/// plain search is faster; above it the plain search could take length times pattern.
const LONG: usize = 512;

/// One variant of a glob.
#[derive(Clone, Copy)]
pub(crate) struct Variant<'a> {
    head: bool,
    tail: bool,
    count: u32,
    segments: Cursor<'a>,
}

#[derive(Clone, Copy)]
struct Segment<'a> {
    chars: usize,
    is_text: bool,
    body: &'a [u8],
}

impl<'a> Variant<'a> {
    /// Reads the variant at the front of `cursor`, which is left behind its header.
    fn open(cursor: &mut Cursor<'a>) -> Option<Self> {
        let flags = cursor.u8()?;
        let count = cursor.u32()?;
        Some(Self { head: flags & code::HEAD != 0, tail: flags & code::TAIL != 0, count, segments: *cursor })
    }

    /// Whether the variant matches the whole of `text`.
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        self.place(text).unwrap_or(false)
    }

    fn place(&self, text: &[u8]) -> Option<bool> {
        if self.count == 0 {
            return Some(!(self.head && self.tail) || text.is_empty());
        }
        let mut segments = self.segments;
        let mut at = 0_usize;
        for number in 0..self.count {
            let segment = Segment::read(&mut segments)?;
            let first = number == 0 && self.head;
            let last = self.tail && number.checked_add(1) == Some(self.count);
            let end = match (first, last) {
                (true, false) => segment.end_at(text, 0),
                (false, false) => segment.find(text, at),
                (_, true) => {
                    let Some(start) = segment.start_from_end(text) else { return Some(false) };
                    let fits = if first { start == 0 } else { start >= at };
                    if fits { segment.end_at(text, start) } else { None }
                }
            };
            match end {
                Some(end) => at = end,
                None => return Some(false),
            }
        }
        Some(true)
    }

    /// Whether the variant matches some text that begins with `known`.
    pub(crate) fn matches_beginning(&self, known: &[u8]) -> bool {
        if !self.head || self.count == 0 {
            return !self.head || !self.tail || known.is_empty();
        }
        let Some(first) = Segment::read(&mut self.segments.clone()) else { return false };
        let alone = self.count == 1 && self.tail;
        match first.end_at(known, 0) {
            Some(end) => !alone || end == known.len(),
            None => first.begins_with(known),
        }
    }

    /// Whether the variant matches `known` followed by one character that only a star can take.
    pub(crate) fn matches_before_placeholder(&self, known: &[u8]) -> bool {
        !self.tail && self.matches(known)
    }
}

impl<'a> Segment<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        let chars = index(cursor.u32()?);
        let len = cursor.u32()?;
        let is_text = cursor.u8()? == code::TEXT;
        Some(Self { chars, is_text, body: cursor.bytes(len)? })
    }

    /// Where a match of the segment that begins at byte `start` ends.
    fn end_at(&self, text: &[u8], start: usize) -> Option<usize> {
        let rest = text.get(start..)?;
        if self.is_text {
            return rest.starts_with(self.body).then(|| start.saturating_add(self.body.len()));
        }
        let mut items = Cursor::new(self.body);
        let mut rest = rest;
        while !items.is_empty() {
            rest = step(&mut items, rest)?;
        }
        Some(text.len().saturating_sub(rest.len()))
    }

    /// Where the leftmost match that begins at or after byte `from` ends.
    fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        if self.is_text {
            let rest = text.get(from..)?;
            return find_text(rest, self.body).map(|at| from.saturating_add(at).saturating_add(self.body.len()));
        }
        let last = text.len().checked_sub(self.chars)?;
        (from..=last)
            .filter(|start| text.get(*start).is_some_and(|byte| byte & 0xC0 != 0x80))
            .find_map(|start| self.end_at(text, start))
    }

    /// Where the segment must begin to end with the text.
    fn start_from_end(&self, text: &[u8]) -> Option<usize> {
        if self.is_text {
            return text.len().checked_sub(self.body.len());
        }
        if text.is_ascii() {
            return text.len().checked_sub(self.chars);
        }
        let mut left = self.chars;
        let mut starts = text.iter().enumerate().rev().filter(|(_, byte)| **byte & 0xC0 != 0x80);
        let mut start = text.len();
        while left > 0 {
            start = starts.next()?.0;
            left = left.saturating_sub(1);
        }
        Some(start)
    }

    /// Whether `known` is a beginning of some match.
    fn begins_with(&self, known: &[u8]) -> bool {
        if self.is_text {
            return self.body.starts_with(known);
        }
        let mut items = Cursor::new(self.body);
        let mut rest = known;
        loop {
            if rest.is_empty() {
                return true;
            }
            let mut ahead = items;
            if let (Some(code::ITEM_TEXT), Some(len)) = (ahead.u8(), ahead.u32())
                && let Some(literal) = ahead.bytes(len)
                && literal.starts_with(rest)
            {
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
    let code = tail.iter().fold(lead, |code, byte| (code << 6) | u32::from(byte & 0x3F));
    Some((code, after))
}

/// The leftmost place of `needle` in `hay`.
fn find_text(hay: &[u8], needle: &[u8]) -> Option<usize> {
    let (first, rest) = needle.split_first()?;
    if hay.len() > LONG
        && let (Ok(hay), Ok(needle)) = (core::str::from_utf8(hay), core::str::from_utf8(needle))
    {
        return hay.find(needle);
    }
    let last = hay.len().checked_sub(needle.len())?;
    let starts = hay.get(..=last)?;
    starts.iter().enumerate().filter(|(_, byte)| *byte == first).map(|(at, _)| at).find(|at| {
        hay.get(at.saturating_add(1)..).is_some_and(|after| after.starts_with(rest))
    })
}

/// The two texts of one subject: as it is, and as globs of the table's dialect see it.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'a> {
    /// The subject as it is.
    pub(crate) raw: &'a [u8],
    /// The lowercased subject in the rules dialect, the subject itself in the layered one.
    pub(crate) folded: &'a [u8],
}

/// Whether the program matches whatever the subject is, the empty one too.
pub(crate) fn is_everything(program: &[u8]) -> bool {
    program.first() == Some(&code::EVERYTHING)
}

/// Whether the program matches the whole subject. `pattern` is the rule's text, for exact rules.
pub(crate) fn matches(program: &[u8], pattern: &[u8], texts: Texts<'_>) -> bool {
    let mut cursor = Cursor::new(program);
    match cursor.u8() {
        Some(code::EVERYTHING) => true,
        Some(code::EXACT) => texts.raw == pattern,
        Some(code::GLOB) => Variant::open(&mut cursor).is_some_and(|variant| variant.matches(texts.folded)),
        Some(code::GLOB_TWICE) => both(&mut cursor).is_some_and(|(written, lowered)| {
            written.matches(texts.raw) || lowered.matches(texts.folded)
        }),
        Some(_) | None => false,
    }
}

/// Whether the program matches `known`, or `known`, a space and some text. `known_and_space` ends with that space.
pub(crate) fn matches_open(program: &[u8], pattern: &[u8], known_and_space: &[u8]) -> bool {
    let Some((_, known)) = known_and_space.split_last() else { return false };
    let mut cursor = Cursor::new(program);
    match cursor.u8() {
        Some(code::EVERYTHING) => true,
        Some(code::EXACT) => pattern == known || pattern.starts_with(known_and_space),
        Some(code::GLOB | code::GLOB_TWICE) => Variant::open(&mut cursor)
            .is_some_and(|variant| variant.matches(known) || variant.matches_beginning(known_and_space)),
        Some(_) | None => false,
    }
}

/// Whether the program matches the text followed by something that only a star can take.
pub(crate) fn matches_placeholder(program: &[u8], known_and_space: &[u8]) -> bool {
    let mut cursor = Cursor::new(program);
    match cursor.u8() {
        Some(code::EVERYTHING) => true,
        Some(code::GLOB | code::GLOB_TWICE) => {
            Variant::open(&mut cursor).is_some_and(|variant| variant.matches_before_placeholder(known_and_space))
        }
        Some(_) | None => false,
    }
}

/// The two variants behind a [`code::GLOB_TWICE`].
fn both<'a>(cursor: &mut Cursor<'a>) -> Option<(Variant<'a>, Variant<'a>)> {
    let written = Variant::open(cursor)?;
    for _ in 0..written.count {
        Segment::read(cursor)?;
    }
    Some((written, Variant::open(cursor)?))
}

/// Reads a whole program once, so that every later read of it stays inside: its length, or `None` where anything in it
/// is not as the format says.
pub(crate) fn validate(bytes: &[u8]) -> Option<usize> {
    let mut cursor = Cursor::new(bytes);
    let variants = match cursor.u8()? {
        code::EVERYTHING | code::EXACT => 0,
        code::GLOB => 1,
        code::GLOB_TWICE => 2,
        _ => return None,
    };
    for _ in 0..variants {
        validate_variant(&mut cursor)?;
    }
    cursor.behind(bytes)
}

fn validate_variant(cursor: &mut Cursor<'_>) -> Option<()> {
    let flags = cursor.u8()?;
    if flags & !(code::HEAD | code::TAIL) != 0 {
        return None;
    }
    for _ in 0..cursor.u32()? {
        let chars = index(cursor.u32()?);
        let len = cursor.u32()?;
        let kind = cursor.u8()?;
        let body = cursor.bytes(len)?;
        let counted = match kind {
            code::TEXT => core::str::from_utf8(body).ok()?.chars().count(),
            code::ITEMS => validate_items(body)?,
            _ => return None,
        };
        if counted != chars || chars == 0 {
            return None;
        }
    }
    Some(())
}

/// The characters that the items take.
fn validate_items(body: &[u8]) -> Option<usize> {
    let mut items = Cursor::new(body);
    let mut chars = 0_usize;
    while !items.is_empty() {
        let taken = match items.u8()? {
            code::ITEM_TEXT => {
                let len = items.u32()?;
                core::str::from_utf8(items.bytes(len)?).ok()?.chars().count()
            }
            code::ITEM_ANY => 1,
            code::ITEM_SET => {
                if items.u8()? > 1 {
                    return None;
                }
                let count = items.u32()?;
                items.words(count.checked_mul(2)?)?;
                1
            }
            _ => return None,
        };
        chars = chars.checked_add(taken)?;
    }
    Some(chars)
}
