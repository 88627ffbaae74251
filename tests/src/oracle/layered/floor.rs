//! The rules that hold where nothing is configured (page 30, ruling 32).

use callgate_runtime::rule::{Audience, Effect, Scope};

use super::Rule;
use crate::oracle::answer::Place;

/// Which of them there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// None.
    None,
    /// The main engine's.
    Builtin,
    /// One allow for everything.
    Child,
    /// Child engines start from the child floor, everyone else from the built-in one.
    ByAudience,
}

impl Floor {
    /// The floor's rules for one audience.
    pub(super) fn rules(self, audience: Audience) -> Vec<Rule> {
        match (self, audience) {
            (Self::None, _) => Vec::new(),
            (Self::Child, _) | (Self::ByAudience, Audience::Subagent) => vec![allow_everything()],
            (Self::Builtin, _) | (Self::ByAudience, Audience::Main | Audience::All) => builtin(),
        }
    }
}

/// The child floor; with another scope also the allow-all of lax postures.
pub(super) fn allow_everything() -> Rule {
    Rule {
        scope: Scope::BuiltinDefault,
        effect: Effect::Allow,
        tool: String::new(),
        pattern: String::new(),
        exact: false,
        audience: Audience::All,
        place: Place::default(),
    }
}

fn builtin() -> Vec<Rule> {
    let allowed = "Read ListDir Grep Glob WebFetch WebSearch Subagent";
    let asked = "Shell Edit Write Copy Move Remove Team SkillDraft";
    let rules = |effect, tools: &str| -> Vec<Rule> {
        tools
            .split(' ')
            .map(|tool| Rule {
                effect,
                tool: tool.to_owned(),
                ..allow_everything()
            })
            .collect()
    };
    [rules(Effect::Allow, allowed), rules(Effect::Ask, asked)].concat()
}
