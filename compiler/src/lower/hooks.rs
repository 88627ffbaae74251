//! `hooks:` to typed entries: Python handlers of trusted modules, and commands as argument vectors.

use callgate_grammar::document::Key;
use callgate_grammar::{Mapping, Node, Span, Value};

use super::Lowering;
use super::suggestion::{listed, nearest, quoted, single_quoted};
use crate::ir::{Argument, HookEntry, Hooks, Spanned, ToolHooks};
use crate::lints;

const PHASES: [&str; 3] = ["pre", "post", "on_error"];
const ENTRY_KEYS: [&str; 2] = ["python", "command"];

impl Lowering<'_, '_> {
    /// `hooks:` of settings and agent documents.
    pub(super) fn hooks(&mut self, node: &Node) -> Hooks {
        let mut hooks = Hooks::default();
        let Some(mapping) = self.mapping(node, "`hooks`") else {
            return hooks;
        };
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "pre" => hooks.pre = self.phase(key, value),
                "post" => hooks.post = self.phase(key, value),
                "on_error" => hooks.on_error = self.phase(key, value),
                _ => self.unknown_phase(key),
            }
        }
        hooks
    }

    fn unknown_phase(&mut self, key: &Key) {
        let name = key.scalar.text.as_str();
        let message = format!("{} is no phase of hooks", quoted(name));
        let help = match (name, nearest(name, &PHASES)) {
            (_, Some(near)) => format!("did you mean `{near}`?"),
            ("error", None) => String::from("did you mean `on_error`?"),
            (_, None) => format!("write one of {}", listed(&PHASES)),
        };
        self.findings
            .report(&lints::UNKNOWN_PHASE, key.span, message, help);
    }

    fn phase(&mut self, phase: &Key, node: &Node) -> Vec<ToolHooks> {
        let Some(mapping) = self.mapping(node, &quoted(&phase.scalar.text)) else {
            return Vec::new();
        };
        let mut tools = Vec::new();
        for entry in &mapping.entries {
            let tool = self.tool_key(&entry.key);
            let entries = match &entry.value.value {
                Value::Sequence(sequence) => {
                    sequence.items.iter().filter_map(|item| self.hook(item)).collect()
                }
                Value::Scalar(_) | Value::Mapping(_) => self.hook(&entry.value).into_iter().collect(),
            };
            tools.extend(tool.map(|tool| ToolHooks { tool, entries }));
        }
        tools
    }

    fn hook(&mut self, node: &Node) -> Option<Spanned<HookEntry>> {
        let entry = match &node.value {
            Value::Scalar(_) => {
                let text = self.text(node, "a hook")?;
                self.python(&text)
            }
            Value::Mapping(mapping) => self.hook_mapping(node.span, mapping),
            Value::Sequence(_) => {
                let help = "a command stands under its key: `{command: [argv]}`";
                self.wrong_type(node, "a hook", "a text or a mapping", help);
                None
            }
        };
        entry.map(|entry| self.findings.place(entry, node.span))
    }

    /// `{python: …}` or `{command: …}`.
    fn hook_mapping(&mut self, span: Span, mapping: &Mapping) -> Option<HookEntry> {
        let mut found = Vec::new();
        let mut n_known = 0_usize;
        for entry in &mapping.entries {
            match entry.key.scalar.text.as_str() {
                "python" => {
                    n_known += 1;
                    found.extend(
                        self.text(&entry.value, "`python`")
                            .and_then(|text| self.python(&text)),
                    );
                }
                "command" => {
                    n_known += 1;
                    found.extend(self.command(&entry.value));
                }
                _ => self.unknown_key(&entry.key, &ENTRY_KEYS, "a hook"),
            }
        }
        if n_known != 1 {
            let what = if n_known == 0 {
                "neither a handler nor a command"
            } else {
                "a handler and a command at once"
            };
            let help = String::from(
                "write `{python: \"module:function\"}` or `{command: [argv]}`, one hook an entry",
            );
            self.findings
                .report(&lints::BAD_HOOK, span, format!("the hook is {what}"), help);
            return None;
        }
        found.pop()
    }

    /// `module:function`, of a trusted module.
    fn python(&mut self, path: &Spanned<String>) -> Option<HookEntry> {
        let text = path.value.as_str();
        let parts = text
            .rsplit_once(':')
            .filter(|(module, function)| !module.is_empty() && !function.is_empty());
        let Some((module, function)) = parts else {
            if text.split_whitespace().nth(1).is_some() {
                self.shell_string(path);
                return None;
            }
            let message = format!("{} names no function", quoted(text));
            let help = String::from("write `module:function`, such as `lionagi.agent.hooks:guard_paths`");
            self.findings
                .report(&lints::BAD_PYTHON_PATH, path.span, message, help);
            return None;
        };
        if text.contains(char::is_whitespace) {
            self.shell_string(path);
            return None;
        }
        if !self
            .options
            .trusted_hook_modules
            .iter()
            .any(|trusted| trusted == module)
        {
            let message = format!("the hook module {} is not trusted", quoted(module));
            let help =
                format!("use a trusted module, or trust this one with `--trusted-hook-module {module}`");
            self.findings
                .report(&lints::UNTRUSTED_HOOK_MODULE, path.span, message, help);
            return None;
        }
        Some(HookEntry::Python {
            module: module.to_owned(),
            function: function.to_owned(),
        })
    }

    fn command(&mut self, node: &Node) -> Option<HookEntry> {
        if let Value::Scalar(_) = &node.value {
            let line = self.text(node, "`command`")?;
            self.shell_string(&line);
            return None;
        }
        let words = self.texts(node, "`command`", "a word of a command");
        let Value::Sequence(sequence) = &node.value else {
            return None;
        };
        if words.len() != sequence.items.len() {
            return None;
        }
        let arguments: Vec<Argument> = words.iter().map(|word| argument(&word.value)).collect();
        match (words.first(), arguments.first()) {
            (Some(word), Some(program)) => {
                if program.text.is_empty() {
                    self.no_program(word.span);
                } else if !program.placeholders.is_empty() {
                    let message = format!(
                        "the call's arguments choose the program {}",
                        quoted(&program.text)
                    );
                    let help = String::from("name the program, and put placeholders into its arguments");
                    self.findings
                        .report(&lints::PLACEHOLDER_PROGRAM, word.span, message, help);
                }
            }
            _ => self.no_program(node.span),
        }
        Some(HookEntry::Command(arguments))
    }

    fn no_program(&mut self, span: Span) {
        let help = String::from("write the program and its arguments: `[ruff, format, \"{file_path}\"]`");
        self.findings.report(
            &lints::BAD_HOOK,
            span,
            String::from("the hook's command names no program"),
            help,
        );
    }

    fn shell_string(&mut self, line: &Spanned<String>) {
        let words: Vec<String> = shell_words(&line.value)
            .iter()
            .map(|word| flow_item(word))
            .collect();
        let message = format!(
            "{} is a shell line; a hook's command is an argument list",
            quoted(&line.value)
        );
        let help = format!("write `command: [{}]`", words.join(", "));
        self.findings
            .report(&lints::SHELL_STRING, line.span, message, help);
    }
}

/// One word with its placeholders: `{` a name `}`. Other braces are text.
fn argument(text: &str) -> Argument {
    let candidates = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let placeholders = candidates
        .map(|(key, _)| key)
        .filter(|key| is_name(key))
        .map(str::to_owned)
        .collect();
    Argument {
        text: text.to_owned(),
        placeholders,
    }
}

fn is_name(key: &str) -> bool {
    let begins = key
        .chars()
        .next()
        .is_some_and(|character| character.is_alphabetic() || character == '_');
    begins
        && key
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.'))
}

/// The words of a simple line, quotes taken off: only to show the argument list, never to run anything.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

fn flow_item(word: &str) -> String {
    let plain = !word.is_empty()
        && word
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || matches!(character, '.' | '/' | '_'))
        && word.chars().any(|character| character.is_ascii_alphabetic())
        && !matches!(
            word,
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
        );
    if plain {
        word.to_owned()
    } else {
        single_quoted(word)
    }
}

#[cfg(test)]
mod tests {
    use super::{argument, shell_words};

    #[test]
    fn placeholders_are_names_in_braces() {
        let keys = |text: &str| argument(text).placeholders;
        assert_eq!(keys("{file_path}"), ["file_path"]);
        assert_eq!(keys("--in={a}:{b}:{a}"), ["a", "b", "a"]);
        assert_eq!(keys("{\"json\": 1} {} {1x} {open"), Vec::<String>::new());
    }

    #[test]
    fn words_are_shown_without_quotes() {
        assert_eq!(
            shell_words("ruff format '{file path}' \"\""),
            ["ruff", "format", "{file path}", ""]
        );
    }
}
