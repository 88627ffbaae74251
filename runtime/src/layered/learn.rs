//! A call to the rule that *allow always* stores, or the reason why there is none (page 30, rulings 1 and 2).

use alloc::borrow::Cow;

use super::call::{LayeredCall, NotLearnable};
use super::subject::{self, Subject};
use crate::shell::{self, Kind, Role};

/// What is learned from a call: an exact allow of scope `user`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedRule<'a> {
    /// The call's tool.
    pub tool: &'a str,
    /// The text that must be met exactly.
    pub pattern: Cow<'a, str>,
}

/// The rule that the call teaches.
pub fn learnable<'a>(call: &LayeredCall<'a>) -> Result<LearnedRule<'a>, NotLearnable> {
    let pattern = match subject::of(call.tool, &call.arguments) {
        Subject::Malformed(_) => return Err(NotLearnable::MalformedArguments),
        Subject::Two(..) => return Err(NotLearnable::TwoSubjects),
        Subject::One("") => return Err(NotLearnable::EmptySubject),
        Subject::One(text) => Cow::Borrowed(text),
        Subject::Command(line) => one_segment(line)?,
    };
    Ok(LearnedRule {
        tool: call.tool,
        pattern,
    })
}

/// The raw text of a line's one segment.
fn one_segment(line: &str) -> Result<Cow<'_, str>, NotLearnable> {
    let read = shell::read(line);
    if let Some(fault) = read.fault {
        return Err(NotLearnable::Opaque(fault.name()));
    }
    let opaque = read.units.iter().find_map(|unit| {
        let dangerous = (!unit.named.is_empty()).then_some(shell::Construct::DangerousVariable);
        unit.construct.or(unit.substitution).or(unit.group).or(dangerous)
    });
    if let Some(construct) = opaque {
        return Err(NotLearnable::Opaque(construct.name()));
    }
    let mut own = read.units.into_iter().filter(|unit| unit.role == Role::Own);
    let (Some(unit), None) = (own.next(), own.next()) else {
        return Err(NotLearnable::Compound);
    };
    if read.compound || !matches!(unit.kind, Kind::Segment | Kind::Assignments) {
        return Err(NotLearnable::Compound);
    }
    if unit.write.is_some() {
        return Err(NotLearnable::Redirection);
    }
    if unit.here_document {
        return Err(NotLearnable::HereDocument);
    }
    Ok(unit.into_raw())
}
