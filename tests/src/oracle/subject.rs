//! A call of the rules dialect to its canonical tool and the text that patterns are matched against (page 20).

use callgate_runtime::json::Value;

use super::call::CallText;
use super::fnmatch::lowered;
use super::number;

/// The tool's name as rules are looked up.
pub(super) fn canonical(tool: &str) -> String {
    let name = lowered(tool);
    let aliases = [
        ("bash_tool", "bash"),
        ("reader_tool", "reader"),
        ("editor_tool", "editor"),
        ("search_tool", "search"),
        ("context_tool", "context"),
    ];
    match aliases.iter().find(|(alias, _)| *alias == name) {
        Some((_, canonical)) => (*canonical).to_owned(),
        None => name,
    }
}

/// The subject; `None` when the arguments are malformed.
pub(super) fn of(call: &CallText, canonical_tool: &str) -> Option<String> {
    let members = call.members()?;
    let text = |name: &str| match members.iter().find(|(member, _)| member == name) {
        None | Some((_, Value::Null)) => Some(String::new()),
        Some((_, Value::String(text))) => Some(text.to_string()),
        Some(_) => None,
    };
    match canonical_tool {
        "bash" => text("command"),
        "editor" => text("file_path"),
        "reader" => text("path"),
        "search" => Some(format!("{} {}", text("pattern")?, text("path")?)),
        _ => {
            let values: Vec<String> = members.iter().map(|(_, value)| printed(value)).collect();
            Some(format!("{} {}", call.judged_action(), values.join(" ")))
        }
    }
}

fn printed(value: &Value<'_>) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Null => String::from("None"),
        Value::Bool(true) => String::from("True"),
        Value::Bool(false) => String::from("False"),
        Value::Number(number) => number::python(number.text()),
        Value::Array(_) | Value::Object(_) => compact(value),
    }
}

fn compact(value: &Value<'_>) -> String {
    match value {
        Value::Null => String::from("null"),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number::python(number.text()),
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(compact).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let member = |member: &callgate_runtime::json::Member<'_>| {
                format!("{}:{}", quoted(&member.name), compact(&member.value))
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}

/// A JSON string with nothing escaped that need not be.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
