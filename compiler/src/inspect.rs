//! One source to everything that can be said about it: what its text gets wrong, and what the policy it makes answers.
//!
//! Compiling asks none of this: what a policy answers stops no table (page 70), and whoever loads one needs no advice.

use callgate_runtime::Policy;

use crate::check::{Checked, Missing, check};
use crate::diagnostic::{Diagnostic, Related};
use crate::emit;
use crate::findings::{self, Findings};
use crate::ir::{Document, SettingsPermissions};
use crate::lints::WORLD;
use crate::normalize::{File, normalize};
use crate::options::Options;
use crate::source::Source;
use crate::world::{Finding, World};

/// Checks one source, makes the policy it stands for by itself, and asks that policy what the lints of the families
/// CG04 and CG05 want to know. A document without permissions is only checked. Cost: that of compiling, and a bounded
/// number of decisions for each rule.
///
/// ```
/// use callgate_compiler::{Options, Source, inspect};
///
/// let text = b"mode: rules\ndeny: {bash: ['rm -rf *']}\nallow: {bash: ['rm *']}\n";
/// let checked = inspect(&Source { name: "policy.yaml", bytes: text }, &Options::default());
/// assert_eq!(checked.diagnostics[0].code, "CG0503");
/// assert_eq!(checked.diagnostics[0].witness.as_ref().unwrap().subject, "rm -fr build");
/// ```
pub fn inspect(source: &Source<'_>, options: &Options) -> Checked {
    let mut checked = check(source, options);
    if let Some(document) = checked
        .document
        .as_ref()
        .filter(|document| bears_permissions(document))
    {
        let file = File::new(source, document, options);
        let files = [file];
        let normalized = normalize(&files, options);
        checked.diagnostics.extend(normalized.diagnostics);
        let policy = normalized.policy.as_ref().and_then(|normal| {
            let bytes = emit::table(normal).ok()?;
            Some((normal, Policy::from_bytes(bytes).ok()?))
        });
        if let Some((normal, policy)) = policy {
            let world = World::new(&files, normal, &policy, options);
            checked.diagnostics.extend(examine(&world, &files));
        }
        findings::sort(&mut checked.diagnostics);
    }
    if checked.document.is_some() && checked.has_errors() {
        checked.document = None;
        checked.missing = Missing::Unknown;
    }
    checked
}

/// What the lints find.
fn examine(world: &World<'_>, files: &[File<'_>]) -> Vec<Diagnostic> {
    let found: Vec<Finding<'_>> = WORLD.iter().flat_map(|lint| lint(world)).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let places: Vec<Findings<'_>> = files
        .iter()
        .map(|file| Findings::new(file.name, file.text))
        .collect();
    let diagnostics = found.into_iter().filter_map(|finding| {
        let (message, help) = finding.words;
        let location = places.get(finding.rule.file)?.location(finding.span);
        let related = finding.other.and_then(|(rule, message)| {
            let location = places.get(rule.file)?.location(rule.span);
            let message = message.to_owned();
            Some(Related { location, message })
        });
        Some(Diagnostic {
            related: related.into_iter().collect(),
            witness: finding.witness,
            ..finding.lint.diagnostic(location, message, help)
        })
    });
    diagnostics.collect()
}

/// Whether a table can be made of the document by itself.
fn bears_permissions(document: &Document) -> bool {
    match document {
        Document::Permissions(_) => true,
        Document::Settings(settings) => match settings.permissions {
            Some(SettingsPermissions::Layered(_) | SettingsPermissions::Rules(_)) => true,
            None => false,
        },
        Document::Agent(agent) => agent
            .permissions
            .as_ref()
            .is_some_and(|given| given.value.is_some()),
        Document::Pack(_) | Document::Tests(_) | Document::Catalogue(_) => false,
    }
}
