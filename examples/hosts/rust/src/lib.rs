//! A decision table and a call to allow, ask or deny, decided by `callgate_eval.wasm` under wasmtime.
//!
//! For programs that want a sandbox around the evaluator, or to change it without being rebuilt; a Rust program that does
//! not links `callgate-runtime`. Nothing but the evaluator's own "allow" is an allow: every other end of a call is an
//! [`Error`], and [`Decision::effect_of`] reads an error as a deny. After a trap the instance's memory may be anything,
//! so it is never asked again.

#![forbid(unsafe_code)]

mod instance;

use serde_json::Value;
use thiserror::Error;

use instance::Instance;

/// Most bytes of a request; longer ones are an error without being read.
pub const MAX_REQUEST_BYTES: usize = 1 << 20;

/// Most bytes of a batch of requests.
const MAX_BATCH_BYTES: usize = 64 * MAX_REQUEST_BYTES;

/// What to do with a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// Do not make it.
    #[default]
    Deny,
    /// Put it before a person.
    Ask,
    /// Make it.
    Allow,
}

/// Which engine asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// The main engine.
    #[default]
    Main,
    /// A child engine.
    Subagent,
    /// Either.
    All,
}

/// The session's mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// No mode.
    #[default]
    Default,
    /// Nothing may change the workspace.
    Plan,
    /// Edits are allowed.
    AcceptEdits,
}

/// Why there is no decision. All of them are a deny.
#[derive(Debug, Error)]
pub enum Error {
    /// The module is no evaluator of this ABI.
    #[error("not an evaluator: {0}")]
    Module(String),
    /// The evaluator refused, with its negative code and its own words.
    #[error("{message} ({code})")]
    Refused {
        /// The ABI's code.
        code: i32,
        /// The evaluator's words.
        message: String,
    },
    /// The evaluator trapped, now or before, or ran for too long.
    #[error("the evaluator trapped")]
    Trapped,
    /// The request is longer than [`MAX_REQUEST_BYTES`].
    #[error("the request is too long")]
    TooLong,
    /// The answer cannot be read.
    #[error("the answer cannot be read")]
    Answer,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What to do.
    pub effect: Effect,
    /// The decision record, byte for byte.
    pub record: Vec<u8>,
}

/// The short answer of the fast path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What to do.
    pub effect: Effect,
    /// The deciding rule's index.
    pub rule: Option<u32>,
}

/// A loaded policy, by its handle. It belongs to the evaluator that loaded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy(i32);

impl Policy {
    /// The policy of a handle from elsewhere. Where nothing is loaded under it, every call is an error.
    pub fn of_handle(handle: i32) -> Self {
        Self(handle)
    }
}

impl Decision {
    /// What to do after `answer`: an error is a deny.
    pub fn effect_of(answer: &Result<Self, Error>) -> Effect {
        answer.as_ref().map_or(Effect::Deny, |decision| decision.effect)
    }

    fn read(record: Vec<u8>) -> Result<Self, Error> {
        let value: Value = serde_json::from_slice(&record).map_err(|_| Error::Answer)?;
        let effect = match value.get("effect").and_then(Value::as_str) {
            Some("allow") => Effect::Allow,
            Some("ask") => Effect::Ask,
            Some("deny") => Effect::Deny,
            Some(_) | None => return Err(Error::Answer),
        };
        Ok(Self { effect, record })
    }
}

/// One instance of the evaluator. Policies in it do not see each other.
pub struct Evaluator(Instance);

impl Evaluator {
    /// Compiles `callgate_eval.wasm` (some 100 ms) and starts it.
    pub fn new(module: &[u8]) -> Result<Self, Error> {
        Instance::new(module).map(Self)
    }

    /// Loads a decision table, as `callgate compile` writes it.
    pub fn load(&mut self, table: &[u8]) -> Result<Policy, Error> {
        self.0.load(table).map(Policy)
    }

    /// Frees the policy. Afterwards every call is an error.
    pub fn close(&mut self, policy: Policy) -> Result<(), Error> {
        self.0.free_policy(policy.0)
    }

    /// Decides one call record, JSON.
    pub fn decide(&mut self, policy: Policy, request: &[u8]) -> Result<Decision, Error> {
        within(request.len(), MAX_REQUEST_BYTES)?;
        Decision::read(self.0.decide(policy.0, request)?)
    }

    /// Decides many call records in one call of the evaluator; one answer for each, in their order.
    pub fn decide_many(
        &mut self,
        policy: Policy,
        requests: &[&[u8]],
    ) -> Result<Vec<Result<Decision, Error>>, Error> {
        let mut batch = Vec::new();
        for request in requests {
            within(request.len(), MAX_REQUEST_BYTES)?;
            let length = u32::try_from(request.len()).map_err(|_| Error::TooLong)?;
            batch.extend(length.to_le_bytes());
            batch.extend(*request);
        }
        within(batch.len(), MAX_BATCH_BYTES)?;
        let answers = self.0.decide_many(policy.0, &batch)?;
        let answers = split(&answers).ok_or(Error::Answer)?;
        if answers.len() != requests.len() {
            return Err(Error::Answer);
        }
        Ok(answers
            .into_iter()
            .map(|answer| Decision::read(answer.to_vec()))
            .collect())
    }

    /// Decides on a tool and its subject alone: the fast path. The copying and moving tools need [`Self::decide`].
    pub fn decide_text(
        &mut self,
        policy: Policy,
        tool: &str,
        subject: &str,
        audience: Audience,
        mode: Mode,
    ) -> Result<Verdict, Error> {
        within(tool.len().saturating_add(subject.len()), MAX_REQUEST_BYTES)?;
        let audience = match audience {
            Audience::Main => 0,
            Audience::Subagent => 1,
            Audience::All => 2,
        };
        let mode = match mode {
            Mode::Default => 0,
            Mode::Plan => 1,
            Mode::AcceptEdits => 2,
        };
        let code = self
            .0
            .decide_text(policy.0, tool, subject, audience | mode << 2)?;
        let effect = match code & 3 {
            0 => Effect::Deny,
            1 => Effect::Ask,
            2 => Effect::Allow,
            _ => return Err(Error::Answer),
        };
        Ok(Verdict {
            effect,
            rule: (code >> 2).checked_sub(1),
        })
    }

    /// Learns from a call, which names its session, that the user answered "allow always". The answer is JSON.
    pub fn learn(&mut self, policy: Policy, request: &[u8]) -> Result<Vec<u8>, Error> {
        within(request.len(), MAX_REQUEST_BYTES)?;
        self.0.learn(policy.0, request)
    }

    /// Forgets what a session learned.
    pub fn forget(&mut self, policy: Policy, session: &str) -> Result<(), Error> {
        self.0.forget(policy.0, session)
    }

    /// A call that does nothing but cross into the evaluator: what times are measured beside.
    pub fn abi_version(&mut self) -> Result<i32, Error> {
        self.0.abi_version()
    }
}

fn within(bytes: usize, most: usize) -> Result<(), Error> {
    if bytes > most { Err(Error::TooLong) } else { Ok(()) }
}

fn split(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut parts = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (part, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        parts.push(part);
        bytes = rest;
    }
    bytes.is_empty().then_some(parts)
}
