//! Hooks of an agent, its preset and its settings to one list in which each stands once.

use super::Request;
use super::origin::Origin;
use crate::ir::{AgentPreset, HookEntry, Hooks, Spanned, ToolHooks};

/// When a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Before the call; a failure denies.
    Pre,
    /// After the call; observes.
    Post,
    /// After a failure; observes.
    OnError,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 3] = [Self::Pre, Self::Post, Self::OnError];

    /// `pre`, `post`, `on_error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pre => "pre",
            Self::Post => "post",
            Self::OnError => "on_error",
        }
    }
}

/// One hook of a resolved agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedHook {
    /// When it runs.
    pub phase: Phase,
    /// The tool as written, or `*`.
    pub tool: String,
    /// What runs.
    pub entry: HookEntry,
    /// Who asks for it; the first of several.
    pub origin: Origin,
}

/// The module of the handlers that a preset names.
const HOOK_MODULE: &str = "lionagi.agent.hooks";

/// The guards of `preset: coding` with `secure`: destructive commands, and paths outside of the workspace.
const GUARDS: [(&str, &str); 3] = [
    ("bash", "guard_destructive"),
    ("reader", "guard_paths"),
    ("editor", "guard_paths"),
];

/// The preset's guards, the document's own hooks, then those of the global and of a trusted project's settings. A hook that
/// stands twice under one phase and tool is installed once, at its first place.
pub(super) fn resolved(request: &Request<'_>) -> Vec<ResolvedHook> {
    let agent = request.agent;
    let mut hooks = Vec::new();
    if guarded(request) {
        for (tool, function) in GUARDS {
            let entry = HookEntry::Python {
                module: HOOK_MODULE.to_owned(),
                function: function.to_owned(),
            };
            install(&mut hooks, Phase::Pre, tool, &entry, Origin::Preset);
        }
    }
    let project = request.project_settings.filter(|_| request.trust_project);
    let sources = [
        (agent.hooks.as_ref(), Origin::Explicit),
        (
            request.global_settings.map(|settings| &settings.hooks),
            Origin::GlobalSettings,
        ),
        (project.map(|settings| &settings.hooks), Origin::ProjectSettings),
    ];
    for (given, origin) in sources {
        let Some(given) = given else { continue };
        for phase in Phase::ALL {
            for tool in of_phase(given, phase) {
                for entry in &tool.entries {
                    install(&mut hooks, phase, &tool.tool.value, &entry.value, origin);
                }
            }
        }
    }
    // By phase and tool, as a document holds them; within those in the order of installation.
    let mut tools: Vec<(Phase, String)> = Vec::new();
    for hook in &hooks {
        let key = (hook.phase, hook.tool.clone());
        if !tools.contains(&key) {
            tools.push(key);
        }
    }
    tools.sort_by_key(|(phase, _)| *phase);
    hooks.sort_by_key(|hook| {
        tools
            .iter()
            .position(|(phase, tool)| (*phase, tool) == (hook.phase, &hook.tool))
    });
    hooks
}

/// The hooks as a document holds them.
pub(super) fn written(hooks: &[ResolvedHook]) -> Hooks {
    let mut written = Hooks::default();
    for hook in hooks {
        let tools = match hook.phase {
            Phase::Pre => &mut written.pre,
            Phase::Post => &mut written.post,
            Phase::OnError => &mut written.on_error,
        };
        let entry = Spanned::unplaced(hook.entry.clone());
        match tools.iter_mut().find(|tool| tool.tool.value == hook.tool) {
            Some(tool) => tool.entries.push(entry),
            None => tools.push(ToolHooks {
                tool: Spanned::unplaced(hook.tool.clone()),
                entries: vec![entry],
            }),
        }
    }
    written
}

fn guarded(request: &Request<'_>) -> bool {
    let agent = request.agent;
    let coding = agent.preset.as_ref().is_some_and(|preset| match preset.value {
        AgentPreset::Coding => true,
    });
    coding && agent.secure.as_ref().is_none_or(|secure| secure.value)
}

fn of_phase(hooks: &Hooks, phase: Phase) -> &[ToolHooks] {
    match phase {
        Phase::Pre => &hooks.pre,
        Phase::Post => &hooks.post,
        Phase::OnError => &hooks.on_error,
    }
}

fn install(hooks: &mut Vec<ResolvedHook>, phase: Phase, tool: &str, entry: &HookEntry, origin: Origin) {
    let there = hooks
        .iter()
        .any(|hook| hook.phase == phase && hook.tool == tool && hook.entry == *entry);
    if !there {
        hooks.push(ResolvedHook {
            phase,
            tool: tool.to_owned(),
            entry: entry.clone(),
            origin,
        });
    }
}
