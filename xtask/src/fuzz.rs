//! Fuzz targets to a line each that says how often they ran and whether they crashed: `cargo xtask fuzz [SECONDS]`.
//!
//! Fuzzing needs the nightly toolchain and `cargo-fuzz`, which not every machine has: where one is missing, this says
//! so and runs nothing. What the targets check is also checked by `cargo test`, on random bytes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Executions of each target when no time is given.
const EXECUTIONS: u32 = 1_000_000;

/// The folder of the targets, from the workspace's root.
const FOLDER: &str = "tests/fuzz";

/// Longest input in bytes, and the seconds after which one counts as endless.
const LIMITS: [&str; 3] = ["-max_len=4096", "-timeout=20", "-print_final_stats=1"];

/// Runs every target, for so many seconds each or a million times.
pub(crate) fn run(seconds: Option<&str>) -> ExitCode {
    let budget = match seconds.map(str::parse::<u32>) {
        None => format!("-runs={EXECUTIONS}"),
        Some(Ok(seconds)) => format!("-max_total_time={seconds}"),
        Some(Err(_)) => {
            eprintln!("usage: cargo xtask fuzz [SECONDS]");
            return ExitCode::from(2);
        }
    };
    if let Some(missing) = missing() {
        eprintln!("not fuzzed: {missing}");
        return ExitCode::from(2);
    }
    match every_target(&budget) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// What this machine lacks.
fn missing() -> Option<&'static str> {
    let answers = |words: &[&str]| {
        let command = Command::new("cargo")
            .args(words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        command.is_ok_and(|status| status.success())
    };
    if !answers(&["+nightly", "--version"]) {
        Some("the nightly toolchain is not installed (rustup toolchain install nightly)")
    } else if !answers(&["+nightly", "fuzz", "--version"]) {
        Some("cargo-fuzz is not installed (cargo install cargo-fuzz)")
    } else {
        None
    }
}

/// How many targets failed. The last line counts.
fn every_target(budget: &str) -> io::Result<u32> {
    let (mut passed, mut failed) = (0, 0);
    for target in targets()? {
        let (fine, line) = one_target(&target, budget)?;
        println!("{target}: {line}");
        if fine {
            passed += 1;
        } else {
            failed += 1;
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(failed)
}

/// The names of the targets, in order.
fn targets() -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(Path::new(FOLDER).join("fuzz_targets"))? {
        let path = entry?.path();
        let name = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        names.push(name.to_owned());
    }
    names.sort();
    Ok(names)
}

/// Runs one target: whether it ended as it should, and what to say of it.
fn one_target(target: &str, budget: &str) -> io::Result<(bool, String)> {
    let corpus = Path::new(FOLDER).join("corpus").join(target);
    fs::create_dir_all(&corpus)?;
    let mut command = Command::new("cargo");
    // Nothing that is fuzzed has unsafe code, so the address sanitizer would only cost time.
    command.args([
        "+nightly",
        "fuzz",
        "run",
        "--sanitizer",
        "none",
        "--fuzz-dir",
        FOLDER,
        target,
    ]);
    command.arg(&corpus).args(seeds(target)).arg("--").arg(budget);
    command.args(LIMITS).args(dictionary(target));
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    let executed = log
        .lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
        .map(str::trim);
    if output.status.success()
        && let Some(executed) = executed
    {
        return Ok((true, format!("{executed} executions, no crash")));
    }
    let tail: Vec<&str> = log.lines().rev().take(40).collect();
    let tail: Vec<&str> = tail.into_iter().rev().collect();
    Ok((false, format!("FAILED\n{}", tail.join("\n"))))
}

/// Documents of ours to begin with.
fn seeds(target: &str) -> Vec<PathBuf> {
    let folders: &[&str] = if target == "yaml" {
        &["examples/policies", "examples/broken"]
    } else {
        &[]
    };
    folders.iter().map(PathBuf::from).collect()
}

/// The words of the target's language, where it has one.
fn dictionary(target: &str) -> Option<String> {
    let path = Path::new(FOLDER).join(format!("{target}.dict"));
    path.is_file().then(|| format!("-dict={}", path.display()))
}
