//! What a layered decision says, with everything its record and its reason are made of.

use alloc::borrow::Cow;

use crate::rule::{Effect, Provenance, Rank};

/// The answer to one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement<'a> {
    /// The answer.
    pub effect: Effect,
    /// Why it is what it is.
    pub provenance: Provenance,
    /// The deciding rule of the order, where one decided or is covered by the floor.
    pub rank: Option<Rank>,
    /// The deciding rule that is in no table.
    pub synthetic: Option<Synthetic>,
    /// The shell segment that decided.
    pub segment: Option<Segment<'a>>,
    /// The ask is somebody's deliberate rule.
    pub configured_ask: bool,
    /// The floor is the only reason for the ask, over configured allows.
    pub floored_configured_allow: bool,
    /// What the reason says.
    pub cause: Cause<'a>,
}

/// A rule that no file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Synthetic {
    /// One of the two `cli` allows of the mode `accept_edits`: tool-wide, for the call's tool.
    AcceptEdits,
    /// The learned rule: an exact `user` allow whose pattern is the call's subject.
    Learned,
}

/// The shell segment that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Its place in the line, from 0.
    pub index: usize,
    /// Its text as written, without comments and here-documents.
    pub text: Cow<'a, str>,
    /// The view that met the rule.
    pub view: View,
}

/// Which text of a segment a rule met (page 31).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// As written.
    Raw,
    /// Unquoted, wrappers peeled.
    Plain,
    /// As `plain`, the program by its file name.
    Base,
}

impl View {
    /// `raw`, `plain`, `base`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Plain => "plain",
            Self::Base => "base",
        }
    }
}

/// What the reason says beyond the decision's other members (page 41).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause<'a> {
    /// The deciding rule.
    Rule,
    /// No rule matches the tool.
    NoRule,
    /// Plan mode.
    PlanMode,
    /// A construct that may hide another command; its name.
    Construct(&'static str),
    /// A write redirection to this target.
    Redirection(Cow<'a, str>),
    /// Arguments that cannot be judged; what about them.
    Malformed(&'static str),
    /// A rule learned in this session.
    Learned,
}

impl Judgement<'_> {
    /// A judgement of neither a rule nor a segment.
    pub(super) fn plain(effect: Effect, provenance: Provenance, cause: Cause<'_>) -> Judgement<'_> {
        Judgement {
            effect,
            provenance,
            rank: None,
            synthetic: None,
            segment: None,
            configured_ask: false,
            floored_configured_allow: false,
            cause,
        }
    }
}
