//! The two policies of an engine: the main one, over files of the workspace, and that of its child engines (page 30,
//! *Wiring*).

use std::path::Path;
use std::sync::Arc;

use callgate_runtime::broken;
use callgate_runtime::call::Call;
use callgate_runtime::combined::Context;
use callgate_runtime::decision::Decision;
use callgate_runtime::layered::Learned;
use callgate_runtime::permission_policy::PermissionPolicy;
use callgate_runtime::rule::{Audience, Mode};
use callgate_runtime::session::Refusal;

use crate::extra::ExtraRules;
use crate::resolver::Resolver;
use crate::snapshot::Snapshot;
use crate::store::SessionStore;

/// The policy of one class of engines.
#[derive(Clone, Debug)]
pub struct EnginePolicy {
    rules: Rules,
    audience: Audience,
    store: Option<Arc<SessionStore>>,
}

#[derive(Clone, Debug)]
enum Rules {
    OfWorkspace(Arc<Resolver>),
    Fixed(Arc<Snapshot>),
}

impl EnginePolicy {
    /// The main engine's policy: its files are looked at with every call. Without a store learning is off.
    pub fn main(resolver: Arc<Resolver>, store: Option<Arc<SessionStore>>) -> Self {
        Self {
            rules: Rules::OfWorkspace(resolver),
            audience: Audience::Main,
            store,
        }
    }

    /// The main engine's policy where settings come from no file.
    pub fn fixed(snapshot: Arc<Snapshot>, store: Option<Arc<SessionStore>>) -> Self {
        Self {
            rules: Rules::Fixed(snapshot),
            audience: Audience::Main,
            store,
        }
    }

    /// The policy of child engines: the child floor, the `subagent:` rules and the top-level denies as they were when
    /// the child began. No file is looked at again, and nothing is learned.
    pub fn child(snapshot: Arc<Snapshot>) -> Self {
        Self {
            rules: Rules::Fixed(snapshot),
            audience: Audience::Subagent,
            store: None,
        }
    }

    /// As [`PermissionPolicy::evaluate`], with the rules that the host hands in for this call.
    pub fn evaluate_with(
        &self,
        session: &str,
        mode: Mode,
        call: &Call<'_>,
        workspace: Option<&Path>,
        extra: &ExtraRules,
    ) -> Decision<'static> {
        let snapshot = match &self.rules {
            Rules::Fixed(snapshot) => Arc::clone(snapshot),
            Rules::OfWorkspace(resolver) => match resolver.resolve(workspace) {
                Ok(snapshot) => snapshot,
                Err(refused) => return broken::refusal(call, &refused.source_name),
            },
        };
        let decide = |learned: Option<&dyn Learned>| {
            let context = Context {
                audience: self.audience,
                mode,
                learned,
                broken: &[],
            };
            snapshot.decide(call, &context, extra)
        };
        match &self.store {
            None => decide(None),
            Some(store) => store.with(session, |learned| {
                decide(learned.map(|learned| {
                    let learned: &dyn Learned = learned;
                    learned
                }))
            }),
        }
    }
}

impl PermissionPolicy for EnginePolicy {
    fn evaluate(
        &self,
        session: &str,
        mode: Mode,
        call: &Call<'_>,
        workspace: Option<&str>,
    ) -> Decision<'static> {
        let workspace = workspace.map(Path::new);
        self.evaluate_with(session, mode, call, workspace, &ExtraRules::none())
    }

    fn learn(&self, session: &str, call: &Call<'_>) -> Result<(), Refusal> {
        match &self.store {
            Some(store) => store.learn(session, call),
            None => Err(Refusal::LearningIsOff),
        }
    }
}
