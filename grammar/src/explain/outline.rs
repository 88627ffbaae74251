//! The text up to the place of a failure to a rough outline: open blocks, open brackets, the last tokens.
//!
//! The grammar has matched the text up to there in one way or another, so a scanner that knows only where tokens begin
//! and end is enough. It decides nothing but the wording of a refusal.

use super::place;
use crate::source::BYTE_ORDER_MARK;
use crate::span::Span;

/// What kind of block stands at a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sequence,
    Mapping,
}

/// An open block collection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) column: usize,
    pub(super) kind: Kind,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `---`
    Start,
    /// `...`
    End,
    /// `-` or `?` with a space.
    Indicator,
    /// `:`
    Colon,
    /// `,` or an opening bracket.
    Separator,
    /// An unquoted text.
    Plain,
    /// A quoted text.
    Quoted,
    /// From an opening bracket to its other half.
    Closed,
    /// `&name`, `*name` or `!name`.
    Property,
    /// `|` or `>` to the end of its line.
    Header,
}

/// The outline.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Open blocks, outermost first.
    pub(super) blocks: Vec<Block>,
    /// Offsets of open brackets, outermost first.
    pub(super) brackets: Vec<usize>,
    /// The last token, and the one before it.
    pub(super) last: Option<(Token, Span)>,
    pub(super) before_last: Option<(Token, Span)>,
    /// The first byte of the current line.
    line: usize,
}

impl Outline {
    /// The outline of the first `end` bytes of `text`. Linear in `end`.
    pub(super) fn new(text: &str, end: usize) -> Self {
        let mark = if text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            0
        };
        let mut outline = Self {
            line: mark,
            ..Self::default()
        };
        let mut at = outline.line;
        let mut is_new_line = true;
        while at < end {
            if is_new_line {
                let first = place::skip_spaces(text, at);
                if first >= end {
                    break;
                }
                outline.begin_line(text, first);
                at = first;
            }
            if let Some(next) = place::past_break(text, at) {
                outline.line = next;
                at = next;
                is_new_line = true;
            } else {
                at = outline.step(text, at, end, is_new_line);
                // A block of text ends at the beginning of a line.
                is_new_line = at == outline.line;
            }
        }
        outline
    }

    /// The number of open collections.
    pub(super) fn depth(&self) -> usize {
        self.blocks.len().saturating_add(self.brackets.len())
    }

    /// The column of the innermost block.
    pub(super) fn column(&self) -> Option<usize> {
        self.blocks.last().map(|block| block.column)
    }

    /// Whether a node may begin after the last token.
    pub(super) fn node_is_due(&self) -> bool {
        self.last.is_none_or(|(token, _)| {
            matches!(
                token,
                Token::Start | Token::Indicator | Token::Colon | Token::Separator | Token::Property
            )
        })
    }

    /// The column of byte `at` of the current line, from 0.
    fn column_of(&self, at: usize) -> usize {
        at.saturating_sub(self.line)
    }

    /// Closes the blocks that a line which begins at byte `first` is no part of.
    fn begin_line(&mut self, text: &str, first: usize) {
        let is_text = !place::is_blank(text, first) && !place::from(text, first).starts_with('#');
        if !is_text || !self.brackets.is_empty() || self.continues(text, first) {
            return;
        }
        let column = self.column_of(first);
        let begins_item =
            place::from(text, first).starts_with('-') && place::is_blank(text, first.saturating_add(1));
        // A sequence at its key's column ends where a key comes.
        self.blocks.retain(|block| {
            block.column < column || (block.column == column && (begins_item || block.kind == Kind::Mapping))
        });
        self.before_last = None;
        self.last = None;
    }

    /// Whether the line that begins at byte `first` goes on with an unquoted text.
    fn continues(&self, text: &str, first: usize) -> bool {
        self.goes_on()
            && self.column().is_none_or(|column| self.column_of(first) > column)
            && !place::is_marker(text, first)
    }

    fn goes_on(&self) -> bool {
        self.last.is_some_and(|(token, _)| token == Token::Plain)
    }

    /// Reads what begins at byte `at`, which is no line break; the offset after it.
    fn step(&mut self, text: &str, at: usize, end: usize, first: bool) -> usize {
        let next = place::after(text, at);
        let Some(character) = place::character(text, at) else {
            return end;
        };
        let in_brackets = !self.brackets.is_empty();
        match character {
            ' ' | '\t' => place::skip_spaces(text, at),
            '#' if first || place::is_blank(text, at.saturating_sub(1)) => place::line_end(text, at),
            '-' | '.' if first && self.column_of(at) == 0 && place::is_marker(text, at) => {
                *self = Self {
                    line: self.line,
                    ..Self::default()
                };
                let token = if character == '-' {
                    Token::Start
                } else {
                    Token::End
                };
                self.push(token, at, at.saturating_add(3))
            }
            ':' if place::is_blank(text, next) || in_brackets => {
                self.open_mapping(at);
                self.push(Token::Colon, at, next)
            }
            ',' if in_brackets => self.push(Token::Separator, at, next),
            ']' | '}' if in_brackets => {
                let open = self.brackets.pop().unwrap_or(at);
                self.push(Token::Closed, open, next)
            }
            '[' | '{' if in_brackets || self.node_is_due() => {
                self.brackets.push(at);
                self.push(Token::Separator, at, next)
            }
            _ if !self.node_is_due() => self.plain(text, at),
            '-' | '?' if place::is_blank(text, next) && !in_brackets => {
                let kind = if character == '-' {
                    Kind::Sequence
                } else {
                    Kind::Mapping
                };
                self.open(self.column_of(at), kind);
                self.push(Token::Indicator, at, next)
            }
            '"' | '\'' => {
                let after = quoted_end(text, at).unwrap_or(end);
                if let Some(line_break) = Span::new(at, after).of(text).rfind(['\n', '\r']) {
                    self.line = at.saturating_add(line_break).saturating_add(1);
                }
                self.push(Token::Quoted, at, after)
            }
            '|' | '>' if !in_brackets => {
                let after = place::line_end(text, at);
                self.push(Token::Header, at, after);
                self.skip_block(text, after, end)
            }
            '&' | '*' | '!' => {
                let length = place::from(text, at).find([' ', '\t', '\n', '\r', ',', ']', '}']);
                let after = length
                    .map_or(text.len(), |length| at.saturating_add(length))
                    .max(next);
                self.push(Token::Property, at, after)
            }
            _ => self.plain(text, at),
        }
    }

    /// Reads one line of an unquoted text.
    fn plain(&mut self, text: &str, at: usize) -> usize {
        let in_brackets = !self.brackets.is_empty();
        let mut previous_is_blank = false;
        let mut after = at;
        for (offset, character) in place::from(text, at).char_indices() {
            let here = at.saturating_add(offset);
            let ends = match character {
                '\n' | '\r' => true,
                '#' => previous_is_blank,
                ':' => place::is_blank(text, here.saturating_add(1)),
                ',' | '[' | ']' | '{' | '}' => in_brackets,
                _ => false,
            };
            if ends && offset > 0 {
                break;
            }
            previous_is_blank = matches!(character, ' ' | '\t');
            if !previous_is_blank {
                after = here.saturating_add(character.len_utf8());
            }
        }
        match self.last {
            Some((Token::Plain, span)) => self.last = Some((Token::Plain, Span::new(span.start, after))),
            _ => {
                self.push(Token::Plain, at, after);
            }
        }
        after.max(place::after(text, at))
    }

    /// Skips the lines of a block scalar whose header ends at byte `at`; the first byte of the line after them.
    fn skip_block(&mut self, text: &str, at: usize, end: usize) -> usize {
        let mut line_end = at;
        while let Some(line) = place::past_break(text, line_end) {
            let first = place::skip_spaces(text, line);
            let belongs = self
                .column()
                .is_none_or(|column| place::indentation(text, line) > column);
            let is_empty = place::is_blank(text, first);
            self.line = line;
            if line >= end || !(belongs || is_empty) || place::is_marker(text, line) {
                return line;
            }
            line_end = place::line_end(text, line);
        }
        end
    }

    /// Opens the mapping that the colon at byte `colon` belongs to, unless it is open already.
    fn open_mapping(&mut self, colon: usize) {
        let key = match self.last {
            Some((Token::Plain | Token::Quoted | Token::Closed | Token::Property, key)) => key.start,
            None => colon,
            Some(_) => return,
        };
        if self.brackets.is_empty() {
            self.open(self.column_of(key), Kind::Mapping);
        }
    }

    /// Opens a block, unless it is open already.
    fn open(&mut self, column: usize, kind: Kind) {
        if !self
            .blocks
            .iter()
            .any(|block| block.column == column && block.kind == kind)
        {
            self.blocks.push(Block { column, kind });
        }
    }

    fn push(&mut self, token: Token, start: usize, end: usize) -> usize {
        self.before_last = self.last;
        self.last = Some((token, Span::new(start, end)));
        end
    }
}

/// One past the closing quote of the text that begins with a quote at byte `at`.
fn quoted_end(text: &str, at: usize) -> Option<usize> {
    let quote = place::character(text, at)?;
    let mut characters = place::from(text, at).char_indices().skip(1).peekable();
    while let Some((offset, character)) = characters.next() {
        if character == '\\' && quote == '"' {
            characters.next();
        } else if character == quote {
            let doubled = quote == '\'' && characters.peek().is_some_and(|(_, next)| *next == quote);
            if !doubled {
                return Some(at.saturating_add(offset).saturating_add(1));
            }
            characters.next();
        }
    }
    None
}
