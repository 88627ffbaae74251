//! `callgate render`: a pack's directives for a role to the text that its model is told.

use callgate_compiler::ir::{self, Pack};
use callgate_compiler::{Kind, Options, check};
use serde::Serialize;

use crate::args::{Format, RenderArgs};
use crate::console::{Console, Stream, one_line, visible};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, Document};
use crate::policy;
use crate::report::json::{self, Finding};

#[derive(Serialize)]
struct Report<'r> {
    pack: Option<&'r str>,
    role: &'r str,
    enforced: bool,
    prompt: Option<String>,
    diagnostics: Vec<Finding<'r>>,
}

pub(super) fn run(args: &RenderArgs, console: &mut Console) -> Result<Exit, Failure> {
    if let Some(kind) = args.reading.kind.filter(|kind| *kind != Kind::Pack) {
        let (command, due) = ("render", "packs");
        return Err(Failure::OtherKind {
            command,
            due,
            given: kind.name(),
        });
    }
    let options = policy::reading_options(&args.reading, console)?;
    let options = Options {
        kind: Some(Kind::Pack),
        ..options
    };
    let bytes = input::read(&args.pack, args.reading.max_bytes)?;
    let document = Document {
        name: input::shown(&args.pack),
        bytes,
    };
    let checked = check(&document.source(), &options);
    let pack = match &checked.document {
        Some(ir::Document::Pack(pack)) => Some(pack),
        Some(_) | None => None,
    };
    let block = pack.and_then(|pack| pack.render(&args.role));
    match args.format {
        Format::Json => {
            let report = Report {
                pack: pack.map(|pack| pack.name.as_str()),
                role: &args.role,
                enforced: false,
                prompt: block.clone(),
                diagnostics: json::findings(&checked.diagnostics),
            };
            console.line(Stream::Out, &json::line(&report));
        }
        Format::Human => {
            policy::tell(
                Stream::Err,
                &checked.diagnostics,
                std::slice::from_ref(&document),
                console,
            );
            match (&block, pack) {
                (Some(block), _) if block.is_empty() => {}
                (Some(block), _) => console.line(Stream::Out, &visible(block)),
                (None, Some(pack)) => console.line(Stream::Err, &stranger(&args.role, pack)),
                (None, None) => {}
            }
        }
    }
    Ok(if block.is_some() {
        Exit::CLEAN
    } else {
        Exit::FINDINGS
    })
}

/// That the pack does not have the role, and which it has.
fn stranger(role: &str, pack: &Pack) -> String {
    let roles: Vec<String> = pack
        .roles
        .iter()
        .map(|role| format!("`{}`", one_line(&role.role.value)))
        .collect();
    let has = if roles.is_empty() {
        String::from("it has none")
    } else {
        format!("it has {}", roles.join(", "))
    };
    format!(
        "the pack `{}` does not have the role `{}`; {has}",
        one_line(&pack.name),
        one_line(role)
    )
}
