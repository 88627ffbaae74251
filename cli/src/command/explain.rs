//! `callgate explain`: a call to every rule that was considered for it, which matched, which won and why.

use callgate_runtime::layered::SegmentRuling;
use callgate_runtime::rule::{Effect, Rank};
use callgate_runtime::{Decision, Policy};
use serde::Serialize;

use super::decide::NO_CALL;
use crate::args::{ExplainArgs, Format};
use crate::console::{Console, Stream, Tone, one_line};
use crate::exit::Exit;
use crate::explanation::{Considered, Explanation, Segment};
use crate::failure::Failure;
use crate::policy;
use crate::question::Question;
use crate::report::{counted, decision, json};

#[derive(Serialize)]
struct Report<'r> {
    texts: &'r [String],
    segments: Vec<SegmentRecord<'r>>,
    considered: Vec<RuleRecord<'r>>,
    not_considered: usize,
}

#[derive(Serialize)]
struct SegmentRecord<'r> {
    index: usize,
    raw: &'r str,
    plain: &'r str,
    base: &'r str,
    opaque: &'r [&'static str],
    writes: Option<&'r str>,
    covered: bool,
    effect: Option<&'static str>,
    rule: Option<u32>,
    floored: bool,
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
    matches: &'r [String],
    decides: bool,
}

pub(super) fn run(args: &ExplainArgs, console: &mut Console) -> Result<Exit, Failure> {
    let policy = policy::load(&args.policy, console)?;
    let question = Question::new(&args.tool, &args.call, policy.table().options().dialect)?;
    let decision = question.decide(&policy);
    let explanation = Explanation::of(&policy, &question, &decision);
    match args.format {
        Format::Human => print(&policy, &decision, &explanation, console),
        Format::Json => {
            let (decision, report) = (decision.to_json(), json::line(&record(&explanation)));
            console.line(
                Stream::Out,
                &format!("{{\"decision\":{decision},\"explanation\":{report}}}"),
            );
        }
    }
    if question.is_no_call() {
        console.line(Stream::Err, NO_CALL);
    }
    Ok(Exit::CLEAN)
}

fn print(policy: &Policy, decision: &Decision<'_>, explanation: &Explanation<'_>, console: &mut Console) {
    for (index, segment) in explanation.segments.iter().enumerate() {
        console.line(Stream::Out, &views(index, segment));
    }
    if explanation.segments.is_empty() {
        for text in &explanation.texts {
            let text = if text.is_empty() {
                String::from("(empty)")
            } else {
                one_line(text)
            };
            console.line(Stream::Out, &format!("subject: {text}"));
        }
    }
    if !(explanation.segments.is_empty() && explanation.texts.is_empty()) {
        console.line(Stream::Out, "");
    }
    console.line(Stream::Out, &format!("{}\n", order_of_things(explanation)));
    print_rules(decision, explanation, console);
    console.line(Stream::Out, &decision::full(decision, policy.table(), console));
}

/// A table of the rules; what does not match is dimmed.
fn print_rules(decision: &Decision<'_>, explanation: &Explanation<'_>, console: &mut Console) {
    let considered = &explanation.considered;
    let rows: Vec<[String; 5]> = considered
        .iter()
        .map(|rule| row(rule, decision, explanation))
        .collect();
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let width = |column| {
        cells(column)
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..5).map(width).collect();
    for (rule, row) in considered.iter().zip(&rows) {
        let padded: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        let mark = if rule.decides { ">" } else { " " };
        let line = format!("{mark} {}", padded.join("  ").trim_end());
        let line = if rule.met.is_empty() {
            console.paint(Stream::Out, Tone::Dim, &line)
        } else {
            line
        };
        console.line(Stream::Out, &line);
    }
    if !rows.is_empty() {
        console.line(Stream::Out, "");
    }
}

/// A segment with the views that differ from what was written, and with what stands in the way of judging it.
fn views(index: usize, segment: &Segment) -> String {
    let mut lines = vec![format!("segment {index}: {}", one_line(&segment.raw))];
    let plain = (segment.plain != segment.raw).then(|| format!("  plain: {}", one_line(&segment.plain)));
    let base = (segment.base != segment.plain).then(|| format!("  base: {}", one_line(&segment.base)));
    lines.extend(plain.into_iter().chain(base));
    if !segment.opaque.is_empty() {
        lines.push(format!("  opaque: {}", segment.opaque.join(", ")));
    }
    lines.extend(
        segment
            .writes
            .as_ref()
            .map(|target| format!("  writes: {}", one_line(target))),
    );
    if segment.is_covered {
        lines.push(String::from("  judged by denies and asks only"));
    }
    lines.extend(segment.ruling.map(|ruling| alone(&ruling)));
    lines.join("\n")
}

/// The answer to a segment alone.
fn alone(ruling: &SegmentRuling) -> String {
    let effect = ruling.effect.name();
    match ruling.rank {
        Some(Rank(rank)) if ruling.floored => {
            format!("  {effect}: rule {rank} allows it, but the floor stands")
        }
        Some(Rank(rank)) => format!("  {effect}: rule {rank}"),
        None if ruling.floored => format!("  {effect}: the floor stands"),
        None if ruling.effect == Effect::Allow => String::from("  needs no allow of its own"),
        None => format!("  {effect}: no rule matches"),
    }
}

/// Which rules were asked, and what makes one of them decide.
fn order_of_things(explanation: &Explanation<'_>) -> String {
    if !explanation.asked {
        return String::from("decided before any rule is asked");
    }
    let asked = counted(explanation.considered.len(), "rule");
    let others = match explanation.left_out {
        0 => String::new(),
        others => format!(" ({others} of other tools or audiences left out)"),
    };
    let rules = &explanation.considered;
    let how = if rules.iter().all(|rule| rule.met.is_empty()) {
        "none matches, so the default decides"
    } else if !rules.iter().any(|rule| rule.decides) {
        "none that matches decides"
    } else if explanation.segments.len() < 2 {
        "the first that matches decides"
    } else {
        "for each segment the first that matches decides, and the strictest segment counts"
    };
    format!("{asked} asked in this order{others}: {how}")
}

fn row(considered: &Considered<'_>, decision: &Decision<'_>, explanation: &Explanation<'_>) -> [String; 5] {
    let rule = &considered.rule;
    let what = match considered.met.as_slice() {
        [] => String::from("does not match"),
        [first, others @ ..] if explanation.texts.len() > 1 => {
            let more = if others.is_empty() {
                String::new()
            } else {
                format!(" and {} more", others.len())
            };
            format!("matches `{}`{more}", one_line(first))
        }
        _ => String::from("matches"),
    };
    let first = decision.rule.as_ref().and_then(|deciding| deciding.index);
    let outcome = match (considered.decides, considered.met.is_empty(), first) {
        (true, ..) if rule.effect == decision.effect => format!("{what}, and decides"),
        (true, ..) => format!("{what}, but the floor decides"),
        (false, false, Some(first)) if explanation.segments.len() < 2 && first < considered.rank => {
            format!("{what}, but rule {first} comes first")
        }
        (false, ..) => what,
    };
    [
        considered.rank.to_string(),
        rule.effect.name().to_owned(),
        decision::spec(rule.tool, rule.pattern, rule.scope),
        decision::place(rule.source, rule.line, rule.column),
        outcome,
    ]
}

fn record<'r>(explanation: &'r Explanation<'_>) -> Report<'r> {
    let segment = |(index, segment): (usize, &'r Segment)| SegmentRecord {
        index,
        raw: &segment.raw,
        plain: &segment.plain,
        base: &segment.base,
        opaque: &segment.opaque,
        writes: segment.writes.as_deref(),
        covered: segment.is_covered,
        effect: segment.ruling.map(|ruling| ruling.effect.name()),
        rule: segment.ruling.and_then(|ruling| ruling.rank).map(|rank| rank.0),
        floored: segment.ruling.is_some_and(|ruling| ruling.floored),
    };
    let rule = |considered: &'r Considered<'_>| RuleRecord {
        index: considered.rank,
        effect: considered.rule.effect.name(),
        tool: considered.rule.tool,
        pattern: considered.rule.pattern,
        scope: considered.rule.scope.map(callgate_runtime::rule::Scope::name),
        source: considered.rule.source,
        line: considered.rule.line,
        column: considered.rule.column,
        matches: &considered.met,
        decides: considered.decides,
    };
    Report {
        texts: if explanation.asked {
            &explanation.texts
        } else {
            &[]
        },
        segments: explanation.segments.iter().enumerate().map(segment).collect(),
        considered: explanation.considered.iter().map(rule).collect(),
        not_considered: explanation.left_out,
    }
}
