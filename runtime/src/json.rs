//! Strict JSON text to a tree: one reading, or none.
//!
//! A policy and an executor may read a sloppy document differently, so whatever has two readings is refused: duplicate
//! keys, lone surrogates, numbers that are no finite double, control characters, text after the end (page 20, page 31
//! *Arguments*).

mod number;
mod write;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

pub use number::Number;
pub use write::{push_compact, push_string};

/// Deepest nesting of arrays and objects. LIMIT: past it the text is refused, so no reader recurses further.
pub const MAX_DEPTH: usize = 128;

/// One JSON value. Strings without escapes borrow from the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// A string, decoded.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// An object, members in the order of the text; no two names are equal.
    Object(Vec<Member<'a>>),
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'a> {
    /// The name, decoded.
    pub name: Cow<'a, str>,
    /// The value.
    pub value: Value<'a>,
}

impl<'a> Value<'a> {
    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&[Member<'a>]> {
        match self {
            Self::Object(members) => Some(members),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) | Self::Array(_) => None,
        }
    }
}

/// Why a text has no one reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum JsonError {
    /// Not JSON at all.
    #[error("not JSON")]
    Syntax,
    /// An object names a member twice.
    #[error("duplicate key")]
    DuplicateKey,
    /// `\uD800` without its other half.
    #[error("lone surrogate")]
    LoneSurrogate,
    /// A number that no finite double holds.
    #[error("number out of range")]
    NumberRange,
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("nested too deep")]
    TooDeep,
}

/// Reads one JSON text. Linear but for the duplicate check, which sorts the names of objects with many members.
pub fn parse(text: &str) -> Result<Value<'_>, JsonError> {
    let mut reader = Reader { text, at: 0 };
    reader.skip_space();
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.at == text.len() {
        Ok(value)
    } else {
        Err(JsonError::Syntax)
    }
}

/// The members of one JSON object with the text of each value unread, so that a value nobody can read spoils only
/// itself. The object's own names are distinct.
pub fn parse_members(text: &str) -> Result<Vec<(Cow<'_, str>, &str)>, JsonError> {
    let mut reader = Reader { text, at: 0 };
    reader.skip_space();
    if reader.peek() != Some(b'{') {
        return Err(JsonError::Syntax);
    }
    let mut members: Vec<(Cow<'_, str>, &str)> = Vec::new();
    let mut more = reader.open(0, b'}')?;
    while more {
        let name = reader.name()?;
        let start = reader.at;
        reader.skip_value();
        members.push((name, text.get(start..reader.at).unwrap_or_default()));
        more = reader.another(b'}')?;
    }
    reader.skip_space();
    if reader.at != text.len() {
        return Err(JsonError::Syntax);
    }
    let names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    if has_duplicate(names) {
        Err(JsonError::DuplicateKey)
    } else {
        Ok(members)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.step();
        }
    }

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>, JsonError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(JsonError::Syntax);
        }
        self.at = self.at.saturating_add(word.len());
        Ok(value)
    }

    fn value(&mut self, depth: usize) -> Result<Value<'a>, JsonError> {
        match self.peek() {
            Some(b'"') => self.string().map(Value::String),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(b'-' | b'0'..=b'9') => self.number().map(Value::Number),
            _ => Err(JsonError::Syntax),
        }
    }

    /// After an item: whether another follows (`,`) or the collection ends with `close`.
    fn another(&mut self, close: u8) -> Result<bool, JsonError> {
        self.skip_space();
        let next = self.peek();
        self.step();
        match next {
            Some(b',') => {
                self.skip_space();
                Ok(true)
            }
            Some(byte) if byte == close => Ok(false),
            _ => Err(JsonError::Syntax),
        }
    }

    /// Enters a collection: whether it has any item.
    fn open(&mut self, depth: usize, close: u8) -> Result<bool, JsonError> {
        if depth >= MAX_DEPTH {
            return Err(JsonError::TooDeep);
        }
        self.step();
        self.skip_space();
        if self.peek() == Some(close) {
            self.step();
            return Ok(false);
        }
        Ok(true)
    }

    fn array(&mut self, depth: usize) -> Result<Value<'a>, JsonError> {
        let mut items = Vec::new();
        let mut more = self.open(depth, b']')?;
        while more {
            items.push(self.value(depth.saturating_add(1))?);
            more = self.another(b']')?;
        }
        Ok(Value::Array(items))
    }

    fn object(&mut self, depth: usize) -> Result<Value<'a>, JsonError> {
        let mut members: Vec<Member<'a>> = Vec::new();
        let mut more = self.open(depth, b'}')?;
        while more {
            let name = self.name()?;
            let value = self.value(depth.saturating_add(1))?;
            members.push(Member { name, value });
            more = self.another(b'}')?;
        }
        let names = members.iter().map(|member| &*member.name).collect();
        if has_duplicate(names) {
            Err(JsonError::DuplicateKey)
        } else {
            Ok(Value::Object(members))
        }
    }

    /// A member's name, up to its value.
    fn name(&mut self) -> Result<Cow<'a, str>, JsonError> {
        if self.peek() != Some(b'"') {
            return Err(JsonError::Syntax);
        }
        let name = self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(JsonError::Syntax);
        }
        self.step();
        self.skip_space();
        Ok(name)
    }

    /// Steps over one value by its brackets and quotes alone, without recursion.
    fn skip_value(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => self.skip_string(),
                b'{' | b'[' => depth = depth.saturating_add(1),
                b'}' | b']' if depth == 0 => return,
                b'}' | b']' => depth = depth.saturating_sub(1),
                b',' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => return,
                _ => {}
            }
            self.step();
        }
    }

    /// From the opening quote of a string to its closing one.
    fn skip_string(&mut self) {
        self.step();
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => return,
                b'\\' => self.step(),
                _ => {}
            }
            self.step();
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        self.step();
        let start = self.at;
        let mut decoded: Option<String> = None;
        let mut copied = start;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let tail = self.text.get(copied..self.at).unwrap_or_default();
                    self.step();
                    return Ok(match decoded {
                        None => Cow::Borrowed(tail),
                        Some(mut text) => {
                            text.push_str(tail);
                            Cow::Owned(text)
                        }
                    });
                }
                Some(b'\\') => {
                    let text = decoded.get_or_insert_with(String::new);
                    text.push_str(self.text.get(copied..self.at).unwrap_or_default());
                    self.step();
                    let character = self.escape()?;
                    text.push(character);
                    copied = self.at;
                }
                Some(0x20..) => self.step(),
                Some(_) | None => return Err(JsonError::Syntax),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let letter = self.peek();
        self.step();
        match letter {
            Some(b'"') => Ok('"'),
            Some(b'\\') => Ok('\\'),
            Some(b'/') => Ok('/'),
            Some(b'b') => Ok('\u{8}'),
            Some(b'f') => Ok('\u{C}'),
            Some(b'n') => Ok('\n'),
            Some(b'r') => Ok('\r'),
            Some(b't') => Ok('\t'),
            Some(b'u') => self.unicode_escape(),
            _ => Err(JsonError::Syntax),
        }
    }

    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let unit = self.hex4()?;
        if !(0xD800..0xE000).contains(&unit) {
            return char::from_u32(unit).ok_or(JsonError::LoneSurrogate);
        }
        if unit >= 0xDC00
            || self
                .text
                .get(self.at..)
                .is_none_or(|rest| !rest.starts_with("\\u"))
        {
            return Err(JsonError::LoneSurrogate);
        }
        self.at = self.at.saturating_add(2);
        let low = self.hex4()?;
        if !(0xDC00..0xE000).contains(&low) {
            return Err(JsonError::LoneSurrogate);
        }
        let high = unit.saturating_sub(0xD800) << 10;
        char::from_u32(
            0x1_0000_u32
                .saturating_add(high)
                .saturating_add(low.saturating_sub(0xDC00)),
        )
        .ok_or(JsonError::LoneSurrogate)
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let end = self.at.saturating_add(4);
        let digits = self.text.get(self.at..end).ok_or(JsonError::Syntax)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(JsonError::Syntax);
        }
        self.at = end;
        u32::from_str_radix(digits, 16).map_err(|_| JsonError::Syntax)
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(JsonError::Syntax);
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.step();
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Number<'a>, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.step();
        }
        if self.peek() == Some(b'0') {
            self.step();
        } else {
            self.digits()?;
        }
        let mut integer = true;
        if self.peek() == Some(b'.') {
            integer = false;
            self.step();
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            integer = false;
            self.step();
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.step();
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        if integer {
            Ok(Number::integer(text))
        } else {
            Number::float(text).ok_or(JsonError::NumberRange)
        }
    }
}

/// Few names are compared pairwise, many are sorted, so that a long object is not quadratic.
fn has_duplicate(mut names: Vec<&str>) -> bool {
    if names.len() <= 8 {
        let later = |index: usize| names.get(index.saturating_add(1)..).unwrap_or_default();
        return names
            .iter()
            .enumerate()
            .any(|(index, name)| later(index).contains(name));
    }
    names.sort_unstable();
    names.windows(2).any(|pair| pair.first() == pair.last())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn whatever_has_two_readings_is_refused() {
        let cases = [
            ("", JsonError::Syntax),
            ("{", JsonError::Syntax),
            ("{} {}", JsonError::Syntax),
            ("[1,]", JsonError::Syntax),
            ("01", JsonError::Syntax),
            ("1.", JsonError::Syntax),
            ("+1", JsonError::Syntax),
            ("NaN", JsonError::Syntax),
            ("'a'", JsonError::Syntax),
            ("\"a\nb\"", JsonError::Syntax),
            ("\"\\x41\"", JsonError::Syntax),
            ("\"\\u12\"", JsonError::Syntax),
            ("{\"a\":1,\"a\":1}", JsonError::DuplicateKey),
            ("{\"a\":1,\"\\u0061\":1}", JsonError::DuplicateKey),
            ("{\"x\":[{\"a\":1,\"b\":2,\"a\":3}]}", JsonError::DuplicateKey),
            ("\"\\ud800\"", JsonError::LoneSurrogate),
            ("\"\\udc00\"", JsonError::LoneSurrogate),
            ("\"\\ud800\\ud800\"", JsonError::LoneSurrogate),
            ("1e400", JsonError::NumberRange),
            ("-1e999", JsonError::NumberRange),
        ];
        for (text, error) in cases {
            assert_eq!(parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn strings_decode_and_borrow_where_they_can() {
        assert!(matches!(
            parse("\"plain é\""),
            Ok(Value::String(Cow::Borrowed("plain é")))
        ));
        let decoded = parse(r#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00z""#).unwrap();
        assert_eq!(decoded.as_str(), Some("a\"\\/\u{8}\u{C}\n\r\té😀z"));
    }

    #[test]
    fn depth_is_read_to_the_limit_and_refused_past_it() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(parse(&nested(MAX_DEPTH + 1)), Err(JsonError::TooDeep));
        assert_eq!(parse(&"[".repeat(100_000)), Err(JsonError::TooDeep));
    }

    #[test]
    fn a_long_object_finds_its_duplicate() {
        let member = |i: usize| format!("\"k{i}\":{i}");
        let distinct: Vec<String> = (0..2000).map(member).collect();
        assert!(parse(&format!("{{{}}}", distinct.join(","))).is_ok());
        assert_eq!(
            parse(&format!("{{{},\"k7\":0}}", distinct.join(","))),
            Err(JsonError::DuplicateKey)
        );
    }
}
