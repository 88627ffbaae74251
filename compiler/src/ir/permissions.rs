//! The rules dialect as written: a mode, and for each effect its tools and their patterns.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::ir::Spanned;
use crate::normal::PolicyMode;

/// A permissions document, or a `permissions:` mapping of the rules dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Permissions {
    /// `mode:`; absent means `allow_all`, and then there are no rules.
    #[serde(serialize_with = "mode_name")]
    pub mode: Option<Spanned<PolicyMode>>,
    /// `deny:`, in document order.
    pub deny: Vec<ToolRules>,
    /// `allow:`, in document order.
    pub allow: Vec<ToolRules>,
    /// `escalate:` or `ask:`, in document order.
    pub escalate: Vec<ToolRules>,
}

impl Permissions {
    /// The mode that counts.
    pub fn effective_mode(&self) -> PolicyMode {
        self.mode.as_ref().map_or(PolicyMode::AllowAll, |mode| mode.value)
    }

    /// How many patterns there are.
    pub fn n_rules(&self) -> usize {
        let lists = [&self.deny, &self.allow, &self.escalate];
        lists
            .iter()
            .flat_map(|list| list.iter())
            .map(|rules| rules.patterns.len())
            .sum()
    }
}

/// One tool's patterns under one effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRules {
    /// The key as written.
    pub tool: Spanned<String>,
    /// The key as calls are looked up; `*` for every tool.
    pub canonical: String,
    /// The patterns, in order.
    pub patterns: Vec<Spanned<String>>,
}

impl Serialize for ToolRules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let patterns: Vec<PlacedPattern<'_>> = self.patterns.iter().map(PlacedPattern).collect();
        let mut record = serializer.serialize_struct("ToolRules", 3)?;
        record.serialize_field("tool", &self.tool)?;
        record.serialize_field("canonical", &self.canonical)?;
        record.serialize_field("patterns", &patterns)?;
        record.end()
    }
}

struct PlacedPattern<'a>(&'a Spanned<String>);

impl Serialize for PlacedPattern<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Pattern", 3)?;
        record.serialize_field("pattern", &self.0.value)?;
        record.serialize_field("line", &self.0.start.line)?;
        record.serialize_field("column", &self.0.start.column)?;
        record.end()
    }
}

fn mode_name<S: Serializer>(mode: &Option<Spanned<PolicyMode>>, serializer: S) -> Result<S::Ok, S::Error> {
    mode.as_ref().map(|mode| mode.value.name()).serialize(serializer)
}

/// The preset policies (page 20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Everything is allowed.
    AllowAll,
    /// Everything is denied.
    DenyAll,
    /// Reading and searching, nothing else.
    ReadOnly,
    /// Files are open, shell commands are asked about, destructive ones denied.
    Safe,
}

impl Preset {
    /// Every preset, in the order of page 20.
    pub const ALL: [Self; 4] = [Self::AllowAll, Self::DenyAll, Self::ReadOnly, Self::Safe];

    /// `allow_all`, `deny_all`, `read_only`, `safe`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AllowAll => "allow_all",
            Self::DenyAll => "deny_all",
            Self::ReadOnly => "read_only",
            Self::Safe => "safe",
        }
    }

    /// The preset of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }
}

/// A preset's name, or rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PermissionsChoice {
    /// `permissions: safe`
    Preset(Spanned<Preset>),
    /// `permissions: {mode: rules, …}`
    Rules(Permissions),
}
