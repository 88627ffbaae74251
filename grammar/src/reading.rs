//! Plain text to what YAML 1.1 and 1.2 parsers take it for.

use crate::document::Reading;

/// What some YAML 1.1 or 1.2 parser makes of the plain scalar `text`.
pub fn of_plain(text: &str) -> Reading {
    if text.is_empty() { Reading::Null } else { Reading::Text }
}
