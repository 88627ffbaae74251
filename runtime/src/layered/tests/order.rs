//! A list of rules in page 40's order with a glob matcher nobody can get wrong: what every machine must agree with.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::rule::{Audience, Classes, Effect, Query, Rank, RuleFacts, RuleOrder, Scope, Text};

/// One rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) scope: Scope,
    pub(super) effect: Effect,
    pub(super) tool: String,
    pub(super) pattern: String,
    pub(super) audience: Audience,
}

impl Rule {
    /// Reads a rule spec of page 10; an empty one is any call.
    pub(super) fn new(scope: Scope, effect: Effect, spec: &str) -> Self {
        let (tool, pattern) = match spec.strip_suffix(')').and_then(|spec| spec.split_once('(')) {
            Some((tool, pattern)) => (tool.trim(), pattern.trim()),
            None => (spec.trim(), ""),
        };
        let tool = if tool == "Bash" { "Shell" } else { tool };
        let pattern = match pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(':')) {
            Some(prefix) => [prefix, "*"].concat(),
            None => pattern.to_string(),
        };
        Self {
            scope,
            effect,
            tool: tool.to_string(),
            pattern,
            audience: Audience::All,
        }
    }

    fn class(&self) -> Classes {
        let redirect = self.pattern.contains('>');
        match (self.effect, redirect) {
            (Effect::Deny, false) => Classes::DENY,
            (Effect::Deny, true) => Classes::DENY_REDIRECT,
            (Effect::Ask, false) => Classes::ASK,
            (Effect::Ask, true) => Classes::ASK_REDIRECT,
            (Effect::Allow, _) if self.pattern.is_empty() => Classes::ALLOW_TOOL_WIDE,
            (Effect::Allow, true) => Classes::ALLOW_REDIRECT,
            (Effect::Allow, false) => Classes::ALLOW,
        }
    }

    fn place(&self) -> (u8, Scope) {
        let group = match (self.effect, self.scope.is_configured()) {
            (Effect::Deny, _) => 0,
            (Effect::Ask, true) => 1,
            (Effect::Allow, true) => 2,
            (Effect::Ask, false) => 3,
            (Effect::Allow, false) => 4,
        };
        (group, self.scope)
    }

    fn matches(&self, query: &Query<'_>) -> bool {
        if !(self.tool.is_empty() || self.tool == query.tool) || !self.class().meets(query.classes) {
            return false;
        }
        let literal = self.pattern.split(['*', '?']).next().unwrap();
        if !query
            .assigned
            .iter()
            .all(|name| literal.contains(&[name, "="].concat()))
        {
            return false;
        }
        if self.pattern.is_empty() {
            return true;
        }
        let pattern: Vec<char> = self.pattern.chars().collect();
        match query.text {
            Text::Whole(text) => !text.is_empty() && ends(&run(&pattern, text), &pattern),
            Text::Open(text) => {
                ends(&run(&pattern, text), &pattern) || !run(&pattern, &[text, " "].concat()).is_empty()
            }
            Text::Placeholder(text) => {
                let states = run(&pattern, &[text, " "].concat());
                states
                    .iter()
                    .any(|at| pattern.get(*at) == Some(&'*') && ends(&[*at], &pattern))
            }
        }
    }
}

/// The places in the pattern that are reached by all of `text`.
fn run(pattern: &[char], text: &str) -> Vec<usize> {
    let mut states = closed(pattern, Vec::from([0]));
    for c in text.chars() {
        let mut next = Vec::new();
        for at in states {
            match pattern.get(at) {
                Some('*') => next.push(at),
                Some('?') => next.push(at + 1),
                Some(expected) if *expected == c => next.push(at + 1),
                _ => {}
            }
        }
        states = closed(pattern, next);
    }
    states
}

fn closed(pattern: &[char], mut states: Vec<usize>) -> Vec<usize> {
    let mut index = 0;
    while let Some(at) = states.get(index).copied() {
        if pattern.get(at) == Some(&'*') && !states.contains(&(at + 1)) {
            states.push(at + 1);
        }
        index += 1;
    }
    states.sort_unstable();
    states.dedup();
    states
}

fn ends(states: &[usize], pattern: &[char]) -> bool {
    states.iter().any(|at| pattern[*at..].iter().all(|c| *c == '*'))
}

/// Rules that bind one audience, in the order that decides.
#[derive(Clone, Debug, Default)]
pub(super) struct Order(Vec<Rule>);

impl Order {
    pub(super) fn new(mut rules: Vec<Rule>, audience: Audience) -> Self {
        rules.retain(|rule| {
            rule.audience == Audience::All || audience == Audience::All || rule.audience == audience
        });
        rules.sort_by_key(Rule::place);
        Self(rules)
    }
}

impl RuleOrder for Order {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        let index = self.0.iter().position(|rule| rule.matches(query))?;
        Some(Rank(u32::try_from(index).unwrap()))
    }

    fn facts(&self, rank: Rank) -> RuleFacts {
        let rule = &self.0[usize::try_from(rank.0).unwrap()];
        RuleFacts {
            effect: rule.effect,
            scope: Some(rule.scope),
            class: rule.class(),
        }
    }
}
