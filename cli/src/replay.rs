//! A log of recorded calls to counts, changes and the slowest decisions: read once, decided on every core, in memory that
//! does not grow with the log.
//!
//! One thread reads and cuts the log into batches of whole lines; the others decide and count, each for itself, and the
//! counts are added up at the end. Everything but the times is the same whatever the number of threads.

mod tally;

use std::io::{self, BufRead};
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use callgate_runtime::Policy;
use callgate_runtime::rule::{Audience, Mode};

use crate::record::{self, NoCall};

use tally::Seen;
pub(crate) use tally::{Change, Outcome, Tally, is_widening};

/// Bytes of lines that one worker is handed at a time.
const BATCH: usize = 256 << 10;

/// What is asked.
pub(crate) struct Questions<'p> {
    /// The policy that decides.
    pub(crate) policy: &'p Policy,
    /// The policy that its answers are held against.
    pub(crate) against: Option<&'p Policy>,
    /// Which engine asks, where a record does not say.
    pub(crate) audience: Option<Audience>,
    /// The session's mode, where a record does not say.
    pub(crate) mode: Option<Mode>,
    /// How many of the slowest decisions are kept.
    pub(crate) slowest: usize,
}

/// Whole lines of the log.
#[derive(Default)]
struct Batch {
    /// The number of the first line, from 1.
    first: usize,
    text: Vec<u8>,
    /// Where each line ends in the text, and whether it could be read.
    ends: Vec<(usize, Result<(), NoCall>)>,
}

/// How many threads decide.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Decides every line of `log`. `progress` hears of every batch: its lines and its bytes.
pub(crate) fn run(
    questions: &Questions<'_>,
    log: &mut impl BufRead,
    mut progress: impl FnMut(usize, usize),
) -> io::Result<Tally> {
    let threads = threads();
    let (sender, receiver) = sync_channel::<Batch>(threads.saturating_mul(2));
    let receiver = Mutex::new(receiver);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| work(questions, &receiver)))
            .collect();
        let read = read(log, &sender, &mut progress);
        drop(sender);
        let mut whole = Tally::new(questions.slowest);
        for worker in workers {
            let part = worker
                .join()
                .map_err(|_| io::Error::other("a thread that decided calls ended early"))?;
            whole.add(part);
        }
        read.map(|()| whole)
    })
}

/// Cuts the log into batches.
fn read(
    log: &mut impl BufRead,
    sender: &SyncSender<Batch>,
    progress: &mut impl FnMut(usize, usize),
) -> io::Result<()> {
    let mut first = 1_usize;
    loop {
        let mut batch = Batch {
            first,
            ..Batch::default()
        };
        while batch.text.len() < BATCH {
            let Some(complete) = record::next_line(log, &mut batch.text)? else {
                break;
            };
            batch.ends.push((batch.text.len(), complete));
        }
        let (lines, bytes) = (batch.ends.len(), batch.text.len());
        if lines == 0 {
            return Ok(());
        }
        first = first.saturating_add(lines);
        // Nobody takes batches any more only where every worker is gone, and joining them tells that.
        if sender.send(batch).is_err() {
            return Ok(());
        }
        progress(lines, bytes);
    }
}

/// Decides batches until there are no more.
fn work(questions: &Questions<'_>, receiver: &Mutex<Receiver<Batch>>) -> Tally {
    let mut tally = Tally::new(questions.slowest);
    loop {
        // The lock is held while waiting: the others would only wait for the same.
        let next = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(batch) = next else {
            return tally;
        };
        let mut start = 0;
        for (number, (end, complete)) in (batch.first..).zip(batch.ends) {
            let line = batch.text.get(start..end).unwrap_or_default();
            start = end;
            match complete.and_then(|()| record::call(line, questions.audience, questions.mode)) {
                Ok(call) => {
                    let began = Instant::now();
                    let now = questions.policy.decide(&call);
                    let took = began.elapsed();
                    let before = questions.against.map(|policy| policy.decide(&call));
                    tally.decided(
                        &Seen { line, number },
                        Outcome::of(&now),
                        before.as_ref().map(Outcome::of),
                        took,
                    );
                }
                Err(error) => tally.no_call(number, &error),
            }
        }
    }
}

#[cfg(test)]
mod tests;
