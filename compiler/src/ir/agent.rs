//! An agent document: a lossless record of what was asked for, each field absent, null or given.

use serde::Serialize;

use crate::ir::{Hooks, McpSecurity, PermissionsChoice, Spanned};

/// A field that may be absent, null or given: `None`, `Some` of a `None`, `Some` of a value.
pub type Nullable<T> = Option<Spanned<Option<T>>>;

/// An agent document (page 60). An absent field is `None`, and missing from the JSON: `false`, `null` and `[]` are
/// values.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Agent {
    /// `role:`; absent only where a preset names the role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Spanned<String>>,
    /// `preset:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<Spanned<AgentPreset>>,
    /// `secure:`, of the coding preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secure: Option<Spanned<bool>>,
    /// `modes:`, in order; absent: the pack's default modes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modes: Option<Vec<Spanned<String>>>,
    /// `model:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Nullable<String>,
    /// `effort:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Nullable<String>,
    /// `tools:`; absent and empty mean none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Spanned<String>>>,
    /// `pack:`; absent: `default`; null: no directives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pack: Nullable<String>,
    /// `permissions:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Nullable<PermissionsChoice>,
    /// `grant_emissions:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant_emissions: Option<Spanned<bool>>,
    /// `emits:`; null: the role's own; empty: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emits: Nullable<Vec<Spanned<String>>>,
    /// `system_prompt:`; an empty text is kept as written and means none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Nullable<String>,
    /// `cwd:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Nullable<String>,
    /// `yolo:`; carried for the host, it loosens nothing here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yolo: Option<Spanned<bool>>,
    /// `lion_system:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lion_system: Option<Spanned<bool>>,
    /// `context_management:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_management: Option<Spanned<bool>>,
    /// `mcp_servers:`; null: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_servers: Nullable<Vec<Spanned<String>>>,
    /// `mcp_config_path:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_config_path: Nullable<String>,
    /// `mcp_security:`; absent and null admit nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_security: Nullable<McpSecurity>,
    /// `hooks:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hooks: Option<Hooks>,
    /// Handlers that a program added and no document can hold, by name. Never read from YAML; listed wherever the
    /// document is written, so that nobody takes it for all of the agent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code_handlers: Vec<String>,
}

/// Presets of a whole agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentPreset {
    /// Role implementer, effort high, the coding tools, guards on bash, reader and editor.
    Coding,
}
