//! The five invariants of the layered dialect as a suite: any [`PermissionPolicy`] to the invariants it breaks, each with
//! a witness.
//!
//! Who puts another engine behind the seam (page 30, *Wiring*) writes one function that builds it from a few rules, and
//! runs [`violations`] in its own tests. Being stricter than a rule says breaks nothing; being laxer does.

mod scenarios;

use std::fmt;

use callgate_runtime::call::{Arguments, Call};
use callgate_runtime::decision::Decision;
use callgate_runtime::permission_policy::PermissionPolicy;
use callgate_runtime::rule::{Effect, Mode, Provenance, Scope};

/// What every policy behind the seam keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// A deny in any scope stands against everything.
    DenyDominant,
    /// An ask above the built-in floor is never suppressed, and says that it is configured.
    ConfiguredAskStands,
    /// In plan mode what may change the workspace is denied before any rule is asked.
    PlanModeFirst,
    /// What was learned stands lowest, in its session alone, and for the learned text alone.
    LearnedLowest,
    /// No compound or substituted shell line is learned.
    NoCompoundLearned,
}

impl Invariant {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::DenyDominant,
        Self::ConfiguredAskStands,
        Self::PlanModeFirst,
        Self::LearnedLowest,
        Self::NoCompoundLearned,
    ];

    /// `deny_dominant`, `configured_ask_stands`, `plan_mode_first`, `learned_lowest`, `no_compound_learned`.
    pub fn name(self) -> &'static str {
        match self {
            Self::DenyDominant => "deny_dominant",
            Self::ConfiguredAskStands => "configured_ask_stands",
            Self::PlanModeFirst => "plan_mode_first",
            Self::LearnedLowest => "learned_lowest",
            Self::NoCompoundLearned => "no_compound_learned",
        }
    }
}

/// One rule that the policy under test is to have, for the main engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SuiteRule {
    /// Where it comes from; never the built-in scope.
    pub scope: Scope,
    /// What it says.
    pub effect: Effect,
    /// `Tool` or `Tool(pattern)`, as settings files have it.
    pub spec: &'static str,
}

/// One call of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SuiteCall {
    /// The tool.
    pub tool: &'static str,
    /// The arguments as JSON text.
    pub args: &'static str,
}

/// A broken invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which one.
    pub invariant: Invariant,
    /// What shows it.
    pub witness: Witness,
}

/// A policy, what was done with it, and the answer that it must not give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The rules it was built with.
    pub rules: Vec<SuiteRule>,
    /// The calls given to `learn` before, in the same session unless the suite says otherwise.
    pub learned: Vec<SuiteCall>,
    /// The mode.
    pub mode: Mode,
    /// The call.
    pub call: SuiteCall,
    /// What was expected, and what came.
    pub wrong: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Witness {
            rules,
            learned,
            mode,
            call,
            wrong,
        } = &self.witness;
        writeln!(formatter, "{}: {wrong}", self.invariant.name())?;
        for rule in rules {
            let (scope, effect) = (rule.scope.name(), rule.effect.name());
            writeln!(formatter, "  rule {effect} {} ({scope})", rule.spec)?;
        }
        for call in learned {
            writeln!(formatter, "  learned {} {}", call.tool, call.args)?;
        }
        write!(
            formatter,
            "  call {} {} in mode {}",
            call.tool,
            call.args,
            mode.name()
        )
    }
}

/// Builds the policy under test from rules; each is asked a few questions and dropped. Nothing but the built-in floor
/// may stand beside the rules, and nothing may be learned yet.
pub type Build<'b> = dyn Fn(&[SuiteRule]) -> Box<dyn PermissionPolicy> + 'b;

/// The scenarios of one invariant: the first that goes wrong.
type Check = fn(&Build<'_>) -> Result<(), Box<Witness>>;

/// Runs every scenario, and gives the first violation of each invariant that is broken.
pub fn violations(build: &Build<'_>) -> Vec<Violation> {
    let checks: [(Invariant, Check); 5] = [
        (Invariant::DenyDominant, scenarios::deny_dominant),
        (Invariant::ConfiguredAskStands, scenarios::configured_ask_stands),
        (Invariant::PlanModeFirst, scenarios::plan_mode_first),
        (Invariant::LearnedLowest, scenarios::learned_lowest),
        (Invariant::NoCompoundLearned, scenarios::no_compound_learned),
    ];
    let broken = checks.into_iter().filter_map(|(invariant, check)| {
        let witness = *check(build).err()?;
        Some(Violation { invariant, witness })
    });
    broken.collect()
}

/// A policy under test with its story so far.
struct Trial {
    policy: Box<dyn PermissionPolicy>,
    rules: Vec<SuiteRule>,
    learned: Vec<SuiteCall>,
}

/// The session that learns.
const SESSION: &str = "session";

impl Trial {
    fn new(build: &Build<'_>, rules: Vec<SuiteRule>) -> Self {
        Self {
            policy: build(&rules),
            rules,
            learned: Vec::new(),
        }
    }

    /// Whether the policy says that it learned.
    fn learn(&mut self, call: SuiteCall) -> bool {
        self.learned.push(call);
        self.policy.learn(SESSION, &call.call()).is_ok()
    }

    fn ask(&self, mode: Mode, call: SuiteCall) -> Decision<'static> {
        self.policy.evaluate(SESSION, mode, &call.call(), None)
    }

    fn ask_elsewhere(&self, mode: Mode, call: SuiteCall) -> Decision<'static> {
        self.policy.evaluate("another session", mode, &call.call(), None)
    }

    /// The witness of a question that was answered wrongly.
    fn witness(&self, mode: Mode, call: SuiteCall, wrong: String) -> Box<Witness> {
        Box::new(Witness {
            rules: self.rules.clone(),
            learned: self.learned.clone(),
            mode,
            call,
            wrong,
        })
    }

    fn must_deny(&self, mode: Mode, call: SuiteCall) -> Result<(), Box<Witness>> {
        let decision = self.ask(mode, call);
        if decision.effect == Effect::Deny {
            return Ok(());
        }
        Err(self.witness(
            mode,
            call,
            format!("deny expected, {} given", decision.effect.name()),
        ))
    }

    fn must_deny_by_plan(&self, call: SuiteCall) -> Result<(), Box<Witness>> {
        self.must_deny(Mode::Plan, call)?;
        let provenance = self.ask(Mode::Plan, call).provenance;
        if provenance == Provenance::PlanMode {
            return Ok(());
        }
        let wrong = format!("provenance plan_mode expected, {} given", provenance.name());
        Err(self.witness(Mode::Plan, call, wrong))
    }

    fn must_ask(&self, mode: Mode, call: SuiteCall) -> Result<(), Box<Witness>> {
        let decision = self.ask(mode, call);
        match decision.effect {
            Effect::Deny => Ok(()),
            Effect::Ask if decision.configured_ask && !decision.floored_configured_allow => Ok(()),
            Effect::Ask => Err(self.witness(
                mode,
                call,
                String::from("the ask does not say that it is configured"),
            )),
            Effect::Allow => Err(self.witness(mode, call, String::from("ask expected, allow given"))),
        }
    }
}

impl SuiteCall {
    fn call(&self) -> Call<'static> {
        Call::new(self.tool, Arguments::parse(self.args))
    }
}
