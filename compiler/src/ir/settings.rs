//! A settings file: permissions in either dialect, posture, trusted workspaces, hooks and transport admission.

use callgate_runtime::rule::{Audience, Effect};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::ir::{Hooks, McpSecurity, PermissionsChoice, Spanned};
use crate::options::Posture;

/// A settings document.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Settings {
    /// `permissions:`; `None` when the key is absent.
    pub permissions: Option<SettingsPermissions>,
    /// `posture:`; counts only in operator files. An unknown one in a project file is absent here.
    pub posture: Option<Spanned<Posture>>,
    /// `trustedWorkspaces:`; counts only in operator files.
    pub trusted_workspaces: Vec<Spanned<String>>,
    /// `hooks:`
    pub hooks: Hooks,
    /// `mcp_security:`; `None` admits nothing.
    pub mcp_security: Option<McpSecurity>,
    /// Top-level keys that are not ours.
    pub foreign_keys: Vec<Spanned<String>>,
}

/// The two shapes of `permissions:`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingsPermissions {
    /// Lists of rule specs.
    Layered(Layered),
    /// A preset's name or a mapping of the rules dialect.
    Rules(PermissionsChoice),
}

/// The layered dialect as written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Layered {
    /// The rules, in document order.
    pub rules: Vec<LayeredRule>,
}

/// One rule spec under one effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayeredRule {
    /// The key it stands under.
    pub effect: Effect,
    /// Top-level deny: all; top-level ask and allow: main; the `subagent:` block: subagent.
    pub audience: Audience,
    /// The spec as written.
    pub spec: Spanned<String>,
    /// The tool, aliases resolved.
    pub tool: String,
    /// The pattern after `:*` was rewritten; empty matches any arguments.
    pub pattern: String,
}

impl Serialize for LayeredRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("LayeredRule", 7)?;
        record.serialize_field("effect", self.effect.name())?;
        record.serialize_field("audience", self.audience.name())?;
        record.serialize_field("spec", &self.spec)?;
        record.serialize_field("tool", &self.tool)?;
        record.serialize_field("pattern", &self.pattern)?;
        record.serialize_field("line", &self.spec.start.line)?;
        record.serialize_field("column", &self.spec.start.column)?;
        record.end()
    }
}
