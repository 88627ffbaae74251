//! The words of one simple command to what the tables of page 33 say of it.

use super::construct::Construct;
use super::inner::{Inner, Scope};
use super::known::Known;
use super::text;
use super::unit::{Role, Unit};
use super::word::{Arg, Words};
use super::wrappers::Peeled;
use super::{builtins, escapes, known, launchers, never_peeled, read_only, variables, wrappers};

/// Fills in `unit` from `words`, whose text begins `origin` bytes into the command's text, and adds the commands they
/// run to `inner`.
pub(super) fn analyse<'w>(
    mut words: Words<'w>,
    origin: usize,
    unit: &mut Unit<'_>,
    scope: &Scope<'_>,
    inner: &mut Inner<'_>,
) {
    let (program, name) = loop {
        let (word, program) = match words.get(0) {
            Arg::Word(word, text) => (word, text),
            Arg::Unknown => return opaque(unit, Construct::NonLiteral),
            Arg::End => return,
        };
        unit.plain = word.start.saturating_sub(origin);
        unit.base = unit.plain;
        if !word.is_literal() {
            return opaque(unit, Construct::CommandPosition);
        }
        let name = base_name(program);
        unit.base = unit.plain.wrapping_add(program.len().saturating_sub(name.len()));
        match known::look(name) {
            Known::No => {
                unit.reads = false;
                return;
            }
            Known::Reads => break (program, name),
            Known::Acts => {}
        }
        match wrappers::peel(words, name, &mut |variable| assign(unit, variable)) {
            Peeled::No | Peeled::Alone => break (program, name),
            Peeled::Command(first) => {
                words = words.from(first);
                unit.wrapped = true;
            }
            Peeled::Opaque(construct) => return opaque(unit, construct),
        }
    };
    if known::look(name) == Known::Acts {
        act(words, name, unit, scope, inner);
    }
    if matches!(name, "git" | "go") {
        unit.escape_free = escapes::is_escape_free(words, name);
    }
    unit.reads = !unit.wrapped
        && !unit.assigned
        && unit.construct.is_none()
        && unit.write.is_none()
        && name.len() == program.len()
        && read_only::only_reads(words, name);
}

/// What launchers, never-peeled programs and builtins run or assign.
fn act<'w>(words: Words<'w>, name: &str, unit: &mut Unit<'_>, scope: &Scope<'_>, inner: &mut Inner<'_>) {
    if launchers::is_launcher(name)
        && let Err(construct) = launchers::launch(words, name, scope, inner)
    {
        opaque(unit, construct);
    }
    if never_peeled::is_never_peeled(name) {
        let from = inner.units.len();
        let covered = Scope {
            role: Role::Covered,
            ..*scope
        };
        let mut dangerous = false;
        let launched = never_peeled::launch(words, name, &covered, inner, &mut |variable| {
            dangerous |= is_dangerous(variable)
        });
        let inside = || {
            inner
                .since(from)
                .find_map(|found| found.construct.or(found.substitution).or(found.group))
        };
        if dangerous {
            opaque(unit, Construct::DangerousVariable);
        }
        if let Some(construct) = launched.err().or_else(inside) {
            opaque(unit, construct);
        }
    }
    inner.arithmetic |= builtins::evaluates(words, name);
    if let Some(construct) = builtins::construct(words, name) {
        opaque(unit, construct);
    }
}

/// The file name of a program.
pub(super) fn base_name(program: &str) -> &str {
    let folder = program
        .bytes()
        .rposition(|byte| byte == b'/')
        .map_or(0, |slash| slash.wrapping_add(1));
    if folder == program.len() {
        program
    } else {
        text::from(program, folder)
    }
}

fn opaque(unit: &mut Unit<'_>, construct: Construct) {
    unit.construct.get_or_insert(construct);
    unit.reads = false;
}

/// `env NAME=`: no author can name a dangerous one (ruling 17a).
fn assign(unit: &mut Unit<'_>, variable: &str) {
    unit.assigned = true;
    if is_dangerous(variable) {
        opaque(unit, Construct::DangerousVariable);
    }
}

fn is_dangerous(variable: &str) -> bool {
    variables::danger(variable).is_some()
}
