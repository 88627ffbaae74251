//! A tests document to its typed form: cases with their calls as data, invariants as parsed statements.

use callgate_grammar::rule_spec;
use callgate_grammar::{Mapping, Node, Reading, Span, Value};
use callgate_runtime::rule::{Audience, Effect, Mode};

use super::Lowering;
use super::suggestion::{nearest, quoted};
use crate::ir::{Case, CaseCall, Invariant, Quantifier, Spanned, Spec, Tests};
use crate::lints;

const KEYS: [&str; 3] = ["policy", "cases", "invariants"];
const CASE_KEYS: [&str; 6] = ["name", "call", "expect", "rule", "audience", "mode"];
const CALL_KEYS: [&str; 6] = ["tool", "action", "args", "audience", "mode", "workspace"];
const EFFECTS: [(&str, Effect); 4] = [
    ("allow", Effect::Allow),
    ("ask", Effect::Ask),
    ("escalate", Effect::Ask),
    ("deny", Effect::Deny),
];
const AUDIENCES: [(&str, Audience); 3] = [
    ("main", Audience::Main),
    ("subagent", Audience::Subagent),
    ("all", Audience::All),
];
const MODES: [(&str, Mode); 3] = [
    ("default", Mode::Default),
    ("plan", Mode::Plan),
    ("accept_edits", Mode::AcceptEdits),
];

/// What a case says of its call beside the call itself.
#[derive(Default)]
struct Session {
    audience: Option<Spanned<Audience>>,
    mode: Option<Spanned<Mode>>,
}

impl Lowering<'_, '_> {
    /// A tests document (page 70).
    pub(super) fn tests(&mut self, span: Span, mapping: &Mapping) -> Option<Tests> {
        let (mut policy, mut cases, mut invariants) = (None, Vec::new(), Vec::new());
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "policy" => policy = Some(self.text(value, "`policy`")),
                "cases" => cases = self.cases(value),
                "invariants" => invariants = self.invariants(value),
                _ => self.unknown_key(key, &KEYS, "a tests document"),
            }
        }
        let has = |name: &str| mapping.entries.iter().any(|entry| entry.key.scalar.text == name);
        if policy.is_none() {
            self.missing_key(
                span,
                "policy",
                "a tests document",
                "write the path of the policy, relative to this file",
            );
        }
        if !has("cases") && !has("invariants") {
            self.missing_key(
                span,
                "cases",
                "a tests document",
                "write `cases:` or `invariants:`",
            );
        }
        policy.flatten().map(|policy| Tests {
            policy,
            cases,
            invariants,
        })
    }

    fn cases(&mut self, node: &Node) -> Vec<Spanned<Case>> {
        let Some(sequence) = self.sequence(node, "`cases`") else {
            return Vec::new();
        };
        sequence.items.iter().filter_map(|item| self.case(item)).collect()
    }

    fn case(&mut self, node: &Node) -> Option<Spanned<Case>> {
        let mapping = self.mapping(node, "a case")?;
        let (mut name, mut call, mut expect, mut rule) = (None, None, None, None);
        let mut session = Session::default();
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "name" => name = self.text(value, "`name`"),
                "call" => call = Some(self.call(value, &mut session)),
                "expect" => expect = Some(self.word(value, "effect", &EFFECTS, &lints::UNKNOWN_VALUE)),
                "rule" => rule = self.nullable_text(value, "`rule`"),
                "audience" => {
                    let given = self.word(value, "audience", &AUDIENCES, &lints::UNKNOWN_VALUE);
                    self.once(&mut session.audience, given, "audience");
                }
                "mode" => {
                    let given = self.word(value, "mode", &MODES, &lints::UNKNOWN_VALUE);
                    self.once(&mut session.mode, given, "mode");
                }
                _ => self.unknown_key(key, &CASE_KEYS, "a case"),
            }
        }
        if call.is_none() {
            self.missing_key(
                node.span,
                "call",
                "a case",
                "write `call: {tool: NAME, args: {...}}` or `call: 'tool(text)'`",
            );
        }
        if expect.is_none() {
            self.missing_key(
                node.span,
                "expect",
                "a case",
                "write `expect: allow`, `ask` or `deny`",
            );
        }
        let Session { audience, mode } = session;
        let case = Case {
            name,
            call: call.flatten()?,
            expect: expect.flatten()?,
            rule,
            audience,
            mode,
        };
        Some(self.findings.place(case, node.span))
    }

    /// A member that the case and its call both have is said once.
    fn once<T>(&mut self, place: &mut Option<Spanned<T>>, given: Option<Spanned<T>>, what: &str) {
        let Some(given) = given else { return };
        if let Some(first) = place {
            let message = format!("`{what}` stands in the case and in its call");
            let words = (message, String::from("keep one of the two"));
            let (early, late) = if first.span <= given.span {
                (first.span, given.span)
            } else {
                (given.span, first.span)
            };
            self.findings.report_with(
                &lints::GIVEN_TWICE,
                late,
                words,
                (early, String::from("it stands here first")),
            );
        }
        *place = Some(given);
    }

    fn call(&mut self, node: &Node, session: &mut Session) -> Option<Spanned<CaseCall>> {
        let call = match &node.value {
            Value::Mapping(mapping) => self.full_call(node.span, mapping, session)?,
            Value::Scalar(_) | Value::Sequence(_) => {
                let text = self.text(node, "`call`")?;
                CaseCall::Spec(self.plain_spec(node, &text, &text.value)?)
            }
        };
        Some(self.findings.place(call, node.span))
    }

    fn full_call(&mut self, span: Span, mapping: &Mapping, session: &mut Session) -> Option<CaseCall> {
        let (mut tool, mut action, mut workspace) = (None, None, None);
        let mut args = Some(String::from("{}"));
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "tool" => tool = Some(self.text(value, "`tool`")),
                "action" => action = self.text(value, "`action`").map(|action| action.value),
                "workspace" => workspace = self.text(value, "`workspace`").map(|workspace| workspace.value),
                "args" => args = self.arguments(value),
                "audience" => {
                    let given = self.word(value, "audience", &AUDIENCES, &lints::UNKNOWN_VALUE);
                    self.once(&mut session.audience, given, "audience");
                }
                "mode" => {
                    let given = self.word(value, "mode", &MODES, &lints::UNKNOWN_VALUE);
                    self.once(&mut session.mode, given, "mode");
                }
                _ => self.unknown_key(key, &CALL_KEYS, "a call"),
            }
        }
        if tool.is_none() {
            self.missing_key(span, "tool", "a call", "write `tool: NAME`");
        }
        Some(CaseCall::Full {
            tool: tool.flatten()?.value,
            action,
            args: args?,
            workspace,
        })
    }

    /// The argument mapping as JSON text, in document order.
    fn arguments(&mut self, node: &Node) -> Option<String> {
        self.mapping(node, "`args`")?;
        let mut json = String::new();
        self.push_json(node, &mut json).then_some(json)
    }

    /// Appends `node` as JSON. Scalars that two parsers could read differently are reported; whether there was none.
    fn push_json(&mut self, node: &Node, json: &mut String) -> bool {
        match &node.value {
            Value::Mapping(mapping) => {
                let mut sound = true;
                json.push('{');
                for (index, entry) in mapping.entries.iter().enumerate() {
                    json.push_str(if index == 0 { "" } else { "," });
                    let key = self.key_text(&entry.key, "an argument's name");
                    sound &= key.is_some();
                    json.push_str(&json_string(&entry.key.scalar.text));
                    json.push(':');
                    sound &= self.push_json(&entry.value, json);
                }
                json.push('}');
                sound
            }
            Value::Sequence(sequence) => {
                let mut sound = true;
                json.push('[');
                for (index, item) in sequence.items.iter().enumerate() {
                    json.push_str(if index == 0 { "" } else { "," });
                    sound &= self.push_json(item, json);
                }
                json.push(']');
                sound
            }
            Value::Scalar(scalar) => {
                let plain_json = match scalar.reading() {
                    Reading::Text => false,
                    Reading::Null => scalar.text == "null",
                    Reading::Bool(_) => matches!(scalar.text.as_str(), "true" | "false"),
                    Reading::Integer | Reading::Float => is_json_number(&scalar.text),
                    Reading::Timestamp | Reading::Value | Reading::Merge => false,
                };
                if plain_json {
                    json.push_str(&scalar.text);
                    return true;
                }
                let text = self.text(node, "an argument");
                json.push_str(&json_string(&scalar.text));
                text.is_some()
            }
        }
    }

    fn invariants(&mut self, node: &Node) -> Vec<Spanned<Invariant>> {
        let Some(sequence) = self.sequence(node, "`invariants`") else {
            return Vec::new();
        };
        let mut invariants = Vec::new();
        for item in &sequence.items {
            let Some(text) = self.text(item, "an invariant") else {
                continue;
            };
            invariants.extend(self.invariant(item, &text).map(|invariant| text.with(invariant)));
        }
        invariants
    }

    fn invariant(&mut self, node: &Node, text: &Spanned<String>) -> Option<Invariant> {
        let (quantifier, rest) = word_of(&text.value);
        let (effect, rest) = word_of(rest);
        let Some((_, meant)) = EFFECTS.iter().find(|(name, _)| *name == effect) else {
            self.bad_invariant(
                text,
                &[
                    (quantifier, &["never", "always", "only"]),
                    (effect, &["allow", "ask", "deny"]),
                ],
            );
            return None;
        };
        let quantifier = match quantifier {
            "never" => Quantifier::Never,
            "always" => Quantifier::Always,
            "only" => {
                let specs: Option<Vec<Spec>> = top_level_parts(rest)
                    .map(|part| self.plain_spec(node, text, part))
                    .collect();
                return specs.map(|specs| Invariant::Only {
                    effect: *meant,
                    specs,
                });
            }
            _ => {
                self.bad_invariant(text, &[(quantifier, &["never", "always", "only"])]);
                return None;
            }
        };
        let spec = self.plain_spec(node, text, rest)?;
        Some(Invariant::Every {
            quantifier,
            effect: *meant,
            spec,
        })
    }

    fn bad_invariant(&mut self, text: &Spanned<String>, words: &[(&str, &[&str])]) {
        let near = words.iter().find_map(|(word, known)| {
            let near = nearest(word, known)?;
            (near != *word).then(|| format!("did you mean `{near}` instead of {}?", quoted(word)))
        });
        let help = near.unwrap_or_else(|| {
            String::from("write `never allow TOOL(PATTERN)`, `always deny TOOL(PATTERN)` or `only allow TOOL(PATTERN), TOOL`")
        });
        let message = format!("{} is no invariant", quoted(&text.value));
        self.findings
            .report(&lints::BAD_INVARIANT, text.span, message, help);
    }

    /// Tool and pattern of a spec with nothing rewritten: the policy's dialect is not known here.
    fn plain_spec(&mut self, node: &Node, whole: &Spanned<String>, part: &str) -> Option<Spec> {
        match rule_spec::parse(part) {
            Ok(parsed) => Some(Spec {
                text: part.trim().to_owned(),
                tool: parsed.tool_span.of(part).to_owned(),
                pattern: parsed.pattern_span.map(|span| span.of(part).to_owned()),
            }),
            Err(mut error) => {
                if let Some(offset) = whole.value.find(part).filter(|_| !part.is_empty()) {
                    error.span = Span::new(error.span.start + offset, error.span.end + offset);
                }
                self.bad_spec(node, whole, &error);
                None
            }
        }
    }
}

/// The first word, and the rest without the space before it.
fn word_of(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// The parts of a list that commas outside parentheses separate.
fn top_level_parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |character| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
}

fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether JSON and YAML both read this as the same number.
fn is_json_number(text: &str) -> bool {
    serde_json::from_str::<serde_json::Number>(text).is_ok()
}
