//! Byte offsets to what stands around them: lines, indentation, the end of a value.

use crate::source::BYTE_ORDER_MARK;
use crate::span::Span;

const BREAKS: [char; 2] = ['\n', '\r'];
const SPACES: [char; 2] = [' ', '\t'];

/// The text from byte `at` on.
pub(super) fn from(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The character at byte `at`.
pub(super) fn character(text: &str, at: usize) -> Option<char> {
    from(text, at).chars().next()
}

/// One past the character at byte `at`.
pub(super) fn after(text: &str, at: usize) -> usize {
    at.saturating_add(character(text, at).map_or(0, char::len_utf8))
}

/// Whether a space, a tab, a line break or the end of the text is at byte `at`.
pub(super) fn is_blank(text: &str, at: usize) -> bool {
    character(text, at).is_none_or(|character| matches!(character, ' ' | '\t' | '\n' | '\r'))
}

/// The first byte of the line that byte `at` is on.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let start = before
        .rfind(BREAKS)
        .map_or(0, |line_break| line_break.saturating_add(1));
    // A byte order mark stands before the first column.
    if start == 0 && text.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len_utf8().min(at)
    } else {
        start
    }
}

/// The offset of the next line break at or after byte `at`, or of the end of the text.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    from(text, at)
        .find(BREAKS)
        .map_or(text.len(), |length| at.saturating_add(length))
}

/// One past the line break at byte `at`, if one is there.
pub(super) fn past_break(text: &str, at: usize) -> Option<usize> {
    let rest = from(text, at);
    let length = if rest.starts_with("\r\n") {
        2
    } else {
        usize::from(rest.starts_with(BREAKS))
    };
    (length > 0).then(|| at.saturating_add(length))
}

/// The first byte at or after `at` that is no space and no tab.
pub(super) fn skip_spaces(text: &str, at: usize) -> usize {
    let rest = from(text, at);
    at.saturating_add(rest.len().saturating_sub(rest.trim_start_matches(SPACES).len()))
}

/// The number of spaces (no tabs) that the line at `line_start` begins with.
pub(super) fn indentation(text: &str, line_start: usize) -> usize {
    from(text, line_start)
        .bytes()
        .take_while(|byte| *byte == b' ')
        .count()
}

/// The first byte of the line of `at` that is no space and no tab.
pub(super) fn first_of_line(text: &str, at: usize) -> usize {
    skip_spaces(text, line_start(text, at))
}

/// The column of byte `at`, from 0, in bytes: exact where it is compared, in indentation.
pub(super) fn column(text: &str, at: usize) -> usize {
    at.saturating_sub(line_start(text, at))
}

/// Whether `---` or `...` and nothing else, or a space, is at byte `at`.
pub(super) fn is_marker(text: &str, at: usize) -> bool {
    let rest = from(text, at);
    (rest.starts_with("---") || rest.starts_with("...")) && is_blank(text, at.saturating_add(3))
}

/// The value that begins at byte `at`: to a comment or the end of the line, in brackets also to a `,` or a bracket.
pub(super) fn value(text: &str, at: usize, in_brackets: bool) -> Span {
    let line = Span::new(at, line_end(text, at)).of(text);
    let mut length = line.find(" #").or_else(|| line.find("\t#")).unwrap_or(line.len());
    if in_brackets {
        length = length.min(line.find([',', ']', '}']).unwrap_or(line.len()));
    }
    let value = line.get(..length).unwrap_or_default().trim_end();
    Span::new(at, at.saturating_add(value.len()))
}

/// Whether the line that goes on at byte `at` reads as the beginning of an entry: `key:` or `- `.
pub(super) fn begins_entry(text: &str, at: usize) -> bool {
    let line = Span::new(at, line_end(text, at)).of(text);
    line.starts_with("- ") || line.ends_with(':') || line.contains(": ")
}

/// The end of the line of byte `at`, without the spaces before it.
pub(super) fn value_line_end(text: &str, at: usize) -> usize {
    let line = Span::new(at, line_end(text, at)).of(text);
    at.saturating_add(line.trim_end().len())
}
