//! The syntax tree of one YAML document: every node with its byte span, nothing interpreted.

use crate::span::Span;

/// One accepted document. An empty text, or one of comments only, has no root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The top node, if there is one.
    pub root: Option<Node>,
    /// Every comment, in order, each with its `#`.
    pub comments: Vec<Span>,
}

/// A scalar, sequence or mapping, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// From the first byte of the node to one past its last, quotes and brackets included.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// The three kinds of node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text, in one of the five styles.
    Scalar(Scalar),
    /// `- a` or `[a]`.
    Sequence(Sequence),
    /// `a: b` or `{a: b}`.
    Mapping(Mapping),
}

/// Decoded text and the style it was written in. A node left empty is a plain scalar with no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text after unquoting, unescaping and folding.
    pub text: String,
    /// How it was written.
    pub style: Style,
}

/// The five scalar styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Unquoted.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// The items of a sequence, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The items.
    pub items: Vec<Node>,
    /// `[…]` rather than `- …`.
    pub flow: bool,
}

/// The entries of a mapping, in order; no two keys have the same text, every key is a non-empty scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The entries.
    pub entries: Vec<Entry>,
    /// `{…}` rather than `a: …`.
    pub flow: bool,
}

/// One `key: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key: a scalar.
    pub key: Key,
    /// The value; an empty plain scalar where nothing was written.
    pub value: Node,
}

/// A mapping key: a scalar with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Where it stands, quotes included.
    pub span: Span,
    /// The text and the style.
    pub scalar: Scalar,
}

/// What some YAML parser, of version 1.1 or 1.2, makes of a plain scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Text for everyone.
    Text,
    /// `~`, `null`, or nothing at all.
    Null,
    /// `true`, `no`, `On`, `y` …; the value is what YAML 1.1 reads.
    Bool(bool),
    /// `12`, `0o7`, `017`, `0x1F`, `0b1`, `1_000`, `1:30`.
    Integer,
    /// `1.5`, `1e3`, `.inf`, `.nan`.
    Float,
    /// `2026-01-01`.
    Timestamp,
    /// `=`
    Value,
    /// `<<`
    Merge,
}

impl Scalar {
    /// What YAML 1.1 or 1.2 would take this scalar for. Every style but plain is text.
    pub fn reading(&self) -> Reading {
        match self.style {
            Style::Plain => crate::reading::of_plain(&self.text),
            Style::SingleQuoted | Style::DoubleQuoted | Style::Literal | Style::Folded => Reading::Text,
        }
    }
}
