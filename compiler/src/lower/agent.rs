//! An agent document to its typed form: every field kept as absent, null or given, nothing resolved.

use callgate_grammar::{Mapping, Node, Span};

use super::modes::{modes_agree, modes_known, no_duplicates};
use super::suggestion::{listed, nearest, quoted};
use super::{EXECUTABLE_KEYS, Lowering, is_null};
use crate::findings::Findings;
use crate::ir::{Agent, AgentPreset, Catalogue, McpSecurity, Nullable, PermissionsChoice, Spanned};
use crate::lints;

const KEYS: [&str; 20] = [
    "role",
    "preset",
    "secure",
    "modes",
    "model",
    "effort",
    "tools",
    "pack",
    "permissions",
    "grant_emissions",
    "emits",
    "system_prompt",
    "cwd",
    "yolo",
    "lion_system",
    "context_management",
    "mcp_servers",
    "mcp_config_path",
    "mcp_security",
    "hooks",
];

impl Lowering<'_, '_> {
    /// An agent document (page 60).
    pub(super) fn agent(&mut self, span: Span, mapping: &Mapping) -> Agent {
        let mut agent = Agent::default();
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            let name = key.scalar.text.as_str();
            let what = quoted(name);
            match name {
                "role" => agent.role = self.text(value, &what),
                "preset" => agent.preset = self.agent_preset(value),
                "secure" => agent.secure = self.boolean(value, &what),
                "modes" => agent.modes = Some(self.texts(value, &what, "a mode")),
                "model" => agent.model = self.nullable_text(value, &what),
                "effort" => agent.effort = self.nullable_text(value, &what),
                "tools" => agent.tools = Some(self.texts(value, &what, "a tool")),
                "pack" => agent.pack = self.nullable_text(value, &what),
                "permissions" => agent.permissions = self.agent_permissions(value),
                "grant_emissions" => agent.grant_emissions = self.boolean(value, &what),
                "emits" => agent.emits = self.nullable_texts(value, &what, "an emission"),
                "system_prompt" => agent.system_prompt = self.nullable_text(value, &what),
                "cwd" => agent.cwd = self.nullable_text(value, &what),
                "yolo" => agent.yolo = self.boolean(value, &what),
                "lion_system" => agent.lion_system = self.boolean(value, &what),
                "context_management" => agent.context_management = self.boolean(value, &what),
                "mcp_servers" => agent.mcp_servers = self.nullable_texts(value, &what, "a server"),
                "mcp_config_path" => agent.mcp_config_path = self.nullable_text(value, &what),
                "mcp_security" => agent.mcp_security = self.agent_mcp_security(value),
                "hooks" => agent.hooks = Some(self.hooks(value)),
                _ if EXECUTABLE_KEYS.contains(&name) => {
                    let message = format!("unknown key {what} in an agent document");
                    let help = format!("rules stand one level deeper: `permissions: {{{name}: ...}}`");
                    self.findings.report(&lints::UNKNOWN_KEY, key.span, message, help);
                }
                _ => self.unknown_key(key, &KEYS, "an agent document"),
            }
        }
        let has = |name: &str| mapping.entries.iter().any(|entry| entry.key.scalar.text == name);
        if !has("role") && !has("preset") {
            self.missing_key(span, "role", "an agent document", "write `role: NAME`");
        }
        let modes = agent.modes.as_deref().unwrap_or_default();
        let tools = agent.tools.as_deref().unwrap_or_default();
        let catalogue = self.options.catalogue.as_ref();
        agent_names(self.findings, catalogue, agent.role.as_ref(), (modes, tools));
        self.agent_fields(&agent);
        agent
    }

    fn agent_preset(&mut self, node: &Node) -> Option<Spanned<AgentPreset>> {
        self.word(
            node,
            "agent preset",
            &[("coding", AgentPreset::Coding)],
            &lints::UNKNOWN_PRESET,
        )
    }

    fn agent_permissions(&mut self, node: &Node) -> Nullable<PermissionsChoice> {
        let value = if is_null(node) {
            None
        } else {
            Some(self.permissions_choice(node)?)
        };
        Some(self.findings.place(value, node.span))
    }

    fn agent_mcp_security(&mut self, node: &Node) -> Nullable<McpSecurity> {
        let value = if is_null(node) {
            None
        } else {
            Some(self.mcp_security(node)?)
        };
        Some(self.findings.place(value, node.span))
    }

    /// Fields that change nothing.
    fn agent_fields(&mut self, agent: &Agent) {
        if let (Some(secure), None) = (&agent.secure, &agent.preset) {
            let message = String::from("`secure` has no effect without `preset: coding`");
            let help = String::from("add `preset: coding`, or write the guards under `hooks:`");
            self.findings
                .report(&lints::IDLE_FIELD, secure.span, message, help);
        }
        let granted = agent.grant_emissions.as_ref().is_none_or(|grant| grant.value);
        if let Some(emits) = &agent.emits
            && emits.value.as_ref().is_some_and(|emits| !emits.is_empty())
            && !granted
        {
            let message = String::from("`emits` has no effect while `grant_emissions` is false");
            let help = String::from("remove `emits`, or write `grant_emissions: true`");
            self.findings
                .report(&lints::IDLE_FIELD, emits.span, message, help);
        }
    }
}

/// Modes, tools and role: known where that can be told, none twice.
pub(crate) fn agent_names(
    findings: &mut Findings<'_>,
    catalogue: Option<&Catalogue>,
    role: Option<&Spanned<String>>,
    (modes, tools): (&[Spanned<String>], &[Spanned<String>]),
) {
    modes_known(findings, catalogue, modes);
    no_duplicates(findings, modes, "mode");
    modes_agree(findings, catalogue, modes);
    no_duplicates(findings, tools, "tool");
    let Some(catalogue) = catalogue else {
        return;
    };
    if let Some(known) = &catalogue.tools {
        let known: Vec<&str> = known.iter().map(|tool| tool.value.as_str()).collect();
        for tool in tools {
            registered(findings, tool, &known, ("tool", &lints::UNKNOWN_TOOL));
        }
    }
    let known: Vec<&str> = catalogue
        .roles
        .iter()
        .map(|role| role.name.value.as_str())
        .collect();
    if let Some(role) = role.filter(|_| !known.is_empty()) {
        registered(findings, role, &known, ("role", &lints::UNKNOWN_ROLE));
    }
}

fn registered(
    findings: &mut Findings<'_>,
    name: &Spanned<String>,
    known: &[&str],
    (what, lint): (&str, &'static lints::Lint),
) {
    if known.contains(&name.value.as_str()) {
        return;
    }
    let help = match nearest(&name.value, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the catalogue has {}", listed(known)),
    };
    let message = format!("the catalogue has no {what} {}", quoted(&name.value));
    findings.report(lint, name.span, message, help);
}
