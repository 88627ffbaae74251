//! A pack: prompt text for roles and their configuration. Nothing in it is enforced.

use std::collections::BTreeMap;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::ir::Spanned;

/// A pack document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pack {
    /// `name:`, or the file's stem.
    pub name: String,
    /// The roles, in document order.
    pub roles: Vec<PackRole>,
}

/// One role of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackRole {
    /// The role's name.
    pub role: Spanned<String>,
    /// Prompt text.
    pub directives: RolePromptDirectives,
    /// Configuration.
    pub config: RoleConfig,
}

/// Non-enforcing text rendered into a role's system prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RolePromptDirectives {
    /// Decision-scope guidance.
    pub authority: Vec<Spanned<String>>,
    /// Operating constraints.
    pub boundaries: Vec<Spanned<String>>,
    /// Escalation guidance; it installs no callback and no route.
    pub escalations: Vec<Spanned<String>>,
}

/// The former name of [`RolePromptDirectives`].
#[deprecated(note = "directives are no policy; use `RolePromptDirectives`")]
pub type RolePolicy = RolePromptDirectives;

/// A role's configuration. What is absent here is decided by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RoleConfig {
    /// `model:`, absent or null when `None`.
    pub model: Option<Spanned<String>>,
    /// `effort:`, absent or null when `None`.
    pub effort: Option<Spanned<String>>,
    /// Modes of an agent that names none; absent: the caller's.
    pub default_modes: Option<Vec<Spanned<String>>>,
    /// Modes an agent may name; empty: any.
    pub modes_allow: Vec<Spanned<String>>,
    /// `active:`; true where it is absent.
    pub active: Option<Spanned<bool>>,
}

impl RoleConfig {
    /// Whether agents may have the role.
    pub fn is_active(&self) -> bool {
        self.active.as_ref().is_none_or(|active| active.value)
    }
}

impl Pack {
    /// The prompt text of a role; `None` when the pack does not have it.
    pub fn prompt_directives(&self, role: &str) -> Option<&RolePromptDirectives> {
        self.role(role).map(|role| &role.directives)
    }

    /// The configuration of a role; `None` when the pack does not have it.
    pub fn config(&self, role: &str) -> Option<&RoleConfig> {
        self.role(role).map(|role| &role.config)
    }

    /// The former name of [`prompt_directives`](Self::prompt_directives).
    #[deprecated(note = "directives are no policy; use `prompt_directives`")]
    pub fn policy(&self, role: &str) -> Option<&RolePromptDirectives> {
        self.prompt_directives(role)
    }

    /// Every role's prompt text by role.
    #[deprecated(note = "directives are no policy; use `roles` or `prompt_directives`")]
    pub fn policies(&self) -> BTreeMap<&str, &RolePromptDirectives> {
        self.roles
            .iter()
            .map(|role| (role.role.as_str(), &role.directives))
            .collect()
    }

    fn role(&self, name: &str) -> Option<&PackRole> {
        self.roles.iter().find(|role| role.role.value == name)
    }
}

impl Serialize for Pack {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Pack", 3)?;
        record.serialize_field("name", &self.name)?;
        record.serialize_field("directives", &ByRole(&self.roles, |role| &role.directives))?;
        record.serialize_field("configs", &ByRole(&self.roles, |role| &role.config))?;
        record.end()
    }
}

struct ByRole<'a, T>(&'a [PackRole], fn(&PackRole) -> &T);

impl<T: Serialize> Serialize for ByRole<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|role| (&role.role, (self.1)(role))))
    }
}
