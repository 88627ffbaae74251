//! Checked documents to one normal-form policy: the rules of every source, with scopes, trust, posture and floors settled.

mod floor;
mod layered;
mod preset;
mod rules;

use callgate_grammar::Span;
use callgate_runtime::rule::Scope;

use crate::diagnostic::{Diagnostic, Severity};
use crate::findings::{self, Findings};
use crate::ir::{Document, Permissions, PermissionsChoice, Preset, Settings, SettingsPermissions};
use crate::lints;
use crate::normal::NormalPolicy;
use crate::options::Options;
use crate::source::{Kind, Source};

pub(crate) use floor::tools as floor_tools;
pub use layered::settings_rules;
pub use preset::preset;
pub(crate) use preset::preset_rules;

/// A checked document with what normalization needs of its source.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The source's name.
    pub name: &'a str,
    /// The source's text.
    pub text: &'a str,
    /// The document that [`check`](crate::check()) made of it.
    pub document: &'a Document,
    /// The scope of its rules, if they are of the layered dialect.
    pub scope: Scope,
}

impl<'a> File<'a> {
    /// The file of a source, with the scope that the options or its path give it.
    pub fn new(source: &Source<'a>, document: &'a Document, options: &Options) -> Self {
        let text = std::str::from_utf8(source.bytes).unwrap_or_default();
        Self {
            name: source.name,
            text,
            document,
            scope: options.scope_of(source.name),
        }
    }
}

/// What [`normalize`] made.
#[derive(Clone, Debug, PartialEq)]
pub struct Normalized {
    /// The policy; `None` when there is an error.
    pub policy: Option<NormalPolicy>,
    /// What was found while merging, by source name, place and code.
    pub diagnostics: Vec<Diagnostic>,
}

/// What one file brings.
#[derive(Clone, Copy)]
enum Part<'a> {
    Rules(&'a Permissions),
    Preset(Preset),
    Layered(&'a Settings),
    /// Settings without `permissions:`; their posture may count.
    Bare(&'a Settings),
    Nothing,
}

/// Merges checked documents into one policy. The layered dialect takes any number of files, the rules dialect one. The
/// order of `files` does not matter: files of one scope are ordered by the bytes of their names.
pub fn normalize(files: &[File<'_>], options: &Options) -> Normalized {
    let mut ordered: Vec<&File<'_>> = files.iter().collect();
    ordered.sort_by_key(|file| (file.scope, file.name.as_bytes(), file.text));
    let parts: Vec<(&File<'_>, Part<'_>)> = ordered
        .into_iter()
        .map(|file| (file, part(file.document)))
        .collect();
    let mut diagnostics = Vec::new();
    let policy = merged(&parts, options, &mut diagnostics);
    findings::sort(&mut diagnostics);
    let refused = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error);
    Normalized {
        policy: policy.filter(|_| !refused),
        diagnostics,
    }
}

fn part(document: &Document) -> Part<'_> {
    let choice = match document {
        Document::Permissions(permissions) => return Part::Rules(permissions),
        Document::Settings(settings) => match &settings.permissions {
            Some(SettingsPermissions::Rules(choice)) => choice,
            Some(SettingsPermissions::Layered(_)) => return Part::Layered(settings),
            None => return Part::Bare(settings),
        },
        Document::Agent(agent) => match agent.permissions.as_ref().and_then(|given| given.value.as_ref()) {
            Some(choice) => choice,
            None => return Part::Nothing,
        },
        Document::Pack(_) | Document::Tests(_) | Document::Catalogue(_) => return Part::Nothing,
    };
    match choice {
        PermissionsChoice::Preset(preset) => Part::Preset(preset.value),
        PermissionsChoice::Rules(permissions) => Part::Rules(permissions),
    }
}

fn merged(
    parts: &[(&File<'_>, Part<'_>)],
    options: &Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<NormalPolicy> {
    let empty = parts.iter().filter(|(_, part)| matches!(part, Part::Nothing));
    diagnostics.extend(empty.flat_map(|(file, _)| nothing_in(file)));
    let bearing: Vec<&(&File<'_>, Part<'_>)> = parts
        .iter()
        .filter(|(_, part)| !matches!(part, Part::Nothing | Part::Bare(_)))
        .collect();
    let rules = bearing
        .iter()
        .any(|(_, part)| matches!(part, Part::Rules(_) | Part::Preset(_)));
    let mut others = bearing.iter();
    let first = others.next();
    if rules {
        diagnostics.extend(others.flat_map(|(file, _)| one_only(file, first.map(|(file, _)| file.name))));
    }
    match first {
        Some((file, Part::Rules(permissions))) => Some(rules::policy(file.name, permissions)),
        Some((_, Part::Preset(chosen))) => Some(preset::policy(*chosen)),
        Some((_, Part::Layered(_))) => Some(layered::policy(parts, options, diagnostics)),
        Some((_, Part::Bare(_) | Part::Nothing)) | None => {
            let bare = parts.iter().filter(|(_, part)| matches!(part, Part::Bare(_)));
            diagnostics.extend(bare.flat_map(|(file, _)| nothing_in(file)));
            None
        }
    }
}

fn nothing_in(file: &File<'_>) -> Vec<Diagnostic> {
    let kind = file.document.kind();
    let message = match kind {
        Kind::Agent => String::from("the agent document has no permissions, so there is no table to make"),
        Kind::Pack => String::from("a pack is prompt text and enforces nothing: there is no table to make"),
        Kind::Settings | Kind::Permissions => {
            String::from("the settings have no `permissions:`: there is no table to make")
        }
        Kind::Tests | Kind::Catalogue => {
            format!("{} has no permissions: there is no table to make", kind.noun())
        }
    };
    let help = match kind {
        Kind::Agent => "write `permissions:` with a preset's name or rules",
        Kind::Settings | Kind::Permissions => {
            "write `permissions:` with rule specs, rules or a preset's name"
        }
        Kind::Pack | Kind::Tests | Kind::Catalogue => {
            "compile the permissions, settings or agent document instead"
        }
    };
    report(
        file,
        &lints::NOTHING_TO_COMPILE,
        place(file.document),
        (message, help),
    )
}

fn one_only(file: &File<'_>, first: Option<&str>) -> Vec<Diagnostic> {
    let first = first.unwrap_or_default();
    let message = format!("a policy of the rules dialect is one file, and `{first}` is there already");
    let help = "compile each policy of the rules dialect by itself";
    report(file, &lints::ONE_POLICY_ONLY, Span::at(0), (message, help))
}

/// Where the document says that it has no permissions, or its beginning.
fn place(document: &Document) -> Span {
    match document {
        Document::Agent(agent) => {
            let given = agent.permissions.as_ref().map(|permissions| permissions.span);
            given
                .or(agent.role.as_ref().map(|role| role.span))
                .unwrap_or_default()
        }
        Document::Permissions(_)
        | Document::Settings(_)
        | Document::Pack(_)
        | Document::Tests(_)
        | Document::Catalogue(_) => Span::default(),
    }
}

fn report(
    file: &File<'_>,
    lint: &'static lints::Lint,
    span: Span,
    (message, help): (String, &str),
) -> Vec<Diagnostic> {
    let mut findings = Findings::new(file.name, file.text);
    findings.report(lint, span, message, help.to_owned());
    findings.finish()
}
