//! The interceptor's machine and a host's handlers to one future that runs a tool call.
//!
//! Runtime-agnostic: only `core::future`. Dropping the future is cancellation; nothing of the call runs after that.

use alloc::boxed::Box;
use alloc::string::String;
use core::future::Future;
use core::future::ready;

use crate::call::{Arguments, Call};
use crate::decision::Decision;
use crate::interceptor::{
    Action, Answer, Disposition, Escalation, Event, GateAnswer, GateDenied, Interceptor, Raised,
    ToolArguments, ToolCall, ToolInvocation,
};
use crate::permit::Permit;
use crate::plan::{HandlerId, SecurityCheck, ToolInterceptorPlan};

/// What a host does for a call. Only [`invoke`](Self::invoke) must be written; what the others answer by default is what
/// a host without such a control answers: there is no gate, there is nobody to ask, a handler that nobody knows denies.
pub trait Handlers {
    /// The host's argument mapping.
    type Arguments: ToolArguments;
    /// What tools return.
    type Value;
    /// How handlers and tools fail.
    type Error;

    /// The session gate.
    fn gate(
        &self,
        invocation: ToolInvocation<'_, Self::Arguments>,
    ) -> impl Future<Output = GateAnswer<Self::Error>> {
        let _ = invocation;
        ready(GateAnswer::Passed)
    }

    /// Keeps a record of a call that the gate did not let pass.
    fn record(&self, denied: &GateDenied<Self::Error>) {
        let _ = denied;
    }

    /// Sees a call that passed the gate. Decides nothing.
    fn observe(&self, invocation: ToolInvocation<'_, Self::Arguments>) {
        let _ = invocation;
    }

    /// Asks the policy, for instance by [`Policy::permit`](crate::Policy::permit). The host adds to the call what it
    /// knows of the session. `None`: there is no policy at hand, and the call is refused.
    fn judge(&self, call: Call<'_>) -> Option<Result<Permit, Box<Decision<'_>>>> {
        let _ = call;
        None
    }

    /// Asks somebody about an `ask` of the policy.
    fn escalate(
        &self,
        decision: &Decision<'_>,
        call: ToolCall<'_, Self::Arguments>,
    ) -> impl Future<Output = Escalation<Self::Arguments, Self::Error>> {
        let _ = (decision, call);
        ready(Escalation::NoHandler)
    }

    /// Runs a security handler of the plan.
    fn check(
        &self,
        handler: &HandlerId,
        call: ToolCall<'_, Self::Arguments>,
    ) -> impl Future<Output = Answer<Self::Arguments, Self::Error>> {
        let _ = (handler, call);
        ready(Answer::WrongType)
    }

    /// Runs a transform of the plan.
    fn transform(
        &self,
        handler: &HandlerId,
        call: ToolCall<'_, Self::Arguments>,
    ) -> impl Future<Output = Answer<Self::Arguments, Self::Error>> {
        let _ = (handler, call);
        ready(Answer::WrongType)
    }

    /// Holds the final arguments against the tool's schema.
    fn validate(&self, call: ToolCall<'_, Self::Arguments>) -> impl Future<Output = Result<(), Self::Error>> {
        let _ = call;
        ready(Ok(()))
    }

    /// Runs the tool. Called at most once for a call, and only after everything before admitted it.
    fn invoke(
        &self,
        call: ToolCall<'_, Self::Arguments>,
    ) -> impl Future<Output = Result<Self::Value, Self::Error>>;

    /// Runs a post handler of the plan.
    fn post(
        &self,
        handler: &HandlerId,
        call: ToolCall<'_, Self::Arguments>,
        result: &Self::Value,
    ) -> impl Future<Output = Result<Option<Self::Value>, Self::Error>> {
        let _ = (handler, call, result);
        ready(Ok(None))
    }

    /// Tells an error handler of the plan.
    fn on_error(
        &self,
        handler: &HandlerId,
        call: ToolCall<'_, Self::Arguments>,
        error: &Self::Error,
    ) -> impl Future<Output = Disposition<Self::Value, Self::Error>> {
        let _ = (handler, call, error);
        ready(Disposition::Reraise)
    }
}

/// How a call ended without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped<'p, E> {
    /// The session gate did not let it pass.
    Refused(GateDenied<E>),
    /// It was denied or failed.
    Raised(Raised<'p, E>),
}

impl<E> Stopped<'_, E> {
    /// A denial in the shape of a tool's error, for the agent loop; `None` for whatever is no denial.
    pub fn to_tool_error(&self, tool: &str) -> Option<String> {
        match self {
            Self::Refused(denied) => Some(denied.to_tool_error()),
            Self::Raised(raised) => raised.to_tool_error(tool),
        }
    }
}

/// Runs one call of the plan's tool through everything of page 50, in its order.
pub async fn invoke<'h, H: Handlers>(
    handlers: &'h H,
    plan: &ToolInterceptorPlan,
    arguments: &H::Arguments,
    branch_id: Option<&str>,
) -> Result<H::Value, Stopped<'h, H::Error>> {
    let mut machine = Interceptor::new(plan, arguments);
    if let Some(branch_id) = branch_id {
        machine = machine.on_branch(branch_id);
    }
    let mut event = Event::Begin;
    loop {
        event = match machine.step(event) {
            Action::Gate(invocation) => {
                let answer = handlers.gate(invocation).await;
                if let GateAnswer::Passed = answer {
                    handlers.observe(invocation);
                }
                Event::Gated(answer)
            }
            Action::CheckSecurity(index, call) => match plan.security_pre.get(index) {
                Some(SecurityCheck::Policy(_)) => judge(handlers, &call),
                Some(SecurityCheck::Handler(handler)) => Event::Answered(handlers.check(handler, call).await),
                None => Event::Answered(Answer::WrongType),
            },
            Action::Escalate(decision, call) => Event::Escalated(handlers.escalate(decision, call).await),
            Action::Transform(index, call) => Event::Answered(match plan.transforms.get(index) {
                Some(handler) => handlers.transform(handler, call).await,
                None => Answer::WrongType,
            }),
            Action::Validate(call) => Event::Validated(handlers.validate(call).await),
            Action::Invoke(call) => Event::Invoked(handlers.invoke(call).await),
            Action::Post(index, call, result) => Event::Posted(match plan.post.get(index) {
                Some(handler) => handlers.post(handler, call, result).await,
                None => Ok(None),
            }),
            Action::OnError(index, call, error) => Event::Handled(match plan.on_error.get(index) {
                Some(handler) => handlers.on_error(handler, call, error).await,
                None => Disposition::WrongType,
            }),
            Action::Return(value) => return Ok(value),
            Action::Refuse(denied) => {
                handlers.record(&denied);
                return Err(Stopped::Refused(denied));
            }
            Action::Raise(raised) => return Err(Stopped::Raised(raised)),
        };
    }
}

fn judge<'h, H: Handlers>(
    handlers: &'h H,
    call: &ToolCall<'_, H::Arguments>,
) -> Event<'h, H::Arguments, H::Value, H::Error> {
    let text = call.arguments.to_json();
    match handlers.judge(Call::new(call.tool, Arguments::parse(&text))) {
        Some(judged) => Event::Judged(judged),
        None => Event::NoPolicy,
    }
}
