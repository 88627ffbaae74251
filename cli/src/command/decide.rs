//! `callgate decide`: one call, or a stream of call records, to decisions.

use std::io::{self, BufReader, IsTerminal};
use std::path::Path;

use callgate_runtime::Policy;
use callgate_runtime::rule::{Effect, Mode};
use callgate_runtime::table::Dialect;

use crate::args::{DecideArgs, Format};
use crate::console::{Console, Stream};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::question::Question;
use crate::report::decision;
use crate::{input, policy, record};

pub(super) fn run(args: &DecideArgs, console: &mut Console) -> Result<Exit, Failure> {
    let reads_stdin = args.tool.is_none();
    if reads_stdin && policy::reads_stdin(&args.policy) {
        return Err(Failure::StdinTwice);
    }
    let policy = policy::load(&args.policy, console)?;
    match &args.tool {
        Some(tool) => one(args, tool, &policy, console),
        None => stream(args, &policy, console),
    }
}

fn one(args: &DecideArgs, tool: &str, policy: &Policy, console: &mut Console) -> Result<Exit, Failure> {
    let question = Question::new(tool, &args.call, policy.table().options().dialect)?;
    let decision = question.decide(policy);
    match args.format.unwrap_or(Format::Human) {
        Format::Human => console.line(Stream::Out, &decision::full(&decision, policy.table(), console)),
        Format::Json => console.line(Stream::Out, &decision.to_json()),
    }
    if question.is_no_call() {
        console.line(Stream::Err, NO_CALL);
    }
    Ok(if args.exit_code {
        Exit::of_effect(decision.effect)
    } else {
        Exit::CLEAN
    })
}

/// What is said of a subject text that no call of its tool has.
pub(super) const NO_CALL: &str = "\
note: no call has this subject: for this tool it is the action, a space, and the values; use --args, or --action and a text";

/// Answers every line by one decision, in order, as it comes.
fn stream(args: &DecideArgs, policy: &Policy, console: &mut Console) -> Result<Exit, Failure> {
    let mode = args.call.mode.unwrap_or_default();
    if policy.table().options().dialect == Dialect::Rules && mode != Mode::Default {
        return Err(Failure::ModeOnRules { mode: mode.name() });
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        console.line(
            Stream::Err,
            "note: reading call records from the terminal, one a line; end with Ctrl-D",
        );
    }
    let mut reader = BufReader::new(stdin.lock());
    let (mut strictest, mut refused) = (Effect::Allow, false);
    let mut line = Vec::new();
    for number in 1_usize.. {
        line.clear();
        let failed = |error| Failure::Read {
            path: input::shown(Path::new(input::STDIN)),
            error,
        };
        let Some(complete) = record::next_line(&mut reader, &mut line).map_err(failed)? else {
            break;
        };
        let call = complete.and_then(|()| record::call(&line, args.call.audience, args.call.mode));
        let decision = match call {
            Ok(call) => policy.decide(&call),
            Err(error) => {
                refused = true;
                let what = error.to_string();
                console.complain(&Failure::Call {
                    line: number,
                    what: what.clone(),
                });
                record::denied(policy, what)
            }
        };
        strictest = strictest.min(decision.effect);
        match args.format.unwrap_or(Format::Json) {
            Format::Human => console.line(Stream::Out, &decision::brief(&decision, console)),
            Format::Json => console.line(Stream::Out, &decision.to_json()),
        }
        // Whoever waits for this answer before asking again gets it now.
        if reader.buffer().is_empty() {
            console.flush();
        }
        if console.is_broken() {
            return Ok(Exit::COULD_NOT_RUN);
        }
    }
    Ok(match (refused, args.exit_code) {
        (true, _) => Exit::COULD_NOT_RUN,
        (false, true) => Exit::of_effect(strictest),
        (false, false) => Exit::CLEAN,
    })
}
