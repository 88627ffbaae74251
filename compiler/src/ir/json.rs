//! Typed documents to JSON text, so that `--emit ir` writes the same bytes everywhere.

use serde::Serialize;

/// `value` as indented JSON with a final line feed.
pub(super) fn pretty<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
