//! CG0511: a rule for a tool that the host does not register, where a list of those it does is given.
//!
//! No call can meet such a rule. Each unknown name is found once, at the first rule that has it.

use std::collections::BTreeSet;

use callgate_runtime::tool::canonical;

use super::UNREGISTERED_TOOL;
use super::unexpanded_home::answered;
use crate::lower::{nearest, quoted};
use crate::normal::{Dialect, ToolKey};
use crate::normalize::floor_tools;
use crate::spelling::{Form, sample};
use crate::world::{Finding, Placed, World};

/// A name at most once.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    let Some(tools) = world.tools() else {
        return otherwise_spelled(world);
    };
    let registered: BTreeSet<String> = match world.dialect {
        Dialect::Rules => tools.iter().map(|tool| canonical(tool)).collect(),
        Dialect::Layered => tools.clone(),
    };
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for placed in world.rules.iter().copied() {
        if let ToolKey::Named(name) = &placed.rule.tool
            && !registered.contains(name)
            && seen.insert(name)
        {
            found.push(unregistered(world, placed, name, &registered));
        }
    }
    found
}

/// Without a list: names that differ from a built-in tool of the layered dialect by their case alone.
fn otherwise_spelled<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    if world.dialect != Dialect::Layered {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for placed in world.rules.iter().copied() {
        let ToolKey::Named(name) = &placed.rule.tool else {
            continue;
        };
        // `Bash` is an alias that specs know, and was read as `Shell`.
        let meant = if name.eq_ignore_ascii_case("bash") {
            Some("Shell")
        } else {
            floor_tools().find(|tool| tool.eq_ignore_ascii_case(name) && tool != name)
        };
        let Some(meant) = meant else { continue };
        let subject = placed.tokens().map_or(Some(String::from("x")), |tokens| {
            sample(tokens, Form::of(meant == world.shell()))
        });
        let Some(subject) = subject else { continue };
        let audience = placed.audiences().first().copied().unwrap_or_default();
        let witness = world.witness(meant, &subject, audience);
        if witness.effect != placed.rule.effect && seen.insert(name) {
            let message = format!(
                "{} is not the tool {}, for names are exact: {} is {}",
                quoted(name),
                quoted(meant),
                quoted(&witness.to_string()),
                answered(witness.effect)
            );
            found.push(Finding {
                span: placed.tool_span,
                ..Finding::new(
                    &UNREGISTERED_TOOL,
                    placed,
                    (message, format!("did you mean {}?", quoted(meant))),
                    witness,
                )
            });
        }
    }
    found
}

fn unregistered<'a>(
    world: &World<'a>,
    placed: Placed<'a>,
    name: &str,
    registered: &BTreeSet<String>,
) -> Finding<'a> {
    let names: Vec<&str> = registered.iter().map(String::as_str).collect();
    let audience = placed.audiences().first().copied().unwrap_or_default();
    let near = nearest(name, &names);
    let subject = placed
        .tokens()
        .and_then(|tokens| sample(tokens, Form::of(near == Some(world.shell()))));
    let witness = near.map(|tool| world.witness(tool, &subject.unwrap_or_default(), audience));
    let (shown, help) = match (near, &witness) {
        (Some(near), Some(witness)) => (
            format!(
                ": {} is {}",
                quoted(&witness.to_string()),
                answered(witness.effect)
            ),
            format!("did you mean {}?", quoted(near)),
        ),
        _ => (
            String::new(),
            String::from(
                "write the name that the host registers, or add the tool to the list given with `--tools`",
            ),
        ),
    };
    Finding {
        lint: &UNREGISTERED_TOOL,
        rule: placed,
        span: placed.tool_span,
        words: (
            format!(
                "nothing registers the tool {}, so no call meets its rules{shown}",
                quoted(name)
            ),
            help,
        ),
        witness,
        other: None,
    }
}
