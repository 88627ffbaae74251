//! The layered dialect's rules as a list, with the five steps of page 30 written out.
//!
//! [`Policy`] is the rules of all sources; [`Order`] those that bind one audience, as the [`RuleOrder`] that the shell
//! judge asks. An order walks its whole list for every question and resolves what matches by the five steps; ranks come
//! from the steps too, so nothing here knows the order that page 40 derives from them.

mod decide;
mod floor;
mod glob;

use callgate_runtime::rule::{Audience, Classes, Effect, Query, Rank, RuleFacts, RuleOrder, Scope, Text};

use super::answer::Place;
use super::document::{self, Unread};

pub use decide::{Learned, learnable};
pub use floor::Floor;

/// One rule (page 30).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Where it comes from.
    pub scope: Scope,
    /// What it says.
    pub effect: Effect,
    /// The tool's exact name; empty for any.
    pub tool: String,
    /// The pattern; empty for any arguments.
    pub pattern: String,
    /// The pattern is a text, not a glob.
    pub exact: bool,
    /// Which evaluators it binds.
    pub audience: Audience,
    /// Where it was written.
    pub place: Place,
}

/// The rules of every source, and what stands around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The rules in document order, files of higher scopes first.
    pub rules: Vec<Rule>,
    /// The rules that hold where nothing is configured.
    pub floor: Floor,
    /// Loose substitution for the main engine.
    pub loose_main: bool,
    /// Loose substitution for child engines.
    pub loose_child: bool,
}

/// A settings file.
#[derive(Clone, Copy, Debug)]
pub struct SettingsFile<'a> {
    /// Its name.
    pub source: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The scope of its rules.
    pub scope: Scope,
}

impl Policy {
    /// The policy of settings files for a workspace that is trusted or not, in no interactive root: the posture is the
    /// laxest that an operator file names.
    pub fn of_settings(files: &[SettingsFile<'_>], trusted: bool) -> Result<Self, Unread> {
        let mut files = files.to_vec();
        files.sort_by_key(|file| (file.scope, file.source));
        let mut rules = Vec::new();
        let (mut auto, mut yolo) = (false, false);
        for SettingsFile { source, text, scope } in files {
            rules.extend(document::settings_rules(source, text, scope, trusted)?);
            if !matches!(scope, Scope::LocalProject | Scope::SharedProject) {
                let posture = document::top_scalar(text, "posture").unwrap_or_default();
                yolo |= posture == "yolo";
                auto |= posture == "auto" || posture == "yolo";
            }
        }
        if auto {
            rules.push(Rule {
                scope: Scope::Cli,
                ..floor::allow_everything()
            });
        }
        Ok(Self {
            rules,
            floor: Floor::ByAudience,
            loose_main: auto,
            loose_child: yolo,
        })
    }

    /// The rules that bind `audience`.
    pub fn order(&self, audience: Audience) -> Order {
        let mut rules = self.rules.clone();
        rules.extend(self.floor.rules(audience));
        rules.retain(|rule| {
            rule.audience == Audience::All || audience == Audience::All || rule.audience == audience
        });
        Order::new(rules)
    }

    fn is_loose(&self, audience: Audience) -> bool {
        match audience {
            Audience::Main => self.loose_main,
            Audience::Subagent => self.loose_child,
            Audience::All => self.loose_main && self.loose_child,
        }
    }
}

/// Rules that bind one audience, in document order.
#[derive(Clone, Debug)]
pub struct Order {
    rules: Vec<Rule>,
    ranks: Vec<u32>,
}

impl Order {
    /// The order of these rules.
    pub fn new(rules: Vec<Rule>) -> Self {
        let beaten_by = |index: usize| {
            let duels = (0..rules.len()).filter(|other| {
                let mut pair = [index, *other];
                pair.sort_unstable();
                *other != index && resolve(&rules, &pair) == Some(*other)
            });
            u32::try_from(duels.count()).unwrap_or(u32::MAX)
        };
        let ranks = (0..rules.len()).map(beaten_by).collect();
        Self { rules, ranks }
    }

    /// The rule of this rank.
    pub fn rule(&self, rank: Rank) -> Option<&Rule> {
        let index = self.ranks.iter().position(|other| *other == rank.0)?;
        self.rules.get(index)
    }
}

impl RuleOrder for Order {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        let matching: Vec<usize> = (0..self.rules.len())
            .filter(|index| answers(&self.rules[*index], query))
            .collect();
        resolve(&self.rules, &matching).map(|index| Rank(self.ranks[index]))
    }

    fn facts(&self, rank: Rank) -> RuleFacts {
        match self.rule(rank) {
            Some(rule) => RuleFacts {
                effect: rule.effect,
                scope: Some(rule.scope),
                class: class(rule),
            },
            None => RuleFacts {
                effect: Effect::Deny,
                scope: None,
                class: Classes::DENY,
            },
        }
    }
}

/// The rule that decides among the matching ones: their indices, in document order. Steps 2, 3 and 5 of page 30; step 1
/// is the caller's, and `None` is step 4.
pub fn resolve(rules: &[Rule], matching: &[usize]) -> Option<usize> {
    // 5. same effect: the highest scope, and within one scope the first in document order
    let reported = |effect: Effect| {
        let mut found: Option<usize> = None;
        for index in matching
            .iter()
            .copied()
            .filter(|index| rules[*index].effect == effect)
        {
            if found.is_none_or(|best| rules[index].scope < rules[best].scope) {
                found = Some(index);
            }
        }
        found
    };
    // 2. any matching deny, in any scope → deny
    if let Some(deny) = reported(Effect::Deny) {
        return Some(deny);
    }
    // 3. the highest-scope matching ask and the highest-scope matching allow: ask wins, except that an allow of a
    //    higher scope loosens an ask of `builtin_default`, and only that
    match (reported(Effect::Ask), reported(Effect::Allow)) {
        (Some(ask), Some(allow)) => {
            let of_floor = rules[ask].scope == Scope::BuiltinDefault;
            let is_higher = rules[allow].scope < rules[ask].scope;
            Some(if of_floor && is_higher { allow } else { ask })
        }
        (Some(one), None) | (None, Some(one)) => Some(one),
        // 4. nothing matches
        (None, None) => None,
    }
}

/// Whether the rule is one of those the query is about, and matches its text.
fn answers(rule: &Rule, query: &Query<'_>) -> bool {
    let literal = rule.pattern.split(['*', '?']).next().unwrap_or_default();
    // `MY_NAME=` does not name `NAME`.
    let names = |name: &&str| {
        literal
            .split([' ', '\t'])
            .any(|word| word.starts_with(&format!("{name}=")))
    };
    (rule.tool.is_empty() || rule.tool == query.tool)
        && class(rule).meets(query.classes)
        && query.assigned.iter().all(names)
        && matches(rule, query.text)
}

/// Whether the rule's pattern matches; an empty one matches anything, and nothing else matches an empty text.
fn matches(rule: &Rule, text: Text<'_>) -> bool {
    if rule.pattern.is_empty() {
        return true;
    }
    match (text, rule.exact) {
        (Text::Whole(""), _) => false,
        (Text::Whole(text), true) => rule.pattern == text,
        (Text::Whole(text), false) => glob::matches(&rule.pattern, text),
        (Text::Open(text), true) => rule.pattern == text || rule.pattern.starts_with(&format!("{text} ")),
        (Text::Open(text), false) => {
            glob::matches(&rule.pattern, text) || glob::matches_more(&rule.pattern, &format!("{text} "))
        }
        (Text::Placeholder(_), true) => false,
        (Text::Placeholder(text), false) => glob::matches_placeholder(&rule.pattern, &format!("{text} ")),
    }
}

fn class(rule: &Rule) -> Classes {
    match (rule.effect, rule.pattern.contains('>')) {
        (Effect::Deny, false) => Classes::DENY,
        (Effect::Deny, true) => Classes::DENY_REDIRECT,
        (Effect::Ask, false) => Classes::ASK,
        (Effect::Ask, true) => Classes::ASK_REDIRECT,
        (Effect::Allow, true) => Classes::ALLOW_REDIRECT,
        (Effect::Allow, false) if rule.pattern.is_empty() => Classes::ALLOW_TOOL_WIDE,
        (Effect::Allow, false) => Classes::ALLOW,
    }
}
