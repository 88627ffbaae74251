//! CG0503: a deny (or, in the layered dialect, an ask) of a command that is allowed when the same command is written in another way.
//!
//! The command is one that the deny refuses; the finding is another spelling of it that the policy was asked about and
//! allowed. In the layered dialect the shell reader sees through most spellings, and then there is nothing to find.

use callgate_runtime::rule::{Audience, Effect};

use super::DODGED_DENY;
use crate::lower::quoted;
use crate::normal::ToolKey;
use crate::spelling::{Command, Form, sample, spellings};
use crate::world::{Finding, Placed, World};

/// Programs that are meant when a pattern does not begin with its first word (`*rm -rf*`), or is for every tool.
const SEARCHED: [&str; 14] = [
    "rm",
    "sudo",
    "git",
    "curl",
    "wget",
    "chmod",
    "chown",
    "dd",
    "kill",
    "mkfs",
    "npm",
    "docker",
    "kubectl",
    "terraform",
];

/// A dodged deny at most once.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    let rules = world.tightening().filter(|placed| placed.is_of(world.shell()));
    rules.filter_map(|placed| dodged(world, placed)).collect()
}

fn dodged<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    let command = denied_command(placed)?;
    let spellings = spellings(&command);
    placed.audiences().iter().copied().find_map(|audience| {
        let verdict = world.ask(world.shell(), command.line(), audience);
        if verdict.effect != placed.rule.effect || verdict.rule.is_none() {
            return None;
        }
        spellings.iter().find_map(|spelling| {
            let verdict = world.ask(world.shell(), &spelling.text, audience);
            (verdict.effect == Effect::Allow).then(|| {
                let message = format!(
                    "{} {} {}{}, and the same {} is allowed: {}",
                    quoted(&placed.rule.pattern),
                    does(placed.rule.effect),
                    quoted(command.line()),
                    engine(audience),
                    spelling.how,
                    quoted(&spelling.text)
                );
                let other = world.decider(verdict);
                let help = match other {
                    Some(allow) => format!(
                        "add a rule for that spelling, or narrow the allow {} to what is needed",
                        quoted(allow.shown(world))
                    ),
                    None if audience == Audience::Subagent => String::from(
                        "write a pattern that covers both: child agents start from an allow for everything",
                    ),
                    None => String::from("write a pattern that covers both"),
                };
                let witness = world.witness(world.shell(), &spelling.text, audience);
                Finding::new(&DODGED_DENY, placed, (message, help), witness)
                    .with(other, "this rule allows it")
            })
        })
    })
}

/// `denies`, `asks about`, `allows`.
pub(super) fn does(effect: Effect) -> &'static str {
    match effect {
        Effect::Deny => "denies",
        Effect::Ask => "asks about",
        Effect::Allow => "allows",
    }
}

/// ` of child agents` where they are the ones who call.
pub(super) fn engine(audience: Audience) -> &'static str {
    match audience {
        Audience::Main | Audience::All => "",
        Audience::Subagent => " of child agents",
    }
}

/// A command that the rule is about.
pub(super) fn denied_command(placed: Placed<'_>) -> Option<Command> {
    let command = Command::plain(&sample(placed.tokens()?, Form::Line(operand))?)?;
    let of_shell = placed.rule.tool != ToolKey::Any;
    let begins = of_shell && placed.rule.pattern.starts_with(command.program());
    (begins || SEARCHED.contains(&command.program())).then_some(command)
}

/// What a command is likely to be called with.
fn operand(before: &str) -> &'static str {
    let mut words = before
        .split(' ')
        .filter(|word| !word.is_empty() && !word.starts_with('-'));
    match (words.next().unwrap_or_default(), words.next().unwrap_or_default()) {
        ("rm" | "rmdir" | "ls" | "cp" | "mv", _) => "build",
        ("git", "push" | "fetch" | "pull") => "origin",
        ("git", "tag" | "branch" | "checkout") => "v1",
        ("git", "reset") => "HEAD",
        ("chmod", "") => "777 build",
        ("chown", "") => "root build",
        ("kill", _) => "1",
        ("curl" | "wget", _) => "example.org",
        ("sudo" | "doas", "") => "reboot",
        ("mkfs", _) => "/dev/sda",
        ("git" | "npm" | "cargo" | "docker" | "kubectl" | "terraform", _) if !before.ends_with(' ') => "",
        ("gh", _) if !before.ends_with(' ') => "",
        _ => "x",
    }
}
