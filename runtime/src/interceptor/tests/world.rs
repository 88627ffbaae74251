//! A small world for the machine: two argument mappings, numbered results and errors, and scripts of choices.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::call::{Arguments, Call};
use crate::decision::{Cause, Decision};
use crate::interceptor::{Raised, Stage, ToolArguments};
use crate::permit::Permit;
use crate::plan::{HandlerId, PolicyIdentity, SecurityCheck, ToolInterceptorPlan};
use crate::rule::{Effect, Provenance};
use crate::table::Digest;

pub(super) const TOOL: &str = "tool";
pub(super) const POLICY: Digest = Digest([7; 32]);
pub(super) const FIRST_RESULT: u8 = 10;
pub(super) const REPLACED_ERROR: u8 = 50;

/// One of two mappings; replacing one gives the other, so that two replacements in a row give the first one back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Args(pub(super) bool);

impl Args {
    pub(super) fn other(self) -> Self {
        Self(!self.0)
    }
}

impl ToolArguments for Args {
    fn to_json(&self) -> Cow<'_, str> {
        Cow::Borrowed(if self.0 {
            r#"{"action":"b"}"#
        } else {
            r#"{"action":"a"}"#
        })
    }

    fn action(&self) -> Cow<'_, str> {
        Cow::Borrowed(if self.0 { "b" } else { "a" })
    }
}

/// How long the lists of a plan are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) policy: bool,
    pub(super) n_handlers: usize,
    pub(super) n_transforms: usize,
    pub(super) n_post: usize,
    pub(super) n_error_handlers: usize,
}

impl Shape {
    /// How many checks the security chain has.
    pub(super) fn n_checks(self) -> usize {
        self.n_handlers + usize::from(self.policy)
    }

    pub(super) fn plan(self) -> ToolInterceptorPlan {
        let handlers = |count: usize| (0..count).map(|i| HandlerId(alloc::format!("{i}")));
        let policy = self
            .policy
            .then_some(SecurityCheck::Policy(PolicyIdentity::Table(POLICY)));
        ToolInterceptorPlan {
            tool_name: String::from(TOOL),
            security_pre: policy
                .into_iter()
                .chain(handlers(self.n_handlers).map(SecurityCheck::Handler))
                .collect(),
            transforms: handlers(self.n_transforms).collect(),
            post: handlers(self.n_post).collect(),
            on_error: handlers(self.n_error_handlers).collect(),
        }
    }
}

/// A path through a tree of choices: at each point what is chosen, out of how many.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    pub(super) choices: Vec<(usize, usize)>,
    at: usize,
}

impl Script {
    /// The script's choice out of `options` at the point it has come to.
    pub(super) fn choose<T: Copy>(&mut self, options: &[T]) -> T {
        let (choice, among) = self.choices[self.at];
        assert_eq!(among, options.len(), "choice {} of {:?}", self.at, self.choices);
        self.at += 1;
        options[choice]
    }

    pub(super) fn rewind(&mut self) {
        self.at = 0;
    }

    /// Whether every choice of the path was taken.
    pub(super) fn is_used_up(&self) -> bool {
        self.at == self.choices.len()
    }
}

/// What a gate can answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gate {
    Pass,
    Deny,
    Fail,
    Cancel,
}

pub(super) const GATE: [Gate; 4] = [Gate::Pass, Gate::Deny, Gate::Fail, Gate::Cancel];

/// What a policy can answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judged {
    Allow,
    Ask,
    Deny,
    Fail,
    WrongType,
    Missing,
    Cancel,
}

pub(super) const POLICY_ANSWERS: [Judged; 7] = [
    Judged::Allow,
    Judged::Ask,
    Judged::Deny,
    Judged::Fail,
    Judged::WrongType,
    Judged::Missing,
    Judged::Cancel,
];

/// What somebody who is asked can answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Asked {
    Yes,
    Equal,
    Other,
    No,
    Nobody,
    Fail,
    Cancel,
}

pub(super) const ASKED: [Asked; 7] = [
    Asked::Yes,
    Asked::Equal,
    Asked::Other,
    Asked::No,
    Asked::Nobody,
    Asked::Fail,
    Asked::Cancel,
];

/// What a handler that may replace arguments or a result can answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    None,
    Equal,
    Replace,
    Fail,
    WrongType,
    Cancel,
}

pub(super) const HANDLER: [Outcome; 6] = [
    Outcome::None,
    Outcome::Equal,
    Outcome::Replace,
    Outcome::Fail,
    Outcome::WrongType,
    Outcome::Cancel,
];
/// Any result is a result, so a post handler has no wrong type.
pub(super) const POST: [Outcome; 5] = [
    Outcome::None,
    Outcome::Equal,
    Outcome::Replace,
    Outcome::Fail,
    Outcome::Cancel,
];
/// An error has nothing that is equal to it.
pub(super) const ERROR_HANDLER: [Outcome; 5] = [
    Outcome::None,
    Outcome::Replace,
    Outcome::Fail,
    Outcome::WrongType,
    Outcome::Cancel,
];
pub(super) const PLAIN: [Outcome; 3] = [Outcome::None, Outcome::Fail, Outcome::Cancel];

/// What was done to the world, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seen {
    Gate(Args),
    Check(usize, Args),
    Escalate(Args),
    Transform(usize, Args),
    Validate(Args),
    Invoke(Args),
    Post(usize, Args, u8),
    OnError(usize, Args, u8),
}

/// How a call ended, in the words of the algorithm's source.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    Returned(u8),
    GateDenied { failed: bool },
    Raised(Exception),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Exception {
    Denied,
    NotApproved(Option<u8>),
    ControlUnavailable,
    PolicyUnavailable,
    Permission,
    SecurityFailed(usize, u8),
    TransformFailed(usize, u8),
    Type,
    Invalid(u8),
    /// The original error, and places of the handlers that failed.
    Failed(u8, Vec<usize>),
    Cancelled,
    Protocol,
}

impl From<Raised<'_, u8>> for Exception {
    fn from(raised: Raised<'_, u8>) -> Self {
        match raised {
            Raised::Denied(_) => Self::Denied,
            Raised::NotApproved { error, .. } => Self::NotApproved(error),
            Raised::ControlUnavailable(_) => Self::ControlUnavailable,
            Raised::PolicyUnavailable => Self::PolicyUnavailable,
            Raised::ArgumentsChanged { .. } => Self::Permission,
            Raised::Security { index, error } => Self::SecurityFailed(index, error),
            Raised::Transform { index, error } => Self::TransformFailed(index, error),
            Raised::WrongType {
                stage: Stage::Security | Stage::Transform,
                ..
            } => Self::Type,
            Raised::Validation(error) => Self::Invalid(error),
            Raised::Invocation { error, secondary } => {
                Self::Failed(error, secondary.into_iter().map(|failed| failed.index).collect())
            }
            Raised::Cancelled => Self::Cancelled,
            Raised::Protocol(_) => Self::Protocol,
        }
    }
}

/// A decision on a call of the tool, as a policy would make it.
pub(super) fn decision(effect: Effect) -> Decision<'static> {
    Decision {
        effect,
        tool: String::new(),
        canonical_tool: String::new(),
        action: String::new(),
        cause: Cause::NoRule,
        provenance: Provenance::Default,
        rule: None,
        segment: None,
        configured_ask: false,
        floored_configured_allow: false,
        policy: POLICY,
    }
}

/// What a policy says to these arguments when it says `effect`.
pub(super) fn judged(args: Args, effect: Effect) -> Result<Permit, Box<Decision<'static>>> {
    let text = args.to_json();
    Permit::made_up(&Call::new(TOOL, Arguments::parse(&text)), decision(effect))
}
