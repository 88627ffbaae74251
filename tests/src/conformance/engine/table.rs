//! The native runtime as an engine: it loads the table's bytes and never sees the policy's text.

use std::collections::BTreeSet;

use callgate_runtime::decision::DecidingRule;
use callgate_runtime::eval::learnable;
use callgate_runtime::json::push_string;
use callgate_runtime::layered::Learned;
use callgate_runtime::{Arguments, Call, Decision, Policy};

use super::{Engine, Evaluator};
use crate::conformance::policy::CompiledPolicy;
use crate::oracle::{Answer, CallText, NamedRule, NamedSegment, Place};

/// The native runtime.
#[derive(Clone, Copy, Debug)]
pub struct Table;

/// Most rules that one session learns (page 30).
const MOST_LEARNED: usize = 256;

impl Engine for Table {
    fn name(&self) -> &'static str {
        "table"
    }

    fn load<'p>(&self, policy: &'p CompiledPolicy) -> Result<Box<dyn Evaluator + 'p>, String> {
        let loaded = Policy::from_bytes(policy.bytes.clone()).map_err(|error| error.to_string())?;
        Ok(Box::new(loaded))
    }

    fn learnable(&self, call: &CallText) -> Option<String> {
        learnable(&runtime_call(call)).ok().map(|(_, pattern)| pattern)
    }
}

impl Evaluator for Policy {
    fn decide(&self, call: &CallText, learned: &[CallText]) -> Result<Answer, String> {
        let mut session = Session::default();
        for call in learned {
            session.learn(call);
        }
        let record = record(call);
        let call = runtime_call(call);
        match Call::parse(&record) {
            Ok(read) if read != call => Err(format!("the record {record} reads as {read:?}")),
            Ok(_) | Err(_) => Ok(answer_of(&self.decide_with(&call, Some(&session)))),
        }
    }
}

/// A decision of the runtime as engines are compared.
pub fn answer_of(decision: &Decision<'_>) -> Answer {
    Answer {
        effect: decision.effect,
        provenance: decision.provenance,
        canonical_tool: decision.canonical_tool.clone(),
        action: decision.action.clone(),
        rule: decision.rule.as_ref().map(named),
        segment: decision.segment.as_ref().map(|segment| NamedSegment {
            index: usize::try_from(segment.index).unwrap_or(usize::MAX),
            text: segment.text.clone(),
            view: segment.view,
        }),
        configured_ask: decision.configured_ask,
        floored_configured_allow: decision.floored_configured_allow,
    }
}

fn named(rule: &DecidingRule<'_>) -> NamedRule {
    // Without a source there is no place, whatever numbers stand beside it.
    let place = match &*rule.source {
        "" => Place::default(),
        source => Place {
            source: source.to_owned(),
            line: rule.line,
            column: rule.column,
        },
    };
    NamedRule {
        effect: rule.effect,
        pattern: rule.pattern.to_string(),
        scope: rule.scope,
        place,
    }
}

fn runtime_call(call: &CallText) -> Call<'_> {
    let mut read = Call::new(&call.tool, Arguments::parse(&call.args));
    if let Some(action) = &call.action {
        read.action.clone_from(action);
    }
    read.audience = call.audience;
    read.mode = call.mode;
    read
}

/// The call as page 41's record. Where the arguments are broken JSON it may be none.
pub(in crate::conformance) fn record(call: &CallText) -> String {
    let mut record = String::from("{\"tool\":");
    push_string(&call.tool, &mut record);
    if let Some(action) = &call.action {
        record.push_str(",\"action\":");
        push_string(action, &mut record);
    }
    let (audience, mode) = (call.audience.name(), call.mode.name());
    record.push_str(&format!(
        ",\"args\":{},\"audience\":\"{audience}\",\"mode\":\"{mode}\"}}",
        call.args
    ));
    record
}

/// What one session has learned.
#[derive(Default)]
struct Session(BTreeSet<(String, String)>);

impl Session {
    fn learn(&mut self, call: &CallText) {
        if let Ok(rule) = learnable(&runtime_call(call))
            && self.0.len() < MOST_LEARNED
        {
            self.0.insert(rule);
        }
    }
}

impl Learned for Session {
    fn has(&self, tool: &str, pattern: &str) -> bool {
        self.0.contains(&(tool.to_owned(), pattern.to_owned()))
    }
}
