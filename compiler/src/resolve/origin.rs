//! Where the value of a resolved field comes from.

/// The source of a value, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The agent document says it.
    Explicit,
    /// The preset that the agent document names.
    Preset,
    /// The pack's configuration of the role.
    PackRole,
    /// What the catalogue says of the role.
    CatalogueRole,
    /// The workspace's settings, laid over the operator's.
    MergedSettings,
    /// The workspace's settings.
    ProjectSettings,
    /// The operator's settings.
    GlobalSettings,
    /// The caller's defaults.
    CallerDefault,
    /// Nobody says anything.
    BuiltIn,
}

impl Origin {
    /// The source in words: `explicit`, `pack role config`, `caller default`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Preset => "preset",
            Self::PackRole => "pack role config",
            Self::CatalogueRole => "catalogue role",
            Self::MergedSettings => "global and project settings",
            Self::ProjectSettings => "project settings",
            Self::GlobalSettings => "global settings",
            Self::CallerDefault => "caller default",
            Self::BuiltIn => "built-in default",
        }
    }
}

/// A value and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

impl<T> Resolved<T> {
    /// A value from this source.
    pub(super) fn of(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }

    /// The same source with another value.
    pub(super) fn map<U>(self, change: impl FnOnce(T) -> U) -> Resolved<U> {
        Resolved::of(change(self.value), self.origin)
    }
}

/// The first value that there is, else `built_in`.
pub(super) fn first<T>(
    candidates: impl IntoIterator<Item = (Option<T>, Origin)>,
    built_in: T,
) -> Resolved<T> {
    let given = candidates
        .into_iter()
        .find_map(|(value, origin)| value.map(|value| Resolved::of(value, origin)));
    given.unwrap_or(Resolved::of(built_in, Origin::BuiltIn))
}
