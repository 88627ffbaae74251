//! The closed vocabulary of rules, and the one question the decision code asks of a rule order.

/// What a rule, and a decision, says. Zero is deny.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// The call never runs.
    #[default]
    Deny,
    /// Someone else must decide; the rules dialect spells it `escalate`.
    Ask,
    /// The call may run.
    Allow,
}

impl Effect {
    /// `deny`, `ask`, `allow`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// Where a layered rule comes from; the smaller, the higher (page 30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// Administrator file.
    Managed,
    /// `--policy FILE` given by the operator.
    Cli,
    /// `<workspace>/.mecatl/settings.local.yaml`
    LocalProject,
    /// `<workspace>/.mecatl/settings.yaml`
    SharedProject,
    /// `$XDG_CONFIG_HOME/mecatl/settings.yaml`, and what was learned.
    User,
    /// The built-in floor.
    BuiltinDefault,
}

impl Scope {
    /// All scopes, highest first.
    pub const ALL: [Self; 6] = [
        Self::Managed,
        Self::Cli,
        Self::LocalProject,
        Self::SharedProject,
        Self::User,
        Self::BuiltinDefault,
    ];

    /// `managed`, `cli`, `local_project`, `shared_project`, `user`, `builtin_default`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Cli => "cli",
            Self::LocalProject => "local_project",
            Self::SharedProject => "shared_project",
            Self::User => "user",
            Self::BuiltinDefault => "builtin_default",
        }
    }

    /// Every scope but the built-in one is somebody's deliberate configuration.
    pub fn is_configured(self) -> bool {
        self != Self::BuiltinDefault
    }
}

/// Which evaluator a rule binds, and which one a call comes from. They meet when either is `All` or both are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Audience {
    /// The main engine. A request without an audience is this one.
    #[default]
    Main,
    /// A child engine.
    Subagent,
    /// Both.
    All,
}

impl Audience {
    /// `main`, `subagent`, `all`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Subagent => "subagent",
            Self::All => "all",
        }
    }
}

/// The session's permission mode (layered dialect).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Rules alone decide.
    #[default]
    Default,
    /// Nothing that may change the workspace runs.
    Plan,
    /// `Edit` and `Write` are allowed unless something configured says otherwise.
    AcceptEdits,
}

impl Mode {
    /// `default`, `plan`, `accept_edits`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Plan => "plan",
            Self::AcceptEdits => "accept_edits",
        }
    }
}

/// Why a decision is what it is (page 30, closed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// A rule matched.
    Rule,
    /// Nothing matched.
    Default,
    /// The policy's mode is `allow_all` or `deny_all`.
    Mode,
    /// Plan mode stopped it.
    PlanMode,
    /// The rules dialect refuses shell control operators.
    ShellControl,
    /// Ask by the floor alone, over configured allows.
    FloorConfiguredAllow,
    /// Ask by the floor alone, over built-in allows.
    FloorBuiltin,
    /// Ask by the floor otherwise.
    Floor,
    /// The arguments cannot be judged.
    MalformedArguments,
    /// A rule learned in this session.
    Learned,
    /// A settings file cannot be read.
    BrokenSource,
}

impl Provenance {
    /// The name in records and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Default => "default",
            Self::Mode => "mode",
            Self::PlanMode => "plan_mode",
            Self::ShellControl => "shell_control",
            Self::FloorConfiguredAllow => "floor_configured_allow",
            Self::FloorBuiltin => "floor_builtin",
            Self::Floor => "floor",
            Self::MalformedArguments => "malformed_arguments",
            Self::Learned => "learned",
            Self::BrokenSource => "broken_source",
        }
    }
}

/// A rule's place in the one order that decides: the matching rule of the smallest rank wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(pub u32);

/// A set of rule classes. The layered dialect judges classes on different views of a segment (page 31), so a
/// question to the order names the classes it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Classes(u8);

impl Classes {
    /// Denies whose pattern has no `>`.
    pub const DENY: Self = Self(1);
    /// Denies whose pattern names `>`.
    pub const DENY_REDIRECT: Self = Self(2);
    /// Asks whose pattern has no `>`.
    pub const ASK: Self = Self(4);
    /// Asks whose pattern names `>`.
    pub const ASK_REDIRECT: Self = Self(8);
    /// Allows with an empty pattern: any call of the tool.
    pub const ALLOW_TOOL_WIDE: Self = Self(16);
    /// Allows whose pattern names `>`.
    pub const ALLOW_REDIRECT: Self = Self(32);
    /// Every other allow.
    pub const ALLOW: Self = Self(64);
    /// All of them.
    pub const ALL: Self = Self(127);
    /// Both kinds of deny and both kinds of ask.
    pub const TIGHTENING: Self = Self(15);
    /// The three kinds of allow.
    pub const LOOSENING: Self = Self(112);

    /// The classes that are in either set.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the sets share a class.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set as a byte, as tables store it.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set from a table's byte; `None` when a bit means nothing.
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits & 0x80 == 0 { Some(Self(bits)) } else { None }
    }
}

/// What a pattern is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text<'a> {
    /// This whole text.
    Whole(&'a str),
    /// This text, or this text, a space and anything: what follows is not known (page 33, unknown words). A pattern
    /// meets it when *some* such text matches. Asked for denies and asks only.
    Open(&'a str),
    /// This text, a space, and one placeholder that only `*` (or a tool-wide rule) matches. Asked for allows only.
    Placeholder(&'a str),
}

/// One question to a rule order.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The tool, spelled as rules are looked up: exact in the layered dialect, canonical in the rules dialect.
    pub tool: &'a str,
    /// The subject or the view.
    pub text: Text<'a>,
    /// Only rules of these classes count.
    pub classes: Classes,
    /// When not empty: only rules count whose pattern's literal beginning, before any `*` or `?`, holds `NAME=` for
    /// every one of these names (ruling 17a).
    pub assigned: &'a [&'a str],
}

/// What hangs on a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleFacts {
    /// The rule's effect.
    pub effect: Effect,
    /// The rule's scope; `None` in the rules dialect.
    pub scope: Option<Scope>,
    /// The rule's single class.
    pub class: Classes,
}

/// An order of rules bound to one audience: the compiled table is one, the reference evaluator's list another.
///
/// Layered order (page 40): denies by scope then document order, configured asks, configured allows, built-in asks,
/// built-in allows.
pub trait RuleOrder {
    /// The smallest rank whose rule matches the query. An empty whole text is matched by tool-wide rules only in the
    /// layered dialect.
    fn first(&self, query: &Query<'_>) -> Option<Rank>;

    /// What hangs on a rank that [`first`](Self::first) gave.
    fn facts(&self, rank: Rank) -> RuleFacts;
}
