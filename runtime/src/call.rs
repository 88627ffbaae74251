//! A call record (page 41) to a borrowed view of one call, read once and strictly.

use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

use crate::json::{self, JsonError, Member, Value};
use crate::rule::{Audience, Mode};

/// One tool invocation about to happen.
#[derive(Clone, Debug, PartialEq)]
pub struct Call<'a> {
    /// The tool's name as given.
    pub tool: String,
    /// The action as judged: the record's, else `args.action` where that is a string, else empty.
    pub action: String,
    /// What could be read of the arguments.
    pub arguments: Arguments<'a>,
    /// Which evaluator asks.
    pub audience: Audience,
    /// The session's mode.
    pub mode: Mode,
    /// The session that learned rules belong to.
    pub session: Option<String>,
    /// The workspace whose settings count.
    pub workspace: Option<String>,
    /// The branch the call comes from.
    pub branch: Option<String>,
}

/// A call's arguments: read, or the reason they have no one reading.
#[derive(Clone, Debug, PartialEq)]
pub enum Arguments<'a> {
    /// The members in the order of the text.
    Read(Vec<Member<'a>>),
    /// Nothing may be allowed on them.
    Malformed(Malformed),
}

/// Why arguments cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    /// The text is no strict JSON.
    #[error("{0}")]
    Json(#[from] JsonError),
    /// The arguments are JSON, but no object.
    #[error("not an object")]
    NotAnObject,
    /// A subject argument is present and not a string.
    #[error("`{0}` is not a string")]
    NotAString(&'static str),
}

/// Why a record is not a call. The host turns it into a deny.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CallError {
    /// The record is no strict JSON.
    #[error("the call is not readable: {0}")]
    Json(#[from] JsonError),
    /// The record is JSON, but no object.
    #[error("the call is not an object")]
    NotAnObject,
    /// A member of the record has the wrong type or an unknown value.
    #[error("`{0}` of the call is not valid")]
    Member(&'static str),
    /// The record has a member that page 41 does not name.
    #[error("the call has an unknown member `{0}`")]
    UnknownMember(String),
}

impl<'a> Arguments<'a> {
    /// Reads the text of an argument object. What has no one reading is kept as malformed, with the reason.
    pub fn parse(text: &'a str) -> Self {
        match json::parse(text) {
            Ok(value) => Self::from_value(value),
            Err(error) => Self::Malformed(Malformed::Json(error)),
        }
    }

    fn from_value(value: Value<'a>) -> Self {
        match value {
            Value::Object(members) => Self::Read(members),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Self::Malformed(Malformed::NotAnObject)
            }
        }
    }
}

impl<'a> Call<'a> {
    /// A call of `tool` with these arguments by the main engine, in default mode.
    pub fn new(tool: &str, arguments: Arguments<'a>) -> Self {
        let action = action_of(&arguments);
        Self {
            tool: String::from(tool),
            action,
            arguments,
            audience: Audience::Main,
            mode: Mode::Default,
            session: None,
            workspace: None,
            branch: None,
        }
    }

    /// Reads a call record. Arguments that have no one reading spoil the arguments, not the record: the decision then
    /// says so. Anything else that is wrong is an error, and nothing of the record is used.
    pub fn parse(text: &'a str) -> Result<Self, CallError> {
        let mut call = Self::new("", Arguments::Read(Vec::new()));
        let (mut tool, mut action, mut arguments) = (None, None, None);
        for (name, value) in json::parse_members(text)? {
            match &*name {
                "tool" => tool = optional(value, "tool")?,
                "action" => action = optional(value, "action")?,
                "args" => arguments = Some(Arguments::parse(value)),
                "audience" => call.audience = audience(value)?,
                "mode" => call.mode = mode(value)?,
                "session" => call.session = optional(value, "session")?,
                "workspace" => call.workspace = optional(value, "workspace")?,
                "branch" => call.branch = optional(value, "branch")?,
                _ => return Err(CallError::UnknownMember(name.into_owned())),
            }
        }
        call.tool = tool.ok_or(CallError::Member("tool"))?;
        call.arguments = arguments.ok_or(CallError::Member("args"))?;
        call.action = action.unwrap_or_else(|| action_of(&call.arguments));
        Ok(call)
    }
}

fn action_of(arguments: &Arguments<'_>) -> String {
    let Arguments::Read(members) = arguments else {
        return String::new();
    };
    let named = members.iter().find(|member| member.name == "action");
    named
        .and_then(|member| member.value.as_str())
        .map(String::from)
        .unwrap_or_default()
}

/// A string member; `null` counts as absent.
fn optional(text: &str, name: &'static str) -> Result<Option<String>, CallError> {
    match json::parse(text)? {
        Value::Null => Ok(None),
        Value::String(string) => Ok(Some(string.into_owned())),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Err(CallError::Member(name))
        }
    }
}

fn audience(text: &str) -> Result<Audience, CallError> {
    match optional(text, "audience")?.as_deref() {
        None | Some("main") => Ok(Audience::Main),
        Some("subagent") => Ok(Audience::Subagent),
        Some("all") => Ok(Audience::All),
        Some(_) => Err(CallError::Member("audience")),
    }
}

fn mode(text: &str) -> Result<Mode, CallError> {
    match optional(text, "mode")?.as_deref() {
        None | Some("default") => Ok(Mode::Default),
        Some("plan") => Ok(Mode::Plan),
        Some("accept_edits") => Ok(Mode::AcceptEdits),
        Some(_) => Err(CallError::Member("mode")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_as_page_41_says() {
        let call = Call::parse(
            r#"{"tool":"http","args":{"action":"get","url":"x"},"audience":"subagent","mode":"plan"}"#,
        )
        .unwrap();
        assert_eq!((call.tool.as_str(), call.action.as_str()), ("http", "get"));
        assert_eq!((call.audience, call.mode), (Audience::Subagent, Mode::Plan));
        let named = Call::parse(r#"{"tool":"http","action":"put","args":{"action":"get"}}"#).unwrap();
        assert_eq!(named.action, "put");
        assert_eq!(
            Call::parse(r#"{"tool":"http","args":{"action":7}}"#)
                .unwrap()
                .action,
            ""
        );
    }

    #[test]
    fn arguments_nobody_can_read_spoil_only_themselves() {
        for (args, reason) in [
            (r#"{"a":1,"a":2}"#, Malformed::Json(JsonError::DuplicateKey)),
            (r#"{"a":"\ud800"}"#, Malformed::Json(JsonError::LoneSurrogate)),
            (r#"{"a":1e400}"#, Malformed::Json(JsonError::NumberRange)),
            (r#"{"a":{bad}}"#, Malformed::Json(JsonError::Syntax)),
            ("[]", Malformed::NotAnObject),
            ("null", Malformed::NotAnObject),
        ] {
            let text = alloc::format!("{{\"tool\":\"x\",\"args\":{args},\"action\":\"y\"}}");
            let call = Call::parse(&text).unwrap();
            assert_eq!(
                (call.arguments, call.action.as_str()),
                (Arguments::Malformed(reason), "y"),
                "{args}"
            );
        }
    }

    #[test]
    fn a_record_that_is_wrong_is_no_call() {
        for text in [
            "",
            "[]",
            "{}",
            r#"{"tool":"x"}"#,
            r#"{"tool":7,"args":{}}"#,
            r#"{"tool":null,"args":{}}"#,
        ] {
            assert!(Call::parse(text).is_err(), "{text}");
        }
        for text in [
            r#"{"tool":"x","args":{},"tool":"y"}"#,
            r#"{"tool":"x","args":{},"mode":"Plan"}"#,
            r#"{"tool":"x","args":{},"audience":"everyone"}"#,
            r#"{"tool":"x","args":{},"argz":{}}"#,
            r#"{"tool":"x","args":{}} x"#,
        ] {
            assert!(Call::parse(text).is_err(), "{text}");
        }
    }
}
