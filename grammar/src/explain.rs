//! A text that the grammar does not match to a refusal that says where and why.

use pest::error::{Error, InputLocation};

use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::span::Span;
use crate::yaml::Rule;

/// The refusal of `text`, which the grammar gave up on with `failure`.
pub(crate) fn explain(text: &str, failure: &Error<Rule>) -> SyntaxError {
    let at = match failure.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at.min(text.len()),
    };
    let rest = Span::new(at, text.len()).of(text);
    let word = rest.split_whitespace().next().unwrap_or_default();
    let found = if word.is_empty() {
        "the end of the text".to_owned()
    } else {
        format!("`{word}`")
    };
    SyntaxError::new(
        SyntaxErrorKind::Unexpected { found },
        Span::new(at, at.saturating_add(word.len())),
    )
}
