//! What goes in: one source text with its name, and the six kinds of document it can be.

/// One source text. Nothing is read from a file system here: the caller has the bytes.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// A path relative to the compile root, with `/`. It is shown, and written into tables.
    pub name: &'a str,
    /// The text, which must be UTF-8.
    pub bytes: &'a [u8],
}

impl Source<'_> {
    /// The last part of the name without its extension: `packs/default.yaml` gives `default`.
    pub fn stem(&self) -> &str {
        let file = self.name.rsplit('/').next().unwrap_or(self.name);
        match file.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => file,
        }
    }
}

/// The kinds of source document (page 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Executable rules, rules dialect.
    Permissions,
    /// A settings file that carries permissions and hooks.
    Settings,
    /// Prompt directives and per-role configuration. Not enforced.
    Pack,
    /// A declarative agent request.
    Agent,
    /// Expectations on a policy.
    Tests,
    /// Role bodies, mode behaviours and tool names that a host registers.
    Catalogue,
}

impl Kind {
    /// Every kind, in the order of page 10.
    pub const ALL: [Self; 6] = [
        Self::Permissions,
        Self::Settings,
        Self::Pack,
        Self::Agent,
        Self::Tests,
        Self::Catalogue,
    ];

    /// `permissions`, `settings`, `pack`, `agent`, `tests`, `catalogue`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Permissions => "permissions",
            Self::Settings => "settings",
            Self::Pack => "pack",
            Self::Agent => "agent",
            Self::Tests => "tests",
            Self::Catalogue => "catalogue",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name with its article, for messages: `a permissions document`.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Permissions => "a permissions document",
            Self::Settings => "a settings document",
            Self::Pack => "a pack",
            Self::Agent => "an agent document",
            Self::Tests => "a tests document",
            Self::Catalogue => "a catalogue",
        }
    }
}
