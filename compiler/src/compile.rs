//! Sources to decision table bytes: check each, merge them, emit.

use callgate_grammar::Span;
use callgate_runtime::table::Table;

use crate::check::check;
use crate::diagnostic::{Diagnostic, Severity};
use crate::emit;
use crate::findings::{self, Findings};
use crate::lints;
use crate::normal::NormalPolicy;
use crate::normalize::{File, normalize};
use crate::options::Options;
use crate::source::Source;

/// What [`compile`] made.
#[derive(Clone, Debug, PartialEq)]
pub struct Compilation {
    /// The table; `None` when there is an error.
    pub policy: Option<Compiled>,
    /// Everything found in all sources, by source name, place and code.
    pub diagnostics: Vec<Diagnostic>,
}

/// A compiled policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The decision table (page 40).
    pub bytes: Vec<u8>,
    /// Its digest in hexadecimal, the table's name everywhere.
    pub digest: String,
    /// What it was made from.
    pub normal: NormalPolicy,
}

/// Checks every source, merges them into one policy and writes its table. Equal sources give equal bytes, in any order
/// and on any machine; one error anywhere and there is no table.
pub fn compile(sources: &[Source<'_>], options: &Options) -> Compilation {
    let checked: Vec<_> = sources.iter().map(|source| check(source, options)).collect();
    let mut diagnostics: Vec<Diagnostic> = checked
        .iter()
        .flat_map(|checked| checked.diagnostics.iter().cloned())
        .collect();
    let documents = checked.iter().map(|checked| checked.document.as_ref());
    let files: Option<Vec<File<'_>>> = sources
        .iter()
        .zip(documents)
        .map(|(source, document)| document.map(|document| File::new(source, document, options)))
        .collect();
    let normal = files.and_then(|files| {
        let normalized = normalize(&files, options);
        diagnostics.extend(normalized.diagnostics);
        normalized.policy
    });
    let policy = normal.and_then(|normal| {
        let compiled = compiled(normal);
        if compiled.is_none() {
            diagnostics.extend(sources.first().map(too_large).unwrap_or_default());
        }
        compiled
    });
    findings::sort(&mut diagnostics);
    let refused = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error);
    Compilation {
        policy: policy.filter(|_| !refused),
        diagnostics,
    }
}

/// The table, loaded once: what is handed out is what a reader accepts.
fn compiled(normal: NormalPolicy) -> Option<Compiled> {
    let bytes = emit::table(&normal).ok()?;
    let digest = Table::load(bytes.as_slice()).ok()?.digest().to_string();
    Some(Compiled {
        bytes,
        digest,
        normal,
    })
}

fn too_large(source: &Source<'_>) -> Vec<Diagnostic> {
    let mut findings = Findings::new(source.name, "");
    findings.report(
        &lints::POLICY_TOO_LARGE,
        Span::at(0),
        String::from("the policy is too large for a decision table"),
        String::from("split the policy, or write fewer or shorter patterns"),
    );
    findings.finish()
}
