//! One word of the source to its unquoted text and what is in it.

use alloc::string::String;

use super::construct::Construct;
use super::reader::{Reader, is_word_end};
use super::text;
use super::variables::is_name;
use super::word::{BRACE, GLOB, QUOTED, QUOTED_EXPANSION, TILDE, Word};

/// Where a word stands, as far as that changes how it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Anywhere.
    Ordinary,
    /// Where an assignment can stand: subscripts and arrays are read as bash does.
    Command,
    /// An operand of a builtin that assigns: arrays are.
    Declaration,
    /// In `[[ ]]`: patterns may hold parentheses.
    Condition,
    /// Behind `=~`: so may regular expressions, and bars.
    Expression,
}

/// A word, and where the name of the variable ends that it assigns.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadWord {
    pub(super) word: Word,
    /// In the text, behind the `=`.
    pub(super) value: Option<usize>,
}

impl Reader<'_, '_> {
    /// Reads the word that begins here and adds its unquoted text to `text`.
    pub(super) fn word(&mut self, text: &mut String, place: Place) -> ReadWord {
        let start = text.len();
        let mut word = Word {
            start,
            literal: usize::MAX,
            bare: usize::MAX,
            ..Word::default()
        };
        let (mut value, mut subscript, mut subscripted) = (None, 0_usize, false);
        let (mut brace, mut bracket) = (None, None);
        if self.peek() == b'~' && self.peek_second() != b'/' && !is_word_end(self.peek_second()) {
            mark(&mut word, start, TILDE);
        }
        loop {
            let byte = self.peek();
            match byte {
                b'\\' => {
                    word.bare = word.bare.min(text.len());
                    word.flags |= QUOTED;
                    self.escaped(text);
                }
                b'\'' => {
                    word.bare = word.bare.min(text.len());
                    word.flags |= QUOTED;
                    self.single_quotes(text);
                }
                b'"' => {
                    word.bare = word.bare.min(text.len());
                    word.flags |= QUOTED;
                    self.double_quotes(text, &mut word);
                }
                b'$' => self.dollar(text, &mut word, false),
                b'`' => self.backticks(text, &mut word, false),
                b'<' | b'>' if self.peek_second() == b'(' => self.process_substitution(text, &mut word),
                b'(' if value == Some(text.len()) && matches!(place, Place::Command | Place::Declaration) => {
                    mark(&mut word, text.len(), BRACE);
                    self.array(text);
                }
                b'(' if self.opens_pattern(text, start, place) => self.pattern(text, &mut word),
                b'|' if place == Place::Expression => self.push_byte(text),
                _ if subscript > 0 && is_word_end(byte) => {
                    // Bash reads on to the closing bracket; what it makes of this is not worth knowing.
                    self.fault(Construct::Syntax);
                    break;
                }
                _ if is_word_end(byte) => break,
                b'=' => {
                    let name = text::from(text, start);
                    if value.is_none()
                        && (word.bare > text.len() || subscripted)
                        && assigned_name(name, subscripted)
                    {
                        value = Some(text.len().wrapping_add(1));
                    }
                    self.push_byte(text);
                }
                b'[' => {
                    if subscript > 0 {
                        subscript = subscript.wrapping_add(1);
                    } else if place == Place::Command
                        && value.is_none()
                        && word.bare > text.len()
                        && is_name(text::from(text, start))
                    {
                        subscript = 1;
                        subscripted = true;
                        self.found.arithmetic = true;
                    }
                    bracket.get_or_insert(text.len());
                    self.push_byte(text);
                }
                b']' => {
                    subscript = subscript.saturating_sub(1);
                    if let Some(at) = bracket {
                        word.literal = word.literal.min(at);
                        word.flags |= GLOB;
                    }
                    self.push_byte(text);
                }
                b'*' | b'?' => {
                    mark(&mut word, text.len(), GLOB);
                    self.push_byte(text);
                }
                b'{' => {
                    brace.get_or_insert(text.len());
                    self.push_byte(text);
                }
                b'}' => {
                    if let Some(at) = brace
                        && text
                            .get(at..)
                            .is_some_and(|inside| inside.contains(',') || inside.contains(".."))
                    {
                        word.literal = word.literal.min(at);
                        word.flags |= BRACE;
                    }
                    self.push_byte(text);
                }
                _ => self.plain(text),
            }
        }
        word.end = text.len();
        word.literal = word.literal.min(word.end);
        word.bare = word.bare.min(word.literal);
        if word.flags & QUOTED != 0 {
            let unquoted = text::from(text, start);
            self.found.subscript |= super::variables::runs_in_subscript(unquoted);
        }
        ReadWord { word, value }
    }

    /// A run of ordinary characters.
    fn plain(&mut self, text: &mut String) {
        let bytes = self.source.as_bytes().get(self.position..).unwrap_or_default();
        let length = bytes
            .iter()
            .position(|byte| !is_plain(*byte))
            .unwrap_or(bytes.len())
            .max(1);
        let end = self.position.wrapping_add(length);
        text.push_str(self.slice(self.position, end));
        self.position = end.min(self.source.len());
    }

    /// The next byte, which is ASCII, as it is.
    pub(super) fn push_byte(&mut self, text: &mut String) {
        text.push(char::from(self.peek()));
        self.bump();
    }

    /// The next character as it is, no line continuation looked for.
    pub(super) fn push_raw(&mut self, text: &mut String) {
        if let Some(c) = self.slice(self.position, self.source.len()).chars().next() {
            text.push(c);
            self.position = self.position.wrapping_add(c.len_utf8());
        }
    }

    /// A backslash and the character it quotes.
    fn escaped(&mut self, text: &mut String) {
        self.bump();
        if self.position >= self.source.len() {
            text.push('\\');
        }
        self.push_raw(text);
    }

    /// `'…'`
    pub(super) fn single_quotes(&mut self, text: &mut String) {
        self.bump();
        let rest = self.slice(self.position, self.source.len());
        match text::find(rest, b'\'') {
            Some(length) => {
                let end = self.position.wrapping_add(length);
                text.push_str(self.slice(self.position, end));
                self.position = end.wrapping_add(1);
            }
            None => {
                text.push_str(rest);
                self.fault(Construct::Syntax);
            }
        }
    }

    /// `"…"`
    pub(super) fn double_quotes(&mut self, text: &mut String, word: &mut Word) {
        if !self.nest() {
            return;
        }
        self.bump();
        loop {
            match self.peek() {
                0 => {
                    self.fault(Construct::Syntax);
                    break;
                }
                b'"' => {
                    self.bump();
                    break;
                }
                b'\\' => self.escaped_in_double_quotes(text),
                b'$' => self.dollar(text, word, true),
                b'`' => self.backticks(text, word, true),
                _ => {
                    let bytes = self.source.as_bytes().get(self.position..).unwrap_or_default();
                    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | b'$' | b'`');
                    let length = bytes.iter().position(special).unwrap_or(bytes.len());
                    let end = self.position.wrapping_add(length);
                    text.push_str(self.slice(self.position, end));
                    self.position = end;
                }
            }
        }
        self.nested = self.nested.saturating_sub(1);
    }

    /// A backslash in double quotes: it quotes some characters and is itself before the others.
    pub(super) fn escaped_in_double_quotes(&mut self, text: &mut String) {
        self.bump();
        let next = self.source.as_bytes().get(self.position).copied();
        if !matches!(next, Some(b'$' | b'`' | b'"' | b'\\')) {
            text.push('\\');
            // The next character is read on its own: it may be the end of the line that a second backslash continues.
            return;
        }
        self.push_raw(text);
    }

    /// Counts a nesting that is no command's; too many are a fault.
    pub(super) fn nest(&mut self) -> bool {
        if self.nested >= super::inner::MAX_DEPTH.saturating_mul(2) {
            self.fault(Construct::Depth);
            return false;
        }
        self.nested = self.nested.wrapping_add(1);
        true
    }

    /// Whether a parenthesis here belongs to a pattern of `[[ ]]`.
    fn opens_pattern(&self, text: &str, start: usize, place: Place) -> bool {
        match place {
            Place::Expression => true,
            Place::Condition => text
                .get(start..)
                .is_some_and(|word| word.ends_with(['?', '*', '+', '@', '!'])),
            Place::Ordinary | Place::Command | Place::Declaration => false,
        }
    }

    /// `( … )` of a pattern or a regular expression: everything in it is text but quotes and expansions.
    fn pattern(&mut self, text: &mut String, word: &mut Word) {
        mark(word, text.len(), GLOB);
        let mut open = 0_usize;
        loop {
            match self.peek() {
                0 => {
                    self.fault(Construct::Syntax);
                    return;
                }
                b'(' => {
                    open = open.wrapping_add(1);
                    self.push_byte(text);
                }
                b')' => {
                    open = open.saturating_sub(1);
                    self.push_byte(text);
                    if open == 0 {
                        return;
                    }
                }
                b'\\' => self.escaped(text),
                b'\'' => self.single_quotes(text),
                b'"' => self.double_quotes(text, word),
                b'$' => self.dollar(text, word, false),
                b'`' => self.backticks(text, word, false),
                _ => self.push_raw(text),
            }
        }
    }

    /// `(…)` behind `NAME=`: the words of an array.
    fn array(&mut self, text: &mut String) {
        let start = self.position;
        let mut elements = self.scratch.pop().unwrap_or_default();
        self.bump();
        loop {
            self.newlines();
            match self.peek() {
                b')' => {
                    self.bump();
                    break;
                }
                b'<' | b'>' if self.peek_second() == b'(' => {}
                byte if is_word_end(byte) => {
                    self.fault(Construct::Syntax);
                    break;
                }
                b'[' => {
                    self.found.arithmetic = true;
                    if !self.is_plain_subscript() {
                        self.fault(Construct::Syntax);
                        break;
                    }
                }
                _ => {}
            }
            elements.clear();
            self.word(&mut elements, Place::Ordinary);
        }
        self.scratch.push(elements);
        text.push_str(self.shown(start));
    }

    /// Whether the bracket here closes before anything that would end a word.
    fn is_plain_subscript(&self) -> bool {
        let rest = self.slice(self.position, self.source.len());
        rest.bytes()
            .take_while(|byte| !is_word_end(*byte))
            .any(|byte| byte == b']')
    }
}

/// Notes that the word is not literal from here on.
pub(super) fn mark(word: &mut Word, at: usize, flags: u16) {
    word.literal = word.literal.min(at);
    word.bare = word.bare.min(at);
    word.flags |= flags;
}

/// Notes an expansion in double quotes.
pub(super) fn mark_quoted(word: &mut Word, at: usize) {
    mark(word, at, QUOTED_EXPANSION);
}

/// Whether the text before a `=` makes it an assignment: `NAME`, `NAME+`, `NAME[…]`, `NAME[…]+`.
fn assigned_name(text: &str, subscripted: bool) -> bool {
    let name = text.strip_suffix("+").unwrap_or(text);
    match text::cut(name, b'[') {
        Some((name, rest)) => subscripted && rest.ends_with("]") && is_name(name),
        None => is_name(name),
    }
}

/// A byte that means nothing in a word but itself.
fn is_plain(byte: u8) -> bool {
    !is_word_end(byte)
        && !matches!(
            byte,
            b'\\' | b'\'' | b'"' | b'$' | b'`' | b'=' | b'[' | b']' | b'*' | b'?' | b'{' | b'}'
        )
}
