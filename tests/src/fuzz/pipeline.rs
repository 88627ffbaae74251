//! Bytes as a policy and calls, through everything there is, beside the reference evaluator.

use callgate_compiler::{Kind, Options, Source, compile};
use callgate_runtime::rule::Mode;
use callgate_runtime::{Arguments, Call, Decision, Policy};

use crate::generate::{self, Choices, Size};
use crate::oracle::{self, Answer, NamedRule, NamedSegment, Place, RulesPolicy};

/// The source's name in everything that [`Pair`] compiles.
pub const NAME: &str = "policy.yaml";

/// One document, compiled and read by the reference.
pub struct Pair {
    /// The compiled policy.
    pub compiled: Policy,
    /// The reference.
    pub reference: RulesPolicy,
}

impl Pair {
    /// Both readings of `text`, which must be a sound document of the rules dialect.
    pub fn of(text: &str) -> Self {
        let options = Options {
            kind: Some(Kind::Permissions),
            ..Options::default()
        };
        let source = Source {
            name: NAME,
            bytes: text.as_bytes(),
        };
        let compilation = compile(&[source], &options);
        let Some(policy) = compilation.policy else {
            panic!(
                "a sound document is refused: {:?}\n{text}",
                compilation.diagnostics
            )
        };
        let compiled = Policy::from_bytes(policy.bytes).expect("what was compiled loads");
        let reference = oracle::permissions(NAME, text).expect("what compiles is read by the reference");
        Self { compiled, reference }
    }

    /// The one answer of both to a call; panics where they differ.
    pub fn answer(&self, call: &generate::CallText) -> Answer {
        let text = oracle::CallText {
            action: call.action.clone(),
            ..oracle::CallText::new(&call.tool, &call.arguments)
        };
        let mut one = Call::new(&call.tool, Arguments::parse(&call.arguments));
        if let Some(action) = &call.action {
            one.action.clone_from(action);
        }
        let decision = self.compiled.decide(&one);
        let wanted = self.reference.decide(&text);
        assert_eq!(answer_of(&decision), wanted, "{call:?}");
        if let Ok(whole) = Call::parse(&call.record) {
            assert_eq!(
                self.compiled.decide(&whole),
                decision,
                "the record is the call: {call:?}"
            );
        }
        let ends: Vec<&str> = wanted.rule.iter().map(|rule| rule.pattern.as_str()).collect();
        assert!(
            ends.iter().all(|pattern| decision.reason().ends_with(pattern)),
            "{}",
            decision.reason()
        );
        self.same_on_the_subject_alone(call, &decision);
        wanted
    }

    /// The short way of asking gives the same answer as the record, where the subject is in plain sight.
    fn same_on_the_subject_alone(&self, call: &generate::CallText, decision: &Decision<'_>) {
        let Ok(serde_json::Value::Object(members)) = serde_json::from_str(&call.arguments) else {
            return;
        };
        let name = match decision.canonical_tool.as_str() {
            "bash" => "command",
            "editor" => "file_path",
            "reader" => "path",
            _ => return,
        };
        if let (Some(serde_json::Value::String(subject)), Ok(_)) =
            (members.get(name), Call::parse(&call.record))
            && decision.provenance.name() != "malformed_arguments"
        {
            let verdict = self.compiled.decide_text(&call.tool, subject, Mode::Default);
            let rule = decision.rule.as_ref().and_then(|rule| rule.index);
            assert_eq!(
                (verdict.effect, verdict.provenance, verdict.rule),
                (decision.effect, decision.provenance, rule)
            );
        }
    }
}

/// A decision as the reference words it.
pub fn answer_of(decision: &Decision<'_>) -> Answer {
    Answer {
        effect: decision.effect,
        provenance: decision.provenance,
        canonical_tool: decision.canonical_tool.clone(),
        action: decision.action.clone(),
        rule: decision.rule.as_ref().map(|rule| NamedRule {
            effect: rule.effect,
            pattern: rule.pattern.to_string(),
            scope: rule.scope,
            place: Place {
                source: rule.source.to_string(),
                line: rule.line,
                column: rule.column,
            },
        }),
        segment: decision.segment.as_ref().map(|segment| NamedSegment {
            index: usize::try_from(segment.index).expect("a u32 fits"),
            text: segment.text.clone(),
            view: segment.view,
        }),
        configured_ask: decision.configured_ask,
        floored_configured_allow: decision.floored_configured_allow,
    }
}

/// Generates a policy from half the bytes and calls from the other half: the compiled table and the reference give one
/// answer to each.
pub fn pipeline(bytes: &[u8]) {
    let (for_policy, for_calls) = bytes.split_at(bytes.len() / 2);
    let policy = generate::policy(&mut Choices::new(for_policy), Size::Any);
    let pair = Pair::of(&policy.yaml());
    let mut choices = Choices::new(for_calls);
    for _ in 0..20 {
        let call = generate::call(&mut choices, &policy);
        pair.answer(&call);
        if choices.is_done() {
            break;
        }
    }
}
