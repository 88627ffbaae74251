//! Parts of typed documents to YAML text, for the writers of whole documents.
//!
//! Collections are written in flow style and texts in double quotes, which every YAML parser reads the same way.

use crate::ir::{
    HookEntry, Hooks, McpSecurity, Nullable, Permissions, PermissionsChoice, Spanned, ToolHooks, ToolRules,
};

/// A preset's name, or a mapping of the rules dialect.
pub(super) fn permissions(choice: &PermissionsChoice) -> String {
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

/// `mcp_security:`, the keys that are given.
pub(super) fn mcp_security(given: &McpSecurity) -> String {
    let fields = [
        ("allow_commands", given.allow_commands.as_ref().map(boolean)),
        ("command_allowlist", nullable_list(&given.command_allowlist)),
        ("allow_urls", given.allow_urls.as_ref().map(boolean)),
        ("url_allowlist", nullable_list(&given.url_allowlist)),
        (
            "env_denylist_patterns",
            nullable_list(&given.env_denylist_patterns),
        ),
        (
            "filter_sensitive_env",
            given.filter_sensitive_env.as_ref().map(boolean),
        ),
        (
            "max_connections_per_server",
            given
                .max_connections_per_server
                .as_ref()
                .map(|cap| cap.value.to_string()),
        ),
    ];
    mapping(fields.into_iter().filter_map(|(key, value)| Some((key, value?))))
}

/// `hooks:`, the phases that have any.
pub(super) fn hooks(given: &Hooks) -> String {
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

/// A flow mapping.
pub(super) fn mapping<K: AsRef<str>>(entries: impl IntoIterator<Item = (K, String)>) -> String {
    let entries: Vec<String> = entries
        .into_iter()
        .map(|(key, value)| format!("{}: {value}", key.as_ref()))
        .collect();
    format!("{{{}}}", entries.join(", "))
}

/// A flow sequence of texts.
pub(super) fn list(items: &[Spanned<String>]) -> String {
    let items: Vec<String> = items.iter().map(text).collect();
    format!("[{}]", items.join(", "))
}

/// The value, or `null`.
pub(super) fn or_null<T>(given: &Spanned<Option<T>>, write: impl FnOnce(&T) -> String) -> String {
    given.value.as_ref().map_or_else(|| String::from("null"), write)
}

/// `true` or `false`.
pub(super) fn boolean(given: &Spanned<bool>) -> String {
    given.value.to_string()
}

/// The text in double quotes.
pub(super) fn text(given: &Spanned<String>) -> String {
    quoted(&given.value)
}

/// A text in double quotes; whatever is not plain ASCII or a printable letter is escaped.
pub(super) fn quoted(text: &str) -> String {
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

/// A nullable text.
pub(super) fn nullable(given: &Nullable<String>) -> Option<String> {
    given.as_ref().map(|given| or_null(given, |text| quoted(text)))
}

/// A nullable list of texts.
pub(super) fn nullable_list(given: &Nullable<Vec<Spanned<String>>>) -> Option<String> {
    given.as_ref().map(|given| or_null(given, |items| list(items)))
}

/// A block mapping of the fields that are given, a line each.
pub(super) fn block<'a>(fields: impl IntoIterator<Item = (&'a str, Option<String>)>) -> String {
    let lines = fields
        .into_iter()
        .filter_map(|(key, value)| Some(format!("{key}: {}\n", value?)));
    lines.collect()
}
