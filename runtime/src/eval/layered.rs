//! A call and the rules of a layered table to a decision: what the judgement says, as a record.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Policy, Verdict};
use crate::call::{self, Call, Malformed};
use crate::decision::{Cause, DecidingRule, DecidingSegment, Decision};
use crate::json::{JsonError, Member, Value};
use crate::layered::{
    self, ArgValue, Arguments, Judgement, LayeredCall, LayeredOptions, Learned, LearnedRule, NotLearnable,
    SegmentRuling, Synthetic,
};
use crate::rule::{Audience, Mode, Rank, RuleOrder, Scope};
use crate::table::Digest;

impl Policy {
    /// Decides one call of a layered table.
    pub(super) fn decide_layered(&self, call: &Call<'_>, learned: Option<&dyn Learned>) -> Decision<'_> {
        let order = self.order(call.audience);
        self.decide_by(&order, call, learned)
    }

    /// Decides one call of a layered table by an order that is made from this table's (page 30: rules handed in per call,
    /// a source that cannot be read).
    pub fn decide_by(
        &self,
        order: &dyn RuleOrder,
        call: &Call<'_>,
        learned: Option<&dyn Learned>,
    ) -> Decision<'_> {
        let options = LayeredOptions {
            learned,
            loose_substitution: self.is_loose(call.audience),
        };
        with_layered_call(call, |layered_call| {
            let judgement = layered::judge(order, layered_call, &options);
            let find = |rank: Rank| DecidingRule::of(&self.table, rank.0);
            record(call, layered_call, judgement, find, *self.table.digest())
        })
    }

    /// The answer to every segment of a command line, in the order of [`shell::read`](crate::shell::read), as `order`
    /// gives it where plan mode lets the line through and nothing is learned: what a decision on it is folded from.
    pub fn segment_rulings(
        &self,
        order: &dyn RuleOrder,
        audience: Audience,
        line: &str,
    ) -> Vec<SegmentRuling> {
        let options = LayeredOptions {
            learned: None,
            loose_substitution: self.is_loose(audience),
        };
        layered::rulings(order, line, &options)
    }

    /// Decides on a tool and its one subject, with no learned rules.
    pub(super) fn judge_layered(&self, tool: &str, subject: &str, audience: Audience, mode: Mode) -> Verdict {
        let key = if tool == "Shell" { "command" } else { "path" };
        let members = [(Cow::Borrowed(key), ArgValue::String(Cow::Borrowed(subject)))];
        let call = LayeredCall {
            tool,
            arguments: Arguments {
                malformed: None,
                members: &members,
            },
            mode,
        };
        let options = LayeredOptions {
            learned: None,
            loose_substitution: self.is_loose(audience),
        };
        let judgement = layered::judge(&self.order(audience), &call, &options);
        Verdict {
            effect: judgement.effect,
            provenance: judgement.provenance,
            rule: judgement.rank.map(|rank| rank.0),
        }
    }

    /// Whether the table's posture loosens substitutions for this audience.
    pub(crate) fn is_loose(&self, audience: Audience) -> bool {
        let options = self.table.options();
        match audience {
            Audience::Main => options.loose_main,
            Audience::Subagent => options.loose_child,
            Audience::All => options.loose_main && options.loose_child,
        }
    }
}

/// The judgement of a call as a record. `find` gives the rule of a rank in the order that was asked, which belongs to
/// `policy`.
pub(crate) fn record<'p>(
    call: &Call<'_>,
    layered_call: &LayeredCall<'_>,
    judgement: Judgement<'_>,
    find: impl FnOnce(Rank) -> Option<DecidingRule<'p>>,
    policy: Digest,
) -> Decision<'p> {
    let rule = match judgement.synthetic {
        Some(Synthetic::AcceptEdits) => Some(DecidingRule::synthetic(Cow::Borrowed(""), Scope::Cli)),
        Some(Synthetic::Learned) => {
            // A learned `Shell` rule is the text of the segment it met; the line may hold more than that segment.
            let pattern = match &judgement.segment {
                Some(segment) => segment.text.clone().into_owned(),
                None => layered::learnable(layered_call)
                    .map(|rule| rule.pattern.into_owned())
                    .unwrap_or_default(),
            };
            Some(DecidingRule::synthetic(Cow::Owned(pattern), Scope::User))
        }
        None => judgement.rank.and_then(find),
    };
    Decision {
        effect: judgement.effect,
        tool: call.tool.clone(),
        canonical_tool: call.tool.clone(),
        action: call.action.clone(),
        cause: cause(judgement.cause),
        provenance: judgement.provenance,
        rule,
        segment: judgement.segment.map(segment),
        configured_ask: judgement.configured_ask,
        floored_configured_allow: judgement.floored_configured_allow,
        policy,
    }
}

/// The rule that *allow always* stores for this call, or why there is none.
pub fn learnable(call: &Call<'_>) -> Result<(String, String), NotLearnable> {
    with_layered_call(call, |call| {
        let LearnedRule { tool, pattern } = layered::learnable(call)?;
        Ok((String::from(tool), pattern.into_owned()))
    })
}

/// Hands the call on as the layered dialect reads it.
pub(crate) fn with_layered_call<R>(call: &Call<'_>, use_it: impl FnOnce(&LayeredCall<'_>) -> R) -> R {
    let mut members = Vec::new();
    let malformed = match &call.arguments {
        call::Arguments::Read(read) => {
            members.extend(read.iter().map(member));
            None
        }
        call::Arguments::Malformed(reason) => Some(malformed_name(*reason)),
    };
    let arguments = Arguments {
        malformed,
        members: &members,
    };
    use_it(&LayeredCall {
        tool: &call.tool,
        arguments,
        mode: call.mode,
    })
}

fn member<'c>(member: &'c Member<'_>) -> (Cow<'c, str>, ArgValue<'c>) {
    let value = match &member.value {
        Value::String(text) => ArgValue::String(Cow::Borrowed(text)),
        Value::Null => ArgValue::Null,
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => ArgValue::Other,
    };
    (Cow::Borrowed(&member.name), value)
}

fn malformed_name(reason: Malformed) -> &'static str {
    match reason {
        Malformed::Json(JsonError::Syntax) => "not JSON",
        Malformed::Json(JsonError::DuplicateKey) => "duplicate key",
        Malformed::Json(JsonError::LoneSurrogate) => "lone surrogate",
        Malformed::Json(JsonError::NumberRange) => "number out of range",
        Malformed::Json(JsonError::TooDeep) => "nested too deep",
        Malformed::NotAnObject => "not an object",
        Malformed::NotAString(_) => "a subject that is not a string",
    }
}

fn cause(cause: layered::Cause<'_>) -> Cause {
    match cause {
        layered::Cause::Rule => Cause::Rule,
        layered::Cause::NoRule => Cause::NoRule,
        layered::Cause::PlanMode => Cause::PlanMode,
        layered::Cause::Construct(name) => Cause::Construct(name),
        layered::Cause::Redirection(target) => Cause::Redirection(target.into_owned()),
        layered::Cause::Malformed(what) => Cause::Malformed(what.to_string()),
        layered::Cause::Learned => Cause::Learned,
    }
}

fn segment(segment: layered::Segment<'_>) -> DecidingSegment {
    DecidingSegment {
        index: u32::try_from(segment.index).unwrap_or(u32::MAX),
        text: segment.text.into_owned(),
        view: segment.view.name(),
    }
}
