//! A typed agent document to YAML text that reads back as the same document, field by field (page 60).
//!
//! Each field is one line; texts are in double quotes, which every YAML parser reads the same way.

use crate::ir::{
    Agent, HookEntry, Hooks, McpSecurity, Permissions, PermissionsChoice, Spanned, ToolHooks, ToolRules,
};

impl Agent {
    /// The document as YAML. Fields that were absent stay absent; null stays null and an empty list empty.
    pub fn to_yaml(&self) -> String {
        let fields: [(&str, Option<String>); 20] = [
            ("role", self.role.as_ref().map(text)),
            ("preset", self.preset.as_ref().map(|_| String::from("coding"))),
            ("secure", self.secure.as_ref().map(boolean)),
            ("modes", self.modes.as_deref().map(list)),
            (
                "model",
                self.model
                    .as_ref()
                    .map(|given| or_null(given, |value| quoted(value))),
            ),
            (
                "effort",
                self.effort
                    .as_ref()
                    .map(|given| or_null(given, |value| quoted(value))),
            ),
            ("tools", self.tools.as_deref().map(list)),
            (
                "pack",
                self.pack
                    .as_ref()
                    .map(|given| or_null(given, |value| quoted(value))),
            ),
            (
                "permissions",
                self.permissions.as_ref().map(|given| or_null(given, permissions)),
            ),
            ("grant_emissions", self.grant_emissions.as_ref().map(boolean)),
            (
                "emits",
                self.emits
                    .as_ref()
                    .map(|given| or_null(given, |value| list(value))),
            ),
            (
                "system_prompt",
                self.system_prompt
                    .as_ref()
                    .map(|given| or_null(given, |value| quoted(value))),
            ),
            (
                "cwd",
                self.cwd
                    .as_ref()
                    .map(|given| or_null(given, |value| quoted(value))),
            ),
            ("yolo", self.yolo.as_ref().map(boolean)),
            ("lion_system", self.lion_system.as_ref().map(boolean)),
            (
                "context_management",
                self.context_management.as_ref().map(boolean),
            ),
            (
                "mcp_servers",
                self.mcp_servers
                    .as_ref()
                    .map(|given| or_null(given, |value| list(value))),
            ),
            (
                "mcp_config_path",
                self.mcp_config_path
                    .as_ref()
                    .map(|given| or_null(given, |value| quoted(value))),
            ),
            (
                "mcp_security",
                self.mcp_security
                    .as_ref()
                    .map(|given| or_null(given, mcp_security)),
            ),
            ("hooks", self.hooks.as_ref().map(hooks)),
        ];
        let given = fields
            .into_iter()
            .filter_map(|(key, value)| value.map(|value| format!("{key}: {value}\n")));
        given.collect()
    }
}

fn permissions(choice: &PermissionsChoice) -> String {
    match choice {
        PermissionsChoice::Preset(preset) => preset.value.name().to_owned(),
        PermissionsChoice::Rules(rules) => rules_mapping(rules),
    }
}

fn rules_mapping(rules: &Permissions) -> String {
    let mode = rules
        .mode
        .as_ref()
        .map(|mode| ("mode", mode.value.name().to_owned()));
    let mut effects = [
        ("deny", &rules.deny),
        ("allow", &rules.allow),
        ("escalate", &rules.escalate),
    ];
    effects.sort_by_key(|(_, tools)| tools.first().map(|tool| tool.tool.span));
    let effects = effects
        .into_iter()
        .filter(|(_, tools)| !tools.is_empty())
        .map(|(key, tools)| (key, tool_mapping(tools)));
    mapping(mode.into_iter().chain(effects))
}

fn tool_mapping(tools: &[ToolRules]) -> String {
    mapping(
        tools
            .iter()
            .map(|tool| (quoted(&tool.tool.value), list(&tool.patterns))),
    )
}

fn mcp_security(given: &McpSecurity) -> String {
    let names =
        |list: &Option<Vec<Spanned<String>>>| list.as_deref().map_or(String::from("null"), self::list);
    mapping([
        ("allow_commands", given.allow_commands.to_string()),
        ("command_allowlist", names(&given.command_allowlist)),
        ("allow_urls", given.allow_urls.to_string()),
        ("url_allowlist", names(&given.url_allowlist)),
        ("env_denylist_patterns", names(&given.env_denylist_patterns)),
        ("filter_sensitive_env", given.filter_sensitive_env.to_string()),
        (
            "max_connections_per_server",
            given.max_connections_per_server.to_string(),
        ),
    ])
}

fn hooks(given: &Hooks) -> String {
    let phases = [
        ("pre", &given.pre),
        ("post", &given.post),
        ("on_error", &given.on_error),
    ];
    mapping(
        phases
            .into_iter()
            .filter(|(_, tools)| !tools.is_empty())
            .map(|(phase, tools)| (phase, phase_mapping(tools))),
    )
}

fn phase_mapping(tools: &[ToolHooks]) -> String {
    mapping(tools.iter().map(|tool| {
        let entries: Vec<String> = tool.entries.iter().map(|entry| hook(&entry.value)).collect();
        (quoted(&tool.tool.value), format!("[{}]", entries.join(", ")))
    }))
}

fn hook(entry: &HookEntry) -> String {
    match entry {
        HookEntry::Python { module, function } => {
            mapping([("python", quoted(&format!("{module}:{function}")))])
        }
        HookEntry::Command(words) => {
            let words: Vec<String> = words.iter().map(|word| quoted(&word.text)).collect();
            mapping([("command", format!("[{}]", words.join(", ")))])
        }
    }
}

fn mapping<K: AsRef<str>>(entries: impl IntoIterator<Item = (K, String)>) -> String {
    let entries: Vec<String> = entries
        .into_iter()
        .map(|(key, value)| format!("{}: {value}", key.as_ref()))
        .collect();
    format!("{{{}}}", entries.join(", "))
}

fn list(items: &[Spanned<String>]) -> String {
    let items: Vec<String> = items.iter().map(text).collect();
    format!("[{}]", items.join(", "))
}

fn or_null<T>(given: &Spanned<Option<T>>, write: impl FnOnce(&T) -> String) -> String {
    given.value.as_ref().map_or_else(|| String::from("null"), write)
}

fn boolean(given: &Spanned<bool>) -> String {
    given.value.to_string()
}

fn text(given: &Spanned<String>) -> String {
    quoted(&given.value)
}

/// A text in double quotes; whatever is not plain ASCII or a printable letter is escaped.
fn quoted(text: &str) -> String {
    let mut written = String::from('"');
    for character in text.chars() {
        match character {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            ' '..='~' => written.push(character),
            _ if character.is_alphanumeric() => written.push(character),
            _ => written.push_str(&format!("\\U{:08X}", u32::from(character))),
        }
    }
    written.push('"');
    written
}
