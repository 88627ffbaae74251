//! The suite of invariants over our policy, which keeps all five, and over policies that break one each.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use callgate_compiler::Options;
use callgate_host::engine::EnginePolicy;
use callgate_host::invariants::{Invariant, SuiteRule, violations};
use callgate_host::snapshot::{SettingsText, Snapshot};
use callgate_host::store::SessionStore;
use callgate_runtime::permission_policy::PermissionPolicy;
use callgate_runtime::rule::{Effect, Mode, Provenance};
use callgate_runtime::session::Refusal;
use callgate_runtime::{Call, Decision};

/// Our policy over the rules, one settings text a rule.
fn ours(rules: &[SuiteRule]) -> Box<dyn PermissionPolicy> {
    let texts: Vec<String> = rules.iter().map(settings).collect();
    let texts: Vec<SettingsText<'_>> = rules
        .iter()
        .zip(&texts)
        .map(|(rule, text)| SettingsText {
            scope: rule.scope,
            name: rule.scope.name(),
            text,
        })
        .collect();
    let options = Options {
        trusted_workspace: true,
        ..Options::default()
    };
    let snapshot = Snapshot::of_texts(&texts, &options).unwrap();
    Box::new(EnginePolicy::fixed(
        Arc::new(snapshot),
        Some(Arc::new(SessionStore::default())),
    ))
}

fn settings(rule: &SuiteRule) -> String {
    let mut text = String::from("permissions:\n");
    writeln!(text, "  {}: [{:?}]", rule.effect.name(), rule.spec).unwrap();
    text
}

fn broken(build: &dyn Fn(&[SuiteRule]) -> Box<dyn PermissionPolicy>) -> Vec<Invariant> {
    violations(build)
        .into_iter()
        .map(|violation| violation.invariant)
        .collect()
}

#[test]
fn our_policy_keeps_all_five() {
    let violations: Vec<String> = violations(&ours).iter().map(ToString::to_string).collect();
    assert!(violations.is_empty(), "{violations:#?}");
}

/// Without the rules of `effect` that a higher allow of the same spec stands above.
fn without_overruled(rules: &[SuiteRule], effect: Effect) -> Vec<SuiteRule> {
    let overruled = |rule: &SuiteRule| {
        rule.effect == effect
            && rules.iter().any(|other| {
                other.effect == Effect::Allow && other.spec == rule.spec && other.scope < rule.scope
            })
    };
    rules.iter().filter(|rule| !overruled(rule)).copied().collect()
}

#[test]
fn a_higher_allow_that_beats_a_deny_is_caught() {
    let build = |rules: &[SuiteRule]| ours(&without_overruled(rules, Effect::Deny));
    assert_eq!(broken(&build), [Invariant::DenyDominant]);
}

#[test]
fn a_higher_allow_that_suppresses_a_configured_ask_is_caught() {
    let build = |rules: &[SuiteRule]| ours(&without_overruled(rules, Effect::Ask));
    let violations = violations(&build);
    assert_eq!(
        violations.iter().map(|found| found.invariant).collect::<Vec<_>>(),
        [Invariant::ConfiguredAskStands]
    );
    let text = violations[0].to_string();
    assert!(
        text.starts_with("configured_ask_stands: ask expected, allow given\n"),
        "{text}"
    );
    assert!(
        text.contains("  rule ask ") && text.ends_with(" in mode default"),
        "{text}"
    );
}

/// What a broken policy does differently.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flaw {
    /// The ask does not say that it is configured.
    SilentAsk,
    /// Plan mode is asked after the rules' denies.
    PlanAfterDeny,
    /// There is no plan mode.
    NoPlan,
    /// What was learned is allowed, whatever the rules say.
    LearnedAboveRules,
    /// What one session learned counts in every session.
    LearnedEverywhere,
    /// The learned text is a glob.
    LearnedGlob,
    /// Every line is learned as it stands.
    LearnsAnyLine,
    /// The policy says that it learned what it did not.
    ClaimsToLearn,
}

/// Our policy with a flaw.
struct Flawed {
    policy: Box<dyn PermissionPolicy>,
    flaw: Flaw,
    learned: RefCell<BTreeSet<(String, String, String)>>,
}

impl Flawed {
    fn key(session: &str, call: &Call<'_>) -> (String, String, String) {
        (
            session.to_owned(),
            call.tool.clone(),
            format!("{:?}", call.arguments),
        )
    }

    fn allowed(decision: Decision<'static>) -> Decision<'static> {
        Decision {
            effect: Effect::Allow,
            provenance: Provenance::Learned,
            configured_ask: false,
            ..decision
        }
    }
}

impl PermissionPolicy for Flawed {
    fn evaluate(
        &self,
        session: &str,
        mode: Mode,
        call: &Call<'_>,
        workspace: Option<&str>,
    ) -> Decision<'static> {
        let ask = |session: &str, mode| self.policy.evaluate(session, mode, call, workspace);
        let decision = ask(session, mode);
        let (_, tool, args) = Self::key(session, call);
        let has = |session: &str| self.learned.borrow().contains(&Self::key(session, call));
        match self.flaw {
            Flaw::SilentAsk => Decision {
                configured_ask: false,
                ..decision
            },
            Flaw::PlanAfterDeny => match ask(session, Mode::Default) {
                denied if denied.effect == Effect::Deny => denied,
                _ => decision,
            },
            Flaw::NoPlan => ask(session, if mode == Mode::Plan { Mode::Default } else { mode }),
            Flaw::LearnedAboveRules if has(session) && mode != Mode::Plan => Self::allowed(decision),
            Flaw::LearnedEverywhere if decision.effect == Effect::Ask && !decision.configured_ask => {
                ask("session", mode)
            }
            Flaw::LearnedGlob if decision.effect == Effect::Ask && !decision.configured_ask => {
                let learned = self.learned.borrow();
                let globbed = learned.iter().any(|(_, learned_tool, learned_args)| {
                    let prefix = learned_args.split(['*', '?']).next().unwrap();
                    *learned_tool == tool && learned_args != prefix && args.starts_with(prefix)
                });
                if globbed {
                    Self::allowed(decision)
                } else {
                    decision
                }
            }
            Flaw::LearnsAnyLine
                if has(session) && decision.effect == Effect::Ask && !decision.configured_ask =>
            {
                Self::allowed(decision)
            }
            _ => decision,
        }
    }

    fn learn(&self, session: &str, call: &Call<'_>) -> Result<(), Refusal> {
        let learned = self.policy.learn(session, call);
        match self.flaw {
            Flaw::LearnsAnyLine | Flaw::LearnedAboveRules | Flaw::LearnedGlob
                if learned.is_ok() || self.flaw == Flaw::LearnsAnyLine =>
            {
                self.learned.borrow_mut().insert(Self::key(session, call));
                learned
            }
            Flaw::ClaimsToLearn => Ok(()),
            _ => learned,
        }
    }
}

#[test]
fn every_other_flaw_is_caught_by_its_name() {
    let flaws = [
        (
            Flaw::SilentAsk,
            [Invariant::ConfiguredAskStands, Invariant::LearnedLowest].as_slice(),
        ),
        (Flaw::PlanAfterDeny, &[Invariant::PlanModeFirst]),
        (
            Flaw::NoPlan,
            &[Invariant::PlanModeFirst, Invariant::LearnedLowest],
        ),
        (Flaw::LearnedAboveRules, &[Invariant::LearnedLowest]),
        (Flaw::LearnedEverywhere, &[Invariant::LearnedLowest]),
        (Flaw::LearnedGlob, &[Invariant::LearnedLowest]),
        (Flaw::LearnsAnyLine, &[Invariant::NoCompoundLearned]),
        (Flaw::ClaimsToLearn, &[Invariant::NoCompoundLearned]),
    ];
    for (number, (flaw, expected)) in flaws.into_iter().enumerate() {
        let build = |rules: &[SuiteRule]| -> Box<dyn PermissionPolicy> {
            Box::new(Flawed {
                policy: ours(rules),
                flaw,
                learned: RefCell::default(),
            })
        };
        assert_eq!(broken(&build), expected, "flaw {number}");
    }
}

#[test]
fn a_compiled_policy_alone_keeps_them_by_never_learning() {
    let build = |rules: &[SuiteRule]| -> Box<dyn PermissionPolicy> {
        let texts: Vec<String> = rules.iter().map(settings).collect();
        let texts: Vec<SettingsText<'_>> = rules
            .iter()
            .zip(&texts)
            .map(|(rule, text)| SettingsText {
                scope: rule.scope,
                name: rule.scope.name(),
                text,
            })
            .collect();
        let options = Options {
            trusted_workspace: true,
            ..Options::default()
        };
        Box::new(callgate_runtime::Policy::clone(
            Snapshot::of_texts(&texts, &options).unwrap().policy(),
        ))
    };
    assert_eq!(broken(&build), []);
}
