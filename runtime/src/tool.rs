//! Tool names as the rules dialect looks them up: lowercased, then the five `_tool` aliases resolved (page 20).

use alloc::string::String;

use crate::case;

/// The canonical name of a tool: `Bash_Tool` and `BASH` are `bash`. Lowercasing is [`case::lower`], so every host
/// agrees. Allocates the answer; linear in the name.
pub fn canonical(name: &str) -> String {
    let lowered = case::lower_text(name);
    match alias(lowered.as_bytes()) {
        Some(known) => String::from(known),
        None => lowered,
    }
}

/// What an already lowercased name is an alias of.
pub(crate) fn alias(lowered: &[u8]) -> Option<&'static str> {
    match lowered {
        b"bash_tool" => Some("bash"),
        b"reader_tool" => Some("reader"),
        b"editor_tool" => Some("editor"),
        b"search_tool" => Some("search"),
        b"context_tool" => Some("context"),
        _ => None,
    }
}
