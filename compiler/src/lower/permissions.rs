//! A mapping of the rules dialect to its typed form (pages 10 and 20).

use std::collections::BTreeMap;

use callgate_grammar::document::Key;
use callgate_grammar::{Mapping, Node, Span, Value};
use callgate_runtime::tool::canonical;

use super::read::first_line;
use super::suggestion::quoted;
use super::{DIRECTIVE_KEYS, Lowering};
use crate::ir::{Permissions, PermissionsChoice, Preset, Spanned, ToolRules};
use crate::lints::{self, prose_pattern};
use crate::normal::PolicyMode;

const KEYS: [&str; 5] = ["mode", "deny", "allow", "escalate", "ask"];

impl Lowering<'_, '_> {
    /// A mapping of the rules dialect.
    pub(super) fn permissions(&mut self, span: Span, mapping: &Mapping) -> Permissions {
        let mut permissions = Permissions::default();
        let mut escalate: Option<&Key> = None;
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "mode" => permissions.mode = self.mode(value),
                "deny" => permissions.deny = self.tools(key, value),
                "allow" => permissions.allow = self.tools(key, value),
                "escalate" | "ask" => {
                    if let Some(first) = escalate.replace(key) {
                        self.given_twice(key, first, "`ask` and `escalate` are one effect");
                    }
                    permissions.escalate.extend(self.tools(key, value));
                }
                "on_escalate" => self.callback(key),
                name if DIRECTIVE_KEYS.contains(&name) => self.directive_in_permissions(key),
                _ => self.unknown_key(key, &KEYS, "permissions"),
            }
        }
        self.mode_fits(span, mapping, &permissions);
        self.limit_rules(permissions.n_rules(), first_line(span, self.findings.text()));
        permissions
    }

    /// A preset's name or a mapping of the rules dialect.
    pub(super) fn permissions_choice(&mut self, node: &Node) -> Option<PermissionsChoice> {
        match &node.value {
            Value::Mapping(mapping) => Some(PermissionsChoice::Rules(self.permissions(node.span, mapping))),
            Value::Scalar(_) => self.preset(node).map(PermissionsChoice::Preset),
            Value::Sequence(_) => {
                let help =
                    "write a preset's name (`safe`), or `mode:` with `deny:`, `allow:` and `escalate:`";
                self.wrong_type(node, "`permissions`", "a preset or a mapping", help);
                None
            }
        }
    }

    /// A preset's name.
    pub(super) fn preset(&mut self, node: &Node) -> Option<Spanned<Preset>> {
        let presets = Preset::ALL.map(|preset| (preset.name(), preset));
        self.word(node, "preset", &presets, &lints::UNKNOWN_PRESET)
    }

    /// Reports prompt guidance where rules stand.
    pub(super) fn directive_in_permissions(&mut self, key: &Key) {
        let name = &key.scalar.text;
        let message = match name.as_str() {
            "escalations" => String::from("`escalations` is prompt guidance; did you mean `escalate`?"),
            "roles" => String::from("`roles` is prompt guidance, which permissions do not hold"),
            _ => format!("{} is prompt guidance, and no rule", quoted(name)),
        };
        let help = match name.as_str() {
            "escalations" => {
                "write `escalate: {TOOL: [PATTERN]}` here; guidance for the model belongs in a pack"
            }
            _ => "move it to a pack; rules are `deny:`, `allow:` and `escalate:`",
        };
        self.findings.report(
            &lints::DIRECTIVES_IN_PERMISSIONS,
            key.span,
            message,
            help.to_owned(),
        );
    }

    /// Reports what stands under two keys.
    pub(super) fn given_twice(&mut self, key: &Key, first: &Key, what: &str) {
        let words = (what.to_owned(), String::from("keep one of the two"));
        let related = (first.span, String::from("it stands here first"));
        self.findings
            .report_with(&lints::GIVEN_TWICE, key.span, words, related);
    }

    /// A tool's name as a key: a text without glob characters, `*` for every tool.
    pub(super) fn tool_key(&mut self, key: &Key) -> Option<Spanned<String>> {
        let tool = self.key_text(key, "a tool")?;
        let message = match tool.value.as_str() {
            "*" => return Some(tool),
            "" => String::from("a tool's name is empty"),
            name if name.contains(['*', '?', '[']) => {
                format!("{} would never match: tool names are no patterns", quoted(name))
            }
            name if name.trim() != name => format!("{} would never match: a space at an end", quoted(name)),
            _ => return Some(tool),
        };
        let help = String::from("write the tool's exact name, or `'*'` for every tool");
        self.findings
            .report(&lints::BAD_TOOL_NAME, tool.span, message, help);
        None
    }

    /// Reports a pattern that is a sentence; whether it was one.
    pub(super) fn prose(&mut self, pattern: &str, span: Span) -> bool {
        let prose = prose_pattern::is_prose(pattern);
        if prose {
            let message = format!("this matches only the literal text {}", quoted(pattern));
            let help = String::from(
                "write a pattern of calls, such as `git push*`; guidance for the model belongs in a pack",
            );
            self.findings.report(&lints::PROSE_PATTERN, span, message, help);
        }
        prose
    }

    fn mode(&mut self, node: &Node) -> Option<Spanned<PolicyMode>> {
        let modes = PolicyMode::ALL.map(|mode| (mode.name(), mode));
        self.word(node, "mode", &modes, &lints::UNKNOWN_MODE)
    }

    /// One effect's tools and patterns.
    fn tools(&mut self, effect: &Key, node: &Node) -> Vec<ToolRules> {
        let name = effect.scalar.text.as_str();
        let Value::Mapping(mapping) = &node.value else {
            let help = match &node.value {
                Value::Sequence(_) => format!(
                    "write `{name}: {{bash: ['git *']}}`; lists of rule specs stand under `permissions:` of a settings document"
                ),
                Value::Scalar(_) | Value::Mapping(_) => {
                    format!("write `{name}: {{bash: ['git *']}}`, or leave the key out")
                }
            };
            self.wrong_type(
                node,
                &format!("`{name}`"),
                "a mapping from tools to lists of patterns",
                &help,
            );
            return Vec::new();
        };
        let mut tools: Vec<ToolRules> = Vec::new();
        let mut earlier: BTreeMap<String, (String, Span)> = BTreeMap::new();
        for entry in &mapping.entries {
            let tool = self.tool_key(&entry.key);
            let patterns = self.patterns(&entry.key, &entry.value);
            let Some(tool) = tool else { continue };
            let canonical = canonical(&tool.value);
            if let Some((name, span)) = earlier.get(&canonical) {
                let message = format!("{} and {} are one tool", quoted(name), quoted(&tool.value));
                let help = format!("put the patterns of both under `{canonical}`");
                let related = (*span, String::from("the tool stands here first"));
                self.findings
                    .report_with(&lints::COLLIDING_TOOLS, tool.span, (message, help), related);
            }
            earlier
                .entry(canonical.clone())
                .or_insert((tool.value.clone(), tool.span));
            tools.push(ToolRules {
                tool,
                canonical,
                patterns,
            });
        }
        tools
    }

    fn patterns(&mut self, tool: &Key, node: &Node) -> Vec<Spanned<String>> {
        let what = format!("the patterns of {}", quoted(&tool.scalar.text));
        let Some(sequence) = self.sequence(node, &what) else {
            return Vec::new();
        };
        let mut patterns = Vec::new();
        for item in &sequence.items {
            let Some(pattern) = self.text(item, "a pattern") else {
                continue;
            };
            self.prose(&pattern.value, pattern.span);
            patterns.push(pattern);
        }
        patterns
    }

    fn callback(&mut self, key: &Key) {
        let message = String::from("`on_escalate` is a callback, and a policy is data");
        let help =
            String::from("write `escalate:` rules here, and give the handler to the interceptor in code");
        self.findings
            .report(&lints::CALLBACK_IN_DATA, key.span, message, help);
    }

    /// Whether mode and rules make sense together.
    fn mode_fits(&mut self, span: Span, mapping: &Mapping, permissions: &Permissions) {
        let key = |name: &str| mapping.entries.iter().find(|entry| entry.key.scalar.text == name);
        let effects = || {
            mapping
                .entries
                .iter()
                .find(|entry| KEYS.iter().skip(1).any(|key| *key == entry.key.scalar.text))
        };
        let n_rules = permissions.n_rules();
        match (&permissions.mode, key("mode")) {
            (Some(mode), _) if mode.value != PolicyMode::Rules && n_rules > 0 => {
                let message = format!("mode `{}` ignores {}", mode.value.name(), counted(n_rules));
                let help = String::from("write `mode: rules`, or remove the rules");
                self.findings
                    .report(&lints::IGNORED_RULES, mode.span, message, help);
            }
            (None, None) if n_rules > 0 => {
                let place = effects().map_or(span, |entry| entry.key.span);
                let message = format!(
                    "`mode` is missing, and the default `allow_all` would ignore {}",
                    counted(n_rules)
                );
                self.findings.report(
                    &lints::MISSING_MODE,
                    place,
                    message,
                    String::from("add `mode: rules`"),
                );
            }
            (None, None) if effects().is_none() || permissions_are_sound(mapping) => {
                let message = String::from("permissions without `mode` and rules allow every call");
                let help = String::from("write `mode: rules` or `mode: deny_all`, or say `mode: allow_all`");
                let place = first_line(span, self.findings.text());
                self.findings
                    .report(&lints::ALLOW_ALL_BY_DEFAULT, place, message, help);
            }
            _ => {}
        }
    }
}

/// Whether the effects are mappings, so that no other finding already says that there are no rules.
fn permissions_are_sound(mapping: &Mapping) -> bool {
    mapping
        .entries
        .iter()
        .all(|entry| matches!(entry.value.value, Value::Mapping(_)))
}

fn counted(n_rules: usize) -> String {
    if n_rules == 1 {
        String::from("the one rule")
    } else {
        format!("all {n_rules} rules")
    }
}
