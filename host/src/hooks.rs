//! Hooks of settings documents to plan entries and to the processes behind them (page 50).
//!
//! A `pre` hook is a transform whose output is ignored and whose failure denies; `post` and `on_error` hooks observe. A
//! `python:` hook is a handler that the host registered under that name; without one there is no plan at all.

mod command;
mod process;
mod run;

use std::collections::{BTreeMap, BTreeSet};

use callgate_compiler::ir::{HookEntry, Hooks, ToolHooks};
use callgate_runtime::interceptor::ArgumentMapping;
use callgate_runtime::json::push_string;
use callgate_runtime::plan::{ConstructionError, Declarations, HandlerId, HandlerMap};

pub use command::{CommandHook, HookFailure};
pub use process::HookLimits;
pub use run::HookRun;

/// The hooks of settings and agent documents: what they declare, and the commands among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsHooks {
    declarations: Declarations,
    commands: BTreeMap<HandlerId, CommandHook>,
    limits: HookLimits,
}

impl SettingsHooks {
    /// Reads the hooks of several documents, those of the first before those of the next. `registered` are the names
    /// (`module:function`) of the handlers that the host has; one that is missing is an error, and nothing is declared.
    ///
    /// A hook's identity is what it runs, so one that stands under two keys of a tool runs once.
    pub fn declare(documents: &[&Hooks], registered: &BTreeSet<String>) -> Result<Self, ConstructionError> {
        let mut hooks = Self::default();
        for document in documents {
            let Self {
                declarations,
                commands,
                ..
            } = &mut hooks;
            declare(&document.pre, &mut declarations.transforms, commands, registered)?;
            declare(&document.post, &mut declarations.post, commands, registered)?;
            declare(
                &document.on_error,
                &mut declarations.on_error,
                commands,
                registered,
            )?;
        }
        Ok(hooks)
    }

    /// The same hooks with other limits than 10 seconds and 2 seconds of grace.
    pub fn with_limits(mut self, limits: HookLimits) -> Self {
        self.limits = limits;
        self
    }

    /// What plans are made of.
    pub fn declarations(&self) -> &Declarations {
        &self.declarations
    }

    /// The command behind a plan entry; `None` for a handler of the host.
    pub fn command(&self, hook: &HandlerId) -> Option<&CommandHook> {
        self.commands.get(hook)
    }

    /// Runs a `pre` command with the arguments on its standard input. Every error denies the call.
    pub async fn pre(&self, hook: &HandlerId, arguments: &ArgumentMapping) -> Result<(), HookFailure> {
        self.run(hook, arguments, arguments.as_str()).await
    }

    /// Runs a `post` command with the result, as JSON, on its standard input. A failure is logged and changes nothing.
    pub async fn post(
        &self,
        hook: &HandlerId,
        arguments: &ArgumentMapping,
        result: &str,
        log: &(dyn Fn(&HandlerId, &HookFailure) + Sync),
    ) {
        if let Err(failure) = self.run(hook, arguments, result).await {
            log(hook, &failure);
        }
    }

    /// Runs an `on_error` command with `{"tool","arguments","error"}` on its standard input. A failure is logged and
    /// changes nothing.
    pub async fn on_error(
        &self,
        hook: &HandlerId,
        tool: &str,
        arguments: &ArgumentMapping,
        error: &str,
        log: &(dyn Fn(&HandlerId, &HookFailure) + Sync),
    ) {
        let mut input = String::from("{\"tool\":");
        push_string(tool, &mut input);
        input.push_str(",\"arguments\":");
        input.push_str(arguments.as_str());
        input.push_str(",\"error\":");
        push_string(error, &mut input);
        input.push('}');
        if let Err(failure) = self.run(hook, arguments, &input).await {
            log(hook, &failure);
        }
    }

    async fn run(
        &self,
        hook: &HandlerId,
        arguments: &ArgumentMapping,
        input: &str,
    ) -> Result<(), HookFailure> {
        let command = self.command(hook).ok_or(HookFailure::Unknown)?;
        command.start(arguments, input, self.limits)?.await
    }
}

fn declare(
    tools: &[ToolHooks],
    declared: &mut HandlerMap,
    commands: &mut BTreeMap<HandlerId, CommandHook>,
    registered: &BTreeSet<String>,
) -> Result<(), ConstructionError> {
    for ToolHooks { tool, entries } in tools {
        for entry in entries {
            let identity = match &entry.value {
                HookEntry::Python { module, function } => {
                    let name = format!("{module}:{function}");
                    if !registered.contains(&name) {
                        return Err(ConstructionError::UnknownHandler(name));
                    }
                    HandlerId(name)
                }
                HookEntry::Command(words) => {
                    let command = CommandHook::new(words.clone());
                    let identity = command.identity();
                    commands.insert(identity.clone(), command);
                    identity
                }
            };
            declared.entry(tool.value.clone()).or_default().push(identity);
        }
    }
    Ok(())
}
