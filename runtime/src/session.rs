//! What users answered with *allow always* to exact allow rules that hold for one session (page 30, *Learned rules*).
//!
//! The sets only grow by calls that are learnable, and only up to [`MAX_LEARNED`]; a rule from anywhere else cannot get
//! in, not by parsing either.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::call::Call;
use crate::eval::with_layered_call;
use crate::json::{self, Value, push_string};
use crate::layered::{ArgValue, Arguments, LayeredCall, Learned, LearnedRule, NotLearnable, learnable};
use crate::rule::Mode;

/// Most distinct rules of one session.
pub const MAX_LEARNED: usize = 256;

/// Why *allow always* had no effect: the session keeps asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Refusal {
    /// A rule from this call could allow more than the call.
    #[error("not learnable: {}", Why(*.0))]
    NotLearnable(NotLearnable),
    /// The session has learned [`MAX_LEARNED`] rules.
    #[error("this session has learned {MAX_LEARNED} rules and learns no more")]
    CapReached,
    /// The policy has no store for learned rules.
    #[error("learning is off")]
    LearningIsOff,
}

struct Why(NotLearnable);

impl fmt::Display for Why {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.0 {
            NotLearnable::MalformedArguments => "the arguments cannot be judged",
            NotLearnable::EmptySubject => "a rule without a subject would allow every call of the tool",
            NotLearnable::TwoSubjects => "the tool has two subjects",
            NotLearnable::Compound => "the line is not one simple command",
            NotLearnable::Redirection => "the command writes to a file",
            NotLearnable::HereDocument => {
                "the command's here-document is no part of the text that would be learned"
            }
            NotLearnable::Opaque(construct) => {
                return write!(formatter, "{construct} may hide another command");
            }
        };
        formatter.write_str(why)
    }
}

/// The exact allow rules of one session, a set of tools and texts.
///
/// Printed one rule a line as `["Shell","git status"]`, sorted; what is printed parses to an equal set.
///
/// ```
/// use callgate_runtime::layered::{ArgValue, Arguments, LayeredCall, Learned};
/// use callgate_runtime::rule::Mode;
/// use callgate_runtime::session::LearnedRules;
///
/// let members = [("command".into(), ArgValue::String("git status".into()))];
/// let arguments = Arguments { malformed: None, members: &members };
/// let mut rules = LearnedRules::default();
/// rules.learn(&LayeredCall { tool: "Shell", arguments, mode: Mode::Default })?;
/// assert!(rules.has("Shell", "git status"));
/// assert_eq!(rules.to_string(), "[\"Shell\",\"git status\"]\n");
/// assert_eq!(rules.to_string().parse(), Ok(rules));
/// # Ok::<(), callgate_runtime::session::Refusal>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedRules {
    patterns: BTreeMap<String, BTreeSet<String>>,
}

impl LearnedRules {
    /// Learns the rule of `call`, or says why the session keeps asking. What is known already is learned again without
    /// counting.
    pub fn learn<'a>(&mut self, call: &LayeredCall<'a>) -> Result<LearnedRule<'a>, Refusal> {
        let rule = learnable(call).map_err(Refusal::NotLearnable)?;
        if !self.has(rule.tool, &rule.pattern) {
            if self.len() >= MAX_LEARNED {
                return Err(Refusal::CapReached);
            }
            let patterns = self.patterns.entry(rule.tool.to_string()).or_default();
            patterns.insert(rule.pattern.to_string());
        }
        Ok(rule)
    }

    /// How many distinct rules there are.
    pub fn len(&self) -> usize {
        self.patterns.values().map(BTreeSet::len).sum()
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Tool and text of every rule, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.patterns.iter().flat_map(|(tool, patterns)| {
            patterns
                .iter()
                .map(move |pattern| (tool.as_str(), pattern.as_str()))
        })
    }
}

impl Learned for LearnedRules {
    fn has(&self, tool: &str, pattern: &str) -> bool {
        self.patterns
            .get(tool)
            .is_some_and(|patterns| patterns.contains(pattern))
    }
}

impl fmt::Display for LearnedRules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(tool, pattern)| {
            let mut line = String::from("[");
            push_string(tool, &mut line);
            line.push(',');
            push_string(pattern, &mut line);
            line.push(']');
            writeln!(formatter, "{line}")
        })
    }
}

/// Why a text is no set of learned rules. Nothing of it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LearnedRulesError {
    /// The line of this number, from 1, is not `["tool","text"]`.
    #[error("line {0} is no learned rule")]
    Line(usize),
    /// No call teaches the rule on this line.
    #[error("no call teaches the rule on line {0}")]
    Unlearnable(usize),
    /// There are more rules than a session may learn.
    #[error("more than {MAX_LEARNED} learned rules")]
    TooMany,
}

impl FromStr for LearnedRules {
    type Err = LearnedRulesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut rules = Self::default();
        for (line, line_number) in text.lines().zip(1_usize..) {
            let error = LearnedRulesError::Line(line_number);
            let Value::Array(parts) = json::parse(line).map_err(|_| error)? else {
                return Err(error);
            };
            let [Value::String(tool), Value::String(pattern)] = parts.as_slice() else {
                return Err(error);
            };
            match rules.learn_again(tool, pattern) {
                Ok(true) => {}
                Ok(false) | Err(Refusal::NotLearnable(_) | Refusal::LearningIsOff) => {
                    return Err(LearnedRulesError::Unlearnable(line_number));
                }
                Err(Refusal::CapReached) => return Err(LearnedRulesError::TooMany),
            }
        }
        Ok(rules)
    }
}

impl LearnedRules {
    /// Learns from the call that the rule came from, so that a stored text brings nothing that no call could. Whether
    /// that call teaches this very rule.
    fn learn_again(&mut self, tool: &str, pattern: &str) -> Result<bool, Refusal> {
        let key = if tool == "Shell" { "command" } else { "path" };
        let members = [(Cow::Borrowed(key), ArgValue::String(Cow::Borrowed(pattern)))];
        let arguments = Arguments {
            malformed: None,
            members: &members,
        };
        let rule = self.learn(&LayeredCall {
            tool,
            arguments,
            mode: Mode::Default,
        })?;
        Ok(rule.pattern == pattern)
    }
}

/// The learned rules of all open sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    sessions: BTreeMap<String, LearnedRules>,
}

impl Sessions {
    /// [`LearnedRules::learn`] for the session of this name. A refusal opens no session.
    pub fn learn(&mut self, session: &str, call: &Call<'_>) -> Result<(), Refusal> {
        if let Some(rules) = self.sessions.get_mut(session) {
            return with_layered_call(call, |call| rules.learn(call).map(drop));
        }
        let mut rules = LearnedRules::default();
        with_layered_call(call, |call| rules.learn(call).map(drop))?;
        self.sessions.insert(session.to_string(), rules);
        Ok(())
    }

    /// What the session learned; `None` when nothing.
    pub fn get(&self, session: &str) -> Option<&LearnedRules> {
        self.sessions.get(session)
    }

    /// Takes everything the session learned, which it has then forgotten. To be called when a session ends.
    pub fn forget(&mut self, session: &str) -> Option<LearnedRules> {
        self.sessions.remove(session)
    }
}

#[cfg(test)]
mod tests;
