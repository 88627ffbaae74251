//! CG0513: a pattern in the syntax of another language, such as `**/` of gitignore, `{a,b}` of shells, `^(a|b)` of regular
//! expressions or `domain:` and `//path` of other agents' settings, where a call that was meant is answered otherwise.

use callgate_grammar::pattern::{Flavor, parse};
use callgate_runtime::rule::Effect;

use super::FOREIGN_SYNTAX;
use super::dodged_deny::engine;
use super::unexpanded_home::answered;
use crate::lower::quoted;
use crate::normal::Dialect;
use crate::spelling::{Form, sample};
use crate::world::{Finding, Placed, World};

/// A pattern as its author can be taken to have meant it, and what to write.
struct Meant {
    pattern: String,
    help: &'static str,
}

/// A rule at most once.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    let rules = world.rules.iter().copied();
    rules.filter_map(|placed| foreign(world, placed)).collect()
}

fn foreign<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    placed.tokens()?;
    let tool = placed.tool(world);
    let is_shell = tool == world.shell();
    let flavor = match world.dialect {
        Dialect::Rules => Flavor::Fnmatch,
        Dialect::Layered => Flavor::Layered,
    };
    meanings(&placed.rule.pattern, is_shell)
        .into_iter()
        .find_map(|meant| {
            let subject = sample(&parse(&meant.pattern, flavor), Form::of(is_shell))?;
            let audience = placed.audiences().iter().copied().find(|audience| {
                let verdict = world.ask(tool, &subject, *audience);
                match placed.rule.effect {
                    Effect::Deny | Effect::Ask => verdict.effect == Effect::Allow,
                    Effect::Allow => verdict.effect != Effect::Allow,
                }
            })?;
            let witness = world.witness(tool, &subject, audience);
            let message = format!(
                "{} does not match {}{}, which is {}",
                quoted(&placed.rule.pattern),
                quoted(&subject),
                engine(audience),
                answered(witness.effect)
            );
            Some(Finding::new(
                &FOREIGN_SYNTAX,
                placed,
                (message, meant.help.to_owned()),
                witness,
            ))
        })
}

/// What the pattern would say in another language, if it is written in one.
fn meanings(pattern: &str, is_shell: bool) -> Vec<Meant> {
    let mut meanings = Vec::new();
    let mut push = |pattern: String, help| meanings.push(Meant { pattern, help });
    if !is_shell {
        if pattern.starts_with("**/") || pattern.contains("/**/") {
            let pattern = pattern
                .strip_prefix("**/")
                .unwrap_or(pattern)
                .replace("/**/", "/");
            push(
                pattern,
                "`**/` is not `no folder or any`: begin with `*` alone (`*.env`), or write both patterns",
            );
        }
        if let Some(path) = pattern.strip_prefix("//") {
            push(
                format!("/{path}"),
                "write full paths with one `/`: two are two characters here",
            );
        }
        if let Some(host) = pattern.strip_prefix("domain:") {
            push(
                format!("https://{host}/*"),
                "write a pattern of addresses, such as `*://example.org/*`: there is no `domain:`",
            );
        }
        for choice in choices(pattern, ('{', ',', '}')) {
            push(choice, "write a pattern for each: patterns have no `{a,b}`");
        }
    }
    let anchored = pattern.strip_prefix('^');
    let inner = anchored.unwrap_or(pattern);
    let chosen = choices(inner, ('(', '|', ')'));
    if !chosen.is_empty() {
        for choice in chosen {
            push(choice, "write a pattern for each: patterns have no `(a|b)`");
        }
    } else if let Some(inner) = anchored {
        let inner = inner.strip_suffix('$').unwrap_or(inner).replace(".*", "*");
        push(
            inner,
            "leave `^` and `$` out: a pattern is always about the whole text",
        );
    }
    meanings
}

/// Each choice of the first group in place of the group. A group is `{a,b}`: no space in it, and nothing empty.
fn choices(pattern: &str, (open, between, close): (char, char, char)) -> Vec<String> {
    let group = || {
        let (before, rest) = pattern.split_once(open)?;
        let (inner, after) = rest.split_once(close)?;
        let choices: Vec<&str> = inner.split(between).collect();
        let is_group = choices.len() > 1 && choices.iter().all(|choice| is_word(choice));
        is_group.then(|| {
            choices
                .iter()
                .map(|choice| format!("{before}{choice}{after}"))
                .collect()
        })
    };
    group().unwrap_or_default()
}

fn is_word(choice: &str) -> bool {
    !choice.is_empty() && choice.chars().all(|c| c.is_alphanumeric() || "-_./*".contains(c))
}

/// Whether the pattern has a group of choices as regular expressions do.
pub(super) fn has_choices(pattern: &str) -> bool {
    !choices(pattern, ('(', '|', ')')).is_empty()
}

#[cfg(test)]
mod tests {
    use super::meanings;

    #[test]
    fn other_languages_are_told_from_patterns() {
        let told = |pattern: &str, is_shell| -> Vec<String> {
            meanings(pattern, is_shell)
                .into_iter()
                .map(|meant| meant.pattern)
                .collect()
        };
        assert_eq!(told("**/.env", false), [".env"]);
        assert_eq!(told("src/**/x", false), ["src/x"]);
        assert_eq!(told("*.{env,key}", false), ["*.env", "*.key"]);
        assert_eq!(told("//etc/*", false), ["/etc/*"]);
        assert_eq!(told("domain:example.org", false), ["https://example.org/*"]);
        assert_eq!(told("git (push|pull) *", true), ["git push *", "git pull *"]);
        assert_eq!(told("^(rm|mv) *", true), ["rm *", "mv *"]);
        assert_eq!(told("^rm.*$", true), ["rm*"]);
        for (pattern, is_shell) in [
            ("src/**", false),
            ("**", false),
            ("*.env", false),
            ("mkdir {a,b}", true),
            ("**/x", true),
            ("{a}", false),
            ("echo (a b|c)", true),
            ("f(a)", true),
            ("{,x}", false),
        ] {
            assert_eq!(told(pattern, is_shell), [""; 0], "{pattern}");
        }
    }
}
