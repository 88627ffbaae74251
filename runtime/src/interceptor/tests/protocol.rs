//! Events that nobody asked for: whatever the machine waits for, it refuses, and for good.

use alloc::vec::Vec;

use super::world::{Args, FIRST_RESULT, Shape, judged};
use crate::interceptor::{
    Action, Answer, Disposition, Escalation, Event, GateAnswer, Interceptor, ProtocolViolation, Raised,
};
use crate::rule::Effect;

type Machine = Interceptor<'static, Args, u8, u8>;
type Happened = Event<'static, Args, u8, u8>;

const START: Args = Args(false);

/// One good event of every kind but the cancellation.
fn every_kind() -> Vec<Happened> {
    alloc::vec![
        Event::Begin,
        Event::Gated(GateAnswer::Passed),
        Event::Judged(judged(START, Effect::Allow)),
        Event::NoPolicy,
        Event::Answered(Answer::Keep),
        Event::Escalated(Escalation::Yes),
        Event::Validated(Ok(())),
        Event::Invoked(Ok(FIRST_RESULT)),
        Event::Posted(Ok(None)),
        Event::Handled(Disposition::Reraise),
    ]
}

/// What one asking is answered by, as places in [`every_kind`].
fn answers(action: &Action<'_, '_, Args, u8, u8>) -> &'static [usize] {
    match action {
        Action::Gate(_) => &[1],
        Action::CheckSecurity(0, _) => &[2, 3],
        Action::CheckSecurity(..) | Action::Transform(..) => &[4],
        Action::Escalate(..) => &[5],
        Action::Validate(_) => &[6],
        Action::Invoke(_) => &[7],
        Action::Post(..) => &[8],
        Action::OnError(..) => &[9],
        Action::Return(_) | Action::Refuse(_) | Action::Raise(_) => &[],
    }
}

fn new() -> Machine {
    let shape = Shape {
        policy: true,
        n_handlers: 1,
        n_transforms: 1,
        n_post: 1,
        n_error_handlers: 1,
    };
    Interceptor::new(&shape.plan(), &START)
}

/// A path that comes by everything that can be asked.
fn path() -> Vec<Happened> {
    alloc::vec![
        Event::Begin,
        Event::Gated(GateAnswer::Passed),
        Event::Judged(judged(START, Effect::Ask)),
        Event::Escalated(Escalation::Yes),
        Event::Answered(Answer::Keep),
        Event::Answered(Answer::Keep),
        Event::Judged(judged(START, Effect::Allow)),
        Event::Answered(Answer::Keep),
        Event::Validated(Ok(())),
        Event::Invoked(Ok(FIRST_RESULT)),
        Event::Posted(Err(31)),
        Event::Handled(Disposition::Reraise),
    ]
}

fn violation(action: &Action<'_, '_, Args, u8, u8>) -> ProtocolViolation {
    match action {
        Action::Raise(Raised::Protocol(violation)) => *violation,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_event_that_was_not_asked_for_refuses_the_call_for_good() {
    let mut n_tried = 0;
    for n_good in 1..=path().len() {
        let mut machine = new();
        let mut good = path().into_iter().take(n_good);
        let mut answered_by: &[usize] = &[];
        for event in good.by_ref() {
            answered_by = answers(&machine.step(event));
        }
        for (kind, event) in every_kind().into_iter().enumerate() {
            if answered_by.contains(&kind) {
                continue;
            }
            let mut broken = machine.clone();
            let first = violation(&broken.step(event));
            for later in every_kind().into_iter().chain([Event::Cancelled]) {
                assert_eq!(violation(&broken.step(later)), first);
            }
            n_tried += 1;
        }
    }
    assert_eq!(
        n_tried,
        12 * 10 - 13,
        "every kind but the right ones in every state, the end among them"
    );
}

#[test]
fn nothing_but_a_beginning_begins() {
    for event in every_kind().into_iter().skip(1) {
        let mut machine = new();
        let first = violation(&machine.step(event));
        assert_eq!(violation(&machine.step(Event::Begin)), first);
    }
    assert_eq!(new().step(Event::Cancelled), Action::Raise(Raised::Cancelled));
}

#[test]
fn a_cancelled_call_is_over() {
    for n_good in 1..path().len() {
        let mut machine = new();
        for event in path().into_iter().take(n_good) {
            machine.step(event);
        }
        assert_eq!(machine.step(Event::Cancelled), Action::Raise(Raised::Cancelled));
        let after: Vec<ProtocolViolation> = every_kind()
            .into_iter()
            .map(|event| violation(&machine.clone().step(event)))
            .collect();
        assert!(
            after.iter().all(|violation| violation.asked == "nothing more"),
            "{after:?}"
        );
    }
}
