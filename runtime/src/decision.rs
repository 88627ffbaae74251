//! A decision as data (page 41), its reason, and its one JSON form.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use crate::json::push_string;
use crate::rule::{Effect, Provenance, Scope};
use crate::table::{Digest, RuleView, Table};

/// The answer to one call, with everything that explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<'p> {
    /// The answer.
    pub effect: Effect,
    /// The tool's name as given.
    pub tool: String,
    /// The tool's name as looked up.
    pub canonical_tool: String,
    /// The action as judged.
    pub action: String,
    /// What the reason is made of.
    pub cause: Cause,
    /// Why the decision is what it is.
    pub provenance: Provenance,
    /// The deciding rule.
    pub rule: Option<DecidingRule<'p>>,
    /// The shell segment that decided.
    pub segment: Option<DecidingSegment>,
    /// The ask is somebody's deliberate rule.
    pub configured_ask: bool,
    /// The floor is the only reason for the ask, over configured allows.
    pub floored_configured_allow: bool,
    /// The table that decided.
    pub policy: Digest,
}

/// The rule that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidingRule<'p> {
    /// Its rank, which is its index in the table; `None` for a rule that no table holds.
    pub index: Option<u32>,
    /// What it says.
    pub effect: Effect,
    /// Its pattern's text.
    pub pattern: Cow<'p, str>,
    /// Its scope, in the layered dialect.
    pub scope: Option<Scope>,
    /// The source it was written in; empty where no file wrote it.
    pub source: Cow<'p, str>,
    /// Line of the pattern, from 1; 0 where no file wrote it.
    pub line: u32,
    /// Column of the pattern in characters, from 1; 0 where no file wrote it.
    pub column: u32,
}

impl<'p> DecidingRule<'p> {
    /// The rule of this rank.
    pub fn of(table: &'p Table, rank: u32) -> Option<Self> {
        let RuleView {
            pattern,
            source,
            line,
            column,
            effect,
            scope,
            ..
        } = table.rule(rank)?;
        Some(Self {
            index: Some(rank),
            effect,
            pattern: Cow::Borrowed(pattern),
            scope,
            source: Cow::Borrowed(source),
            line,
            column,
        })
    }

    /// An allow that no table holds.
    pub(crate) fn synthetic(pattern: Cow<'p, str>, scope: Scope) -> Self {
        Self {
            index: None,
            effect: Effect::Allow,
            pattern,
            scope: Some(scope),
            source: Cow::Borrowed(""),
            line: 0,
            column: 0,
        }
    }
}

/// A segment of a shell line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidingSegment {
    /// Its place in the line, from 0.
    pub index: u32,
    /// Its text.
    pub text: String,
    /// The view that met the rule: `raw`, `plain`, `base`.
    pub view: &'static str,
}

/// What a reason says beyond the decision's other members: the closed templates of page 41.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The deciding rule.
    Rule,
    /// No rule.
    NoRule,
    /// A mode of the policy or the session.
    Mode(&'static str),
    /// Plan mode.
    PlanMode,
    /// A shell control operator.
    Operator(&'static str),
    /// A construct whose inside cannot be judged.
    Construct(&'static str),
    /// A write redirection to this target.
    Redirection(String),
    /// Arguments that cannot be judged.
    Malformed(String),
    /// A rule learned in this session.
    Learned,
    /// A settings source that cannot be read.
    BrokenSource(String),
}

impl Decision<'_> {
    /// The reason, for people.
    pub fn reason(&self) -> String {
        match &self.cause {
            Cause::Rule => self.rule_reason(),
            Cause::NoRule => format!("no rule matches {}", self.tool),
            Cause::Mode(mode) => format!("mode {mode}"),
            Cause::PlanMode => format!("plan mode: {} may change the workspace", self.tool),
            Cause::Operator(operator) => format!("shell control operator {operator} is not allowed here"),
            Cause::Construct(construct) => format!("{construct} may hide another command"),
            Cause::Redirection(target) => format!("write redirection to {target} is not covered by an allow"),
            Cause::Malformed(what) => format!("arguments cannot be judged: {what}"),
            Cause::Learned => "learned in this session".to_string(),
            Cause::BrokenSource(source) => {
                format!("{source} cannot be read; decisions from lower scopes ask until it can")
            }
        }
    }

    fn rule_reason(&self) -> String {
        let named = match &self.rule {
            Some(rule) if !rule.pattern.is_empty() || rule.scope.is_none() => &*rule.pattern,
            Some(_) | None => self.tool.as_str(),
        };
        match self.effect {
            Effect::Deny => format!("denied by rule {named}"),
            Effect::Ask => format!("approval required by rule {named}"),
            Effect::Allow => format!("allowed by rule {named}"),
        }
    }

    /// The decision as one JSON record: members in page 41's order, no insignificant space.
    pub fn to_json(&self) -> String {
        let mut record = Record(String::from("{"));
        record.text("effect", self.effect.name());
        record.text("tool", &self.tool);
        record.text("canonical_tool", &self.canonical_tool);
        record.text("action", &self.action);
        record.text("reason", &self.reason());
        record.text("provenance", self.provenance.name());
        record.raw(
            "rule",
            &self.rule.as_ref().map_or_else(null, DecidingRule::record),
        );
        record.raw(
            "segment",
            &self.segment.as_ref().map_or_else(null, DecidingSegment::record),
        );
        record.flag("configured_ask", self.configured_ask);
        record.flag("floored_configured_allow", self.floored_configured_allow);
        record.text("policy", &self.policy.to_string());
        record.close()
    }

    /// The same decision, independent of the policy it came from.
    pub fn into_owned(self) -> Decision<'static> {
        Decision {
            rule: self.rule.map(DecidingRule::into_owned),
            ..self
        }
    }
}

impl DecidingRule<'_> {
    fn into_owned(self) -> DecidingRule<'static> {
        DecidingRule {
            pattern: Cow::Owned(self.pattern.into_owned()),
            source: Cow::Owned(self.source.into_owned()),
            ..self
        }
    }

    fn record(&self) -> String {
        let mut record = Record(String::from("{"));
        record.raw("index", &self.index.map_or_else(null, |index| index.to_string()));
        record.text("effect", self.effect.name());
        record.text("pattern", &self.pattern);
        match self.scope {
            Some(scope) => record.text("scope", scope.name()),
            None => record.raw("scope", "null"),
        }
        record.text("source", &self.source);
        record.raw("line", &self.line.to_string());
        record.raw("column", &self.column.to_string());
        record.close()
    }
}

impl DecidingSegment {
    fn record(&self) -> String {
        let mut record = Record(String::from("{"));
        record.raw("index", &self.index.to_string());
        record.text("text", &self.text);
        record.text("view", self.view);
        record.close()
    }
}

fn null() -> String {
    String::from("null")
}

/// A JSON object under construction.
struct Record(String);

impl Record {
    fn name(&mut self, name: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        push_string(name, &mut self.0);
        self.0.push(':');
    }

    fn raw(&mut self, name: &str, value: &str) {
        self.name(name);
        self.0.push_str(value);
    }

    fn text(&mut self, name: &str, value: &str) {
        self.name(name);
        push_string(value, &mut self.0);
    }

    fn flag(&mut self, name: &str, value: bool) {
        self.raw(name, if value { "true" } else { "false" });
    }

    fn close(mut self) -> String {
        self.0.push('}');
        self.0
    }
}
