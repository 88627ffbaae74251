//! Lowercase, one character to one, from a table of our own: a host's idea of Unicode must not change a decision.
//!
//! The mapping is Unicode's simple lowercase mapping with one documented exception: U+0130 (`İ`) maps to itself,
//! since its full mapping is two characters. Sigma has no final form.

use alloc::string::String;

use crate::case_table::RUNS;

pub use crate::case_table::UNICODE_VERSION;

/// One run of the table: from `first` on, every `stride`-th character up to `last` moves by `delta`.
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) stride: u32,
    pub(crate) delta: i32,
}

/// The lowercase of one character, or the character itself.
pub fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let code = u32::from(c);
    let after = RUNS.partition_point(|run| run.first <= code);
    let Some(run) = after.checked_sub(1).and_then(|index| RUNS.get(index)) else {
        return c;
    };
    let distance = code.saturating_sub(run.first);
    if code > run.last || distance % run.stride.max(1) != 0 {
        return c;
    }
    code.checked_add_signed(run.delta)
        .and_then(char::from_u32)
        .unwrap_or(c)
}

/// `text` with every character lowercased by [`lower`]. Its length in bytes can differ from the text's.
pub fn lower_text(text: &str) -> String {
    let mut lowered = String::with_capacity(text.len());
    lowered.extend(text.chars().map(lower));
    lowered
}
