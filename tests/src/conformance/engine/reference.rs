//! The reference evaluator as an engine: it reads the policy's text and never its table.

use super::{Engine, Evaluator};
use crate::conformance::policy::{CompiledPolicy, PolicyText, SOURCE, Spec, Specs, line_of};
use crate::oracle::layered::{self, Learned, Rule, learnable};
use crate::oracle::{self, Answer, CallText, Place, RulesPolicy};

/// The reference evaluator.
#[derive(Clone, Copy, Debug)]
pub struct Reference;

impl Engine for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn load<'p>(&self, policy: &'p CompiledPolicy) -> Result<Box<dyn Evaluator + 'p>, String> {
        match &policy.text {
            PolicyText::Document(text) => {
                let read = oracle::permissions(SOURCE, text).map_err(|unread| unread.to_string())?;
                Ok(Box::new(read))
            }
            PolicyText::Specs(specs) => Ok(Box::new(layered_policy(specs)?)),
        }
    }

    fn learnable(&self, call: &CallText) -> Option<String> {
        learnable(call)
    }
}

impl Evaluator for RulesPolicy {
    fn decide(&self, call: &CallText, _learned: &[CallText]) -> Result<Answer, String> {
        Ok(Self::decide(self, call))
    }
}

impl Evaluator for layered::Policy {
    fn decide(&self, call: &CallText, learned: &[CallText]) -> Result<Answer, String> {
        let mut session = Learned::default();
        for call in learned {
            session.learn(call);
        }
        Ok(Self::decide(self, call, &session))
    }
}

fn layered_policy(specs: &Specs) -> Result<layered::Policy, String> {
    let mut rules = Vec::new();
    for (
        index,
        Spec {
            scope,
            effect,
            text,
            audience,
        },
    ) in specs.rules.iter().enumerate()
    {
        let (tool, pattern) = oracle::spec(text).ok_or_else(|| format!("{text:?} is no rule spec"))?;
        let place = Place {
            source: SOURCE.to_owned(),
            line: line_of(index),
            column: 1,
        };
        rules.push(Rule {
            scope: *scope,
            effect: *effect,
            tool,
            pattern,
            exact: false,
            audience: *audience,
            place,
        });
    }
    Ok(layered::Policy {
        rules,
        floor: specs.floor,
        loose_main: specs.loose_substitution,
        loose_child: specs.loose_substitution,
    })
}
