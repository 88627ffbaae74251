//! Policies with calls, one JSON line each, to our answers, one JSON line each: our side of a comparison with a peer.
//!
//! A line in: `{"policy": "YAML text", "calls": ["call record", …]}`. The records are text, so that nothing but the
//! library itself reads them. A line out: `{"refused": ["CG0212", …]}`, or
//! `{"decisions": [{"effect", "provenance", "pattern"}, …]}`, `pattern` null where no rule decided.
//!
//! With `--check KIND FILE` it prints what checking that file finds, one finding a line.

use std::error::Error;
use std::fs;
use std::io::{self, BufRead, BufWriter, Write};
use std::process::ExitCode;

use callgate_compiler::{Kind, Options, Severity, Source, check, compile};
use callgate_runtime::{Call, Policy};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Question {
    policy: String,
    calls: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Refused(Vec<&'static str>),
    Decisions(Vec<Decided>),
}

#[derive(Serialize)]
struct Decided {
    effect: &'static str,
    provenance: &'static str,
    pattern: Option<String>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            let mut out = BufWriter::new(io::stdout().lock());
            for line in io::stdin().lock().lines() {
                let question: Question = serde_json::from_str(&line?)?;
                writeln!(out, "{}", serde_json::to_string(&answer(&question)?)?)?;
            }
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        ["--check", kind, file] => findings(kind, file),
        _ => Err("usage: decide_lines, or decide_lines --check KIND FILE".into()),
    }
}

fn answer(question: &Question) -> Result<Answer, Box<dyn Error>> {
    let source = Source {
        name: "policy.yaml",
        bytes: question.policy.as_bytes(),
    };
    let options = Options {
        kind: Some(Kind::Permissions),
        ..Options::default()
    };
    let compilation = compile(&[source], &options);
    let Some(compiled) = compilation.policy else {
        let errors = compilation
            .diagnostics
            .iter()
            .filter(|finding| finding.severity == Severity::Error);
        return Ok(Answer::Refused(errors.map(|finding| finding.code).collect()));
    };
    let policy = Policy::from_bytes(compiled.bytes)?;
    let decided = question.calls.iter().map(|record| {
        let call = Call::parse(record)?;
        let decision = policy.decide(&call);
        Ok(Decided {
            effect: decision.effect.name(),
            provenance: decision.provenance.name(),
            pattern: decision.rule.map(|rule| rule.pattern.to_string()),
        })
    });
    Ok(Answer::Decisions(decided.collect::<Result<_, Box<dyn Error>>>()?))
}

fn findings(kind: &str, file: &str) -> Result<ExitCode, Box<dyn Error>> {
    let kind = Kind::from_name(kind).ok_or("no such kind of document")?;
    let bytes = fs::read(file)?;
    let checked = check(
        &Source {
            name: file,
            bytes: &bytes,
        },
        &Options {
            kind: Some(kind),
            ..Options::default()
        },
    );
    for finding in &checked.diagnostics {
        let place = finding.location.start;
        println!(
            "{file}:{}:{}: {} {}",
            place.line, place.column, finding.code, finding.message
        );
    }
    let is_clean = checked.diagnostics.is_empty() && checked.document.is_some();
    Ok(if is_clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
