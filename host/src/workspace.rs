//! One workspace root to the policy that holds in it now: its own two files joined with the operator's.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use callgate_compiler::{Diagnostic, Options};

use crate::files::project_files;
use crate::snapshot::Snapshot;
use crate::source::{Report, Said, Source};

/// No policy was ever read, so nothing may run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("no policy: {source_name} cannot be used")]
pub struct Refused {
    /// What is missing, as tables and records call it.
    pub source_name: String,
    /// The files that cannot be used.
    pub reports: Vec<Report>,
    /// What was found while the files were merged.
    pub diagnostics: Vec<Diagnostic>,
}

/// A workspace, or none, with the policy compiled for it.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// `None`: there is no workspace, or nobody can tell which it is.
    root: Option<PathBuf>,
    files: Vec<Source>,
    /// What the policy was compiled from.
    said: Vec<Arc<Said>>,
    snapshot: Option<Arc<Snapshot>>,
}

impl Workspace {
    pub(crate) fn new(root: Option<PathBuf>, options: &Options) -> Self {
        let files = root.as_deref().map(project_files).into_iter().flatten();
        let files = files.map(|file| Source::new(file, options)).collect();
        Self {
            root,
            files,
            said: Vec::new(),
            snapshot: None,
        }
    }

    /// The policy of this workspace's files and the operator's. Compiled anew only when one of them says something new.
    pub(crate) fn snapshot(
        &mut self,
        operator: &[Arc<Said>],
        options: &Options,
    ) -> Result<Arc<Snapshot>, Refused> {
        let own = self.files.iter_mut().map(|file| file.said(options));
        let said: Vec<Arc<Said>> = operator.iter().cloned().chain(own).collect();
        if let Some(snapshot) = &self.snapshot
            && said.len() == self.said.len()
            && said
                .iter()
                .zip(&self.said)
                .all(|(new, old)| Arc::ptr_eq(new, old))
        {
            return Ok(Arc::clone(snapshot));
        }
        if let Some(missed) = said.iter().find(|said| said.is_missed) {
            return Err(Refused {
                source_name: missed.file.name.clone(),
                reports: said.iter().filter_map(|said| said.report()).collect(),
                diagnostics: Vec::new(),
            });
        }
        let options = Options {
            trusted_workspace: options.trusted_workspace || self.is_listed(operator),
            ..options.clone()
        };
        let snapshot = match (Snapshot::of_sources(&said, &options), &self.snapshot) {
            (Ok(snapshot), _) => snapshot,
            (Err(diagnostics), Some(last)) => last.outdated(diagnostics),
            (Err(diagnostics), None) => {
                let first = diagnostics.first();
                return Err(Refused {
                    source_name: first
                        .map(|found| found.location.source.clone())
                        .unwrap_or_default(),
                    reports: said.iter().filter_map(|said| said.report()).collect(),
                    diagnostics,
                });
            }
        };
        let snapshot = Arc::new(snapshot);
        self.said = said;
        self.snapshot = Some(Arc::clone(&snapshot));
        Ok(snapshot)
    }

    /// Whether an operator file names this very root as trusted.
    fn is_listed(&self, operator: &[Arc<Said>]) -> bool {
        let Some(root) = &self.root else { return false };
        let settings = operator.iter().filter_map(|said| said.settings());
        settings
            .flat_map(|settings| &settings.trusted_workspaces)
            .any(|listed| canonical(Path::new(&listed.value)).is_some_and(|listed| listed == *root))
    }
}

/// The one name of a folder that exists; a relative path has none, since it would depend on where the engine runs.
pub(crate) fn canonical(path: &Path) -> Option<PathBuf> {
    path.is_absolute().then(|| path.canonicalize().ok()).flatten()
}
