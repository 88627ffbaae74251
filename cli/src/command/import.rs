//! `callgate import`: an incumbent's permission file to settings of ours, and what did not come over as it was.

use callgate_compiler::import;

use crate::args::{ImportArgs, Incumbent};
use crate::console::{Console, Stream, one_line};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input;

/// LIMIT: bytes of a file that is imported.
const MAX_BYTES: usize = 64 << 20;

pub(super) fn run(args: &ImportArgs, console: &mut Console) -> Result<Exit, Failure> {
    let bytes = input::read(&args.file, MAX_BYTES)?;
    let path = || input::shown(&args.file);
    let text = String::from_utf8(bytes).map_err(|_| Failure::NotUtf8 { path: path() })?;
    let imported = match args.from {
        Incumbent::Claude => import::claude(&text),
    };
    let imported = imported.map_err(|error| Failure::Import { path: path(), error })?;
    for note in &imported.notes {
        console.line(Stream::Err, &one_line(&note.to_string()));
    }
    input::write(args.output.as_deref(), imported.yaml.as_bytes(), console)?;
    Ok(if imported.notes.is_empty() {
        Exit::CLEAN
    } else {
        Exit::FINDINGS
    })
}
