//! The async driver: run to its end, and dropped at every place where it waits.

use super::std::cell::RefCell;
use super::std::task::Wake;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::future::Future;
use core::pin::{Pin, pin};
use core::task::{Context, Poll};

use super::world::{Args, FIRST_RESULT, Seen, Shape, judged};
use crate::call::Call;
use crate::decision::Decision;
use crate::driver::{Handlers, Stopped, invoke};
use crate::interceptor::{
    Answer, Disposition, Escalation, GateAnswer, GateDenied, Raised, ToolCall, ToolInvocation,
};
use crate::permit::Permit;
use crate::plan::HandlerId;
use crate::rule::Effect;

const START: Args = Args(false);
const SHAPE: Shape = Shape {
    policy: true,
    n_handlers: 1,
    n_transforms: 1,
    n_post: 2,
    n_error_handlers: 1,
};

/// A host whose every handler waits once before it answers.
struct Host {
    seen: RefCell<Vec<Seen>>,
    recorded: RefCell<Vec<String>>,
    observed: RefCell<usize>,
    gate: GateAnswer<u8>,
    /// What the policy says to the caller's arguments, and to others.
    effects: (Effect, Effect),
    escalation: Escalation<Args, u8>,
    transform: Answer<Args, u8>,
    invoked: Result<u8, u8>,
    recovery: Disposition<u8, u8>,
}

impl Host {
    fn new() -> Self {
        Self {
            seen: RefCell::default(),
            recorded: RefCell::default(),
            observed: RefCell::default(),
            gate: GateAnswer::Passed,
            effects: (Effect::Allow, Effect::Allow),
            escalation: Escalation::NoHandler,
            transform: Answer::Keep,
            invoked: Ok(FIRST_RESULT),
            recovery: Disposition::Reraise,
        }
    }

    async fn answer<T>(&self, seen: Seen, answer: T) -> T {
        self.seen.borrow_mut().push(seen);
        Pause(false).await;
        answer
    }

    fn n_invoked(&self) -> usize {
        self.seen
            .borrow()
            .iter()
            .filter(|seen| matches!(seen, Seen::Invoke(_)))
            .count()
    }
}

impl Handlers for Host {
    type Arguments = Args;
    type Value = u8;
    type Error = u8;

    async fn gate(&self, invocation: ToolInvocation<'_, Args>) -> GateAnswer<u8> {
        assert_eq!(invocation.branch_id, Some("branch"));
        self.answer(Seen::Gate(*invocation.arguments), self.gate.clone())
            .await
    }

    fn record(&self, denied: &GateDenied<u8>) {
        self.recorded.borrow_mut().push(denied.to_tool_error());
    }

    fn observe(&self, _: ToolInvocation<'_, Args>) {
        *self.observed.borrow_mut() += 1;
    }

    fn judge(&self, call: Call<'_>) -> Option<Result<Permit, Box<Decision<'_>>>> {
        let args = Args(call.action == "b");
        self.seen.borrow_mut().push(Seen::Check(0, args));
        Some(judged(
            args,
            if args == START {
                self.effects.0
            } else {
                self.effects.1
            },
        ))
    }

    async fn escalate(&self, _: &Decision<'_>, call: ToolCall<'_, Args>) -> Escalation<Args, u8> {
        self.answer(Seen::Escalate(*call.arguments), self.escalation.clone())
            .await
    }

    async fn check(&self, _: &HandlerId, call: ToolCall<'_, Args>) -> Answer<Args, u8> {
        self.answer(Seen::Check(1, *call.arguments), Answer::Keep).await
    }

    async fn transform(&self, _: &HandlerId, call: ToolCall<'_, Args>) -> Answer<Args, u8> {
        self.answer(Seen::Transform(0, *call.arguments), self.transform.clone())
            .await
    }

    async fn validate(&self, call: ToolCall<'_, Args>) -> Result<(), u8> {
        self.answer(Seen::Validate(*call.arguments), Ok(())).await
    }

    async fn invoke(&self, call: ToolCall<'_, Args>) -> Result<u8, u8> {
        self.answer(Seen::Invoke(*call.arguments), self.invoked).await
    }

    async fn post(&self, id: &HandlerId, call: ToolCall<'_, Args>, result: &u8) -> Result<Option<u8>, u8> {
        let index = usize::from(id.0 == "1");
        self.answer(Seen::Post(index, *call.arguments, *result), Ok(Some(result + 1)))
            .await
    }

    async fn on_error(&self, _: &HandlerId, call: ToolCall<'_, Args>, error: &u8) -> Disposition<u8, u8> {
        self.answer(Seen::OnError(0, *call.arguments, *error), self.recovery.clone())
            .await
    }
}

/// Waits once.
struct Pause(bool);

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let waited = core::mem::replace(&mut self.0, true);
        if waited { Poll::Ready(()) } else { Poll::Pending }
    }
}

struct Idle;

impl Wake for Idle {
    fn wake(self: Arc<Self>) {}
}

/// Polls the call this often at most, then drops it.
fn polled(host: &Host, n_polls: usize) -> Option<Result<u8, Stopped<'_, u8>>> {
    let plan = SHAPE.plan();
    let waker = Arc::new(Idle).into();
    let mut context = Context::from_waker(&waker);
    let mut call = pin!(invoke(host, &plan, &START, Some("branch")));
    for _ in 0..n_polls {
        if let Poll::Ready(end) = call.as_mut().poll(&mut context) {
            return Some(end);
        }
    }
    None
}

fn run(host: &Host) -> Result<u8, Stopped<'_, u8>> {
    polled(host, 64).expect("every call ends")
}

/// Hosts that answer in each way there is, with whether the tool runs.
fn hosts() -> Vec<(Host, bool)> {
    let allows = Host::new;
    let asks = |escalation| Host {
        effects: (Effect::Ask, Effect::Allow),
        escalation,
        ..Host::new()
    };
    let rewrites = |effect| Host {
        effects: (Effect::Allow, effect),
        transform: Answer::Replace(START.other()),
        ..Host::new()
    };
    alloc::vec![
        (allows(), true),
        (
            Host {
                invoked: Err(30),
                ..allows()
            },
            true
        ),
        (
            Host {
                invoked: Err(30),
                recovery: Disposition::ReplaceResult(1),
                ..allows()
            },
            true
        ),
        (asks(Escalation::Yes), true),
        (asks(Escalation::Replace(START.other())), true),
        (rewrites(Effect::Allow), true),
        (
            Host {
                gate: GateAnswer::Denied,
                ..allows()
            },
            false
        ),
        (
            Host {
                gate: GateAnswer::Failed(25),
                ..allows()
            },
            false
        ),
        (
            Host {
                effects: (Effect::Deny, Effect::Deny),
                ..allows()
            },
            false
        ),
        (asks(Escalation::NoHandler), false),
        (asks(Escalation::No), false),
        (asks(Escalation::Failed(22)), false),
        (rewrites(Effect::Deny), false),
        (rewrites(Effect::Ask), false),
        (
            Host {
                transform: Answer::Failed(23),
                ..allows()
            },
            false
        ),
        (
            Host {
                transform: Answer::WrongType,
                ..allows()
            },
            false
        ),
    ]
}

#[test]
fn the_driver_goes_through_everything_in_order() {
    let host = Host {
        transform: Answer::Replace(START.other()),
        ..Host::new()
    };
    assert_eq!(run(&host), Ok(FIRST_RESULT + 2));
    let (first, last) = (START, START.other());
    let expected = [
        Seen::Gate(first),
        Seen::Check(0, first),
        Seen::Check(1, first),
        Seen::Transform(0, first),
        Seen::Check(0, last),
        Seen::Check(1, last),
        Seen::Validate(last),
        Seen::Invoke(last),
        Seen::Post(0, last, FIRST_RESULT),
        Seen::Post(1, last, FIRST_RESULT + 1),
    ];
    assert_eq!(*host.seen.borrow(), expected);
    assert_eq!(*host.observed.borrow(), 1);
}

#[test]
fn dropped_anywhere_nothing_runs_after_a_denial_nor_twice() {
    for place in 0..hosts().len() {
        let mut n_before = 0;
        for n_polls in 0.. {
            let (host, runs) = hosts().swap_remove(place);
            let ended = polled(&host, n_polls).is_some();
            let n_invoked = host.n_invoked();
            assert!(
                n_invoked <= usize::from(runs),
                "host {place} dropped after {n_polls} polls"
            );
            let n_seen = host.seen.borrow().len();
            assert!(n_seen >= n_before, "each poll goes on where the last one waited");
            n_before = n_seen;
            if ended {
                assert_eq!(n_invoked, usize::from(runs), "host {place}");
                let seen = host.seen.borrow();
                let n_waits = seen
                    .iter()
                    .filter(|seen| !matches!(seen, Seen::Check(0, _)))
                    .count();
                assert_eq!(
                    n_polls,
                    n_waits + 1,
                    "host {place} was dropped at each of its waits"
                );
                break;
            }
        }
    }
}

#[test]
fn a_gates_denial_is_recorded_and_shaped_as_a_tools_error() {
    for gate in [GateAnswer::Denied, GateAnswer::Failed(25)] {
        let host = Host {
            gate: gate.clone(),
            ..Host::new()
        };
        let Err(stopped) = run(&host) else {
            panic!("a denied call returned")
        };
        let reason = match gate {
            GateAnswer::Denied => "denied by the session gate",
            _ => "the session gate failed, which denies",
        };
        let expected = alloc::format!(r#"{{"error":"denied","tool":"tool","reason":"{reason}"}}"#);
        assert_eq!(stopped.to_tool_error("tool"), Some(expected.clone()));
        assert_eq!(*host.recorded.borrow(), [expected]);
        assert_eq!(*host.seen.borrow(), [Seen::Gate(START)]);
        assert_eq!(*host.observed.borrow(), 0, "observers come after the gate");
    }
}

#[test]
fn nobody_to_ask_is_told_from_a_no() {
    let told = |escalation| {
        let host = Host {
            effects: (Effect::Ask, Effect::Ask),
            escalation,
            ..Host::new()
        };
        run(&host).unwrap_err().to_tool_error("tool").unwrap()
    };
    assert!(told(Escalation::NoHandler).starts_with(r#"{"error":"control_unavailable","#));
    assert!(told(Escalation::No).starts_with(r#"{"error":"denied","#));
    assert!(told(Escalation::Failed(1)).starts_with(r#"{"error":"denied","#));
}

#[test]
fn only_denials_are_shaped_as_a_tools_error() {
    let told = |host: Host| run(&host).unwrap_err().to_tool_error("tool").is_some();
    assert!(told(Host {
        effects: (Effect::Deny, Effect::Deny),
        ..Host::new()
    }));
    assert!(told(Host {
        transform: Answer::Failed(23),
        ..Host::new()
    }));
    assert!(told(Host {
        transform: Answer::WrongType,
        ..Host::new()
    }));
    assert!(
        !told(Host {
            invoked: Err(30),
            ..Host::new()
        }),
        "the tool ran and failed"
    );
    let others: [Raised<'_, u8>; 3] = [
        Raised::Validation(24),
        Raised::Cancelled,
        Raised::ArgumentsChanged { index: 1 },
    ];
    let told: Vec<Option<String>> = others.iter().map(|raised| raised.to_tool_error("tool")).collect();
    let changed = r#"{"error":"denied","tool":"tool","reason":"security hook changed arguments during final validation"}"#;
    assert_eq!(told, [None, None, Some(String::from(changed))]);
}

#[test]
fn a_host_that_knows_nothing_runs_nothing_that_a_plan_guards() {
    struct Bare;
    impl Handlers for Bare {
        type Arguments = Args;
        type Value = ();
        type Error = u8;
        async fn invoke(&self, _: ToolCall<'_, Args>) -> Result<(), u8> {
            Ok(())
        }
    }
    let ended = |policy, n_handlers, n_transforms| {
        let plan = Shape {
            policy,
            n_handlers,
            n_transforms,
            n_post: 1,
            n_error_handlers: 1,
        }
        .plan();
        let waker = Arc::new(Idle).into();
        match pin!(invoke(&Bare, &plan, &START, None)).poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(end) => end,
            Poll::Pending => panic!("nothing waits"),
        }
    };
    assert_eq!(ended(false, 0, 0), Ok(()));
    assert_eq!(ended(true, 0, 0), Err(Stopped::Raised(Raised::PolicyUnavailable)));
    assert!(ended(false, 1, 0).is_err());
    assert!(ended(false, 0, 1).is_err());
}
