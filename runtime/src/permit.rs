//! A decision to a permit: the yes that an interceptor spends on exactly one check of exactly one call.
//!
//! A decision is data that anybody can write down, keep, or copy. A [`Permit`] is made here alone, out of an allow of the
//! evaluator, names the call it was made for, cannot be copied, and is used up by the check it answers.

use alloc::boxed::Box;
use alloc::string::String;

use crate::call::{Arguments, Call};
use crate::combined::{Combined, Context};
use crate::decision::Decision;
use crate::eval::Policy;
use crate::json;
use crate::layered::Learned;
use crate::permission_policy::PermissionPolicy;
use crate::rule::{Effect, Mode};
use crate::table::Digest;

/// A yes to one call by one policy. Whoever holds it may answer one policy check with it.
///
/// ```compile_fail
/// fn twice(permit: callgate_runtime::Permit) -> [callgate_runtime::Permit; 2] {
///     [permit.clone(), permit]
/// }
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Permit {
    tool: String,
    action: String,
    /// Compact JSON: the text that was judged.
    arguments: String,
    policy: Digest,
}

impl Policy {
    /// Decides one call, with no learned rules: the permit, or the decision that is not an allow.
    pub fn permit(&self, call: &Call<'_>) -> Result<Permit, Box<Decision<'_>>> {
        self.permit_with(call, None)
    }

    /// Decides one call as [`decide_with`](Policy::decide_with) does: the permit, or the decision that is not an allow.
    pub fn permit_with(
        &self,
        call: &Call<'_>,
        learned: Option<&dyn Learned>,
    ) -> Result<Permit, Box<Decision<'_>>> {
        Permit::of(call, self.decide_with(call, learned))
    }
}

impl Combined {
    /// Decides one call as [`decide`](Combined::decide) does: the permit, or the decision that is not an allow.
    pub fn permit(&self, call: &Call<'_>, context: &Context<'_>) -> Result<Permit, Box<Decision<'_>>> {
        Permit::of(call, self.decide(call, context))
    }
}

impl Permit {
    /// Asks whoever decides for an agent loop, one call of a session in a mode, below a workspace: the permit, or the
    /// decision that is not an allow.
    pub fn from_policy(
        policy: &(impl PermissionPolicy + ?Sized),
        session: &str,
        mode: Mode,
        call: &Call<'_>,
        workspace: Option<&str>,
    ) -> Result<Self, Box<Decision<'static>>> {
        Self::of(call, policy.evaluate(session, mode, call, workspace))
    }

    /// The permit that an allow of `call` is.
    fn of<'p>(call: &Call<'_>, decision: Decision<'p>) -> Result<Self, Box<Decision<'p>>> {
        match (decision.effect, &call.arguments) {
            (Effect::Allow, Arguments::Read(_)) => Ok(Self {
                tool: call.tool.clone(),
                action: call.action.clone(),
                arguments: compact(&call.arguments),
                policy: decision.policy,
            }),
            (Effect::Allow, Arguments::Malformed(_)) => {
                // Nothing is allowed on arguments that have no one reading, whoever decided.
                Err(Box::new(Decision {
                    effect: Effect::Deny,
                    ..decision
                }))
            }
            (Effect::Ask | Effect::Deny, _) => Err(Box::new(decision)),
        }
    }

    /// Whether it was made for this very call: the same tool, action and argument text.
    pub(crate) fn names(&self, tool: &str, action: &str, arguments: &str) -> bool {
        let arguments = Arguments::parse(arguments);
        let read = matches!(arguments, Arguments::Read(_));
        read && self.tool == tool && self.action == action && self.arguments == compact(&arguments)
    }

    /// The table that said yes.
    pub fn policy(&self) -> &Digest {
        &self.policy
    }

    /// The permit of a decision that a test made up.
    #[cfg(test)]
    pub(crate) fn made_up<'p>(call: &Call<'_>, decision: Decision<'p>) -> Result<Self, Box<Decision<'p>>> {
        Self::of(call, decision)
    }
}

fn compact(arguments: &Arguments<'_>) -> String {
    let mut text = String::from("{");
    if let Arguments::Read(members) = arguments {
        for (index, member) in members.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            json::push_string(&member.name, &mut text);
            text.push(':');
            json::push_compact(&member.value, &mut text);
        }
    }
    text.push('}');
    text
}
