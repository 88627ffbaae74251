//! The words after `-p` to a policy that decides: YAML, a compiled table, or a preset's name.

use std::path::{Path, PathBuf};

use callgate_compiler::ir::{self, Catalogue, Preset};
use callgate_compiler::{
    Compilation, Diagnostic, Kind, Options, Posture, Source, check, compile, emit, preset,
};
use callgate_host::files::OperatorFiles;
use callgate_host::resolver::Resolver;
use callgate_host::source::Failure as Unusable;
use callgate_runtime::Policy;
use callgate_runtime::table::{Dialect, MAGIC, Table};

use crate::args::{PolicyArgs, ReadingArgs, ScopeArgs};
use crate::console::{Console, Stream, visible};
use crate::failure::Failure;
use crate::input::{self, Document};
use crate::report::{Texts, human};

/// First four bytes of a WebAssembly module.
const WASM_MAGIC: &[u8] = b"\0asm";

/// Loads the policy that `args` name. Findings that do not stop it are told on standard error.
pub(crate) fn load(args: &PolicyArgs, console: &mut Console) -> Result<Policy, Failure> {
    let policy = match args.policies.as_slice() {
        _ if args.workspace.is_some() => from_workspace(args, console)?,
        [only] => match preset_policy(only)? {
            Some(policy) => policy,
            None => from_files(args, console)?,
        },
        several => {
            if let Some(path) = several.iter().find(|path| name_of_preset(path).is_some()) {
                return Err(Failure::NotCombinable {
                    path: input::shown(path),
                    what: "a preset",
                });
            }
            from_files(args, console)?
        }
    };
    if args.posture.is_some() && policy.table().options().dialect == Dialect::Rules {
        console.line(
            Stream::Err,
            "note: `--posture` has no effect on a policy of the rules dialect",
        );
    }
    refuse_root(policy.table())?;
    Ok(policy)
}

/// What a policy file means for the compiler; the catalogue is read here.
pub(crate) fn options(
    reading: &ReadingArgs,
    scope: &ScopeArgs,
    posture: Option<Posture>,
    console: &mut Console,
) -> Result<Options, Failure> {
    let mut options = Options {
        kind: reading.kind,
        max_rules: reading.max_rules,
        ..Options::default()
    };
    options.limits.max_bytes = reading.max_bytes;
    options.limits.max_depth = reading.max_depth;
    options
        .trusted_hook_modules
        .extend(reading.trusted_hook_module.iter().cloned());
    options.scope = scope.scope;
    options.trusted_workspace = scope.trust_project;
    options.interactive = scope.interactive;
    options.posture = posture.unwrap_or_default();
    if let Some(path) = &reading.catalogue {
        options.catalogue = Some(catalogue(path, &options, console)?);
    }
    Ok(options)
}

/// What the options of reading alone mean for the compiler; the catalogue is read here.
pub(crate) fn reading_options(reading: &ReadingArgs, console: &mut Console) -> Result<Options, Failure> {
    options(reading, &ScopeArgs::default(), None, console)
}

/// `auto` and `yolo` are refused for root outside a declared sandbox (page 30).
pub(crate) fn refuse_root(table: &Table) -> Result<(), Failure> {
    let options = table.options();
    let posture = if options.loose_child {
        Posture::Yolo
    } else {
        Posture::Auto
    };
    let sandboxed = std::env::var_os("IS_SANDBOX").is_some_and(|value| value == "1");
    if (options.loose_main || options.loose_child) && is_root() && !sandboxed {
        return Err(Failure::PostureAsRoot {
            posture: posture.name(),
        });
    }
    Ok(())
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

/// The preset's name, where the words are one. A file of that name is `./safe`.
fn name_of_preset(path: &Path) -> Option<&str> {
    let name = path.to_str()?;
    preset(name).map(|_| name)
}

fn preset_policy(path: &Path) -> Result<Option<Policy>, Failure> {
    let Some(normal) = path.to_str().and_then(preset) else {
        return Ok(None);
    };
    let table = |error| Failure::Table {
        path: input::shown(path),
        error,
    };
    let bytes = emit::table(&normal).map_err(|error| Failure::Preset {
        path: input::shown(path),
        error,
    })?;
    Policy::from_bytes(bytes).map(Some).map_err(table)
}

fn from_files(args: &PolicyArgs, console: &mut Console) -> Result<Policy, Failure> {
    if let [only] = args.policies.as_slice()
        && is_bare_word(only)
        && !only.exists()
    {
        let presets: Vec<&str> = Preset::ALL.into_iter().map(Preset::name).collect();
        return Err(Failure::NoPolicy {
            path: input::shown(only),
            presets: presets.join(", "),
        });
    }
    let documents = read_all(&args.policies, args.root.root.as_deref(), args.reading.max_bytes)?;
    for (path, document) in args.policies.iter().zip(&documents) {
        if document.bytes.starts_with(WASM_MAGIC) {
            return Err(Failure::Module {
                path: input::shown(path),
            });
        }
        if document.bytes.starts_with(&MAGIC) {
            return from_table(args, path, &document.bytes);
        }
    }
    let options = options(&args.reading, &args.scope, args.posture, console)?;
    let compilation = compile_documents(&documents, &options);
    match compilation.policy {
        Some(compiled) => {
            tell_briefly(&compilation.diagnostics, console);
            let path = quoted(&args.policies);
            Policy::from_bytes(compiled.bytes).map_err(|error| Failure::Table { path, error })
        }
        None => {
            tell(Stream::Err, &compilation.diagnostics, &documents, console);
            Err(Failure::BrokenPolicy {
                paths: quoted(&args.policies),
            })
        }
    }
}

/// What holds in a workspace: its settings files, the user's, and those that were named, as the host layer finds them. A
/// file that cannot be used decides nothing here.
fn from_workspace(args: &PolicyArgs, console: &mut Console) -> Result<Policy, Failure> {
    let workspace = args.workspace.as_deref().unwrap_or(Path::new("."));
    let read = |error| Failure::Read {
        path: input::shown(workspace),
        error,
    };
    let root = workspace.canonicalize().map_err(read)?;
    if !root.is_dir() {
        return Err(Failure::NoFolder {
            path: input::shown(workspace),
        });
    }
    if let Some(path) = args.policies.iter().find(|path| !path.is_file()) {
        return Err(Failure::NoSettingsFile {
            path: input::shown(path),
        });
    }
    let absolute = |path: &PathBuf| {
        std::path::absolute(path).map_err(|error| Failure::Read {
            path: input::shown(path),
            error,
        })
    };
    let files = OperatorFiles {
        cli: args.policies.iter().map(absolute).collect::<Result<_, _>>()?,
        ..OperatorFiles::from_environment()
    };
    let options = options(&args.reading, &args.scope, args.posture, console)?;
    let resolver = Resolver::new(&files, options);
    let (reports, diagnostics, policy) = match resolver.resolve(Some(&root)) {
        Ok(snapshot) => (
            snapshot.reports().to_vec(),
            snapshot.diagnostics().to_vec(),
            Some(snapshot.policy().clone()),
        ),
        Err(refused) => (refused.reports, refused.diagnostics, None),
    };
    tell_briefly(&diagnostics, console);
    let broken: Vec<String> = reports.iter().map(|report| report.source.clone()).collect();
    for report in &reports {
        let line = format!("error: {}: {}", report.source, report.failure);
        console.line(Stream::Err, &visible(&line));
        match &report.failure {
            Unusable::Invalid { diagnostics, .. } | Unusable::NotCombinable { diagnostics } => {
                tell_briefly(diagnostics, console);
            }
            Unusable::Missing | Unusable::Unreadable(_) | Unusable::TooLarge | Unusable::RulesDialect => {}
        }
    }
    match policy {
        Some(policy) if reports.is_empty() => {
            let bytes = policy.table().bytes().to_vec();
            let path = input::shown(workspace);
            Policy::from_bytes(bytes).map_err(|error| Failure::Table { path, error })
        }
        Some(_) | None => Err(Failure::BrokenPolicy {
            paths: if broken.is_empty() {
                format!("the settings of `{}`", input::shown(workspace))
            } else {
                format!("`{}`", broken.join("`, `"))
            },
        }),
    }
}

/// A word that could be meant as a preset's name.
fn is_bare_word(path: &Path) -> bool {
    path.as_os_str() != input::STDIN && path.components().count() == 1 && path.extension().is_none()
}

fn from_table(args: &PolicyArgs, path: &Path, bytes: &[u8]) -> Result<Policy, Failure> {
    if args.policies.len() > 1 {
        return Err(Failure::NotCombinable {
            path: input::shown(path),
            what: "a compiled table",
        });
    }
    if args.posture.is_some() {
        return Err(Failure::PostureOnTable {
            path: input::shown(path),
        });
    }
    Policy::from_bytes(bytes).map_err(|error| Failure::Table {
        path: input::shown(path),
        error,
    })
}

/// The catalogue in a file.
fn catalogue(path: &Path, options: &Options, console: &mut Console) -> Result<Catalogue, Failure> {
    let bytes = input::read(path, options.limits.max_bytes)?;
    let document = Document {
        name: input::shown(path),
        bytes,
    };
    let options = Options {
        kind: Some(Kind::Catalogue),
        ..options.clone()
    };
    let checked = check(&document.source(), &options);
    tell(
        Stream::Err,
        &checked.diagnostics,
        std::slice::from_ref(&document),
        console,
    );
    match checked.document {
        Some(ir::Document::Catalogue(catalogue)) => Ok(catalogue),
        Some(_) | None => Err(Failure::BrokenCatalogue {
            path: input::shown(path),
        }),
    }
}

/// Whether the policy comes from standard input.
pub(crate) fn reads_stdin(args: &PolicyArgs) -> bool {
    args.policies.iter().any(|path| path.as_os_str() == input::STDIN)
}

/// The paths for a message.
pub(crate) fn quoted(paths: &[PathBuf]) -> String {
    let quoted: Vec<String> = paths
        .iter()
        .map(|path| format!("`{}`", input::shown(path)))
        .collect();
    quoted.join(", ")
}

/// Reads every file, standard input at most once.
pub(crate) fn read_all(
    paths: &[PathBuf],
    root: Option<&Path>,
    max_bytes: usize,
) -> Result<Vec<Document>, Failure> {
    if paths
        .iter()
        .filter(|path| path.as_os_str() == input::STDIN)
        .count()
        > 1
    {
        return Err(Failure::StdinTwice);
    }
    let document = |path: &PathBuf| {
        let bytes = input::read(path, max_bytes)?;
        Ok(Document {
            name: input::name_below(root, path),
            bytes,
        })
    };
    paths.iter().map(document).collect()
}

/// Compiles documents to one table.
pub(crate) fn compile_documents(documents: &[Document], options: &Options) -> Compilation {
    let sources: Vec<Source<'_>> = documents.iter().map(Document::source).collect();
    compile(&sources, options)
}

/// Prints every finding in full.
pub(crate) fn tell(
    stream: Stream,
    diagnostics: &[Diagnostic],
    documents: &[Document],
    console: &mut Console,
) {
    let texts = Texts::of(documents);
    for diagnostic in diagnostics {
        let rendered = human::finding(console, stream, diagnostic, &texts);
        console.line(stream, &format!("{rendered}\n"));
    }
}

/// Prints every finding on a line of its own.
fn tell_briefly(diagnostics: &[Diagnostic], console: &mut Console) {
    for diagnostic in diagnostics {
        let (severity, code, message) = (
            diagnostic.severity.name(),
            diagnostic.code,
            visible(&diagnostic.message),
        );
        let place = format!(
            "{}:{}:{}",
            diagnostic.location.source, diagnostic.location.start.line, diagnostic.location.start.column
        );
        console.line(Stream::Err, &format!("{severity}[{code}]: {message} ({place})"));
    }
}
