//! Rule specs of the layered dialect: `Tool` or `Tool(pattern)`, through `rule_spec.pest` (page 10, ruling 29).
//!
//! Tool names are exact in this dialect. A name that looks like a pattern, or a text that is only almost a spec, is an
//! error: a deny that can never match must not load.

use pest::Parser as _;

use self::grammar::{Grammar, Rule};
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
    /// Where the pattern stands in the spec's text, as written, without the parentheses and the spaces inside them.
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
    /// Nothing, or nothing but spaces.
    #[error("the rule is empty")]
    Empty,
    /// `(pattern)`.
    #[error("a tool is missing before the parenthesis")]
    NoTool,
    /// `mcp__db__*`: names are exact.
    #[error("`{character}` in the name of a tool: names are exact and never match as patterns")]
    PatternInTool {
        /// `*`, `?` or `[`.
        character: char,
    },
    /// `Tool()`.
    #[error("the parentheses after `{tool}` are empty")]
    EmptyPattern {
        /// The tool.
        tool: String,
    },
    /// A `(` without its `)`.
    #[error("this parenthesis is never closed")]
    UnclosedParenthesis,
    /// A `)` without its `(`.
    #[error("this parenthesis closes nothing")]
    StrayParenthesis,
    /// Something after the tool or after its pattern.
    #[error("`{text}` stands after the end of the rule")]
    TrailingText {
        /// What stands there.
        text: String,
    },
}

impl RuleSpecError {
    /// What to write instead, in one sentence.
    pub fn help(&self) -> String {
        match &self.kind {
            RuleSpecErrorKind::Empty => "write `Tool` or `Tool(pattern)`, or remove the entry".to_owned(),
            RuleSpecErrorKind::NoTool => "write the tool's name first: `Shell(pattern)`".to_owned(),
            RuleSpecErrorKind::PatternInTool { .. } => {
                "write one rule for each tool, with its whole name; patterns go in parentheses: `Tool(pattern)`".to_owned()
            }
            RuleSpecErrorKind::EmptyPattern { tool } => {
                format!("write `{tool}` to mean every call of the tool, or a pattern between the parentheses")
            }
            RuleSpecErrorKind::UnclosedParenthesis => {
                "write `)` at the end; parentheses inside a pattern must come in pairs. If a `#` follows here, it began a \
                 comment: quote the rule"
                    .to_owned()
            }
            RuleSpecErrorKind::StrayParenthesis => {
                "remove it, or write the `(` that belongs to it; parentheses inside a pattern must come in pairs".to_owned()
            }
            RuleSpecErrorKind::TrailingText { .. } => {
                "write `Tool(pattern)` and nothing after it; the whole pattern goes between the parentheses".to_owned()
            }
        }
    }
}

/// The grammar. A module of its own keeps the rules that pest generates out of the public interface.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "rule_spec.pest"]
    pub(super) struct Grammar;
}

/// Reads one rule spec. Spaces around the spec, the tool and the pattern count for nothing. Linear in the length of the
/// text.
pub fn parse(text: &str) -> Result<RuleSpec, RuleSpecError> {
    let pairs = Grammar::parse(Rule::spec, text).map_err(|_| explain(text))?;
    let mut tool = Span::default();
    let mut pattern = None;
    for pair in pairs.flat_map(|spec| spec.into_inner()) {
        let span = Span::new(pair.as_span().start(), pair.as_span().end());
        match pair.as_rule() {
            Rule::tool => tool = span,
            Rule::pattern => pattern = Some(span),
            Rule::spec | Rule::tool_ch | Rule::blank | Rule::EOI => {}
        }
    }
    let pattern_span = pattern.map(|span| trimmed(text, span));
    if let Some(span) = pattern {
        check_parentheses(text, span.start.saturating_sub(1))?;
        if span.of(text).trim_matches(BLANKS).is_empty() {
            let kind = RuleSpecErrorKind::EmptyPattern {
                tool: tool.of(text).to_owned(),
            };
            let parentheses = Span::new(span.start.saturating_sub(1), span.end.saturating_add(1));
            return Err(RuleSpecError {
                kind,
                span: parentheses,
            });
        }
    }
    Ok(RuleSpec {
        tool: current_name(tool.of(text)).to_owned(),
        pattern: pattern_span.map(|span| with_star(span.of(text))),
        tool_span: tool,
        pattern_span,
    })
}

/// What the grammar calls `blank`.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// `Bash` is the old name of `Shell` in rules.
fn current_name(tool: &str) -> &str {
    if tool == "Bash" { "Shell" } else { tool }
}

/// `prefix:*` and `prefix:` mean `prefix*`.
fn with_star(pattern: &str) -> String {
    match pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(':')) {
        Some(prefix) => format!("{prefix}*"),
        None => pattern.to_owned(),
    }
}

/// `span` without the blanks at both ends.
fn trimmed(text: &str, span: Span) -> Span {
    let written = span.of(text);
    let start = span.start.saturating_add(
        written
            .len()
            .saturating_sub(written.trim_start_matches(BLANKS).len()),
    );
    let end = span.end.saturating_sub(
        written
            .len()
            .saturating_sub(written.trim_end_matches(BLANKS).len()),
    );
    Span::new(start, end)
}

/// Why `text`, which the grammar does not match, is no rule spec.
fn explain(text: &str) -> RuleSpecError {
    let whole = trimmed(text, Span::new(0, text.len()));
    if whole.of(text).is_empty() {
        return RuleSpecError {
            kind: RuleSpecErrorKind::Empty,
            span: Span::new(0, text.len()),
        };
    }
    for (at, character) in text.char_indices().skip_while(|(at, _)| *at < whole.start) {
        let here = Span::new(at, at.saturating_add(character.len_utf8()));
        match character {
            '*' | '?' | '[' => {
                return RuleSpecError {
                    kind: RuleSpecErrorKind::PatternInTool { character },
                    span: here,
                };
            }
            '(' if at == whole.start => {
                return RuleSpecError {
                    kind: RuleSpecErrorKind::NoTool,
                    span: here,
                };
            }
            ')' => {
                return RuleSpecError {
                    kind: RuleSpecErrorKind::StrayParenthesis,
                    span: here,
                };
            }
            '(' => {
                let unclosed = RuleSpecError {
                    kind: RuleSpecErrorKind::UnclosedParenthesis,
                    span: here,
                };
                return check_parentheses(text, at).err().unwrap_or(unclosed);
            }
            _ if BLANKS.contains(&character) => {
                let rest = trimmed(text, Span::new(at, text.len()));
                // Blanks may stand between the tool and its parenthesis.
                if !rest.of(text).starts_with('(') {
                    return trailing(text, rest);
                }
            }
            _ => {}
        }
    }
    // The grammar matches whatever comes here.
    trailing(text, whole)
}

/// That the `(` at byte `open` has its `)`, and only blanks come after that.
fn check_parentheses(text: &str, open: usize) -> Result<(), RuleSpecError> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match character {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let rest = trimmed(text, Span::new(at.saturating_add(1), text.len()));
            return if rest.of(text).is_empty() {
                Ok(())
            } else {
                Err(trailing(text, rest))
            };
        }
    }
    let span = Span::new(open, open.saturating_add(1));
    Err(RuleSpecError {
        kind: RuleSpecErrorKind::UnclosedParenthesis,
        span,
    })
}

fn trailing(text: &str, span: Span) -> RuleSpecError {
    if span.of(text).starts_with(')') {
        let span = Span::new(span.start, span.start.saturating_add(1));
        return RuleSpecError {
            kind: RuleSpecErrorKind::StrayParenthesis,
            span,
        };
    }
    let kind = RuleSpecErrorKind::TrailingText {
        text: span.of(text).to_owned(),
    };
    RuleSpecError { kind, span }
}

#[cfg(test)]
mod tests;
