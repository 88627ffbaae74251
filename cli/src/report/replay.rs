//! The summary of a replayed log to lines for people, or to one record for machines.

use std::fmt::Write as _;
use std::time::Duration;

use callgate_runtime::Policy;
use callgate_runtime::rule::Effect;
use serde::Serialize;

use crate::console::{Console, one_line};
use crate::replay::{Change, Outcome, Tally, is_widening};
use crate::report::decision::{painted, place, spec};
use crate::report::json::line;

/// A replayed log.
pub(crate) struct Summary<'s> {
    /// What came of it.
    pub(crate) tally: &'s Tally,
    /// The policy that decided.
    pub(crate) policy: &'s Policy,
    /// The policy that it was held against.
    pub(crate) against: Option<&'s Policy>,
    /// What it took in all.
    pub(crate) took: Duration,
    /// How many threads decided.
    pub(crate) threads: usize,
}

const EFFECTS: [Effect; 3] = [Effect::Allow, Effect::Ask, Effect::Deny];

/// The summary for people.
pub(crate) fn human(summary: &Summary<'_>, console: &Console) -> String {
    let tally = summary.tally;
    let calls: usize = EFFECTS.into_iter().map(|effect| tally.calls(effect)).sum();
    let width = calls.to_string().len();
    let mut text = String::new();
    for effect in EFFECTS {
        let of_effect = tally.calls(effect);
        if of_effect == 0 {
            continue;
        }
        let _ = writeln!(text, "{} {of_effect}", painted(effect, console));
        for (outcome, calls) in by_count(tally).filter(|(outcome, _)| outcome.effect == effect) {
            let _ = writeln!(text, "  {calls:>width$}  {}", described(outcome, summary.policy));
        }
    }
    if tally.no_calls > 0 {
        let _ = writeln!(text, "no call {}", tally.no_calls);
        for (number, what) in &tally.named {
            let _ = writeln!(text, "  line {number}: {}", one_line(what));
        }
        if tally.named.len() < tally.no_calls {
            let _ = writeln!(text, "  …");
        }
    }
    if let Some(against) = summary.against {
        text += &changes(tally, summary.policy, against, console);
    }
    if !tally.slowest.is_empty() {
        text += "\nslowest decisions, reading the record left out\n";
    }
    for slow in &tally.slowest {
        let _ = writeln!(
            text,
            "  {}  line {}: {}",
            duration(slow.took),
            slow.line,
            one_line(&slow.record)
        );
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let _ = write!(
        text,
        "{calls} call{} in {} on {} thread{}",
        plural(calls),
        duration(summary.took),
        summary.threads,
        plural(summary.threads)
    );
    text
}

fn changes(tally: &Tally, policy: &Policy, against: &Policy, console: &Console) -> String {
    let (wider, narrower) = (tally.changed(true), tally.changed(false));
    let mut text = format!(
        "\nchanged {}: {wider} towards allow, {narrower} away from it\n",
        { wider.saturating_add(narrower) }
    );
    for widening in [true, false] {
        let in_direction =
            |((before, now), _): &(&(Outcome, Outcome), &Change)| is_widening(before, now) == widening;
        for ((before, now), change) in tally.changes.iter().filter(in_direction) {
            let _ = writeln!(
                text,
                "  {} to {}: {} call{}, the first on line {}: {}",
                painted(before.effect, console),
                painted(now.effect, console),
                change.calls,
                plural(change.calls),
                change.line,
                one_line(&change.record)
            );
            let _ = writeln!(text, "    was {}", described(before, against));
            let _ = writeln!(text, "    now {}", described(now, policy));
        }
    }
    text
}

/// Outcomes, the most frequent first.
fn by_count(tally: &Tally) -> impl Iterator<Item = (&Outcome, usize)> {
    let mut outcomes: Vec<(&Outcome, usize)> = tally
        .outcomes
        .iter()
        .map(|(outcome, calls)| (outcome, *calls))
        .collect();
    outcomes.sort_by(|(one, calls), (other, others)| others.cmp(calls).then(one.cmp(other)));
    outcomes.into_iter()
}

/// The deciding rule, or why no rule decided.
fn described(outcome: &Outcome, policy: &Policy) -> String {
    let rule = outcome
        .rule
        .and_then(|rank| Some((rank, policy.table().rule(rank)?)));
    match rule {
        Some((rank, rule)) => {
            let (spec, place) = (
                spec(rule.tool, rule.pattern, rule.scope),
                place(rule.source, rule.line, rule.column),
            );
            let because = match outcome.provenance {
                "rule" => String::new(),
                other => format!("{other}, "),
            };
            format!("{because}rule {rank}: {} {spec}, {place}", rule.effect.name())
        }
        None => outcome.provenance.to_owned(),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// A duration with three digits that count.
fn duration(took: Duration) -> String {
    let nanoseconds = took.as_nanos();
    let (unit, name) = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")]
        .into_iter()
        .find(|(unit, _)| nanoseconds >= *unit)
        .unwrap_or((1, "ns"));
    let whole = nanoseconds.checked_div(unit).unwrap_or_default();
    let rest = nanoseconds.checked_rem(unit).unwrap_or_default();
    let hundredths = rest.saturating_mul(100).checked_div(unit).unwrap_or_default();
    match whole {
        _ if unit == 1 => format!("{whole} {name}"),
        0..10 => format!("{whole}.{hundredths:02} {name}"),
        10..100 => format!(
            "{whole}.{} {name}",
            hundredths.checked_div(10).unwrap_or_default()
        ),
        _ => format!("{whole} {name}"),
    }
}

#[derive(Serialize)]
struct SummaryRecord<'s> {
    calls: usize,
    allow: usize,
    ask: usize,
    deny: usize,
    outcomes: Vec<CountRecord<'s>>,
    no_calls: usize,
    first_no_calls: Vec<NoCallRecord<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<AgainstRecord<'s>>,
    slowest: Vec<SlowRecord<'s>>,
    elapsed_ns: u64,
    threads: usize,
    policy: String,
}

#[derive(Serialize)]
struct CountRecord<'s> {
    calls: usize,
    #[serde(flatten)]
    outcome: OutcomeRecord<'s>,
}

#[derive(Serialize)]
struct OutcomeRecord<'s> {
    effect: &'static str,
    provenance: &'static str,
    rule: Option<RuleRecord<'s>>,
}

#[derive(Serialize)]
struct RuleRecord<'s> {
    index: u32,
    effect: &'static str,
    tool: Option<&'s str>,
    pattern: &'s str,
    scope: Option<&'static str>,
    source: &'s str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct NoCallRecord<'s> {
    line: usize,
    error: &'s str,
}

#[derive(Serialize)]
struct AgainstRecord<'s> {
    policy: String,
    widened: usize,
    narrowed: usize,
    changes: Vec<ChangeRecord<'s>>,
}

#[derive(Serialize)]
struct ChangeRecord<'s> {
    calls: usize,
    before: OutcomeRecord<'s>,
    now: OutcomeRecord<'s>,
    first_line: usize,
    first_record: &'s str,
}

#[derive(Serialize)]
struct SlowRecord<'s> {
    ns: u64,
    line: usize,
    record: &'s str,
}

/// The summary as one line of JSON.
pub(crate) fn json(summary: &Summary<'_>) -> String {
    let tally = summary.tally;
    let [allow, ask, deny] = EFFECTS.map(|effect| tally.calls(effect));
    let against = summary.against.map(|against| AgainstRecord {
        policy: against.table().digest().to_string(),
        widened: tally.changed(true),
        narrowed: tally.changed(false),
        changes: tally
            .changes
            .iter()
            .map(|((before, now), change)| ChangeRecord {
                calls: change.calls,
                before: outcome_record(before, against),
                now: outcome_record(now, summary.policy),
                first_line: change.line,
                first_record: &change.record,
            })
            .collect(),
    });
    line(&SummaryRecord {
        calls: allow.saturating_add(ask).saturating_add(deny),
        allow,
        ask,
        deny,
        outcomes: by_count(tally)
            .map(|(outcome, calls)| CountRecord {
                calls,
                outcome: outcome_record(outcome, summary.policy),
            })
            .collect(),
        no_calls: tally.no_calls,
        first_no_calls: tally
            .named
            .iter()
            .map(|(line, error)| NoCallRecord { line: *line, error })
            .collect(),
        against,
        slowest: tally
            .slowest
            .iter()
            .map(|slow| SlowRecord {
                ns: nanoseconds(slow.took),
                line: slow.line,
                record: &slow.record,
            })
            .collect(),
        elapsed_ns: nanoseconds(summary.took),
        threads: summary.threads,
        policy: summary.policy.table().digest().to_string(),
    })
}

fn outcome_record<'s>(outcome: &Outcome, policy: &'s Policy) -> OutcomeRecord<'s> {
    let rule = outcome.rule.and_then(|index| {
        let rule = policy.table().rule(index)?;
        Some(RuleRecord {
            index,
            effect: rule.effect.name(),
            tool: rule.tool,
            pattern: rule.pattern,
            scope: rule.scope.map(callgate_runtime::rule::Scope::name),
            source: rule.source,
            line: rule.line,
            column: rule.column,
        })
    });
    OutcomeRecord {
        effect: outcome.effect.name(),
        provenance: outcome.provenance,
        rule,
    }
}

fn nanoseconds(took: Duration) -> u64 {
    u64::try_from(took.as_nanos()).unwrap_or(u64::MAX)
}
