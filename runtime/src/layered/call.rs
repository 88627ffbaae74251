//! What a layered decision is asked about: the call as it was read, and what the session adds to it.

use alloc::borrow::Cow;

use crate::rule::Mode;

/// The arguments of a call, as far as they could be read.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    /// Why the arguments have no one reading (broken text, duplicate keys, no object); then `members` does not count.
    pub malformed: Option<&'static str>,
    /// The top-level members in the order of the text, names and strings decoded.
    pub members: &'a [(Cow<'a, str>, ArgValue<'a>)],
}

/// The value of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgValue<'a> {
    /// A string, decoded.
    String(Cow<'a, str>),
    /// `null`, which counts as absent (ruling 3).
    Null,
    /// Anything else.
    Other,
}

/// One call of the layered dialect.
#[derive(Clone, Copy, Debug)]
pub struct LayeredCall<'a> {
    /// The tool's name, exact and case-sensitive.
    pub tool: &'a str,
    /// Its arguments.
    pub arguments: Arguments<'a>,
    /// The session's mode.
    pub mode: Mode,
}

/// What stands around a call: the session's learned rules and the posture.
#[derive(Clone, Copy, Default)]
pub struct LayeredOptions<'a> {
    /// The exact rules learned in this session; `None` when learning is off.
    pub learned: Option<&'a dyn Learned>,
    /// The posture's loose substitution.
    pub loose_substitution: bool,
}

/// The exact allow rules a session has learned.
pub trait Learned {
    /// Whether the session learned exactly this pattern for exactly this tool.
    fn has(&self, tool: &str, pattern: &str) -> bool;
}

/// Why nothing can be learned from a call (page 30, rulings 1 and 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotLearnable {
    /// The arguments have no one reading, or hold no command.
    MalformedArguments,
    /// There is no subject: a rule on it would be wider than the call.
    EmptySubject,
    /// A tool with two subjects.
    TwoSubjects,
    /// More than one command, or control flow around one.
    Compound,
    /// Something in it may hide another command; the construct's name.
    Opaque(&'static str),
    /// It writes to a file.
    Redirection,
    /// Its here-document is no part of the text that would be learned.
    HereDocument,
}
