//! Choices to call records (page 41) as JSON text: most of them honest, some made to be read in two ways.

use super::Choices;
use super::policy::{Policy, TOOLS};
use super::subject::near;

/// A generated call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallText {
    /// The whole record.
    pub record: String,
    /// The tool as named in it.
    pub tool: String,
    /// The action that it names, if it does.
    pub action: Option<String>,
    /// The text of its arguments.
    pub arguments: String,
}

/// Names that no rule has.
const OTHER_TOOLS: &[&str] = &[
    "unknown",
    "Bash ",
    "bash_tool_tool",
    "İSTANBUL",
    "",
    "🔧",
    "mcp__files__write",
];

/// Texts that are a value, or only look like one.
const VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-0.0",
    "1",
    "-17",
    "1.0",
    "100.0",
    "1.5",
    "0.1",
    "1e2",
    "1E+2",
    "1e-2",
    "1e15",
    "1e16",
    "1e17",
    "123456789012345678",
    "1234567890123456789012345678901234567890",
    "-99999999999999999999999",
    "1e22",
    "1e23",
    "9007199254740993",
    "9007199254740993.0",
    "0.1e1",
    "5e-324",
    "1e-400",
    "1.7976931348623157e308",
    "1e308",
    "1e309",
    "1e400",
    "-1e400",
    "0.00001",
    "0.0001",
    "12345678.9",
    "[]",
    "{}",
    "[1,2]",
    "{\"a\":1}",
    "[1, {\"b\": [null, true, \"x\"]}]",
    "{\"a\":1,\"a\":2}",
    "[{\"a\":1,\"a\":2}]",
    "\"\\ud83d\\ude00\"",
    "\"\\ud800\"",
    "\"\\udc00\"",
    "\"\\ud800x\"",
    "\"\\ud800\\u0041\"",
    "\"\\u0000\"",
    "\"\\u202e\"",
    "\"a\\/b\"",
    "\"\\x41\"",
    "\"\t\"",
    "\"\u{7f}\"",
    "\"\"",
    "\"None\"",
    "01",
    "1.",
    ".5",
    "+1",
    "1e",
    "0x10",
    "NaN",
    "Infinity",
    "-",
    "tru",
    "nul",
    "'a'",
    "[1,]",
    "{\"a\":1,}",
    "{a:1}",
    "[1 2]",
    "\"",
    "[",
    "{",
    "]",
    "}",
    "",
    "/*x*/1",
    "1 2",
    "\u{FEFF}1",
];

/// A call near the rules of `policy`.
pub fn call(choices: &mut Choices<'_>, policy: &Policy) -> CallText {
    let (tool, canonical) = tool(choices, policy);
    let subject = near(choices, &policy.patterns());
    let arguments = arguments(choices, canonical, &subject);
    let action = choices
        .chance(50)
        .then(|| choices.pick(&["run", "", "get", "git", "Écrire"]).to_string());
    let name = string(choices, &tool);
    let action_member = match &action {
        Some(action) => format!("\"action\":{},", string(choices, action)),
        None => String::new(),
    };
    let record = format!("{{\"tool\":{name},{action_member}\"args\":{arguments}}}");
    CallText {
        record,
        tool,
        action,
        arguments,
    }
}

/// A tool's name, mostly one that some rule has, and its canonical name.
fn tool(choices: &mut Choices<'_>, policy: &Policy) -> (String, &'static str) {
    if choices.chance(5) {
        let name = *choices.pick(OTHER_TOOLS);
        return (name.to_owned(), "other");
    }
    let tool = if policy.rules.is_empty() || choices.chance(15) {
        choices.below(TOOLS.len())
    } else {
        choices.pick(&policy.rules).tool
    };
    let spellings = TOOLS[tool];
    ((*choices.pick(spellings)).to_owned(), spellings[0])
}

/// The arguments of a call of the tool `canonical` whose subject is meant to be `subject`, as JSON text.
pub fn arguments(choices: &mut Choices<'_>, canonical: &str, subject: &str) -> String {
    let mut members: Vec<String> = Vec::new();
    match canonical {
        "bash" => push(choices, &mut members, "command", subject),
        "editor" => push(choices, &mut members, "file_path", subject),
        "reader" => push(choices, &mut members, "path", subject),
        "search" => {
            let (pattern, path) = subject.split_once(' ').unwrap_or((subject, ""));
            push(choices, &mut members, "pattern", pattern);
            push(choices, &mut members, "path", path);
        }
        _ => {
            for (index, part) in subject.splitn(3, ' ').enumerate() {
                push(choices, &mut members, ["url", "body", "note"][index], part);
            }
        }
    }
    while choices.chance(25) {
        let name = *choices.pick(&[
            "x",
            "action",
            "command",
            "path",
            "file_path",
            "Command",
            "comm\\u0061nd",
            "é",
        ]);
        let value = *choices.pick(VALUES);
        members.insert(choices.below(members.len() + 1), format!("\"{name}\":{value}"));
    }
    let text = format!("{{{}}}", members.join(","));
    if choices.chance(3) {
        twisted(choices, text)
    } else {
        text
    }
}

fn push(choices: &mut Choices<'_>, members: &mut Vec<String>, name: &str, text: &str) {
    let space = if choices.chance(10) { " \t" } else { "" };
    let value = match choices.below(40) {
        37 => return,
        38 | 39 => (*choices.pick(VALUES)).to_owned(),
        _ => string(choices, text),
    };
    members.push(format!("{space}\"{name}\"{space}:{space}{value}{space}"));
}

/// `text` as a JSON string, escaped where it must be and in some where it need not be.
fn string(choices: &mut Choices<'_>, text: &str) -> String {
    let plain = serde_json::to_string(text).expect("text is JSON");
    if !choices.chance(10) {
        return plain;
    }
    let mut escaped = String::from("\"");
    for unit in text.encode_utf16() {
        escaped.push_str(&format!("\\u{unit:04x}"));
    }
    escaped.push('"');
    escaped
}

/// A text that is JSON no more, or of another type, or very deep.
fn twisted(choices: &mut Choices<'_>, text: String) -> String {
    match choices.below(5) {
        0 => format!("[{text}]"),
        1 => {
            let cut = choices.below(text.len() + 1);
            text.char_indices()
                .take_while(|(at, _)| *at < cut)
                .map(|(_, character)| character)
                .collect()
        }
        2 => (*choices.pick(VALUES)).to_owned(),
        3 => {
            let depth = *choices.pick(&[10, 126, 127, 128, 129, 5_000]);
            format!("{{\"x\":{}{}}}", "[".repeat(depth), "]".repeat(depth))
        }
        _ => format!("{text}{text}"),
    }
}
