//! The file behind `check --tools` to the names of the tools that a host registers.
//!
//! Two forms: one name a line, or JSON as hosts and MCP servers print their tools. What is neither is refused whole: a list
//! that was read in part would call good rules wrong.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::failure::Failure;
use crate::input;

/// Reads the file; standard input for `-`.
pub(crate) fn read(path: &Path, limit: usize) -> Result<BTreeSet<String>, Failure> {
    let bytes = input::read(path, limit)?;
    names(&bytes).map_err(|what| Failure::ToolList {
        path: input::shown(path),
        what,
    })
}

/// The names, or what is wrong.
fn names(bytes: &[u8]) -> Result<BTreeSet<String>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| String::from("it is not UTF-8"))?;
    let text = text.trim_start_matches('\u{feff}');
    let names = if text.trim_start().starts_with(['[', '{']) {
        from_json(text)?
    } else {
        from_lines(text)?
    };
    if names.is_empty() {
        return Err(String::from("it names no tool"));
    }
    Ok(names)
}

/// One name a line; empty lines and those that begin with `#` say nothing.
fn from_lines(text: &str) -> Result<BTreeSet<String>, String> {
    let lines = text.lines().map(str::trim).zip(1..);
    let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, number)| {
            if line.contains(char::is_whitespace) {
                Err(format!(
                    "line {number} is no tool's name: write one a line, or a JSON list"
                ))
            } else {
                Ok(line.to_owned())
            }
        })
        .collect()
}

/// A list, or an object whose `tools` is one.
fn from_json(text: &str) -> Result<BTreeSet<String>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let list = match &value {
        Value::Array(list) => Some(list),
        Value::Object(members) => members.get("tools").and_then(Value::as_array),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    let list =
        list.ok_or_else(|| String::from("it has no list of tools, and no member `tools` that is one"))?;
    let names = list.iter().zip(1..).map(|(tool, number)| {
        let name = tool.as_str().or_else(|| tool.get("name")?.as_str());
        let name = name.or_else(|| tool.get("function")?.get("name")?.as_str());
        name.map(str::to_owned)
            .ok_or_else(|| format!("entry {number} is neither a name nor an object with one"))
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn both_forms_are_read() {
        let due = ["bash", "mcp__git__log"].map(str::to_owned).into();
        for text in [
            "bash\nmcp__git__log\n",
            "\u{feff}# tools\r\n\r\n  mcp__git__log\r\nbash",
            r#"["bash", "mcp__git__log"]"#,
            r#" {"tools": [{"name": "bash", "inputSchema": {}}, {"name": "mcp__git__log"}]}"#,
            r#"[{"type": "function", "function": {"name": "bash"}}, "mcp__git__log"]"#,
        ] {
            assert_eq!(names(text.as_bytes()).as_ref(), Ok(&due), "{text}");
        }
    }

    #[test]
    fn what_is_read_in_part_only_is_refused() {
        for text in [
            "",
            "# nothing\n",
            "[]",
            "{}",
            "[7]",
            "[{}]",
            "[\"bash\"",
            "{\"tools\": 1}",
            "callgate: catalogue\ntools: [bash]\n",
            "bash\nreader and editor\n",
        ] {
            assert!(names(text.as_bytes()).is_err(), "{text}");
        }
        assert!(names(b"b\xff").is_err());
    }
}
