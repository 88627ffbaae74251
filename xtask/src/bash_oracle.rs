//! Random command lines to what bash really executes and what the shell reading makes of them: a line that runs a
//! denied program must never be allowed, and a line with nothing to fear must be.
//!
//! Bash runs with an empty environment, a search path that holds nothing but stubs which log their arguments, a
//! throw-away folder and limits; the generator writes no absolute path. A counterexample is printed as it is, with the
//! seed that makes it again.

mod bench;
mod lines;

use std::borrow::Cow;
use std::io;
use std::path::Path;

use callgate_runtime::layered::{ArgValue, Arguments, LayeredCall, LayeredOptions, judge};
use callgate_runtime::rule::{Classes, Effect, Mode, Query, Rank, RuleFacts, RuleOrder, Scope, Text};
use callgate_runtime::shell;

use bench::Bench;
use lines::Line;

/// Runs `count` lines from `seed` on, in a new folder below `folder`. Gives the number of counterexamples.
pub(crate) fn run(folder: &Path, seed: u64, count: u64) -> io::Result<u64> {
    let bench = Bench::new(folder)?;
    let (mut wrong, mut denied, mut allowed, mut harmless) = (0, 0_u64, 0_u64, 0_u64);
    for number in seed..seed.saturating_add(count) {
        let line = Line::random(number);
        let executed = bench.execute(&line.text, number)?;
        denied += u64::from(executed.iter().any(|program| program.starts_with("bad")));
        allowed += u64::from(decide(&DenyBad, &line.text, false) == Effect::Allow);
        harmless += u64::from(line.harmless);
        if let Some(complaint) = complaint(&line, &executed) {
            wrong += 1;
            println!(
                "{complaint} (seed {number})\n  {:?}\n  executed {executed:?}",
                line.text
            );
        }
    }
    println!(
        "{count} lines: {denied} ran a denied program, {harmless} harmless, {allowed} allowed, {wrong} wrong"
    );
    Ok(wrong)
}

/// Runs lines of one's own, in a new folder below `folder`. Gives the number of counterexamples.
pub(crate) fn run_lines(folder: &Path, lines: &[String]) -> io::Result<u64> {
    let bench = Bench::new(folder)?;
    let mut wrong = 0;
    for (number, text) in (0_u64..).zip(lines) {
        let line = Line {
            text: text.clone(),
            harmless: false,
            mutated: true,
        };
        let executed = bench.execute(&line.text, number)?;
        let judged = decide(&DenyBad, &line.text, false).name();
        println!("{judged:5} {executed:?} {text:?}");
        if let Some(complaint) = complaint(&line, &executed) {
            wrong += 1;
            println!("  {complaint}");
        }
    }
    Ok(wrong)
}

/// What is wrong with the judgement of a line that executed these programs.
fn complaint(line: &Line, executed: &[String]) -> Option<&'static str> {
    let bad = executed.iter().any(|program| program.starts_with("bad"));
    let strict = decide(&DenyBad, &line.text, false);
    if bad && decide(&AllowGood, &line.text, false) == Effect::Allow {
        return Some("HOLE: allowed without an allow");
    }
    if bad && strict == Effect::Allow {
        return Some("HOLE: allowed");
    }
    let read = shell::read(&line.text);
    let legible = read.fault.is_none() && read.units.iter().all(|unit| unit.construct.is_none());
    if bad && legible && decide(&DenyBad, &line.text, true) == Effect::Allow {
        return Some("HOLE: allowed when loose");
    }
    if bad && legible && !line.mutated && strict != Effect::Deny {
        return Some("WEAK: a legible denied program is not denied");
    }
    // Where bash ran nothing it may have refused the line.
    if line.harmless && !executed.is_empty() && strict != Effect::Allow {
        return Some("FUSSY: harmless and not allowed");
    }
    None
}

fn decide(order: &dyn RuleOrder, command: &str, loose_substitution: bool) -> Effect {
    let members = [(Cow::Borrowed("command"), ArgValue::String(Cow::Borrowed(command)))];
    let call = LayeredCall {
        tool: "Shell",
        arguments: Arguments {
            malformed: None,
            members: &members,
        },
        mode: Mode::Default,
    };
    judge(
        order,
        &call,
        &LayeredOptions {
            learned: None,
            loose_substitution,
        },
    )
    .effect
}

/// `{deny: ['Shell(bad*)'], allow: ['Shell']}`
struct DenyBad;

impl RuleOrder for DenyBad {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        let (Text::Whole(text) | Text::Open(text) | Text::Placeholder(text)) = query.text;
        if query.classes.meets(Classes::DENY) && text.starts_with("bad") {
            Some(Rank(0))
        } else {
            query.classes.meets(Classes::ALLOW_TOOL_WIDE).then_some(Rank(1))
        }
    }

    fn facts(&self, rank: Rank) -> RuleFacts {
        match rank {
            Rank(0) => RuleFacts {
                effect: Effect::Deny,
                scope: Some(Scope::User),
                class: Classes::DENY,
            },
            _ => RuleFacts {
                effect: Effect::Allow,
                scope: Some(Scope::User),
                class: Classes::ALLOW_TOOL_WIDE,
            },
        }
    }
}

/// Allows of the harmless programs and of what runs others, each as a prefix; nothing else.
struct AllowGood;

impl RuleOrder for AllowGood {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        const PREFIXES: &[&str] = &["good", "eval ", "sh -c ", "trap ", ":", "echo "];
        let (Text::Whole(text) | Text::Open(text) | Text::Placeholder(text)) = query.text;
        let allowed = PREFIXES.iter().any(|prefix| text.starts_with(prefix));
        (allowed && query.classes.meets(Classes::ALLOW)).then_some(Rank(0))
    }

    fn facts(&self, _: Rank) -> RuleFacts {
        RuleFacts {
            effect: Effect::Allow,
            scope: Some(Scope::User),
            class: Classes::ALLOW,
        }
    }
}
