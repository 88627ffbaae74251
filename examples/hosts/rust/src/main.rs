//! The runner of the shared checks: `callgate-host parity|hostile|times MODULE …` to one line and an exit code.

mod hostile;
mod replay;
mod times;

use std::error::Error;
use std::fs;
use std::process::ExitCode;

const USAGE: &str = "usage: parity MODULE BUNDLE | hostile MODULE TABLE LIST | times MODULE TABLE";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("rust: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<bool, Box<dyn Error>> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["parity", module, bundle] => replay::run(&fs::read(module)?, &fs::read(bundle)?),
        ["hostile", module, table, list] => hostile::run(&fs::read(module)?, &fs::read(table)?, list),
        ["times", module, table] => times::run(&fs::read(module)?, &fs::read(table)?),
        _ => Err(USAGE.into()),
    }
}
