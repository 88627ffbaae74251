//! A pack to its typed form. Rules do not belong here, and text that looks or sounds like one is pointed out.

use callgate_grammar::document::Key;
use callgate_grammar::{Mapping, Node, Value};

use super::modes::modes_allowed;
use super::suggestion::quoted;
use super::{DIRECTIVE_KEYS, EXECUTABLE_KEYS, Lowering};
use crate::ir::{Pack, PackRole, RoleConfig, RolePromptDirectives, Spanned};
use crate::lints::{self, directive_claim, rule_like_directive};

const KEYS: [&str; 2] = ["name", "roles"];
const ROLE_KEYS: [&str; 8] = [
    "authority",
    "boundaries",
    "escalations",
    "model",
    "effort",
    "default_modes",
    "modes_allow",
    "active",
];

impl Lowering<'_, '_> {
    /// A pack document.
    pub(super) fn pack(&mut self, mapping: &Mapping) -> Pack {
        let mut pack = Pack {
            name: self.source.stem().to_owned(),
            roles: Vec::new(),
        };
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "name" => {
                    pack.name = self
                        .text(value, "`name`")
                        .map(|name| name.value)
                        .unwrap_or_default()
                }
                "roles" => pack.roles = self.roles(value),
                name if EXECUTABLE_KEYS.contains(&name) => self.rule_in_pack(key),
                name if DIRECTIVE_KEYS.contains(&name) => {
                    let message = format!("unknown key {} in a pack", quoted(name));
                    let help =
                        format!("guidance stands under its role: `roles: {{ROLE: {{{name}: [...]}}}}`");
                    self.findings.report(&lints::UNKNOWN_KEY, key.span, message, help);
                }
                _ => self.unknown_key(key, &KEYS, "a pack"),
            }
        }
        pack
    }

    fn roles(&mut self, node: &Node) -> Vec<PackRole> {
        let Some(mapping) = self.mapping(node, "`roles`") else {
            return Vec::new();
        };
        let mut roles = Vec::new();
        for entry in &mapping.entries {
            let role = self.key_text(&entry.key, "a role");
            let what = format!("the role {}", quoted(&entry.key.scalar.text));
            let Some(mapping) = self.mapping(&entry.value, &what) else {
                continue;
            };
            let (directives, config) = self.role(mapping);
            roles.extend(role.map(|role| PackRole {
                role,
                directives,
                config,
            }));
        }
        roles
    }

    fn role(&mut self, mapping: &Mapping) -> (RolePromptDirectives, RoleConfig) {
        let mut directives = RolePromptDirectives::default();
        let mut config = RoleConfig::default();
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "authority" => directives.authority = self.directives(key, value),
                "boundaries" => directives.boundaries = self.directives(key, value),
                "escalations" => directives.escalations = self.directives(key, value),
                "model" => config.model = self.nullable_text(value, "`model`").and_then(present),
                "effort" => config.effort = self.nullable_text(value, "`effort`").and_then(present),
                "default_modes" => {
                    config.default_modes = Some(self.texts(value, "`default_modes`", "a mode"));
                }
                "modes_allow" => config.modes_allow = self.texts(value, "`modes_allow`", "a mode"),
                "active" => config.active = self.boolean(value, "`active`"),
                name if EXECUTABLE_KEYS.contains(&name) => self.rule_in_pack(key),
                _ => self.unknown_key(key, &ROLE_KEYS, "a role"),
            }
        }
        self.role_modes(&config);
        (directives, config)
    }

    fn role_modes(&mut self, config: &RoleConfig) {
        let default_modes = config.default_modes.as_deref().unwrap_or_default();
        for modes in [default_modes, &config.modes_allow] {
            self.modes_known(modes);
            self.no_duplicates(modes, "mode");
        }
        self.modes_agree(default_modes);
        let words: (&str, fn(&str) -> String) = ("the default mode", |name| {
            format!("add {name} to `modes_allow`, or remove it here")
        });
        modes_allowed(self.findings, default_modes, &config.modes_allow, words);
    }

    /// Reports executable rules in a document that enforces nothing.
    fn rule_in_pack(&mut self, key: &Key) {
        let name = key.scalar.text.as_str();
        let message = format!(
            "{}: a pack is prompt text and enforces nothing; this belongs in a permissions document",
            quoted(name)
        );
        let help = match name {
            "escalate" => {
                "move the rules to a permissions document; guidance for the model is `escalations:` here"
            }
            _ => "move the rules to a permissions document, or to `permissions:` of an agent",
        };
        self.findings
            .report(&lints::RULES_IN_PACK, key.span, message, help.to_owned());
    }

    /// A list of prompt texts.
    fn directives(&mut self, key: &Key, node: &Node) -> Vec<Spanned<String>> {
        let name = key.scalar.text.as_str();
        let Some(sequence) = self.sequence(node, &quoted(name)) else {
            return Vec::new();
        };
        let mut directives = Vec::new();
        for item in &sequence.items {
            if let Value::Mapping(mapping) = &item.value {
                self.mapping_as_directive(item, mapping);
                continue;
            }
            let Some(directive) = self.text(item, "a directive") else {
                continue;
            };
            self.directive(&directive, name == "escalations");
            directives.push(directive);
        }
        directives
    }

    /// An unquoted `deny: …` or `Note: …` in a list of texts.
    fn mapping_as_directive(&mut self, node: &Node, mapping: &Mapping) {
        let rule = |key: &&Key| EXECUTABLE_KEYS.contains(&key.scalar.text.to_lowercase().as_str());
        match mapping.entries.iter().map(|entry| &entry.key).find(rule) {
            Some(key) => self.rule_in_pack(key),
            None => self.wrong_type(
                node,
                "a directive",
                "a text",
                "quote the text: a colon and a space make it a mapping",
            ),
        }
    }

    fn directive(&mut self, directive: &Spanned<String>, conditions: bool) {
        if let Some(rule) = rule_like_directive::rule_in(&directive.value) {
            let message = format!("{} is shown to the model, nothing blocks it", quoted(rule));
            let help = String::from("write the rule in a permissions document, or say it as a sentence");
            self.findings
                .report(&lints::RULE_LIKE_DIRECTIVE, directive.span, message, help);
        } else if let Some(claim) = directive_claim::claim_in(&directive.value, conditions) {
            let message = format!(
                "{}: this is shown to the model, nothing enforces it",
                quoted(&claim)
            );
            let help = String::from(
                "say what the model must do (`Cannot push to main`), and enforce it in a permissions document",
            );
            self.findings
                .report(&lints::DIRECTIVE_CLAIM, directive.span, message, help);
        }
    }
}

fn present(text: Spanned<Option<String>>) -> Option<Spanned<String>> {
    let Spanned { value, span, start } = text;
    value.map(|value| Spanned { value, span, start })
}
