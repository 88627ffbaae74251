//! Where everything found in a line is gathered, and how a launcher's inner text or words join it.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::construct::Construct;
use super::reader::Reader;
use super::segment;
use super::text;
use super::unit::{Role, Unit};
use super::word::Words;

/// Deepest nesting that is read. LIMIT: ruling 15b; the top line is 0.
pub(super) const MAX_DEPTH: usize = 32;

/// Where a command stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scope<'t> {
    /// How many substitutions, groups, bodies and re-read texts are around it.
    pub(super) depth: usize,
    /// How many launchers run one another by words; bounded like the depth, so that a chain of them stays linear.
    pub(super) launches: usize,
    /// How its commands are judged.
    pub(super) role: Role,
    /// The text is a template of `parallel`: words with braces, or with this text, are unknown, and one follows.
    pub(super) template: Option<&'t str>,
    /// Every command is parsed, however plain it is: what the short way is held against.
    pub(super) thorough: bool,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Inner<'a> {
    pub(super) units: Vec<Unit<'a>>,
    pub(super) fault: Option<Construct>,
    /// There is control flow, a function or a group.
    pub(super) compound: bool,
    /// Something is evaluated as arithmetic.
    pub(super) arithmetic: bool,
    /// Some literal text holds a subscript in which arithmetic would run something.
    pub(super) subscript: bool,
    /// How many units were named.
    pub(super) ids: usize,
    /// How many units do more than read; a stretch only reads when this stays the same over it.
    pub(super) acting: usize,
}

impl<'a> Inner<'a> {
    /// Notes why the line can never be allowed; the first reason stays.
    pub(super) fn note_fault(&mut self, fault: Construct) {
        self.fault.get_or_insert(fault);
    }

    /// Takes the next place in the line for a unit that is not ready.
    pub(super) fn reserve(&mut self) -> usize {
        self.units.push(Unit::default());
        self.units.len().saturating_sub(1)
    }

    /// Adds a unit that is ready. Whether it only reads is found out now only if something around it asks.
    pub(super) fn push(&mut self, unit: Unit<'a>, asked: bool) {
        self.acting = self
            .acting
            .wrapping_add(usize::from(!asked || !unit.only_reads()));
        self.units.push(unit);
    }

    /// Puts a unit at its place.
    pub(super) fn fill(&mut self, place: usize, unit: Unit<'a>) {
        self.acting = self.acting.wrapping_add(usize::from(!unit.only_reads()));
        if let Some(reserved) = self.units.get_mut(place) {
            *reserved = unit;
        }
    }

    /// Adds what a reading of its own found.
    pub(super) fn join(&mut self, found: Inner<'_>) {
        self.ids = found.ids;
        self.arithmetic |= found.arithmetic;
        self.subscript |= found.subscript;
        self.acting = self.acting.wrapping_add(found.acting);
        if let Some(fault) = found.fault {
            self.note_fault(fault);
        }
        self.units.extend(found.units.into_iter().map(Unit::into_owned));
    }

    /// The units from `from` on.
    pub(super) fn since(&self, from: usize) -> impl Iterator<Item = &Unit<'a>> {
        self.units.iter().skip(from)
    }

    /// Reads `text` as a command line one level deeper. Gives the place of its first unit.
    pub(super) fn reread(&mut self, text: &str, scope: &Scope<'_>) -> usize {
        self.reread_in(
            text,
            Scope {
                depth: scope.depth.wrapping_add(1),
                ..*scope
            },
        )
    }

    /// Reads the template of `parallel` one level deeper.
    pub(super) fn reread_template(&mut self, text: &str, replaced: &str, scope: &Scope<'_>) {
        self.reread_in(
            text,
            Scope {
                depth: scope.depth.wrapping_add(1),
                template: Some(replaced),
                ..*scope
            },
        );
    }

    fn reread_in(&mut self, text: &str, scope: Scope<'_>) -> usize {
        let from = self.units.len();
        if scope.depth > MAX_DEPTH {
            self.note_fault(Construct::Depth);
            return from;
        }
        let found = Reader::new(text, scope, self.ids).read();
        self.join(found);
        from
    }

    /// Judges `words` as a command of their own.
    pub(super) fn run(&mut self, words: Words<'_>, scope: &Scope<'_>) {
        let scope = Scope {
            launches: scope.launches.wrapping_add(1),
            ..*scope
        };
        if scope.launches > MAX_DEPTH {
            self.note_fault(Construct::Depth);
            return;
        }
        let (start, end) = words.span(0);
        let text = text::part(words.text(), start, end).to_string();
        let mut unit = Unit {
            raw: Cow::Owned(text),
            role: scope.role,
            open: words.is_open(),
            inner_reads: true,
            escape_free: true,
            ..Unit::default()
        };
        let place = self.reserve();
        segment::analyse(words, start, &mut unit, &scope, self);
        unit.reads = false;
        self.fill(place, unit);
    }

    /// What `xargs` runs when nothing is named.
    pub(super) fn open_echo(&mut self, scope: &Scope<'_>) {
        let unit = Unit {
            raw: Cow::Owned(String::from("echo")),
            role: scope.role,
            open: true,
            inner_reads: true,
            escape_free: true,
            ..Unit::default()
        };
        let place = self.reserve();
        self.fill(place, unit);
    }
}
