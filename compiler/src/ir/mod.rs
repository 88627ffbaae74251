//! Typed documents: what a source text says, checked and with its places, before it means anything to a decision.
//!
//! One file a kind. A document of these types has passed every check of page 10 (and 60): holding one means that its
//! source may be used. As JSON (`--emit ir`) members stand in a fixed order and each kind has a schema
//! ([`ir_schema`](crate::ir_schema)).

mod agent;
mod agent_yaml;
mod catalogue;
mod hooks;
mod json;
mod pack;
mod pack_yaml;
mod permissions;
mod settings;
mod settings_yaml;
mod spanned;
mod tests;
mod transport;
mod yaml;

use serde::Serialize;

pub use agent::{Agent, AgentPreset, Nullable};
pub use catalogue::{BUILTIN_MODES, Catalogue, CatalogueMode, CatalogueRole, conflicts};
pub use hooks::{Argument, HookEntry, Hooks, ToolHooks};
#[expect(deprecated, reason = "the alias is published here for those who still use it")]
pub use pack::RolePolicy;
pub use pack::{Pack, PackRole, RoleConfig, RolePromptDirectives};
pub use permissions::{Permissions, PermissionsChoice, Preset, ToolRules};
pub use settings::{Layered, LayeredRule, Settings, SettingsPermissions};
pub use spanned::Spanned;
pub use tests::{Case, CaseCall, Invariant, Quantifier, Spec, Tests};
pub use transport::McpSecurity;

use crate::source::Kind;

/// A checked document of one of the six kinds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Document {
    /// Rules of the rules dialect.
    Permissions(Permissions),
    /// A settings file.
    Settings(Box<Settings>),
    /// Prompt directives and role configuration.
    Pack(Pack),
    /// An agent request.
    Agent(Box<Agent>),
    /// Cases and invariants.
    Tests(Tests),
    /// What a host registers.
    Catalogue(Catalogue),
}

impl Document {
    /// Which kind it is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Permissions(_) => Kind::Permissions,
            Self::Settings(_) => Kind::Settings,
            Self::Pack(_) => Kind::Pack,
            Self::Agent(_) => Kind::Agent,
            Self::Tests(_) => Kind::Tests,
            Self::Catalogue(_) => Kind::Catalogue,
        }
    }

    /// The document as JSON: two-space indent, members in a fixed order, a line feed at the end.
    pub fn to_json(&self) -> String {
        json::pretty(self)
    }
}
