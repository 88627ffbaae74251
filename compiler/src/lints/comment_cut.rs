//! CG0501 and CG0502: an unquoted text that a comment follows without a space after its `#`, and text with a space at an end.
//!
//! `- git log #x` is the pattern `git log`: YAML begins a comment at ` #`. A comment written as one, `# like this`, is
//! taken for one.

use callgate_grammar::{Scalar, Span, Style};

/// The comment that cuts the scalar under `span` short, if there is one.
pub(crate) fn cutting(scalar: &Scalar, span: Span, text: &str, comments: &[Span]) -> Option<Span> {
    if scalar.style != Style::Plain {
        return None;
    }
    let next = comments.partition_point(|comment| comment.start < span.end);
    let comment = comments.get(next).copied()?;
    let between = text.get(span.end..comment.start)?;
    let glued = comment
        .of(text)
        .chars()
        .nth(1)
        .is_some_and(|character| !character.is_whitespace() && character != '#');
    let adjacent = !between.is_empty() && between.chars().all(|character| character == ' ');
    (adjacent && glued).then_some(comment)
}

/// Whether a quoted text has a space at an end.
pub(crate) fn has_outer_space(text: &str) -> bool {
    !text.is_empty() && text.trim() != text
}
