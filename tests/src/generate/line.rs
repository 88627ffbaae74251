//! A random number to a shell line, composed of the constructs of page 31, one inside another.

use crate::random::Random;

/// A construct, and how one of it is written around what stands inside.
type Construct = (&'static str, fn(&mut Random, usize) -> String);

/// LIMIT: constructs inside one another.
const DEPTH: usize = 4;

/// Every construct of page 31 by name. A line is a list of them, and what they hold is made of them again.
pub const CONSTRUCTS: &[Construct] = &[
    ("words", |random, _| words(random)),
    ("single quotes", |random, _| format!("echo '{}'", words(random))),
    ("double quotes", |random, _| format!("echo \"{}\"", words(random))),
    ("ansi quotes", |random, _| {
        format!("$'\\x72m' {}", argument(random))
    }),
    ("escapes", |random, _| format!("r\\m {}", argument(random))),
    ("quoted name", |random, _| format!("r''m {}", argument(random))),
    ("path", |random, _| format!("/bin/{}", words(random))),
    ("and", |random, depth| joined(random, depth, " && ")),
    ("or", |random, depth| joined(random, depth, " || ")),
    ("sequence", |random, depth| joined(random, depth, "; ")),
    ("newline", |random, depth| joined(random, depth, "\n")),
    ("background", |random, depth| joined(random, depth, " & ")),
    ("pipe", |random, depth| joined(random, depth, " | ")),
    ("pipe of both", |random, depth| joined(random, depth, " |& ")),
    ("negation", |random, depth| format!("! {}", line(random, depth))),
    ("time", |random, depth| format!("time -p {}", line(random, depth))),
    ("comment", |random, depth| {
        format!("{} # rm x", line(random, depth))
    }),
    ("continuation", |random, _| words(random).replace(' ', " \\\n")),
    ("substitution", |random, depth| {
        format!("echo $({})", line(random, depth))
    }),
    ("quoted substitution", |random, depth| {
        format!("echo \"$({})\"", line(random, depth))
    }),
    ("backticks", |random, _| format!("echo `{}`", words(random))),
    ("process substitution", |random, depth| {
        format!("cat <({})", line(random, depth))
    }),
    ("writing process substitution", |random, depth| {
        format!("ls > >({})", line(random, depth))
    }),
    ("arithmetic", |random, depth| {
        format!("echo $((1 + $({})))", line(random, depth))
    }),
    ("parameter default", |random, depth| {
        format!("echo ${{X:-$({})}}", line(random, depth))
    }),
    ("parameter", |random, _| {
        format!("{} $X \"${{Y}}\"", words(random))
    }),
    ("subshell", |random, depth| format!("( {} )", line(random, depth))),
    ("group", |random, depth| format!("{{ {}\n}}", line(random, depth))),
    ("if", |random, depth| {
        format!("if {}\nthen {}\nfi", line(random, depth), line(random, depth))
    }),
    ("while", |random, depth| {
        format!("while {}\ndo {}\ndone", line(random, depth), line(random, depth))
    }),
    ("until", |random, depth| {
        format!("until ls\ndo {}\ndone", line(random, depth))
    }),
    ("for", |random, depth| {
        format!(
            "for i in a $({})\ndo {}\ndone",
            words(random),
            line(random, depth)
        )
    }),
    ("select", |random, depth| {
        format!("select i in a\ndo {}\ndone", line(random, depth))
    }),
    ("case", |random, depth| {
        format!("case x in a|b) {}\n;; *) ls;; esac", line(random, depth))
    }),
    ("function", |random, depth| {
        format!("f() {{ {}\n}}", line(random, depth))
    }),
    ("coprocess", |random, _| format!("coproc {}", words(random))),
    ("condition", |random, depth| {
        format!("[[ -n $({}) ]]", line(random, depth))
    }),
    ("arithmetic command", |random, depth| {
        format!("(( $({}) ))", line(random, depth))
    }),
    ("assignment", |random, depth| {
        format!("x=$({}) {}", line(random, depth), words(random))
    }),
    ("dangerous assignment", |random, _| {
        format!(
            "{}=x {}",
            random.pick(&["PATH", "PYTHONPATH", "LD_X"]),
            words(random)
        )
    }),
    ("array", |random, depth| {
        format!("x=(a $({}))", line(random, depth))
    }),
    ("write", |random, _| {
        format!(
            "{} {} f",
            words(random),
            random.pick(&[">", ">>", ">|", "&>", "2>", "<>"])
        )
    }),
    ("read", |random, _| format!("{} < f", words(random))),
    ("descriptors", |random, _| {
        format!("{} 2>&1 >/dev/null", words(random))
    }),
    ("here-string", |random, depth| {
        format!("cat <<< $({})", line(random, depth))
    }),
    ("here-document", |random, _| {
        format!("cat <<E\n$({})\nE", words(random))
    }),
    ("quoted here-document", |random, _| {
        format!("cat <<'E'\n{}\nE", words(random))
    }),
    ("command position", |random, _| format!("$X {}", argument(random))),
    ("glob position", |random, _| format!("l? {}", argument(random))),
    ("braces", |random, _| format!("echo {{{},b}}", argument(random))),
    ("eval", |random, _| format!("eval {}", words(random))),
    ("sh -c", |random, _| {
        format!("{} -c '{}'", random.pick(&["sh", "bash", "zsh"]), words(random))
    }),
    ("piped to a shell", |random, _| {
        format!("echo {} | sh", words(random))
    }),
    ("xargs", |random, _| format!("xargs -n 1 {}", words(random))),
    ("find", |random, _| {
        format!("find . -exec {} {{}} \\;", words(random))
    }),
    ("trap", |random, _| format!("trap '{}' EXIT", words(random))),
    ("wrapper", |random, _| {
        format!(
            "{} {}",
            random.pick(&["nice -n 5", "timeout 5", "nohup", "env A=1"]),
            words(random)
        )
    }),
    ("unknown option", |random, _| {
        format!("env -S '{}'", words(random))
    }),
    ("never peeled", |random, _| {
        format!(
            "{} {}",
            random.pick(&["sudo", "npx", "ssh h", "docker run i"]),
            words(random)
        )
    }),
    ("file", |random, _| format!("source {}", argument(random))),
    ("fault", |random, _| {
        format!(
            "{} {}",
            words(random),
            random.pick(&["'", "$(", ")", ";;", "fi", "\""])
        )
    }),
];

/// A line with constructs inside one another, four deep at most.
pub fn shell_line(random: &mut Random) -> String {
    line(random, 0)
}

fn line(random: &mut Random, depth: usize) -> String {
    if depth >= DEPTH || random.chance(25 * depth) {
        return words(random);
    }
    let (_, write) = random.pick(CONSTRUCTS);
    write(random, depth + 1)
}

fn joined(random: &mut Random, depth: usize, operator: &str) -> String {
    let parts: Vec<String> = (0..2 + random.below(2)).map(|_| line(random, depth)).collect();
    parts.join(operator)
}

/// A simple command.
fn words(random: &mut Random) -> String {
    let program = random.pick(&[
        "ls",
        "rm",
        "git push",
        "git status",
        "git log",
        "cat",
        "echo",
        "pwd",
        "make",
        "sort -o",
        "curl",
    ]);
    let count = random.below(3);
    let mut text = String::from(*program);
    for _ in 0..count {
        text.push(' ');
        text.push_str(argument(random));
    }
    text
}

const ARGUMENTS: &[&str] = &["x", "-f", "--force", "src/a.rs", "origin", "-la", "é", "a=b"];

fn argument(random: &mut Random) -> &'static str {
    let picked: &&str = random.pick(ARGUMENTS);
    picked
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use callgate_runtime::shell;

    use super::{CONSTRUCTS, shell_line};
    use crate::random::Random;

    /// Each is written, and what is not meant as a fault is none.
    #[test]
    fn every_construct_is_read() {
        let mut random = Random::new(31);
        let names: BTreeSet<&str> = CONSTRUCTS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), CONSTRUCTS.len());
        for (name, write) in CONSTRUCTS.iter().filter(|(name, _)| *name != "fault") {
            // At the deepest, so that what stands inside is plain.
            let line = write(&mut random, super::DEPTH);
            let read = shell::read(&line);
            assert_eq!(read.fault, None, "{name}: {line}");
            let runs = !matches!(*name, "array" | "condition" | "arithmetic command");
            assert!(!runs || read.has_segment(), "{name}: {line}");
        }
    }

    #[test]
    fn lines_are_composed_and_mostly_read() {
        let mut random = Random::new(32);
        let lines: Vec<String> = (0..4_000).map(|_| shell_line(&mut random)).collect();
        let sound = lines
            .iter()
            .filter(|line| shell::read(line).fault.is_none())
            .count();
        let several = lines
            .iter()
            .filter(|line| shell::read(line).units.len() > 2)
            .count();
        assert!(
            sound > 3_000 && several > 800,
            "{sound} sound, {several} of several units"
        );
    }
}
