//! What the settings files say at one moment to one policy that decides.

use std::sync::Arc;

use callgate_compiler::ir::{Document, Layered, Settings, SettingsPermissions};
use callgate_compiler::{Diagnostic, File, Options, Source, check, emit, normalize};
use callgate_runtime::broken::BrokenSource;
use callgate_runtime::call::Call;
use callgate_runtime::combined::{Combined, Context};
use callgate_runtime::decision::Decision;
use callgate_runtime::eval::Policy;
use callgate_runtime::rule::Scope;

use crate::extra::ExtraRules;
use crate::source::{Failure, Report, Said};

/// A compiled policy, with what is broken about its sources.
#[derive(Clone, Debug)]
pub struct Snapshot {
    policy: Arc<Policy>,
    alone: Arc<Combined>,
    broken: Vec<BrokenSource>,
    reports: Vec<Report>,
    diagnostics: Vec<Diagnostic>,
}

/// One settings text that is in no file.
#[derive(Clone, Copy, Debug)]
pub struct SettingsText<'a> {
    /// The scope of its rules.
    pub scope: Scope,
    /// What tables and records call it.
    pub name: &'a str,
    /// The document.
    pub text: &'a str,
}

impl Snapshot {
    /// Compiles settings that are in no file; nothing of them counts if one has an error.
    pub fn of_texts(texts: &[SettingsText<'_>], options: &Options) -> Result<Self, Vec<Diagnostic>> {
        let (documents, diagnostics) = documents(texts, options)?;
        let files = texts.iter().zip(&documents);
        let files: Vec<File<'_>> = files.map(|(text, document)| file(text, document)).collect();
        Self::compile(&files, options, diagnostics)
    }

    /// Compiles what the files say; `options` know whether the workspace is trusted.
    pub(crate) fn of_sources(said: &[Arc<Said>], options: &Options) -> Result<Self, Vec<Diagnostic>> {
        let files = said.iter().filter_map(|said| {
            Some(File {
                name: &said.file.name,
                text: &said.text,
                document: said.document.as_ref()?,
                scope: said.file.scope,
            })
        });
        let files: Vec<File<'_>> = files.collect();
        let diagnostics = said.iter().flat_map(|said| said.diagnostics.iter().cloned());
        let mut snapshot = Self::compile(&files, options, diagnostics.collect())?;
        for report in said.iter().filter_map(|said| said.report()) {
            snapshot.mark(report);
        }
        Ok(snapshot)
    }

    /// The same policy while what replaces it cannot be used: no scope's allows stand.
    pub(crate) fn outdated(&self, diagnostics: Vec<Diagnostic>) -> Self {
        let mut snapshot = self.clone();
        snapshot.mark(Report {
            source: diagnostics
                .first()
                .map(|diagnostic| diagnostic.location.source.clone())
                .unwrap_or_default(),
            path: std::path::PathBuf::new(),
            scope: Scope::Managed,
            failure: Failure::NotCombinable { diagnostics },
        });
        snapshot
    }

    fn mark(&mut self, report: Report) {
        self.broken.push(BrokenSource {
            scope: report.scope,
            name: report.source.clone(),
        });
        self.reports.push(report);
    }

    fn compile(
        files: &[File<'_>],
        options: &Options,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Result<Self, Vec<Diagnostic>> {
        // The floor holds where there is no file at all.
        let nothing = Document::Settings(Box::new(Settings {
            permissions: Some(SettingsPermissions::Layered(Layered::default())),
            ..Settings::default()
        }));
        let floor = File {
            name: "",
            text: "",
            document: &nothing,
            scope: Scope::User,
        };
        let files: Vec<File<'_>> = files.iter().copied().chain([floor]).collect();
        let normalized = normalize(&files, options);
        diagnostics.extend(normalized.diagnostics);
        let table = normalized.policy.and_then(|policy| emit::table(&policy).ok());
        let policy = table
            .and_then(|bytes| Policy::from_bytes(bytes).ok())
            .map(Arc::new);
        let Some(policy) = policy else {
            return Err(diagnostics);
        };
        match Combined::new(Arc::clone(&policy), []) {
            Ok(alone) => Ok(Self {
                policy,
                alone: Arc::new(alone),
                broken: Vec::new(),
                reports: Vec::new(),
                diagnostics,
            }),
            Err(_) => Err(diagnostics),
        }
    }

    /// The compiled table.
    pub fn policy(&self) -> &Arc<Policy> {
        &self.policy
    }

    /// The files that do not count as they are.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// What was found in the files that count.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Decides one call, with the rules that the host hands in for it. `context.broken` is not asked: the snapshot
    /// knows its own broken sources.
    pub fn decide(&self, call: &Call<'_>, context: &Context<'_>, extra: &ExtraRules) -> Decision<'static> {
        let context = Context {
            broken: &self.broken,
            ..*context
        };
        match extra.combined_with(&self.policy, &self.alone) {
            Ok(combined) => combined.decide(call, &context).into_owned(),
            Err(error) => callgate_runtime::broken::refusal(call, &error.to_string()),
        }
    }
}

/// Every text's document, or all that was found.
pub(crate) fn documents(
    texts: &[SettingsText<'_>],
    options: &Options,
) -> Result<(Vec<Document>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut documents = Vec::new();
    let mut diagnostics = Vec::new();
    for text in texts {
        let options = Options {
            scope: Some(text.scope),
            ..options.clone()
        };
        let source = Source {
            name: text.name,
            bytes: text.text.as_bytes(),
        };
        let checked = check(&source, &options);
        diagnostics.extend(checked.diagnostics);
        documents.extend(checked.document);
    }
    if documents.len() == texts.len() {
        Ok((documents, diagnostics))
    } else {
        Err(diagnostics)
    }
}

fn file<'a>(text: &SettingsText<'a>, document: &'a Document) -> File<'a> {
    File {
        name: text.name,
        text: text.text,
        document,
        scope: text.scope,
    }
}
