//! Rule specs of the layered dialect: `Tool` or `Tool(pattern)`, through `rule_spec.pest`.

use crate::span::Span;

/// A tool, and the pattern its subject must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSpec {
    /// The tool; the legacy name `Bash` is already `Shell`.
    pub tool: String,
    /// The pattern, `prefix:*` and `prefix:` already `prefix*`; `None` for a spec that is a tool only.
    pub pattern: Option<String>,
    /// Where the tool stands in the spec's text, as written.
    pub tool_span: Span,
    /// Where the pattern stands in the spec's text, as written, without the parentheses.
    pub pattern_span: Option<Span>,
}

/// Why a text is no rule spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct RuleSpecError {
    /// What is wrong.
    pub kind: RuleSpecErrorKind,
    /// The bytes of the spec's text that are wrong.
    pub span: Span,
}

/// Everything that can be wrong with a rule spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleSpecErrorKind {
    /// Nothing but spaces.
    #[error("an empty rule")]
    Empty,
}

impl RuleSpecError {
    /// What to write instead, in one sentence.
    pub fn help(&self) -> String {
        String::new()
    }
}

/// Reads one rule spec.
pub fn parse(text: &str) -> Result<RuleSpec, RuleSpecError> {
    Err(RuleSpecError { kind: RuleSpecErrorKind::Empty, span: Span::new(0, text.len()) })
}
