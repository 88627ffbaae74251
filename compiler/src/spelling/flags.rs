//! A command to the same command with its options, or its name, written in another way.
//!
//! Only what the tables know is changed: a letter that means one thing to `rm` means another to `find`.

use super::Spelling;
use super::words::Command;

/// What is known of a program, or of one of its subcommands.
struct Row {
    /// The words it begins with.
    name: &'static str,
    /// Its options may stand behind its operands, and none of those in `same` takes a value.
    permutes: bool,
    /// Words that mean the same; a `-x` among them may be clustered.
    same: &'static [&'static [&'static str]],
}

const fn row(name: &'static str, permutes: bool, same: &'static [&'static [&'static str]]) -> Row {
    Row { name, permutes, same }
}

/// The longest name that fits counts.
const ROWS: [Row; 26] = [
    row(
        "rm",
        true,
        &[
            &["-r", "-R", "--recursive"],
            &["-f", "--force"],
            &["-v", "--verbose"],
        ],
    ),
    row(
        "chmod",
        true,
        &[&["-R", "--recursive"], &["777", "0777", "a+rwx"]],
    ),
    row("chown", true, &[&["-R", "--recursive"]]),
    row(
        "cp",
        true,
        &[
            &["-r", "-R", "--recursive"],
            &["-f", "--force"],
            &["-a", "--archive"],
        ],
    ),
    row("mv", true, &[&["-f", "--force"]]),
    row("ln", true, &[&["-s", "--symbolic"], &["-f", "--force"]]),
    row("kill", false, &[&["-9", "-KILL", "-SIGKILL"]]),
    row("git push", true, &[&["-f", "--force"], &["-d", "--delete"]]),
    row("git tag", true, &[&["-d", "--delete"], &["-f", "--force"]]),
    row(
        "git branch",
        true,
        &[
            &["-d", "--delete"],
            &["-f", "--force"],
            &["-D", "-d -f", "--delete --force"],
        ],
    ),
    row("git clean", true, &[&["-f", "--force"], &["-d"], &["-x"]]),
    row("git checkout", true, &[&["-f", "--force"]]),
    row("git reset", true, &[&["--hard"]]),
    row("git rm", true, &[&["-r"], &["-f", "--force"]]),
    row("git commit", false, &[&["-n", "--no-verify"], &["-a", "--all"]]),
    row("docker rm", true, &[&["-f", "--force"], &["-v", "--volumes"]]),
    row("docker rmi", true, &[&["-f", "--force"]]),
    row("docker run", false, &[&["-v", "--volume"]]),
    row(
        "curl",
        false,
        &[
            &["-o", "--output"],
            &["-d", "--data"],
            &["-X", "--request"],
            &["-T", "--upload-file"],
        ],
    ),
    row("wget", false, &[&["-O", "--output-document"]]),
    row("sed", false, &[&["-i", "--in-place"]]),
    row("kubectl delete", false, &[&["-f", "--filename"]]),
    row("npm install", true, &[&["-g", "--global"]]),
    row("pip install", true, &[&["-U", "--upgrade"]]),
    row("mkdir", true, &[&["-p", "--parents"]]),
    row(
        "shutdown",
        false,
        &[&["-r", "--reboot"], &["-h", "--poweroff", "-P"]],
    ),
];

/// Commands that have a second name. What follows stays.
const NAMES: [(&str, &str); 16] = [
    ("npm install", "npm i"),
    ("npm install", "npm add"),
    ("npm run", "npm run-script"),
    ("pnpm install", "pnpm i"),
    ("docker rm", "docker container rm"),
    ("docker run", "docker container run"),
    ("docker exec", "docker container exec"),
    ("docker rmi", "docker image rm"),
    ("terraform destroy", "terraform apply -destroy"),
    ("apt install", "apt-get install"),
    ("apt-get install", "apt install"),
    ("pip install", "pip3 install"),
    ("pip install", "python -m pip install"),
    ("cargo run", "cargo r"),
    ("mkfs", "mkfs.ext4"),
    ("python", "python3"),
];

/// The spellings, in the order in which people come by them.
pub(super) fn spellings(command: &Command) -> Vec<Spelling> {
    let mut spellings = Vec::new();
    let words = command.words();
    let known = ROWS
        .iter()
        .filter_map(|row| Some((row, arguments(row.name, &words)?)));
    let known = known.filter(|(_, arguments)| !arguments.is_empty());
    if let Some((row, arguments)) = known.max_by_key(|(row, _)| row.name.len()) {
        let mut push = |arguments: &[String], how| {
            let text = format!("{} {}", row.name, arguments.join(" "));
            if text != command.line() {
                spellings.push(Spelling::new(text, how));
            }
        };
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        push(
            &each(&arguments, |word| reversed(row, word)),
            "with its options in another order",
        );
        for choice in 0..3 {
            let renamed = each(&arguments, |word| renamed(row, word, choice));
            push(&renamed, "with an option by its other name");
        }
        push(
            &each(&arguments, |word| split(row, word)),
            "with its options apart",
        );
        push(&joined(row, &arguments), "with its options together");
        if row.permutes
            && arguments
                .iter()
                .all(|word| is_operand(word) || is_known(row, word))
        {
            let (mut moved, options): (Vec<String>, Vec<String>) =
                arguments.iter().cloned().partition(|word| is_operand(word));
            moved.extend(options);
            push(&moved, "with its options at the end");
        }
    }
    for (name, other) in NAMES {
        if let Some(arguments) = arguments(name, &words) {
            let text = [&[other], arguments].concat().join(" ");
            spellings.push(Spelling::new(text, "by another name"));
        }
    }
    spellings
}

/// What follows the words of `name`, if the command begins with them.
fn arguments<'w, 't>(name: &str, words: &'w [&'t str]) -> Option<&'w [&'t str]> {
    let count = name.split(' ').count();
    let begins = name.split(' ').eq(words.iter().copied().take(count));
    if begins { words.get(count..) } else { None }
}

fn each(arguments: &[String], change: impl Fn(&str) -> Option<String>) -> Vec<String> {
    arguments
        .iter()
        .map(|word| change(word).unwrap_or_else(|| word.clone()))
        .collect()
}

fn is_operand(word: &str) -> bool {
    !word.starts_with('-') || word == "-"
}

/// Whether the row accounts for the whole option.
fn is_known(row: &Row, word: &str) -> bool {
    in_group(row, word).is_some() || letters(row, word).is_some()
}

fn in_group(row: &Row, word: &str) -> Option<&'static [&'static str]> {
    row.same.iter().copied().find(|group| group.contains(&word))
}

/// The letters of a cluster, each known by itself.
fn letters(row: &Row, word: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = word.strip_prefix('-')?.chars().collect();
    let known = |letter: &char| in_group(row, &format!("-{letter}")).is_some();
    (!letters.is_empty() && letters.iter().all(known)).then_some(letters)
}

fn reversed(row: &Row, word: &str) -> Option<String> {
    let letters = letters(row, word)?;
    Some(format!("-{}", letters.into_iter().rev().collect::<String>()))
}

fn split(row: &Row, word: &str) -> Option<String> {
    let apart: Vec<String> = letters(row, word)?
        .iter()
        .map(|letter| format!("-{letter}"))
        .collect();
    Some(apart.join(" "))
}

/// The word, or each letter of a cluster, by the other names of its group, the last one first.
fn renamed(row: &Row, word: &str, choice: usize) -> Option<String> {
    let other = |word: &str| {
        let others = in_group(row, word)?.iter().rev().filter(|name| **name != word);
        others.copied().nth(choice)
    };
    if let Some(name) = other(word) {
        return Some(name.to_owned());
    }
    let renamed = letters(row, word)?
        .iter()
        .map(|letter| {
            let word = format!("-{letter}");
            other(&word).map_or(word, str::to_owned)
        })
        .collect::<Vec<String>>();
    Some(renamed.join(" "))
}

/// Options of one letter that stand one after the other, as one word.
fn joined(row: &Row, arguments: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for word in arguments {
        let cluster = letters(row, word).is_some();
        match joined.last_mut() {
            Some(last) if cluster && letters(row, last).is_some() => {
                last.push_str(word.trim_start_matches('-'));
            }
            _ => joined.push(word.clone()),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Command, ROWS, spellings};

    fn texts(line: &str) -> BTreeSet<String> {
        let command = Command::plain(line).unwrap();
        spellings(&command)
            .into_iter()
            .map(|spelling| spelling.text)
            .collect()
    }

    #[test]
    fn options_are_reordered_renamed_split_joined_and_moved() {
        let found = texts("rm -rf build");
        for due in [
            "rm -fr build",
            "rm --recursive --force build",
            "rm -r -f build",
            "rm build -rf",
        ] {
            assert!(found.contains(due), "{due}: {found:?}");
        }
        assert!(texts("rm -r -f build").contains("rm -rf build"));
        assert!(texts("rm --recursive build").contains("rm -r build"));
        assert!(texts("git push --force origin").contains("git push origin --force"));
        assert!(texts("git push --force origin").contains("git push -f origin"));
        assert!(texts("git tag -d v1").contains("git tag --delete v1"));
        assert!(texts("git branch -D v1").contains("git branch --delete --force v1"));
        assert!(texts("terraform destroy").contains("terraform apply -destroy"));
    }

    #[test]
    fn what_the_tables_do_not_know_stays() {
        assert_eq!(texts("find -rf x"), BTreeSet::new());
        assert_eq!(texts("rm"), BTreeSet::new());
        let unknown = texts("rm -rq x");
        assert!(unknown.is_empty(), "{unknown:?}");
        assert!(!texts("curl -o x y").iter().any(|text| text.starts_with("curl x")));
    }

    /// No spelling is the command itself, and none loses or gains an operand.
    #[test]
    fn operands_stay() {
        for row in &ROWS {
            for option in row.same.iter().copied().flatten() {
                let line = format!("{} {option} operand", row.name);
                for text in texts(&line) {
                    assert_ne!(text, line);
                    assert_eq!(text.matches("operand").count(), 1, "{line}: {text}");
                }
            }
        }
    }
}
