//! An agent document and everything around it to the agent that a host builds, each field with its source (page 60).
//!
//! A pure function of its inputs: no file, environment, clock or network is asked, nothing that goes in is changed, and
//! what comes out resolves to itself. Building the agent (providers, tools, processes) is the host's.

mod agent;
mod defaults;
mod fields;
mod hooks;
mod origin;
mod prompt;

use crate::diagnostic::Diagnostic;
use crate::findings::Findings;
use crate::ir::{Agent, Catalogue, Pack, Settings};

pub use agent::ResolvedAgent;
pub use defaults::Defaults;
pub use hooks::{Phase, ResolvedHook};
pub use origin::{Origin, Resolved};
pub use prompt::{PartKind, Prompt, PromptPart};

/// The pack name that stands for whatever pack the host has, also where it has none.
pub const DEFAULT_PACK: &str = "default";

/// What is resolved, and with what. Everything but the agent may be missing.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The document; one without role and preset is a raw-prompt agent.
    pub agent: &'a Agent,
    /// The document's name, for findings.
    pub source: &'a str,
    /// The document's text, for the places of findings; empty for a document that code made.
    pub text: &'a str,
    /// The pack that the document names. Whoever calls has loaded it.
    pub pack: Option<&'a Pack>,
    /// Role bodies, mode behaviours and the coding hint.
    pub catalogue: Option<&'a Catalogue>,
    /// The operator's own settings.
    pub global_settings: Option<&'a Settings>,
    /// The settings of the workspace. They count only with [`trust_project`](Self::trust_project).
    pub project_settings: Option<&'a Settings>,
    /// The workspace's settings are trusted.
    pub trust_project: bool,
    /// What the caller says where neither document nor pack says anything.
    pub defaults: Option<&'a Defaults>,
    /// The text that the caller puts before every prompt.
    pub preamble: Option<&'a str>,
}

impl<'a> Request<'a> {
    /// The document alone.
    pub fn new(agent: &'a Agent) -> Self {
        Self {
            agent,
            source: "agent",
            text: "",
            pack: None,
            catalogue: None,
            global_settings: None,
            project_settings: None,
            trust_project: false,
            defaults: None,
            preamble: None,
        }
    }
}

/// What [`resolve`] made.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// The agent; `None` as soon as there is an error.
    pub agent: Option<ResolvedAgent>,
    /// What was found, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves an agent document: explicit fields first, then its preset, the pack's configuration of the role, settings,
/// the caller's defaults, and what is built in. `false` and `[]` are values; null is a value where page 60 gives it a
/// meaning of its own (`pack`, `permissions`, `mcp_security`), and absence elsewhere.
///
/// ```
/// use callgate_compiler::ir::{Agent, Spanned};
/// use callgate_compiler::resolve::{Origin, Request, resolve};
///
/// let agent = Agent { role: Some(Spanned::unplaced("critic".into())), ..Agent::default() };
/// let resolved = resolve(&Request::new(&agent)).agent.unwrap();
/// assert_eq!(resolved.role.origin, Origin::Explicit);
/// assert_eq!((resolved.tools.value.len(), resolved.tools.origin), (0, Origin::BuiltIn));
/// ```
pub fn resolve(request: &Request<'_>) -> Resolution {
    let mut findings = Findings::new(request.source, request.text);
    let agent = fields::agent(request, &mut findings);
    let refused = findings.has_errors();
    Resolution {
        agent: Some(agent).filter(|_| !refused),
        diagnostics: findings.finish(),
    }
}
