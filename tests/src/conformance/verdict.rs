//! Vector files to reports: each row recognised, judged, and counted once.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::engine::Engine;
use super::row::{self, Row};
use super::{fnmatch, layered, rules, settings, shell, yaml_suite};

/// What became of the rows of one or more files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rows that hold.
    pub passed: usize,
    /// Rows that do not.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Adds another file's rows.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failures.extend(other.failures);
    }
}

/// A row that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The file it stands in.
    pub file: String,
    /// Its line, from 1.
    pub line_number: usize,
    /// Its id and what it is about.
    pub name: String,
    /// What was expected and what came, for people.
    pub problem: String,
}

/// Why a file gives no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    file: String,
    line_number: Option<usize>,
    problem: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line_number {
            Some(line_number) => write!(f, "{}:{line_number}: {}", self.file, self.problem),
            None => write!(f, "{}: {}", self.file, self.problem),
        }
    }
}

impl std::error::Error for InputError {}

/// Puts every row of the file to every engine.
pub fn run_file(path: &Path, engines: &[&dyn Engine]) -> Result<Report, InputError> {
    let file = path.display().to_string();
    let unread = |line_number, problem| InputError {
        file: file.clone(),
        line_number,
        problem,
    };
    let bytes = std::fs::read(path).map_err(|error| unread(None, error.to_string()))?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        let before = bytes.iter().take(error.valid_up_to());
        let line_number = before.filter(|byte| **byte == b'\n').count() + 1;
        unread(Some(line_number), error.to_string())
    })?;
    run_text(&file, text, engines)
}

/// Puts every row of `text`, the content of `file`, to every engine. Nothing is judged before all rows can be read.
pub fn run_text(file: &str, text: &str, engines: &[&dyn Engine]) -> Result<Report, InputError> {
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let row = row::parse(line).map_err(|problem| InputError {
            file: file.to_owned(),
            line_number: Some(index + 1),
            problem,
        })?;
        rows.push(row);
    }
    if rows.is_empty() {
        let problem = String::from("no rows");
        return Err(InputError {
            file: file.to_owned(),
            line_number: None,
            problem,
        });
    }
    let mut report = Report::default();
    for (index, row) in rows.iter().enumerate() {
        let judged = catch_unwind(AssertUnwindSafe(|| judge(row, engines)));
        match judged.unwrap_or_else(|_| Err(String::from("an engine panicked"))) {
            Ok(()) => report.passed += 1,
            Err(problem) => report.failures.push(Failure {
                file: file.to_owned(),
                line_number: index + 1,
                name: row.name(),
                problem,
            }),
        }
    }
    Ok(report)
}

/// Whether the row holds in every engine; if not, what is wrong.
fn judge(row: &Row<'_>, engines: &[&dyn Engine]) -> Result<(), String> {
    match row {
        Row::Rules(row) => rules::judge(row, engines),
        Row::Fnmatch(row) => fnmatch::judge(row, engines),
        Row::Decision(row) => layered::judge(row, engines),
        Row::Learnable(row) => layered::judge_learnable(row, engines),
        Row::Settings(row) => settings::judge(row),
        Row::Shell(row) => shell::judge(row, engines),
        Row::YamlSuite(row) => yaml_suite::judge(row),
    }
}
