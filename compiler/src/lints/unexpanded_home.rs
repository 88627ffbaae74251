//! CG0509: a `~` in a pattern, where the call names the same file by its full path and is answered otherwise.
//!
//! A shell replaces `~/`, a pattern does not: it stands for these two characters.

use callgate_runtime::rule::{Audience, Effect};

use super::UNEXPANDED_HOME;
use crate::lower::quoted;
use crate::spelling::{Form, sample};
use crate::world::{Finding, Placed, World};

/// What a shell may make of `~`.
const HOMES: [&str; 2] = ["/home/me", "$HOME"];

/// A rule at most once.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    let rules = world.rules.iter().copied();
    rules.filter_map(|placed| unexpanded(world, placed)).collect()
}

fn unexpanded<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    let tool = placed.tool(world);
    let is_shell = tool == world.shell();
    let subject = sample(placed.tokens()?, Form::of(is_shell)).filter(|subject| holds_home(subject))?;
    placed.audiences().iter().copied().find_map(|audience| {
        let verdict = world.ask(tool, &subject, audience);
        if verdict.effect != placed.rule.effect || verdict.rule != Some(placed.rank) {
            return None;
        }
        let homes = HOMES.iter().take(if is_shell { 2 } else { 1 });
        let other = homes.map(|home| expanded(&subject, home)).find(|other| {
            is_worse(
                placed.rule.effect,
                world.ask(tool, other, audience).effect,
                is_shell,
            )
        })?;
        Some(finding(world, placed, (&subject, &other), audience))
    })
}

/// Whether the full path gets an answer that the author of the rule cannot have meant: a tightening rule that does not
/// tighten, or a path that is not let through. A shell line with a `~` is as good as one without, so an allow of it is
/// no mistake.
fn is_worse(rule: Effect, other: Effect, is_shell: bool) -> bool {
    match rule {
        Effect::Deny | Effect::Ask => other == Effect::Allow,
        Effect::Allow => other != Effect::Allow && !is_shell,
    }
}

fn finding<'a>(
    world: &World<'a>,
    placed: Placed<'a>,
    (subject, other): (&str, &str),
    audience: Audience,
) -> Finding<'a> {
    let witness = world.witness(placed.tool(world), other, audience);
    let message = format!(
        "`~` stands for itself in {}: {} is {}, and {} is {}",
        quoted(&placed.rule.pattern),
        quoted(subject),
        answered(placed.rule.effect),
        quoted(other),
        answered(witness.effect),
    );
    let help =
        String::from("write a pattern for full paths, such as `/home/*/.ssh/*`, or `*/.ssh/*` for any place");
    Finding::new(&UNEXPANDED_HOME, placed, (message, help), witness)
}

/// `allowed`, `asked about`, `denied`.
pub(super) fn answered(effect: Effect) -> &'static str {
    match effect {
        Effect::Deny => "denied",
        Effect::Ask => "asked about",
        Effect::Allow => "allowed",
    }
}

/// Whether a word begins with `~/`.
fn holds_home(subject: &str) -> bool {
    subject.starts_with("~/") || subject.contains(" ~/")
}

fn expanded(subject: &str, home: &str) -> String {
    let begun = subject.strip_prefix("~/").map(|rest| format!("{home}/{rest}"));
    begun
        .unwrap_or_else(|| subject.to_owned())
        .replace(" ~/", &format!(" {home}/"))
}
