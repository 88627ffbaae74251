//! A value and where it was written, so that every later finding can point at it.

use callgate_grammar::{Position, Span};
use serde::{Serialize, Serializer};

/// A value with its place in the source. Its JSON is the value's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The bytes it was written with, quotes included.
    pub span: Span,
    /// Where those begin.
    pub start: Position,
}

impl<T> Spanned<T> {
    /// A value that code made: it stands at the beginning of no text.
    pub fn unplaced(value: T) -> Self {
        Self {
            value,
            span: Span::at(0),
            start: Position { line: 1, column: 1 },
        }
    }

    /// The same place with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned {
            value: change(self.value),
            span: self.span,
            start: self.start,
        }
    }

    /// The same place with a value of its own.
    pub(crate) fn with<U>(&self, value: U) -> Spanned<U> {
        Spanned {
            value,
            span: self.span,
            start: self.start,
        }
    }
}

impl Spanned<String> {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.value
    }
}

impl<T: Serialize> Serialize for Spanned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}
