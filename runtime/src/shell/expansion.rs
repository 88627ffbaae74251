//! What `$`, backticks and `<(` begin: expansions, arithmetic, substitutions.

use alloc::string::String;

use super::construct::Construct;
use super::quoting::{mark, mark_quoted};
use super::reader::Reader;
use super::text;
use super::variables::{in_arithmetic, is_name_byte, is_name_start};
use super::word::{ALL_ARGUMENTS, EXPANSION, PARAMETER, PROCESS, QUOTED, SUBSTITUTION, Word};

impl Reader<'_, '_> {
    /// `$` and what it begins.
    pub(super) fn dollar(&mut self, text: &mut String, word: &mut Word, quoted: bool) {
        let start = self.position;
        let at = text.len();
        match self.peek_second() {
            b'(' if self.peek_third() == b'(' => {
                self.bump();
                self.bump();
                self.bump();
                self.arithmetic(b')');
                expansion(word, at, quoted);
            }
            b'(' => {
                self.bump();
                self.bump();
                mark(word, at, SUBSTITUTION);
                self.substitution(Construct::CommandSubstitution);
            }
            b'{' => {
                self.bump();
                self.bump();
                self.parameter(word, at, quoted);
            }
            b'[' => {
                self.bump();
                self.bump();
                self.arithmetic(b']');
                expansion(word, at, quoted);
            }
            b'\'' if !quoted => {
                word.bare = word.bare.min(at);
                word.flags |= QUOTED;
                self.bump();
                self.ansi_quotes(text);
                return;
            }
            b'"' if !quoted => {
                word.bare = word.bare.min(at);
                word.flags |= QUOTED;
                self.bump();
                self.double_quotes(text, word);
                return;
            }
            byte if is_name_start(byte) => {
                self.bump();
                while is_name_byte(self.peek()) {
                    self.bump();
                }
                expansion(word, at, quoted);
            }
            byte if byte.is_ascii_digit()
                || matches!(byte, b'#' | b'?' | b'-' | b'$' | b'!' | b'@' | b'*') =>
            {
                self.bump();
                self.bump();
                all_arguments(word, byte, quoted);
                expansion(word, at, quoted);
            }
            _ => {
                self.push_byte(text);
                return;
            }
        }
        text.push_str(self.shown(start));
    }

    /// What is behind `$(`, up to its `)`.
    fn substitution(&mut self, construct: Construct) {
        self.place();
        let outer_documents = self.outer_documents;
        self.outer_documents = self.documents.len();
        let seen = core::mem::take(&mut self.seen);
        let prefix = self.prefix.take();
        let nested = core::mem::take(&mut self.nested);
        self.substitutions = self.substitutions.wrapping_add(1);
        self.deeper(|reader| {
            reader.list(&[]);
            if !reader.eat(b')') {
                reader.fault(Construct::Syntax);
            }
        });
        if self.documents.len() > self.outer_documents {
            // A here-document whose body would begin behind the substitution.
            self.fault(Construct::Syntax);
        }
        self.substitutions = self.substitutions.saturating_sub(1);
        self.outer_documents = outer_documents;
        self.nested = nested;
        self.prefix = prefix;
        self.seen = seen;
        self.seen.substitution.get_or_insert(construct);
    }

    /// `<( )` and `>( )`.
    pub(super) fn process_substitution(&mut self, text: &mut String, word: &mut Word) {
        let start = self.position;
        mark(word, text.len(), PROCESS);
        self.bump();
        self.bump();
        self.substitution(Construct::ProcessSubstitution);
        text.push_str(self.shown(start));
    }

    /// Backticks: what is between them, its own backslashes taken off, is read one level deeper.
    pub(super) fn backticks(&mut self, text: &mut String, word: &mut Word, quoted: bool) {
        let start = self.position;
        mark(word, text.len(), SUBSTITUTION);
        self.bump();
        let mut inner = String::new();
        loop {
            match self.peek() {
                0 => {
                    self.fault(Construct::Syntax);
                    break;
                }
                b'`' => {
                    self.bump();
                    break;
                }
                b'\\' => {
                    self.bump();
                    let next = self.source.as_bytes().get(self.position).copied();
                    let escapes = matches!(next, Some(b'$' | b'`' | b'\\')) || (quoted && next == Some(b'"'));
                    if !escapes {
                        inner.push('\\');
                    }
                    self.push_raw(&mut inner);
                }
                _ => self.push_raw(&mut inner),
            }
        }
        let scope = self.scope;
        self.place();
        self.found.reread(&inner, &scope);
        self.seen
            .substitution
            .get_or_insert(Construct::CommandSubstitution);
        text.push_str(self.shown(start));
    }

    /// `$'…'`: its escapes are decoded as bash does.
    fn ansi_quotes(&mut self, text: &mut String) {
        self.bump();
        let mut bytes = alloc::vec::Vec::new();
        loop {
            let rest = self.slice(self.position, self.source.len());
            let mut characters = rest.chars();
            match characters.next() {
                None => {
                    self.fault(Construct::Syntax);
                    break;
                }
                Some('\'') => {
                    self.position = self.position.wrapping_add(1);
                    break;
                }
                Some('\\') => {
                    let used = escape(characters.as_str(), &mut bytes);
                    if bytes.contains(&0) {
                        // Bash cuts the word here, at a place we would have to agree on.
                        self.fault(Construct::Nul);
                        break;
                    }
                    self.position = self.position.wrapping_add(used).wrapping_add(1);
                }
                Some(c) => {
                    let mut buffer = [0; 4];
                    bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
                    self.position = self.position.wrapping_add(c.len_utf8());
                }
            }
        }
        match core::str::from_utf8(&bytes) {
            Ok(decoded) => text.push_str(decoded),
            // Bytes that are no text cannot be matched; no view may pretend otherwise.
            Err(_) => self.fault(Construct::Syntax),
        }
    }

    /// `(( … ))`, `$(( … ))` or `$[ … ]`, its opening taken.
    pub(super) fn arithmetic(&mut self, close: u8) {
        if !self.nest() {
            return;
        }
        self.found.arithmetic = true;
        let start = self.position;
        let mut open = 0_usize;
        let mut ignored = self.scratch.pop().unwrap_or_default();
        let mut word = Word::default();
        let end = loop {
            let end = self.position;
            match self.peek() {
                0 | b'\'' | b'\\' => {
                    self.fault(Construct::Syntax);
                    break end;
                }
                b'"' => self.double_quotes(&mut ignored, &mut word),
                b'$' => self.dollar(&mut ignored, &mut word, true),
                b'`' => self.backticks(&mut ignored, &mut word, true),
                b'(' | b'[' => {
                    open = open.wrapping_add(1);
                    self.bump();
                }
                b')' | b']' if open > 0 => {
                    open = open.saturating_sub(1);
                    self.bump();
                }
                b']' if close == b']' => {
                    self.bump();
                    break end;
                }
                b')' if close == b')' && self.peek_second() == b')' => {
                    self.bump();
                    self.bump();
                    break end;
                }
                // Bash reads this as commands after all, or not at all.
                b')' | b']' => {
                    self.fault(Construct::Syntax);
                    break end;
                }
                _ => self.push_raw(&mut ignored),
            }
            ignored.clear();
        };
        ignored.clear();
        self.scratch.push(ignored);
        self.nested = self.nested.saturating_sub(1);
        if in_arithmetic(self.slice(start, end)) {
            self.seen.construct.get_or_insert(Construct::DangerousVariable);
        }
    }

    /// `${…}`, its opening taken.
    fn parameter(&mut self, word: &mut Word, at: usize, quoted: bool) {
        if !self.nest() {
            return;
        }
        if matches!(self.peek(), b' ' | b'\t' | b'\n' | b'|' | b'(') {
            // No parameter for bash 5.2, a command that runs in this shell for later ones.
            return self.fault(Construct::Syntax);
        }
        let name = self.parameter_name();
        let plain = name.is_some() && self.peek() == b'}';
        if plain {
            self.bump();
        }
        let literal = !plain && self.parameter_tail(quoted);
        self.nested = self.nested.saturating_sub(1);
        if let Some(name) = name {
            all_arguments(word, name, quoted);
        }
        if plain || (literal && name.is_some()) {
            expansion(word, at, quoted);
        } else {
            mark(word, at, PARAMETER);
            self.seen.construct.get_or_insert(Construct::ParameterExpansion);
        }
    }

    /// A plain parameter's name; its first byte. `None` when something else stands here.
    fn parameter_name(&mut self) -> Option<u8> {
        let first = self.peek();
        if is_name_start(first) {
            while is_name_byte(self.peek()) {
                self.bump();
            }
        } else if first.is_ascii_digit() {
            while self.peek().is_ascii_digit() {
                self.bump();
            }
        } else if matches!(first, b'@' | b'*' | b'?' | b'-' | b'$')
            || (matches!(first, b'#' | b'!') && self.peek_second() == b'}')
        {
            self.bump();
        } else {
            return None;
        }
        Some(first)
    }

    /// What is between a parameter's name and its closing brace. Whether it is `-` or `:-` and a literal default.
    fn parameter_tail(&mut self, quoted: bool) -> bool {
        let mut word = Word::default();
        let mut ignored = self.scratch.pop().unwrap_or_default();
        let mut literal = self.peek() == b'-' || (self.peek() == b':' && self.peek_second() == b'-');
        loop {
            match self.peek() {
                0 => {
                    self.fault(Construct::Syntax);
                    break;
                }
                b'}' => {
                    self.bump();
                    break;
                }
                b'\\' => {
                    self.bump();
                    self.push_raw(&mut ignored);
                }
                // Whether this quotes depends on the operator and on bash's mode.
                b'\'' if quoted => {
                    self.fault(Construct::Syntax);
                    break;
                }
                b'\'' => self.single_quotes(&mut ignored),
                b'"' => self.double_quotes(&mut ignored, &mut word),
                b'$' => self.dollar(&mut ignored, &mut word, quoted),
                b'`' => self.backticks(&mut ignored, &mut word, quoted),
                b'<' | b'>' if self.peek_second() == b'(' => {
                    self.fault(Construct::Syntax);
                    break;
                }
                _ => self.push_raw(&mut ignored),
            }
        }
        literal &= word.is_literal();
        ignored.clear();
        self.scratch.push(ignored);
        literal
    }
}

/// Notes a plain expansion.
fn expansion(word: &mut Word, at: usize, quoted: bool) {
    if quoted {
        mark_quoted(word, at);
    } else {
        mark(word, at, EXPANSION);
    }
}

/// Notes `$@`, and `$*` outside double quotes.
fn all_arguments(word: &mut Word, name: u8, quoted: bool) {
    if name == b'@' || (name == b'*' && !quoted) {
        word.flags |= ALL_ARGUMENTS;
    }
}

/// One escape of `$'…'`, the backslash taken: its bytes, and how much of `rest` it is.
fn escape(rest: &str, bytes: &mut alloc::vec::Vec<u8>) -> usize {
    let Some(first) = rest.chars().next() else {
        bytes.push(b'\\');
        return 0;
    };
    let simple = match first {
        'a' => Some(7),
        'b' => Some(8),
        'e' | 'E' => Some(27),
        'f' => Some(12),
        'n' => Some(10),
        'r' => Some(13),
        't' => Some(9),
        'v' => Some(11),
        '\\' | '\'' | '"' | '?' => u8::try_from(first).ok(),
        _ => None,
    };
    if let Some(byte) = simple {
        bytes.push(byte);
        return 1;
    }
    let after = text::from(rest, 1);
    match first {
        '0'..='7' => {
            let (value, used) = number(rest, 3, 8);
            bytes.push(u8::try_from(value & 255).unwrap_or_default());
            used
        }
        'x' => match number(after, 2, 16) {
            (_, 0) => {
                bytes.extend_from_slice(b"\\x");
                1
            }
            (value, used) => {
                bytes.push(u8::try_from(value).unwrap_or_default());
                used.wrapping_add(1)
            }
        },
        'u' | 'U' => match number(after, if first == 'u' { 4 } else { 8 }, 16) {
            (_, 0) => {
                bytes.extend_from_slice(if first == 'u' { b"\\u" } else { b"\\U" });
                1
            }
            (value, used) => {
                match char::from_u32(value) {
                    Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                    // No character, so no text: 255 is in no UTF-8.
                    None => bytes.push(255),
                }
                used.wrapping_add(1)
            }
        },
        'c' => match after.chars().next() {
            Some(control) if control.is_ascii() && control != '\'' && control != '\\' => {
                bytes.push(u8::try_from(control.to_ascii_uppercase()).unwrap_or_default() & 31);
                2
            }
            Some(_) | None => {
                bytes.push(255);
                1
            }
        },
        other => {
            bytes.push(b'\\');
            let mut buffer = [0; 4];
            bytes.extend_from_slice(other.encode_utf8(&mut buffer).as_bytes());
            other.len_utf8()
        }
    }
}

/// The number of up to `most` digits that `text` begins with, and how many there are.
fn number(text: &str, most: usize, radix: u32) -> (u32, usize) {
    let mut value = 0_u32;
    let mut used = 0_usize;
    for digit in text.chars().take(most).map_while(|c| c.to_digit(radix)) {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        used = used.wrapping_add(1);
    }
    (value, used)
}
