//! `callgate check`: files and folders to every finding in them.

use callgate_compiler::{Checked, Diagnostic, Kind, Missing, Options, inspect};
use callgate_runtime::rule::Scope;
use serde::Serialize;

use crate::args::{CheckArgs, Format};
use crate::console::{Console, Stream, Tone};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, Candidate, Document};
use crate::policy;
use crate::registered;
use crate::report::json::{Finding, MissingRules};
use crate::report::{Tally, Texts, counted, human, json};

/// The codes of a document whose keys fit no kind, and of one that has no keys.
const FITS_NO_KIND: [&str; 2] = ["CG0206", "CG0202"];

/// One file, read and checked.
struct Outcome {
    /// What its path makes of it, as settings.
    scope: Scope,
    document: Document,
    kind: Option<Kind>,
    missing: Missing,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
struct Report<'d> {
    files: Vec<FileRecord<'d>>,
    skipped: &'d [String],
    failures: Vec<String>,
    errors: usize,
    warnings: usize,
    notes: usize,
    diagnostics: Vec<Finding<'d>>,
}

#[derive(Serialize)]
struct FileRecord<'d> {
    source: &'d str,
    kind: Option<&'static str>,
    missing_rules: Option<MissingRules>,
}

pub(super) fn run(args: &CheckArgs, console: &mut Console) -> Result<Exit, Failure> {
    let mut options = policy::options(&args.reading, &args.trust.scope, args.trust.posture, console)?;
    if let Some(path) = &args.tools {
        options.tools = Some(registered::read(path, options.limits.max_bytes)?);
    }
    let (candidates, mut failures) = input::candidates(&args.paths);
    let (mut outcomes, mut skipped) = (Vec::new(), Vec::new());
    for candidate in candidates {
        match outcome(&candidate, &options) {
            Ok(outcome) if !candidate.named && is_foreign(&outcome) => skipped.push(outcome.document.name),
            Ok(outcome) => outcomes.push(outcome),
            Err(failure) => failures.push(failure),
        }
    }
    if outcomes.is_empty() && failures.is_empty() {
        failures.push(Failure::NothingToCheck {
            paths: policy::quoted(&args.paths),
        });
    }
    let tally = Tally::of(outcomes.iter().flat_map(|outcome| &outcome.diagnostics));
    match args.format {
        Format::Human => print(&outcomes, &skipped, tally, console),
        Format::Json => console.line(Stream::Out, &record(&outcomes, &skipped, &failures, tally)),
    }
    for failure in &failures {
        console.complain(failure);
    }
    let mut severities = outcomes
        .iter()
        .flat_map(|outcome| &outcome.diagnostics)
        .map(|found| found.severity);
    Ok(
        match (
            failures.is_empty(),
            severities.any(|severity| severity >= args.fail_on),
        ) {
            (false, _) => Exit::COULD_NOT_RUN,
            (true, true) => Exit::FINDINGS,
            (true, false) => Exit::CLEAN,
        },
    )
}

fn outcome(candidate: &Candidate, options: &Options) -> Result<Outcome, Failure> {
    let bytes = input::read(&candidate.path, options.limits.max_bytes)?;
    let document = Document {
        name: input::shown(&candidate.path),
        bytes,
    };
    let Checked {
        kind,
        missing,
        diagnostics,
        ..
    } = inspect(
        &document.source(),
        &Options {
            scope: options.scope.or(Some(input::scope_of(&candidate.path))),
            ..options.clone()
        },
    );
    Ok(Outcome {
        scope: input::scope_of(&candidate.path),
        document,
        kind,
        missing,
        diagnostics,
    })
}

/// It is YAML, and nothing that callgate knows: what other tools keep in the same folder. A file whose path says that it
/// is a settings file never is.
fn is_foreign(outcome: &Outcome) -> bool {
    if outcome.scope != Scope::Cli {
        return false;
    }
    let Outcome {
        kind, diagnostics, ..
    } = outcome;
    kind.is_none()
        && !diagnostics.is_empty()
        && diagnostics.iter().all(|found| FITS_NO_KIND.contains(&found.code))
}

fn print(outcomes: &[Outcome], skipped: &[String], tally: Tally, console: &mut Console) {
    let texts = Texts::of(outcomes.iter().map(|outcome| &outcome.document));
    for outcome in outcomes {
        for diagnostic in &outcome.diagnostics {
            let rendered = human::finding(console, Stream::Out, diagnostic, &texts);
            console.line(Stream::Out, &format!("{rendered}\n"));
        }
        if misses_something(outcome.missing) {
            let name = crate::console::visible(&outcome.document.name);
            console.line(
                Stream::Out,
                &format!("nothing of {name} is used; {}\n", outcome.missing),
            );
        }
    }
    for name in skipped {
        let line = format!(
            "skipped {}: its keys fit no kind of document",
            crate::console::visible(name)
        );
        let line = console.paint(Stream::Out, Tone::Dim, &line);
        console.line(Stream::Out, &line);
    }
    if outcomes.is_empty() {
        return;
    }
    let skips = if skipped.is_empty() {
        String::new()
    } else {
        format!(", {} skipped", skipped.len())
    };
    let counts = format!("{} checked{skips}: ", counted(outcomes.len(), "file"));
    let tone = if tally.errors > 0 {
        Tone::Bad
    } else if tally.warnings > 0 {
        Tone::Open
    } else {
        Tone::Good
    };
    let verdict = console.paint(Stream::Out, tone, &tally.to_string());
    console.line(Stream::Out, &(counts + &verdict));
}

fn misses_something(missing: Missing) -> bool {
    match missing {
        Missing::Nothing => false,
        Missing::Rules { deny, ask, allow } => deny > 0 || ask > 0 || allow > 0,
        Missing::Unknown => true,
    }
}

fn record(outcomes: &[Outcome], skipped: &[String], failures: &[Failure], tally: Tally) -> String {
    let file = |outcome| {
        let Outcome {
            document,
            kind,
            missing,
            ..
        }: &Outcome = outcome;
        FileRecord {
            source: &document.name,
            kind: kind.map(Kind::name),
            missing_rules: MissingRules::of(*missing),
        }
    };
    json::line(&Report {
        files: outcomes.iter().map(file).collect(),
        skipped,
        failures: failures.iter().map(ToString::to_string).collect(),
        errors: tally.errors,
        warnings: tally.warnings,
        notes: tally.notes,
        diagnostics: json::findings(outcomes.iter().flat_map(|outcome| &outcome.diagnostics)),
    })
}
