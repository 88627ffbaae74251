//! A finding to the text that people read: message, excerpt with carets, other places, help.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Snippet};
use callgate_compiler::{Diagnostic, Location, Severity};

use crate::console::{Console, Stream, visible};
use crate::report::Texts;

/// LIMIT: characters of a line that an excerpt shows before and after the place it is about. The renderer fits them to
/// the width of a page; this bound keeps a line of a megabyte from being rendered at all.
const AROUND: usize = 100;

/// The finding as lines of text.
pub(crate) fn finding(
    console: &Console,
    stream: Stream,
    diagnostic: &Diagnostic,
    texts: &Texts<'_>,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level
        .primary_title(visible(&diagnostic.message))
        .id(diagnostic.code);
    let mut primary = title.elements(place(&diagnostic.location, texts));
    if !diagnostic.help.is_empty() {
        primary = primary.element(Level::HELP.message(visible(&diagnostic.help)));
    }
    let others = diagnostic.related.iter().map(|related| {
        let title = Level::NOTE.secondary_title(visible(&related.message));
        title.elements(place(&related.location, texts))
    });
    let groups: Vec<Group<'_>> = std::iter::once(primary).chain(others).collect();
    console.render(stream, &groups)
}

/// Where it is, and what stands there if the source has any text at that place.
fn place<'t>(location: &Location, texts: &Texts<'t>) -> Vec<Element<'t>> {
    let (path, line) = (visible(&location.source), count(location.start.line));
    let text = texts.get(&location.source).unwrap_or_default();
    let origin = || {
        Element::from(
            Origin::path(path.clone())
                .line(line)
                .char_column(count(location.start.column)),
        )
    };
    let Some(Excerpt { text, range, is_cut }) = excerpt(text, location.span.start..location.span.end) else {
        return vec![origin()];
    };
    let snippet = Snippet::source(text)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(range));
    // The renderer counts columns itself, which is right where the excerpt is the whole line.
    if is_cut {
        vec![origin(), Element::from(snippet)]
    } else {
        vec![Element::from(snippet.path(path))]
    }
}

/// What is shown of a source.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt {
    text: String,
    /// The place in `text`.
    range: Range<usize>,
    /// It is less than the line.
    is_cut: bool,
}

/// The line that a range of `text` begins in, or what fits of it. A range over several lines ends with the first one.
fn excerpt(text: &str, range: Range<usize>) -> Option<Excerpt> {
    let before = text.get(..range.start)?;
    let after = text.get(range.start..)?;
    let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at.saturating_add(1));
    let line_end = after
        .find(['\n', '\r'])
        .map_or(text.len(), |at| range.start.saturating_add(at));
    let end = if text.is_char_boundary(range.end) {
        range.end
    } else {
        range.start
    };
    let end = end.clamp(range.start, line_end);
    let lead = text.get(line_start..range.start)?.trim_start_matches('\u{feff}');
    let (marked, rest) = (text.get(range.start..end)?, text.get(end..line_end)?);
    if lead.is_empty() && marked.is_empty() && rest.is_empty() {
        return None;
    }
    let (shown_lead, shown_marked) = (last(lead), first(marked));
    let shown_rest = if shown_marked.len() < marked.len() {
        ""
    } else {
        first(rest)
    };
    let mark = |cut: bool| if cut { "…" } else { "" };
    let opening = mark(shown_lead.len() < lead.len());
    let closing = mark(shown_marked.len() < marked.len() || shown_rest.len() < rest.len());
    let start = opening.len().saturating_add(shown_lead.len());
    Some(Excerpt {
        text: [opening, shown_lead, shown_marked, shown_rest, closing].concat(),
        range: start..start.saturating_add(shown_marked.len()),
        is_cut: !(opening.is_empty() && closing.is_empty()),
    })
}

/// The first characters of `text`.
fn first(text: &str) -> &str {
    text.char_indices()
        .nth(AROUND)
        .and_then(|(at, _)| text.get(..at))
        .unwrap_or(text)
}

/// The last characters of `text`.
fn last(text: &str) -> &str {
    let from = text
        .char_indices()
        .rev()
        .nth(AROUND.saturating_sub(1))
        .map_or(0, |(at, _)| at);
    text.get(from..).unwrap_or(text)
}

fn count(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn an_excerpt_is_one_line_and_marks_the_same_text() {
        let text = "mode: rules\r\nalow:\n  é: [x]\r";
        for (start, end, line, marked) in [
            (13, 17, "alow:", "alow"),
            (21, 23, "  é: [x]", "é"),
            (6, 17, "mode: rules", "rules"),
            (28, 28, "  é: [x]", ""),
        ] {
            let shown = excerpt(text, start..end).unwrap();
            assert_eq!(
                (shown.text.as_str(), shown.text.get(shown.range.clone()).unwrap()),
                (line, marked),
                "{start}..{end}"
            );
            assert!(!shown.is_cut);
        }
        assert_eq!(excerpt("", 0..0), None);
        assert_eq!(excerpt("a", 5..9), None);
        assert_eq!(
            excerpt("\u{feff}é", 3..5).map(|shown| (shown.text, shown.range)),
            Some(("é".into(), 0..2))
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}!{}", "é".repeat(500_000), "x".repeat(500_000));
        let shown = excerpt(&text, 1_000_000..1_000_001).unwrap();
        assert_eq!(shown.text.get(shown.range.clone()).unwrap(), "!");
        assert!(
            shown.text.starts_with("…é") && shown.text.ends_with("x…") && shown.text.chars().count() == 203
        );
        let shown = excerpt(&text, 0..text.len()).unwrap();
        assert!(shown.is_cut && shown.text.ends_with("é…") && shown.range == (0..200));
    }
}
