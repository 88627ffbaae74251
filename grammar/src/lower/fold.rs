//! The raw text of plain and quoted scalars to their value: line folding, doubled quotes, escapes.
//!
//! The grammar has matched the text already, so nothing here can be malformed except an escape that names no
//! character.

use crate::error::SyntaxErrorKind;
use crate::refusals::Refusals;
use crate::span::Span;

const SPACES: [char; 2] = [' ', '\t'];
const BREAKS: [char; 2] = ['\n', '\r'];

/// The value of a plain scalar.
pub(super) fn plain(raw: &str) -> String {
    folded(raw)
}

/// The value of a single-quoted scalar, given with its quotes.
pub(super) fn single_quoted(raw: &str) -> String {
    let inner = raw
        .strip_prefix('\'')
        .and_then(|raw| raw.strip_suffix('\''))
        .unwrap_or(raw);
    let text = folded(inner);
    if text.contains('\'') {
        text.replace("''", "'")
    } else {
        text
    }
}

/// The value of a double-quoted scalar, given with its quotes; its first byte is byte `start` of the source.
pub(super) fn double_quoted(raw: &str, start: usize, refusals: &mut Refusals) -> String {
    let inner = raw
        .strip_prefix('"')
        .and_then(|raw| raw.strip_suffix('"'))
        .unwrap_or(raw);
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((run, from_mark)) = rest
        .find(['\\', '\n', '\r'])
        .and_then(|at| rest.split_at_checked(at))
    {
        if let Some(escape) = from_mark.strip_prefix('\\') {
            out.push_str(run);
            if let Some(after_break) = strip_break(escape) {
                // An escaped line break joins the lines; blank lines after it still count.
                let (blank_lines, after) = skip_blank_lines(after_break);
                push_breaks(&mut out, blank_lines);
                rest = after;
                continue;
            }
            let (decoded, length) = decode(escape);
            match decoded {
                Ok(character) => out.push(character),
                Err(fault) => {
                    // One byte for the opening quote; `from_mark` is a suffix of `inner`.
                    let offset = inner.len().saturating_sub(from_mark.len()).saturating_add(1);
                    let at = start.saturating_add(offset);
                    let span = Span::new(at, at.saturating_add(length).saturating_add(1));
                    let written = from_mark
                        .get(..length.saturating_add(1))
                        .unwrap_or(from_mark)
                        .to_owned();
                    refusals.push(fault.into_kind(written), span);
                }
            }
            rest = escape.get(length..).unwrap_or_default();
        } else {
            out.push_str(run.trim_end_matches(SPACES));
            let (blank_lines, after) = skip_blank_lines(strip_break(from_mark).unwrap_or_default());
            push_fold(&mut out, blank_lines);
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// Folds line breaks: one becomes a space, n+1 become n line feeds; spaces around them go.
fn folded(raw: &str) -> String {
    if !raw.contains(BREAKS) {
        return raw.to_owned();
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((line, from_break)) = rest.find(BREAKS).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(line.trim_end_matches(SPACES));
        let (blank_lines, after) = skip_blank_lines(strip_break(from_break).unwrap_or_default());
        push_fold(&mut out, blank_lines);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `text` without the line break it begins with, if it does.
fn strip_break(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix(BREAKS))
}

/// How many blank lines `text` begins with, and what comes after them and the next line's indentation.
fn skip_blank_lines(text: &str) -> (usize, &str) {
    let mut blank_lines = 0_usize;
    let mut rest = text.trim_start_matches(SPACES);
    while let Some(after) = strip_break(rest) {
        blank_lines = blank_lines.saturating_add(1);
        rest = after.trim_start_matches(SPACES);
    }
    (blank_lines, rest)
}

fn push_fold(out: &mut String, blank_lines: usize) {
    if blank_lines == 0 {
        out.push(' ');
    } else {
        push_breaks(out, blank_lines);
    }
}

fn push_breaks(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n('\n', count));
}

/// Why an escape names no character.
enum Fault {
    Surrogate,
    OutOfRange,
}

impl Fault {
    fn into_kind(self, escape: String) -> SyntaxErrorKind {
        match self {
            Self::Surrogate => SyntaxErrorKind::SurrogateEscape { escape },
            Self::OutOfRange => SyntaxErrorKind::BadEscape { escape },
        }
    }
}

/// The character that an escape (given without its backslash) stands for, and the bytes it takes after the backslash.
fn decode(escape: &str) -> (Result<char, Fault>, usize) {
    let Some(letter) = escape.chars().next() else {
        return (Err(Fault::OutOfRange), 0);
    };
    let simple = match letter {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => return hexadecimal(escape, 2),
        'u' => return hexadecimal(escape, 4),
        'U' => return hexadecimal(escape, 8),
        // The grammar leaves a space, a quote, a slash and a backslash, which stand for themselves.
        other => other,
    };
    (Ok(simple), letter.len_utf8())
}

fn hexadecimal(escape: &str, digits: usize) -> (Result<char, Fault>, usize) {
    let length = digits.saturating_add(1);
    let number = escape
        .get(1..length)
        .and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let decoded = match number {
        Some(0xD800..=0xDFFF) => Err(Fault::Surrogate),
        Some(number) => char::from_u32(number).ok_or(Fault::OutOfRange),
        None => Err(Fault::OutOfRange),
    };
    (decoded, length)
}
