//! A catalogue: role bodies, mode behaviours and tool names that a host registers. The text is the host's.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::ir::Spanned;

/// A catalogue document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Catalogue {
    /// Roles, in document order.
    #[serde(serialize_with = "by_role")]
    pub roles: Vec<CatalogueRole>,
    /// Modes, in document order.
    #[serde(serialize_with = "by_mode")]
    pub modes: Vec<CatalogueMode>,
    /// Tool names; `None`: tool names are not checked.
    pub tools: Option<Vec<Spanned<String>>>,
    /// The line that the prompt of a coding agent with context management ends with.
    pub coding_hint: Option<Spanned<String>>,
}

/// One role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CatalogueRole {
    /// The role's name.
    #[serde(skip)]
    pub name: Spanned<String>,
    /// Its prompt text.
    pub body: Option<Spanned<String>>,
    /// What it may emit.
    pub emits: Vec<Spanned<String>>,
}

/// One mode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CatalogueMode {
    /// The mode's name.
    #[serde(skip)]
    pub name: Spanned<String>,
    /// Its prompt texts, in order; a single text is a list of one.
    pub behaviors: Vec<Spanned<String>>,
    /// Modes it cannot stand beside.
    pub conflicts_with: Vec<Spanned<String>>,
}

impl Catalogue {
    /// The role of this name.
    pub fn role(&self, name: &str) -> Option<&CatalogueRole> {
        self.roles.iter().find(|role| role.name.value == name)
    }

    /// The mode of this name.
    pub fn mode(&self, name: &str) -> Option<&CatalogueMode> {
        self.modes.iter().find(|mode| mode.name.value == name)
    }
}

fn by_role<S: Serializer>(roles: &[CatalogueRole], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(roles.iter().map(|role| (&role.name, role)))
}

fn by_mode<S: Serializer>(modes: &[CatalogueMode], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(modes.iter().map(|mode| (&mode.name, mode)))
}

/// The modes that exist without a catalogue (page 10), sorted.
pub const BUILTIN_MODES: [&str; 14] = [
    "adversarial",
    "associative",
    "constraint-solving",
    "empathetic",
    "evidential",
    "fast",
    "framing",
    "metacognitive",
    "premortem",
    "probabilistic",
    "slow",
    "socratic",
    "systematic",
    "visual-spatial",
];

/// Modes that cannot stand side by side: the built-in pairs and those that a catalogue adds, each in both orders.
pub fn conflicts(catalogue: Option<&Catalogue>) -> BTreeMap<&str, Vec<&str>> {
    let mut pairs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let builtin = [("fast", "slow"), ("fast", "systematic")];
    let modes = catalogue
        .map(|catalogue| catalogue.modes.as_slice())
        .unwrap_or_default();
    let added = modes.iter().flat_map(|mode| {
        mode.conflicts_with
            .iter()
            .map(|other| (mode.name.as_str(), other.as_str()))
    });
    for (one, other) in builtin.into_iter().chain(added) {
        for (mode, conflict) in [(one, other), (other, one)] {
            let known = pairs.entry(mode).or_default();
            if !known.contains(&conflict) {
                known.push(conflict);
            }
        }
    }
    pairs
}
