//! CG0510: a backslash that was meant to escape what follows, or to be a part of a regular expression.
//!
//! Patterns have no escape character: the backslash is one of the characters that a call must hold. Where it separates the
//! parts of a Windows path it is meant so, and nothing is said.

use super::IDLE_BACKSLASH;
use super::unexpanded_home::answered;
use crate::lower::quoted;
use crate::world::{Finding, Placed, World};

/// A rule at most once.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    let rules = world.rules.iter().copied();
    rules.filter_map(|placed| idle(world, placed)).collect()
}

fn idle<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    let meant = meant(&placed.rule.pattern)?;
    let tool = placed.tool(world);
    placed.audiences().iter().copied().find_map(|audience| {
        let verdict = world.ask(tool, &meant, audience);
        if verdict.effect == placed.rule.effect {
            return None;
        }
        let message = format!(
            "the backslash in {} is a character that the call must hold: {} is {}",
            quoted(&placed.rule.pattern),
            quoted(&meant),
            answered(verdict.effect)
        );
        let help = String::from(
            "leave the backslash out: patterns have no escape character; `[*]` is a literal `*` in the rules dialect",
        );
        let witness = world.witness(tool, &meant, audience);
        Some(Finding::new(&IDLE_BACKSLASH, placed, (message, help), witness))
    })
}

/// A call that the author of the pattern can be taken to have meant; `None` where there is no backslash, or one that may
/// stand for itself.
fn meant(pattern: &str) -> Option<String> {
    if !pattern.contains('\\') || pattern.contains(":\\") || pattern.contains('[') {
        return None;
    }
    let mut text = String::new();
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                let escaped = characters.next()?;
                // Behind a name it may separate the parts of a path: `src\*`.
                let is_apart = text.is_empty() || text.ends_with([' ', '\'', '"']);
                if matches!(escaped, '*' | '?') && !is_apart {
                    return None;
                }
                let repeated = characters.next_if(|next| matches!(next, '+' | '*')).is_some();
                match escaped {
                    's' if repeated => text.push(' '),
                    'd' if repeated => text.push('1'),
                    'w' if repeated => text.push('x'),
                    '*' | '?' | '.' | '(' | ')' | '{' | '}' | '+' | '$' | '^' | '|' | '"' | '\'' => {
                        text.push(escaped);
                        if repeated {
                            text.push('x');
                        }
                    }
                    _ => return None,
                }
            }
            '*' if text.is_empty() || text.ends_with(' ') => text.push('x'),
            '*' => {}
            '?' => text.push('x'),
            other => text.push(other),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn what_was_meant_is_guessed_where_it_is_clear() {
        for (pattern, due) in [
            (r"rm -rf \*", Some("rm -rf *")),
            (r"rm\s+-rf *", Some("rm -rf x")),
            (r"*\.env", Some("x.env")),
            (r#"git commit -m \"*\""#, Some("git commit -m \"x\"")),
            ("rm *", None),
            (r"C:\Users\*", None),
            (r"*\*", None),
            (r"src\*", None),
            (r"src\docs\*", None),
            (r"a\", None),
        ] {
            assert_eq!(meant(pattern).as_deref(), due, "{pattern}");
        }
    }
}
