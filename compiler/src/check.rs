//! One source text to a checked document, or to every reason why nothing of it may be used.

use crate::diagnostic::{Diagnostic, Severity};
use crate::findings::Findings;
use crate::ir;
use crate::lints;
use crate::lower;
use crate::options::Options;
use crate::source::{Kind, Source};

/// What [`check`] made of one source.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The document's kind, where it could be told.
    pub kind: Option<Kind>,
    /// The document; `None` as soon as there is one error: a file is never half-loaded.
    pub document: Option<ir::Document>,
    /// Everything found, by place, then code.
    pub diagnostics: Vec<Diagnostic>,
    /// Which rules are missing because of errors.
    pub missing: Missing,
}

impl Checked {
    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// The rules that a refused source would have brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The source is used.
    Nothing,
    /// So many rules stand in it, good or bad.
    Rules {
        /// Denies.
        deny: usize,
        /// Asks and escalates.
        ask: usize,
        /// Allows.
        allow: usize,
    },
    /// It is no YAML: nobody can tell.
    Unknown,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nothing => formatter.write_str("no rules are missing"),
            Self::Rules { deny, ask, allow } => {
                write!(formatter, "missing rules: {deny} deny, {ask} ask, {allow} allow")
            }
            Self::Unknown => formatter.write_str("missing rules: unknown"),
        }
    }
}

/// Reads and checks one source. Linear in its text; all findings are reported, and with one error among them there is
/// no document.
///
/// ```
/// use callgate_compiler::{Missing, Options, Source, check};
///
/// let text = b"mode: rules\nalow: {reader: ['*']}\n";
/// let checked = check(&Source { name: "policy.yaml", bytes: text }, &Options::default());
/// assert_eq!(checked.document, None);
/// assert_eq!(checked.diagnostics[0].code, "CG0201");
/// assert_eq!(checked.diagnostics[0].help, "did you mean `allow`?");
/// ```
pub fn check(source: &Source<'_>, options: &Options) -> Checked {
    let tree = match callgate_grammar::parse(source.bytes, &options.limits) {
        Ok(tree) => tree,
        Err(errors) => return unreadable(source, &errors),
    };
    // The parser refuses what is not UTF-8.
    let text = std::str::from_utf8(source.bytes).unwrap_or_default();
    let mut findings = Findings::new(source.name, text);
    let (kind, document) = lower::document(&tree, source, options, &mut findings);
    let refused = findings.has_errors();
    Checked {
        kind,
        document: document.filter(|_| !refused),
        missing: if refused {
            lower::count(&tree)
        } else {
            Missing::Nothing
        },
        diagnostics: findings.finish(),
    }
}

fn unreadable(source: &Source<'_>, errors: &[callgate_grammar::SyntaxError]) -> Checked {
    let text = readable_part(source.bytes);
    let mut findings = Findings::new(source.name, text);
    for error in errors {
        let lint = lints::syntax(error);
        let (message, help) = (error.kind.to_string(), error.help());
        match &error.kind {
            callgate_grammar::SyntaxErrorKind::DuplicateKey { first, .. } => {
                let related = (*first, String::from("it stands here first"));
                findings.report_with(lint, error.span, (message, help), related);
            }
            _ => findings.report(lint, error.span, message, help),
        }
    }
    Checked {
        kind: None,
        document: None,
        diagnostics: findings.finish(),
        missing: Missing::Unknown,
    }
}

/// What of the bytes is text, for the lines and columns of errors.
fn readable_part(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes
            .get(..error.valid_up_to())
            .map(std::str::from_utf8)
            .and_then(Result::ok)
            .unwrap_or_default(),
    }
}
