//! Normal-form rules: what every kind of policy document lowers to, and all that the table builder sees.

use callgate_grammar::Position;
use callgate_grammar::pattern::Token;
use callgate_runtime::rule::{Audience, Effect, Scope};

/// Which semantics a permissions document has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// ADR-0044 (page 20).
    Rules,
    /// PermissionPolicy (page 30).
    Layered,
}

/// The rules dialect's mode. The layered dialect is always `Rules`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyMode {
    /// Everything is allowed; the rules are ignored.
    AllowAll,
    /// Everything is denied; the rules are ignored.
    DenyAll,
    /// The rules decide.
    Rules,
}

impl PolicyMode {
    /// Every mode, in the order of page 10.
    pub const ALL: [Self; 3] = [Self::AllowAll, Self::DenyAll, Self::Rules];

    /// `allow_all`, `deny_all`, `rules`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AllowAll => "allow_all",
            Self::DenyAll => "deny_all",
            Self::Rules => "rules",
        }
    }

    /// The mode of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// A policy ready to be compiled. Rules stand in document order; the builder ranks them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalPolicy {
    /// Which order the rules are resolved in.
    pub dialect: Dialect,
    /// The mode.
    pub mode: PolicyMode,
    /// The rules.
    pub rules: Vec<NormalRule>,
    /// Layered: an opaque construct does not raise an allow to ask, for the main engine.
    pub loose_substitution_main: bool,
    /// The same for child engines.
    pub loose_substitution_child: bool,
}

/// Which calls a rule is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolKey {
    /// Every tool: `*` in the rules dialect, an empty tool in the layered one.
    Any,
    /// This tool: canonical in the rules dialect, exact in the layered one.
    Named(String),
}

/// What a rule's pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matcher {
    /// Any call, whatever its subject (layered: an empty pattern).
    Everything,
    /// This text and no other (layered: learned rules).
    Exact,
    /// A glob. In the rules dialect `lowered` is the pattern's lowercased text, parsed anew: a pattern matches when it
    /// matches the subject as it is, or `lowered` matches the lowercased subject.
    Glob {
        /// The pattern as written.
        tokens: Vec<Token>,
        /// The lowercased pattern; `None` in the layered dialect.
        lowered: Option<Vec<Token>>,
    },
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalRule {
    /// What it says.
    pub effect: Effect,
    /// Which tool.
    pub tool: ToolKey,
    /// The pattern's text: as written in the rules dialect, after `:*` was rewritten in the layered one.
    pub pattern: String,
    /// What it matches.
    pub matcher: Matcher,
    /// Layered only.
    pub scope: Option<Scope>,
    /// `All` in the rules dialect.
    pub audience: Audience,
    /// Where it was written.
    pub origin: Origin,
}

/// Where a rule was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// Source name, relative to the compile root, with `/`; empty for what no file wrote.
    pub source: String,
    /// Line and column of the pattern (or the spec), both from 1.
    pub position: Position,
}
