//! Compiled patterns, held against texts: the one place that knows what `*`, `?` and `[seq]` match.
//!
//! TABLE: a program is a kind byte, then for a glob one variant, or two where the pattern has a set: as written (held
//! against the subject as it is) and lowercased (held against the lowercased subject). A variant is a flags byte
//! (bit 0: begins with no star, bit 1: ends with no star), a `u32` count of segments, and the segments, which are what
//! stands between the stars. A segment is a `u32` count of characters, a `u32` length and a kind byte, then that many
//! bytes: for kind 0 the text itself, for kind 1 items: `1`, `u32`, text · `2` any character · `3`, negated byte,
//! `u32` count, pairs of `u32` (inclusive ranges).
//!
//! Placing the segments in order, each at its leftmost place, is exact for globs: a later start never helps.

mod decode;
mod segment;

use core::ops::Range;

pub(crate) use decode::Decoder;
use segment::Segment;

/// The kinds of program, and the bits and tags inside one.
pub mod code {
    /// Any text, the empty one too.
    pub const EVERYTHING: u8 = 0;
    /// One variant, held against the lowercased subject (rules dialect) or the subject (layered dialect).
    pub const GLOB: u8 = 1;
    /// Two variants: as written, and lowercased.
    pub const GLOB_TWICE: u8 = 2;
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

/// All patterns of one table. Ranges point into the shared list of segments, whose bodies point into the program bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    segments: alloc::vec::Vec<Segment>,
}

/// One pattern.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Everything,
    Glob(Variant),
    GlobTwice { written: Variant, lowered: Variant },
}

#[derive(Clone, Debug)]
struct Variant {
    head: bool,
    tail: bool,
    segments: Range<usize>,
}

/// The first and the last eight bytes of a text, and its length: a quick no for most patterns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Guard {
    head: u64,
    head_mask: u64,
    tail: u64,
    tail_mask: u64,
    min_len: usize,
}

/// The two texts of one subject: as it is, and as globs of the table's dialect see it.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'a> {
    raw: &'a [u8],
    folded: &'a [u8],
    head: u64,
    tail: u64,
}

impl<'a> Texts<'a> {
    /// `folded` is the lowercased subject in the rules dialect, the subject itself in the layered one.
    pub(crate) fn new(raw: &'a [u8], folded: &'a [u8]) -> Self {
        Self {
            raw,
            folded,
            head: head_word(folded),
            tail: tail_word(folded),
        }
    }

    pub(crate) fn raw(&self) -> &'a [u8] {
        self.raw
    }

    pub(crate) fn folded(&self) -> &'a [u8] {
        self.folded
    }
}

/// The first eight bytes, the first of them lowest; zeros behind a shorter text.
fn head_word(text: &[u8]) -> u64 {
    match text.first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => text
            .iter()
            .rev()
            .fold(0, |word, byte| (word << 8) | u64::from(*byte)),
    }
}

/// The last eight bytes, the last of them highest; zeros before a shorter text.
fn tail_word(text: &[u8]) -> u64 {
    match text.last_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => text
            .iter()
            .fold(0, |word, byte| (word >> 8) | (u64::from(*byte) << 56)),
    }
}

impl Guard {
    /// Whether a pattern behind this guard could match the text.
    #[inline]
    pub(crate) fn admits(&self, texts: &Texts<'_>) -> bool {
        let head = (texts.head ^ self.head) & self.head_mask;
        let tail = (texts.tail ^ self.tail) & self.tail_mask;
        (head | tail) == 0 && texts.folded.len() >= self.min_len
    }
}

impl Pattern {
    /// Whether the pattern matches whatever the subject is, the empty one too.
    pub(crate) fn is_everything(&self) -> bool {
        matches!(self.kind, Kind::Everything)
    }

    /// Whether the pattern matches the whole subject.
    #[inline]
    pub(crate) fn matches(&self, patterns: &Patterns, programs: &[u8], texts: &Texts<'_>) -> bool {
        match &self.kind {
            Kind::Everything => true,
            Kind::Glob(variant) => patterns.place(variant, programs, texts.folded),
            Kind::GlobTwice { written, lowered } => {
                patterns.place(written, programs, texts.raw)
                    || patterns.place(lowered, programs, texts.folded)
            }
        }
    }

    /// Whether the pattern matches `known`, or `known`, a space and some text. `known_and_space` ends with that space.
    pub(crate) fn matches_open(&self, patterns: &Patterns, programs: &[u8], known_and_space: &[u8]) -> bool {
        let Some((_, known)) = known_and_space.split_last() else {
            return false;
        };
        match &self.kind {
            Kind::Everything => true,
            Kind::Glob(variant) | Kind::GlobTwice { written: variant, .. } => {
                patterns.place(variant, programs, known)
                    || patterns.begins(variant, programs, known_and_space)
            }
        }
    }

    /// Whether the pattern matches the text followed by something that only a star can take.
    pub(crate) fn matches_placeholder(
        &self,
        patterns: &Patterns,
        programs: &[u8],
        known_and_space: &[u8],
    ) -> bool {
        match &self.kind {
            Kind::Everything => true,
            Kind::Glob(variant) | Kind::GlobTwice { written: variant, .. } => {
                !variant.tail && patterns.place(variant, programs, known_and_space)
            }
        }
    }
}

impl Patterns {
    fn segments(&self, variant: &Variant) -> &[Segment] {
        self.segments.get(variant.segments.clone()).unwrap_or_default()
    }

    /// Whether the variant matches the whole of `text`.
    #[inline]
    fn place(&self, variant: &Variant, programs: &[u8], text: &[u8]) -> bool {
        let mut segments = self.segments(variant);
        let mut rest = text;
        if variant.head {
            let Some((first, others)) = segments.split_first() else {
                return text.is_empty();
            };
            let Some(after) = first.strip_front(programs, rest) else {
                return false;
            };
            if others.is_empty() {
                return !variant.tail || after.is_empty();
            }
            (segments, rest) = (others, after);
        }
        if variant.tail {
            let Some((last, others)) = segments.split_last() else {
                return true;
            };
            let Some(before) = last.strip_back(programs, rest) else {
                return false;
            };
            (segments, rest) = (others, before);
        }
        for segment in segments {
            match segment.find(programs, rest) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        true
    }

    /// Whether the variant matches some text that begins with `known`.
    fn begins(&self, variant: &Variant, programs: &[u8], known: &[u8]) -> bool {
        if !variant.head {
            return true;
        }
        let Some((first, others)) = self.segments(variant).split_first() else {
            return known.is_empty();
        };
        match first.strip_front(programs, known) {
            Some(after) => !(variant.tail && others.is_empty()) || after.is_empty(),
            None => first.begins_with(programs, known),
        }
    }
}
