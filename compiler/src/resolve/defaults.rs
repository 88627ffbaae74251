//! What a caller wants of every agent that does not say otherwise.

use crate::ir::{McpSecurity, PermissionsChoice};

/// The caller's defaults: a field that is `None` here is built in. There is none for the role: an agent without one is a
/// raw-prompt agent. There is none for emissions either: the role's own are the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// `model:`
    pub model: Option<String>,
    /// `effort:`
    pub effort: Option<String>,
    /// `modes:`
    pub modes: Option<Vec<String>>,
    /// `tools:`
    pub tools: Option<Vec<String>>,
    /// `permissions:`
    pub permissions: Option<PermissionsChoice>,
    /// `grant_emissions:`
    pub grant_emissions: Option<bool>,
    /// `system_prompt:`; an empty text is none.
    pub system_prompt: Option<String>,
    /// `cwd:`
    pub cwd: Option<String>,
    /// `yolo:`
    pub yolo: Option<bool>,
    /// `lion_system:`
    pub lion_system: Option<bool>,
    /// `context_management:`
    pub context_management: Option<bool>,
    /// `mcp_servers:`
    pub mcp_servers: Option<Vec<String>>,
    /// `mcp_config_path:`
    pub mcp_config_path: Option<String>,
    /// `mcp_security:`
    pub mcp_security: Option<McpSecurity>,
}
