//! Source text to syntax trees with byte spans.
//!
//! Three languages live here, each with a pest grammar: the YAML that people write in configuration
//! ([`parse`]), rule patterns ([`pattern`]) and rule specs such as `Shell(git push:*)` ([`rule_spec`]).
//! Nothing here knows what a permission is; nothing here does I/O.

#![forbid(unsafe_code)]

pub mod document;
pub mod error;
mod explain;
pub mod limits;
mod lower;
pub mod pattern;
pub mod reading;
mod refusals;
pub mod rule_spec;
mod second_reading;
mod source;
pub mod span;
mod yaml;

pub use document::{Document, Entry, Key, Mapping, Node, Reading, Scalar, Sequence, Style, Value};
pub use error::{SyntaxError, SyntaxErrorKind};
pub use limits::Limits;
pub use rule_spec::{RuleSpec, RuleSpecError};
pub use span::{LineIndex, Position, Span};
pub use yaml::parse;
