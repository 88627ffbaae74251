//! The command line of the conformance runner to its output and exit code.

use std::path::Path;
use std::process::ExitCode;

use super::engine;
use super::verdict::{Failure, Report, run_file};

const USAGE: &str = "usage: conformance [--check-copies DIR] [FILE…]
Puts every row of the vector FILEs (JSON lines) to every engine, prints the rows that fail and `N passed, N failed`.
--check-copies DIR   compare the committed vectors with the files of the same name in DIR, byte for byte
exit code: 0 all hold, 1 a row fails or a copy differs, 2 a file cannot be read";
/// Failing rows that are printed in full.
const SHOWN: usize = 20;
const HOLDS: u8 = 0;
const FAILS: u8 = 1;
const UNREADABLE: u8 = 2;

/// Runs the command with these arguments, the program's name not among them.
pub fn main(arguments: impl Iterator<Item = String>) -> ExitCode {
    ExitCode::from(run(arguments))
}

fn run(mut arguments: impl Iterator<Item = String>) -> u8 {
    let (mut files, mut originals) = (Vec::new(), Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--help" | "-h" => {
                println!("{USAGE}");
                return HOLDS;
            }
            "--check-copies" => match arguments.next() {
                Some(folder) => originals.push(folder),
                None => return misuse("--check-copies needs a folder"),
            },
            option if option.starts_with('-') => return misuse(&format!("unknown option `{option}`")),
            _ => files.push(argument),
        }
    }
    if files.is_empty() && originals.is_empty() {
        return misuse("no file is given");
    }
    let copies = originals
        .iter()
        .map(|folder| check_copies(Path::new(folder)))
        .max()
        .unwrap_or(HOLDS);
    if files.is_empty() || copies == UNREADABLE {
        return copies;
    }
    copies.max(run_files(&files))
}

fn misuse(what: &str) -> u8 {
    eprintln!("error: {what}\n{USAGE}");
    UNREADABLE
}

fn run_files(files: &[String]) -> u8 {
    let mut total = Report::default();
    for file in files {
        match run_file(Path::new(file), &engine::all()) {
            Ok(report) => total.add(report),
            Err(error) => {
                eprintln!("error: {error}");
                return UNREADABLE;
            }
        }
    }
    for Failure {
        file,
        line_number,
        name,
        problem,
    } in total.failures.iter().take(SHOWN)
    {
        println!("FAIL {file}:{line_number} {name}");
        for line in problem.lines() {
            println!("    {line}");
        }
    }
    let n_hidden = total.failures.len().saturating_sub(SHOWN);
    if n_hidden > 0 {
        println!("… and {n_hidden} more");
    }
    println!("{} passed, {} failed", total.passed, total.failures.len());
    if total.failures.is_empty() { HOLDS } else { FAILS }
}

/// Compares the committed vectors with the originals in `folder`.
fn check_copies(folder: &Path) -> u8 {
    let copies = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let entries = match std::fs::read_dir(&copies) {
        Ok(entries) => entries,
        Err(error) => {
            eprintln!("error: {}: {error}", copies.display());
            return UNREADABLE;
        }
    };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.retain(|name| {
        Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    names.sort();
    let mut code = HOLDS;
    for name in names {
        let read = |folder: &Path| std::fs::read(folder.join(&name));
        let problem = match (read(&copies), read(folder)) {
            (Ok(copy), Ok(original)) if copy == original => continue,
            (Ok(_), Ok(_)) => String::from("differs"),
            (Err(error), _) | (_, Err(error)) => error.to_string(),
        };
        println!("{}: {problem}", folder.join(&name).display());
        code = FAILS;
    }
    code
}
