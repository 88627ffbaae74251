//! A call's arguments to what its patterns are matched against (page 30, *Subjects*; rulings 3 to 6).

use super::call::{ArgValue, Arguments};

/// The subject of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject<'a> {
    /// A command line.
    Command(&'a str),
    /// One text; empty when no subject key is there.
    One(&'a str),
    /// Source and destination.
    Two(&'a str, &'a str),
    /// Nothing can be read with certainty; what is wrong.
    Malformed(&'static str),
}

const COMMAND: &[&str] = &["command", "cmd"];
const OPERANDS: &[&str] = &["source", "destination"];
const OTHERS: &[&str] = &["path", "file_path", "pattern", "url", "query"];

/// The subject of a call of `tool`.
pub(super) fn of<'a>(tool: &str, arguments: &Arguments<'a>) -> Subject<'a> {
    if let Some(what) = arguments.malformed {
        return Subject::Malformed(what);
    }
    let keys = match tool {
        "Shell" => COMMAND,
        "Copy" | "Move" => OPERANDS,
        _ => OTHERS,
    };
    for (name, value) in arguments.members {
        let Some(key) = keys.iter().find(|key| key.eq_ignore_ascii_case(name)) else {
            continue;
        };
        match value {
            ArgValue::Null => {}
            ArgValue::String(_) | ArgValue::Other if *key != name => {
                return Subject::Malformed("a subject key in another case");
            }
            ArgValue::Other => return Subject::Malformed("a subject that is not a string"),
            ArgValue::String(_) => {}
        }
    }
    let text = |key: &str| {
        arguments.members.iter().find_map(|(name, value)| match value {
            ArgValue::String(text) if name == key => Some(text.as_ref()),
            ArgValue::String(_) | ArgValue::Null | ArgValue::Other => None,
        })
    };
    match tool {
        "Shell" => keys
            .iter()
            .filter_map(|key| text(key))
            .find(|command| {
                !command
                    .bytes()
                    .all(|byte| byte.is_ascii_whitespace() || byte == 11)
            })
            .map_or(Subject::Malformed("no command"), Subject::Command),
        "Copy" | "Move" => match (text("source"), text("destination")) {
            (Some(source), Some(destination)) => Subject::Two(source, destination),
            (None, _) => Subject::Malformed("no source"),
            (_, None) => Subject::Malformed("no destination"),
        },
        _ => Subject::One(keys.iter().find_map(|key| text(key)).unwrap_or_default()),
    }
}
