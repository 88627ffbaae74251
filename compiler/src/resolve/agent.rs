//! A resolved agent, and back to a document that says all of it explicitly.

use callgate_runtime::transport::TransportPolicy;

use super::hooks::{self, ResolvedHook};
use super::origin::{Origin, Resolved};
use super::prompt::Prompt;
use crate::ir::{Agent, McpSecurity, Nullable, PermissionsChoice, Spanned};

/// An agent with nothing left open: each field's value and source.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedAgent {
    /// The role; `None` for a raw-prompt agent.
    pub role: Resolved<Option<String>>,
    /// The modes, in order.
    pub modes: Resolved<Vec<String>>,
    /// The model; `None`: the host's own.
    pub model: Resolved<Option<String>>,
    /// The effort; `None`: the host's own.
    pub effort: Resolved<Option<String>>,
    /// The tools; empty means none.
    pub tools: Resolved<Vec<String>>,
    /// The pack's name; `None`: no directives.
    pub pack: Resolved<Option<String>>,
    /// The permissions; `None`: no table is made of this agent.
    pub permissions: Resolved<Option<PermissionsChoice>>,
    /// Whether anything may be emitted.
    pub grant_emissions: Resolved<bool>,
    /// What may be emitted, `EscalationRequest` included where there is anything.
    pub emits: Resolved<Vec<String>>,
    /// The agent's own prompt text; never empty.
    pub system_prompt: Resolved<Option<String>>,
    /// The working folder; `None`: the host's own.
    pub cwd: Resolved<Option<String>>,
    /// Carried for the host; it loosens nothing here.
    pub yolo: Resolved<bool>,
    /// Whether the caller's preamble goes before the prompt.
    pub lion_system: Resolved<bool>,
    /// Whether coding tools come with the context tool and its prompt line.
    pub context_management: Resolved<bool>,
    /// The servers to load; `None`: all that are configured.
    pub mcp_servers: Resolved<Option<Vec<String>>>,
    /// The file that configures servers; naming it admits none.
    pub mcp_config_path: Resolved<Option<String>>,
    /// Transport admission.
    pub mcp_security: Resolved<McpSecurity>,
    /// The hooks, each once, in the order in which they run within their phase and tool.
    pub hooks: Vec<ResolvedHook>,
    /// Handlers that a program added and no document can hold.
    pub code_handlers: Vec<String>,
    /// What the model is told.
    pub prompt: Prompt,
}

impl ResolvedAgent {
    /// Whether the coding toolkit has the `context` tool.
    pub fn has_context_tool(&self) -> bool {
        self.context_management.value && self.tools.value.iter().any(|tool| tool == CODING)
    }

    /// Which servers may be loaded.
    pub fn transport(&self) -> TransportPolicy {
        self.mcp_security.value.policy()
    }

    /// The source of every field, in the order of [`document`](Self::document)'s. Hooks have their own.
    pub fn origins(&self) -> [(&'static str, Origin); 17] {
        [
            ("role", self.role.origin),
            ("modes", self.modes.origin),
            ("model", self.model.origin),
            ("effort", self.effort.origin),
            ("tools", self.tools.origin),
            ("pack", self.pack.origin),
            ("permissions", self.permissions.origin),
            ("grant_emissions", self.grant_emissions.origin),
            ("emits", self.emits.origin),
            ("system_prompt", self.system_prompt.origin),
            ("cwd", self.cwd.origin),
            ("yolo", self.yolo.origin),
            ("lion_system", self.lion_system.origin),
            ("context_management", self.context_management.origin),
            ("mcp_servers", self.mcp_servers.origin),
            ("mcp_config_path", self.mcp_config_path.origin),
            ("mcp_security", self.mcp_security.origin),
        ]
    }

    /// The agent as a document in which every field is explicit. With the same surroundings it resolves to this agent
    /// again: presets are spelled out, so no hook is installed twice.
    pub fn document(&self) -> Agent {
        Agent {
            role: self.role.value.clone().map(Spanned::unplaced),
            preset: None,
            secure: None,
            modes: Some(spanned(&self.modes.value)),
            model: nullable(&self.model.value),
            effort: nullable(&self.effort.value),
            tools: Some(spanned(&self.tools.value)),
            pack: nullable(&self.pack.value),
            permissions: nullable(&self.permissions.value),
            grant_emissions: Some(Spanned::unplaced(self.grant_emissions.value)),
            emits: Some(Spanned::unplaced(Some(spanned(&self.emits.value)))),
            system_prompt: nullable(&self.system_prompt.value),
            cwd: nullable(&self.cwd.value),
            yolo: Some(Spanned::unplaced(self.yolo.value)),
            lion_system: Some(Spanned::unplaced(self.lion_system.value)),
            context_management: Some(Spanned::unplaced(self.context_management.value)),
            mcp_servers: Some(Spanned::unplaced(self.mcp_servers.value.as_deref().map(spanned))),
            mcp_config_path: nullable(&self.mcp_config_path.value),
            mcp_security: Some(Spanned::unplaced(Some(self.mcp_security.value.clone()))),
            hooks: Some(hooks::written(&self.hooks)),
            code_handlers: self.code_handlers.clone(),
        }
    }
}

/// The tool request that stands for the coding toolkit.
pub(super) const CODING: &str = "coding";

fn spanned(texts: &[String]) -> Vec<Spanned<String>> {
    texts.iter().cloned().map(Spanned::unplaced).collect()
}

fn nullable<T: Clone>(value: &Option<T>) -> Nullable<T> {
    Some(Spanned::unplaced(value.clone()))
}
