//! CG0506: an allow of a command line that hands a whole program to an interpreter, or starts one that the line names.
//!
//! Every call of a table is put to the policy; a rule is found when it is the one that allows one. A rule that begins with
//! a `*`, or is for all calls of its tool, says that it allows anything, and is not found.

use std::collections::BTreeSet;

use callgate_grammar::pattern::Token;
use callgate_runtime::rule::{Audience, Effect};

use super::RUNS_ANYTHING;
use super::launchers::CALLS;
use super::no_word_boundary::is_covered;
use crate::lower::quoted;
use crate::normal::Dialect;
use crate::world::{Finding, Placed, World};

/// A rule at most once, with the first call that it allows.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    let audiences: &[Audience] = match world.dialect {
        Dialect::Rules => &[Audience::Main],
        Dialect::Layered => &[Audience::Main, Audience::Subagent],
    };
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for audience in audiences {
        for (line, does) in CALLS {
            let verdict = world.ask(world.shell(), line, *audience);
            if verdict.effect != Effect::Allow {
                continue;
            }
            let placed = world.decider(verdict).filter(|placed| names_program(*placed));
            let placed = placed.filter(|placed| !is_covered(*placed, line));
            let Some(placed) = placed.filter(|placed| seen.insert(placed.rank)) else {
                continue;
            };
            let message = format!(
                "{} allows a call that {does}: {}",
                quoted(&placed.rule.pattern),
                quoted(line)
            );
            // A configured ask of the layered dialect would hold against the narrower allows too.
            let rest = match world.dialect {
                Dialect::Rules => "put the rest under `escalate`",
                Dialect::Layered => "leave the rest to be asked about",
            };
            let help = format!(
                "allow the calls that are needed, each with its arguments, and {rest}: no deny sees what such a call starts"
            );
            let witness = world.witness(world.shell(), line, *audience);
            found.push(Finding::new(&RUNS_ANYTHING, placed, (message, help), witness));
        }
    }
    found
}

/// Whether the pattern begins with the name of a program.
fn names_program(placed: Placed<'_>) -> bool {
    let first = placed.tokens().and_then(<[Token]>::first);
    matches!(first, Some(Token::Char(character)) if !character.is_whitespace())
}
