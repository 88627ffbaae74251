//! Paths to document texts and back: files, folders, standard input and output; in one order, and never more than the
//! memory holds.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use callgate_compiler::{Options, Source};
use callgate_runtime::rule::Scope;
use ignore::WalkBuilder;

use crate::console::{Console, Stream};
use crate::failure::Failure;

/// The word for standard input.
pub(crate) const STDIN: &str = "-";

/// LIMIT: bytes read from one file before its own limit is looked at.
const READ_CAP: usize = 256 << 20;

/// One document text.
#[derive(Debug)]
pub(crate) struct Document {
    /// What it is called in reports, in tables and in decisions.
    pub(crate) name: String,
    /// The text as it was read.
    pub(crate) bytes: Vec<u8>,
}

impl Document {
    /// The text as the compiler takes it.
    pub(crate) fn source(&self) -> Source<'_> {
        Source {
            name: &self.name,
            bytes: &self.bytes,
        }
    }
}

/// A file to check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// It was named on the command line, not found in a folder.
    pub(crate) named: bool,
}

/// The files that `paths` mean, by path; what cannot be visited is in the second list. No file stands in the first one
/// twice.
pub(crate) fn candidates(paths: &[PathBuf]) -> (Vec<Candidate>, Vec<Failure>) {
    let mut named = BTreeSet::new();
    let mut found = BTreeSet::new();
    let mut failures = Vec::new();
    for path in paths {
        if path.as_os_str() != STDIN && path.is_dir() {
            walk(path, &mut found, &mut failures);
        } else if !named.insert(tidy(path)) && path.as_os_str() == STDIN {
            failures.push(Failure::StdinTwice);
        }
    }
    let found = found
        .difference(&named)
        .cloned()
        .map(|path| Candidate { path, named: false });
    let mut all: Vec<Candidate> = found
        .chain(named.iter().cloned().map(|path| Candidate { path, named: true }))
        .collect();
    all.sort();
    (all, failures)
}

/// Every YAML file below `folder` that no ignore file hides. Hidden folders are visited: settings live in them.
fn walk(folder: &Path, found: &mut BTreeSet<PathBuf>, failures: &mut Vec<Failure>) {
    let walk = WalkBuilder::new(folder)
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != OsStr::new(".git"))
        .build();
    for entry in walk {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) && is_yaml(entry.path()) => {
                found.insert(tidy(entry.path()));
            }
            Ok(_) => {}
            Err(error) => {
                let path = shown(folder);
                let error = error
                    .into_io_error()
                    .unwrap_or_else(|| io::Error::other("the folder cannot be walked"));
                failures.push(Failure::Read { path, error });
            }
        }
    }
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        ["yaml", "yml"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// The path without `.` parts, so that one file has one name. `./-` stays: it is a file.
fn tidy(path: &Path) -> PathBuf {
    let tidied: PathBuf = path
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect();
    let is_path = !tidied.as_os_str().is_empty() && tidied.as_os_str() != STDIN;
    if is_path { tidied } else { path.to_owned() }
}

/// A path in reports: with `/`, and characters that are not Unicode replaced.
pub(crate) fn shown(path: &Path) -> String {
    if path.as_os_str() == STDIN {
        return String::from("<stdin>");
    }
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        text.into_owned()
    } else {
        text.replace('\\', "/")
    }
}

/// A path as a source is named in tables: relative to `root`, or the file's name alone where it lies elsewhere. So no
/// name tells where on which machine a policy was compiled.
pub(crate) fn name_below(root: Option<&Path>, path: &Path) -> String {
    if path.as_os_str() == STDIN {
        return shown(path);
    }
    let absolute = |path: &Path| std::path::absolute(path).map(|path| tidy(&path)).ok();
    let root = absolute(root.unwrap_or(Path::new("."))).map(|root| root.canonicalize().unwrap_or(root));
    let whole = absolute(path).map(|path| canonical_folder(&path).unwrap_or(path));
    let below = root
        .zip(whole)
        .and_then(|(root, whole)| whole.strip_prefix(root).map(Path::to_owned).ok());
    let name = below.or_else(|| path.file_name().map(PathBuf::from));
    name.map_or_else(|| shown(path), |name| shown(&in_settings_folder(name, path)))
}

/// The folders that give a settings file its scope (page 30).
const SETTINGS_FOLDERS: [&str; 2] = [".mecatl", "mecatl"];

/// The name with the folder that gives the file at `path` its scope: from wherever a project's file is named, it is the
/// project's.
fn in_settings_folder(name: PathBuf, path: &Path) -> PathBuf {
    let folder = std::path::absolute(path)
        .ok()
        .and_then(|path| {
            Some(
                canonical_folder(&path)
                    .unwrap_or(path)
                    .parent()?
                    .file_name()?
                    .to_owned(),
            )
        })
        .filter(|folder| SETTINGS_FOLDERS.iter().any(|known| folder == OsStr::new(known)));
    match folder {
        Some(folder) if name.components().count() == 1 => Path::new(&folder).join(name),
        Some(_) | None => name,
    }
}

/// The scope of settings in the file at `path`, where nothing else says it.
pub(crate) fn scope_of(path: &Path) -> Scope {
    Options::default().scope_of(&name_below(None, path))
}

/// The path with its folder resolved and its own name kept.
fn canonical_folder(path: &Path) -> Option<PathBuf> {
    Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
}

/// Reads a file, or standard input for `-`. The compiler's own limit decides what is too long, and names the length; this
/// one only keeps a mistaken path from filling the memory.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    let most = limit.max(READ_CAP);
    let mut bytes = Vec::new();
    let take = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let result = if path.as_os_str() == STDIN {
        io::stdin().lock().take(take).read_to_end(&mut bytes)
    } else if path.is_dir() {
        return Err(Failure::Folder { path: shown(path) });
    } else {
        File::open(path).and_then(|file| file.take(take).read_to_end(&mut bytes))
    };
    match result {
        Ok(_) if bytes.len() > most => Err(Failure::TooLong {
            path: shown(path),
            most,
        }),
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::Read {
            path: shown(path),
            error,
        }),
    }
}

/// The file that `-o` names; `None` is standard output.
pub(crate) fn to_file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| path.as_os_str() != STDIN)
}

/// Writes to the file that `-o` names, or to standard output.
pub(crate) fn write(output: Option<&Path>, bytes: &[u8], console: &mut Console) -> Result<(), Failure> {
    match to_file(output) {
        Some(path) => fs::write(path, bytes).map_err(|error| Failure::Write {
            path: shown(path),
            error,
        }),
        None => {
            console.write_bytes(Stream::Out, bytes);
            Ok(())
        }
    }
}
