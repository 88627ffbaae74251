//! The machine: the one order of gate, security, transforms, validation, invocation, post and error handlers.
//!
//! INVARIANT: what was asked is taken out before an event is looked at, and something is asked again only where the event
//! was the one asked for. Whatever goes wrong in between leaves a machine that asks for nothing more.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::decision::Decision;
use crate::interceptor::{
    Action, Answer, Disposition, Escalation, Event, GateAnswer, GateDenied, Handling, ProtocolViolation,
    Raised, Secondary, Stage, ToolArguments, ToolCall, ToolInvocation,
};
use crate::permit::Permit;
use crate::plan::{PolicyIdentity, SecurityCheck, ToolInterceptorPlan};
use crate::rule::Effect;

/// One call on its way. `A` are arguments, `R` results, `E` errors of the host; `'p` is how long decisions live.
///
/// Not `Clone`, as a copy could run the tool again; only this crate's tests fork it, to walk trees of events.
#[derive(Debug)]
#[cfg_attr(test, derive(Clone))]
pub struct Interceptor<'p, A, R, E> {
    tool: String,
    branch_id: Option<String>,
    policy: Option<PolicyIdentity>,
    n_checks: usize,
    n_transforms: usize,
    n_post: usize,
    n_error_handlers: usize,
    arguments: A,
    /// A security check of the first pass replaced the arguments.
    security_changed: bool,
    /// The arguments that whoever was asked said yes to in this invocation.
    approved: Vec<A>,
    begun: bool,
    /// What the driver was asked to do; nothing before the beginning and after the end.
    asked: Option<Asked<'p, R, E>>,
    /// How the driver broke the protocol.
    broken: Option<ProtocolViolation>,
}

/// What the driver was asked to do, with what the machine has to remember meanwhile.
#[derive(Debug)]
#[cfg_attr(test, derive(Clone))]
enum Asked<'p, R, E> {
    Gate,
    Security {
        pass: Pass,
        index: usize,
    },
    Escalation {
        pass: Pass,
        decision: Box<Decision<'p>>,
    },
    Transform {
        index: usize,
    },
    Validation,
    Invocation,
    Post {
        index: usize,
        result: R,
    },
    ErrorHandler {
        index: usize,
        error: E,
        replacement: Option<R>,
        secondary: Vec<Secondary<E>>,
    },
}

/// The two security passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// On the caller's arguments; may replace them.
    First,
    /// On the final arguments; may only affirm them.
    Final,
}

enum Ending<'p, R, E> {
    Return(R),
    Refuse(GateDenied<E>),
    Raise(Raised<'p, E>),
}

type Next<'p, R, E> = Result<Asked<'p, R, E>, Ending<'p, R, E>>;

impl<'p, A: ToolArguments, R, E> Interceptor<'p, A, R, E> {
    /// A call of the plan's tool. The arguments are copied; nobody can change the copy.
    pub fn new(plan: &ToolInterceptorPlan, arguments: &A) -> Self {
        let policy = match plan.security_pre.first() {
            Some(SecurityCheck::Policy(identity)) => Some(identity.clone()),
            Some(SecurityCheck::Handler(_)) | None => None,
        };
        Self {
            tool: plan.tool_name.clone(),
            branch_id: None,
            policy,
            n_checks: plan.security_pre.len(),
            n_transforms: plan.transforms.len(),
            n_post: plan.post.len(),
            n_error_handlers: plan.on_error.len(),
            arguments: arguments.clone(),
            security_changed: false,
            approved: Vec::new(),
            begun: false,
            asked: None,
            broken: None,
        }
    }

    /// The branch the call comes from, for the gate.
    pub fn on_branch(mut self, branch_id: &str) -> Self {
        self.branch_id = Some(String::from(branch_id));
        self
    }

    /// Takes what happened and says what to do next. Bounded work; the number of steps of a call is bounded by its plan.
    pub fn step(&mut self, event: Event<'p, A, R, E>) -> Action<'_, 'p, A, R, E> {
        let next = match (self.broken, self.asked.take()) {
            (Some(violation), _) => Err(Ending::Raise(Raised::Protocol(violation))),
            (None, Some(asked)) => self.advance(asked, event),
            (None, None) if self.begun => Err(self.violation("nothing more", name_of(&event))),
            (None, None) => self.begin(event),
        };
        match next {
            Err(Ending::Return(result)) => Action::Return(result),
            Err(Ending::Refuse(denied)) => Action::Refuse(denied),
            Err(Ending::Raise(raised)) => Action::Raise(raised),
            Ok(asked) => self.ask(asked),
        }
    }

    fn ask(&mut self, asked: Asked<'p, R, E>) -> Action<'_, 'p, A, R, E> {
        let branch_id = self.branch_id.as_deref();
        let arguments = &self.arguments;
        let function = self.tool.as_str();
        let call = || ToolCall {
            tool: function,
            action: arguments.action(),
            arguments,
        };
        match self.asked.insert(asked) {
            Asked::Gate => Action::Gate(ToolInvocation {
                function,
                arguments,
                branch_id,
            }),
            Asked::Security { index, .. } => Action::CheckSecurity(*index, call()),
            Asked::Escalation { decision, .. } => Action::Escalate(decision, call()),
            Asked::Transform { index } => Action::Transform(*index, call()),
            Asked::Validation => Action::Validate(call()),
            Asked::Invocation => Action::Invoke(call()),
            Asked::Post { index, result } => Action::Post(*index, call(), result),
            Asked::ErrorHandler { index, error, .. } => Action::OnError(*index, call(), error),
        }
    }

    fn begin(&mut self, event: Event<'p, A, R, E>) -> Next<'p, R, E> {
        self.begun = true;
        match event {
            Event::Begin => Ok(Asked::Gate),
            Event::Cancelled => Err(Ending::Raise(Raised::Cancelled)),
            other => Err(self.violation("a beginning", name_of(&other))),
        }
    }

    /// From what was asked and what came to what is asked next.
    fn advance(&mut self, asked: Asked<'p, R, E>, event: Event<'p, A, R, E>) -> Next<'p, R, E> {
        match (asked, event) {
            (_, Event::Cancelled) => Err(Ending::Raise(Raised::Cancelled)),
            (Asked::Gate, Event::Gated(answer)) => self.gated(answer),
            (Asked::Security { pass, index: 0 }, Event::Judged(judged)) if self.policy.is_some() => {
                self.judged(pass, judged)
            }
            (Asked::Security { index: 0, .. }, Event::NoPolicy) if self.policy.is_some() => {
                Err(Ending::Raise(Raised::PolicyUnavailable))
            }
            (Asked::Security { pass, index }, Event::Answered(answer)) => self.checked(pass, index, answer),
            (Asked::Escalation { pass, decision }, Event::Escalated(answer)) => {
                self.escalated(pass, decision, answer)
            }
            (Asked::Transform { index }, Event::Answered(answer)) => self.transformed(index, answer),
            (Asked::Validation, Event::Validated(Ok(()))) => Ok(Asked::Invocation),
            (Asked::Validation, Event::Validated(Err(error))) => {
                Err(Ending::Raise(Raised::Validation(error)))
            }
            (Asked::Invocation, Event::Invoked(Ok(result))) => self.post(0, result),
            (Asked::Invocation, Event::Invoked(Err(error))) => self.recover(0, error, None, Vec::new()),
            (Asked::Post { index, result }, Event::Posted(Ok(replacement))) => {
                self.post(index.saturating_add(1), replacement.unwrap_or(result))
            }
            (Asked::Post { .. }, Event::Posted(Err(error))) => self.recover(0, error, None, Vec::new()),
            (
                Asked::ErrorHandler {
                    index,
                    error,
                    replacement,
                    secondary,
                },
                Event::Handled(disposition),
            ) => self.handled(index, error, replacement, secondary, disposition),
            (asked, event) => Err(self.violation(name_of_event_for(&asked), name_of(&event))),
        }
    }

    fn gated(&mut self, answer: GateAnswer<E>) -> Next<'p, R, E> {
        let error = match answer {
            GateAnswer::Passed => return self.security(Pass::First, 0),
            GateAnswer::Denied => None,
            GateAnswer::Failed(error) => Some(error),
        };
        Err(Ending::Refuse(GateDenied {
            tool: self.tool.clone(),
            branch_id: self.branch_id.clone(),
            error,
        }))
    }

    /// The check of this place, or what comes after the pass.
    fn security(&mut self, pass: Pass, index: usize) -> Next<'p, R, E> {
        if index < self.n_checks {
            return Ok(Asked::Security { pass, index });
        }
        match pass {
            Pass::First => self.transform(0),
            Pass::Final => Ok(Asked::Validation),
        }
    }

    /// The transform of this place, or what comes after the last: the second pass when arguments may have changed.
    fn transform(&mut self, index: usize) -> Next<'p, R, E> {
        if index < self.n_transforms {
            return Ok(Asked::Transform { index });
        }
        if self.n_transforms > 0 || self.security_changed {
            return self.security(Pass::Final, 0);
        }
        Ok(Asked::Validation)
    }

    /// The policy decided. A permit is used up here; only one for exactly these arguments counts.
    fn judged(&mut self, pass: Pass, judged: Result<Permit, Box<Decision<'p>>>) -> Next<'p, R, E> {
        match judged {
            Ok(permit) if self.is_permitted(&permit) => self.security(pass, 1),
            Ok(_) => Err(self.violation("a permit", "a permit of another call or policy")),
            Err(decision) => match decision.effect {
                Effect::Deny => Err(Ending::Raise(Raised::Denied(decision))),
                Effect::Ask if self.approved.contains(&self.arguments) => self.security(pass, 1),
                Effect::Ask => Ok(Asked::Escalation { pass, decision }),
                Effect::Allow => Err(self.violation("a permit", "an allow without one")),
            },
        }
    }

    fn is_permitted(&self, permit: &Permit) -> bool {
        let by_this_policy = match &self.policy {
            Some(PolicyIdentity::Table(digest)) => permit.policy() == digest,
            Some(PolicyIdentity::Reloaded(_)) => true,
            None => false,
        };
        by_this_policy && permit.names(&self.tool, &self.arguments.action(), &self.arguments.to_json())
    }

    fn escalated(
        &mut self,
        pass: Pass,
        decision: Box<Decision<'p>>,
        answer: Escalation<A, E>,
    ) -> Next<'p, R, E> {
        let error = match answer {
            Escalation::Yes => {
                self.approved.push(self.arguments.clone());
                return self.security(pass, 1);
            }
            Escalation::Replace(arguments) => {
                self.approved.push(arguments.clone());
                return self.replaced(pass, 0, arguments);
            }
            Escalation::NoHandler => return Err(Ending::Raise(Raised::ControlUnavailable(decision))),
            Escalation::No => None,
            Escalation::Failed(error) => Some(error),
        };
        Err(Ending::Raise(Raised::NotApproved { decision, error }))
    }

    fn checked(&mut self, pass: Pass, index: usize, answer: Answer<A, E>) -> Next<'p, R, E> {
        let is_policy = index == 0 && self.policy.is_some();
        match answer {
            Answer::Failed(error) => Err(Ending::Raise(Raised::Security { index, error })),
            Answer::WrongType => Err(Ending::Raise(Raised::WrongType {
                stage: Stage::Security,
                index,
            })),
            Answer::Keep | Answer::Replace(_) if is_policy => {
                Err(self.violation("a permit", "an answer without one"))
            }
            Answer::Keep => self.security(pass, index.saturating_add(1)),
            Answer::Replace(arguments) => self.replaced(pass, index, arguments),
        }
    }

    /// A security check gave arguments: its own choice in the first pass, an affirmation at most in the final one.
    fn replaced(&mut self, pass: Pass, index: usize, arguments: A) -> Next<'p, R, E> {
        if arguments != self.arguments {
            match pass {
                Pass::First => {
                    self.security_changed = true;
                    self.arguments = arguments;
                }
                Pass::Final => return Err(Ending::Raise(Raised::ArgumentsChanged { index })),
            }
        }
        self.security(pass, index.saturating_add(1))
    }

    fn transformed(&mut self, index: usize, answer: Answer<A, E>) -> Next<'p, R, E> {
        match answer {
            Answer::Failed(error) => return Err(Ending::Raise(Raised::Transform { index, error })),
            Answer::WrongType => {
                return Err(Ending::Raise(Raised::WrongType {
                    stage: Stage::Transform,
                    index,
                }));
            }
            Answer::Keep => {}
            Answer::Replace(arguments) => self.arguments = arguments,
        }
        self.transform(index.saturating_add(1))
    }

    fn post(&mut self, index: usize, result: R) -> Next<'p, R, E> {
        if index < self.n_post {
            return Ok(Asked::Post { index, result });
        }
        Err(Ending::Return(result))
    }

    /// The error handler of this place, or the end: the first replacement, else the original error.
    fn recover(
        &mut self,
        index: usize,
        error: E,
        replacement: Option<R>,
        secondary: Vec<Secondary<E>>,
    ) -> Next<'p, R, E> {
        if index < self.n_error_handlers {
            return Ok(Asked::ErrorHandler {
                index,
                error,
                replacement,
                secondary,
            });
        }
        Err(match replacement {
            Some(result) => Ending::Return(result),
            None => Ending::Raise(Raised::Invocation { error, secondary }),
        })
    }

    fn handled(
        &mut self,
        index: usize,
        error: E,
        mut replacement: Option<R>,
        mut secondary: Vec<Secondary<E>>,
        disposition: Disposition<R, E>,
    ) -> Next<'p, R, E> {
        match disposition {
            Disposition::Reraise => {}
            Disposition::ReplaceResult(result) => {
                replacement.get_or_insert(result);
            }
            Disposition::WrongType => secondary.push(Secondary {
                index,
                failure: Handling::WrongType,
            }),
            Disposition::Failed(error) => {
                secondary.push(Secondary {
                    index,
                    failure: Handling::Failed(error),
                });
            }
        }
        self.recover(index.saturating_add(1), error, replacement, secondary)
    }

    /// Refuses for good.
    fn violation(&mut self, asked: &'static str, came: &'static str) -> Ending<'p, R, E> {
        let violation = ProtocolViolation { asked, came };
        self.broken = Some(violation);
        Ending::Raise(Raised::Protocol(violation))
    }
}

/// The event that answers what was asked, for messages.
fn name_of_event_for<R, E>(asked: &Asked<'_, R, E>) -> &'static str {
    match asked {
        Asked::Gate => "the gate's answer",
        Asked::Security { .. } => "a security check's answer",
        Asked::Escalation { .. } => "an escalation's answer",
        Asked::Transform { .. } => "a transform's answer",
        Asked::Validation => "a validation",
        Asked::Invocation => "an invocation",
        Asked::Post { .. } => "a post handler's answer",
        Asked::ErrorHandler { .. } => "an error handler's answer",
    }
}

fn name_of<A, R, E>(event: &Event<'_, A, R, E>) -> &'static str {
    match event {
        Event::Begin => "a beginning",
        Event::Gated(_) => "the gate's answer",
        Event::Judged(_) => "a policy's decision",
        Event::NoPolicy => "a missing policy",
        Event::Answered(_) => "a handler's answer",
        Event::Escalated(_) => "an escalation's answer",
        Event::Validated(_) => "a validation",
        Event::Invoked(_) => "an invocation",
        Event::Posted(_) => "a post handler's answer",
        Event::Handled(_) => "an error handler's answer",
        Event::Cancelled => "a cancellation",
    }
}
