//! CG0505: an allow of the rules dialect that lets a second command in behind a single `&`.
//!
//! The dialect refuses `&&` and the other control operators, and takes a single `&` for text (page 20), which `*` then
//! covers. Where one allow does, most do, and one deny mends them all: one finding for a policy.

use callgate_runtime::rule::{Audience, Effect};

use super::BACKGROUND_OPERATOR;
use super::dodged_deny::denied_command;
use crate::lower::quoted;
use crate::normal::Dialect;
use crate::spelling::{Form, sample};
use crate::world::{Finding, Placed, World};

/// Denies that are looked at for a command to hide.
const MOST_DENIES: usize = 8;

/// What nobody allows by accident.
const UNWANTED: [&str; 2] = ["reboot", "curl example.org"];

/// A finding at most, at the first rule that lets a command in.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    if world.dialect != Dialect::Rules {
        return Vec::new();
    }
    let denied = world
        .shell_rules(Effect::Deny)
        .filter_map(denied_command)
        .take(MOST_DENIES);
    let hidden = denied
        .map(|command| command.line().to_owned())
        .chain(UNWANTED.map(str::to_owned))
        .find(|command| world.ask(world.shell(), command, Audience::Main).effect != Effect::Allow);
    let Some(hidden) = hidden else {
        return Vec::new();
    };
    let mut open = world
        .shell_rules(Effect::Allow)
        .filter_map(|placed| Some((placed, line(world, placed, &hidden)?)));
    let Some((placed, line)) = open.next() else {
        return Vec::new();
    };
    let others = match open.count() {
        0 => String::new(),
        1 => String::from(" (and so does one other rule)"),
        n => format!(" (and so do {n} other rules)"),
    };
    let message = format!(
        "{} allows another command behind a single `&`{others}: {}",
        quoted(&placed.rule.pattern),
        quoted(&line)
    );
    let help = String::from(
        "deny `*&*` for bash: this dialect refuses `&&` by itself, and takes a single `&` for text",
    );
    let witness = world.witness(world.shell(), &line, Audience::Main);
    vec![Finding::new(
        &BACKGROUND_OPERATOR,
        placed,
        (message, help),
        witness,
    )]
}

/// A line that this rule allows, with the command behind an `&`.
fn line(world: &World<'_>, placed: Placed<'_>, hidden: &str) -> Option<String> {
    let first = sample(placed.tokens()?, Form::of(true))?;
    // Inside quotes, behind a backslash or in a comment an `&` is text to a shell too.
    if first.contains(['\'', '"', '\\', '#']) {
        return None;
    }
    let first = if first.trim().is_empty() {
        "true"
    } else {
        first.trim_end()
    };
    [" & ", "& ", " &", "&"]
        .into_iter()
        .map(|operator| format!("{first}{operator}{hidden}"))
        .find(|line| {
            let verdict = world.ask(world.shell(), line, Audience::Main);
            verdict.effect == Effect::Allow && verdict.rule == Some(placed.rank)
        })
}

#[cfg(test)]
mod tests {
    use crate::{Options, Source, inspect};

    fn lines(deny: &str, allow: &str) -> Vec<String> {
        let text = format!("mode: rules\ndeny: {{bash: [{deny}]}}\nallow: {{bash: [{allow}]}}\n");
        let source = Source {
            name: "policy.yaml",
            bytes: text.as_bytes(),
        };
        let found = inspect(&source, &Options::default()).diagnostics;
        let found = found.into_iter().filter(|found| found.code == "CG0505");
        found.filter_map(|found| Some(found.witness?.subject)).collect()
    }

    #[test]
    fn one_finding_a_policy_whatever_the_spaces() {
        assert_eq!(lines("", "'git log *', 'git diff *'"), ["git log x & reboot"]);
        assert_eq!(lines("'* & *'", "'git log *'"), ["git log x& reboot"]);
        assert_eq!(lines("'*& *'", "'git log *'"), ["git log x &reboot"]);
        assert_eq!(lines("'rm *'", "'git log *'"), ["git log x & rm build"]);
    }

    #[test]
    fn nothing_is_found_where_nothing_gets_in() {
        for (deny, allow) in [
            ("'*&*'", "'git log *'"),
            ("", "'git log', 'ls'"),
            ("", "'*'"),
            ("", "'echo \"*\"'"),
            ("", "'*\"*'"),
        ] {
            assert_eq!(lines(deny, allow), [""; 0], "{deny} {allow}");
        }
    }
}
