//! One command hook: its argument vector, filled from a call's arguments.

use callgate_compiler::ir::Argument;
use callgate_runtime::interceptor::ArgumentMapping;
use callgate_runtime::json::push_string;
use callgate_runtime::plan::HandlerId;
use thiserror::Error;

use crate::hooks::{HookLimits, HookRun};

/// A command of a settings document. It is never given to a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandHook {
    words: Vec<Argument>,
}

/// Why a hook did not succeed. Before a call, each of them denies it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HookFailure {
    /// The plan names a hook that no document declares.
    #[error("no such hook")]
    Unknown,
    /// The command names an argument that the call does not have as a string.
    #[error("the hook needs the argument `{0}`, which is no string of this call")]
    Argument(String),
    /// The process could not be started.
    #[error("the hook could not be started: {0}")]
    Start(String),
    /// It ended with a status other than 0, or by a signal.
    #[error("the hook failed{}: {message}", status.map(|status| format!(" with status {status}")).unwrap_or_default())]
    Failed {
        /// The exit status; `None` when a signal ended it.
        status: Option<i32>,
        /// The beginning of what it wrote to standard error.
        message: String,
    },
    /// It took too long, and was ended.
    #[error("the hook took too long")]
    TimedOut,
    /// Nobody waits for it any more, and it was ended.
    #[error("the hook was stopped")]
    Stopped,
}

impl CommandHook {
    /// The command of these words; the first is the program.
    pub fn new(words: Vec<Argument>) -> Self {
        Self { words }
    }

    /// What it runs, as a handler's identity.
    pub fn identity(&self) -> HandlerId {
        let mut text = String::from("command:[");
        for (index, word) in self.words.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            push_string(&word.text, &mut text);
        }
        text.push(']');
        HandlerId(text)
    }

    /// The argument vector for a call: every `{key}` is replaced by the string argument of that name, once, so that
    /// braces in an argument's value stay text. An argument that is missing or no string is an error.
    pub fn argv(&self, arguments: &ArgumentMapping) -> Result<Vec<String>, HookFailure> {
        self.words.iter().map(|word| filled(word, arguments)).collect()
    }

    /// The process for a call, as a future: nothing starts before it is first polled, and dropping it ends the process.
    pub fn start(
        &self,
        arguments: &ArgumentMapping,
        input: &str,
        limits: HookLimits,
    ) -> Result<HookRun, HookFailure> {
        Ok(HookRun::new(self.argv(arguments)?, input.to_owned(), limits))
    }
}

fn filled(word: &Argument, arguments: &ArgumentMapping) -> Result<String, HookFailure> {
    let mut text = String::new();
    let mut rest = word.text.as_str();
    for key in &word.placeholders {
        // INVARIANT: the compiler lists exactly the placeholders of the text, in their order.
        let Some((before, after)) = rest.split_once(&format!("{{{key}}}")) else {
            return Err(HookFailure::Argument(key.clone()));
        };
        let value = arguments
            .string(key)
            .ok_or_else(|| HookFailure::Argument(key.clone()))?;
        text.push_str(before);
        text.push_str(&value);
        rest = after;
    }
    text.push_str(rest);
    Ok(text)
}
