//! How a call ends without a result, and what of it a model may be told.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

use crate::decision::Decision;
use crate::json::push_string;

/// The session gate did not let a call pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateDenied<E> {
    /// The tool's registered name.
    pub tool: String,
    /// The branch the call came from.
    pub branch_id: Option<String>,
    /// The gate's failure, where it failed instead of answering.
    pub error: Option<E>,
}

impl<E> GateDenied<E> {
    /// Why, for people and models.
    pub fn reason(&self) -> &'static str {
        match self.error {
            None => "denied by the session gate",
            Some(_) => "the session gate failed, which denies",
        }
    }

    /// The refusal in the shape of a tool's error, so that an agent loop can adapt:
    /// `{"error":"denied","tool":…,"reason":…}`.
    pub fn to_tool_error(&self) -> String {
        tool_error("denied", &self.tool, self.reason())
    }
}

/// Why a call was raised out of the machine. Everything but [`Invocation`](Self::Invocation) was before the tool ran or,
/// for [`Cancelled`](Self::Cancelled) and [`Protocol`](Self::Protocol), says nothing about whether it ran.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Raised<'p, E> {
    /// The policy denied.
    #[error("{}", .0.reason())]
    Denied(Box<Decision<'p>>),
    /// The policy asked, and the answer was not a yes.
    #[error("{}: not approved", decision.reason())]
    NotApproved {
        /// The ask.
        decision: Box<Decision<'p>>,
        /// The handler's failure, where it failed instead of answering.
        error: Option<E>,
    },
    /// The policy asked, and there was nobody to ask. Not a deny: nobody decided.
    #[error("{}: nobody can be asked", .0.reason())]
    ControlUnavailable(Box<Decision<'p>>),
    /// The plan has a policy, and the driver had none to ask.
    #[error("the policy cannot be asked")]
    PolicyUnavailable,
    /// A security check failed.
    #[error("security check {index} failed")]
    Security {
        /// Its place in the chain.
        index: usize,
        /// Its failure.
        error: E,
    },
    /// A security check gave other arguments in the second pass.
    #[error("security hook changed arguments during final validation")]
    ArgumentsChanged {
        /// Its place in the chain.
        index: usize,
    },
    /// A transform failed.
    #[error("transform {index} failed")]
    Transform {
        /// Its place.
        index: usize,
        /// Its failure.
        error: E,
    },
    /// A security check or a transform answered with neither nothing nor a mapping.
    #[error("interceptor must return a mapping or nothing")]
    WrongType {
        /// Which kind of handler.
        stage: Stage,
        /// Its place.
        index: usize,
    },
    /// The arguments do not satisfy the tool's schema.
    #[error("the arguments do not satisfy the tool's schema")]
    Validation(E),
    /// The tool or a post handler failed, and no handler replaced the result.
    #[error("the invocation failed")]
    Invocation {
        /// The original failure.
        error: E,
        /// Error handlers that failed in turn.
        secondary: Vec<Secondary<E>>,
    },
    /// The caller no longer wanted the call.
    #[error("cancelled")]
    Cancelled,
    /// The driver broke the protocol; the call is refused for good.
    #[error(transparent)]
    Protocol(#[from] ProtocolViolation),
}

/// The two kinds of handlers that may replace arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A security check.
    Security,
    /// A transform.
    Transform,
}

/// An error handler that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secondary<E> {
    /// Its place.
    pub index: usize,
    /// What was wrong.
    pub failure: Handling<E>,
}

/// What was wrong with an error handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handling<E> {
    /// It failed.
    Failed(E),
    /// It answered with something that is no disposition.
    WrongType,
}

/// An event that was not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the driver was asked for {asked} and came with {came}")]
pub struct ProtocolViolation {
    /// The event that was asked for.
    pub asked: &'static str,
    /// What came.
    pub came: &'static str,
}

impl<E> Raised<'_, E> {
    /// A denial in the shape of a tool's error, so that an agent loop can adapt: `"error"` is `denied`, or
    /// `control_unavailable` where nobody decided. A handler before the invocation that fails denies. `None` for whatever
    /// is no denial; what a model may know of a schema or of a tool's failure, the host knows.
    pub fn to_tool_error(&self, tool: &str) -> Option<String> {
        let denied = |reason: &str| Some(tool_error("denied", tool, reason));
        match self {
            Self::Denied(decision) => denied(&decision.reason()),
            Self::NotApproved { decision, .. } => denied(&[&*decision.reason(), ": not approved"].concat()),
            Self::ControlUnavailable(decision) => {
                let reason = [&*decision.reason(), ": nobody can be asked"].concat();
                Some(tool_error("control_unavailable", tool, &reason))
            }
            Self::PolicyUnavailable => Some(tool_error(
                "control_unavailable",
                tool,
                "the policy cannot be asked",
            )),
            Self::ArgumentsChanged { .. } => {
                denied("security hook changed arguments during final validation")
            }
            Self::Security { .. } => denied("a security check failed, which denies"),
            Self::Transform { .. } => denied("a hook before the call failed, which denies"),
            Self::WrongType { .. } => {
                denied("a handler returned neither a mapping nor nothing, which denies")
            }
            Self::Validation(_) | Self::Invocation { .. } | Self::Cancelled | Self::Protocol(_) => None,
        }
    }
}

fn tool_error(error: &str, tool: &str, reason: &str) -> String {
    let mut text = String::from("{\"error\":");
    push_string(error, &mut text);
    text.push_str(",\"tool\":");
    push_string(tool, &mut text);
    text.push_str(",\"reason\":");
    push_string(reason, &mut text);
    text.push('}');
    text
}
