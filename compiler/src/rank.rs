//! Normal-form rules to the one order that decides (page 40): the matching rule of the smallest rank wins.

use callgate_runtime::rule::{Audience, Classes, Effect, Scope};
use callgate_runtime::table::order;

use crate::normal::{Dialect, Matcher, NormalPolicy, NormalRule, ToolKey};

/// A rule in its place, with what the table says of it beyond the rule itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<'p> {
    pub(crate) rule: &'p NormalRule,
    pub(crate) class: Classes,
    pub(crate) orders: u8,
}

/// The policy's rules, smallest rank first.
pub(crate) fn ranked(policy: &NormalPolicy) -> Vec<Ranked<'_>> {
    let mut rules: Vec<Ranked<'_>> = policy
        .rules
        .iter()
        .map(|rule| Ranked {
            rule,
            class: class(policy.dialect, rule),
            orders: orders(policy.dialect, rule),
        })
        .collect();
    // The sort is stable: rules that compare equal stay in document order.
    match policy.dialect {
        Dialect::Rules => rules.sort_by_key(|ranked| rules_key(ranked.rule)),
        Dialect::Layered => rules.sort_by_key(|ranked| layered_key(ranked.rule)),
    }
    rules
}

/// Denies, then allows, then escalates; in each the tool's own rules, then those for every tool.
fn rules_key(rule: &NormalRule) -> (u8, bool) {
    let effect = match rule.effect {
        Effect::Deny => 0,
        Effect::Allow => 1,
        Effect::Ask => 2,
    };
    (effect, rule.tool == ToolKey::Any)
}

/// Denies, configured asks, configured allows, built-in asks, built-in allows; in each by scope.
fn layered_key(rule: &NormalRule) -> (u8, Option<Scope>) {
    let configured = rule.scope.is_none_or(Scope::is_configured);
    let group = match (rule.effect, configured) {
        (Effect::Deny, _) => 0,
        (Effect::Ask, true) => 1,
        (Effect::Allow, true) => 2,
        (Effect::Ask, false) => 3,
        (Effect::Allow, false) => 4,
    };
    (group, rule.scope)
}

fn class(dialect: Dialect, rule: &NormalRule) -> Classes {
    let tool_wide = rule.matcher == Matcher::Everything;
    let names_redirect = dialect == Dialect::Layered && rule.pattern.contains('>');
    match (rule.effect, names_redirect) {
        (Effect::Deny, false) => Classes::DENY,
        (Effect::Deny, true) => Classes::DENY_REDIRECT,
        (Effect::Ask, false) => Classes::ASK,
        (Effect::Ask, true) => Classes::ASK_REDIRECT,
        (Effect::Allow, _) if tool_wide => Classes::ALLOW_TOOL_WIDE,
        (Effect::Allow, true) => Classes::ALLOW_REDIRECT,
        (Effect::Allow, false) => Classes::ALLOW,
    }
}

/// Rules that do not bind an audience are not in its order. The checkers' order holds both audiences' rules and the
/// built-in floor, so the child floor, the one built-in rule for child engines alone, is not in it (ruling 32).
fn orders(dialect: Dialect, rule: &NormalRule) -> u8 {
    let all = order::MAIN | order::SUBAGENT | order::ALL;
    let is_floor = rule.scope == Some(Scope::BuiltinDefault) && rule.origin.source.is_empty();
    match (dialect, rule.audience) {
        (Dialect::Rules, _) | (Dialect::Layered, Audience::All) => all,
        (Dialect::Layered, Audience::Main) => order::MAIN | order::ALL,
        (Dialect::Layered, Audience::Subagent) if is_floor => order::SUBAGENT,
        (Dialect::Layered, Audience::Subagent) => order::SUBAGENT | order::ALL,
    }
}
