//! The stories of each invariant: rules, calls, and what must not come out. Data first, then one function an invariant.

use callgate_runtime::rule::{Effect, Mode, Scope};

use super::{Build, SuiteCall, SuiteRule, Trial, Witness};

type Outcome = Result<(), Box<Witness>>;

const fn call(tool: &'static str, args: &'static str) -> SuiteCall {
    SuiteCall { tool, args }
}

/// The scopes that somebody configures.
const CONFIGURED: [Scope; 5] = [
    Scope::Managed,
    Scope::Cli,
    Scope::LocalProject,
    Scope::SharedProject,
    Scope::User,
];

/// A call, the two rules that match it, and other calls that hold it.
struct Sample {
    call: SuiteCall,
    tool: &'static str,
    spec: &'static str,
    within: &'static [SuiteCall],
}

const SAMPLES: [Sample; 6] = [
    Sample {
        call: call("Shell", r#"{"command": "git push origin"}"#),
        tool: "Shell",
        spec: "Shell(git push*)",
        within: &[
            call("Shell", r#"{"command": "true && git push origin"}"#),
            call("Shell", r#"{"command": "git push origin | cat"}"#),
            call("Shell", r#"{"command": "ls\ngit push origin"}"#),
        ],
    },
    Sample {
        call: call("Edit", r#"{"path": "src/a.rs"}"#),
        tool: "Edit",
        spec: "Edit(src/*)",
        within: &[],
    },
    Sample {
        call: call("Read", r#"{"path": ".env"}"#),
        tool: "Read",
        spec: "Read(.env)",
        within: &[],
    },
    Sample {
        call: call("WebFetch", r#"{"url": "https://example.com/a"}"#),
        tool: "WebFetch",
        spec: "WebFetch(https://example.com/*)",
        within: &[],
    },
    Sample {
        call: call("Copy", r#"{"source": "a", "destination": "secret/b"}"#),
        tool: "Copy",
        spec: "Copy(secret/*)",
        within: &[call("Copy", r#"{"source": "secret/b", "destination": "a"}"#)],
    },
    Sample {
        call: call("mcp__db__run", r#"{"query": "drop table t"}"#),
        tool: "mcp__db__run",
        spec: "mcp__db__run(drop *)",
        within: &[],
    },
];

/// Allows of the call in every scope, narrow and wide, and one other rule.
fn against_allows(sample: &Sample, scope: Scope, effect: Effect, spec: &'static str) -> Vec<SuiteRule> {
    let allows = CONFIGURED.into_iter().flat_map(|scope| {
        [sample.tool, sample.spec].map(|spec| SuiteRule {
            scope,
            effect: Effect::Allow,
            spec,
        })
    });
    allows.chain([SuiteRule { scope, effect, spec }]).collect()
}

/// Every sample with a tightening rule in every scope, wide and narrow, among allows of all scopes.
fn each_against_allows(
    build: &Build<'_>,
    effect: Effect,
    check: impl Fn(&Trial, SuiteCall) -> Outcome,
) -> Outcome {
    for sample in &SAMPLES {
        for scope in CONFIGURED {
            for spec in [sample.tool, sample.spec] {
                let trial = Trial::new(build, against_allows(sample, scope, effect, spec));
                check(&trial, sample.call)?;
                sample
                    .within
                    .iter()
                    .try_for_each(|within| check(&trial, *within))?;
            }
        }
    }
    Ok(())
}

pub(super) fn deny_dominant(build: &Build<'_>) -> Outcome {
    each_against_allows(build, Effect::Deny, |trial, call| {
        [Mode::Default, Mode::AcceptEdits, Mode::Plan]
            .into_iter()
            .try_for_each(|mode| trial.must_deny(mode, call))
    })
}

pub(super) fn configured_ask_stands(build: &Build<'_>) -> Outcome {
    each_against_allows(build, Effect::Ask, |trial, call| {
        [Mode::Default, Mode::AcceptEdits]
            .into_iter()
            .try_for_each(|mode| trial.must_ask(mode, call))
    })
}

const CHANGING: [SuiteCall; 16] = [
    call("Edit", r#"{"path": "a"}"#),
    call("Write", r#"{"path": "a"}"#),
    call("Copy", r#"{"source": "a", "destination": "b"}"#),
    call("Move", r#"{"source": "a", "destination": "b"}"#),
    call("Remove", r#"{"path": "a"}"#),
    call("Edit", "{}"),
    call("Shell", r#"{"command": "rm -r build"}"#),
    call("Shell", r#"{"command": "git push origin"}"#),
    call("Shell", r#"{"command": "ls > out"}"#),
    call("Shell", r#"{"command": "ls && rm x"}"#),
    call("Shell", r#"{"command": "echo $(rm x)"}"#),
    call("Shell", r#"{"command": "find . -delete"}"#),
    call("Shell", r#"{"command": "sh run.sh"}"#),
    call("Shell", r#"{"command": "echo \"unbalanced"}"#),
    call("Shell", r#"{"command": 7}"#),
    call("Shell", "{}"),
];

pub(super) fn plan_mode_first(build: &Build<'_>) -> Outcome {
    for effect in [Effect::Allow, Effect::Ask, Effect::Deny] {
        for scope in CONFIGURED {
            let rules = ["Edit", "Write", "Copy", "Move", "Remove", "Shell"].map(|spec| SuiteRule {
                scope,
                effect,
                spec,
            });
            let trial = Trial::new(build, Vec::from(rules));
            CHANGING
                .iter()
                .try_for_each(|call| trial.must_deny_by_plan(*call))?;
        }
    }
    Ok(())
}

/// A learned call, and calls that a rule on its text must not reach.
const NEIGHBOURS: [(SuiteCall, &[SuiteCall]); 2] = [
    (
        call("Shell", r#"{"command": "printf *"}"#),
        &[
            call("Shell", r#"{"command": "printf secret"}"#),
            call("Shell", r#"{"command": "printf * && rm x"}"#),
            call("Shell", r#"{"command": "printf * x"}"#),
        ],
    ),
    (
        call("Edit", r#"{"path": "src/?.rs"}"#),
        &[
            call("Edit", r#"{"path": "src/a.rs"}"#),
            call("Edit", r#"{"path": "SRC/?.rs"}"#),
            call("Write", r#"{"path": "src/?.rs"}"#),
        ],
    ),
];

pub(super) fn learned_lowest(build: &Build<'_>) -> Outcome {
    for sample in &SAMPLES {
        for scope in CONFIGURED {
            for effect in [Effect::Deny, Effect::Ask] {
                let spec = sample.spec;
                let mut trial = Trial::new(build, vec![SuiteRule { scope, effect, spec }]);
                trial.learn(sample.call);
                for mode in [Mode::Default, Mode::AcceptEdits] {
                    match effect {
                        Effect::Deny => trial.must_deny(mode, sample.call)?,
                        Effect::Ask | Effect::Allow => trial.must_ask(mode, sample.call)?,
                    }
                }
            }
        }
    }
    for changing in CHANGING {
        let mut trial = Trial::new(build, Vec::new());
        trial.learn(changing);
        trial.must_deny(Mode::Plan, changing)?;
    }
    for (taught, neighbours) in NEIGHBOURS {
        let fresh = Trial::new(build, Vec::new());
        let mut trial = Trial::new(build, Vec::new());
        trial.learn(taught);
        for neighbour in neighbours {
            stays(&fresh, &trial, *neighbour)?;
        }
        let before = fresh.ask(Mode::Default, taught).effect;
        if before != Effect::Allow && trial.ask_elsewhere(Mode::Default, taught).effect == Effect::Allow {
            let wrong = String::from("another session may do what this one learned");
            return Err(trial.witness(Mode::Default, taught, wrong));
        }
    }
    Ok(())
}

/// A line that teaches nothing, and its commands one by one.
const UNLEARNABLE: [(SuiteCall, &[SuiteCall]); 14] = {
    const RM: &[SuiteCall] = &[call("Shell", r#"{"command": "rm x"}"#)];
    const PAIR: &[SuiteCall] = &[
        call("Shell", r#"{"command": "make a"}"#),
        call("Shell", r#"{"command": "rm x"}"#),
    ];
    [
        (call("Shell", r#"{"command": "make a && rm x"}"#), PAIR),
        (call("Shell", r#"{"command": "make a || rm x"}"#), PAIR),
        (call("Shell", r#"{"command": "make a; rm x"}"#), PAIR),
        (call("Shell", r#"{"command": "make a | rm x"}"#), PAIR),
        (call("Shell", r#"{"command": "make a & rm x"}"#), PAIR),
        (call("Shell", r#"{"command": "make a\nrm x"}"#), PAIR),
        (call("Shell", r#"{"command": "echo $(rm x)"}"#), RM),
        (call("Shell", r#"{"command": "echo `rm x`"}"#), RM),
        (call("Shell", r#"{"command": "cat <(rm x)"}"#), RM),
        (call("Shell", r#"{"command": "(rm x)"}"#), RM),
        (call("Shell", r#"{"command": "{ rm x; }"}"#), RM),
        (call("Shell", r#"{"command": "while true; do rm x; done"}"#), RM),
        (call("Shell", r#"{"command": "\"$X\" x"}"#), &[]),
        (call("Shell", r#"{"command": "echo \"$(rm x)\""}"#), RM),
    ]
};

pub(super) fn no_compound_learned(build: &Build<'_>) -> Outcome {
    for (line, commands) in UNLEARNABLE {
        let fresh = Trial::new(build, Vec::new());
        let mut trial = Trial::new(build, Vec::new());
        if trial.learn(line) {
            let wrong = String::from("the policy says that it learned a line that teaches nothing");
            return Err(trial.witness(Mode::Default, line, wrong));
        }
        for asked in [line].iter().chain(commands) {
            stays(&fresh, &trial, *asked)?;
        }
    }
    Ok(())
}

/// What was not allowed before learning is not allowed after it.
fn stays(fresh: &Trial, taught: &Trial, call: SuiteCall) -> Outcome {
    let before = fresh.ask(Mode::Default, call).effect;
    let after = taught.ask(Mode::Default, call).effect;
    if before != Effect::Allow && after == Effect::Allow {
        let wrong = format!("{} before learning, allow after it", before.name());
        return Err(taught.witness(Mode::Default, call, wrong));
    }
    Ok(())
}
