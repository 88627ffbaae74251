//! Rules handed in with a call: they join the order, and loosen nothing that a file of their scope could not.

use std::sync::Arc;

use callgate_compiler::Options;
use callgate_host::extra::ExtraRules;
use callgate_host::snapshot::{SettingsText, Snapshot};
use callgate_runtime::broken::BrokenSource;
use callgate_runtime::combined::{Combined, Context};
use callgate_runtime::rule::{Audience, Effect, Mode, Provenance, Scope};
use callgate_runtime::{Arguments, Call};
use proptest::prelude::{ProptestConfig, Strategy, prop, prop_assert, prop_assert_eq, proptest};

use crate::asking::args;

fn text<'a>(scope: Scope, text: &'a str) -> SettingsText<'a> {
    SettingsText {
        scope,
        name: scope.name(),
        text,
    }
}

fn decide(base: &Snapshot, extra: &ExtraRules, tool: &str, subject: &str) -> Effect {
    let args = args(tool, subject);
    let call = Call::new(tool, Arguments::parse(&args));
    base.decide(&call, &Context::default(), extra).effect
}

#[test]
fn a_deny_tightens_and_an_allow_counts_by_its_scope() {
    let options = Options::default();
    let base = Snapshot::of_texts(
        &[text(
            Scope::Cli,
            "permissions: {allow: ['Shell(go:*)'], ask: ['Shell(git push:*)'], deny: ['Shell(rm:*)']}\n",
        )],
        &options,
    )
    .unwrap();
    let none = ExtraRules::none();
    let feed = ExtraRules::of_texts(
        &[text(
            Scope::Managed,
            "permissions: {deny: ['Shell(go get evil*)']}\n",
        )],
        &options,
    )
    .unwrap();
    assert_eq!(decide(&base, &none, "Shell", "go get evil.com/x"), Effect::Allow);
    assert_eq!(decide(&base, &feed, "Shell", "go get evil.com/x"), Effect::Deny);
    assert_eq!(decide(&base, &feed, "Shell", "go test"), Effect::Allow);
    let tenant = "permissions: {allow: ['Shell(make:*)', 'Shell(git push:*)', 'Shell(rm:*)']}\n";
    for scope in [Scope::Managed, Scope::User] {
        let tenant = ExtraRules::of_texts(&[text(scope, tenant)], &options).unwrap();
        assert_eq!(decide(&base, &none, "Shell", "make"), Effect::Ask);
        assert_eq!(decide(&base, &tenant, "Shell", "make"), Effect::Allow);
        assert_eq!(
            decide(&base, &tenant, "Shell", "git push"),
            Effect::Ask,
            "no scope lifts a configured ask"
        );
        assert_eq!(decide(&base, &tenant, "Shell", "rm x"), Effect::Deny);
    }
    let project = ExtraRules::of_texts(&[text(Scope::SharedProject, tenant)], &options).unwrap();
    assert_eq!(
        decide(&base, &project, "Shell", "make"),
        Effect::Ask,
        "the workspace is not trusted"
    );
    let posture = text(Scope::Managed, "posture: yolo\npermissions: {}\n");
    let posture = ExtraRules::of_texts(&[posture], &options).unwrap();
    assert_eq!(
        decide(&base, &posture, "Shell", "make"),
        Effect::Ask,
        "a posture is no rule"
    );
    assert!(ExtraRules::of_texts(&[text(Scope::Managed, "permissions: {alow: []}\n")], &options).is_err());
}

#[test]
fn a_rule_of_the_second_table_is_named_with_its_own_place() {
    let options = Options::default();
    let base = Snapshot::of_texts(
        &[text(Scope::User, "permissions: {deny: ['Shell(b)']}\n")],
        &options,
    )
    .unwrap();
    let extra = text(Scope::Cli, "permissions:\n  deny:\n    - 'Shell(a)'\n");
    let extra = ExtraRules::of_texts(&[extra], &options).unwrap();
    let call = Call::new("Shell", Arguments::parse(r#"{"command": "a"}"#));
    let decision = base.decide(&call, &Context::default(), &extra);
    let rule = decision.rule.unwrap();
    assert_eq!(
        (rule.index, &*rule.pattern, &*rule.source, rule.line),
        (Some(0), "a", "cli", 3)
    );
    assert_ne!(decision.policy, *base.policy().table().digest());
    let same = base.decide(&call, &Context::default(), &ExtraRules::none());
    assert_eq!(same.policy, *base.policy().table().digest());
}

const CONFIGURED: [Scope; 5] = [
    Scope::Managed,
    Scope::Cli,
    Scope::LocalProject,
    Scope::SharedProject,
    Scope::User,
];

/// Settings texts, in the five operator and project scopes.
fn texts() -> impl Strategy<Value = Vec<(Scope, String)>> {
    let scopes = Vec::from(CONFIGURED);
    prop::collection::vec((prop::sample::select(scopes), crate::trust::settings()), 1..5).prop_map(|texts| {
        // A posture does not join with rules, so both sides are without.
        let bare = |text: String| {
            text.split_once("permissions:")
                .map(|(_, rules)| format!("permissions:{rules}"))
        };
        texts
            .into_iter()
            .filter_map(|(scope, text)| Some((scope, bare(text)?)))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn combined_tables_decide_as_one_table_of_all_rules(texts in texts(), cut in 0_usize..5) {
        let options = Options { trusted_workspace: true, ..Options::default() };
        let names: Vec<String> = (0..texts.len()).map(|number| format!("{number}.yaml")).collect();
        let all: Vec<SettingsText<'_>> = texts.iter().zip(&names)
            .map(|((scope, text), name)| SettingsText { scope: *scope, name, text })
            .collect();
        let (base, extra) = all.split_at(cut.min(all.len()));
        let whole = Snapshot::of_texts(&all, &options).unwrap();
        let base = Snapshot::of_texts(base, &options).unwrap();
        let extra = ExtraRules::of_texts(extra, &options).unwrap();
        for (tool, subject) in [
            ("Shell", "make all"), ("Shell", "rm x"), ("Shell", "make && rm x"), ("Shell", "echo $(make)"),
            ("Read", ".env"), ("Read", "a"), ("Edit", "src/a"), ("Tool", ""), ("Write", "x"),
        ] {
            let args = args(tool, subject);
            let call = Call::new(tool, Arguments::parse(&args));
            for audience in [Audience::Main, Audience::Subagent, Audience::All] {
                for mode in [Mode::Default, Mode::AcceptEdits, Mode::Plan] {
                    let context = Context { audience, mode, ..Context::default() };
                    let mut one = whole.decide(&call, &context, &ExtraRules::none());
                    let mut two = base.decide(&call, &context, &extra);
                    prop_assert_eq!(one.effect, two.effect);
                    prop_assert_eq!(one.configured_ask, two.configured_ask);
                    prop_assert_eq!(one.floored_configured_allow, two.floored_configured_allow);
                    prop_assert_eq!(one.provenance, two.provenance);
                    let scope = |decision: &callgate_runtime::Decision<'_>| decision.rule.as_ref().map(|rule| rule.scope);
                    prop_assert_eq!(scope(&one), scope(&two));
                    one.rule = None;
                    two.rule = None;
                    prop_assert_eq!(one.segment, two.segment);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_broken_source_only_tightens_and_leaves_allows_of_higher_scopes_alone(
        texts in texts(),
        limit in prop::sample::select(Vec::from(CONFIGURED)),
    ) {
        let options = Options { trusted_workspace: true, ..Options::default() };
        let names: Vec<String> = (0..texts.len()).map(|number| format!("{number}.yaml")).collect();
        let all: Vec<SettingsText<'_>> = texts.iter().zip(&names)
            .map(|((scope, text), name)| SettingsText { scope: *scope, name, text })
            .collect();
        let snapshot = Snapshot::of_texts(&all, &options).unwrap();
        let combined = Combined::new(Arc::clone(snapshot.policy()), []).unwrap();
        let source = [BrokenSource { scope: limit, name: String::from("broken.yaml") }];
        for (tool, subject) in [
            ("Shell", "make all"), ("Shell", "rm x"), ("Shell", "make && rm x"), ("Read", ".env"), ("Edit", "src/a"),
            ("Tool", "x"), ("Write", "x"),
        ] {
            let args = args(tool, subject);
            let call = Call::new(tool, Arguments::parse(&args));
            for mode in [Mode::Default, Mode::AcceptEdits, Mode::Plan] {
                let context = Context { mode, ..Context::default() };
                let whole = combined.decide(&call, &context);
                let broken = combined.decide(&call, &Context { broken: &source, ..context });
                if whole.effect != Effect::Allow {
                    prop_assert_eq!(&whole, &broken);
                    continue;
                }
                let above = whole.rule.as_ref().is_some_and(|rule| rule.scope < Some(limit));
                if subject.contains("&&") {
                    prop_assert!(broken.effect <= whole.effect);
                } else if above {
                    prop_assert_eq!(&whole, &broken);
                } else {
                    prop_assert_eq!((broken.effect, broken.provenance), (Effect::Ask, Provenance::BrokenSource));
                }
            }
        }
    }
}

#[test]
fn policies_of_the_rules_dialect_are_not_combined() {
    let safe = callgate_compiler::preset("safe").unwrap();
    let bytes = callgate_compiler::emit::table(&safe).unwrap();
    let safe = Arc::new(callgate_runtime::Policy::from_bytes(bytes).unwrap());
    assert!(Combined::new(safe, []).is_err());
}
