//! A settings document to its typed form: permissions of either dialect, posture, trusted workspaces, hooks, transport.

use callgate_grammar::document::Key;
use callgate_grammar::{Mapping, Node, Value};

use super::suggestion::{listed, nearest, quoted};
use super::{DIRECTIVE_KEYS, Lowering, is_null};
use crate::ir::{Layered, PermissionsChoice, Settings, SettingsPermissions, Spanned};
use crate::lints;
use crate::options::{Posture, is_project};

const KEYS: [&str; 5] = [
    "permissions",
    "posture",
    "trustedWorkspaces",
    "hooks",
    "mcp_security",
];

/// Keys that carry rules and belong one level deeper.
const MISPLACED_KEYS: [&str; 5] = ["allow", "deny", "ask", "escalate", "subagent"];

impl Lowering<'_, '_> {
    /// A settings document.
    pub(super) fn settings(&mut self, mapping: &Mapping) -> Settings {
        let project = is_project(self.options.scope_of(self.source.name));
        let mut settings = Settings::default();
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "permissions" => settings.permissions = self.settings_permissions(value),
                "posture" => {
                    settings.posture = if project {
                        self.project_posture(key, value)
                    } else {
                        self.posture(value)
                    };
                }
                "trustedWorkspaces" => {
                    if project {
                        self.operator_only(key);
                    }
                    settings.trusted_workspaces = self.texts(value, "`trustedWorkspaces`", "a workspace");
                }
                "hooks" => settings.hooks = self.hooks(value),
                "mcp_security" => {
                    settings.mcp_security = if is_null(value) {
                        None
                    } else {
                        self.mcp_security(value)
                    };
                }
                _ => settings.foreign_keys.extend(self.foreign_key(key)),
            }
        }
        self.posture_fits(&settings);
        settings
    }

    /// `permissions:`, whose shape tells its dialect.
    fn settings_permissions(&mut self, node: &Node) -> Option<SettingsPermissions> {
        let mapping = match &node.value {
            _ if is_null(node) => return Some(SettingsPermissions::Layered(Layered::default())),
            Value::Mapping(mapping) => mapping,
            Value::Scalar(_) => {
                return self
                    .preset(node)
                    .map(PermissionsChoice::Preset)
                    .map(SettingsPermissions::Rules);
            }
            Value::Sequence(_) => {
                let help = "say the effect of the rules: `allow: [...]`, `ask: [...]`, `deny: [...]`";
                self.wrong_type(node, "`permissions`", "a mapping or a preset's name", help);
                return None;
            }
        };
        let key_of = |marks: fn(&str, &Node) -> bool| {
            mapping
                .entries
                .iter()
                .find(|entry| marks(&entry.key.scalar.text, &entry.value))
                .map(|entry| &entry.key)
        };
        match (key_of(marks_rules), key_of(marks_layered)) {
            (Some(rules), Some(layered)) => {
                self.mixed_dialects(rules, layered);
                None
            }
            (Some(_), None) => Some(SettingsPermissions::Rules(PermissionsChoice::Rules(
                self.permissions(node.span, mapping),
            ))),
            (None, _) => Some(SettingsPermissions::Layered(self.layered(mapping))),
        }
    }

    fn mixed_dialects(&mut self, rules: &Key, layered: &Key) {
        let (rules_name, layered_name) = (&rules.scalar.text, &layered.scalar.text);
        let message = if rules_name == layered_name {
            format!(
                "{} belongs to the rules dialect, and a list to the layered one",
                quoted(rules_name)
            )
        } else {
            format!(
                "{} belongs to the rules dialect, and {} to the layered one",
                quoted(rules_name),
                quoted(layered_name)
            )
        };
        let help = String::from(
            "write lists of rule specs under `deny`, `ask`, `allow` and `subagent`, or mappings from tools to patterns under \
             `deny`, `allow` and `escalate` with `mode: rules`",
        );
        let (first, second) = if rules.span <= layered.span {
            (rules, layered)
        } else {
            (layered, rules)
        };
        let related = (first.span, String::from("the other dialect stands here"));
        self.findings
            .report_with(&lints::MIXED_DIALECTS, second.span, (message, help), related);
    }

    fn posture(&mut self, node: &Node) -> Option<Spanned<Posture>> {
        let postures = Posture::ALL.map(|posture| (posture.name(), posture));
        self.word(node, "posture", &postures, &lints::UNKNOWN_POSTURE)
    }

    /// A posture in a project file counts for nothing, so an unknown one is no error there (ruling 31).
    fn project_posture(&mut self, key: &Key, node: &Node) -> Option<Spanned<Posture>> {
        self.operator_only(key);
        let text = self.text(node, "a posture")?;
        Posture::from_name(&text.value).map(|posture| text.with(posture))
    }

    fn operator_only(&mut self, key: &Key) {
        let name = quoted(&key.scalar.text);
        let message = format!("{name} counts only in operator files, and this is a project file");
        let help = format!("remove {name} here; the operator sets it in the user's or a managed file");
        self.findings
            .report(&lints::OPERATOR_ONLY_KEY, key.span, message, help);
    }

    /// A top-level key that is not ours: another tool's, or one of ours misspelled or misplaced.
    fn foreign_key(&mut self, key: &Key) -> Option<Spanned<String>> {
        let name = key.scalar.text.as_str();
        if DIRECTIVE_KEYS.contains(&name) {
            self.directive_in_permissions(key);
        } else if MISPLACED_KEYS.contains(&name) {
            let message = format!("unknown key {} in a settings document", quoted(name));
            let help = format!("rules stand one level deeper: `permissions: {{{name}: ...}}`");
            self.findings.report(&lints::UNKNOWN_KEY, key.span, message, help);
        } else if nearest(name, &KEYS).is_some() {
            self.unknown_key(key, &KEYS, "a settings document");
        } else {
            let message = format!("{} is no key of ours, and nothing reads it here", quoted(name));
            let help = format!("leave it if another tool owns it; ours are {}", listed(&KEYS));
            self.findings.report(&lints::FOREIGN_KEY, key.span, message, help);
            return Some(self.findings.place(name.to_owned(), key.span));
        }
        None
    }

    fn posture_fits(&mut self, settings: &Settings) {
        if let (Some(posture), Some(SettingsPermissions::Rules(_))) =
            (&settings.posture, &settings.permissions)
        {
            let message = String::from("`posture` has no effect on permissions of the rules dialect");
            let help = String::from("remove `posture`; here `mode:` and the rules decide alone");
            self.findings
                .report(&lints::IDLE_FIELD, posture.span, message, help);
        }
    }
}

fn marks_rules(key: &str, value: &Node) -> bool {
    let effect = matches!(key, "allow" | "ask" | "deny");
    matches!(key, "mode" | "escalate" | "on_escalate") || (effect && matches!(value.value, Value::Mapping(_)))
}

fn marks_layered(key: &str, value: &Node) -> bool {
    let effect = matches!(key, "allow" | "ask" | "deny" | "escalate");
    key == "subagent" || (effect && matches!(value.value, Value::Sequence(_)))
}
