//! Lists of rule specs to typed rules of the layered dialect (pages 10 and 30).

use callgate_grammar::document::Key;
use callgate_grammar::rule_spec::{self, RuleSpecError};
use callgate_grammar::{Mapping, Node, Span, Value};
use callgate_runtime::rule::{Audience, Effect};

use super::suggestion::{quoted, single_quoted};
use super::{DIRECTIVE_KEYS, Lowering, is_null};
use crate::ir::{Layered, LayeredRule, Spanned};
use crate::lints::{self, comment_cut};

const KEYS: [&str; 4] = ["deny", "ask", "allow", "subagent"];
const SUBAGENT_KEYS: [&str; 3] = ["deny", "ask", "allow"];

impl Lowering<'_, '_> {
    /// A `permissions:` mapping of the layered dialect.
    pub(super) fn layered(&mut self, mapping: &Mapping) -> Layered {
        let mut layered = Layered::default();
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "deny" => self.specs(key, value, (Effect::Deny, Audience::All), &mut layered.rules),
                "ask" => self.specs(key, value, (Effect::Ask, Audience::Main), &mut layered.rules),
                "allow" => self.specs(key, value, (Effect::Allow, Audience::Main), &mut layered.rules),
                "subagent" => self.subagent(value, &mut layered.rules),
                name if DIRECTIVE_KEYS.contains(&name) => self.directive_in_permissions(key),
                _ => self.unknown_key(key, &KEYS, "`permissions`"),
            }
        }
        if let Some(first) = mapping.entries.first() {
            self.limit_rules(layered.rules.len(), first.key.span);
        }
        layered
    }

    fn subagent(&mut self, node: &Node, rules: &mut Vec<LayeredRule>) {
        if is_null(node) {
            return;
        }
        let Some(mapping) = self.mapping(node, "`subagent`") else {
            return;
        };
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            let effect = match key.scalar.text.as_str() {
                "deny" => Effect::Deny,
                "ask" => Effect::Ask,
                "allow" => Effect::Allow,
                name if DIRECTIVE_KEYS.contains(&name) => {
                    self.directive_in_permissions(key);
                    continue;
                }
                _ => {
                    self.unknown_key(key, &SUBAGENT_KEYS, "`subagent`");
                    continue;
                }
            };
            self.specs(key, value, (effect, Audience::Subagent), rules);
        }
    }

    fn specs(&mut self, key: &Key, node: &Node, binding: (Effect, Audience), rules: &mut Vec<LayeredRule>) {
        let name = &key.scalar.text;
        if matches!(node.value, Value::Mapping(_)) {
            let help = format!("write `{name}: ['Shell(git *)']`: this block is a list of rule specs");
            self.wrong_type(node, &quoted(name), "a list of rule specs", &help);
            return;
        }
        let Some(sequence) = self.sequence(node, &quoted(name)) else {
            return;
        };
        for item in &sequence.items {
            let Some(spec) = self.text(item, "a rule spec") else {
                continue;
            };
            let Some((tool, pattern)) = self.spec(item, &spec) else {
                continue;
            };
            let (effect, audience) = binding;
            rules.push(LayeredRule {
                effect,
                audience,
                spec,
                tool,
                pattern,
            });
        }
    }

    /// Tool and pattern of one spec, as the layered dialect rewrites them.
    fn spec(&mut self, node: &Node, spec: &Spanned<String>) -> Option<(String, String)> {
        if !spec.value.contains('(') && self.prose(&spec.value, spec.span) {
            return None;
        }
        let parsed = match rule_spec::parse(&spec.value) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.bad_spec(node, spec, &error);
                return None;
            }
        };
        let pattern = parsed.pattern.unwrap_or_default();
        self.prose(&pattern, spec.span);
        if parsed.tool.contains(['*', '?', '[']) {
            let message = format!(
                "{} is no tool: names are exact in this dialect",
                quoted(&parsed.tool)
            );
            let help = String::from("write the tool's exact name, one rule for each tool");
            self.findings
                .report(&lints::BAD_RULE_SPEC, spec.span, message, help);
            return None;
        }
        Some((parsed.tool, pattern))
    }

    /// Reports a text that is no rule spec, at the part that is wrong.
    pub(super) fn bad_spec(&mut self, node: &Node, spec: &Spanned<String>, error: &RuleSpecError) {
        let text = self.findings.text();
        let mut help = error.help();
        if let Value::Scalar(scalar) = &node.value
            && let Some(comment) = comment_cut::cutting(scalar, node.span, text, self.comments)
        {
            let whole = Span::new(node.span.start, comment.end).of(text);
            help = format!(
                "the `#` begins a comment: quote the rule, {}",
                single_quoted(whole)
            );
        }
        let message = format!("{} is no rule: {}", quoted(&spec.value), error.kind);
        let span = inner_span(spec, error.span, text);
        self.findings.report(&lints::BAD_RULE_SPEC, span, message, help);
    }
}

/// The bytes of the source under a part of a decoded text, where the text stands there as it is; else all of it.
fn inner_span(spec: &Spanned<String>, part: Span, text: &str) -> Span {
    let source = spec.span.of(text);
    match source.find(&spec.value) {
        Some(offset) if source.len() <= spec.value.len().saturating_add(2) => {
            let base = spec.span.start.saturating_add(offset);
            Span::new(base.saturating_add(part.start), base.saturating_add(part.end))
        }
        _ => spec.span,
    }
}
