//! A text that the grammar does not match to one refusal that says where and why.
//!
//! pest knows the furthest place where a rule was tried, and the names of those rules, which help no author. From that
//! place, an outline of the text before it and the characters at it, the usual mistakes are told apart. Nothing here
//! decides whether a text is accepted.

mod block;
mod brackets;
mod outline;
mod place;
mod quote;

use pest::error::{Error, ErrorVariant, InputLocation};

use self::outline::{Outline, Token};
use crate::error::{SyntaxError, SyntaxErrorKind, short};
use crate::limits::Limits;
use crate::span::Span;
use crate::yaml::Rule;

/// The refusal of `text`, which the grammar gave up on with `failure`. Linear in the length of the text.
pub(crate) fn explain(text: &str, failure: &Error<Rule>, limits: &Limits) -> SyntaxError {
    let at = match failure.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at.min(text.len()),
    };
    let too_deep = match &failure.variant {
        ErrorVariant::ParsingError { negatives, .. } => negatives.contains(&Rule::deep),
        ErrorVariant::CustomError { .. } => false,
    };
    let at = place::skip_spaces(text, at);
    let outline = Outline::new(text, at);
    if too_deep || outline.depth() > limits.depth() {
        let kind = SyntaxErrorKind::TooDeep { max: limits.depth() };
        return SyntaxError::new(kind, Span::new(at, place::after(text, at)));
    }
    Scene { text, at, outline }.refusal()
}

/// The place of a failure and what is known about it.
struct Scene<'t> {
    text: &'t str,
    /// The first byte that fits nothing, spaces skipped.
    at: usize,
    outline: Outline,
}

impl Scene<'_> {
    fn refusal(&self) -> SyntaxError {
        self.tab()
            .or_else(|| self.quoted())
            .or_else(|| self.property())
            .or_else(|| {
                if self.outline.brackets.is_empty() {
                    self.in_block()
                } else {
                    self.in_brackets()
                }
            })
            .unwrap_or_else(|| self.unexpected())
    }

    /// A tab where the indentation of the line, or of what begins after a `- `, is counted.
    fn tab(&self) -> Option<SyntaxError> {
        let line = place::line_start(self.text, self.at);
        let start = if self.begins_line() {
            // Behind enough spaces a tab in brackets only separates.
            let indentation = place::indentation(self.text, line);
            let enough = self.outline.column().is_none_or(|column| indentation > column);
            if enough && !self.outline.brackets.is_empty() {
                return None;
            }
            line
        } else {
            match (self.outline.before_last, self.outline.last) {
                (_, Some((Token::Indicator | Token::Colon, span))) if self.begins_indicator() => span.end,
                (Some((Token::Indicator, span)), Some((Token::Plain | Token::Quoted, _))) => span.end,
                _ if self.begins_colon() && self.outline.brackets.is_empty() => line,
                _ => return None,
            }
        };
        let spaces = Span::new(start, place::skip_spaces(self.text, start)).of(self.text);
        let tab = start.saturating_add(spaces.find('\t')?);
        Some(SyntaxError::new(
            SyntaxErrorKind::TabIndentation,
            Span::new(tab, tab.saturating_add(1)),
        ))
    }

    /// A quoted text that is not well formed.
    fn quoted(&self) -> Option<SyntaxError> {
        if self.node_is_due() {
            quote::fault(self.text, self.at, self.outline.column())
        } else {
            None
        }
    }

    /// An alias, a tag or an anchor that is not well formed, or has something behind it.
    fn property(&self) -> Option<SyntaxError> {
        let start = match self.outline.last {
            Some((Token::Property, span)) => span.start,
            _ => match self.outline.before_last {
                // `&a b: c` on the line of `---`
                Some((Token::Property, span)) if !self.begins_line() => span.start,
                _ if self.node_is_due() => self.at,
                _ => return None,
            },
        };
        let span = self.value(start);
        let text = span.of(self.text).to_owned();
        let kind = match place::character(self.text, start)? {
            '*' => SyntaxErrorKind::Alias { text },
            '&' => SyntaxErrorKind::Anchor { text },
            '!' => {
                let tag = text.split([' ', '\t']).next().unwrap_or_default().to_owned();
                SyntaxErrorKind::Tag { tag, text }
            }
            _ => return None,
        };
        Some(SyntaxError::new(kind, span))
    }

    /// An unquoted text that begins with a character which none may begin with.
    fn reserved(&self, characters: &[char]) -> Option<SyntaxError> {
        let character = self
            .character()
            .filter(|character| characters.contains(character))?;
        if !self.node_is_due() {
            return None;
        }
        let span = self.value(self.at);
        let kind = SyntaxErrorKind::ReservedCharacter {
            character,
            text: span.of(self.text).to_owned(),
        };
        Some(SyntaxError::new(kind, span))
    }

    fn unexpected(&self) -> SyntaxError {
        let rest = place::from(self.text, self.at);
        let word = rest.split([' ', '\t', '\n', '\r']).next().unwrap_or_default();
        let found = match (word, rest) {
            ("", "") => "the end of the text".to_owned(),
            ("", _) => "the end of the line".to_owned(),
            _ => format!("`{}`", short(word)),
        };
        let span = Span::new(self.at, self.at.saturating_add(word.len()));
        SyntaxError::new(SyntaxErrorKind::Unexpected { found }, span)
    }

    fn character(&self) -> Option<char> {
        place::character(self.text, self.at)
    }

    /// Whether nothing but spaces stands before this on its line.
    fn begins_line(&self) -> bool {
        place::first_of_line(self.text, self.at) == self.at
    }

    /// Whether a node may begin here.
    fn node_is_due(&self) -> bool {
        self.outline.node_is_due() || self.begins_line()
    }

    /// Whether `- ` or `? ` is here.
    fn begins_indicator(&self) -> bool {
        matches!(self.character(), Some('-' | '?')) && place::is_blank(self.text, self.at.saturating_add(1))
    }

    /// Whether `: ` is here.
    fn begins_colon(&self) -> bool {
        self.character() == Some(':') && place::is_blank(self.text, self.at.saturating_add(1))
    }

    fn value(&self, start: usize) -> Span {
        place::value(self.text, start, !self.outline.brackets.is_empty())
    }

    fn refuse(&self, kind: SyntaxErrorKind, span: Span) -> Option<SyntaxError> {
        Some(SyntaxError::new(kind, span))
    }

    /// The character here.
    fn here(&self) -> Span {
        Span::new(self.at, place::after(self.text, self.at))
    }
}
