//! What a driver is to do next.

use alloc::borrow::Cow;

use crate::decision::Decision;
use crate::interceptor::{GateDenied, Raised};

/// The next thing to do. Everything but the three endings is answered by the event named there.
#[derive(Debug, PartialEq)]
pub enum Action<'a, 'p, A, R, E> {
    /// Ask the session gate; without one it passes. Answered by `Event::Gated`.
    Gate(ToolInvocation<'a, A>),
    /// Run this check of the security chain. The policy is answered by `Event::Judged`, a handler by `Event::Answered`.
    CheckSecurity(usize, ToolCall<'a, A>),
    /// Somebody else must decide. Answered by `Event::Escalated`.
    Escalate(&'a Decision<'p>, ToolCall<'a, A>),
    /// Run this transform. Answered by `Event::Answered`.
    Transform(usize, ToolCall<'a, A>),
    /// Hold the arguments against the tool's schema. Answered by `Event::Validated`.
    Validate(ToolCall<'a, A>),
    /// Run the tool. Said at most once. Answered by `Event::Invoked`.
    Invoke(ToolCall<'a, A>),
    /// Show this post handler the result. Answered by `Event::Posted`.
    Post(usize, ToolCall<'a, A>, &'a R),
    /// Tell this error handler. Answered by `Event::Handled`.
    OnError(usize, ToolCall<'a, A>, &'a E),
    /// The end: the call's result.
    Return(R),
    /// The end: the gate did not let the call pass.
    Refuse(GateDenied<E>),
    /// The end: the call failed or was denied.
    Raise(Raised<'p, E>),
}

/// What the session gate is asked about.
#[derive(Debug, PartialEq, Eq)]
pub struct ToolInvocation<'a, A> {
    /// The tool's registered name.
    pub function: &'a str,
    /// The caller's arguments.
    pub arguments: &'a A,
    /// The branch the call comes from.
    pub branch_id: Option<&'a str>,
}

impl<A> Clone for ToolInvocation<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for ToolInvocation<'_, A> {}

/// What every handler sees of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall<'a, A> {
    /// The tool's registered name.
    pub tool: &'a str,
    /// The action, from the arguments as they are now.
    pub action: Cow<'a, str>,
    /// The arguments as they are now.
    pub arguments: &'a A,
}
