//! Every decision and learnable row of `layered.jsonl`, and every row of `shell.jsonl` with an expectation.

extern crate std;

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::{eprintln, fs};

use serde_json::Value;

use super::order::{Order, Rule};
use crate::layered::{
    ArgValue, Arguments, Judgement, LayeredCall, LayeredOptions, Learned, judge, learnable,
};
use crate::rule::{Audience, Effect, Mode, Scope};

fn rows(name: &str) -> Vec<Value> {
    let path = [env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/", name].concat();
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A call's arguments, owned.
struct Read {
    malformed: Option<&'static str>,
    members: Vec<(Cow<'static, str>, ArgValue<'static>)>,
}

impl Read {
    fn new(call: &Value) -> Self {
        // A duplicate key is lost on serde_json; the tests of the JSON reader are elsewhere.
        let (value, malformed) = match call.get("args_text").and_then(Value::as_str) {
            Some(text) => {
                let keys = text.matches("\":").count();
                let value: Option<Value> = serde_json::from_str(text).ok();
                let members = value
                    .as_ref()
                    .and_then(Value::as_object)
                    .map(serde_json::Map::len);
                (value, members != Some(keys))
            }
            None => (call.get("args").cloned(), false),
        };
        let object = value.as_ref().and_then(Value::as_object);
        let malformed = (malformed || object.is_none()).then_some("not one object");
        let members = object.into_iter().flatten().map(|(name, value)| {
            let value = match value {
                Value::String(text) => ArgValue::String(Cow::Owned(text.clone())),
                Value::Null => ArgValue::Null,
                _ => ArgValue::Other,
            };
            (Cow::Owned(name.clone()), value)
        });
        Self {
            malformed,
            members: members.collect(),
        }
    }

    fn call<'a>(&'a self, call: &'a Value, mode: Mode) -> LayeredCall<'a> {
        LayeredCall {
            tool: call["tool"].as_str().unwrap(),
            arguments: Arguments {
                malformed: self.malformed,
                members: &self.members,
            },
            mode,
        }
    }
}

#[derive(Default)]
struct Session(BTreeSet<(String, String)>);

impl Learned for Session {
    fn has(&self, tool: &str, pattern: &str) -> bool {
        self.0.contains(&(tool.to_string(), pattern.to_string()))
    }
}

impl Session {
    fn learn(&mut self, call: &Value) {
        let read = Read::new(call);
        if let Ok(rule) = learnable(&read.call(call, Mode::Default))
            && self.0.len() < 256
        {
            self.0.insert((rule.tool.to_string(), rule.pattern.into_owned()));
        }
    }
}

fn audience(name: Option<&str>) -> Audience {
    match name {
        Some("main") => Audience::Main,
        Some("subagent") => Audience::Subagent,
        _ => Audience::All,
    }
}

fn effect(name: &str) -> Effect {
    [Effect::Deny, Effect::Ask, Effect::Allow]
        .into_iter()
        .find(|effect| effect.name() == name)
        .unwrap()
}

fn scope(name: &str) -> Scope {
    Scope::ALL.into_iter().find(|scope| scope.name() == name).unwrap()
}

fn floor(name: Option<&str>) -> Vec<Rule> {
    let rule = |effect, tool: &&str| Rule::new(Scope::BuiltinDefault, effect, tool);
    match name {
        Some("builtin") => {
            let allowed = [
                "Read",
                "ListDir",
                "Grep",
                "Glob",
                "WebFetch",
                "WebSearch",
                "Subagent",
            ];
            let asked = [
                "Shell",
                "Edit",
                "Write",
                "Copy",
                "Move",
                "Remove",
                "Team",
                "SkillDraft",
            ];
            let allows = allowed.iter().map(|tool| rule(Effect::Allow, tool));
            allows
                .chain(asked.iter().map(|tool| rule(Effect::Ask, tool)))
                .collect()
        }
        Some("child") => Vec::from([rule(Effect::Allow, &"")]),
        _ => Vec::new(),
    }
}

fn decide<'a>(row: &'a Value, read: &'a Read) -> Judgement<'a> {
    let options = &row["options"];
    let mut rules: Vec<Rule> = row["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| {
            let spec = rule["spec"].as_str().unwrap();
            let mut read = Rule::new(
                scope(rule["scope"].as_str().unwrap()),
                effect(rule["effect"].as_str().unwrap()),
                spec,
            );
            read.audience = audience(rule["audience"].as_str());
            read
        })
        .collect();
    rules.extend(floor(options["floor"].as_str()));
    let order = Order::new(rules, audience(options["audience"].as_str()));
    let mut session = Session::default();
    for call in row["learned"].as_array().into_iter().flatten() {
        session.learn(call);
    }
    let mode = match options["mode"].as_str() {
        Some("plan") => Mode::Plan,
        Some("accept_edits") => Mode::AcceptEdits,
        _ => Mode::Default,
    };
    let options = LayeredOptions {
        learned: Some(&session),
        loose_substitution: options["loose_substitution"].as_bool().unwrap_or(false),
    };
    judge(&order, &read.call(&row["call"], mode), &options)
}

/// What is wrong with a judgement, by its row.
fn complaint(row: &Value, judgement: &Judgement<'_>) -> Option<String> {
    let expect = &row["expect"];
    let named = judgement.effect.name();
    let effects = match expect["effect"].as_str() {
        Some(effect) => Vec::from([effect]),
        None => expect["effect_in"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect(),
    };
    if !effects.contains(&named) {
        return Some(["effect ", named].concat());
    }
    let ask = judgement.effect == Effect::Ask;
    let flags = [
        ("configured_ask", judgement.configured_ask),
        ("floored_configured_allow", judgement.floored_configured_allow),
    ];
    for (name, value) in flags {
        let expected = if ask { expect[name].as_bool() } else { Some(false) };
        if expected.is_some_and(|expected| expected != value) {
            return Some(name.to_string());
        }
    }
    None
}

fn report(wrong: &[String]) {
    for line in wrong {
        eprintln!("{line}");
    }
    assert!(wrong.is_empty(), "{} rows are wrong", wrong.len());
}

#[test]
fn every_decision_holds() {
    let rows = rows("layered.jsonl");
    let mut wrong = Vec::new();
    let mut judged = 0;
    for row in rows.iter().filter(|row| row.get("kind").is_none()) {
        let read = Read::new(&row["call"]);
        let judgement = decide(row, &read);
        judged += 1;
        if let Some(complaint) = complaint(row, &judgement) {
            let place = [row["id"].as_str().unwrap(), " ", row["note"].as_str().unwrap()].concat();
            wrong.push(std::format!(
                "{place}: {complaint}; {} in {judgement:?}",
                row["call"]
            ));
        }
    }
    assert!(judged > 600);
    report(&wrong);
}

#[test]
fn every_learnable_row_holds() {
    let mut wrong = Vec::new();
    let rows = rows("layered.jsonl");
    for row in rows.iter().filter(|row| row["kind"] == "learnable") {
        let read = Read::new(&row["call"]);
        let learned = learnable(&read.call(&row["call"], Mode::Default));
        let expect = &row["expect"];
        let pattern = learned.as_ref().ok().map(|rule| rule.pattern.as_ref());
        let holds = expect["learnable"].as_bool() == Some(learned.is_ok())
            && expect
                .get("pattern")
                .is_none_or(|expected| expected.as_str() == pattern);
        if !holds {
            wrong.push(std::format!("{}: {learned:?}", row["id"]));
        }
    }
    report(&wrong);
}

#[test]
fn whatever_bash_executed_was_judged() {
    let order = Order::new(
        Vec::from([
            Rule::new(Scope::User, Effect::Deny, "Shell(bad*)"),
            Rule::new(Scope::User, Effect::Allow, "Shell"),
        ]),
        Audience::Main,
    );
    let mut wrong = Vec::new();
    let mut judged = 0;
    for row in rows("shell.jsonl") {
        let Some(expect) = row.get("expect").and_then(Value::as_str) else {
            continue;
        };
        let command = row["command"].as_str().unwrap();
        let members = [(Cow::Borrowed("command"), ArgValue::String(Cow::Borrowed(command)))];
        let call = LayeredCall {
            tool: "Shell",
            arguments: Arguments {
                malformed: None,
                members: &members,
            },
            mode: Mode::Default,
        };
        let judgement = judge(&order, &call, &LayeredOptions::default());
        judged += 1;
        if (judgement.effect == Effect::Allow) != (expect == "allow") {
            wrong.push(std::format!("{} {command:?} {expect}: {judgement:?}", row["id"]));
        }
    }
    assert!(judged > 500);
    report(&wrong);
}
