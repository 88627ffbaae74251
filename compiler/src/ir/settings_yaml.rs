//! Typed settings to YAML text that reads back as the same settings.
//!
//! Of a top-level key that another tool owns only the name is known here, so its value is written as null.

use callgate_runtime::rule::{Audience, Effect};

use crate::ir::yaml::{block, hooks, list, mapping, mcp_security, permissions, quoted};
use crate::ir::{
    Layered, LayeredRule, Permissions, PermissionsChoice, Settings, SettingsPermissions, Spanned,
};

impl Settings {
    /// The settings as YAML. Absent fields stay absent.
    pub fn to_yaml(&self) -> String {
        let own = block([
            ("permissions", self.permissions.as_ref().map(either)),
            (
                "posture",
                self.posture
                    .as_ref()
                    .map(|posture| posture.value.name().to_owned()),
            ),
            (
                "trustedWorkspaces",
                (!self.trusted_workspaces.is_empty()).then(|| list(&self.trusted_workspaces)),
            ),
            ("hooks", (!self.hooks.is_empty()).then(|| hooks(&self.hooks))),
            ("mcp_security", self.mcp_security.as_ref().map(mcp_security)),
        ]);
        let foreign = self
            .foreign_keys
            .iter()
            .map(|key| format!("{}: null\n", quoted(&key.value)));
        std::iter::once(own).chain(foreign).collect()
    }
}

fn either(given: &SettingsPermissions) -> String {
    match given {
        SettingsPermissions::Layered(given) => layered(given),
        // Without any key it would read as the layered dialect.
        SettingsPermissions::Rules(PermissionsChoice::Rules(rules)) if *rules == Permissions::default() => {
            mapping([("escalate", String::from("{}"))])
        }
        SettingsPermissions::Rules(choice) => permissions(choice),
    }
}

/// Lists in the order in which their first rules stand: no list of the text is torn apart by another.
fn layered(given: &Layered) -> String {
    let mut lists: Vec<(bool, Effect, Vec<Spanned<String>>)> = Vec::new();
    for LayeredRule {
        effect,
        audience,
        spec,
        ..
    } in &given.rules
    {
        let subagent = *audience == Audience::Subagent;
        match lists
            .iter_mut()
            .find(|(own, of, _)| (*own, *of) == (subagent, *effect))
        {
            Some((_, _, specs)) => specs.push(spec.clone()),
            None => lists.push((subagent, *effect, vec![spec.clone()])),
        }
    }
    let subagent = lists
        .iter()
        .filter(|(own, ..)| *own)
        .map(|(_, effect, specs)| (effect.name(), list(specs)));
    let subagent = mapping(subagent);
    let mut entries: Vec<(&str, String)> = Vec::new();
    for (own, effect, specs) in &lists {
        match own {
            false => entries.push((effect.name(), list(specs))),
            true if entries.iter().any(|(key, _)| *key == "subagent") => {}
            true => entries.push(("subagent", subagent.clone())),
        }
    }
    mapping(entries)
}
