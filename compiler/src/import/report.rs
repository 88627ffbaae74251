//! What an import did with each entry that did not come over as it was.

/// One entry, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What became of it.
    pub kind: NoteKind,
    /// Where it stood: `permissions.deny[0]`, or the path of a key.
    pub place: String,
    /// The entry as written; empty for a whole key.
    pub entry: String,
    /// Why: lower case, no final stop.
    pub message: String,
}

/// What can become of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoteKind {
    /// An allow that is an ask now.
    BecameAsk,
    /// A rule that stands in no list of the input.
    Added,
    /// It is there, and no call will ever meet it.
    NeverMatches,
    /// It is there, and means something else here.
    Differs,
    /// It cannot be read, and is not there. A deny or an ask that is dropped protects nothing any more.
    Dropped,
    /// A key that has no place in our settings.
    NotImported,
}

impl NoteKind {
    /// `became ask`, `added`, `never matches`, `differs`, `dropped`, `not imported`.
    pub fn name(self) -> &'static str {
        match self {
            Self::BecameAsk => "became ask",
            Self::Added => "added",
            Self::NeverMatches => "never matches",
            Self::Differs => "differs",
            Self::Dropped => "dropped",
            Self::NotImported => "not imported",
        }
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            kind,
            place,
            entry,
            message,
        } = self;
        match entry.as_str() {
            "" => write!(formatter, "{}: {place}: {message}", kind.name()),
            entry => write!(formatter, "{}: {place} `{entry}`: {message}", kind.name()),
        }
    }
}
