//! Developer commands: `cargo xtask <command>`.

mod case_table;
mod fuzz;
mod mutants;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("case-table") => {
            print!("{}", case_table::generate());
            ExitCode::SUCCESS
        }
        Some("fuzz") => fuzz::run(arguments.get(1).map(String::as_str)),
        Some("mutants") => mutants::run(),
        _ => {
            eprintln!(
                "usage: cargo xtask <command>\n\n  case-table   print runtime/src/case_table.rs anew\n  fuzz         run \
                 every fuzz target a million times, or for SECONDS each\n  mutants      make \
                 mistakes in the interceptor and name the tests that catch them"
            );
            ExitCode::from(2)
        }
    }
}
