//! Every path of the machine for every small plan: equal to the transcribed algorithm, and true to page 50's invariants.

use super::std::println;
use super::std::sync::atomic::{AtomicUsize, Ordering};

use alloc::vec::Vec;

use super::reference::Reference;
use super::world::{
    ASKED, Args, Asked, ERROR_HANDLER, End, FIRST_RESULT, GATE, Gate, HANDLER, Judged, Outcome, PLAIN,
    POLICY_ANSWERS, POST, REPLACED_ERROR, Script, Seen, Shape, judged,
};
use crate::interceptor::{
    Action, Answer, Disposition, Escalation, Event, GateAnswer, Interceptor, ToolArguments, ToolCall,
};
use crate::rule::Effect;

const START: Args = Args(false);
/// No plan of these sizes needs more steps.
const MOST_STEPS: usize = 32;

type Machine = Interceptor<'static, Args, u8, u8>;
type Happened = Event<'static, Args, u8, u8>;

/// A walk through every path of one plan.
struct Walk {
    shape: Shape,
    script: Script,
    /// What a driver saw of the path up to here.
    trace: Vec<Seen>,
    n_paths: usize,
}

/// What was answered on the path up to here.
#[derive(Clone, Copy, Default)]
struct Answered {
    /// Some answer before the invocation said no, failed, was of a wrong type or cancelled.
    refused: bool,
}

#[test]
fn every_path_is_the_algorithms_and_keeps_the_invariants() {
    let shapes = shapes();
    let (next, n_paths) = (AtomicUsize::new(0), AtomicUsize::new(0));
    super::std::thread::scope(|scope| {
        for _ in 0..super::std::thread::available_parallelism()
            .map_or(2, usize::from)
            .min(8)
        {
            scope.spawn(|| {
                while let Some(shape) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    n_paths.fetch_add(every_path(*shape), Ordering::Relaxed);
                }
            });
        }
    });
    let n_paths = n_paths.load(Ordering::Relaxed);
    println!("{} plans, {n_paths} paths", shapes.len());
    assert!(n_paths > 2_000_000);
}

/// Every plan with up to two of each kind of handler, with and without policy, the largest first, so that threads end
/// together. A host without a gate answers as one whose gate passes, so every plan is walked with and without gate.
fn shapes() -> Vec<Shape> {
    let sizes = (0..162).rev().map(|n| Shape {
        n_handlers: n / 54,
        n_transforms: n / 18 % 3,
        policy: n / 9 % 2 == 1,
        n_post: n / 3 % 3,
        n_error_handlers: n % 3,
    });
    sizes.collect()
}

/// Walks all paths and says how many there were.
fn every_path(shape: Shape) -> usize {
    let mut walk = Walk {
        shape,
        script: Script::default(),
        trace: Vec::new(),
        n_paths: 0,
    };
    let machine: Machine = Interceptor::new(&shape.plan(), &START);
    walk.step(machine, Event::Begin, Answered::default());
    walk.n_paths
}

impl Walk {
    /// Feeds `event`, and goes on with every answer to what is asked then.
    fn step(&mut self, mut machine: Machine, event: Happened, answered: Answered) {
        assert!(
            self.trace.len() < MOST_STEPS,
            "{:?} does not end: {:?}",
            self.shape,
            self.trace
        );
        let seen = match machine.step(event) {
            Action::Gate(invocation) => Seen::Gate(*invocation.arguments),
            Action::CheckSecurity(index, call) => Seen::Check(index, at(&call)),
            Action::Escalate(decision, call) => {
                assert_eq!(decision.effect, Effect::Ask);
                Seen::Escalate(at(&call))
            }
            Action::Transform(index, call) => Seen::Transform(index, at(&call)),
            Action::Validate(call) => Seen::Validate(at(&call)),
            Action::Invoke(call) => Seen::Invoke(at(&call)),
            Action::Post(index, call, result) => Seen::Post(index, at(&call), *result),
            Action::OnError(index, call, error) => Seen::OnError(index, at(&call), *error),
            Action::Return(value) => return self.end(End::Returned(value), answered),
            Action::Refuse(denied) => {
                return self.end(
                    End::GateDenied {
                        failed: denied.error.is_some(),
                    },
                    answered,
                );
            }
            Action::Raise(raised) => return self.end(End::Raised(raised.into()), answered),
        };
        self.trace.push(seen);
        match seen {
            Seen::Gate(_) => self.each(&machine, answered, &GATE, gate),
            Seen::Check(0, args) if self.shape.policy => {
                self.each(&machine, answered, &POLICY_ANSWERS, |answer| judge(args, answer));
            }
            Seen::Check(_, args) => {
                self.each(&machine, answered, &HANDLER, |answer| replace(args, answer, 20))
            }
            Seen::Escalate(args) => self.each(&machine, answered, &ASKED, |answer| escalate(args, answer)),
            Seen::Transform(_, args) => {
                self.each(&machine, answered, &HANDLER, |answer| replace(args, answer, 23));
            }
            Seen::Validate(_) => self.each(&machine, answered, &PLAIN, validate),
            Seen::Invoke(_) => self.each(&machine, answered, &PLAIN, |answer| (invoke(answer), false)),
            Seen::Post(_, _, result) => {
                self.each(&machine, answered, &POST, |answer| (post(result, answer), false));
            }
            Seen::OnError(index, ..) => {
                self.each(&machine, answered, &ERROR_HANDLER, |answer| {
                    (handle(index, answer), false)
                });
            }
        }
        self.trace.pop();
    }

    /// Goes on with each of `options`, given as the event it is and whether it refuses.
    fn each<T: Copy>(
        &mut self,
        machine: &Machine,
        answered: Answered,
        options: &[T],
        event: impl Fn(T) -> (Happened, bool),
    ) {
        for (choice, option) in options.iter().enumerate() {
            let (event, refuses) = event(*option);
            self.script.choices.push((choice, options.len()));
            self.step(
                machine.clone(),
                event,
                Answered {
                    refused: answered.refused || refuses,
                },
            );
            self.script.choices.pop();
        }
    }

    fn end(&mut self, end: End, answered: Answered) {
        self.n_paths += 1;
        let (shape, trace) = (self.shape, &self.trace);
        self.script.rewind();
        let mut reference = Reference::new(shape, &mut self.script);
        let expected = reference.act(START);
        assert_eq!(reference.trace, *trace, "{shape:?}, which ends in {expected:?}");
        assert_eq!(expected, end, "{shape:?} {trace:?}");
        check_invariants(shape, trace, &end, answered.refused, &reference.approved);
        assert!(self.script.is_used_up(), "{shape:?} {trace:?}");
    }
}

/// The call's arguments, after a look at the action.
fn at(call: &ToolCall<'_, Args>) -> Args {
    assert_eq!(call.action, call.arguments.action());
    *call.arguments
}

fn gate(answer: Gate) -> (Happened, bool) {
    match answer {
        Gate::Pass => (Event::Gated(GateAnswer::Passed), false),
        Gate::Deny => (Event::Gated(GateAnswer::Denied), true),
        Gate::Fail => (Event::Gated(GateAnswer::Failed(25)), true),
        Gate::Cancel => (Event::Cancelled, true),
    }
}

fn judge(args: Args, answer: Judged) -> (Happened, bool) {
    match answer {
        Judged::Allow => (Event::Judged(judged(args, Effect::Allow)), false),
        Judged::Ask => (Event::Judged(judged(args, Effect::Ask)), false),
        Judged::Deny => (Event::Judged(judged(args, Effect::Deny)), true),
        Judged::Fail => (Event::Answered(Answer::Failed(21)), true),
        Judged::WrongType => (Event::Answered(Answer::WrongType), true),
        Judged::Missing => (Event::NoPolicy, true),
        Judged::Cancel => (Event::Cancelled, true),
    }
}

fn escalate(args: Args, answer: Asked) -> (Happened, bool) {
    match answer {
        Asked::Yes => (Event::Escalated(Escalation::Yes), false),
        Asked::Equal => (Event::Escalated(Escalation::Replace(args)), false),
        Asked::Other => (Event::Escalated(Escalation::Replace(args.other())), false),
        Asked::No => (Event::Escalated(Escalation::No), true),
        Asked::Nobody => (Event::Escalated(Escalation::NoHandler), true),
        Asked::Fail => (Event::Escalated(Escalation::Failed(22)), true),
        Asked::Cancel => (Event::Cancelled, true),
    }
}

fn replace(args: Args, answer: Outcome, error: u8) -> (Happened, bool) {
    match answer {
        Outcome::None => (Event::Answered(Answer::Keep), false),
        Outcome::Equal => (Event::Answered(Answer::Replace(args)), false),
        Outcome::Replace => (Event::Answered(Answer::Replace(args.other())), false),
        Outcome::Fail => (Event::Answered(Answer::Failed(error)), true),
        Outcome::WrongType => (Event::Answered(Answer::WrongType), true),
        Outcome::Cancel => (Event::Cancelled, true),
    }
}

fn validate(answer: Outcome) -> (Happened, bool) {
    match answer {
        Outcome::Fail => (Event::Validated(Err(24)), true),
        Outcome::Cancel => (Event::Cancelled, true),
        _ => (Event::Validated(Ok(())), false),
    }
}

fn invoke(answer: Outcome) -> Happened {
    match answer {
        Outcome::Fail => Event::Invoked(Err(30)),
        Outcome::Cancel => Event::Cancelled,
        _ => Event::Invoked(Ok(FIRST_RESULT)),
    }
}

fn post(result: u8, answer: Outcome) -> Happened {
    match answer {
        Outcome::Fail => Event::Posted(Err(31)),
        Outcome::Cancel => Event::Cancelled,
        Outcome::Equal => Event::Posted(Ok(Some(result))),
        Outcome::Replace => Event::Posted(Ok(Some(result + 1))),
        _ => Event::Posted(Ok(None)),
    }
}

fn handle(index: usize, answer: Outcome) -> Happened {
    let replaced = REPLACED_ERROR + u8::try_from(index).unwrap();
    match answer {
        Outcome::Cancel => Event::Cancelled,
        Outcome::Fail => Event::Handled(Disposition::Failed(40)),
        Outcome::WrongType => Event::Handled(Disposition::WrongType),
        Outcome::Replace => Event::Handled(Disposition::ReplaceResult(replaced)),
        _ => Event::Handled(Disposition::Reraise),
    }
}

/// Page 50's invariants, read off what a driver saw and answered.
fn check_invariants(shape: Shape, trace: &[Seen], end: &End, refused: bool, approved: &[(usize, Args)]) {
    let returned = matches!(end, End::Returned(_));
    let n_invoked = trace
        .iter()
        .filter(|seen| matches!(seen, Seen::Invoke(_)))
        .count();
    assert!(n_invoked <= 1, "invoked twice: {trace:?}");
    assert!(
        !refused || (!returned && n_invoked == 0),
        "a refusal ran or became a result: {trace:?}"
    );
    for (index, seen) in trace.iter().enumerate() {
        if let Seen::Escalate(args) = seen {
            let yes = approved.iter().any(|(at, of)| *at <= index && of == args);
            assert!(!yes, "asked about arguments that were approved: {trace:?}");
        }
    }

    let Some(invocation) = trace.iter().position(|seen| matches!(seen, Seen::Invoke(_))) else {
        let recovers = |seen: &Seen| matches!(seen, Seen::Post(..) | Seen::OnError(..));
        assert!(
            !returned && !trace.iter().any(recovers),
            "no invocation, but handlers of one: {trace:?}"
        );
        return;
    };
    let Seen::Invoke(args) = trace[invocation] else {
        panic!("{trace:?}")
    };
    let mut after = trace[invocation + 1..].iter();
    assert!(
        after.all(|seen| matches!(seen, Seen::Post(_, of, _) | Seen::OnError(_, of, _) if *of == args)),
        "after the invocation only handlers of it, on its arguments: {trace:?}"
    );
    assert_eq!(
        trace[invocation - 1],
        Seen::Validate(args),
        "validated last: {trace:?}"
    );

    let approvals = trace[..invocation]
        .iter()
        .rev()
        .filter(|seen| matches!(seen, Seen::Check(..)));
    let whole_chain = (0..shape.n_checks()).rev().map(|index| Seen::Check(index, args));
    let approved_last = approvals.copied().take(shape.n_checks()).eq(whole_chain);
    assert!(
        approved_last,
        "the whole chain approved other arguments last: {trace:?}"
    );
    let last_change = trace[..invocation]
        .iter()
        .rposition(|seen| matches!(seen, Seen::Transform(..)));
    let last_check = trace[..invocation]
        .iter()
        .rposition(|seen| matches!(seen, Seen::Check(..)));
    assert!(
        last_check >= last_change || shape.n_checks() == 0,
        "a transform after the last check: {trace:?}"
    );
}
