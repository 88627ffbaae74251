//! What a driver did.

use alloc::boxed::Box;

use crate::decision::Decision;
use crate::permit::Permit;

/// What happened. Any event but the one that was asked for, and [`Cancelled`](Self::Cancelled), is a protocol violation.
#[derive(Debug, PartialEq)]
pub enum Event<'p, A, R, E> {
    /// The first event: nothing happened yet.
    Begin,
    /// The session gate answered.
    Gated(GateAnswer<E>),
    /// The policy decided: a permit, or a decision that is not an allow.
    Judged(Result<Permit, Box<Decision<'p>>>),
    /// There is no policy to ask although the plan has one.
    NoPolicy,
    /// A security handler or a transform answered. A policy can only fail so, not answer.
    Answered(Answer<A, E>),
    /// Whoever was asked answered.
    Escalated(Escalation<A, E>),
    /// The schema was consulted.
    Validated(Result<(), E>),
    /// The tool ran.
    Invoked(Result<R, E>),
    /// A post handler ran: a new result, or none.
    Posted(Result<Option<R>, E>),
    /// An error handler ran.
    Handled(Disposition<R, E>),
    /// The caller no longer wants the call.
    Cancelled,
}

/// The session gate's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateAnswer<E> {
    /// Yes, or there is no gate.
    Passed,
    /// Anything falsy.
    Denied,
    /// The gate failed, which denies.
    Failed(E),
}

/// What a security handler or a transform answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<A, E> {
    /// Nothing: the arguments stay.
    Keep,
    /// These arguments instead.
    Replace(A),
    /// Something that is neither nothing nor a mapping.
    WrongType,
    /// It failed, which denies.
    Failed(E),
}

/// What came of an escalation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Escalation<A, E> {
    /// Yes, to these arguments.
    Yes,
    /// Yes, to these arguments instead.
    Replace(A),
    /// Anything else, a no among it.
    No,
    /// There is nobody to ask.
    NoHandler,
    /// Asking failed.
    Failed(E),
}

/// What an error handler wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disposition<R, E> {
    /// The error stays: nothing, or `Reraise`.
    Reraise,
    /// `ReplaceResult`: this result instead of the error.
    ReplaceResult(R),
    /// Something that is no disposition; counts as a failed handler.
    WrongType,
    /// The handler failed.
    Failed(E),
}
