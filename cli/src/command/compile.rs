//! `callgate compile`: a policy to its table, its checked document, or the schema of its kind.

use std::path::Path;

use callgate_compiler::{Compilation, Compiled, Diagnostic, Kind, Options, check, json_schema};
use callgate_runtime::table::Table;
use serde::Serialize;

use crate::agent::{self, Around, PromptRecord};
use crate::args::{CompileArgs, Emit, Format};
use crate::console::{Console, Stream};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, Document};
use crate::policy;
use crate::report::json::{self, Finding};

#[derive(Serialize)]
struct Report<'d> {
    digest: Option<&'d str>,
    rules: Option<usize>,
    bytes: Option<usize>,
    /// What the model of an agent document is told; absent for other documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<PromptRecord>,
    diagnostics: Vec<Finding<'d>>,
}

pub(super) fn run(args: &CompileArgs, console: &mut Console) -> Result<Exit, Failure> {
    let options = policy::options(&args.reading, &args.trust.scope, args.trust.posture, console)?;
    match args.emit {
        Emit::Table => table(args, &options, console),
        Emit::Ir => ir(args, &options, console),
        Emit::JsonSchema => schema(args, &options, console),
    }
}

fn table(args: &CompileArgs, options: &Options, console: &mut Console) -> Result<Exit, Failure> {
    let output = output(args);
    if output.is_none() && console.out_is_terminal() {
        return Err(Failure::BinaryToTerminal);
    }
    let documents = policy::read_all(files(args)?, args.root.root.as_deref(), args.reading.max_bytes)?;
    let mut compilation = policy::compile_documents(&documents, options);
    let prompt = prompt(args, options, &documents, &mut compilation, console)?;
    let stream = if output.is_some() {
        Stream::Out
    } else {
        Stream::Err
    };
    let Some(compiled) = compilation.policy else {
        report(
            args,
            stream,
            (None, None),
            &compilation.diagnostics,
            &documents,
            console,
        );
        return Ok(Exit::FINDINGS);
    };
    let loaded = Table::load(compiled.bytes.as_slice());
    let path = || output.map_or_else(|| String::from("standard output"), input::shown);
    let loaded = loaded.map_err(|error| Failure::Table { path: path(), error })?;
    policy::refuse_root(&loaded)?;
    input::write(output, &compiled.bytes, console)?;
    report(
        args,
        stream,
        (Some(&compiled), prompt),
        &compilation.diagnostics,
        &documents,
        console,
    );
    if args.cost {
        console.line(Stream::Err, &worst_case(&loaded));
    }
    Ok(Exit::CLEAN)
}

/// What the dearest decision of a table costs.
fn worst_case(table: &Table) -> String {
    let costs = table.costs();
    let dearest = costs
        .iter()
        .max_by_key(|(_, cost)| (cost.passes, cost.tried, cost.rules));
    let (tool, cost) = dearest.copied().unwrap_or_default();
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    format!(
        "{}, {}, {} bytes; worst case {}: {} over the subject, {} of {} tried on every call",
        counted(usize::try_from(table.len()).unwrap_or(usize::MAX), "rule"),
        counted(costs.len(), "machine"),
        table.bytes().len(),
        tool.unwrap_or("any other tool"),
        if cost.passes == 1 {
            String::from("1 pass")
        } else {
            format!("{} passes", cost.passes)
        },
        cost.tried,
        counted(cost.rules, "rule"),
    )
}

/// What the model of an agent document is told. Errors on the way there take the table away: the agent cannot be built.
fn prompt(
    args: &CompileArgs,
    options: &Options,
    documents: &[Document],
    compilation: &mut Compilation,
    console: &mut Console,
) -> Result<Option<PromptRecord>, Failure> {
    let ([path], [document]) = (args.files.as_slice(), documents) else {
        return Ok(None);
    };
    if compilation.policy.is_none() || check(&document.source(), options).kind != Some(Kind::Agent) {
        return Ok(None);
    }
    let around = Around {
        pack: args.pack.as_deref(),
        settings: None,
        project_settings: None,
        trust_project: false,
    };
    let outcome = agent::resolved((path, document), &around, options, console)?;
    let further = outcome
        .diagnostics
        .into_iter()
        .filter(|found| !compilation.diagnostics.contains(found));
    let further: Vec<Diagnostic> = further.collect();
    compilation.diagnostics.extend(further);
    match outcome.agent {
        Some(agent) => Ok(Some(PromptRecord::from(&agent.prompt))),
        None => {
            compilation.policy = None;
            Ok(None)
        }
    }
}

fn ir(args: &CompileArgs, options: &Options, console: &mut Console) -> Result<Exit, Failure> {
    let document = one_document(args, "ir")?;
    let checked = check(&document.source(), options);
    policy::tell(
        Stream::Err,
        &checked.diagnostics,
        std::slice::from_ref(&document),
        console,
    );
    let Some(ir) = checked.document else {
        return Ok(Exit::FINDINGS);
    };
    input::write(output(args), ir.to_json().as_bytes(), console)?;
    Ok(Exit::CLEAN)
}

fn schema(args: &CompileArgs, options: &Options, console: &mut Console) -> Result<Exit, Failure> {
    let kind = match options.kind {
        Some(kind) => kind,
        None => {
            let document = one_document(args, "json-schema")?;
            let checked = check(&document.source(), options);
            if checked.kind.is_none() {
                policy::tell(
                    Stream::Err,
                    &checked.diagnostics,
                    std::slice::from_ref(&document),
                    console,
                );
            }
            checked.kind.ok_or(Failure::WhichSchema)?
        }
    };
    input::write(output(args), json_schema(kind).as_bytes(), console)?;
    Ok(Exit::CLEAN)
}

/// Tells the digest, or the findings that stand against it.
fn report(
    args: &CompileArgs,
    stream: Stream,
    (compiled, prompt): (Option<&Compiled>, Option<PromptRecord>),
    diagnostics: &[Diagnostic],
    documents: &[Document],
    console: &mut Console,
) {
    match args.format {
        Format::Human => {
            policy::tell(Stream::Err, diagnostics, documents, console);
            if let Some(compiled) = compiled {
                console.line(stream, &compiled.digest);
            }
            if let Some(prompt) = prompt {
                console.line(stream, &json::pretty(&prompt));
            }
        }
        Format::Json => {
            let report = Report {
                digest: compiled.map(|compiled| compiled.digest.as_str()),
                rules: compiled.map(|compiled| compiled.normal.rules.len()),
                bytes: compiled.map(|compiled| compiled.bytes.len()),
                prompt,
                diagnostics: json::findings(diagnostics),
            };
            console.line(stream, &json::line(&report));
        }
    }
}

/// Where to write to; `None` is standard output.
fn output(args: &CompileArgs) -> Option<&Path> {
    input::to_file(args.output.as_deref())
}

fn files(args: &CompileArgs) -> Result<&[std::path::PathBuf], Failure> {
    if args.files.is_empty() {
        Err(Failure::NoFile)
    } else {
        Ok(&args.files)
    }
}

fn one_document(args: &CompileArgs, emit: &'static str) -> Result<Document, Failure> {
    let [path] = files(args)? else {
        return Err(Failure::OneFile { emit });
    };
    let bytes = input::read(path, args.reading.max_bytes)?;
    Ok(Document {
        name: input::name_below(args.root.root.as_deref(), path),
        bytes,
    })
}
