//! One call to its answer in the layered dialect (page 30): plan mode, subjects, modes, what was learned.
//!
//! Command lines go to the runtime's shell judge, over this oracle's own order; every other tool is judged here.

use std::borrow::Cow;
use std::collections::BTreeSet;

use callgate_runtime::json::Value;
use callgate_runtime::layered::{self, ArgValue, Arguments, LayeredCall, LayeredOptions, Synthetic};
use callgate_runtime::rule::{Effect, Mode, Provenance, Scope, Text};

use super::{Order, Policy, Rule, floor, matches, resolve};
use crate::oracle::answer::{Answer, NamedRule, NamedSegment, Place};
use crate::oracle::call::CallText;

/// The rules a session has learned: tool and exact text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned(BTreeSet<(String, String)>);

impl Learned {
    /// Learns what the call teaches, if it teaches anything and the session has room.
    pub fn learn(&mut self, call: &CallText) {
        if let Some(pattern) = learnable(call)
            && self.0.len() < 256
        {
            self.0.insert((call.tool.clone(), pattern));
        }
    }
}

impl layered::Learned for Learned {
    fn has(&self, tool: &str, pattern: &str) -> bool {
        self.0.contains(&(tool.to_owned(), pattern.to_owned()))
    }
}

/// The exact pattern that the call teaches, if it does.
pub fn learnable(call: &CallText) -> Option<String> {
    if call.tool == "Shell" {
        return with_runtime_call(call, |call| {
            Some(layered::learnable(call).ok()?.pattern.into_owned())
        });
    }
    match subjects(call)?.as_slice() {
        [one] if !one.is_empty() => Some(one.clone()),
        _ => None,
    }
}

impl Policy {
    /// Decides one call in a session that learned this.
    pub fn decide(&self, call: &CallText, learned: &Learned) -> Answer {
        let order = self.order(call.audience);
        if call.tool == "Shell" {
            return judge_shell(&order, call, learned, self.is_loose(call.audience));
        }
        let changes = ["Edit", "Write", "Copy", "Move", "Remove"].contains(&call.tool.as_str());
        if call.mode == Mode::Plan && changes {
            return plain(call, Effect::Deny, Provenance::PlanMode);
        }
        let Some(subjects) = subjects(call) else {
            return judge_unreadable(&order, call);
        };
        let mut worst: Option<Answer> = None;
        for subject in &subjects {
            let answer = judge_subject(&order, call, subject, learned);
            let severity = |answer: &Answer| (answer.effect, !answer.configured_ask);
            if worst
                .as_ref()
                .is_none_or(|worst| severity(&answer) < severity(worst))
            {
                worst = Some(answer);
            }
        }
        worst.unwrap_or_else(|| plain(call, Effect::Ask, Provenance::Default))
    }
}

/// What patterns are matched against, one text or two; `None` when the arguments cannot be read.
fn subjects(call: &CallText) -> Option<Vec<String>> {
    let members = call.members()?;
    let keys: &[&str] = match call.tool.as_str() {
        "Copy" | "Move" => &["source", "destination"],
        _ => &["path", "file_path", "pattern", "url", "query"],
    };
    for (name, value) in members.iter().filter(|(_, value)| *value != Value::Null) {
        let is_key = keys.contains(&name.as_str());
        let is_variant = !is_key && keys.contains(&name.to_ascii_lowercase().as_str());
        if is_variant || (is_key && value.as_str().is_none()) {
            return None;
        }
    }
    let text = |key: &str| {
        let (_, value) = members.iter().find(|(name, _)| name == key)?;
        value.as_str().map(str::to_owned)
    };
    match call.tool.as_str() {
        "Copy" | "Move" => Some(vec![text("source")?, text("destination")?]),
        _ => Some(vec![keys.iter().find_map(|key| text(key)).unwrap_or_default()]),
    }
}

/// Which rule decides: what the mode and the session add stands last in its scope.
fn judge_subject(order: &Order, call: &CallText, subject: &str, learned: &Learned) -> Answer {
    let mut rules = order.rules.clone();
    if call.mode == Mode::AcceptEdits {
        let synthetic = |tool: &str| Rule {
            scope: Scope::Cli,
            tool: tool.to_owned(),
            ..floor::allow_everything()
        };
        rules.extend([synthetic("Edit"), synthetic("Write")]);
    }
    let n_unlearned = rules.len();
    rules.extend(learned.0.iter().map(|(tool, pattern)| Rule {
        scope: Scope::User,
        tool: tool.clone(),
        pattern: pattern.clone(),
        exact: true,
        ..floor::allow_everything()
    }));
    match decide_among(&rules, &call.tool, subject) {
        Some(index) if index >= n_unlearned => by_rule(call, &rules[index], Provenance::Learned),
        Some(index) => by_rule(call, &rules[index], Provenance::Rule),
        None => plain(call, Effect::Ask, Provenance::Default),
    }
}

/// Arguments nobody can read are matched by tool-wide rules only, and never allowed.
fn judge_unreadable(order: &Order, call: &CallText) -> Answer {
    let mut rules = order.rules.clone();
    rules.retain(|rule| rule.effect != Effect::Allow);
    match decide_among(&rules, &call.tool, "").map(|index| &rules[index]) {
        Some(rule) if rule.effect == Effect::Deny || rule.scope != Scope::BuiltinDefault => {
            by_rule(call, rule, Provenance::Rule)
        }
        _ => plain(call, Effect::Ask, Provenance::MalformedArguments),
    }
}

fn decide_among(rules: &[Rule], tool: &str, subject: &str) -> Option<usize> {
    let matching: Vec<usize> = (0..rules.len())
        .filter(|index| {
            let rule = &rules[*index];
            (rule.tool.is_empty() || rule.tool == tool) && matches(rule, Text::Whole(subject))
        })
        .collect();
    resolve(rules, &matching)
}

fn plain(call: &CallText, effect: Effect, provenance: Provenance) -> Answer {
    Answer::plain(effect, provenance, &call.tool, &call.judged_action())
}

fn by_rule(call: &CallText, rule: &Rule, provenance: Provenance) -> Answer {
    let mut answer = plain(call, rule.effect, provenance);
    answer.rule = Some(named(rule));
    answer.configured_ask = rule.effect == Effect::Ask && rule.scope != Scope::BuiltinDefault;
    answer
}

fn named(rule: &Rule) -> NamedRule {
    NamedRule {
        effect: rule.effect,
        pattern: rule.pattern.clone(),
        scope: Some(rule.scope),
        place: rule.place.clone(),
    }
}

fn judge_shell(order: &Order, call: &CallText, learned: &Learned, loose_substitution: bool) -> Answer {
    let options = LayeredOptions {
        learned: Some(learned),
        loose_substitution,
    };
    with_runtime_call(call, |runtime_call| {
        let judgement = layered::judge(order, runtime_call, &options);
        let mut answer = plain(call, judgement.effect, judgement.provenance);
        answer.rule = match judgement.synthetic {
            Some(Synthetic::Learned) => Some(NamedRule {
                effect: Effect::Allow,
                pattern: judgement
                    .segment
                    .as_ref()
                    .map(|segment| segment.text.to_string())
                    .unwrap_or_default(),
                scope: Some(Scope::User),
                place: Place::default(),
            }),
            Some(Synthetic::AcceptEdits) => None,
            None => judgement.rank.and_then(|rank| order.rule(rank)).map(named),
        };
        answer.segment = judgement.segment.map(|segment| NamedSegment {
            index: segment.index,
            text: segment.text.into_owned(),
            view: segment.view.name(),
        });
        answer.configured_ask = judgement.configured_ask;
        answer.floored_configured_allow = judgement.floored_configured_allow;
        answer
    })
}

/// Hands the call on as the shell judge takes it.
fn with_runtime_call<R>(call: &CallText, use_it: impl FnOnce(&LayeredCall<'_>) -> R) -> R {
    let read = call.members();
    let malformed = read.is_none().then_some("not one object");
    let members: Vec<(Cow<'_, str>, ArgValue<'_>)> = read
        .unwrap_or_default()
        .into_iter()
        .map(|(name, value)| {
            let value = match value {
                Value::String(text) => ArgValue::String(text),
                Value::Null => ArgValue::Null,
                Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => ArgValue::Other,
            };
            (Cow::Owned(name), value)
        })
        .collect();
    let arguments = Arguments {
        malformed,
        members: &members,
    };
    use_it(&LayeredCall {
        tool: &call.tool,
        arguments,
        mode: call.mode,
    })
}
