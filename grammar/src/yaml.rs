//! Source bytes to a checked document.

use crate::document::Document;
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::limits::Limits;
use crate::span::Span;

/// Reads one YAML document (page 10): the tree, or every refusal found.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Document, Vec<SyntaxError>> {
    let max = limits.max_bytes;
    Err(vec![SyntaxError::new(SyntaxErrorKind::TooLarge { bytes: bytes.len(), max }, Span::at(0))])
}
