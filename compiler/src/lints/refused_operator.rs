//! CG0508: a pattern for `bash` in the rules dialect that only calls with a control operator match.
//!
//! Such calls are refused before any rule is looked at (page 20), so the rule decides nothing.

use callgate_grammar::pattern::{Flavor, Token, parse};
use callgate_runtime::control;
use callgate_runtime::rule::{Audience, Effect, Provenance};

use super::REFUSED_OPERATOR;
use super::foreign_syntax::has_choices;
use crate::lower::quoted;
use crate::normal::{Dialect, ToolKey};
use crate::spelling::{Form, sample};
use crate::world::{Finding, Placed, World};

/// Every such rule.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    if world.dialect != Dialect::Rules {
        return Vec::new();
    }
    let rules = world.rules.iter().copied();
    rules.filter_map(|placed| dead(world, placed)).collect()
}

fn dead<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    if placed.rule.tool != ToolKey::Named(world.shell().to_owned()) {
        return None;
    }
    let tokens = placed.tokens()?;
    if has_choices(&placed.rule.pattern) {
        return None;
    }
    // A line break that only a block scalar left at the end is found as what it is, by CG0502.
    let operator = operator(&parse(placed.rule.pattern.trim(), Flavor::Fnmatch))?;
    let line = sample(tokens, Form::of(true))?;
    let verdict = world.ask(world.shell(), &line, Audience::Main);
    if verdict.provenance != Provenance::ShellControl {
        return None;
    }
    let message = format!(
        "{} decides nothing: every call it matches holds {}, as {} does, and is refused before any rule is looked at",
        quoted(&placed.rule.pattern),
        named(operator),
        quoted(&line)
    );
    let help = match placed.rule.effect {
        Effect::Deny => "leave the rule out: the refusal holds without it",
        Effect::Ask | Effect::Allow => {
            "write a pattern for each of the commands; lines of several commands are for the layered dialect"
        }
    };
    let witness = world.witness(world.shell(), &line, Audience::Main);
    Some(Finding::new(
        &REFUSED_OPERATOR,
        placed,
        (message, help.to_owned()),
        witness,
    ))
}

/// An operator that every match holds: in a run of plain characters, or the only choice of a set.
fn operator(tokens: &[Token]) -> Option<&'static str> {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Char(character) => text.push(*character),
            // No operator holds this character, so what stands before and after it are two runs.
            Token::Star | Token::Any => text.push('x'),
            Token::Set(set) => match set.ranges.as_slice() {
                [(first, last)] if first == last && !set.negated => text.push(*first),
                _ => text.push('x'),
            },
        }
    }
    control::operator(&text)
}

fn named(operator: &str) -> String {
    match operator {
        "newline" => String::from("a line break"),
        "`" => String::from("a backtick"),
        other => format!("`{other}`"),
    }
}

#[cfg(test)]
mod tests {
    use callgate_grammar::pattern::{Flavor, parse};

    use super::operator;

    #[test]
    fn only_what_every_match_holds_counts() {
        for (pattern, due) in [
            ("cat * | head", Some("|")),
            ("*&&*", Some("&&")),
            ("*[;]*", Some(";")),
            ("*[;|]*", None),
            ("*[;&]*", None),
            ("*&*", None),
            ("*&*&*", None),
            ("$*(", None),
            ("echo $(*", Some("$(")),
            ("*", None),
        ] {
            assert_eq!(operator(&parse(pattern, Flavor::Fnmatch)), due, "{pattern}");
        }
    }
}
