//! What can be wrong inside `[…]` and `{…}`.

use super::{Scene, Token, place};
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::span::Span;

impl Scene<'_> {
    /// The mistake, if it is one of those that happen inside brackets.
    pub(super) fn in_brackets(&self) -> Option<SyntaxError> {
        let open = *self.outline.brackets.last()?;
        let bracket = place::character(self.text, open)?;
        let close = if bracket == '[' { ']' } else { '}' };
        let unclosed = || {
            self.refuse(
                SyntaxErrorKind::UnclosedBracket { bracket },
                Span::new(open, open.saturating_add(1)),
            )
        };
        let Some(character) = self.character() else {
            return unclosed();
        };
        if self.begins_line() && self.is_too_far_left() {
            // A line that reads as an entry of the block around shows that the closing bracket was forgotten.
            if place::is_marker(self.text, self.at) || place::begins_entry(self.text, self.at) {
                return unclosed();
            }
            let line = Span::new(self.at, place::value_line_end(self.text, self.at));
            return self.refuse(SyntaxErrorKind::UnderIndented, line);
        }
        if character == '-' && self.begins_indicator() {
            return self.refuse(SyntaxErrorKind::ItemInBrackets, self.here());
        }
        if character == ',' {
            return self.refuse(SyntaxErrorKind::StrayBracket { character }, self.here());
        }
        if character == ':' {
            return self.colon_in_brackets();
        }
        self.reserved(&['@', '`', '%', '|', '>', '#'])
            .or_else(|| self.refuse(SyntaxErrorKind::MissingComma { close }, self.here()))
    }

    /// `{a: b: c}`.
    fn colon_in_brackets(&self) -> Option<SyntaxError> {
        let start = match (self.outline.before_last, self.outline.last?) {
            (_, (Token::Colon, _)) => self.at,
            (Some((Token::Colon, _)), (Token::Plain | Token::Quoted, span)) => span.start,
            _ => return None,
        };
        let text = self.value(start).of(self.text).to_owned();
        self.refuse(SyntaxErrorKind::ColonInPlain { text }, self.here())
    }

    /// Whether this line is indented no more than the block that the outermost bracket stands in.
    fn is_too_far_left(&self) -> bool {
        let line = place::line_start(self.text, self.at);
        self.outline
            .column()
            .is_some_and(|column| place::indentation(self.text, line) <= column)
    }
}
