//! Looking into text byte by byte: the few questions the tables ask, each compiled once.
//!
//! The patterns of the standard library answer the same questions with a searcher for each kind of pattern; together
//! they would be a fifth of the WebAssembly module.

/// The text from `start` to `end`, cut to the text's own end; nothing where a character would be torn.
#[inline(never)]
pub(super) fn part(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end.min(text.len())).unwrap_or_default()
}

/// The text from `start` on.
pub(super) fn from(text: &str, start: usize) -> &str {
    part(text, start, text.len())
}

/// Where a byte first stands.
#[inline(never)]
pub(super) fn find(text: &str, byte: u8) -> Option<usize> {
    text.bytes().position(|found| found == byte)
}

/// Whether a byte stands anywhere.
pub(super) fn has(text: &str, byte: u8) -> bool {
    find(text, byte).is_some()
}

/// Whether one of some bytes stands anywhere.
#[inline(never)]
pub(super) fn has_any(text: &str, bytes: &[u8]) -> bool {
    text.bytes().any(|found| bytes.contains(&found))
}

/// Whether the text begins with one of some bytes.
pub(super) fn begins(text: &str, bytes: &[u8]) -> bool {
    text.as_bytes().first().is_some_and(|first| bytes.contains(first))
}

/// Whether a text stands anywhere in another; linear for the short ones that are asked for.
#[inline(never)]
pub(super) fn holds(text: &str, needle: &str) -> bool {
    text.as_bytes()
        .windows(needle.len().max(1))
        .any(|window| window == needle.as_bytes())
}

/// What is before the first such byte and what is after it.
#[inline(never)]
pub(super) fn cut(text: &str, byte: u8) -> Option<(&str, &str)> {
    let at = find(text, byte)?;
    Some((part(text, 0, at), from(text, at.wrapping_add(1))))
}

/// What is before the first such byte, or all of it.
pub(super) fn before(text: &str, byte: u8) -> &str {
    part(text, 0, find(text, byte).unwrap_or(text.len()))
}

/// The text without blanks and newlines around it.
#[inline(never)]
pub(super) fn trimmed(text: &str) -> &str {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
    let bytes = text.as_bytes();
    let start = bytes.iter().position(|byte| !blank(byte)).unwrap_or(bytes.len());
    let end = bytes
        .iter()
        .rposition(|byte| !blank(byte))
        .map_or(start, |last| last.wrapping_add(1));
    part(text, start, end)
}
