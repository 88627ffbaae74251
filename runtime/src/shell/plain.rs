//! The common case: a line of harmless characters that runs one program no table has to look into, without a parse.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::known::{Known, is_reserved, look};
use super::options::each;
use super::read_only;
use super::segment::base_name;
use super::text;
use super::unit::Unit;
use super::word::{Word, Words};

/// The line's one unit, when its views are its own text: words of plain characters, apart by single spaces, the first
/// neither an assignment nor anything that bash or page 33 knows to run something else.
pub(super) fn one_segment(line: &str) -> Option<Unit<'_>> {
    let text = text::trimmed(line);
    let mut before = b' ';
    for byte in text.bytes() {
        if !is_harmless(byte) || (byte == b' ' && before == b' ') {
            return None;
        }
        before = byte;
    }
    let program = Some(text::before(text, b' ')).filter(|program| !program.is_empty())?;
    if text::has(program, b'=') || is_reserved(program) {
        return None;
    }
    let name = base_name(program);
    let known = look(name);
    if known == Known::Acts {
        return None;
    }
    Some(Unit {
        raw: Cow::Borrowed(text),
        base: program.len().saturating_sub(name.len()),
        inner_reads: true,
        escape_free: true,
        asks_reads: known == Known::Reads && name.len() == program.len(),
        ..Unit::default()
    })
}

/// A byte that means nothing to bash but itself, wherever it stands, and a space.
fn is_harmless(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b' ' | b'_' | b'.' | b'/' | b'=' | b':' | b',' | b'@' | b'%' | b'+' | b'-')
}

/// Whether a text of plain words only reads.
pub(super) fn reads(text: &str) -> bool {
    let mut words = Vec::new();
    let mut start = 0_usize;
    for word in each(text) {
        let end = start.wrapping_add(word.len());
        words.push(Word {
            start,
            end,
            literal: end,
            bare: end,
            flags: 0,
        });
        start = end.wrapping_add(1);
    }
    let program = text::before(text, b' ');
    read_only::only_reads(Words::new(text, &words), program)
}
