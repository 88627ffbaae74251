//! Seeded mistakes in the interceptor to the tests that catch them: `cargo xtask mutants`.
//!
//! Each file of `xtask/mutants/` puts one mistake into the shipped source. The mistake is made in a copy, the copy is
//! built, and a test of the interceptor has to fail. So what the tests are said to prove is itself tested.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The tests that have to notice.
const TESTS: &[&str] = &[
    "test",
    "--quiet",
    "--package",
    "callgate-runtime",
    "--lib",
    "--",
    "--format=pretty",
    "interceptor",
];

/// One mistake.
struct Mutant {
    name: String,
    /// What is wrong with it, in one line.
    mistake: String,
    /// The source file, from the workspace's root.
    file: String,
    /// Whole lines as shipped, and what stands there instead.
    shipped: String,
    mutated: String,
}

/// What a test run came to.
enum Outcome {
    Passed,
    /// The tests that failed.
    Caught(Vec<String>),
    /// The last lines of what was said instead of a test result.
    NotRun(String),
}

/// Makes every mistake and prints the test that caught it; fails when one is caught by none.
pub fn run() -> ExitCode {
    match try_all() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::from(2)
        }
    }
}

/// How many mistakes nothing caught.
fn try_all() -> io::Result<usize> {
    let mutants = read_all()?;
    let folder = target().join("mutants");
    let tree = folder.join("tree");
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    copy(&root(), &tree)?;
    if let Outcome::Caught(_) | Outcome::NotRun(_) = test(&tree, &folder)? {
        return Err(io::Error::other("the tests fail on the source as it is shipped"));
    }
    let mut n_missed = 0_usize;
    for mutant in &mutants {
        let path = tree.join(&mutant.file);
        let shipped = fs::read_to_string(&path)?;
        fs::write(&path, mutant.apply(&shipped).map_err(io::Error::other)?)?;
        let outcome = test(&tree, &folder)?;
        fs::write(&path, shipped)?;
        let (caught, by) = match outcome {
            Outcome::Caught(tests) => (true, tests.join(", ")),
            Outcome::Passed => (false, String::from("NOTHING")),
            Outcome::NotRun(said) => (false, format!("NOTHING, it was not tested:\n{said}")),
        };
        n_missed = n_missed.saturating_add(usize::from(!caught));
        let mut out = io::stdout().lock();
        writeln!(out, "{}: {}\n  caught by {by}", mutant.name, mutant.mistake)?;
        out.flush()?;
    }
    println!("{} mistakes, {n_missed} not caught", mutants.len());
    Ok(n_missed)
}

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn read_all() -> io::Result<Vec<Mutant>> {
    let mut mutants = Vec::new();
    for entry in fs::read_dir(root().join("xtask").join("mutants"))? {
        let path = entry?.path();
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path)?;
        let damaged = || io::Error::other(format!("`{}` is no mutant", path.display()));
        mutants.push(Mutant::parse(name, &text).ok_or_else(damaged)?);
    }
    mutants.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(mutants)
}

impl Mutant {
    /// The mistake's line, `--- file`, and the lines between `<<<<`, `====` and `>>>>`.
    fn parse(name: String, text: &str) -> Option<Self> {
        let (mistake, rest) = text.split_once("\n--- ")?;
        let (file, rest) = rest.split_once("\n<<<<\n")?;
        let (shipped, rest) = rest.split_once("====\n")?;
        let mutated = rest.strip_suffix(">>>>\n")?;
        let parts = [mistake, file, shipped, mutated].map(str::to_owned);
        let [mistake, file, shipped, mutated] = parts;
        Some(Self {
            name,
            mistake,
            file,
            shipped,
            mutated,
        })
    }

    /// The source with the mistake, which must have one place in it.
    fn apply(&self, source: &str) -> Result<String, String> {
        match source.matches(&self.shipped).count() {
            1 => Ok(source.replace(&self.shipped, &self.mutated)),
            n_places => Err(format!("`{}` has {n_places} places in {}", self.name, self.file)),
        }
    }
}

/// Copies what git would keep: no build products, nothing hidden but cargo's settings.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let left_out = name.starts_with("target") || name == "node_modules";
        if left_out || (name.starts_with('.') && name != ".cargo") {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to.join(name))?;
        } else {
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}

fn test(tree: &Path, folder: &Path) -> io::Result<Outcome> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(TESTS)
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", folder.join("build"))
        .env_remove("RUST_BACKTRACE")
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let failed = said
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    let failed: Vec<String> = failed.map(str::to_owned).collect();
    if output.status.success() {
        return Ok(Outcome::Passed);
    }
    if failed.is_empty() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = errors.lines().collect();
        let last = lines.iter().rev().take(20).rev().copied();
        return Ok(Outcome::NotRun(last.collect::<Vec<_>>().join("\n")));
    }
    Ok(Outcome::Caught(failed))
}

#[cfg(test)]
mod tests {
    use super::{fs, read_all, root};

    #[test]
    fn every_mutant_has_its_place_in_the_shipped_source() {
        let mutants = read_all().unwrap();
        assert!(mutants.len() >= 10, "{}", mutants.len());
        for mutant in mutants {
            let source = fs::read_to_string(root().join(&mutant.file)).unwrap();
            let mutated = mutant.apply(&source).unwrap();
            assert_ne!(mutated, source, "{}", mutant.name);
        }
    }
}
