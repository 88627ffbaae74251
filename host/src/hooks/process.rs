//! An argument vector to a process with a deadline, in a process group of its own that ends with it.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::hooks::HookFailure;

/// LIMIT: this much of standard error is kept for the message; the rest is read and dropped.
const MOST_MESSAGE_BYTES: usize = 4096;
/// How long the message may take to come in after the process ended; something it started may hold the pipe open.
const MESSAGE_DELAY: Duration = Duration::from_millis(100);
/// Longest time between two looks at the process.
const LOOK: Duration = Duration::from_millis(10);

/// How long a hook may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookLimits {
    /// From its start to its end. Default: 10 seconds.
    pub deadline: Duration,
    /// From the request to end (`SIGTERM`) to the end by force (`SIGKILL`). Default: 2 seconds.
    pub grace: Duration,
}

impl Default for HookLimits {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(10),
            grace: Duration::from_secs(2),
        }
    }
}

/// Runs the process to its end, `input` on its standard input, its output dropped. Past the deadline, or when `stop` is
/// set, the whole group is ended. What a process leaves running when it ends by itself is left running.
pub(super) fn run(
    argv: &[String],
    input: String,
    limits: HookLimits,
    stop: &AtomicBool,
) -> Result<(), HookFailure> {
    let mut child = start(argv).map_err(HookFailure::Start)?;
    let until = Instant::now().checked_add(limits.deadline);
    feed(&mut child, input);
    let message = listen(&mut child);
    let mut pause = Duration::from_millis(1);
    let ended = loop {
        if has_ended(&mut child) {
            break Ok(());
        }
        if stop.load(Ordering::Relaxed) {
            break Err(HookFailure::Stopped);
        }
        if until.is_none_or(|until| Instant::now() >= until) {
            break Err(HookFailure::TimedOut);
        }
        thread::sleep(pause);
        pause = pause.saturating_mul(2).min(LOOK);
    };
    if let Err(failure) = ended {
        end_group(&mut child, limits.grace);
        return Err(failure);
    }
    let status = child
        .wait()
        .map_err(|error| HookFailure::Start(error.to_string()))?;
    if status.success() {
        return Ok(());
    }
    Err(HookFailure::Failed {
        status: status.code(),
        message: message.take(),
    })
}

fn start(argv: &[String]) -> Result<Child, String> {
    let (program, words) = argv.split_first().ok_or_else(|| String::from("no program"))?;
    let mut command = Command::new(program);
    command
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map_err(|error| error.to_string())
}

/// Writes the input from a thread of its own, as the process may read it late or never. That it does not is no failure.
fn feed(child: &mut Child, input: String) {
    if let Some(mut stdin) = child.stdin.take() {
        thread::spawn(move || stdin.write_all(input.as_bytes()));
    }
}

/// What the process says on standard error.
struct Message {
    said: Arc<Mutex<Vec<u8>>>,
    all_read: mpsc::Receiver<()>,
}

fn listen(child: &mut Child) -> Message {
    let said = Arc::new(Mutex::new(Vec::new()));
    let (done, all_read) = mpsc::channel();
    if let Some(mut stderr) = child.stderr.take() {
        let said = Arc::clone(&said);
        thread::spawn(move || {
            let mut buffer = [0; 1024];
            while let Ok(n_read @ 1..) = stderr.read(&mut buffer) {
                let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                let room = MOST_MESSAGE_BYTES.saturating_sub(said.len());
                said.extend(buffer.iter().take(n_read.min(room)));
            }
            drop(done);
        });
    }
    Message { said, all_read }
}

impl Message {
    /// What was said, waiting a moment for the rest.
    fn take(self) -> String {
        // The sender never sends: the channel ends when everything is read.
        let _ = self.all_read.recv_timeout(MESSAGE_DELAY);
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&said).trim().to_owned()
    }
}

/// Whether the process has ended. It is not reaped, so its number, which is the group's, stays taken.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(Pid::from_child(child)), options) {
        Ok(status) => status.is_some(),
        Err(_) => matches!(child.try_wait(), Ok(Some(_))),
    }
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}

/// Asks the group to end, and ends it after the process did or the grace is over.
#[cfg(unix)]
fn end_group(child: &mut Child, grace: Duration) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = Pid::from_child(child);
    // A signal that reaches nobody finds a group that is gone already.
    let _ = kill_process_group(group, Signal::TERM);
    let until = Instant::now().checked_add(grace);
    while !has_ended(child) && until.is_some_and(|until| Instant::now() < until) {
        thread::sleep(LOOK);
    }
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
}

#[cfg(not(unix))]
fn end_group(child: &mut Child, _: Duration) {
    let _ = child.kill();
    let _ = child.wait();
}
