//! An agent document and the files around it to a resolved agent, and to the records that show one.

use std::path::{Path, PathBuf};

use callgate_compiler::ir::{self, Agent, Pack, Settings};
use callgate_compiler::resolve::{self, Prompt, Request, ResolvedAgent};
use callgate_compiler::{Diagnostic, Kind, Options, check};
use callgate_runtime::rule::Scope;
use serde::Serialize;

use crate::console::{Console, Stream};
use crate::failure::Failure;
use crate::input::{self, Document};
use crate::policy;

/// The files around an agent document.
pub(crate) struct Around<'a> {
    /// The pack; `None`: the file that the document names.
    pub(crate) pack: Option<&'a Path>,
    /// The operator's settings.
    pub(crate) settings: Option<&'a Path>,
    /// The settings of the project.
    pub(crate) project_settings: Option<&'a Path>,
    /// They count.
    pub(crate) trust_project: bool,
}

/// An agent document that was checked and resolved.
pub(crate) struct Outcome {
    /// The agent; `None` when there are errors.
    pub(crate) agent: Option<ResolvedAgent>,
    /// What checking and resolving found.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Checks and resolves the document that was read from `path`.
pub(crate) fn resolved(
    (path, document): (&Path, &Document),
    around: &Around<'_>,
    options: &Options,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    let options = Options {
        kind: Some(Kind::Agent),
        ..options.clone()
    };
    let checked = check(&document.source(), &options);
    let Some(ir::Document::Agent(agent)) = checked.document else {
        return Ok(Outcome {
            agent: None,
            diagnostics: checked.diagnostics,
        });
    };
    let pack = pack(path, &agent, around.pack, &options, console)?;
    let global = settings(around.settings, Scope::User, &options, console)?;
    let project = around.project_settings.filter(|_| around.trust_project);
    let project = settings(project, Scope::SharedProject, &options, console)?;
    let resolution = resolve::resolve(&Request {
        source: &document.name,
        text: std::str::from_utf8(&document.bytes).unwrap_or_default(),
        pack: pack.as_ref(),
        catalogue: options.catalogue.as_ref(),
        global_settings: global.as_deref(),
        project_settings: project.as_deref(),
        trust_project: around.trust_project,
        ..Request::new(&agent)
    });
    let mut diagnostics = checked.diagnostics;
    diagnostics.extend(resolution.diagnostics);
    Ok(Outcome {
        agent: resolution.agent,
        diagnostics,
    })
}

/// A document of one kind; its findings are told, and errors mean that it cannot be used.
fn document(path: &Path, options: &Options, console: &mut Console) -> Result<ir::Document, Failure> {
    let bytes = input::read(path, options.limits.max_bytes)?;
    let document = Document {
        name: input::shown(path),
        bytes,
    };
    let checked = check(&document.source(), options);
    policy::tell(
        Stream::Err,
        &checked.diagnostics,
        std::slice::from_ref(&document),
        console,
    );
    checked.document.ok_or_else(|| Failure::BrokenDocument {
        path: input::shown(path),
    })
}

/// The pack that was given, or the file that the document names, relative to the document's folder.
fn pack(
    path: &Path,
    agent: &Agent,
    given: Option<&Path>,
    options: &Options,
    console: &mut Console,
) -> Result<Option<Pack>, Failure> {
    let named = match &agent.pack {
        // Null: there is none, whatever is given.
        Some(pack) => match &pack.value {
            Some(name) => Some(name.as_str()),
            None => return Ok(None),
        },
        None => None,
    };
    let beside = |name: &str| path.parent().unwrap_or(Path::new("")).join(name);
    let file: Option<PathBuf> = match (given, named) {
        (Some(given), _) => Some(given.to_owned()),
        (None, Some(name)) if name != resolve::DEFAULT_PACK => Some(beside(name)),
        (None, Some(_) | None) => None,
    };
    let Some(file) = file else { return Ok(None) };
    let options = Options {
        kind: Some(Kind::Pack),
        ..options.clone()
    };
    match document(&file, &options, console)? {
        ir::Document::Pack(pack) => Ok(Some(pack)),
        _ => Ok(None),
    }
}

fn settings(
    path: Option<&Path>,
    scope: Scope,
    options: &Options,
    console: &mut Console,
) -> Result<Option<Box<Settings>>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let options = Options {
        kind: Some(Kind::Settings),
        scope: Some(scope),
        ..options.clone()
    };
    match document(path, &options, console)? {
        ir::Document::Settings(settings) => Ok(Some(settings)),
        _ => Ok(None),
    }
}

/// What the model is told, marked as what it is.
#[derive(Debug, Serialize)]
pub(crate) struct PromptRecord {
    /// Always false: it is text.
    enforced: bool,
    /// The whole message; null where there is none.
    text: Option<String>,
    /// Its parts, in order.
    parts: Vec<PartRecord>,
}

#[derive(Debug, Serialize)]
struct PartRecord {
    part: String,
    text: String,
}

impl From<&Prompt> for PromptRecord {
    fn from(prompt: &Prompt) -> Self {
        let parts = prompt.parts.iter();
        Self {
            enforced: false,
            text: prompt.text(),
            parts: parts
                .map(|part| PartRecord {
                    part: part.kind.name(),
                    text: part.text.clone(),
                })
                .collect(),
        }
    }
}
