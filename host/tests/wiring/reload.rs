//! Promise 6: no half load.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use callgate_compiler::{Options, Source, compile};
use callgate_host::reload::Reload;
use callgate_runtime::permission_policy::PermissionPolicy;
use callgate_runtime::rule::{Effect, Mode, Provenance};
use callgate_runtime::session::Refusal;
use callgate_runtime::{Arguments, Call, Policy};

fn policy(text: &str) -> Result<Policy, String> {
    let source = Source {
        name: "policy.yaml",
        bytes: text.as_bytes(),
    };
    let compilation = compile(&[source], &Options::default());
    let compiled = compilation
        .policy
        .ok_or_else(|| compilation.diagnostics[0].message.clone())?;
    Policy::from_bytes(compiled.bytes).map_err(|error| error.to_string())
}

fn effect(place: &Reload<Policy>) -> Effect {
    let call = Call::new("reader", Arguments::parse(r#"{"path": "a"}"#));
    place.evaluate("s", Mode::Default, &call, None).effect
}

#[test]
fn a_failed_first_load_refuses_every_call_and_a_failed_reload_keeps_the_last_policy() {
    let place = Reload::new("policy.yaml");
    let call = Call::new("reader", Arguments::parse(r#"{"path": "a"}"#));
    let refused = place.evaluate("s", Mode::Default, &call, None);
    assert_eq!(
        (refused.effect, refused.provenance),
        (Effect::Deny, Provenance::BrokenSource)
    );
    assert_eq!(place.learn("s", &call), Err(Refusal::LearningIsOff));
    assert_eq!(
        place
            .load(|| policy("mode: rules\nalow: {reader: ['*']}\n"))
            .unwrap_err(),
        "unknown key `alow` in permissions"
    );
    assert_eq!(effect(&place), Effect::Deny);
    place
        .load(|| policy("mode: rules\nallow: {reader: ['*']}\n"))
        .unwrap();
    assert_eq!(effect(&place), Effect::Allow);
    let before = place.current().unwrap();
    assert!(place.load(|| policy("mode: rules\ndeny: [")).is_err());
    assert!(Arc::ptr_eq(&before, &place.current().unwrap()));
    assert_eq!(effect(&place), Effect::Allow);
    place
        .load(|| policy("mode: rules\ndeny: {reader: ['*']}\n"))
        .unwrap();
    assert_eq!(effect(&place), Effect::Deny);
    assert_eq!(
        before.decide(&call).effect,
        Effect::Allow,
        "who holds the old policy keeps it"
    );
}

#[test]
fn a_load_that_panics_leaves_the_last_policy_in_its_place() {
    let place = Reload::new("policy.yaml");
    place
        .load(|| policy("mode: rules\nallow: {reader: ['*']}\n"))
        .unwrap();
    let load = std::panic::AssertUnwindSafe(|| {
        let _ = place.load::<String>(|| std::panic::resume_unwind(Box::new(())));
    });
    assert!(std::panic::catch_unwind(load).is_err());
    assert_eq!(effect(&place), Effect::Allow);
}

#[test]
fn every_call_is_decided_by_one_whole_policy() {
    let place = Reload::new("policy.yaml");
    let texts = [
        "mode: rules\nallow: {reader: ['*']}\n",
        "mode: rules\ndeny: {reader: ['*']}\n",
    ];
    let [allows, denies] = texts.map(|text| *policy(text).unwrap().table().digest());
    place.load(|| policy(texts[0])).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for text in texts.iter().cycle().take(50) {
                place.load(|| policy(text)).unwrap();
            }
            done.store(true, Ordering::Release);
        });
        let call = Call::new("reader", Arguments::parse(r#"{"path": "a"}"#));
        while !done.load(Ordering::Acquire) {
            let decision = place.evaluate("s", Mode::Default, &call, None);
            let expected = if decision.policy == allows {
                Effect::Allow
            } else {
                Effect::Deny
            };
            assert!(decision.policy == allows || decision.policy == denies);
            assert_eq!(decision.effect, expected);
        }
    });
}
