//! A document of the rules dialect to normal-form rules, each with its pattern parsed as written and lowercased.

use callgate_grammar::Position;
use callgate_grammar::pattern::{self, Flavor};
use callgate_runtime::case::lower_text;
use callgate_runtime::rule::{Audience, Effect};

use crate::ir::Permissions;
use crate::normal::{Dialect, Matcher, NormalPolicy, NormalRule, Origin, ToolKey};

/// The policy of one document. A mode other than `rules` ignores the rules, and its policy has none.
pub(super) fn policy(source: &str, permissions: &Permissions) -> NormalPolicy {
    let effects = [
        (Effect::Deny, &permissions.deny),
        (Effect::Allow, &permissions.allow),
        (Effect::Ask, &permissions.escalate),
    ];
    let placed = effects
        .into_iter()
        .flat_map(|(effect, tools)| tools.iter().map(move |tool| (effect, tool)));
    let mut placed: Vec<_> = placed
        .flat_map(|(effect, tool)| tool.patterns.iter().map(move |pattern| (effect, tool, pattern)))
        .collect();
    placed.sort_by_key(|(_, _, pattern)| pattern.span);
    let rules = placed.into_iter().map(|(effect, tool, pattern)| {
        let origin = Origin {
            source: source.to_owned(),
            position: pattern.start,
        };
        rule(effect, &tool.canonical, &pattern.value, origin)
    });
    NormalPolicy {
        dialect: Dialect::Rules,
        mode: permissions.effective_mode(),
        rules: rules.collect(),
        loose_substitution_main: false,
        loose_substitution_child: false,
    }
}

/// One rule of a canonical tool.
pub(super) fn rule(effect: Effect, tool: &str, text: &str, origin: Origin) -> NormalRule {
    let lowered = pattern::parse(&lower_text(text), Flavor::Fnmatch);
    NormalRule {
        effect,
        tool: if tool == "*" {
            ToolKey::Any
        } else {
            ToolKey::Named(tool.to_owned())
        },
        pattern: text.to_owned(),
        matcher: Matcher::Glob {
            tokens: pattern::parse(text, Flavor::Fnmatch),
            lowered: Some(lowered),
        },
        scope: None,
        audience: Audience::All,
        origin,
    }
}

/// The origin of what no file wrote.
pub(super) fn built_in() -> Origin {
    Origin {
        source: String::new(),
        position: Position { line: 1, column: 1 },
    }
}
