//! A call to the text that rules-dialect patterns are matched against (page 20, *Subject*).

use alloc::borrow::Cow;
use alloc::string::String;

use crate::call::{Arguments, Call, Malformed};
use crate::json::{self, Member, Value};

/// The subject of `call`, whose canonical tool is `tool`; an argument that cannot be judged is the error.
pub fn of_call<'c>(tool: &str, call: &'c Call<'_>) -> Result<Cow<'c, str>, Malformed> {
    let members = match &call.arguments {
        Arguments::Read(members) => members,
        Arguments::Malformed(reason) => return Err(*reason),
    };
    match tool {
        "bash" => argument(members, "command").map(Cow::Borrowed),
        "editor" => argument(members, "file_path").map(Cow::Borrowed),
        "reader" => argument(members, "path").map(Cow::Borrowed),
        "search" => {
            let (pattern, path) = (argument(members, "pattern")?, argument(members, "path")?);
            Ok(Cow::Owned([pattern, path].join(" ")))
        }
        _ => Ok(Cow::Owned(action_and_values(&call.action, members))),
    }
}

/// A subject argument of a named tool: its text, empty when missing or null.
fn argument<'m>(members: &'m [Member<'_>], name: &'static str) -> Result<&'m str, Malformed> {
    match members
        .iter()
        .find(|member| member.name == name)
        .map(|member| &member.value)
    {
        None | Some(Value::Null) => Ok(""),
        Some(Value::String(text)) => Ok(text),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Err(Malformed::NotAString(name))
        }
    }
}

fn action_and_values(action: &str, members: &[Member<'_>]) -> String {
    let mut subject = String::from(action);
    subject.push(' ');
    for (index, member) in members.iter().enumerate() {
        if index > 0 {
            subject.push(' ');
        }
        match &member.value {
            Value::String(text) => subject.push_str(text),
            Value::Null => subject.push_str("None"),
            Value::Bool(true) => subject.push_str("True"),
            Value::Bool(false) => subject.push_str("False"),
            Value::Number(number) => number.push_to(&mut subject),
            nested @ (Value::Array(_) | Value::Object(_)) => json::push_compact(nested, &mut subject),
        }
    }
    subject
}
