//! A policy that is replaced while calls come in: the new one is made, checked and loaded, then swapped at once
//! (page 40, *Reload*).

use std::sync::{Arc, PoisonError, RwLock};

use callgate_runtime::broken;
use callgate_runtime::call::Call;
use callgate_runtime::decision::Decision;
use callgate_runtime::permission_policy::PermissionPolicy;
use callgate_runtime::rule::Mode;
use callgate_runtime::session::Refusal;

/// The current policy, and nothing before the first one was loaded.
#[derive(Debug)]
pub struct Reload<P> {
    name: String,
    current: RwLock<Option<Arc<P>>>,
}

impl<P> Reload<P> {
    /// A place for the policy that people call `name`. Until one is loaded, every call is refused.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            current: RwLock::new(None),
        }
    }

    /// Makes a policy and puts it in the place of the current one. If that fails the current one stays, and the error
    /// is the report. Calls go on meanwhile; each is decided by one policy from beginning to end.
    pub fn load<E>(&self, make: impl FnOnce() -> Result<P, E>) -> Result<Arc<P>, E> {
        let made = Arc::new(make()?);
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        *current = Some(Arc::clone(&made));
        Ok(made)
    }

    /// The current policy.
    pub fn current(&self) -> Option<Arc<P>> {
        // A poisoned lock guards nothing half-done: only a whole policy is ever put here.
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl<P: PermissionPolicy> PermissionPolicy for Reload<P> {
    fn evaluate(
        &self,
        session: &str,
        mode: Mode,
        call: &Call<'_>,
        workspace: Option<&str>,
    ) -> Decision<'static> {
        match self.current() {
            Some(policy) => policy.evaluate(session, mode, call, workspace),
            None => broken::refusal(call, &self.name),
        }
    }

    fn learn(&self, session: &str, call: &Call<'_>) -> Result<(), Refusal> {
        match self.current() {
            Some(policy) => policy.learn(session, call),
            None => Err(Refusal::LearningIsOff),
        }
    }
}
