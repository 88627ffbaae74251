//! Hooks: what runs before, after and on the failure of a tool, by phase and tool.

use serde::Serialize;

use crate::ir::Spanned;

/// `hooks:` of settings and agent documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hooks {
    /// Before the call; a failure denies.
    pub pre: Vec<ToolHooks>,
    /// After the call; observes.
    pub post: Vec<ToolHooks>,
    /// After a failure; observes.
    pub on_error: Vec<ToolHooks>,
}

impl Hooks {
    /// Whether there is none at all.
    pub fn is_empty(&self) -> bool {
        self.pre.is_empty() && self.post.is_empty() && self.on_error.is_empty()
    }
}

/// The hooks of one tool in one phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolHooks {
    /// The tool as written, or `*`.
    pub tool: Spanned<String>,
    /// The entries, in order. A single entry is a list of one.
    pub entries: Vec<Spanned<HookEntry>>,
}

/// One hook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HookEntry {
    /// A handler that the host registers under this name.
    Python {
        /// `lionagi.agent.hooks`
        module: String,
        /// `guard_paths`
        function: String,
    },
    /// A process: its argument vector, never a shell line.
    Command(Vec<Argument>),
}

/// One word of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    /// The word as written.
    pub text: String,
    /// The keys of its `{key}` placeholders, in order, each as often as it stands there.
    pub placeholders: Vec<String>,
}
