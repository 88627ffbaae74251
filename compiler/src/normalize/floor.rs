//! The rules that hold where nothing is configured: the built-in floor of the main engine, the child floor, and the
//! allow-all of lax postures (page 30).

use callgate_runtime::rule::{Audience, Effect, Scope};

use super::rules::built_in;
use crate::normal::{Matcher, NormalRule, ToolKey};

/// Tools that the main engine may use unasked.
const ALLOWED: [&str; 7] = [
    "Read",
    "ListDir",
    "Grep",
    "Glob",
    "WebFetch",
    "WebSearch",
    "Subagent",
];

/// Tools that the main engine asks about.
const ASKED: [&str; 8] = [
    "Shell",
    "Edit",
    "Write",
    "Copy",
    "Move",
    "Remove",
    "Team",
    "SkillDraft",
];

/// The tools that the floor names: those that every host of this dialect has.
pub(crate) fn tools() -> impl Iterator<Item = &'static str> {
    ALLOWED.into_iter().chain(ASKED)
}

/// Both floors: the built-in one binds the main engine, the child one child engines (ruling 32).
pub(super) fn rules() -> Vec<NormalRule> {
    let allowed = ALLOWED.into_iter().map(|tool| tool_wide(Effect::Allow, tool));
    let asked = ASKED.into_iter().map(|tool| tool_wide(Effect::Ask, tool));
    let child = NormalRule {
        audience: Audience::Subagent,
        ..allow_everything(Scope::BuiltinDefault)
    };
    allowed.chain(asked).chain([child]).collect()
}

/// An allow for every call of every engine.
pub(super) fn allow_everything(scope: Scope) -> NormalRule {
    NormalRule {
        effect: Effect::Allow,
        tool: ToolKey::Any,
        pattern: String::new(),
        matcher: Matcher::Everything,
        scope: Some(scope),
        audience: Audience::All,
        origin: built_in(),
    }
}

fn tool_wide(effect: Effect, tool: &str) -> NormalRule {
    NormalRule {
        effect,
        tool: ToolKey::Named(tool.to_owned()),
        audience: Audience::Main,
        ..allow_everything(Scope::BuiltinDefault)
    }
}
