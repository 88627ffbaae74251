//! Developer commands: `cargo xtask <command>`.

#[cfg(unix)]
mod bash_oracle;
mod case_table;
mod fuzz;
mod hosts;
mod mutants;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("case-table") => {
            print!("{}", case_table::generate());
            ExitCode::SUCCESS
        }
        #[cfg(unix)]
        Some("bash-oracle") => oracle(&arguments),
        Some("fuzz") => fuzz::run(arguments.get(1).map(String::as_str)),
        Some("hosts") => hosts::run(arguments.get(1..).unwrap_or_default()),
        Some("mutants") => mutants::run(),
        _ => {
            eprintln!(
                "usage: cargo xtask <command>\n\n  bash-oracle  SEED N | FILE: hold generated lines, or those of a file, against the bash on this machine\n  case-table   print runtime/src/case_table.rs anew\n  fuzz         run \
                 every fuzz target a million times, or for SECONDS each\n  hosts        [--times] [NAME…]: put the vectors to the evaluator in every host language\n  mutants      make \
                 mistakes in the interceptor and name the tests that catch them"
            );
            ExitCode::from(2)
        }
    }
}

/// `SEED N`: where to begin, and how many lines; or `FILE`: one's own lines.
#[cfg(unix)]
fn oracle(arguments: &[String]) -> ExitCode {
    let folder = std::env::temp_dir();
    let wrong = match arguments.get(1..).unwrap_or_default() {
        [file] => std::fs::read_to_string(file).and_then(|text| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            bash_oracle::run_lines(&folder, &lines)
        }),
        [seed, count] => match (seed.parse(), count.parse()) {
            (Ok(seed), Ok(count)) => bash_oracle::run(&folder, seed, count),
            _ => Err(std::io::Error::other("SEED and N are numbers")),
        },
        _ => Err(std::io::Error::other(
            "usage: cargo xtask bash-oracle SEED N | FILE",
        )),
    };
    match wrong {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bash-oracle: {error}");
            ExitCode::from(2)
        }
    }
}
