//! Top-level keys to the kind of a document, or to an error that says which keys pull which way.

use callgate_grammar::document::Key;
use callgate_grammar::{Mapping, Span};

use super::read::first_line;
use super::suggestion::{listed, nearest, quoted};
use super::{DIRECTIVE_KEYS, Lowering};
use crate::lints;
use crate::source::Kind;

/// Keys that make a permissions document.
const PERMISSIONS_KEYS: [&str; 6] = ["mode", "allow", "deny", "escalate", "ask", "on_escalate"];

/// Keys that make a settings document.
const SETTINGS_KEYS: [&str; 3] = ["permissions", "hooks", "posture"];

/// Keys so long that a word near one is that key misspelled, and no other tool's.
const UNMISTAKABLE_KEYS: [&str; 2] = ["permissions", "escalate"];

impl Lowering<'_, '_> {
    /// The kind of the document whose top-level mapping is `mapping`.
    pub(super) fn kind_of(&mut self, span: Span, mapping: &Mapping) -> Option<Kind> {
        let has = |name: &str| mapping.entries.iter().any(|entry| entry.key.scalar.text == name);
        if let Some(entry) = mapping
            .entries
            .iter()
            .find(|entry| entry.key.scalar.text == "callgate")
        {
            let kinds = [("catalogue", Kind::Catalogue)];
            return self
                .word(&entry.value, "value of `callgate`", &kinds, &lints::UNKNOWN_VALUE)
                .map(|kind| kind.value);
        }
        if has("role") || has("preset") {
            return Some(Kind::Agent);
        }
        if has("policy") && (has("cases") || has("invariants")) {
            return Some(Kind::Tests);
        }
        let keys = |names: &[&str]| -> Vec<&Key> {
            mapping
                .entries
                .iter()
                .map(|entry| &entry.key)
                .filter(|key| names.contains(&key.scalar.text.as_str()))
                .collect()
        };
        let permissions = keys(&PERMISSIONS_KEYS);
        let settings = keys(&SETTINGS_KEYS);
        let pack = keys(&["roles"]);
        let rules = !permissions.is_empty() || has("permissions");
        match (permissions.as_slice(), settings.as_slice(), pack.as_slice()) {
            // The pack's own check says what is wrong with each key that carries rules.
            (_, _, [_, ..]) if rules => Some(Kind::Pack),
            ([_, ..], [], []) => Some(Kind::Permissions),
            ([], [_, ..], []) => Some(Kind::Settings),
            ([], [], [_, ..]) => Some(Kind::Pack),
            ([], [], []) => {
                if !self.misspelled_key(mapping) {
                    self.unknown_kind(span, mapping);
                }
                None
            }
            (permissions, settings, pack) => {
                let pulls = [
                    (Kind::Permissions, permissions),
                    (Kind::Settings, settings),
                    (Kind::Pack, pack),
                ];
                self.ambiguous_kind(&pulls);
                None
            }
        }
    }

    fn ambiguous_kind(&mut self, pulls: &[(Kind, &[&Key])]) {
        let mut pulling: Vec<(&str, &Key, String)> = pulls
            .iter()
            .filter_map(|(kind, keys)| {
                let names: Vec<&str> = keys.iter().map(|key| key.scalar.text.as_str()).collect();
                let verb = if names.len() == 1 { "makes" } else { "make" };
                keys.first().map(|key| {
                    (
                        kind.noun(),
                        *key,
                        format!("{} {verb} it {}", listed(&names), kind.noun()),
                    )
                })
            })
            .collect();
        pulling.sort_by_key(|(_, key, _)| key.span);
        let sides: Vec<&str> = pulling.iter().map(|(_, _, side)| side.as_str()).collect();
        let message = format!("the document fits two kinds: {}", sides.join(", "));
        let help = String::from("keep the keys of one kind in one file, or give the kind with `--kind`");
        if let [(_, first, _), (noun, second, _), ..] = pulling.as_slice() {
            let related = (second.span, format!("this key makes it {noun}"));
            self.findings
                .report_with(&lints::AMBIGUOUS_KIND, first.span, (message, help), related);
        }
    }

    /// Reports a key that would decide the kind if it were spelled right; whether there is one. A document of another
    /// tool has none, so whoever skips those does not skip this one.
    fn misspelled_key(&mut self, mapping: &Mapping) -> bool {
        let keys = mapping.entries.iter().map(|entry| &entry.key);
        let near = |key: &Key| nearest(&key.scalar.text, &UNMISTAKABLE_KEYS);
        let Some((key, meant)) = keys.clone().find_map(|key| Some((key, near(key)?))) else {
            return false;
        };
        let message = format!(
            "unknown key {}, and no other decides the document's kind",
            quoted(&key.scalar.text)
        );
        let help = format!("did you mean `{meant}`?");
        self.findings.report(&lints::UNKNOWN_KEY, key.span, message, help);
        true
    }

    fn unknown_kind(&mut self, span: Span, mapping: &Mapping) {
        let known: Vec<&str> = PERMISSIONS_KEYS
            .iter()
            .chain(&SETTINGS_KEYS)
            .copied()
            .chain(["role", "roles", "policy"])
            .collect();
        let names: Vec<&str> = mapping
            .entries
            .iter()
            .map(|entry| entry.key.scalar.text.as_str())
            .collect();
        let message = match names.as_slice() {
            [] => String::from("an empty document is of no kind"),
            [_] => format!("the document is of no kind: {} decides none", listed(&names)),
            _ => format!(
                "the document is of no kind: none of {} decides one",
                listed(&names)
            ),
        };
        let near = names
            .iter()
            .find_map(|name| nearest(name, &known).map(|near| (name, near)));
        let help = match near {
            Some((name, near)) => format!("did you mean `{near}` instead of {}?", quoted(name)),
            None if names.iter().any(|name| DIRECTIVE_KEYS.contains(name)) => {
                String::from("prompt guidance stands in a pack: `roles: {ROLE: {authority: [...]}}`")
            }
            None if names
                .iter()
                .any(|name| matches!(*name, "policy" | "cases" | "invariants")) =>
            {
                String::from("a tests document has `policy:` and `cases:` or `invariants:`")
            }
            None => String::from(
                "write `mode:` for permissions, `permissions:` for settings, `roles:` for a pack, `role:` for an agent, \
                 `policy:` for tests, `callgate: catalogue` for a catalogue, or give the kind with `--kind`",
            ),
        };
        self.findings.report(
            &lints::UNKNOWN_KIND,
            first_line(span, self.findings.text()),
            message,
            help,
        );
    }
}
