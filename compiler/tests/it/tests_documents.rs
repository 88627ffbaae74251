//! Page 70, policy tests: cases and invariants as data.

use callgate_compiler::Options;
use callgate_compiler::ir::{CaseCall, Document, Invariant, Quantifier, Tests};
use callgate_runtime::rule::{Audience, Effect, Mode};

use crate::harness::{assert_findings, checked, words};

fn tests(text: &str) -> Tests {
    let checked = checked("p.tests.yaml", text, &Options::default());
    match checked.document {
        Some(Document::Tests(tests)) => tests,
        _ => panic!("{text} {:#?}", checked.diagnostics),
    }
}

#[test]
fn a_whole_document() {
    let tests = tests(
        "policy: ../coding-agent.yaml\ncases:\n  - call: {tool: bash, args: {command: git status}}\n    expect: allow\n  \
         - {call: 'bash(rm -rf build)', expect: escalate, rule: 'rm *', audience: subagent, mode: plan}\n  \
         - {name: bare, call: reader, expect: deny, rule: null}\ninvariants:\n  - never allow bash(rm *)\n  \
         - always  ask   bash( git push*--force* )\n  - only allow reader(*), search, bash(a, b)\n",
    );
    assert_eq!(tests.policy.as_str(), "../coding-agent.yaml");
    let [first, second, third] = tests.cases.as_slice() else {
        panic!()
    };
    let CaseCall::Full { tool, args, .. } = &first.value.call.value else {
        panic!()
    };
    assert_eq!(
        (tool.as_str(), args.as_str()),
        ("bash", r#"{"command":"git status"}"#)
    );
    let CaseCall::Spec(spec) = &second.value.call.value else {
        panic!()
    };
    assert_eq!(
        (spec.tool.as_str(), spec.pattern.as_deref()),
        ("bash", Some("rm -rf build"))
    );
    assert_eq!(second.value.expect.value, Effect::Ask);
    assert_eq!(
        second.value.audience.as_ref().map(|audience| audience.value),
        Some(Audience::Subagent)
    );
    assert_eq!(
        second.value.mode.as_ref().map(|mode| mode.value),
        Some(Mode::Plan)
    );
    assert_eq!(
        second.value.rule.as_ref().and_then(|rule| rule.value.as_deref()),
        Some("rm *")
    );
    assert_eq!(
        third.value.rule.as_ref().map(|rule| rule.value.as_deref()),
        Some(None)
    );
    let CaseCall::Spec(spec) = &third.value.call.value else {
        panic!()
    };
    assert_eq!((spec.tool.as_str(), spec.pattern.as_deref()), ("reader", None));
    let [never, always, only] = tests.invariants.as_slice() else {
        panic!()
    };
    assert!(
        matches!(&never.value, Invariant::Every { quantifier: Quantifier::Never, effect: Effect::Allow, spec }
        if spec.pattern.as_deref() == Some("rm *"))
    );
    assert!(
        matches!(&always.value, Invariant::Every { quantifier: Quantifier::Always, effect: Effect::Ask, spec }
        if spec.pattern.as_deref() == Some("git push*--force*"))
    );
    let Invariant::Only {
        effect: Effect::Allow,
        specs,
    } = &only.value
    else {
        panic!()
    };
    assert_eq!(
        specs.iter().map(|spec| spec.text.as_str()).collect::<Vec<_>>(),
        ["reader(*)", "search", "bash(a, b)"]
    );
}

#[test]
fn specs_are_kept_as_written() {
    let tests = tests("policy: safe\ncases: [{call: 'Bash(git push:*)', expect: ask}]\n");
    let CaseCall::Spec(spec) = &tests.cases[0].value.call.value else {
        panic!()
    };
    assert_eq!(
        (spec.tool.as_str(), spec.pattern.as_deref()),
        ("Bash", Some("git push:*"))
    );
}

#[test]
fn arguments_are_json_in_document_order() {
    let text = "policy: safe\ncases:\n  - call: {tool: t, args: {z: 1, a: [true, null, 1.5, -3, 'no', \"q\\\"\"], m: {}}}\n    expect: deny\n";
    let tests = tests(text);
    let CaseCall::Full { args, .. } = &tests.cases[0].value.call.value else {
        panic!()
    };
    assert_eq!(args, r#"{"z":1,"a":[true,null,1.5,-3,"no","q\""],"m":{}}"#);
    for bad in ["no", "0o7", "1_000", "2026-01-01", "~", ".inf", "+1", "01"] {
        let text =
            format!("policy: safe\ncases:\n  - {{call: {{tool: t, args: {{a: {bad}}}}}, expect: deny}}\n");
        assert_findings(&[(&text, "CG0203@3")]);
    }
}

#[test]
fn keys_and_values() {
    let case = |entry: &str| format!("policy: safe\ncases:\n  - {{{entry}}}\n");
    for (entry, due) in [
        ("call: bash", "CG0215@3"),
        ("expect: allow", "CG0215@3"),
        ("call: bash, expect: maybe", "CG0224@3"),
        ("call: bash, expect: allow, rules: x", "CG0201@3"),
        ("call: bash, expect: allow, audience: child", "CG0224@3"),
        ("call: bash, expect: allow, mode: auto", "CG0224@3"),
        ("call: 'bash(rm', expect: allow", "CG0214@3"),
        ("call: {args: {}}, expect: allow", "CG0215@3"),
        ("call: {tool: a, args: []}, expect: allow", "CG0202@3"),
        ("call: {tool: a, session: b}, expect: allow", "CG0201@3"),
        (
            "call: {tool: a, mode: plan}, expect: allow, mode: plan",
            "CG0223@3",
        ),
        ("call: {tool: a, mode: plan}, expect: allow, audience: all", ""),
    ] {
        assert_findings(&[(&case(entry), due)]);
    }
    for (invariant, due) in [
        ("never allow", "CG0214@2"),
        ("never permit bash", "CG0225@2"),
        ("sometimes allow bash", "CG0225@2"),
        ("bash must not rm", "CG0225@2"),
        ("only allow", "CG0214@2"),
        ("'never allow bash(rm'", "CG0214@2"),
        ("never escalate bash(rm *)", ""),
    ] {
        assert_findings(&[(&format!("policy: safe\ninvariants: [{invariant}]\n"), due)]);
    }
    assert_eq!(
        words("policy: safe\ninvariants: [nevr allow bash]\n").1,
        "did you mean `never` instead of `nevr`?"
    );
}
