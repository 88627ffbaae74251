//! The learned rules of all sessions, shared by the evaluators of one process.

use std::sync::{PoisonError, RwLock};

use callgate_runtime::call::Call;
use callgate_runtime::session::{LearnedRules, Refusal, Sessions};

/// A store of learned rules, in memory.
#[derive(Debug, Default)]
pub struct SessionStore(RwLock<Sessions>);

impl SessionStore {
    /// Learns from a call that was answered with *allow always*.
    pub fn learn(&self, session: &str, call: &Call<'_>) -> Result<(), Refusal> {
        self.change(|sessions| sessions.learn(session, call))
    }

    /// Hands on what a session learned. Nothing is learned or forgotten meanwhile.
    pub fn with<R>(&self, session: &str, ask: impl FnOnce(Option<&LearnedRules>) -> R) -> R {
        let sessions = self.0.read().unwrap_or_else(PoisonError::into_inner);
        ask(sessions.get(session))
    }

    /// Forgets a session. To be called when it is closed.
    pub fn forget(&self, session: &str) {
        self.change(|sessions| sessions.forget(session));
    }

    fn change<R>(&self, change: impl FnOnce(&mut Sessions) -> R) -> R {
        // Learning is one insertion, so a poisoned lock guards nothing half-done.
        change(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }
}
