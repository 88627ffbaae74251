//! Lists of agent modes, checked: every name known, none twice, no two that contradict each other.

use std::collections::BTreeMap;

use callgate_grammar::Span;

use super::Lowering;
use super::suggestion::{listed, nearest, quoted};
use crate::ir::{BUILTIN_MODES, Spanned, conflicts};
use crate::lints;

impl Lowering<'_, '_> {
    /// Every name is a built-in mode or one of the catalogue's.
    pub(super) fn modes_known(&mut self, modes: &[Spanned<String>]) {
        let catalogue = self.options.catalogue.as_ref();
        let added = catalogue
            .map(|catalogue| catalogue.modes.as_slice())
            .unwrap_or_default();
        let known: Vec<&str> = BUILTIN_MODES
            .into_iter()
            .chain(added.iter().map(|mode| mode.name.as_str()))
            .collect();
        for mode in modes {
            self.mode_known(mode, &known);
        }
    }

    pub(super) fn mode_known(&mut self, mode: &Spanned<String>, known: &[&str]) {
        if known.contains(&mode.value.as_str()) {
            return;
        }
        let help = match nearest(&mode.value, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known modes: {}; a catalogue can add more", listed(known)),
        };
        let message = format!("nobody defines the mode {}", quoted(&mode.value));
        self.findings
            .report(&lints::UNKNOWN_AGENT_MODE, mode.span, message, help);
    }

    /// No mode contradicts an earlier one of the list.
    pub(super) fn modes_agree(&mut self, modes: &[Spanned<String>]) {
        let options = self.options;
        let conflicts = conflicts(options.catalogue.as_ref());
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
                self.findings
                    .report_with(&lints::CONFLICTING_MODES, mode.span, (message, help), related);
            }
            earlier.entry(&mode.value).or_insert(mode.span);
        }
    }

    /// No name stands twice.
    pub(super) fn no_duplicates(&mut self, names: &[Spanned<String>], what: &str) {
        let mut earlier: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            if let Some(first) = earlier.get(name.as_str()) {
                let message = format!("the {what} {} stands twice", quoted(&name.value));
                let related = (*first, String::from("it stands here first"));
                let words = (message, String::from("remove one of the two"));
                self.findings
                    .report_with(&lints::DUPLICATE_NAME, name.span, words, related);
            }
            earlier.entry(&name.value).or_insert(name.span);
        }
    }
}
