//! A decision as engines are compared: page 41's record without the reason's words and the table's digest.

use callgate_runtime::rule::{Effect, Provenance, Scope};

/// The whole answer to one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The effect.
    pub effect: Effect,
    /// Why.
    pub provenance: Provenance,
    /// The tool as looked up.
    pub canonical_tool: String,
    /// The action as judged.
    pub action: String,
    /// The deciding rule.
    pub rule: Option<NamedRule>,
    /// The shell segment that decided.
    pub segment: Option<NamedSegment>,
    /// The ask is somebody's deliberate rule.
    pub configured_ask: bool,
    /// The floor is the only reason for the ask, over configured allows.
    pub floored_configured_allow: bool,
}

/// The rule that an answer names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRule {
    /// What it says.
    pub effect: Effect,
    /// Its pattern's text.
    pub pattern: String,
    /// Its scope, in the layered dialect.
    pub scope: Option<Scope>,
    /// Where it was written.
    pub place: Place,
}

/// Where a rule was written; nothing where no file wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The source's name.
    pub source: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// The segment that an answer names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSegment {
    /// Its place in the line, from 0.
    pub index: usize,
    /// Its text.
    pub text: String,
    /// The view that met the rule.
    pub view: &'static str,
}

impl Answer {
    /// An answer that no rule and no segment gives.
    pub(super) fn plain(effect: Effect, provenance: Provenance, canonical_tool: &str, action: &str) -> Self {
        Self {
            effect,
            provenance,
            canonical_tool: canonical_tool.to_owned(),
            action: action.to_owned(),
            rule: None,
            segment: None,
            configured_ask: false,
            floored_configured_allow: false,
        }
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}", self.effect.name(), self.provenance.name())?;
        if let Some(rule) = &self.rule {
            write!(f, ", rule {:?}", rule.pattern)?;
            if let Some(scope) = rule.scope {
                write!(f, " of {}", scope.name())?;
            }
            let Place { source, line, column } = &rule.place;
            if !source.is_empty() {
                write!(f, " at {source}:{line}:{column}")?;
            }
        }
        if let Some(NamedSegment { index, text, view }) = &self.segment {
            write!(f, ", segment {index} {text:?} by {view}")?;
        }
        for (name, value) in [
            ("configured_ask", self.configured_ask),
            ("floored_configured_allow", self.floored_configured_allow),
        ] {
            if value {
                write!(f, ", {name}")?;
            }
        }
        write!(f, ", as {:?} {:?})", self.canonical_tool, self.action)
    }
}
