//! Command-line arguments to an exit code: the one place in the project that prints and exits.

#![forbid(unsafe_code)]

mod agent;
mod args;
mod command;
mod console;
mod exit;
mod explanation;
mod failure;
mod input;
mod policy;
mod question;
mod record;
mod registered;
mod replay;
mod report;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::console::Console;
use crate::exit::Exit;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help that nobody reads any more (a closed pipe) is no failure.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::COULD_NOT_RUN.into()
            } else {
                Exit::CLEAN.into()
            };
        }
    };
    let mut console = Console::new(cli.color);
    let exit = command::run(&cli.command, &mut console).unwrap_or_else(|failure| {
        console.complain(&failure);
        Exit::COULD_NOT_RUN
    });
    console.finish(exit).into()
}
