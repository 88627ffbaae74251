//! `callgate decide`: one call, or a stream of call records, to decisions.

use std::io::{self, BufRead, BufReader, IsTerminal, Read};

use callgate_runtime::call::{Call, CallError};
use callgate_runtime::decision::Cause;
use callgate_runtime::json;
use callgate_runtime::rule::{Effect, Mode, Provenance};
use callgate_runtime::table::Dialect;
use callgate_runtime::{Decision, Policy};
use thiserror::Error;

use crate::args::{CallArgs, DecideArgs, Format};
use crate::console::{Console, Stream};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::policy;
use crate::question::Question;
use crate::report::decision;

/// LIMIT: bytes of one call record. A longer line is answered by a deny and read no further than its end.
const MAX_RECORD: u64 = 64 << 20;

/// Why a line is no call.
#[derive(Debug, Error)]
pub(crate) enum NoCall {
    /// The record is wrong.
    #[error(transparent)]
    Record(#[from] CallError),
    /// The line is no text.
    #[error("the call is not UTF-8")]
    NotUtf8,
    /// The line is longer than anything that will be read.
    #[error("the call has more than {MAX_RECORD} bytes")]
    TooLong,
}

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
    for number in 1_usize.. {
        let Some(line) = next_line(&mut reader)? else {
            break;
        };
        let call = line
            .as_deref()
            .map_err(|error| error.to_string())
            .and_then(|line| read(line, &args.call).map_err(|error| error.to_string()));
        let decision = match call {
            Ok(call) => policy.decide(&call),
            Err(what) => {
                refused = true;
                console.complain(&Failure::Call {
                    line: number,
                    what: what.clone(),
                });
                denied(policy, what)
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

/// The next line without its break; `None` at the end of the input.
fn next_line(reader: &mut impl BufRead) -> Result<Option<Result<Vec<u8>, NoCall>>, Failure> {
    let failed = |error| Failure::Read {
        path: String::from("<stdin>"),
        error,
    };
    let mut line = Vec::new();
    let read = reader
        .by_ref()
        .take(MAX_RECORD)
        .read_until(b'\n', &mut line)
        .map_err(failed)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if u64::try_from(read).is_ok_and(|read| read == MAX_RECORD) {
        skip_line(reader).map_err(failed)?;
        return Ok(Some(Err(NoCall::TooLong)));
    }
    Ok(Some(Ok(line)))
}

/// Reads to the end of the line and keeps nothing of it.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let (used, done) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at.saturating_add(1), true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(used);
        if done {
            return Ok(());
        }
    }
}

/// The call of a line. What the record does not say of audience and mode, the command line does.
fn read<'l>(line: &'l [u8], args: &CallArgs) -> Result<Call<'l>, NoCall> {
    let text = std::str::from_utf8(line).map_err(|_| NoCall::NotUtf8)?;
    let mut call = Call::parse(text)?;
    if args.audience.is_some() || args.mode.is_some() {
        let members = json::parse_members(text).map_err(CallError::from)?;
        let says = |name: &str| {
            members
                .iter()
                .any(|(member, value)| member == name && *value != "null")
        };
        call.audience = args
            .audience
            .filter(|_| !says("audience"))
            .unwrap_or(call.audience);
        call.mode = args.mode.filter(|_| !says("mode")).unwrap_or(call.mode);
    }
    Ok(call)
}

/// The answer to what is no call.
fn denied(policy: &Policy, what: String) -> Decision<'_> {
    Decision {
        effect: Effect::Deny,
        tool: String::new(),
        canonical_tool: String::new(),
        action: String::new(),
        cause: Cause::Malformed(what),
        provenance: Provenance::MalformedArguments,
        rule: None,
        segment: None,
        configured_ask: false,
        floored_configured_allow: false,
        policy: *policy.table().digest(),
    }
}
