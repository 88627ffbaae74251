//! Program bytes to patterns, each checked on the way, so that matching never meets a byte it does not know.

use core::ops::Range;

use super::segment::Segment;
use super::{Guard, Kind, Pattern, Patterns, Variant, code, head_word, tail_word};
use crate::table::words::{Cursor, index};

/// Reads the programs of one table, in order.
pub(crate) struct Decoder<'p> {
    programs: &'p [u8],
    cursor: Cursor<'p>,
    patterns: Patterns,
}

impl<'p> Decoder<'p> {
    pub(crate) fn new(programs: &'p [u8]) -> Self {
        Self {
            programs,
            cursor: Cursor::new(programs),
            patterns: Patterns::default(),
        }
    }

    /// Where the next program begins.
    pub(crate) fn at(&self) -> Option<usize> {
        self.cursor.behind(self.programs)
    }

    /// The next program and what a text must hold to be worth a closer look; `None` where anything in the program is not
    /// as the format says.
    pub(crate) fn pattern(&mut self) -> Option<(Pattern, Guard)> {
        let kind = match self.cursor.u8()? {
            code::EVERYTHING => {
                return Some((
                    Pattern {
                        kind: Kind::Everything,
                    },
                    Guard::default(),
                ));
            }
            code::GLOB => Kind::Glob(self.variant()?),
            code::GLOB_TWICE => Kind::GlobTwice {
                written: self.variant()?,
                lowered: self.variant()?,
            },
            _ => return None,
        };
        let guarded = match &kind {
            Kind::Glob(variant) | Kind::GlobTwice { lowered: variant, .. } => variant,
            Kind::Everything => return None,
        };
        let guard = self.guard(guarded)?;
        Some((Pattern { kind }, guard))
    }

    /// All patterns, if the programs were read to their end.
    pub(crate) fn finish(self) -> Option<Patterns> {
        self.cursor.is_empty().then_some(self.patterns)
    }

    fn variant(&mut self) -> Option<Variant> {
        let flags = self.cursor.u8()?;
        if flags & !(code::HEAD | code::TAIL) != 0 {
            return None;
        }
        let start = self.patterns.segments.len();
        for _ in 0..self.cursor.u32()? {
            let segment = self.segment()?;
            self.patterns.segments.push(segment);
        }
        let segments = start..self.patterns.segments.len();
        Some(Variant {
            head: flags & code::HEAD != 0,
            tail: flags & code::TAIL != 0,
            segments,
        })
    }

    fn segment(&mut self) -> Option<Segment> {
        let chars = index(self.cursor.u32()?);
        let len = self.cursor.u32()?;
        let is_text = match self.cursor.u8()? {
            code::TEXT => true,
            code::ITEMS => false,
            _ => return None,
        };
        let start = self.at()?;
        let bytes = self.cursor.bytes(len)?;
        let counted = if is_text {
            count_chars(bytes)?
        } else {
            count_items(bytes)?
        };
        let body: Range<usize> = start..self.at()?;
        (counted == chars && chars > 0).then_some(Segment { chars, is_text, body })
    }

    fn guard(&self, variant: &Variant) -> Option<Guard> {
        let segments = self.patterns.segments.get(variant.segments.clone())?;
        let mut guard = Guard::default();
        for segment in segments {
            let least = if segment.is_text {
                segment.body.len()
            } else {
                segment.chars
            };
            guard.min_len = guard.min_len.checked_add(least)?;
        }
        if let (true, Some(first)) = (variant.head, segments.first()) {
            let text = self.leading_text(first)?;
            let text = text.get(..text.len().min(8))?;
            (guard.head, guard.head_mask) = (head_word(text), mask(text.len()));
        }
        if let (true, Some(last)) = (variant.tail, segments.last())
            && last.is_text
        {
            let text = self.programs.get(last.body.clone())?;
            let text = text.get(text.len().saturating_sub(8)..)?;
            (guard.tail, guard.tail_mask) = (tail_word(text), mask(text.len()).swap_bytes());
        }
        Some(guard)
    }

    /// The text that a segment begins with, if it begins with one.
    fn leading_text(&self, segment: &Segment) -> Option<&'p [u8]> {
        let body = self.programs.get(segment.body.clone())?;
        if segment.is_text {
            return Some(body);
        }
        let mut items = Cursor::new(body);
        if items.u8()? != code::ITEM_TEXT {
            return Some(&[]);
        }
        let len = items.u32()?;
        items.bytes(len)
    }
}

/// Ones over the lowest `bytes` bytes of a word, eight at most.
fn mask(bytes: usize) -> u64 {
    (0..bytes.min(8)).fold(0, |mask, _| (mask << 8) | 0xFF)
}

fn count_chars(text: &[u8]) -> Option<usize> {
    core::str::from_utf8(text).ok().map(|text| text.chars().count())
}

/// The characters that the items take.
fn count_items(body: &[u8]) -> Option<usize> {
    let mut items = Cursor::new(body);
    let mut chars = 0_usize;
    while !items.is_empty() {
        let taken = match items.u8()? {
            code::ITEM_TEXT => {
                let len = items.u32()?;
                count_chars(items.bytes(len)?)?
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
