//! A decision to the lines that people read.

use callgate_runtime::decision::DecidingRule;
use callgate_runtime::rule::{Effect, Scope};
use callgate_runtime::{Decision, Table};

use crate::console::{Console, Stream, Tone, one_line};

/// The decision with its rule, its segment and its policy.
pub(crate) fn full(decision: &Decision<'_>, table: &Table, console: &Console) -> String {
    let mut lines = vec![format!(
        "{}: {}",
        painted(decision.effect, console),
        one_line(&decision.reason())
    )];
    lines.extend(decision.rule.as_ref().map(|rule| deciding(rule, decision, table)));
    if let Some(segment) = &decision.segment {
        lines.push(format!(
            "  segment {} ({} view): {}",
            segment.index,
            segment.view,
            one_line(&segment.text)
        ));
    }
    if decision.configured_ask {
        lines.push(String::from(
            "  a configured ask: no allow, learned rule or posture lifts it",
        ));
    }
    if decision.floored_configured_allow {
        lines.push(String::from("  allowed by rules; only the shell floor asks"));
    }
    lines.push(format!("  policy {}", decision.policy));
    lines.join("\n")
}

/// The decision on one line.
pub(crate) fn brief(decision: &Decision<'_>, console: &Console) -> String {
    let place = decision
        .rule
        .as_ref()
        .map(|rule| format!(" ({})", place(&rule.source, rule.line, rule.column)));
    let (tool, reason) = (one_line(&decision.tool), one_line(&decision.reason()));
    format!(
        "{}: {tool}: {reason}{}",
        painted(decision.effect, console),
        place.unwrap_or_default()
    )
}

/// The line that names the rule. A rule of no table is for the tool that was called.
fn deciding(rule: &DecidingRule<'_>, decision: &Decision<'_>, table: &Table) -> String {
    let known = rule.index.and_then(|index| Some((index, table.rule(index)?)));
    let tool = known.map_or(Some(decision.tool.as_str()), |(_, known)| known.tool);
    let index = known.map(|(index, _)| format!(" {index}")).unwrap_or_default();
    let spec = spec(tool, &rule.pattern, rule.scope);
    format!(
        "  rule{index}: {} {spec}, {}",
        rule.effect.name(),
        place(&rule.source, rule.line, rule.column)
    )
}

/// The effect in its colour.
pub(crate) fn painted(effect: Effect, console: &Console) -> String {
    let tone = match effect {
        Effect::Allow => Tone::Good,
        Effect::Ask => Tone::Open,
        Effect::Deny => Tone::Bad,
    };
    console.paint(Stream::Out, tone, effect.name())
}

/// `bash(rm *)`; `*` stands for any tool, a tool alone for any of its calls.
pub(crate) fn spec(tool: Option<&str>, pattern: &str, scope: Option<Scope>) -> String {
    let tool = one_line(tool.unwrap_or("*"));
    let tool_wide = pattern.is_empty() && scope.is_some();
    if tool_wide {
        tool
    } else {
        format!("{tool}({})", one_line(pattern))
    }
}

/// Where a rule was written.
pub(crate) fn place(source: &str, line: u32, column: u32) -> String {
    if source.is_empty() {
        String::from("built in")
    } else {
        format!("{}:{line}:{column}", one_line(source))
    }
}
