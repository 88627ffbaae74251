//! `mcp_security:` to its typed form, refusing list entries that could never admit anything.

use callgate_grammar::{Node, Span};

use super::Lowering;
use super::suggestion::quoted;
use crate::ir::{McpSecurity, Nullable, Spanned};
use crate::lints;

const KEYS: [&str; 7] = [
    "allow_commands",
    "command_allowlist",
    "allow_urls",
    "url_allowlist",
    "env_denylist_patterns",
    "filter_sensitive_env",
    "max_connections_per_server",
];

impl Lowering<'_, '_> {
    /// `mcp_security:` of settings and agent documents (page 50).
    pub(super) fn mcp_security(&mut self, node: &Node) -> Option<McpSecurity> {
        let mapping = self.mapping(node, "`mcp_security`")?;
        let mut security = McpSecurity::default();
        let (mut commands, mut urls) = (Span::default(), Span::default());
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            let name = key.scalar.text.as_str();
            let what = quoted(name);
            match name {
                "allow_commands" => security.allow_commands = self.boolean(value, &what),
                "allow_urls" => security.allow_urls = self.boolean(value, &what),
                "filter_sensitive_env" => security.filter_sensitive_env = self.boolean(value, &what),
                "command_allowlist" => {
                    commands = key.span;
                    security.command_allowlist = self.nullable_texts(value, &what, "a command");
                }
                "url_allowlist" => {
                    urls = key.span;
                    security.url_allowlist = self.nullable_texts(value, &what, "a host");
                }
                "env_denylist_patterns" => {
                    security.env_denylist_patterns =
                        self.nullable_texts(value, &what, "a part of a variable's name");
                }
                "max_connections_per_server" => {
                    security.max_connections_per_server = self.number(value, &what);
                }
                _ => self.unknown_key(key, &KEYS, "`mcp_security`"),
            }
        }
        self.commands_can_match(listed(&security.command_allowlist));
        self.hosts_can_match(listed(&security.url_allowlist));
        let on = |switch: &Option<Spanned<bool>>| switch.as_ref().is_some_and(|given| given.value);
        let lists = [
            (
                given(&security.command_allowlist) && !on(&security.allow_commands),
                commands,
                "command",
                "allow_commands",
            ),
            (
                given(&security.url_allowlist) && !on(&security.allow_urls),
                urls,
                "url",
                "allow_urls",
            ),
        ];
        for (idle, span, list, switch) in lists {
            if idle {
                let message = format!("`{list}_allowlist` admits nothing while `{switch}` is false");
                let help = format!("add `{switch}: true`, or remove the list");
                self.findings.report(&lints::IDLE_ALLOWLIST, span, message, help);
            }
        }
        Some(security)
    }

    fn commands_can_match(&mut self, commands: &[Spanned<String>]) {
        for command in commands {
            let name = command.value.as_str();
            if self.wildcard(command, &['*', '?', '['], "command names") {
                continue;
            }
            if name.contains(['/', '\\']) {
                let bare = name.rsplit(['/', '\\']).next().unwrap_or_default();
                let message = format!("{} is a path, and the list holds bare names", quoted(name));
                let help = format!("write {}", quoted(bare));
                self.findings
                    .report(&lints::PATH_IN_ALLOWLIST, command.span, message, help);
            }
        }
    }

    fn hosts_can_match(&mut self, hosts: &[Spanned<String>]) {
        for host in hosts {
            let name = host.value.as_str();
            if self.wildcard(host, &['*', '?'], "host names") {
                continue;
            }
            let (scheme, rest) = name
                .split_once("://")
                .map_or((None, name), |(scheme, rest)| (Some(scheme), rest));
            let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
            let without_user = authority.rsplit('@').next().unwrap_or_default();
            let bare = match without_user.rsplit_once(':') {
                Some((host, port))
                    if !host.contains(':') && port.bytes().all(|byte| byte.is_ascii_digit()) =>
                {
                    host
                }
                _ => without_user,
            };
            if bare != name {
                let insecure = scheme.is_some_and(|scheme| !matches!(scheme, "https" | "wss"));
                let also = if insecure {
                    ", and only https and wss are ever admitted"
                } else {
                    ""
                };
                let message = format!("{} is no host name{also}", quoted(name));
                let help = format!("write the bare host: {}", quoted(bare));
                self.findings
                    .report(&lints::URL_IN_ALLOWLIST, host.span, message, help);
            }
        }
    }

    fn wildcard(&mut self, entry: &Spanned<String>, marks: &[char], what: &str) -> bool {
        let wildcard = entry.value.contains(marks);
        if wildcard {
            let message = format!(
                "{} is no pattern here: {what} match exactly",
                quoted(&entry.value)
            );
            let help = String::from("list each name; leaving the list out admits any name");
            self.findings
                .report(&lints::WILDCARD_ALLOWLIST, entry.span, message, help);
        }
        wildcard
    }
}

/// The entries of a list that may be absent or null.
fn listed(list: &Nullable<Vec<Spanned<String>>>) -> &[Spanned<String>] {
    let list = list.as_ref().and_then(|given| given.value.as_deref());
    list.unwrap_or_default()
}

fn given(list: &Nullable<Vec<Spanned<String>>>) -> bool {
    list.as_ref().is_some_and(|given| given.value.is_some())
}
