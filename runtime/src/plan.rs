//! A snapshot of a tool registry, a policy and declared handlers to one interceptor plan for every tool (page 50, *Plans
//! and binding*).
//!
//! Plans are made after everything is registered, discovered tools included, so no way of registering a tool gets around
//! the policy: what has no plan is not called.

mod set;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use thiserror::Error;

use crate::table::Digest;

pub use set::PlanSet;

/// What one tool's calls go through, in order. Handlers stand here by identity; the host calls them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolInterceptorPlan {
    /// The name as registered, kept for audit.
    pub tool_name: String,
    /// The security chain. The policy, where there is one, is the first check and the only one of its kind.
    pub security_pre: Vec<SecurityCheck>,
    /// What may replace arguments between the two security passes.
    pub transforms: Vec<HandlerId>,
    /// What may replace a result.
    pub post: Vec<HandlerId>,
    /// What hears of a failed invocation.
    pub on_error: Vec<HandlerId>,
}

/// One check of the security chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecurityCheck {
    /// The permission policy; answered by a permit or a decision.
    Policy(PolicyIdentity),
    /// A handler of the host.
    Handler(HandlerId),
}

/// Which policy a plan is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyIdentity {
    /// This very table: a permit of any other is refused.
    Table(Digest),
    /// The table that the host has loaded under this name at the moment of the check, for hosts that reload policies.
    Reloaded(String),
}

/// The identity of a handler: two are the same handler when their identities are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandlerId(pub String);

impl HandlerId {
    /// The identity of this name.
    pub fn new(name: &str) -> Self {
        Self(String::from(name))
    }
}

impl fmt::Display for HandlerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Handlers in declaration order, by the key they were declared under: `*`, a tool's name, or `<name>_tool`.
pub type HandlerMap = BTreeMap<String, Vec<HandlerId>>;

/// Everything that was declared for tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// Security checks beside the policy.
    pub security_pre: HandlerMap,
    /// Transforms.
    pub transforms: HandlerMap,
    /// Post handlers.
    pub post: HandlerMap,
    /// Error handlers.
    pub on_error: HandlerMap,
}

/// A tool as the registry has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredTool {
    /// Its name in the registry.
    pub name: String,
    /// Where it comes from.
    pub source: ToolSource,
    /// A preprocessor it was registered with: the first transform.
    pub preprocessor: Option<HandlerId>,
    /// A postprocessor it was registered with: the first post handler.
    pub postprocessor: Option<HandlerId>,
}

impl RegisteredTool {
    /// A tool without pre- and postprocessor.
    pub fn new(name: &str, source: ToolSource) -> Self {
        Self {
            name: String::from(name),
            source,
            preprocessor: None,
            postprocessor: None,
        }
    }
}

/// Where a tool comes from. It changes nothing about its plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolSource {
    /// Registered by the host.
    BuiltIn,
    /// Found on this server.
    Discovered(String),
}

/// One line of the coverage report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage<'s> {
    /// The tool's name as registered.
    pub name: &'s str,
    /// Where it comes from.
    pub source: &'s ToolSource,
    /// What its calls go through.
    pub plan: &'s ToolInterceptorPlan,
}

/// Why no plan, or no other plan, was made. Nothing was bound.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConstructionError {
    /// Two tools of the snapshot have one name.
    #[error("two tools are registered as `{0}`")]
    DuplicateTool(String),
    /// Two keys of one phase differ in case alone, so their order is nobody's.
    #[error("the handler keys `{0}` and `{1}` name the same tool")]
    CollidingKeys(String, String),
    /// The plans were sealed, and this tool would get another one.
    #[error("the plan of `{0}` is sealed and cannot be replaced")]
    PlanReplaced(String),
    /// The plans were sealed, and tools yet to come would get other ones.
    #[error("the plans are sealed: another policy or other handlers cannot replace theirs")]
    BindingReplaced,
    /// The tool was registered after binding, and not bound.
    #[error("`{0}` has no plan: it was registered after the others were bound")]
    NotBound(String),
    /// The plans are not complete yet.
    #[error("the plans are not sealed yet")]
    NotSealed,
    /// A document names a handler that the host did not register.
    #[error("no handler is registered as `{0}`")]
    UnknownHandler(String),
}

#[cfg(test)]
mod tests;
