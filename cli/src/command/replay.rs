//! `callgate replay`: a log of recorded calls, decided again, to a summary.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use callgate_runtime::Policy;
use callgate_runtime::rule::Mode;
use callgate_runtime::table::Dialect;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::{Format, PolicyArgs, ReplayArgs};
use crate::console::{Console, Stream};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::replay::{self, Questions};
use crate::report::replay::{Summary, human, json};
use crate::{input, policy};

pub(super) fn run(args: &ReplayArgs, console: &mut Console) -> Result<Exit, Failure> {
    let is_stdin = |path: &Path| path.as_os_str() == input::STDIN;
    let against_stdin = args.against.as_deref().is_some_and(is_stdin);
    let readers = [
        is_stdin(&args.calls),
        policy::reads_stdin(&args.policy),
        against_stdin,
    ];
    if readers.into_iter().filter(|reads| *reads).count() > 1 {
        return Err(Failure::StdinTwice);
    }
    let policy = load(&args.policy, args.mode, console)?;
    let against = args.against.as_ref().map(|old| {
        let old = PolicyArgs {
            policies: vec![old.clone()],
            ..args.policy.clone()
        };
        load(&old, args.mode, console)
    });
    let against = against.transpose()?;
    let questions = Questions {
        policy: &policy,
        against: against.as_ref(),
        audience: args.audience,
        mode: args.mode,
        slowest: args.slowest,
    };
    let failed = |error| Failure::Read {
        path: input::shown(&args.calls),
        error,
    };
    let (log, bytes): (Box<dyn Read>, u64) = if is_stdin(&args.calls) {
        (Box::new(io::stdin().lock()), 0)
    } else if args.calls.is_dir() {
        return Err(Failure::Folder {
            path: input::shown(&args.calls),
        });
    } else {
        let file = File::open(&args.calls).map_err(failed)?;
        let bytes = file.metadata().map_or(0, |metadata| metadata.len());
        (Box::new(file), bytes)
    };
    let bar = bar(bytes);
    let (began, mut calls) = (Instant::now(), 0_usize);
    let tally = replay::run(
        &questions,
        &mut BufReader::with_capacity(1 << 18, log),
        |lines, bytes| {
            calls = calls.saturating_add(lines);
            bar.set_message(calls.to_string());
            bar.inc(u64::try_from(bytes.saturating_add(lines)).unwrap_or(u64::MAX));
        },
    );
    bar.finish_and_clear();
    let summary = Summary {
        tally: &tally.map_err(failed)?,
        policy: &policy,
        against: against.as_ref(),
        took: began.elapsed(),
        threads: replay::threads(),
    };
    match args.format {
        Format::Human => console.line(Stream::Out, &human(&summary, console)),
        Format::Json => console.line(Stream::Out, &json(&summary)),
    }
    Ok(if summary.tally.no_calls > 0 {
        Exit::COULD_NOT_RUN
    } else if summary.tally.changes.is_empty() {
        Exit::CLEAN
    } else {
        Exit::FINDINGS
    })
}

fn load(args: &PolicyArgs, mode: Option<Mode>, console: &mut Console) -> Result<Policy, Failure> {
    let policy = policy::load(args, console)?;
    let mode = mode.unwrap_or_default();
    if policy.table().options().dialect == Dialect::Rules && mode != Mode::Default {
        return Err(Failure::ModeOnRules { mode: mode.name() });
    }
    Ok(policy)
}

/// A bar on standard error, where that is a terminal; of a stream without an end only the calls so far.
fn bar(bytes: u64) -> ProgressBar {
    let (bar, template) = if bytes == 0 {
        (ProgressBar::no_length(), "{spinner} {msg} calls")
    } else {
        (
            ProgressBar::new(bytes),
            "{wide_bar} {percent} %  {msg} calls  {eta}",
        )
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_style(style)
}
