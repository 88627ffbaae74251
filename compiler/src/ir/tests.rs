//! A tests document: cases, each a call and the answer it must get, and invariants over all calls.
//!
//! Specs stand in the dialect of the policy they are about, which this document does not know: they are kept as tool
//! and pattern, with nothing rewritten.

use callgate_runtime::rule::{Audience, Effect, Mode};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::ir::Spanned;

/// A tests document (page 70).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tests {
    /// `policy:`: a path relative to this file, or a preset's name.
    pub policy: Spanned<String>,
    /// `cases:`
    pub cases: Vec<Spanned<Case>>,
    /// `invariants:`
    pub invariants: Vec<Spanned<Invariant>>,
}

/// One call and what must come out.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// `name:`, for reports.
    pub name: Option<Spanned<String>>,
    /// `call:`
    pub call: Spanned<CaseCall>,
    /// `expect:`; `escalate` is `ask`.
    pub expect: Spanned<Effect>,
    /// `rule:`: the pattern of the deciding rule; null: no rule decides.
    pub rule: Option<Spanned<Option<String>>>,
    /// `audience:`; a call's own is the same field.
    pub audience: Option<Spanned<Audience>>,
    /// `mode:`; a call's own is the same field.
    pub mode: Option<Spanned<Mode>>,
}

/// The call of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseCall {
    /// A call in full.
    Full {
        /// The tool's name.
        tool: String,
        /// The action, where it is given.
        action: Option<String>,
        /// The argument object as JSON text, members in document order.
        args: String,
        /// The workspace, where it is given.
        workspace: Option<String>,
    },
    /// A tool and the text that patterns are matched against.
    Spec(Spec),
}

/// `Tool` or `Tool(text)`, with nothing rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spec {
    /// The whole spec, trimmed.
    pub text: String,
    /// The tool.
    pub tool: String,
    /// What stands in the parentheses; `None` without them.
    pub pattern: Option<String>,
}

/// A statement over all calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invariant {
    /// `never allow bash(rm *)`, `always allow reader(src/*)`
    Every {
        /// Which.
        quantifier: Quantifier,
        /// The effect that every (or no) such call gets.
        effect: Effect,
        /// Such calls.
        spec: Spec,
    },
    /// `only allow reader(*), search(*)`: a call that gets the effect is one of these.
    Only {
        /// The effect.
        effect: Effect,
        /// The calls that may get it.
        specs: Vec<Spec>,
    },
}

/// Whether an effect is for no call or for every call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// No such call gets the effect.
    Never,
    /// Every such call gets the effect.
    Always,
}

impl Quantifier {
    /// `never`, `always`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Always => "always",
        }
    }
}

impl Serialize for Case {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Case", 6)?;
        record.serialize_field("name", &self.name)?;
        record.serialize_field("call", &self.call)?;
        record.serialize_field("expect", self.expect.value.name())?;
        match &self.rule {
            Some(rule) => record.serialize_field("rule", rule)?,
            None => record.skip_field("rule")?,
        }
        record.serialize_field(
            "audience",
            &self.audience.as_ref().map(|audience| audience.value.name()),
        )?;
        record.serialize_field("mode", &self.mode.as_ref().map(|mode| mode.value.name()))?;
        record.end()
    }
}

impl Serialize for CaseCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Spec(spec) => spec.serialize(serializer),
            Self::Full {
                tool,
                action,
                args,
                workspace,
            } => {
                let mut record = serializer.serialize_struct("Call", 4)?;
                record.serialize_field("tool", tool)?;
                record.serialize_field("action", action)?;
                record.serialize_field("args", args)?;
                record.serialize_field("workspace", workspace)?;
                record.end()
            }
        }
    }
}

impl Serialize for Invariant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (quantifier, effect, specs) = match self {
            Self::Every {
                quantifier,
                effect,
                spec,
            } => (quantifier.name(), effect, std::slice::from_ref(spec)),
            Self::Only { effect, specs } => ("only", effect, specs.as_slice()),
        };
        let mut record = serializer.serialize_struct("Invariant", 3)?;
        record.serialize_field("quantifier", quantifier)?;
        record.serialize_field("effect", effect.name())?;
        record.serialize_field("specs", specs)?;
        record.end()
    }
}
