//! CG0304: a directive that is written like a rule. It is shown to the model, and nothing blocks it.

/// Words that begin a rule: effects.
const EFFECTS: [&str; 6] = ["allow", "ask", "deny", "escalate", "block", "permit"];

/// Tools that rules are about.
const TOOLS: [&str; 26] = [
    "bash",
    "bash_tool",
    "context",
    "context_tool",
    "copy",
    "edit",
    "editor",
    "editor_tool",
    "glob",
    "grep",
    "listdir",
    "move",
    "multiedit",
    "notebookedit",
    "read",
    "reader",
    "reader_tool",
    "remove",
    "search",
    "search_tool",
    "shell",
    "subagent",
    "task",
    "webfetch",
    "websearch",
    "write",
];

/// Programs that a line made only of a glob would be about.
const COMMANDS: [&str; 62] = [
    "apt",
    "apt-get",
    "aws",
    "az",
    "bash",
    "brew",
    "bun",
    "cargo",
    "cat",
    "chmod",
    "chown",
    "cp",
    "curl",
    "dd",
    "deno",
    "docker",
    "find",
    "gcloud",
    "gh",
    "git",
    "go",
    "gradle",
    "grep",
    "helm",
    "java",
    "kill",
    "kubectl",
    "ls",
    "make",
    "mkfs",
    "mv",
    "mvn",
    "nc",
    "node",
    "npm",
    "npx",
    "perl",
    "php",
    "pip",
    "pip3",
    "pkill",
    "pnpm",
    "poetry",
    "psql",
    "python",
    "python3",
    "rg",
    "rm",
    "rmdir",
    "rsync",
    "ruby",
    "scp",
    "sed",
    "sh",
    "ssh",
    "sudo",
    "tar",
    "terraform",
    "uv",
    "wget",
    "yarn",
    "zsh",
];

/// The part of `text` that is written like a rule, if there is one.
pub(crate) fn rule_in(text: &str) -> Option<&str> {
    text.lines()
        .map(bare)
        .find(|line| is_spec(line) || is_labelled(line) || is_command_glob(line))
}

/// A line without the marks of a list or of code around it.
fn bare(line: &str) -> &str {
    let line = line.trim().trim_start_matches("- ").trim();
    line.strip_prefix('`')
        .and_then(|rest| rest.strip_suffix('`'))
        .unwrap_or(line)
        .trim()
}

/// `Tool(pattern)`
fn is_spec(line: &str) -> bool {
    let Some((tool, rest)) = line.split_once('(') else {
        return false;
    };
    is_identifier(tool) && rest.strip_suffix(')').is_some_and(|pattern| !pattern.is_empty())
}

/// `deny: …`, `tool: pattern`
fn is_labelled(line: &str) -> bool {
    let Some((label, rest)) = line.split_once(':') else {
        return false;
    };
    let (label, rest) = (label.trim().to_lowercase(), rest.trim());
    let effect = EFFECTS.contains(&label.as_str()) && !rest.is_empty();
    let tool = TOOLS.contains(&label.as_str()) || (label.contains("__") && is_identifier(&label));
    effect || (tool && is_pattern(rest))
}

/// A text that is more likely a pattern than a sentence: a glob, a path, or a known command that no stop ends.
fn is_pattern(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return false };
    let alone = words.next().is_none();
    let command = COMMANDS.contains(&first) && !ends_sentence(text);
    has_glob(text) || command || (alone && first.contains(['/', '.']) && !ends_sentence(text))
}

/// A glob over a known command, and nothing else on the line.
fn is_command_glob(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let name = first.trim_end_matches('*');
    COMMANDS.contains(&name) && has_glob(line) && !ends_sentence(line)
}

fn has_glob(text: &str) -> bool {
    text.contains('*') && !text.contains("**") || text.contains("/**")
}

fn ends_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?'])
}

fn is_identifier(text: &str) -> bool {
    let begins = text
        .chars()
        .next()
        .is_some_and(|character| character.is_ascii_alphabetic());
    begins
        && text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::rule_in;

    #[test]
    fn rules_in_disguise() {
        for text in [
            "Bash(rm *)",
            "Shell(git push:*)",
            "`Bash(rm -rf *)`",
            "bash: rm *",
            "editor: .env",
            "reader: src/*",
            "shell: git push",
            "deny: everything in bash",
            "Deny: rm *",
            "git push *",
            "sudo *",
            "rm*",
            "Be careful with these:\n- rm -rf *\n",
        ] {
            assert!(rule_in(text).is_some(), "{text}");
        }
    }

    #[test]
    fn guidance() {
        for text in [
            "Cannot run rm on shared folders.",
            "Review (and sign off) every migration",
            "Search: widen the query before giving up.",
            "Read: every file that the change touches.",
            "Note: git history is part of the record.",
            "Use git push only after review.",
            "Approve or reject ADRs within scope (with reasons)",
            "git is the only source of truth",
            "Raise **every** finding.",
            "Who may git push?",
            "Issue APPROVE / REJECT verdicts.",
            "",
        ] {
            assert_eq!(rule_in(text), None, "{text}");
        }
    }
}
