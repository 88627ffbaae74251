//! `callgate explain`: a call to every rule that was considered for it, which matched, which won and why.

use std::borrow::Cow;

use callgate_runtime::rule::{Audience, Classes, Provenance, Query, Rank, Text};
use callgate_runtime::table::{Dialect, RuleView};
use callgate_runtime::{Decision, Policy, tool};
use serde::Serialize;

use super::decide::NO_CALL;
use crate::args::{ExplainArgs, Format};
use crate::console::{Console, Stream, Tone, one_line};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::policy;
use crate::question::Question;
use crate::report::{counted, decision, json};

/// A rule of the tool asked about, or of any tool.
struct Considered<'p> {
    rank: u32,
    rule: RuleView<'p>,
    matches: bool,
    decides: bool,
}

#[derive(Serialize)]
struct Report<'r> {
    subject: Option<&'r str>,
    considered: Vec<RuleRecord<'r>>,
    not_considered: usize,
}

#[derive(Serialize)]
struct RuleRecord<'r> {
    index: u32,
    effect: &'static str,
    tool: Option<&'r str>,
    pattern: &'r str,
    scope: Option<&'static str>,
    source: &'r str,
    line: u32,
    column: u32,
    matches: bool,
    decides: bool,
}

pub(super) fn run(args: &ExplainArgs, console: &mut Console) -> Result<Exit, Failure> {
    let policy = policy::load(&args.policy, console)?;
    let question = Question::new(&args.tool, &args.call, policy.table().options().dialect)?;
    let decision = question.decide(&policy);
    let subject = question.subject().ok();
    let considered = match &subject {
        Some(subject) if rules_were_asked(decision.provenance) => considered(&policy, &decision, subject),
        Some(_) | None => Vec::new(),
    };
    match args.format {
        Format::Human => print(&policy, &decision, subject.as_deref(), &considered, console),
        Format::Json => {
            let report = record(&policy, subject.as_deref(), &considered);
            let record = format!(
                "{{\"decision\":{},\"explanation\":{}}}",
                decision.to_json(),
                json::line(&report)
            );
            console.line(Stream::Out, &record);
        }
    }
    if question.is_no_call() {
        console.line(Stream::Err, NO_CALL);
    }
    Ok(Exit::CLEAN)
}

/// Whether the decision came from the order of rules, not from something that stands before it.
fn rules_were_asked(provenance: Provenance) -> bool {
    match provenance {
        Provenance::Rule
        | Provenance::Default
        | Provenance::FloorConfiguredAllow
        | Provenance::FloorBuiltin
        | Provenance::Floor
        | Provenance::Learned
        | Provenance::BrokenSource => true,
        Provenance::Mode
        | Provenance::PlanMode
        | Provenance::ShellControl
        | Provenance::MalformedArguments => false,
    }
}

/// The rules of the tool and of any tool, by rank, each held against the subject by itself.
fn considered<'p>(policy: &'p Policy, decision: &Decision<'_>, subject: &str) -> Vec<Considered<'p>> {
    let table = policy.table();
    let tool: Cow<'_, str> = match table.options().dialect {
        Dialect::Rules => Cow::Owned(tool::canonical(&decision.tool)),
        Dialect::Layered => Cow::Borrowed(&decision.tool),
    };
    let order = policy.order(Audience::All);
    let query = Query {
        tool: &tool,
        text: Text::Whole(subject),
        classes: Classes::ALL,
        assigned: &[],
    };
    let rules = (0..table.len()).filter_map(|rank| Some((rank, table.rule(rank)?)));
    let own = rules.filter(|(_, rule)| rule.tool.is_none_or(|named| named == tool));
    own.map(|(rank, rule)| Considered {
        rank,
        rule,
        matches: order.answers(Rank(rank), &query),
        decides: decision
            .rule
            .as_ref()
            .is_some_and(|deciding| deciding.index == Some(rank)),
    })
    .collect()
}

fn print(
    policy: &Policy,
    decision: &Decision<'_>,
    subject: Option<&str>,
    considered: &[Considered<'_>],
    console: &mut Console,
) {
    if let Some(subject) = subject {
        console.line(Stream::Out, &format!("subject: {}", one_line(subject)));
    }
    console.line(
        Stream::Out,
        &format!("{}\n", order_of_things(policy, decision, considered)),
    );
    let rows: Vec<[String; 5]> = considered.iter().map(|rule| row(rule, decision)).collect();
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
    };
    let widths: Vec<usize> = (0..5).map(|column| width(column).unwrap_or_default()).collect();
    for (rule, row) in considered.iter().zip(&rows) {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        let mark = if rule.decides { ">" } else { " " };
        let line = format!("{mark} {}", line.trim_end());
        let line = if rule.matches {
            line
        } else {
            console.paint(Stream::Out, Tone::Dim, &line)
        };
        console.line(Stream::Out, &line);
    }
    if !rows.is_empty() {
        console.line(Stream::Out, "");
    }
    console.line(Stream::Out, &decision::full(decision, policy.table(), console));
}

/// Which rules were asked, and what makes one of them decide.
fn order_of_things(policy: &Policy, decision: &Decision<'_>, considered: &[Considered<'_>]) -> String {
    if !rules_were_asked(decision.provenance) {
        return String::from("decided before any rule is asked");
    }
    let asked = counted(considered.len(), "rule");
    let others = match not_considered(policy, considered) {
        0 => String::new(),
        others => format!(" ({others} of other tools left out)"),
    };
    match considered.iter().filter(|rule| rule.matches).count() {
        0 => format!("{asked} asked{others}: none matches, so the default decides"),
        _ => format!("{asked} asked in this order{others}: the first that matches decides"),
    }
}

fn row(considered: &Considered<'_>, decision: &Decision<'_>) -> [String; 5] {
    let rule = &considered.rule;
    let first = decision.rule.as_ref().and_then(|deciding| deciding.index);
    let outcome = match (considered.decides, considered.matches, first) {
        (true, ..) => String::from("matches, and decides"),
        (false, true, Some(first)) => format!("matches, but rule {first} comes first"),
        (false, true, None) => String::from("matches"),
        (false, false, _) => String::from("does not match"),
    };
    let number = considered.rank.to_string();
    [
        number,
        rule.effect.name().to_owned(),
        decision::spec(rule.tool, rule.pattern, rule.scope),
        decision::place(rule.source, rule.line, rule.column),
        outcome,
    ]
}

fn not_considered(policy: &Policy, considered: &[Considered<'_>]) -> usize {
    usize::try_from(policy.table().len())
        .unwrap_or(usize::MAX)
        .saturating_sub(considered.len())
}

fn record<'r>(policy: &Policy, subject: Option<&'r str>, considered: &'r [Considered<'_>]) -> Report<'r> {
    let rule = |considered: &'r Considered<'_>| RuleRecord {
        index: considered.rank,
        effect: considered.rule.effect.name(),
        tool: considered.rule.tool,
        pattern: considered.rule.pattern,
        scope: considered.rule.scope.map(callgate_runtime::rule::Scope::name),
        source: considered.rule.source,
        line: considered.rule.line,
        column: considered.rule.column,
        matches: considered.matches,
        decides: considered.decides,
    };
    Report {
        subject,
        considered: considered.iter().map(rule).collect(),
        not_considered: not_considered(policy, considered),
    }
}
