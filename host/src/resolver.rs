//! A workspace to the policy that holds in it at this call (page 30, *Wiring*).
//!
//! Every call asks the file system whether a settings file changed, so a deny added while running holds at the next
//! call. Nothing is read or compiled again without a change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use callgate_compiler::Options;

use crate::files::OperatorFiles;
use crate::snapshot::Snapshot;
use crate::source::{Said, Source};
use crate::workspace::{Refused, Workspace, canonical};

/// The settings files of the operator and of every workspace that calls come from.
#[derive(Debug)]
pub struct Resolver {
    options: Options,
    operator: Mutex<Vec<Source>>,
    workspaces: Mutex<BTreeMap<Option<PathBuf>, Arc<Mutex<Workspace>>>>,
}

impl Resolver {
    /// A resolver over the operator's files. In `options`, `posture` is the operator's, `interactive` says that the
    /// roots are interactive, `trusted_workspace` grants trust to every workspace; `kind` and `scope` do not count.
    /// Nothing is read yet.
    pub fn new(files: &OperatorFiles, options: Options) -> Self {
        let operator = files.files().into_iter().map(|file| Source::new(file, &options));
        Self {
            operator: Mutex::new(operator.collect()),
            workspaces: Mutex::default(),
            options,
        }
    }

    /// The policy for calls below `workspace`, which must be an absolute path. Without one there is no project
    /// configuration. A refusal means that nothing may run: a file that the operator named was never read well.
    pub fn resolve(&self, workspace: Option<&Path>) -> Result<Arc<Snapshot>, Refused> {
        // A folder of another name is another workspace only if it is another folder.
        let root = workspace.map(|path| canonical(path).unwrap_or_else(|| path.to_path_buf()));
        let operator = self.operator_says();
        let workspace = {
            let mut workspaces = self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
            let opened = workspaces
                .entry(root)
                .or_insert_with_key(|root| Arc::new(Mutex::new(Workspace::new(root.clone(), &self.options))));
            Arc::clone(opened)
        };
        let mut workspace = workspace.lock().unwrap_or_else(PoisonError::into_inner);
        workspace.snapshot(&operator, &self.options)
    }

    /// Drops what is remembered of a workspace, the last good readings of its files too.
    pub fn close(&self, workspace: &Path) {
        let root = canonical(workspace).unwrap_or_else(|| workspace.to_path_buf());
        let mut workspaces = self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        workspaces.remove(&Some(root));
    }

    fn operator_says(&self) -> Vec<Arc<Said>> {
        let mut operator = self.operator.lock().unwrap_or_else(PoisonError::into_inner);
        operator.iter_mut().map(|file| file.said(&self.options)).collect()
    }
}
