//! Questions in one line: a tool and its subject to what an engine answers.

use std::path::Path;
use std::sync::Arc;

use callgate_compiler::Options;
use callgate_host::engine::EnginePolicy;
use callgate_host::extra::ExtraRules;
use callgate_host::files::OperatorFiles;
use callgate_host::resolver::Resolver;
use callgate_host::store::SessionStore;
use callgate_runtime::json::push_string;
use callgate_runtime::rule::{Effect, Mode};
use callgate_runtime::{Arguments, Call, Decision};

/// The arguments of a call of `tool` on `subject`.
pub(crate) fn args(tool: &str, subject: &str) -> String {
    let mut text = String::from(if tool == "Shell" {
        "{\"command\":"
    } else {
        "{\"path\":"
    });
    push_string(subject, &mut text);
    text.push('}');
    text
}

/// A main engine over operator files, with a store.
pub(crate) struct Asking {
    pub(crate) resolver: Arc<Resolver>,
    pub(crate) store: Arc<SessionStore>,
    pub(crate) engine: EnginePolicy,
}

impl Asking {
    pub(crate) fn new(files: &OperatorFiles, options: Options) -> Self {
        let resolver = Arc::new(Resolver::new(files, options));
        let store = Arc::new(SessionStore::default());
        let engine = EnginePolicy::main(Arc::clone(&resolver), Some(Arc::clone(&store)));
        Self {
            resolver,
            store,
            engine,
        }
    }

    /// Without any operator file.
    pub(crate) fn bare() -> Self {
        Self::new(&OperatorFiles::default(), Options::default())
    }

    pub(crate) fn ask(&self, workspace: Option<&Path>, tool: &str, subject: &str) -> Decision<'static> {
        self.ask_in(Mode::Default, workspace, tool, subject)
    }

    pub(crate) fn ask_in(
        &self,
        mode: Mode,
        workspace: Option<&Path>,
        tool: &str,
        subject: &str,
    ) -> Decision<'static> {
        let args = args(tool, subject);
        let call = Call::new(tool, Arguments::parse(&args));
        self.engine
            .evaluate_with("session", mode, &call, workspace, &ExtraRules::none())
    }

    pub(crate) fn effect(&self, workspace: Option<&Path>, tool: &str, subject: &str) -> Effect {
        self.ask(workspace, tool, subject).effect
    }
}
