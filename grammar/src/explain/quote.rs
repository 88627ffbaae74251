//! A quoted text that the grammar does not match to the refusal that says where it goes wrong.

use super::place;
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::span::Span;

/// What is wrong with the quoted text that begins at byte `at`, if anything is. `column` is the innermost block's: the
/// lines of the text must be indented more.
pub(super) fn fault(text: &str, at: usize, column: Option<usize>) -> Option<SyntaxError> {
    let quote = place::character(text, at).filter(|quote| matches!(quote, '"' | '\''))?;
    let unterminated = || {
        let span = Span::new(at, place::value_line_end(text, at));
        SyntaxError::new(SyntaxErrorKind::UnterminatedQuote { quote }, span)
    };
    let mut here = place::after(text, at);
    loop {
        let Some(character) = place::character(text, here) else {
            return Some(unterminated());
        };
        let next = place::after(text, here);
        if let Some(line) = place::past_break(text, here) {
            if let Some(line_fault) = line_fault(text, line, column) {
                return Some(line_fault.unwrap_or_else(unterminated));
            }
            here = line;
        } else if character == '\\' && quote == '"' {
            match escape_length(place::from(text, next)) {
                Ok(length) => here = next.saturating_add(length),
                Err(length) => {
                    let span = Span::new(here, next.saturating_add(length));
                    let kind = SyntaxErrorKind::BadEscape {
                        escape: span.of(text).to_owned(),
                    };
                    return Some(SyntaxError::new(kind, span));
                }
            }
        } else if character != quote {
            here = next;
        } else if quote == '\'' && place::character(text, next) == Some(quote) {
            here = place::after(text, next);
        } else {
            return None;
        }
    }
}

/// What is wrong with a line inside quotes: nothing, something with a name, or that it is none and the quote was
/// forgotten (`Some(None)`).
fn line_fault(text: &str, line: usize, column: Option<usize>) -> Option<Option<SyntaxError>> {
    let first = place::skip_spaces(text, line);
    if place::is_blank(text, first) && first < text.len() {
        return None;
    }
    if place::is_marker(text, line) {
        return Some(None);
    }
    let indentation = place::indentation(text, line);
    if column.is_none_or(|column| indentation > column) {
        return None;
    }
    if place::column(text, first) > indentation {
        let tab = line.saturating_add(indentation);
        return Some(Some(SyntaxError::new(
            SyntaxErrorKind::TabIndentation,
            Span::new(tab, tab.saturating_add(1)),
        )));
    }
    if first >= text.len() || place::begins_entry(text, first) {
        return Some(None);
    }
    Some(Some(SyntaxError::new(
        SyntaxErrorKind::UnderIndented,
        Span::new(first, place::value_line_end(text, first)),
    )))
}

/// The bytes that the escape takes after its backslash, or, of one that is none, the bytes to show.
fn escape_length(rest: &str) -> Result<usize, usize> {
    let Some(letter) = rest.chars().next() else {
        return Err(0);
    };
    let digits = match letter {
        '0' | 'a' | 'b' | 't' | '\t' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/' | '\\' | 'N' | '_'
        | 'L' | 'P' => {
            return Ok(1);
        }
        // The line after an escaped break is looked at like any other.
        '\n' | '\r' => return Ok(0),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        other => return Err(other.len_utf8()),
    };
    let found = rest
        .chars()
        .skip(1)
        .take(digits)
        .take_while(char::is_ascii_hexdigit)
        .count();
    let length = found.saturating_add(1);
    if found == digits { Ok(length) } else { Err(length) }
}
