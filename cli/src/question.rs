//! The words after TOOL to a call that a policy can judge, or to a subject text where no call can be told from it.

use std::borrow::Cow;

use callgate_runtime::call::{Arguments, Call, Malformed};
use callgate_runtime::json::{Member, Value};
use callgate_runtime::rule::Mode;
use callgate_runtime::table::Dialect;
use callgate_runtime::{Decision, Policy, subject, tool};

use crate::args::CallArgs;
use crate::failure::Failure;

/// What is asked of a policy.
pub(crate) enum Question<'a> {
    /// A call with arguments, as a host makes it.
    Call(Call<'a>),
    /// A tool of the rules dialect whose subject is made of the action and all values: the text stands for them.
    Text {
        /// The tool's name as given.
        tool: &'a str,
        /// The action, where it was given apart.
        action: &'a str,
        /// Action and values.
        subject: String,
        /// The session's mode.
        mode: Mode,
    },
}

impl<'a> Question<'a> {
    /// Reads the arguments for a policy of this dialect.
    pub(crate) fn new(tool: &'a str, args: &'a CallArgs, dialect: Dialect) -> Result<Self, Failure> {
        let mode = args.mode.unwrap_or_default();
        if dialect == Dialect::Rules && mode != Mode::Default {
            return Err(Failure::ModeOnRules { mode: mode.name() });
        }
        let arguments = match (&args.args, &args.subject) {
            (Some(text), _) => Arguments::parse(text),
            (None, None) => Arguments::Read(Vec::new()),
            (None, Some(subject)) => match members(tool, subject, dialect)? {
                Some(members) => Arguments::Read(members),
                None => {
                    let action = args.action.as_deref().unwrap_or_default();
                    let subject = if action.is_empty() {
                        subject.clone()
                    } else {
                        format!("{action} {subject}")
                    };
                    return Ok(Self::Text {
                        tool,
                        action,
                        subject,
                        mode,
                    });
                }
            },
        };
        let mut call = Call::new(tool, arguments);
        call.action = args.action.clone().unwrap_or(call.action);
        call.audience = args.audience.unwrap_or_default();
        call.mode = mode;
        Ok(Self::Call(call))
    }

    /// The policy's answer.
    pub(crate) fn decide<'p>(&self, policy: &'p Policy) -> Decision<'p> {
        match self {
            Self::Call(call) => policy.decide(call),
            Self::Text {
                tool,
                action,
                subject,
                mode,
            } => policy.decide_subject(tool, action, subject, *mode),
        }
    }

    /// The text that patterns of the rules dialect are held against.
    pub(crate) fn subject(&self) -> Result<Cow<'_, str>, Malformed> {
        match self {
            Self::Call(call) => subject::of_call(&tool::canonical(&call.tool), call),
            Self::Text { subject, .. } => Ok(Cow::Borrowed(subject)),
        }
    }

    /// A text that no call can have: the subject of such a tool always has a space behind its action.
    pub(crate) fn is_no_call(&self) -> bool {
        matches!(self, Self::Text { subject, .. } if !subject.contains(' '))
    }
}

/// The arguments whose subject is `subject`; `None` where they cannot be told from it.
fn members<'a>(tool: &str, subject: &'a str, dialect: Dialect) -> Result<Option<Vec<Member<'a>>>, Failure> {
    let member = |name, text| Member {
        name: Cow::Borrowed(name),
        value: Value::String(Cow::Borrowed(text)),
    };
    let canonical = match dialect {
        Dialect::Rules => Cow::Owned(tool::canonical(tool)),
        Dialect::Layered => Cow::Borrowed(tool),
    };
    let members = match (dialect, &*canonical) {
        (Dialect::Rules, "bash") => vec![member("command", subject)],
        (Dialect::Rules, "editor") => vec![member("file_path", subject)],
        (Dialect::Rules, "reader") => vec![member("path", subject)],
        (Dialect::Rules, "search") => {
            let (pattern, path) = subject.rsplit_once(' ').unwrap_or((subject, ""));
            vec![member("pattern", pattern), member("path", path)]
        }
        (Dialect::Rules, _) => return Ok(None),
        (Dialect::Layered, "Shell") => vec![member("command", subject)],
        (Dialect::Layered, "Copy" | "Move") => {
            return Err(Failure::TwoSubjects {
                tool: tool.to_owned(),
            });
        }
        (Dialect::Layered, _) => vec![member("path", subject)],
    };
    Ok(Some(members))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_given_as_text_is_the_subject_of_the_call() {
        for (tool, text, subject) in [
            ("bash", "git status", "git status"),
            ("Bash_Tool", "", ""),
            ("editor", "src/a b.rs", "src/a b.rs"),
            ("reader", "x", "x"),
            ("search", "TODO|FIXME now src", "TODO|FIXME now src"),
            ("search", "TODO", "TODO "),
            ("http", "get x", "get x"),
        ] {
            let args = CallArgs {
                subject: Some(text.into()),
                args: None,
                action: None,
                audience: None,
                mode: None,
            };
            let question = Question::new(tool, &args, Dialect::Rules).unwrap();
            assert_eq!(question.subject().unwrap(), subject, "{tool} {text}");
        }
    }
}
