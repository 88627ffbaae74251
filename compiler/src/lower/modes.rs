//! Lists of agent modes, checked: every name known, none twice, no two that contradict each other.
//!
//! The lists of documents are checked here when they are read, and the list that an agent ends up with when it is
//! resolved.

use std::collections::BTreeMap;

use callgate_grammar::Span;

use super::Lowering;
use super::suggestion::{listed, nearest, quoted};
use crate::findings::Findings;
use crate::ir::{BUILTIN_MODES, Catalogue, Spanned, conflicts};
use crate::lints;

/// Every name is a built-in mode or one of the catalogue's.
pub(crate) fn modes_known(
    findings: &mut Findings<'_>,
    catalogue: Option<&Catalogue>,
    modes: &[Spanned<String>],
) {
    let added = catalogue
        .map(|catalogue| catalogue.modes.as_slice())
        .unwrap_or_default();
    let known: Vec<&str> = BUILTIN_MODES
        .into_iter()
        .chain(added.iter().map(|mode| mode.name.as_str()))
        .collect();
    for mode in modes {
        mode_known(findings, mode, &known);
    }
}

fn mode_known(findings: &mut Findings<'_>, mode: &Spanned<String>, known: &[&str]) {
    if known.contains(&mode.value.as_str()) {
        return;
    }
    let help = match nearest(&mode.value, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known modes: {}; a catalogue can add more", listed(known)),
    };
    let message = format!("nobody defines the mode {}", quoted(&mode.value));
    findings.report(&lints::UNKNOWN_AGENT_MODE, mode.span, message, help);
}

/// No mode contradicts an earlier one of the list.
pub(crate) fn modes_agree(
    findings: &mut Findings<'_>,
    catalogue: Option<&Catalogue>,
    modes: &[Spanned<String>],
) {
    let conflicts = conflicts(catalogue);
    let mut earlier: BTreeMap<&str, Span> = BTreeMap::new();
    for mode in modes {
        let against = conflicts
            .get(mode.value.as_str())
            .map(Vec::as_slice)
            .unwrap_or_default();
        let other = against
            .iter()
            .find_map(|other| Some((*other, *earlier.get(other)?)));
        if let Some((other, span)) = other {
            let message = format!("the mode {} contradicts {}", quoted(&mode.value), quoted(other));
            let help = String::from("keep one of the two");
            let related = (span, String::from("the other mode"));
            findings.report_with(&lints::CONFLICTING_MODES, mode.span, (message, help), related);
        }
        earlier.entry(&mode.value).or_insert(mode.span);
    }
}

/// Every mode is one that a role allows; an empty `allowed` allows all. `what` is `the mode`, `the default mode`.
pub(crate) fn modes_allowed(
    findings: &mut Findings<'_>,
    modes: &[Spanned<String>],
    allowed: &[Spanned<String>],
    (what, help): (&str, fn(&str) -> String),
) {
    if allowed.is_empty() {
        return;
    }
    for mode in modes {
        if !allowed.iter().any(|allowed| allowed.value == mode.value) {
            let name = quoted(&mode.value);
            let message = format!("{what} {name} is not in `modes_allow`");
            findings.report(&lints::MODE_NOT_ALLOWED, mode.span, message, help(&name));
        }
    }
}

/// No name stands twice.
pub(crate) fn no_duplicates(findings: &mut Findings<'_>, names: &[Spanned<String>], what: &str) {
    let mut earlier: BTreeMap<&str, Span> = BTreeMap::new();
    for name in names {
        if let Some(first) = earlier.get(name.as_str()) {
            let message = format!("the {what} {} stands twice", quoted(&name.value));
            let related = (*first, String::from("it stands here first"));
            let words = (message, String::from("remove one of the two"));
            findings.report_with(&lints::DUPLICATE_NAME, name.span, words, related);
        }
        earlier.entry(&name.value).or_insert(name.span);
    }
}

impl Lowering<'_, '_> {
    /// As [`modes_known`].
    pub(super) fn modes_known(&mut self, modes: &[Spanned<String>]) {
        modes_known(self.findings, self.options.catalogue.as_ref(), modes);
    }

    /// The mode is one of `known`.
    pub(super) fn mode_known(&mut self, mode: &Spanned<String>, known: &[&str]) {
        mode_known(self.findings, mode, known);
    }

    /// As [`modes_agree`].
    pub(super) fn modes_agree(&mut self, modes: &[Spanned<String>]) {
        modes_agree(self.findings, self.options.catalogue.as_ref(), modes);
    }

    /// As [`no_duplicates`].
    pub(super) fn no_duplicates(&mut self, names: &[Spanned<String>], what: &str) {
        no_duplicates(self.findings, names, what);
    }
}
