//! `callgate resolve`: an agent document to the agent that a host builds, each field with its source.

use callgate_compiler::ir::HookEntry;
use callgate_compiler::resolve::{ResolvedAgent, ResolvedHook};
use callgate_compiler::{Diagnostic, Kind};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::agent::{self, Around, PromptRecord};
use crate::args::{Format, ResolveArgs};
use crate::console::{Console, Stream, Tone, one_line, visible};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, Document};
use crate::policy;
use crate::report::json::{self, Finding};

/// What stands over the prompt wherever people read it.
const PROMPT: &str = "The prompt. It is shown to the model; nothing in it is enforced.";

#[derive(Serialize)]
struct Report<'r> {
    agent: Option<Fields<'r>>,
    hooks: Vec<HookRecord<'r>>,
    excluded_handlers: &'r [String],
    context_tool: bool,
    prompt: Option<PromptRecord>,
    diagnostics: Vec<Finding<'r>>,
}

#[derive(Serialize)]
struct HookRecord<'r> {
    phase: &'static str,
    tool: &'r str,
    hook: &'r HookEntry,
    source: &'static str,
}

#[derive(Serialize)]
struct FieldRecord {
    value: serde_json::Value,
    source: &'static str,
}

pub(super) fn run(args: &ResolveArgs, console: &mut Console) -> Result<Exit, Failure> {
    if let Some(kind) = args.reading.kind.filter(|kind| *kind != Kind::Agent) {
        let (command, due) = ("resolve", "agent documents");
        return Err(Failure::OtherKind {
            command,
            due,
            given: kind.name(),
        });
    }
    let options = policy::reading_options(&args.reading, console)?;
    let bytes = input::read(&args.file, args.reading.max_bytes)?;
    let document = Document {
        name: input::shown(&args.file),
        bytes,
    };
    let around = Around {
        pack: args.pack.as_deref(),
        settings: args.settings.as_deref(),
        project_settings: args.project_settings.as_deref(),
        trust_project: args.trust_project,
    };
    if args.project_settings.is_some() && !args.trust_project {
        console.line(
            Stream::Err,
            "note: the project's settings do not count without `--trust-project`",
        );
    }
    let outcome = agent::resolved((&args.file, &document), &around, &options, console)?;
    match args.format {
        Format::Json => console.line(
            Stream::Out,
            &json::line(&report(outcome.agent.as_ref(), &outcome.diagnostics)),
        ),
        Format::Human => {
            policy::tell(
                Stream::Err,
                &outcome.diagnostics,
                std::slice::from_ref(&document),
                console,
            );
            match &outcome.agent {
                Some(agent) if args.explain => explain(agent, console),
                Some(agent) => print(agent, console),
                None => {}
            }
        }
    }
    Ok(if outcome.agent.is_some() {
        Exit::CLEAN
    } else {
        Exit::FINDINGS
    })
}

/// The agent as a document that resolves to itself; what is no part of it stands in comments.
fn print(agent: &ResolvedAgent, console: &mut Console) {
    console.write(Stream::Out, &agent.document().to_yaml());
    if let Some(text) = agent.prompt.text() {
        console.line(Stream::Out, &format!("\n# {PROMPT}"));
        for line in visible(&text).lines() {
            console.line(Stream::Out, format!("#   {line}").trim_end());
        }
    }
}

/// Every field with its source, then every hook, then the prompt part by part.
fn explain(agent: &ResolvedAgent, console: &mut Console) {
    let fields = agent.document().fields();
    for (name, origin) in agent.origins() {
        let value = fields
            .iter()
            .find(|(field, _)| *field == name)
            .and_then(|(_, value)| value.as_deref());
        row(name, origin.name(), value.unwrap_or("null"), console);
    }
    for hook in &agent.hooks {
        let name = format!("hooks.{}.{}", hook.phase.name(), one_line(&hook.tool));
        row(&name, hook.origin.name(), &shown(&hook.entry), console);
    }
    for name in &agent.code_handlers {
        row("(in code)", "not in the document", &one_line(name), console);
    }
    if agent.prompt.parts.is_empty() {
        return;
    }
    console.line(Stream::Out, &format!("\n{PROMPT}"));
    for part in &agent.prompt.parts {
        let heading = console.paint(
            Stream::Out,
            Tone::Dim,
            &format!("[{}]", one_line(&part.kind.name())),
        );
        console.line(Stream::Out, &format!("\n{heading}\n{}", visible(&part.text)));
    }
}

fn row(name: &str, source: &str, value: &str, console: &mut Console) {
    console.line(
        Stream::Out,
        format!("{name:<22}  {source:<27}  {value}").trim_end(),
    );
}

fn shown(entry: &HookEntry) -> String {
    match entry {
        HookEntry::Python { module, function } => one_line(&format!("{module}:{function}")),
        HookEntry::Command(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("{:?}", word.text)).collect();
            format!("[{}]", words.join(", "))
        }
    }
}

fn report<'r>(agent: Option<&'r ResolvedAgent>, diagnostics: &'r [Diagnostic]) -> Report<'r> {
    let hook = |hook: &'r ResolvedHook| HookRecord {
        phase: hook.phase.name(),
        tool: &hook.tool,
        hook: &hook.entry,
        source: hook.origin.name(),
    };
    Report {
        agent: agent.map(Fields),
        hooks: agent
            .map(|agent| agent.hooks.iter().map(hook).collect())
            .unwrap_or_default(),
        excluded_handlers: agent
            .map(|agent| agent.code_handlers.as_slice())
            .unwrap_or_default(),
        context_tool: agent.is_some_and(ResolvedAgent::has_context_tool),
        prompt: agent.map(|agent| PromptRecord::from(&agent.prompt)),
        diagnostics: json::findings(diagnostics),
    }
}

/// The fields of an agent by name, in the order of documents.
struct Fields<'r>(&'r ResolvedAgent);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document = serde_json::to_value(self.0.document()).unwrap_or_default();
        let mut map = serializer.serialize_map(None)?;
        for (name, origin) in self.0.origins() {
            let value = document.get(name).cloned().unwrap_or_default();
            map.serialize_entry(
                name,
                &FieldRecord {
                    value,
                    source: origin.name(),
                },
            )?;
        }
        map.end()
    }
}
