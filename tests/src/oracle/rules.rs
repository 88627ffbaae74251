//! The rules dialect's order, written out as page 20 writes it.

use callgate_runtime::rule::{Effect, Mode, Provenance};

use super::answer::{Answer, NamedRule, Place};
use super::call::CallText;
use super::{fnmatch, subject};

/// A policy of the rules dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Its mode.
    pub mode: PolicyMode,
    /// Its rules in document order.
    pub rules: Vec<Rule>,
}

/// The mode of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyMode {
    /// Every call is allowed.
    AllowAll,
    /// Every call is denied.
    DenyAll,
    /// The rules decide.
    Rules,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// `Ask` stands under `escalate`.
    pub effect: Effect,
    /// The canonical tool, or `*`.
    pub tool: String,
    /// The glob.
    pub pattern: String,
    /// Where it was written.
    pub place: Place,
}

/// What no command of the rules dialect may hold.
const CONTROL: [&str; 9] = [";", "&&", "||", "|", "`", "$(", "<", ">", "\n"];

impl Policy {
    /// The canonical form of a tool's name.
    pub fn canonical(tool: &str) -> String {
        subject::canonical(tool)
    }

    /// Decides one call.
    pub fn decide(&self, call: &CallText) -> Answer {
        let tool = subject::canonical(&call.tool);
        let action = call.judged_action();
        let answer = |effect, provenance| Answer::plain(effect, provenance, &tool, &action);
        let Some(subject) = subject::of(call, &tool) else {
            return answer(Effect::Deny, Provenance::MalformedArguments);
        };
        if call.mode != Mode::Default {
            return answer(Effect::Deny, Provenance::Mode);
        }
        match self.mode {
            PolicyMode::AllowAll => return answer(Effect::Allow, Provenance::Mode),
            PolicyMode::DenyAll => return answer(Effect::Deny, Provenance::Mode),
            PolicyMode::Rules => {}
        }
        if tool == "bash" && CONTROL.iter().any(|operator| subject.contains(operator)) {
            return answer(Effect::Deny, Provenance::ShellControl);
        }
        for effect in [Effect::Deny, Effect::Allow, Effect::Ask] {
            let of_tool = |name: &str| -> Vec<&Rule> {
                self.rules
                    .iter()
                    .filter(|rule| rule.effect == effect && rule.tool == name)
                    .collect()
            };
            for rule in of_tool(&tool).into_iter().chain(of_tool("*")) {
                if fnmatch::matches_either_case(&rule.pattern, &subject) {
                    let mut answer = answer(effect, Provenance::Rule);
                    answer.rule = Some(NamedRule {
                        effect,
                        pattern: rule.pattern.clone(),
                        scope: None,
                        place: rule.place.clone(),
                    });
                    return answer;
                }
            }
        }
        answer(Effect::Deny, Provenance::Default)
    }
}
