//! The four presets of page 20 to policies.

use callgate_runtime::rule::Effect;

use super::rules::{built_in, rule};
use crate::ir::Preset;
use crate::normal::{Dialect, NormalPolicy, PolicyMode};

/// Tools and their patterns under one effect.
type Table = &'static [(&'static str, &'static [&'static str])];

/// What a preset stands for.
pub(crate) struct PresetRules {
    pub(crate) mode: PolicyMode,
    pub(crate) deny: Table,
    pub(crate) allow: Table,
    pub(crate) escalate: Table,
}

/// The rules of a preset (page 20, Presets).
pub(crate) fn preset_rules(preset: Preset) -> PresetRules {
    match preset {
        Preset::AllowAll => PresetRules {
            mode: PolicyMode::AllowAll,
            deny: &[],
            allow: &[],
            escalate: &[],
        },
        Preset::DenyAll => PresetRules {
            mode: PolicyMode::DenyAll,
            deny: &[],
            allow: &[],
            escalate: &[],
        },
        Preset::ReadOnly => PresetRules {
            mode: PolicyMode::Rules,
            deny: &[("editor", &["*"]), ("bash", &["*"])],
            allow: &[("reader", &["*"]), ("search", &["*"]), ("context", &["*"])],
            escalate: &[],
        },
        Preset::Safe => PresetRules {
            mode: PolicyMode::Rules,
            deny: &[("bash", &["rm *", "sudo *", "chmod *", "kill *", "mkfs *"])],
            allow: &[
                ("reader", &["*"]),
                ("editor", &["*"]),
                ("search", &["*"]),
                ("context", &["*"]),
            ],
            escalate: &[("bash", &["*"])],
        },
    }
}

/// The policy of the preset `name`; `None` for a name that is no preset.
///
/// ```
/// let safe = callgate_compiler::preset("safe").unwrap();
/// assert_eq!(safe.rules.len(), 10);
/// assert!(callgate_compiler::preset("unsafe").is_none());
/// ```
pub fn preset(name: &str) -> Option<NormalPolicy> {
    Preset::from_name(name).map(policy)
}

/// The policy of a preset. Its rules have no source.
pub(super) fn policy(preset: Preset) -> NormalPolicy {
    let PresetRules {
        mode,
        deny,
        allow,
        escalate,
    } = preset_rules(preset);
    let tables = [
        (Effect::Deny, deny),
        (Effect::Allow, allow),
        (Effect::Ask, escalate),
    ];
    let rules = tables.into_iter().flat_map(|(effect, table)| {
        table.iter().flat_map(move |(tool, patterns)| {
            patterns
                .iter()
                .map(move |pattern| rule(effect, tool, pattern, built_in()))
        })
    });
    NormalPolicy {
        dialect: Dialect::Rules,
        mode,
        rules: rules.collect(),
        loose_substitution_main: false,
        loose_substitution_child: false,
    }
}
