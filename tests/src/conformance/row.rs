//! One line of a vector file to a row of the kind that its members show.
//!
//! What a row is judged by is read strictly: an unknown option or expectation is an error, for ignoring it would pass a
//! row that nobody checked.

use std::collections::BTreeMap;

use callgate_runtime::rule::{Audience, Effect, Mode, Scope};
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::value::RawValue;

/// A row of any kind.
#[derive(Debug)]
pub(super) enum Row<'l> {
    Rules(RulesRow<'l>),
    Fnmatch(FnmatchRow),
    Decision(Box<DecisionRow<'l>>),
    Learnable(LearnableRow<'l>),
    Settings(SettingsRow),
    Shell(ShellRow),
    YamlSuite(YamlSuiteRow),
}

/// A policy of the rules dialect and its calls.
#[derive(Debug, serde::Deserialize)]
pub(super) struct RulesRow<'l> {
    pub(super) id: String,
    pub(super) policy: String,
    #[serde(borrow)]
    pub(super) calls: Vec<RulesCall<'l>>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesCall<'l> {
    pub(super) tool: String,
    pub(super) action: Option<String>,
    #[serde(borrow)]
    pub(super) args: &'l RawValue,
    #[serde(deserialize_with = "behavior")]
    pub(super) behavior: Effect,
    pub(super) matched_rule: Option<String>,
}

/// A glob, a text, and whether they match.
#[derive(Debug, serde::Deserialize)]
pub(super) struct FnmatchRow {
    pub(super) pattern: String,
    pub(super) text: String,
    pub(super) matches: bool,
}

/// A decision of the layered dialect.
#[derive(Debug, serde::Deserialize)]
pub(super) struct DecisionRow<'l> {
    pub(super) id: String,
    #[serde(default)]
    pub(super) note: String,
    pub(super) rules: Vec<SpecRule>,
    #[serde(default)]
    pub(super) options: DecisionOptions,
    #[serde(default, borrow)]
    pub(super) learned: Vec<ToolCall<'l>>,
    #[serde(borrow)]
    pub(super) call: ToolCall<'l>,
    pub(super) expect: DecisionExpect,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpecRule {
    #[serde(deserialize_with = "scope")]
    pub(super) scope: Scope,
    #[serde(deserialize_with = "effect")]
    pub(super) effect: Effect,
    pub(super) spec: String,
    #[serde(default = "everyone", deserialize_with = "audience")]
    pub(super) audience: Audience,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct DecisionOptions {
    #[serde(deserialize_with = "audience")]
    pub(super) audience: Audience,
    #[serde(deserialize_with = "mode")]
    pub(super) mode: Mode,
    pub(super) loose_substitution: bool,
    pub(super) floor: RowFloor,
}

impl Default for DecisionOptions {
    fn default() -> Self {
        Self {
            audience: everyone(),
            mode: Mode::Default,
            loose_substitution: false,
            floor: RowFloor::None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RowFloor {
    None,
    Builtin,
    Child,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolCall<'l> {
    pub(super) tool: String,
    #[serde(default, borrow, deserialize_with = "some_text")]
    pub(super) args: Option<&'l RawValue>,
    pub(super) args_text: Option<String>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionExpect {
    #[serde(default, deserialize_with = "some_effect")]
    pub(super) effect: Option<Effect>,
    #[serde(default, deserialize_with = "effects")]
    pub(super) effect_in: Vec<Effect>,
    pub(super) configured_ask: Option<bool>,
    pub(super) floored_configured_allow: Option<bool>,
}

/// A call from which something can be learned, or not.
#[derive(Debug, serde::Deserialize)]
pub(super) struct LearnableRow<'l> {
    pub(super) id: String,
    #[serde(default)]
    pub(super) note: String,
    #[serde(borrow)]
    pub(super) call: ToolCall<'l>,
    pub(super) expect: LearnableExpect,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LearnableExpect {
    pub(super) learnable: bool,
    pub(super) pattern: Option<String>,
}

/// A settings file and the rules of it that count.
#[derive(Debug, serde::Deserialize)]
pub(super) struct SettingsRow {
    pub(super) id: String,
    #[serde(default)]
    pub(super) note: String,
    pub(super) yaml: String,
    #[serde(deserialize_with = "scope")]
    pub(super) scope: Scope,
    pub(super) trusted: bool,
    pub(super) expect: SettingsExpect,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SettingsExpect {
    #[serde(default)]
    pub(super) error: bool,
    pub(super) rules: Option<Vec<SettingsRule>>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SettingsRule {
    pub(super) scope: String,
    pub(super) tool: String,
    pub(super) pattern: String,
    pub(super) effect: String,
    pub(super) audience: String,
}

/// A command line that bash has run.
#[derive(Debug, serde::Deserialize)]
pub(super) struct ShellRow {
    pub(super) id: String,
    pub(super) command: String,
    pub(super) expect: Option<ShellExpect>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ShellExpect {
    NotAllow,
    Allow,
}

/// A case of the yaml-test-suite.
#[derive(Debug, serde::Deserialize)]
pub(super) struct YamlSuiteRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) yaml: String,
    pub(super) json: Option<Vec<serde_json::Value>>,
    #[serde(default)]
    pub(super) error: bool,
}

impl Row<'_> {
    /// The row's id and what it is about, as far as it says so.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Rules(row) => row.id.clone(),
            Self::Fnmatch(row) => format!("{:?}", row.pattern),
            Self::Decision(row) => format!("{} {}", row.id, row.note),
            Self::Learnable(row) => format!("{} {}", row.id, row.note),
            Self::Settings(row) => format!("{} {}", row.id, row.note),
            Self::Shell(row) => row.id.clone(),
            Self::YamlSuite(row) => format!("{} {}", row.id, row.name),
        }
    }
}

/// Reads one line; what is wrong with it otherwise.
pub(super) fn parse(line: &str) -> Result<Row<'_>, String> {
    let members: BTreeMap<String, &RawValue> =
        serde_json::from_str(line).map_err(|error| format!("not a JSON object: {}", worded(&error)))?;
    let has = |names: &[&str]| names.iter().all(|name| members.contains_key(*name));
    if let Some(kind) = members.get("kind") {
        return match kind.get() {
            "\"learnable\"" => read(line).map(Row::Learnable),
            "\"settings\"" => read(line).map(Row::Settings),
            kind => Err(format!("unknown kind of row: {kind}")),
        };
    }
    if has(&["policy", "calls"]) {
        read(line).map(Row::Rules)
    } else if has(&["pattern", "text", "matches"]) {
        read(line).map(Row::Fnmatch)
    } else if has(&["rules", "call", "expect"]) {
        read(line).map(|row| Row::Decision(Box::new(row)))
    } else if has(&["command", "executed"]) {
        read(line).map(Row::Shell)
    } else if has(&["yaml", "name"]) {
        read(line).map(Row::YamlSuite)
    } else {
        let names: Vec<&str> = members.keys().map(String::as_str).collect();
        Err(format!(
            "unknown kind of row: its members are {}",
            names.join(", ")
        ))
    }
}

fn read<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| worded(&error))
}

/// The error without its line, which is always the first and only one.
fn worded(error: &serde_json::Error) -> String {
    error.to_string().replace("at line 1 column", "at column")
}

fn everyone() -> Audience {
    Audience::All
}

fn one_of<'de, D: Deserializer<'de>, T: Copy>(deserializer: D, all: &[(&str, T)]) -> Result<T, D::Error> {
    let name = String::deserialize(deserializer)?;
    let found = all
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value);
    found.ok_or_else(|| D::Error::custom(format!("unknown value `{name}`")))
}

fn behavior<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Effect, D::Error> {
    one_of(
        deserializer,
        &[
            ("allow", Effect::Allow),
            ("deny", Effect::Deny),
            ("escalate", Effect::Ask),
        ],
    )
}

fn effect<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Effect, D::Error> {
    one_of(
        deserializer,
        &[
            ("allow", Effect::Allow),
            ("ask", Effect::Ask),
            ("deny", Effect::Deny),
        ],
    )
}

fn some_effect<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Effect>, D::Error> {
    effect(deserializer).map(Some)
}

/// `null` is a text like any other.
fn some_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn effects<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Effect>, D::Error> {
    #[derive(serde::Deserialize)]
    struct One(#[serde(deserialize_with = "effect")] Effect);
    Ok(Vec::<One>::deserialize(deserializer)?
        .into_iter()
        .map(|one| one.0)
        .collect())
}

fn scope<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Scope, D::Error> {
    one_of(deserializer, &Scope::ALL.map(|scope| (scope.name(), scope)))
}

fn audience<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Audience, D::Error> {
    let all = [Audience::Main, Audience::Subagent, Audience::All];
    one_of(deserializer, &all.map(|audience| (audience.name(), audience)))
}

fn mode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Mode, D::Error> {
    let all = [Mode::Default, Mode::Plan, Mode::AcceptEdits];
    one_of(deserializer, &all.map(|mode| (mode.name(), mode)))
}
