//! *Allow always*: what it lifts, what it never lifts, and how long it lasts.

use callgate_compiler::Options;
use callgate_host::engine::EnginePolicy;
use callgate_host::extra::ExtraRules;
use callgate_host::files::OperatorFiles;
use callgate_runtime::permission_policy::PermissionPolicy;
use callgate_runtime::rule::{Effect, Mode, Provenance, Scope};
use callgate_runtime::session::{MAX_LEARNED, Refusal};
use callgate_runtime::{Arguments, Call};
use proptest::prelude::{ProptestConfig, Strategy, prop, prop_assert_eq, proptest};

use crate::asking::{Asking, args};
use crate::folder::Folder;

fn learn(asking: &Asking, tool: &str, subject: &str) -> Result<(), Refusal> {
    let args = args(tool, subject);
    asking
        .engine
        .learn("session", &Call::new(tool, Arguments::parse(&args)))
}

#[test]
fn it_lifts_default_and_built_in_asks_only() {
    let root = Folder::new();
    root.shared("permissions: {ask: ['Shell(git push:*)'], deny: ['Shell(rm:*)']}\n");
    let asking = Asking::bare();
    let workspace = Some(root.path());
    for (tool, subject) in [
        ("Shell", "npm test"),
        ("Unknown", "x"),
        ("Edit", "a"),
        ("Shell", "git push"),
        ("Shell", "rm x"),
    ] {
        assert_ne!(asking.effect(workspace, tool, subject), Effect::Allow);
        learn(&asking, tool, subject).unwrap();
    }
    for (tool, subject) in [("Shell", "npm test"), ("Unknown", "x"), ("Edit", "a")] {
        let decision = asking.ask(workspace, tool, subject);
        assert_eq!(
            (decision.effect, decision.provenance),
            (Effect::Allow, Provenance::Learned),
            "{subject}"
        );
        let rule = decision.rule.unwrap();
        assert_eq!(
            (rule.index, &*rule.pattern, rule.scope),
            (None, subject, Some(Scope::User))
        );
    }
    let push = asking.ask(workspace, "Shell", "git push");
    assert_eq!((push.effect, push.configured_ask), (Effect::Ask, true));
    assert_eq!(asking.effect(workspace, "Shell", "rm x"), Effect::Deny);
    assert_eq!(asking.effect(workspace, "Shell", "npm test x"), Effect::Ask);
    assert_eq!(
        asking.ask_in(Mode::Plan, workspace, "Edit", "a").effect,
        Effect::Deny
    );
}

#[test]
fn it_ends_with_the_session_and_is_off_without_a_store() {
    let asking = Asking::bare();
    learn(&asking, "Shell", "npm test").unwrap();
    assert_eq!(asking.effect(None, "Shell", "npm test"), Effect::Allow);
    asking.store.forget("session");
    assert_eq!(asking.effect(None, "Shell", "npm test"), Effect::Ask);
    let off = EnginePolicy::main(asking.resolver.clone(), None);
    let call = Call::new("Shell", Arguments::parse(r#"{"command": "npm test"}"#));
    assert_eq!(off.learn("session", &call), Err(Refusal::LearningIsOff));
    let decision = off.evaluate_with("session", Mode::Default, &call, None, &ExtraRules::none());
    assert_eq!(decision.effect, Effect::Ask);
}

#[test]
fn at_the_cap_the_session_keeps_asking() {
    let asking = Asking::new(&OperatorFiles::default(), Options::default());
    for n in 0..MAX_LEARNED {
        learn(&asking, "Edit", &n.to_string()).unwrap();
    }
    assert_eq!(learn(&asking, "Edit", "one more"), Err(Refusal::CapReached));
    assert_eq!(asking.effect(None, "Edit", "one more"), Effect::Ask);
    assert_eq!(asking.effect(None, "Edit", "255"), Effect::Allow);
}

/// Single commands and compounds over few words, so that lines repeat.
fn line() -> impl Strategy<Value = String> {
    let words = [
        "make", "a", "b", "*", "?", "'a'", "\"b\"", "$(a)", "&&", ";", "|", ">", "(a)", "A=b", "time", "#",
    ];
    prop::collection::vec(prop::sample::select(Vec::from(words)), 1..5).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_learned_is_allowed_and_no_other_single_call_is(taught in line(), other in line(), edit in "[ab*?]{1,3}") {
        let asking = Asking::bare();
        let before = asking.ask(None, "Shell", &other);
        let learned = learn(&asking, "Shell", &taught);
        let after = asking.ask(None, "Shell", &taught).effect;
        prop_assert_eq!(learned.is_ok(), after == Effect::Allow, "{}", taught);
        // A learnable line is one command; its rule is the text of that command.
        let is_single = learn(&Asking::bare(), "Shell", &other).is_ok();
        let reached = asking.ask(None, "Shell", &other);
        if is_single && before.effect != Effect::Allow && reached.effect == Effect::Allow {
            let text = |line: &str| asking.ask(None, "Shell", line).rule.map(|rule| rule.pattern.into_owned());
            prop_assert_eq!(text(&other), text(&taught));
        }
        prop_assert_eq!(asking.effect(None, "Edit", &edit), Effect::Ask);
        learn(&asking, "Edit", &edit).unwrap();
        prop_assert_eq!(asking.effect(None, "Edit", &edit), Effect::Allow);
        prop_assert_eq!(asking.effect(None, "Edit", &format!("{edit}a")), Effect::Ask);
        prop_assert_eq!(asking.effect(None, "Write", &edit), Effect::Ask);
    }
}
