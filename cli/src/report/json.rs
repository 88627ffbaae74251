//! Findings as JSON records: the wire format, kept apart from the compiler's own types so that either can change alone.

use callgate_compiler::{Diagnostic, Location, Missing, Witness};
use serde::Serialize;

/// One finding.
#[derive(Debug, Serialize)]
pub(crate) struct Finding<'d> {
    code: &'d str,
    name: &'d str,
    severity: &'static str,
    message: &'d str,
    help: &'d str,
    #[serde(flatten)]
    place: Place<'d>,
    related: Vec<Other<'d>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Call<'d>>,
}

/// The call that shows what a finding says, and its answer.
#[derive(Debug, Serialize)]
struct Call<'d> {
    tool: &'d str,
    subject: &'d str,
    audience: &'static str,
    effect: &'static str,
}

#[derive(Debug, Serialize)]
struct Other<'d> {
    message: &'d str,
    #[serde(flatten)]
    place: Place<'d>,
}

/// A place: bytes from 0, lines and columns (in characters) from 1.
#[derive(Debug, Serialize)]
struct Place<'d> {
    source: &'d str,
    span: [usize; 2],
    start: Position,
    end: Position,
}

#[derive(Debug, Serialize)]
struct Position {
    line: u32,
    column: u32,
}

impl<'d> From<&'d Location> for Place<'d> {
    fn from(location: &'d Location) -> Self {
        let position = |line, column| Position { line, column };
        Self {
            source: &location.source,
            span: [location.span.start, location.span.end],
            start: position(location.start.line, location.start.column),
            end: position(location.end.line, location.end.column),
        }
    }
}

impl<'d> From<&'d Witness> for Call<'d> {
    fn from(witness: &'d Witness) -> Self {
        Self {
            tool: &witness.tool,
            subject: &witness.subject,
            audience: witness.audience.name(),
            effect: witness.effect.name(),
        }
    }
}

impl<'d> From<&'d Diagnostic> for Finding<'d> {
    fn from(diagnostic: &'d Diagnostic) -> Self {
        let other = |message, location| Other {
            message,
            place: Place::from(location),
        };
        Self {
            code: diagnostic.code,
            name: diagnostic.name,
            severity: diagnostic.severity.name(),
            message: &diagnostic.message,
            help: &diagnostic.help,
            place: Place::from(&diagnostic.location),
            related: diagnostic
                .related
                .iter()
                .map(|related| other(related.message.as_str(), &related.location))
                .collect(),
            witness: diagnostic.witness.as_ref().map(Call::from),
        }
    }
}

/// The rules that a refused document would have brought: counts, `"unknown"`, or null where none are missing.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum MissingRules {
    /// So many.
    Counts {
        /// Denies.
        deny: usize,
        /// Asks and escalates.
        ask: usize,
        /// Allows.
        allow: usize,
    },
    /// Nobody can tell.
    Unknown(&'static str),
}

impl MissingRules {
    /// `None` where the document is used.
    pub(crate) fn of(missing: Missing) -> Option<Self> {
        match missing {
            Missing::Nothing => None,
            Missing::Rules { deny, ask, allow } => Some(Self::Counts { deny, ask, allow }),
            Missing::Unknown => Some(Self::Unknown("unknown")),
        }
    }
}

/// The findings as records.
pub(crate) fn findings<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<Finding<'d>> {
    diagnostics.into_iter().map(Finding::from).collect()
}

/// A value as one line of JSON, or an object that says why there is none.
pub(crate) fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value)
        .unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string())
}

/// A value as indented JSON, for people.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value)
        .unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string())
}
