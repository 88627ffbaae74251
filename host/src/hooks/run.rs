//! A hook's process to a future that any runtime can poll: one thread watches the process and wakes the task.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

use crate::hooks::HookFailure;
use crate::hooks::process::{self, HookLimits};

/// A process that runs while this is polled. Dropping it ends the process group, in the background.
#[derive(Debug)]
pub struct HookRun {
    shared: Arc<Shared>,
    /// What is to be run; taken by the first poll.
    waiting: Option<(Vec<String>, String, HookLimits)>,
}

#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    ended: Option<Result<(), HookFailure>>,
    waker: Option<Waker>,
}

impl HookRun {
    pub(super) fn new(argv: Vec<String>, input: String, limits: HookLimits) -> Self {
        Self {
            shared: Arc::default(),
            waiting: Some((argv, input, limits)),
        }
    }

    /// Runs the process on this thread until it ends.
    pub fn block(mut self) -> Result<(), HookFailure> {
        match self.waiting.take() {
            Some((argv, input, limits)) => process::run(&argv, input, limits, &self.shared.stop),
            None => Err(HookFailure::Stopped),
        }
    }
}

impl Future for HookRun {
    type Output = Result<(), HookFailure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ended) = state.ended.take() {
            return Poll::Ready(ended);
        }
        state.waker = Some(context.waker().clone());
        drop(state);
        let Some((argv, input, limits)) = self.waiting.take() else {
            return Poll::Pending;
        };
        let shared = Arc::clone(&self.shared);
        let watch = move || {
            let ended = process::run(&argv, input, limits, &shared.stop);
            let mut state = shared.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.ended = Some(ended);
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        };
        match thread::Builder::new()
            .name(String::from("callgate-hook"))
            .spawn(watch)
        {
            Ok(_) => Poll::Pending,
            Err(error) => Poll::Ready(Err(HookFailure::Start(error.to_string()))),
        }
    }
}

impl Drop for HookRun {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }
}
