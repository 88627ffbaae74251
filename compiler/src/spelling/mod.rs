//! A pattern of command lines to one command that it is about, and that command to others that do the same.
//!
//! Both directions guess at nothing that matters: what a lint says rests on the policy's answers to these commands, and a
//! command that was not meant is one that no finding comes of.

mod flags;
mod sample;
mod words;

pub(crate) use sample::{Form, sample};
pub(crate) use words::Command;

/// Another way to have the same done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    /// The command line.
    pub(crate) text: String,
    /// What is different, for messages: `by its absolute path`.
    pub(crate) how: &'static str,
}

impl Spelling {
    fn new(text: String, how: &'static str) -> Self {
        Self { text, how }
    }
}

/// Programs that stand before another and run it as it is.
const WRAPPERS: [&str; 5] = ["env", "nice", "nohup", "timeout 9", "command"];

/// Programs with subcommands, and an option that may stand before any of these and changes nothing here.
const BEFORE_SUBCOMMAND: [(&str, &str); 12] = [
    ("git", "--no-pager"),
    ("git", "-C ."),
    ("npm", "--silent"),
    ("pnpm", "--silent"),
    ("yarn", "--silent"),
    ("cargo", "-q"),
    ("docker", "--debug"),
    ("kubectl", "--v=0"),
    ("helm", "--debug"),
    ("terraform", "-chdir=."),
    ("pip", "-q"),
    ("systemctl", "-q"),
];

/// What only the shell itself can run, so that it has no path.
const BUILTINS: [&str; 20] = [
    ".", "alias", "bg", "builtin", "cd", "command", "eval", "exec", "exit", "export", "fg", "hash", "jobs",
    "read", "set", "source", "trap", "ulimit", "umask", "unset",
];

/// Programs that stand in `/bin` everywhere.
const IN_BIN: [&str; 12] = [
    "cat", "chmod", "chown", "cp", "dd", "kill", "ln", "ls", "mkdir", "mv", "rm", "rmdir",
];

/// Other spellings of `command`, those that a person or a model would come by first at the beginning.
pub(crate) fn spellings(command: &Command) -> Vec<Spelling> {
    let (program, line) = (command.program(), command.line());
    let rest = command.rest();
    let mut spellings = flags::spellings(command);
    let mut push = |text: String, how| spellings.push(Spelling::new(text, how));
    for (_, option) in BEFORE_SUBCOMMAND.iter().filter(|(name, _)| *name == program) {
        if !rest.is_empty() && !rest.starts_with('-') {
            push(
                format!("{program} {option} {rest}"),
                "with an option before the subcommand",
            );
        }
    }
    if program.contains('/') {
        if !program.starts_with(['/', '.']) {
            push(format!("./{line}"), "with `./` before the path");
        }
    } else if !BUILTINS.contains(&program) && is_installed(program) {
        let folder = if IN_BIN.contains(&program) {
            "/bin"
        } else {
            "/usr/bin"
        };
        push(format!("{folder}/{line}"), "by its absolute path");
    }
    if !rest.is_empty() {
        push(format!("{program}  {rest}"), "with one more space");
    }
    push(format!(" {line}"), "with a space before it");
    push(quoted(line), "with a part of its name in quotes");
    if let Some((first, more)) = rest.split_once(' ').or((!rest.is_empty()).then_some((rest, ""))) {
        let text = format!("{program} {} {more}", quoted(first));
        push(text.trim_end().to_owned(), "with a part of a word in quotes");
    }
    if !rest.is_empty() {
        push(format!("{program}\t{rest}"), "with a tab for the space");
    }
    if !matches!(program, "sudo" | "doas" | "su") && !BUILTINS.contains(&program) {
        push(format!("sudo {line}"), "behind `sudo`");
    }
    for wrapper in WRAPPERS {
        if !BUILTINS.contains(&program) && wrapper != program {
            push(format!("{wrapper} {line}"), "behind a program that runs another");
        }
    }
    push(format!("X=1 {line}"), "behind an assignment");
    push(format!("sh -c '{line}'"), "as a text that a shell reads");
    push(format!("eval '{line}'"), "as a text that a shell reads");
    if !rest.is_empty() {
        push(
            format!("{program}${{IFS}}{rest}"),
            "with a variable for the space",
        );
    }
    if !rest.is_empty() && !line.contains(',') {
        push(format!("{{{}}}", line.replace(' ', ",")), "as a brace expansion");
    }
    spellings
}

/// Whether a program of this name can stand in a folder of programs.
fn is_installed(program: &str) -> bool {
    program
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+'))
}

/// `rm -rf x` as `r'm' -rf x`: the same word to a shell.
fn quoted(line: &str) -> String {
    let (word, rest) = line
        .split_once(' ')
        .map_or((line, ""), |(word, rest)| (word, rest));
    let mut letters = word.chars();
    let first: String = letters.by_ref().take(1).collect();
    let word = match letters.as_str() {
        "" => format!("'{first}'"),
        more => format!("{first}'{more}'"),
    };
    if rest.is_empty() {
        word
    } else {
        format!("{word} {rest}")
    }
}

#[cfg(test)]
mod tests;
