//! Findings as text for people or as records for machines.

pub(crate) mod decision;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod replay;

use std::collections::BTreeMap;

use callgate_compiler::{Diagnostic, Severity};

use crate::input::Document;

/// The texts that findings point into, by the names of their sources.
pub(crate) struct Texts<'d>(BTreeMap<&'d str, &'d str>);

impl<'d> Texts<'d> {
    /// The readable part of every document.
    pub(crate) fn of(documents: impl IntoIterator<Item = &'d Document>) -> Self {
        let entry = |document: &'d Document| (document.name.as_str(), readable(&document.bytes));
        Self(documents.into_iter().map(entry).collect())
    }

    fn get(&self, name: &str) -> Option<&'d str> {
        self.0.get(name).copied()
    }
}

/// What of the bytes is text: findings about the rest point at its end.
fn readable(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes
            .get(..error.valid_up_to())
            .and_then(|valid| std::str::from_utf8(valid).ok())
            .unwrap_or_default(),
    }
}

/// How many findings there are of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Errors.
    pub(crate) errors: usize,
    /// Warnings.
    pub(crate) warnings: usize,
    /// Notes.
    pub(crate) notes: usize,
}

impl Tally {
    /// Counts findings.
    pub(crate) fn of<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> Self {
        let mut tally = Self::default();
        for diagnostic in diagnostics {
            let count = match diagnostic.severity {
                Severity::Error => &mut tally.errors,
                Severity::Warning => &mut tally.warnings,
                Severity::Note => &mut tally.notes,
            };
            *count = count.saturating_add(1);
        }
        tally
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.notes, "note"),
        ];
        let parts: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| counted(count, noun))
            .collect();
        formatter.write_str(if parts.is_empty() { "no findings" } else { "" })?;
        formatter.write_str(&parts.join(", "))
    }
}

/// `1 file`, `2 files`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
