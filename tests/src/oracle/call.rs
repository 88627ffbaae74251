//! One call as text, as every engine is handed it.

use callgate_runtime::json::{self, Value};
use callgate_runtime::rule::{Audience, Mode};

/// A tool, and the JSON text of its arguments, which may be broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallText {
    /// The tool's name as given.
    pub tool: String,
    /// The record's action; `None` where the record has none.
    pub action: Option<String>,
    /// The arguments, as JSON text.
    pub args: String,
    /// Which evaluator asks.
    pub audience: Audience,
    /// The session's mode.
    pub mode: Mode,
}

impl CallText {
    /// A call by the main engine in default mode.
    pub fn new(tool: &str, args: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            action: None,
            args: args.to_owned(),
            audience: Audience::Main,
            mode: Mode::Default,
        }
    }

    /// The members of the arguments in the order of the text; `None` when they have no one reading.
    pub(super) fn members(&self) -> Option<Vec<(String, Value<'_>)>> {
        match json::parse(&self.args) {
            Ok(Value::Object(members)) => Some(
                members
                    .into_iter()
                    .map(|member| (member.name.into_owned(), member.value))
                    .collect(),
            ),
            _ => None,
        }
    }

    /// The action as judged: the record's, else `args.action` if it is a string, else empty (page 41).
    pub(super) fn judged_action(&self) -> String {
        if let Some(action) = &self.action {
            return action.clone();
        }
        for (name, value) in self.members().unwrap_or_default() {
            if let (true, Value::String(text)) = (name == "action", value) {
                return text.into_owned();
            }
        }
        String::new()
    }
}
