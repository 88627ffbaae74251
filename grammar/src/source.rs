//! Source bytes to text that the grammar may see: UTF-8, short enough, free of characters that hide or reorder text.
//!
//! The grammar's quoted and comment rules run to the next delimiter over any character, so what must not be in a
//! policy at all is turned away here.

use std::borrow::Cow;

use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::limits::Limits;
use crate::refusals::Refusals;
use crate::span::Span;

/// The byte order mark: allowed as the first character only.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of `bytes`, or every reason not to read it.
pub(crate) fn text<'a>(bytes: &'a [u8], limits: &Limits) -> Result<&'a str, Vec<SyntaxError>> {
    if bytes.len() > limits.max_bytes {
        let kind = SyntaxErrorKind::TooLarge {
            bytes: bytes.len(),
            max: limits.max_bytes,
        };
        return Err(vec![SyntaxError::new(
            kind,
            Span::new(limits.max_bytes, bytes.len()),
        )]);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let byte = bytes.get(at).copied().unwrap_or_default();
        vec![SyntaxError::new(
            SyntaxErrorKind::NotUtf8 { byte },
            Span::new(at, at.saturating_add(1)),
        )]
    })?;
    forbidden(text)?;
    Ok(text)
}

/// The text with a line break at its end: a block of text that ends with the file then has one meaning.
pub(crate) fn with_final_break(text: &str) -> Cow<'_, str> {
    if text.ends_with(['\n', '\r']) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{text}\n"))
    }
}

/// Refuses every forbidden character; a run of the same one is one refusal.
fn forbidden(text: &str) -> Result<(), Vec<SyntaxError>> {
    let mut refusals = Refusals::default();
    let mut run: Option<(char, Span)> = None;
    for (at, character) in text.char_indices() {
        if !is_forbidden(character) && (character != BYTE_ORDER_MARK || at == 0) {
            continue;
        }
        let end = at.saturating_add(character.len_utf8());
        run = match run {
            Some((previous, span)) if previous == character && span.end == at => {
                Some((character, Span::new(span.start, end)))
            }
            other => {
                refuse(&mut refusals, other);
                Some((character, Span::new(at, end)))
            }
        };
    }
    refuse(&mut refusals, run);
    refusals.into_result()
}

fn refuse(refusals: &mut Refusals, run: Option<(char, Span)>) {
    if let Some((character, span)) = run {
        refusals.push(SyntaxErrorKind::ForbiddenCharacter { character }, span);
    }
}

/// Controls (C0 but tab and line breaks, DEL, C1 with U+0085), Unicode's line and paragraph separator, every
/// character of the property `Bidi_Control`, and the two noncharacters that YAML excludes.
fn is_forbidden(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}' => true,
        _ => false,
    }
}
