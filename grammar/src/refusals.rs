//! Refusals of one text as they are found, in any order and number, to a bounded list in the order of the text.

use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::limits::MAX_REFUSALS;
use crate::span::Span;

/// A bounded list of refusals.
#[derive(Default)]
pub(crate) struct Refusals(Vec<SyntaxError>);

impl Refusals {
    /// Adds a refusal, unless the list is full.
    pub(crate) fn push(&mut self, kind: SyntaxErrorKind, span: Span) {
        if self.0.len() < MAX_REFUSALS {
            self.0.push(SyntaxError::new(kind, span));
        }
    }

    /// Adds a refusal unless an equal kind is listed already.
    pub(crate) fn push_once(&mut self, kind: SyntaxErrorKind, span: Span) {
        if !self.0.iter().any(|refusal| refusal.kind == kind) {
            self.push(kind, span);
        }
    }

    /// Nothing, or the list.
    pub(crate) fn into_result(mut self) -> Result<(), Vec<SyntaxError>> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.0.sort_by_key(|refusal| refusal.span);
        Err(self.0)
    }
}
