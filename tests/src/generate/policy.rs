//! Choices to policies of the rules dialect, and a policy to its YAML with the place of every rule.

use std::fmt::Write;

use callgate_runtime::rule::Effect;

use super::Choices;
use super::pattern::pattern;

/// Tools as lists of spellings that mean the same tool; the first is canonical. The first list is every tool.
pub const TOOLS: &[&[&str]] = &[
    &["*"],
    &["bash", "Bash", "bash_tool", "BASH_TOOL"],
    &["editor", "Editor_Tool", "EDITOR"],
    &["reader", "reader_tool", "READER"],
    &["search", "SEARCH", "search_TOOL"],
    &["context", "Context_Tool"],
    &["http", "HTTP", "Http"],
    &["mcp__files__read", "MCP__Files__Read"],
    &["straße", "STRAẞE", "Straße"],
    &["kelvin", "\u{212A}ELVIN", "Kelvin"],
    &["σίσυφος", "ΣΊΣΥΦΟς"],
    &["İs", "İS"],
    &["a tool with spaces", "A Tool With Spaces"],
];

/// Effects in the order in which documents list them here, with their keys.
const EFFECTS: [(Effect, &str); 3] = [
    (Effect::Deny, "deny"),
    (Effect::Allow, "allow"),
    (Effect::Ask, "escalate"),
];

/// One rule of a generated policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What it says.
    pub effect: Effect,
    /// Which of [`TOOLS`].
    pub tool: usize,
    /// The glob.
    pub pattern: String,
}

/// A generated policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The mode as written.
    pub mode: &'static str,
    /// The rules; of one effect and tool, in document order.
    pub rules: Vec<Rule>,
    /// Which spelling of its tool a list of rules goes by.
    pub spelling: usize,
}

/// How many rules a policy has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Few enough for a plain loop over each tool's rules.
    Small,
    /// Few enough for machines that look at every other place of a subject.
    Medium,
    /// So many that one tool's machine has more rules than those.
    Large,
    /// Any of them.
    Any,
}

/// A policy. It has fewer rules than asked for when the choices run out.
pub fn policy(choices: &mut Choices<'_>, size: Size) -> Policy {
    let count = match size {
        Size::Small => choices.below(13),
        Size::Medium => 20 + choices.below(80),
        Size::Large => 160 + choices.below(160),
        Size::Any => match choices.below(4) {
            0 | 1 => choices.below(13),
            2 => 13 + choices.below(90),
            _ => 129 + choices.below(200),
        },
    };
    let mode = *choices.pick(&[
        "rules",
        "rules",
        "rules",
        "rules",
        "rules",
        "rules",
        "rules",
        "deny_all",
        "allow_all",
    ]);
    let spelling = choices.below(12);
    let focus = 1 + choices.below(TOOLS.len() - 1);
    let mut rules = Vec::new();
    while rules.len() < count && !choices.is_done() {
        rules.push(rule(choices, focus));
    }
    Policy {
        mode,
        rules,
        spelling,
    }
}

/// A rule, most often one of the tool that is in focus.
pub fn rule(choices: &mut Choices<'_>, focus: usize) -> Rule {
    let effect = *choices.pick(&[Effect::Deny, Effect::Allow, Effect::Ask]);
    let tool = match choices.below(20) {
        0 => 0,
        1 => choices.below(TOOLS.len()),
        _ => focus,
    };
    Rule {
        effect,
        tool,
        pattern: pattern(choices),
    }
}

impl Policy {
    /// The patterns of all rules.
    pub fn patterns(&self) -> Vec<&str> {
        self.rules.iter().map(|rule| rule.pattern.as_str()).collect()
    }

    /// The document.
    pub fn yaml(&self) -> String {
        self.document().0
    }

    /// The document, and for each rule the line, from 1, that its pattern stands in, after [`COLUMN`](Self::COLUMN) - 1
    /// characters.
    pub fn document(&self) -> (String, Vec<u32>) {
        let mut text = format!("mode: {}\n", self.mode);
        let mut line = 1;
        let mut lines = vec![0; self.rules.len()];
        for (effect, key) in EFFECTS {
            let tools = (0..TOOLS.len()).filter(|tool| {
                self.rules
                    .iter()
                    .any(|rule| (rule.effect, rule.tool) == (effect, *tool))
            });
            for (index, tool) in tools.enumerate() {
                if index == 0 {
                    let _ = writeln!(text, "{key}:");
                    line += 1;
                }
                let spellings = TOOLS[tool];
                let _ = writeln!(
                    text,
                    "  {}:",
                    quoted(spellings[(self.spelling + key.len()) % spellings.len()])
                );
                line += 1;
                for (rule, place) in self.rules.iter().zip(&mut lines) {
                    if (rule.effect, rule.tool) == (effect, tool) {
                        let _ = writeln!(text, "    - {}", quoted(&rule.pattern));
                        line += 1;
                        *place = line;
                    }
                }
            }
        }
        (text, lines)
    }

    /// The column, from 1, that every pattern begins in.
    pub const COLUMN: u32 = 7;
}

/// `text` as a quoted YAML scalar: in single quotes where that can hold it.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| {
        !c.is_control() && !matches!(c, '\u{FEFF}' | '\u{2028}' | '\u{2029}' | '\u{FFFE}' | '\u{FFFF}')
    };
    if text.chars().all(plain) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            c if plain(c) => quoted.push(c),
            c => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(c));
            }
        }
    }
    quoted.push('"');
    quoted
}
