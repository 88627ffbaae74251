//! What the reader makes of a line: its segments and whatever else must be judged, as data the evaluation folds.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::construct::Construct;
use super::plain;
use super::text;

/// A command line, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line<'a> {
    /// Everything in it that is judged, in the order of the line.
    pub units: Vec<Unit<'a>>,
    /// Why the line as a whole can never be allowed (ruling 16).
    pub fault: Option<Construct>,
    /// There is control flow, a function or a group.
    pub compound: bool,
}

impl Line<'_> {
    /// Whether plan mode lets it through: every segment reads only, and there is one (ruling 13).
    pub fn is_read_only(&self) -> bool {
        self.fault.is_none() && self.has_segment() && self.units.iter().all(Unit::is_read_only)
    }

    /// Whether there is a segment at all.
    pub fn has_segment(&self) -> bool {
        self.units
            .iter()
            .any(|unit| matches!(unit.kind, Kind::Segment | Kind::Assignments))
    }
}

/// What a unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A simple command that runs a program, a builtin or a function.
    #[default]
    Segment,
    /// A command of assignments only: tool-wide rules and matches of `raw` decide.
    Assignments,
    /// Redirections of their own or of a compound command: likewise, where they write.
    Redirections,
    /// A loop, `case`, `[[ ]]` or `(( ))` header with something opaque in it: no program runs (ruling 13).
    Header,
}

/// How a unit is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// By every rule; it needs its own allow.
    #[default]
    Own,
    /// For denies and configured asks only: the program around it was allowed for it (ruling 15a).
    Covered,
}

/// One segment, or what stands in for one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit<'a> {
    /// What it is.
    pub kind: Kind,
    /// How it is judged.
    pub role: Role,
    /// Its text as written, without redirections.
    pub(super) raw: Cow<'a, str>,
    /// The same with its redirections, where it has any.
    pub(super) redirected: Option<String>,
    /// Its words, unquoted, nothing peeled; `None`: the same text as `raw`.
    pub(super) words: Option<String>,
    /// The words followed by the redirections, where there are any.
    pub(super) appended: Option<String>,
    /// Where `plain` begins in the words.
    pub(super) plain: usize,
    /// Where `base` begins in the words.
    pub(super) base: usize,
    /// The words go on, and nobody knows how.
    pub open: bool,
    /// A wrapper was peeled.
    pub wrapped: bool,
    /// It has a leading assignment, of its own or through `env`.
    pub assigned: bool,
    /// A here-document feeds it.
    pub here_document: bool,
    /// Leading assignments to dangerous variables that an author may name (ruling 17a); when `construct` is not set,
    /// they alone make the unit opaque.
    pub named: Vec<String>,
    /// What makes it opaque, other than substitutions.
    pub construct: Option<Construct>,
    /// The substitution in it.
    pub substitution: Option<Construct>,
    /// Every command inside its substitutions only reads.
    pub inner_reads: bool,
    /// It only reads, its substitutions blanked, groups around it not counted.
    pub(super) reads: bool,
    /// Whether it only reads is found out when somebody asks: nobody does for most lines.
    pub(super) asks_reads: bool,
    /// The group it stands in, unless that only reads.
    pub group: Option<Construct>,
    /// It stands in a group.
    pub grouped: bool,
    /// It is no escape (page 33 E).
    pub escape_free: bool,
    /// The first file it writes to.
    pub write: Option<String>,
    /// Identifies it while the line is read.
    pub(super) id: usize,
}

impl<'a> Unit<'a> {
    /// As written, without redirections.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// As written, taken out.
    pub fn into_raw(self) -> Cow<'a, str> {
        match self.redirected {
            Some(text) => Cow::Owned(text),
            None => self.raw,
        }
    }

    /// As written, with its redirections.
    pub fn raw_redirected(&self) -> &str {
        self.redirected.as_deref().unwrap_or(&self.raw)
    }

    /// Whether it has redirections.
    pub fn is_redirected(&self) -> bool {
        self.redirected.is_some()
    }

    /// Unquoted, wrappers peeled.
    pub fn plain(&self) -> &str {
        text::from(self.words.as_deref().unwrap_or(&self.raw), self.plain)
    }

    /// As `plain`, the program by its file name.
    pub fn base(&self) -> &str {
        text::from(self.words.as_deref().unwrap_or(&self.raw), self.base)
    }

    /// `plain` with the redirections appended (ruling 11).
    pub fn plain_redirected(&self) -> &str {
        self.appended
            .as_deref()
            .map_or_else(|| self.plain(), |appended| text::from(appended, self.plain))
    }

    /// `base` with the redirections appended.
    pub fn base_redirected(&self) -> &str {
        self.appended
            .as_deref()
            .map_or_else(|| self.base(), |appended| text::from(appended, self.base))
    }

    /// `raw` and `plain` are one text.
    pub fn is_plainly_written(&self) -> bool {
        self.words.is_none() && self.plain == 0
    }

    /// It has a program named by a path.
    pub fn has_base(&self) -> bool {
        self.base != self.plain
    }

    /// Whether anything but a leading assignment that an author may name, or a substitution, makes it opaque.
    pub fn is_opaque(&self) -> bool {
        self.construct.is_some() || self.substitution.is_some() || self.grouped || !self.named.is_empty()
    }

    /// Plan mode's question: nothing opaque, nothing written, a program that only reads.
    pub fn is_read_only(&self) -> bool {
        !self.is_opaque() && self.reads()
    }

    /// It only reads, substitutions in it counted by what they run.
    pub fn only_reads(&self) -> bool {
        self.construct.is_none()
            && self.named.is_empty()
            && (self.substitution.is_none() || self.inner_reads)
            && self.reads()
    }

    fn reads(&self) -> bool {
        if self.asks_reads {
            plain::reads(&self.raw)
        } else {
            self.reads
        }
    }

    /// Nothing of it borrowed.
    pub(super) fn into_owned<'b>(self) -> Unit<'b> {
        Unit {
            kind: self.kind,
            role: self.role,
            raw: Cow::Owned(self.raw.into_owned()),
            redirected: self.redirected,
            words: self.words,
            appended: self.appended,
            plain: self.plain,
            base: self.base,
            open: self.open,
            wrapped: self.wrapped,
            assigned: self.assigned,
            here_document: self.here_document,
            named: self.named,
            construct: self.construct,
            substitution: self.substitution,
            inner_reads: self.inner_reads,
            reads: self.reads,
            asks_reads: self.asks_reads,
            group: self.group,
            grouped: self.grouped,
            escape_free: self.escape_free,
            write: self.write,
            id: self.id,
        }
    }
}
