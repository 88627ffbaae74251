//! `mcp_security:`: which servers may be loaded at all. Nothing given means everything denied.

use serde::Serialize;

use crate::ir::Spanned;

/// Transport admission as written (page 50).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct McpSecurity {
    /// Servers that are commands may be loaded.
    pub allow_commands: bool,
    /// Only these bare names; `None`: any.
    pub command_allowlist: Option<Vec<Spanned<String>>>,
    /// Servers behind URLs may be loaded.
    pub allow_urls: bool,
    /// Only these hosts; `None`: any.
    pub url_allowlist: Option<Vec<Spanned<String>>>,
    /// Names of environment variables that hold one of these are withheld; `None`: the default list.
    pub env_denylist_patterns: Option<Vec<Spanned<String>>>,
    /// Whether they are withheld.
    pub filter_sensitive_env: bool,
    /// Most connections to one server.
    pub max_connections_per_server: u32,
}

impl Default for McpSecurity {
    fn default() -> Self {
        Self {
            allow_commands: false,
            command_allowlist: None,
            allow_urls: false,
            url_allowlist: None,
            env_denylist_patterns: None,
            filter_sensitive_env: true,
            max_connections_per_server: 5,
        }
    }
}
