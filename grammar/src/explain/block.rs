//! What can be wrong outside brackets.

use super::outline::Kind;
use super::{Scene, Token, place};
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::source::BYTE_ORDER_MARK;
use crate::span::Span;

impl Scene<'_> {
    /// The mistake, if it is one of those that happen in block collections.
    pub(super) fn in_block(&self) -> Option<SyntaxError> {
        self.directive()
            .or_else(|| self.header())
            .or_else(|| self.after_end())
            .or_else(|| self.item_on_key_line())
            .or_else(|| self.colon())
            .or_else(|| self.glued_value())
            .or_else(|| self.stray_bracket())
            .or_else(|| self.text_after_close())
            .or_else(|| self.reserved(&['@', '`', '%', '|', '>']))
            .or_else(|| self.missing_indicator())
            .or_else(|| self.indentation())
    }

    /// A `%` line that is no directive, or has no `---` after it, or no `...` before it.
    fn directive(&self) -> Option<SyntaxError> {
        if self.character() == Some('%') && place::column(self.text, self.at) == 0 {
            let line = Span::new(self.at, place::value_line_end(self.text, self.at));
            return self.refuse(
                SyntaxErrorKind::Directive {
                    text: line.of(self.text).to_owned(),
                },
                line,
            );
        }
        let lines = self.text.trim_start_matches(BYTE_ORDER_MARK).lines();
        let first = lines
            .map(str::trim_end)
            .find(|line| !line.trim_start().is_empty() && !line.trim_start().starts_with('#'))?;
        if !first.starts_with('%') {
            return None;
        }
        let start = self.text.find(first)?;
        let span = Span::new(start, start.saturating_add(first.len()));
        self.refuse(
            SyntaxErrorKind::Directive {
                text: first.to_owned(),
            },
            span,
        )
    }

    /// `|x`.
    fn header(&self) -> Option<SyntaxError> {
        let (Token::Header, span) = self.outline.last? else {
            return None;
        };
        if place::line_start(self.text, span.start) != place::line_start(self.text, self.at) {
            return None;
        }
        let header = self.value(span.start);
        self.refuse(
            SyntaxErrorKind::BlockHeader {
                header: header.of(self.text).to_owned(),
            },
            header,
        )
    }

    /// `... text`, or a line after a root that is no block collection.
    fn after_end(&self) -> Option<SyntaxError> {
        let (token, _) = self.outline.last?;
        let is_whole = matches!(
            token,
            Token::Plain | Token::Quoted | Token::Closed | Token::Header
        );
        let is_over =
            token == Token::End || (is_whole && self.outline.blocks.is_empty() && self.begins_line());
        if !is_over
            || self
                .character()
                .is_none_or(|character| matches!(character, ']' | '}'))
        {
            return None;
        }
        self.refuse(
            SyntaxErrorKind::AfterDocument,
            Span::new(self.at, place::value_line_end(self.text, self.at)),
        )
    }

    /// `key: - item`, `--- - item`.
    fn item_on_key_line(&self) -> Option<SyntaxError> {
        if !self.begins_indicator() {
            return None;
        }
        let kind = match self.outline.last?.0 {
            Token::Colon | Token::Start if self.character() == Some('?') => SyntaxErrorKind::ComplexKey,
            Token::Colon => SyntaxErrorKind::ItemOnKeyLine,
            Token::Start => SyntaxErrorKind::OnMarkerLine,
            _ => return None,
        };
        self.refuse(kind, self.here())
    }

    /// A `: ` after something that is no key here.
    fn colon(&self) -> Option<SyntaxError> {
        let (token, span) = self.outline.last?;
        if self.begins_colon() && token == Token::Colon && !self.begins_line() {
            let text = self.value(self.at).of(self.text).to_owned();
            return self.refuse(SyntaxErrorKind::ColonInPlain { text }, self.here());
        }
        if !self.begins_colon() || !matches!(token, Token::Plain | Token::Quoted | Token::Closed) {
            return None;
        }
        let before = self.outline.before_last.map(|(token, _)| token);
        if before == Some(Token::Start) {
            return self.refuse(
                SyntaxErrorKind::OnMarkerLine,
                Span::new(span.start, self.here().end),
            );
        }
        let first = place::first_of_line(self.text, self.at);
        if span.start >= first {
            let value = self.value(span.start);
            let text = value.of(self.text).to_owned();
            let is_value = matches!(before, Some(Token::Colon | Token::Header));
            return is_value.then(|| SyntaxError::new(SyntaxErrorKind::ColonInPlain { text }, self.here()));
        }
        if token != Token::Plain {
            return self.refuse(SyntaxErrorKind::KeyOverLines, span);
        }
        if matches!(before, Some(Token::Colon | Token::Indicator)) {
            let key = Span::new(first, self.at);
            let text = key.of(self.text).trim_end().to_owned();
            return self.refuse(SyntaxErrorKind::KeyInValue { key: text }, key);
        }
        let line = self.value(span.start);
        self.refuse(
            SyntaxErrorKind::MissingColon {
                text: line.of(self.text).to_owned(),
            },
            line,
        )
    }

    /// `"key":value`: outside brackets a value needs a space after the colon.
    fn glued_value(&self) -> Option<SyntaxError> {
        let (Some((Token::Quoted | Token::Closed, key)), Some((Token::Plain, value))) =
            (self.outline.before_last, self.outline.last)
        else {
            return None;
        };
        if key.end != value.start || value.start.saturating_add(1) != self.at {
            return None;
        }
        let entry = Span::new(key.start, self.value(self.at).end);
        self.refuse(
            SyntaxErrorKind::MissingColon {
                text: entry.of(self.text).to_owned(),
            },
            entry,
        )
    }

    /// `[a-z]*.txt`, `"a" b`.
    fn text_after_close(&self) -> Option<SyntaxError> {
        let (token @ (Token::Quoted | Token::Closed), span) = self.outline.last? else {
            return None;
        };
        let same_line = place::line_start(self.text, span.end) == place::line_start(self.text, self.at);
        let rest = self.value(self.at);
        if !same_line || rest.of(self.text).is_empty() {
            return None;
        }
        if self.character() == Some(':') {
            let entry = Span::new(span.start, rest.end);
            return self.refuse(
                SyntaxErrorKind::MissingColon {
                    text: entry.of(self.text).to_owned(),
                },
                entry,
            );
        }
        let close = match (token, place::character(self.text, span.start)?) {
            (Token::Closed, '[') => ']',
            (Token::Closed, _) => '}',
            (_, quote) => quote,
        };
        let whole = Span::new(span.start, rest.end).of(self.text).to_owned();
        let text = rest.of(self.text).to_owned();
        self.refuse(SyntaxErrorKind::TextAfterClose { close, text, whole }, rest)
    }

    fn stray_bracket(&self) -> Option<SyntaxError> {
        let character = self
            .character()
            .filter(|character| matches!(character, ']' | '}' | ','))?;
        let closes_again = matches!(self.outline.last, Some((Token::Closed, _))) && character != ',';
        if !self.node_is_due() && !closes_again {
            return None;
        }
        self.refuse(SyntaxErrorKind::StrayBracket { character }, self.here())
    }

    /// A line at the column of a block that lacks the block's `- ` or `: `, or has the other one.
    fn missing_indicator(&self) -> Option<SyntaxError> {
        let line = place::line_start(self.text, self.at);
        let first = place::skip_spaces(self.text, line);
        let column = place::column(self.text, first);
        let is_first = first == self.at;
        let begins_item = place::from(self.text, first).starts_with("- ");
        let has = |kind| {
            self.outline
                .blocks
                .iter()
                .any(|block| block.column == column && block.kind == kind)
        };
        let value = self.value(first);
        let text = value.of(self.text).to_owned();
        if text.is_empty() {
            return None;
        }
        if has(Kind::Mapping) && begins_item {
            return is_first.then(|| SyntaxError::new(SyntaxErrorKind::ItemAmongKeys, self.here()));
        }
        let is_whole_line =
            self.outline.last.is_some_and(|(_, span)| span.start == first) && self.at >= value.end;
        if has(Kind::Mapping) && (is_whole_line || !(text.contains(": ") || text.ends_with(':'))) {
            return self.refuse(SyntaxErrorKind::MissingColon { text }, value);
        }
        if has(Kind::Sequence) && !begins_item {
            return self.refuse(SyntaxErrorKind::MissingDash { text }, value);
        }
        None
    }

    /// A line that begins at a column where no block is open.
    fn indentation(&self) -> Option<SyntaxError> {
        let found = place::column(self.text, self.at);
        let mut fitting: Vec<usize> = self.outline.blocks.iter().map(|block| block.column).collect();
        fitting.sort_unstable();
        fitting.dedup();
        if !self.begins_line() || self.character().is_none() || fitting.is_empty() || fitting.contains(&found)
        {
            return None;
        }
        let line = Span::new(self.at, place::value_line_end(self.text, self.at));
        self.refuse(SyntaxErrorKind::WrongIndentation { found, fitting }, line)
    }
}
