//! The four presets of page 20 as policies.

use callgate_runtime::rule::Effect;

use super::answer::Place;
use super::rules::{Policy, PolicyMode, Rule};

/// The policy of the preset of this name.
pub(super) fn preset(name: &str) -> Option<Policy> {
    let everything = |effect, tool| (effect, tool, "*");
    let (mode, rules) = match name {
        "allow_all" => (PolicyMode::AllowAll, Vec::new()),
        "deny_all" => (PolicyMode::DenyAll, Vec::new()),
        "read_only" => (
            PolicyMode::Rules,
            vec![
                everything(Effect::Deny, "editor"),
                everything(Effect::Deny, "bash"),
                everything(Effect::Allow, "reader"),
                everything(Effect::Allow, "search"),
                everything(Effect::Allow, "context"),
            ],
        ),
        "safe" => (
            PolicyMode::Rules,
            vec![
                (Effect::Deny, "bash", "rm *"),
                (Effect::Deny, "bash", "sudo *"),
                (Effect::Deny, "bash", "chmod *"),
                (Effect::Deny, "bash", "kill *"),
                (Effect::Deny, "bash", "mkfs *"),
                everything(Effect::Allow, "reader"),
                everything(Effect::Allow, "editor"),
                everything(Effect::Allow, "search"),
                everything(Effect::Allow, "context"),
                everything(Effect::Ask, "bash"),
            ],
        ),
        _ => return None,
    };
    let rules = rules.into_iter().map(|(effect, tool, pattern)| Rule {
        effect,
        tool: tool.to_owned(),
        pattern: pattern.to_owned(),
        place: Place::default(),
    });
    Some(Policy {
        mode,
        rules: rules.collect(),
    })
}
