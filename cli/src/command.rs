//! A command's name to the module that does it.

mod check;
mod compile;
mod decide;
mod explain;
mod explain_code;
mod import;
mod render;
mod replay;
mod resolve;

use crate::args::Command;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs one command.
pub(crate) fn run(command: &Command, console: &mut Console) -> Result<Exit, Failure> {
    match command {
        Command::Check(args) => check::run(args, console),
        Command::Compile(args) => compile::run(args, console),
        Command::Decide(args) => decide::run(args, console),
        Command::Explain(args) => explain::run(args, console),
        Command::ExplainCode(args) => explain_code::run(args, console),
        Command::Resolve(args) => resolve::run(args, console),
        Command::Import(args) => import::run(args, console),
        Command::Replay(args) => replay::run(args, console),
        Command::Render(args) => render::run(args, console),
    }
}
