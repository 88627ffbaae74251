//! `mcp_security:`: which servers may be loaded at all. Nothing given means everything denied.

use callgate_runtime::transport::TransportPolicy;
use serde::Serialize;

use crate::ir::{Nullable, Spanned};

/// Transport admission as written (page 50), each field absent or given, so that files can be laid over each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct McpSecurity {
    /// Servers that are commands may be loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_commands: Option<Spanned<bool>>,
    /// Only these bare names; null: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_allowlist: Nullable<Vec<Spanned<String>>>,
    /// Servers behind URLs may be loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_urls: Option<Spanned<bool>>,
    /// Only these hosts; null: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_allowlist: Nullable<Vec<Spanned<String>>>,
    /// Variables whose names hold one of these are withheld; null: the default list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env_denylist_patterns: Nullable<Vec<Spanned<String>>>,
    /// Whether they are withheld.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter_sensitive_env: Option<Spanned<bool>>,
    /// Most connections to one server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_connections_per_server: Option<Spanned<u32>>,
}

impl McpSecurity {
    /// This one over `below`: what is given here wins, key by key.
    pub fn over(&self, below: &Self) -> Self {
        Self {
            allow_commands: self
                .allow_commands
                .clone()
                .or_else(|| below.allow_commands.clone()),
            command_allowlist: self
                .command_allowlist
                .clone()
                .or_else(|| below.command_allowlist.clone()),
            allow_urls: self.allow_urls.clone().or_else(|| below.allow_urls.clone()),
            url_allowlist: self.url_allowlist.clone().or_else(|| below.url_allowlist.clone()),
            env_denylist_patterns: self
                .env_denylist_patterns
                .clone()
                .or_else(|| below.env_denylist_patterns.clone()),
            filter_sensitive_env: self
                .filter_sensitive_env
                .clone()
                .or_else(|| below.filter_sensitive_env.clone()),
            max_connections_per_server: self
                .max_connections_per_server
                .clone()
                .or_else(|| below.max_connections_per_server.clone()),
        }
    }

    /// What is enforced: absent fields at their defaults, which admit nothing.
    pub fn policy(&self) -> TransportPolicy {
        let default = TransportPolicy::default();
        let given = |field: &Option<Spanned<bool>>, or| field.as_ref().map_or(or, |given| given.value);
        let cap = self.max_connections_per_server.as_ref();
        TransportPolicy {
            allow_commands: given(&self.allow_commands, default.allow_commands),
            command_allowlist: names(&self.command_allowlist),
            allow_urls: given(&self.allow_urls, default.allow_urls),
            url_allowlist: names(&self.url_allowlist),
            env_denylist_patterns: names(&self.env_denylist_patterns),
            filter_sensitive_env: given(&self.filter_sensitive_env, default.filter_sensitive_env),
            max_connections_per_server: cap.map_or(default.max_connections_per_server, |cap| cap.value),
        }
    }
}

fn names(list: &Nullable<Vec<Spanned<String>>>) -> Option<Vec<String>> {
    let list = list.as_ref()?.value.as_ref()?;
    Some(list.iter().map(|name| name.value.clone()).collect())
}
