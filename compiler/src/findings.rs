//! Places and words to diagnostics: the one collector that every check of a source reports to.

use callgate_grammar::{LineIndex, Span};

use crate::diagnostic::{Diagnostic, Location, Related, Severity};
use crate::ir::Spanned;
use crate::lints::Lint;

/// What was found in one source so far.
pub(crate) struct Findings<'a> {
    source: &'a str,
    text: &'a str,
    index: LineIndex,
    found: Vec<Diagnostic>,
}

impl<'a> Findings<'a> {
    pub(crate) fn new(source: &'a str, text: &'a str) -> Self {
        Self {
            source,
            text,
            index: LineIndex::new(text),
            found: Vec::new(),
        }
    }

    /// The source text.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// `value` with its place.
    pub(crate) fn place<T>(&self, value: T, span: Span) -> Spanned<T> {
        Spanned {
            value,
            span,
            start: self.index.position(self.text, span.start),
        }
    }

    /// Reports a finding at the lint's own severity.
    pub(crate) fn report(&mut self, lint: &'static Lint, span: Span, message: String, help: String) {
        let location = self.location(span);
        self.found.push(lint.diagnostic(location, message, help));
    }

    /// Reports a finding about a second place as well.
    pub(crate) fn report_with(
        &mut self,
        lint: &'static Lint,
        span: Span,
        (message, help): (String, String),
        (other, what): (Span, String),
    ) {
        self.report(lint, span, message, help);
        let location = self.location(other);
        if let Some(last) = self.found.last_mut() {
            last.related.push(Related {
                location,
                message: what,
            });
        }
    }

    /// Whether anything found so far forbids the use of the source.
    pub(crate) fn has_errors(&self) -> bool {
        self.found
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Everything found, in the order of the text.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        sort(&mut self.found);
        self.found
    }

    /// The place of these bytes.
    pub(crate) fn location(&self, span: Span) -> Location {
        let start = self.index.position(self.text, span.start);
        let end = self.index.position(self.text, span.end);
        Location {
            source: self.source.to_owned(),
            span,
            start,
            end,
        }
    }
}

/// By source, place, code and words, so that equal inputs give equal reports.
pub(crate) fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|one, other| order(one).cmp(&order(other)));
}

fn order(diagnostic: &Diagnostic) -> (&str, Span, &str, &str) {
    let location = &diagnostic.location;
    (
        &location.source,
        location.span,
        diagnostic.code,
        &diagnostic.message,
    )
}
