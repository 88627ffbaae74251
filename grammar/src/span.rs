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

/// Where each line of one text begins. Building it is linear; a lookup is a binary search and a walk of one block.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
    /// How many characters begin before each block of [`BLOCK`] bytes, so that long lines cost no more than short ones.
    characters: Vec<usize>,
}

/// Bytes of text that one lookup may walk.
const BLOCK: usize = 256;

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
        let mut total = 0_usize;
        let characters = bytes.chunks(BLOCK).map(|block| {
            let before = total;
            total = total.saturating_add(begun(block));
            before
        });
        Self {
            starts,
            characters: characters.collect(),
        }
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
        let mark = usize::from(start == 0 && text.starts_with('\u{feff}') && offset >= 3);
        let before = self.characters_before(text, start).saturating_add(mark);
        let characters = self.characters_before(text, offset).saturating_sub(before);
        Position {
            line: u32::try_from(line.max(1)).unwrap_or(u32::MAX),
            column: u32::try_from(characters.saturating_add(1)).unwrap_or(u32::MAX),
        }
    }

    /// How many characters begin before byte `offset`.
    fn characters_before(&self, text: &str, offset: usize) -> usize {
        let block = (offset / BLOCK).min(self.characters.len().saturating_sub(1));
        let known = self.characters.get(block).copied().unwrap_or(0);
        let start = block.saturating_mul(BLOCK);
        let rest = text
            .as_bytes()
            .get(start..offset.min(text.len()))
            .unwrap_or_default();
        known.saturating_add(begun(rest))
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

/// How many characters begin in these bytes of a text.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| *byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::{LineIndex, Position};

    /// Walks the text from its beginning, as the documentation of `position` says it.
    fn walked(text: &str, offset: usize) -> Position {
        let mut position = Position { line: 1, column: 1 };
        let mut previous = ' ';
        for (at, character) in text.char_indices() {
            let ends_line = previous == '\n' || (previous == '\r' && character != '\n');
            if ends_line && at <= offset {
                position = Position {
                    line: position.line + 1,
                    column: 1,
                };
            }
            if at >= offset {
                return position;
            }
            if !(at == 0 && character == '\u{feff}' && offset >= 3) {
                position.column += 1;
            }
            previous = character;
        }
        if previous == '\n' || previous == '\r' {
            position = Position {
                line: position.line + 1,
                column: 1,
            };
        }
        position
    }

    #[test]
    fn lookups_equal_a_walk_from_the_beginning() {
        let long = "\u{e9}x\u{1f600}".repeat(300);
        let texts = [
            "",
            "a",
            "a\nb\r\nc\rd",
            "\n\n",
            "\u{feff}mode: rules\n",
            &long,
            &format!("a\n{long}\nb\r{long}"),
        ];
        for text in texts {
            let index = LineIndex::new(text);
            for offset in 0..=text.len() {
                assert_eq!(
                    index.position(text, offset),
                    walked(text, offset),
                    "{offset} of {text:.20}"
                );
            }
        }
    }
}
