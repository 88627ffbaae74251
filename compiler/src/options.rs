//! What the caller decides: bounds, trust, scope and posture, with the strictest values as defaults.

use std::collections::BTreeSet;

use callgate_grammar::Limits;
use callgate_runtime::rule::Scope;
use serde::Serialize;

use crate::ir::Catalogue;
use crate::source::Kind;

/// How far the operator trusts the session (page 30). Ordered: a later one is laxer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Posture {
    /// Rules and floors decide.
    #[default]
    Strict,
    /// Project files keep their allows, in interactive roots.
    Trusted,
    /// Everything is allowed that no deny or configured ask names; loose substitution for the main engine.
    Auto,
    /// As `Auto`, and loose substitution for child engines.
    Yolo,
}

impl Posture {
    /// Every posture, strictest first.
    pub const ALL: [Self; 4] = [Self::Strict, Self::Trusted, Self::Auto, Self::Yolo];

    /// `strict`, `trusted`, `auto`, `yolo`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Trusted => "trusted",
            Self::Auto => "auto",
            Self::Yolo => "yolo",
        }
    }

    /// The posture of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|posture| posture.name() == name)
    }
}

/// Everything that [`check`](crate::check) and [`compile`](crate::compile) do not find in the sources.
#[derive(Clone, Debug)]
pub struct Options {
    /// The kind of every source; `None`: found from its keys.
    pub kind: Option<Kind>,
    /// Bounds on each source text.
    pub limits: Limits,
    /// Most rules a policy may have.
    pub max_rules: usize,
    /// Python modules that hooks may name.
    pub trusted_hook_modules: Vec<String>,
    /// The scope of every settings source; `None`: found from its path, else `cli`.
    pub scope: Option<Scope>,
    /// The workspace that project files belong to is trusted: their allow rules count.
    pub trusted_workspace: bool,
    /// The policy is for an interactive root: a posture of `trusted` or laxer makes the workspace trusted.
    pub interactive: bool,
    /// The operator's posture. A posture in an operator file can raise it, never lower it.
    pub posture: Posture,
    /// Roles, modes and tools that the host registers. Without it tool and role names are not checked, and only the
    /// built-in modes are known.
    pub catalogue: Option<Catalogue>,
    /// The tools that a host registers, for [`inspect`](crate::inspect()): a rule for another one is a finding. Without
    /// it every name may be a tool's.
    pub tools: Option<BTreeSet<String>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kind: None,
            limits: Limits::default(),
            max_rules: 10_000,
            trusted_hook_modules: vec![String::from("lionagi.agent.hooks")],
            scope: None,
            trusted_workspace: false,
            interactive: false,
            posture: Posture::Strict,
            catalogue: None,
            tools: None,
        }
    }
}

impl Options {
    /// The scope of the settings source `name`: the given one, else that of page 30's paths, else `cli` (ruling 33).
    pub fn scope_of(&self, name: &str) -> Scope {
        let mut parts = name.rsplit('/');
        let (file, folder) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let by_path = match (folder, file) {
            (".mecatl", "settings.local.yaml") => Scope::LocalProject,
            (".mecatl", "settings.yaml") => Scope::SharedProject,
            ("mecatl", "settings.yaml") => Scope::User,
            _ => Scope::Cli,
        };
        self.scope.unwrap_or(by_path)
    }
}

/// Whether files of this scope are written by whoever writes the workspace, not by the operator.
pub(crate) fn is_project(scope: Scope) -> bool {
    match scope {
        Scope::LocalProject | Scope::SharedProject => true,
        Scope::Managed | Scope::Cli | Scope::User | Scope::BuiltinDefault => false,
    }
}
