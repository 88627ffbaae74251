//! Byte spans, and the one conversion from a byte offset to a line and a column.

/// A half-open range of byte offsets into one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset one past the last byte; never less than `start`.
    pub end: usize,
}

impl Span {
    /// The range from `start` to `end`; an `end` before `start` gives the empty range at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start,
            end: end.max(start),
        }
    }

    /// The empty range at `offset`.
    pub fn at(offset: usize) -> Self {
        Self {
            start: offset,
            end: offset,
        }
    }

    /// The part of `text` under this span, or the empty string where it does not fit.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// A place for people: both numbers start at 1, the column counts characters (Unicode scalar values).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Line number, from 1. A line ends at LF, CRLF or a lone CR.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Where each line of one text begins. Building it is linear; a lookup is a binary search and a walk of one line.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (offset, byte) in bytes.iter().enumerate() {
            let next = offset.saturating_add(1);
            let ends_line = *byte == b'\n' || (*byte == b'\r' && bytes.get(next) != Some(&b'\n'));
            if ends_line {
                starts.push(next);
            }
        }
        Self { starts }
    }

    /// The position of byte `offset` in `text`, which must be the text this index was made from.
    /// An offset inside a character or past the end counts the characters that begin before it.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = line
            .checked_sub(1)
            .and_then(|i| self.starts.get(i))
            .copied()
            .unwrap_or(0);
        // A leading byte order mark takes no column: editors do not show it.
        let mut prefix = text.bytes().take(offset).skip(start);
        let mark = usize::from(start == 0 && text.starts_with('\u{feff}') && offset >= 3);
        let characters = prefix
            .by_ref()
            .filter(|byte| byte & 0xC0 != 0x80)
            .count()
            .saturating_sub(mark);
        Position {
            line: u32::try_from(line.max(1)).unwrap_or(u32::MAX),
            column: u32::try_from(characters.saturating_add(1)).unwrap_or(u32::MAX),
        }
    }

    /// The span of the 1-based line `number` without its line break, or `None` past the last line.
    pub fn line(&self, text: &str, number: u32) -> Option<Span> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self
            .starts
            .get(index.saturating_add(1))
            .copied()
            .unwrap_or(text.len());
        let line = text.get(start..end)?.trim_end_matches(['\n', '\r']);
        Some(Span::new(start, start.saturating_add(line.len())))
    }
}
