//! Diagnostics as plain data: what the compiler found, where, and what to write instead.

use callgate_grammar::{Position, Span};
use callgate_runtime::rule::{Audience, Effect};

/// How bad a finding is, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what the author wants; a table is still made.
    Warning,
    /// No table is made.
    Error,
}

impl Severity {
    /// `note`, `warning`, `error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A place in one of the sources given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The source's name as given: a path relative to the compile root, with `/`.
    pub source: String,
    /// The bytes.
    pub span: Span,
    /// Where the bytes begin.
    pub start: Position,
    /// Where they end (one past the last character).
    pub end: Position,
}

/// A second place that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub location: Location,
    /// What is there, in a few words.
    pub message: String,
}

/// A call that was put to the compiled policy, and its answer: what proves a finding about rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The tool that is called.
    pub tool: String,
    /// The text that patterns are held against.
    pub subject: String,
    /// Which engine calls.
    pub audience: Audience,
    /// What the policy answered.
    pub effect: Effect,
}

impl std::fmt::Display for Witness {
    /// `tool(subject)`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}({})", self.tool, self.subject)
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, `CG` and four digits. Never reused.
    pub code: &'static str,
    /// The code's name, as lints are called: `unknown-mode`.
    pub name: &'static str,
    /// How bad.
    pub severity: Severity,
    /// The primary place.
    pub location: Location,
    /// What is wrong: lower case, no final stop, user text in backticks.
    pub message: String,
    /// One sentence that says what to write.
    pub help: String,
    /// Other places.
    pub related: Vec<Related>,
    /// The call that shows it, where the finding is about what the compiled policy answers.
    pub witness: Option<Witness>,
}
