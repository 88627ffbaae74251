//! Permits: a yes counts once, for the call and the policy it was given for.

use alloc::boxed::Box;
use alloc::string::ToString;

use super::world::{Args, POLICY, Shape, TOOL, decision, judged};
use crate::call::{Arguments, Call};
use crate::decision::Decision;
use crate::interceptor::{
    Action, Answer, ArgumentMapping, Event, GateAnswer, Interceptor, Raised, ToolArguments,
};
use crate::permit::Permit;
use crate::plan::{PolicyIdentity, SecurityCheck};
use crate::rule::Effect;
use crate::table::Digest;

type Machine = Interceptor<'static, Args, u8, u8>;

const START: Args = Args(false);
const SHAPE: Shape = Shape {
    policy: true,
    n_handlers: 0,
    n_transforms: 1,
    n_post: 0,
    n_error_handlers: 0,
};

fn at_the_policy(identity: PolicyIdentity) -> Machine {
    let mut plan = SHAPE.plan();
    plan.security_pre = alloc::vec![SecurityCheck::Policy(identity)];
    let mut machine = Interceptor::new(&plan, &START);
    machine.step(Event::Begin);
    let action = machine.step(Event::Gated(GateAnswer::Passed));
    assert!(matches!(action, Action::CheckSecurity(0, _)), "{action:?}");
    machine
}

fn permit(tool: &str, arguments: &str, policy: Digest) -> Permit {
    let allow = Decision {
        policy,
        ..decision(Effect::Allow)
    };
    Permit::made_up(&Call::new(tool, Arguments::parse(arguments)), allow).unwrap()
}

fn is_refused(action: &Action<'_, '_, Args, u8, u8>) -> bool {
    matches!(action, Action::Raise(Raised::Protocol(_)))
}

#[test]
fn a_permit_counts_for_its_own_call_and_policy() {
    let pinned = || at_the_policy(PolicyIdentity::Table(POLICY));
    let own = r#"{ "action" : "a" }"#;
    let action = Event::Judged(Ok(permit(TOOL, own, POLICY)));
    assert!(matches!(pinned().step(action), Action::Transform(0, _)));
    for foreign in [
        permit("other", own, POLICY),
        permit(TOOL, r#"{"action":"b"}"#, POLICY),
        permit(TOOL, r#"{"action":"a","more":1}"#, POLICY),
        permit(TOOL, own, Digest([8; 32])),
    ] {
        assert!(is_refused(&pinned().step(Event::Judged(Ok(foreign)))));
    }
}

#[test]
fn a_reloaded_policy_answers_with_the_table_of_the_moment() {
    let mut machine = at_the_policy(PolicyIdentity::Reloaded("settings".to_string()));
    let action = machine.step(Event::Judged(Ok(permit(
        TOOL,
        r#"{"action":"a"}"#,
        Digest([8; 32]),
    ))));
    assert!(matches!(action, Action::Transform(0, _)), "{action:?}");
}

#[test]
fn the_first_yes_does_not_answer_the_second_check() {
    let mut machine = at_the_policy(PolicyIdentity::Table(POLICY));
    machine.step(Event::Judged(judged(START, Effect::Allow)));
    let action = machine.step(Event::Answered(Answer::Replace(START.other())));
    assert!(matches!(action, Action::CheckSecurity(0, _)), "{action:?}");
    assert!(
        is_refused(&machine.step(Event::Judged(judged(START, Effect::Allow)))),
        "a yes to what was before"
    );
}

#[test]
fn a_policy_check_takes_nothing_for_a_permit() {
    let machine = at_the_policy(PolicyIdentity::Table(POLICY));
    for event in [
        Event::Answered(Answer::Keep),
        Event::Answered(Answer::Replace(START)),
        Event::Judged(Err(Box::new(decision(Effect::Allow)))),
    ] {
        let mut machine = machine.clone();
        let action = machine.step(event);
        assert!(is_refused(&action), "{action:?}");
    }
}

#[test]
fn nothing_is_permitted_on_arguments_without_one_reading() {
    for text in [r#"{"a":1,"a":2}"#, "[]", "{"] {
        let call = Call::new(TOOL, Arguments::parse(text));
        let refused = Permit::made_up(&call, decision(Effect::Allow)).unwrap_err();
        assert_eq!(refused.effect, Effect::Deny, "{text}");
        assert!(ArgumentMapping::parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_mapping_is_its_compact_text() {
    let mapping =
        ArgumentMapping::parse(r#" {"action": "go", "n": [1.0, {"x": null}], "s": "\u00e9"} "#).unwrap();
    assert_eq!(
        mapping.as_str(),
        r#"{"action":"go","n":[1.0,{"x":null}],"s":"é"}"#
    );
    assert_eq!(
        (&*mapping.action(), mapping.string("s").as_deref()),
        ("go", Some("é"))
    );
    assert_eq!((mapping.string("n"), mapping.string("none")), (None, None));
    let turned = ArgumentMapping::parse(r#"{"n":[1.0,{"x":null}],"action":"go","s":"é"}"#).unwrap();
    assert_ne!(mapping, turned, "the policy judges values in their order");
    assert_eq!(ArgumentMapping::parse("{}").unwrap().action(), "");
    assert_eq!(ArgumentMapping::parse(r#"{"action":1}"#).unwrap().action(), "");
}
