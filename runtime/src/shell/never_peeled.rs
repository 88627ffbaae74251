//! Table C of page 33: the words of a program that is judged as itself to the command it runs, which is judged for
//! denies and configured asks only.

use alloc::string::String;
use alloc::vec::Vec;

use super::construct::Construct;
use super::inner::{Inner, Scope};
use super::never_peeled_rows::{Family, PROGRAMS, Row, Shape, Sub};
use super::options::{Options, Step, Value, each, letter, listed};
use super::text;
use super::word::{Arg, Word, Words};
use super::wrappers::assignments;

/// Whether a program is in the table.
pub(super) fn is_never_peeled(name: &str) -> bool {
    name == "runuser" || PROGRAMS.iter().any(|(names, _)| listed(names, name))
}

/// Reads what the program at the beginning of `words` runs. `assign` is told the name of every variable `sudo` sets.
/// `Err` says what makes its segment opaque.
pub(super) fn launch(
    words: Words<'_>,
    name: &str,
    scope: &Scope<'_>,
    inner: &mut Inner<'_>,
    assign: &mut dyn FnMut(&str),
) -> Result<(), Construct> {
    let name = match name {
        "runuser" if has_user_option(words) => "runuser -u",
        "runuser" => "su",
        _ => name,
    };
    let Some((_, sub)) = PROGRAMS.iter().find(|(names, _)| listed_row(names, name)) else {
        return Ok(());
    };
    let mut launch = Launch {
        words,
        scope,
        inner,
        assign,
    };
    launch.sub(sub, 1)
}

/// `runuser -u` is a name of its own in the rows.
fn listed_row(names: &str, name: &str) -> bool {
    names == name || listed(names, name)
}

fn has_user_option(words: Words<'_>) -> bool {
    words.iter().any(|(_, text)| {
        text.starts_with("--user")
            || (text.starts_with("-") && !text.starts_with("--") && text::has(text, b'u'))
    })
}

/// One program's words on the way to its inner command.
struct Launch<'l, 'w, 's, 'i> {
    words: Words<'w>,
    scope: &'l Scope<'s>,
    inner: &'l mut Inner<'i>,
    assign: &'l mut dyn FnMut(&str),
}

impl<'w> Launch<'_, 'w, '_, '_> {
    fn sub(&mut self, mut sub: &'static Sub, mut index: usize) -> Result<(), Construct> {
        loop {
            let family = match sub {
                Sub::Row(row) => return self.row(row, index),
                Sub::Family(family) => family,
            };
            index = match self.options(&family.own, index, &mut |_, _, _| Ok(())) {
                Ok(next) => next,
                Err(Construct::UnknownOption) if !self.names_a_subcommand(family, index) => return Ok(()),
                Err(stop) => return Err(stop),
            };
            let name = match self.words.get(index) {
                Arg::Word(word, text) if word.is_literal() => text,
                Arg::Word(..) | Arg::Unknown => return Err(Construct::NonLiteral),
                Arg::End => return Ok(()),
            };
            let Some((_, found)) = family.subs.iter().find(|(names, _)| listed(names, name)) else {
                return Ok(());
            };
            sub = found;
            index = index.wrapping_add(1);
        }
    }

    fn names_a_subcommand(&self, family: &Family, index: usize) -> bool {
        let named = |text: &str| family.subs.iter().any(|(names, _)| listed(names, text));
        self.words.is_open()
            || self
                .words
                .iter()
                .skip(index)
                .any(|(word, text)| !word.is_literal() || named(text))
    }

    /// Skips options, and `--`. `seen` gets the letters, the long name and the value of each.
    fn options(
        &self,
        options: &Options,
        mut index: usize,
        seen: &mut dyn FnMut(u128, &'static str, Option<Value<'w>>) -> Result<(), Construct>,
    ) -> Result<usize, Construct> {
        loop {
            match options.step(self.words, index) {
                Step::Option {
                    letters,
                    long,
                    value,
                    next,
                } => {
                    seen(letters, long, value)?;
                    index = next;
                }
                Step::EndOfOptions => return Ok(index.wrapping_add(1)),
                Step::Operand | Step::End => return Ok(index),
                Step::Unknown => return Err(Construct::UnknownOption),
                Step::NotLiteral => return Err(Construct::NonLiteral),
            }
        }
    }

    fn row(&mut self, row: &Row, index: usize) -> Result<(), Construct> {
        match row.shape {
            Shape::Sudo => return self.sudo(row, index),
            Shape::TextOnly(minus) => return self.text_only(row, index, minus),
            Shape::Ssh => return self.ssh(row, index),
            Shape::Kubectl => return self.kubectl(row, index),
            Shape::Parallel => return self.parallel(row, index),
            Shape::Words
            | Shape::Needed
            | Shape::RereadUnless(..)
            | Shape::RereadIf(..)
            | Shape::Package
            | Shape::Script
            | Shape::PackageScript
            | Shape::Name
            | Shape::Flock
            | Shape::Strace
            | Shape::Flatpak
            | Shape::Container => {}
        }
        let (mut flag, mut text, mut program) = (false, None, None);
        let mut index = self.options(&row.options, index, &mut |letters, long, value| {
            let is = |byte: u8, name: &str| letters & letter(byte) != 0 || (!name.is_empty() && long == name);
            match row.shape {
                Shape::RereadUnless(byte, name) | Shape::RereadIf(byte, name, _) => flag |= is(byte, name),
                Shape::Container if long == "entrypoint" => program = value,
                Shape::Flatpak if long == "command" => program = value,
                Shape::Strace if is(b'o', "") && value.is_some_and(starts_program) => {
                    return Err(Construct::NonLiteral);
                }
                _ => {}
            }
            if let Some((byte, name)) = row.text
                && is(byte, name)
            {
                text = value;
            }
            Ok(())
        })?;
        if let Some(value) = text {
            self.reread_value(value)?;
        }
        for _ in 0..row.operands {
            match self.words.get(index) {
                Arg::Word(word, _) if word.is_literal() => index = index.wrapping_add(1),
                Arg::Word(..) | Arg::Unknown => return Err(Construct::NonLiteral),
                Arg::End => break,
            }
        }
        match row.shape {
            Shape::RereadUnless(..) if !flag => self.reread(index),
            Shape::RereadIf(_, _, _) if flag => self.reread(index),
            Shape::RereadIf(_, _, true) | Shape::Package => self.package(index),
            Shape::PackageScript if self.words.literal(index) != Some("-") => self.package(index),
            Shape::Script | Shape::PackageScript if self.words.literal(index) == Some("-") => {
                Err(Construct::UnreadProgram)
            }
            Shape::Name
                if self
                    .words
                    .literal(index)
                    .is_some_and(|text| text::has_any(text, b"/:")) =>
            {
                Err(Construct::UnreadProgram)
            }
            Shape::Needed if matches!(self.words.get(index), Arg::End) => Err(Construct::UnreadProgram),
            Shape::Flock => self.flock(index),
            Shape::Flatpak | Shape::Container => self.replaced(index, program),
            _ => self.run(index),
        }
    }

    /// The words from `index` on are the inner command.
    fn run(&mut self, index: usize) -> Result<(), Construct> {
        match self.words.get(index) {
            Arg::End => Ok(()),
            Arg::Word(word, _) if word.is_literal() => {
                self.inner.run(self.words.from(index), self.scope);
                Ok(())
            }
            Arg::Word(..) | Arg::Unknown => Err(Construct::NonLiteral),
        }
    }

    /// The words from `index` on are a command line.
    fn reread(&mut self, index: usize) -> Result<(), Construct> {
        if matches!(self.words.get(index), Arg::End) {
            return Ok(());
        }
        self.inner.reread(
            self.words.literal_text(index).ok_or(Construct::NonLiteral)?,
            self.scope,
        );
        Ok(())
    }

    fn reread_value(&mut self, value: Value<'w>) -> Result<(), Construct> {
        if !value.literal {
            return Err(Construct::NonLiteral);
        }
        self.inner.reread(value.text, self.scope);
        Ok(())
    }

    /// A package, whose version is cut off, and its words.
    fn package(&mut self, index: usize) -> Result<(), Construct> {
        let Some(package) = self.words.literal(index) else {
            return self.run(index);
        };
        match text::find(text::from(package, 1), b'@') {
            Some(cut) => {
                let program = text::part(package, 0, cut.wrapping_add(1));
                self.run_as(program, index.wrapping_add(1))
            }
            None => self.run(index),
        }
    }

    /// `program` and the words from `index` on.
    fn run_as(&mut self, program: &str, index: usize) -> Result<(), Construct> {
        let (start, _) = self.words.span(index);
        let tail = text::from(self.words.text(), start);
        let text: String = [program, tail].join(" ");
        let shift = |at: usize| {
            at.saturating_sub(start)
                .wrapping_add(program.len())
                .wrapping_add(1)
        };
        let first = Word {
            start: 0,
            end: program.len(),
            literal: program.len(),
            bare: program.len(),
            flags: 0,
        };
        let mut words: Vec<Word> = Vec::with_capacity(self.words.len());
        words.push(first);
        words.extend(self.words.iter().skip(index).map(|(word, _)| Word {
            start: shift(word.start),
            end: shift(word.end),
            literal: shift(word.literal),
            bare: shift(word.bare),
            flags: word.flags,
        }));
        let known = words.len();
        let unknown = self.words.is_open().then_some(known);
        self.inner
            .run(Words::new(&text, &words).part(0, known, unknown), self.scope);
        Ok(())
    }

    /// A container image or an application, unless an option names the program that runs in it.
    fn replaced(&mut self, index: usize, program: Option<Value<'w>>) -> Result<(), Construct> {
        let Some(program) = program.filter(|program| !program.text.is_empty()) else {
            let first = match self.words.get(index) {
                Arg::End => return Ok(()),
                Arg::Word(word, _) if word.is_literal() => index,
                Arg::Word(..) | Arg::Unknown => return Err(Construct::NonLiteral),
            };
            return self.run(first.wrapping_add(1));
        };
        if !program.literal || program.text.starts_with('[') {
            return Err(Construct::NonLiteral);
        }
        match self.words.get(index) {
            Arg::End => self.run_as(program.text, index),
            Arg::Word(word, _) if word.is_literal() => self.run_as(program.text, index.wrapping_add(1)),
            Arg::Word(..) | Arg::Unknown => Err(Construct::NonLiteral),
        }
    }

    fn sudo(&mut self, row: &Row, mut index: usize) -> Result<(), Construct> {
        let mut shell = false;
        loop {
            let before = index;
            match row.options.step(self.words, index) {
                Step::Option {
                    letters, long, next, ..
                } => {
                    shell |=
                        letters & (letter(b'i') | letter(b's')) != 0 || matches!(long, "login" | "shell");
                    index = next;
                    continue;
                }
                Step::EndOfOptions => {
                    index = index.wrapping_add(1);
                    index = assignments(self.words, index, self.assign).ok_or(Construct::NonLiteral)?;
                    break;
                }
                Step::Unknown => return Err(Construct::UnknownOption),
                Step::NotLiteral if !self.words.has(index) => return Err(Construct::NonLiteral),
                Step::Operand | Step::End | Step::NotLiteral => {}
            }
            index = assignments(self.words, index, self.assign).ok_or(Construct::NonLiteral)?;
            if index == before {
                break;
            }
        }
        if shell && matches!(self.words.get(index), Arg::End) {
            return Err(Construct::UnreadProgram);
        }
        self.run(index)
    }

    /// `su`, `script`: only the value of the text option is run.
    fn text_only(&mut self, row: &Row, mut index: usize, minus: bool) -> Result<(), Construct> {
        let (mut texts, mut operands, mut ended): (Vec<Value<'w>>, usize, bool) = (Vec::new(), 0, false);
        loop {
            match if ended {
                Step::Operand
            } else {
                row.options.step(self.words, index)
            } {
                Step::Option {
                    letters,
                    long,
                    value,
                    next,
                } => {
                    if let Some((byte, name)) = row.text
                        && (letters & letter(byte) != 0 || long == name)
                    {
                        texts.extend(value);
                    }
                    index = next;
                }
                Step::EndOfOptions => {
                    ended = true;
                    index = index.wrapping_add(1);
                }
                Step::Operand => {
                    let Some(text) = self.words.literal(index) else {
                        if matches!(self.words.get(index), Arg::End) {
                            break;
                        }
                        return Err(Construct::NonLiteral);
                    };
                    if !(minus && text == "-") {
                        operands = operands.wrapping_add(1);
                    }
                    index = index.wrapping_add(1);
                }
                Step::End => break,
                Step::Unknown => return Err(Construct::UnknownOption),
                Step::NotLiteral => return Err(Construct::NonLiteral),
            }
        }
        for text in &texts {
            self.reread_value(*text)?;
        }
        if operands > 1 || texts.is_empty() {
            Err(Construct::UnreadProgram)
        } else {
            Ok(())
        }
    }

    fn ssh(&mut self, row: &Row, index: usize) -> Result<(), Construct> {
        let mut none = false;
        let mut seen = |letters: u128, _: &'static str, value: Option<Value<'w>>| {
            none |= letters & letter(b'N') != 0;
            match value {
                Some(value) if letters & letter(b'o') != 0 && !is_known_setting(value) => {
                    Err(Construct::UnknownOption)
                }
                _ => Ok(()),
            }
        };
        let index = self.options(&row.options, index, &mut seen)?;
        match self.words.get(index) {
            Arg::End => {
                return if none {
                    Ok(())
                } else {
                    Err(Construct::UnreadProgram)
                };
            }
            Arg::Word(word, _) if word.is_literal() => {}
            Arg::Word(..) | Arg::Unknown => return Err(Construct::NonLiteral),
        }
        let index = self.options(&row.options, index.wrapping_add(1), &mut seen)?;
        if matches!(self.words.get(index), Arg::End) && !none {
            return Err(Construct::UnreadProgram);
        }
        self.reread(index)
    }

    fn kubectl(&mut self, row: &Row, mut index: usize) -> Result<(), Construct> {
        loop {
            match row.options.step(self.words, index) {
                Step::Option { next, .. } => index = next,
                Step::Operand => index = index.wrapping_add(1),
                Step::EndOfOptions => return self.run(index.wrapping_add(1)),
                Step::End => return Err(Construct::UnreadProgram),
                Step::Unknown => return Err(Construct::UnknownOption),
                Step::NotLiteral => return Err(Construct::NonLiteral),
            }
        }
    }

    fn flock(&mut self, index: usize) -> Result<(), Construct> {
        if !matches!(self.words.literal(index), Some("-c" | "--command")) {
            return self.run(index);
        }
        if self.words.len() != index.wrapping_add(2) {
            return Err(Construct::UnknownOption);
        }
        self.reread(index.wrapping_add(1))
    }

    fn parallel(&mut self, row: &Row, index: usize) -> Result<(), Construct> {
        let mut replaced = "";
        let index = self.options(&row.options, index, &mut |letters, _, value| {
            if letters & letter(b'I') != 0 {
                match value {
                    Some(value) if value.literal && !value.text.is_empty() => replaced = value.text,
                    _ => return Err(Construct::NonLiteral),
                }
            }
            Ok(())
        })?;
        let mut end = index;
        while let Arg::Word(_, text) = self.words.get(end) {
            if matches!(text, ":::" | ":::+" | "::::" | "::::+") {
                break;
            }
            if text::holds(text, "{=") {
                return Err(Construct::NonLiteral);
            }
            end = end.wrapping_add(1);
        }
        if end == index {
            return Err(Construct::UnreadProgram);
        }
        let open = matches!(self.words.get(end), Arg::Unknown);
        let words = self.words.part(0, end, open.then_some(end));
        let text = match words.literal_text(index) {
            Some(text) => text,
            None => return Err(Construct::NonLiteral),
        };
        self.inner.reread_template(text, replaced, self.scope);
        Ok(())
    }
}

/// A file that `strace -o` takes for a program, or may.
fn starts_program(value: Value<'_>) -> bool {
    !value.literal || text::begins(value.text, b"|!")
}

// TABLE: page 33 C, what `ssh -o` may set.
const SSH_SETTINGS: &str = "batchmode connecttimeout connectionattempts forwardagent identitiesonly loglevel port \
requesttty serveralivecountmax serveraliveinterval stricthostkeychecking user userknownhostsfile";

fn is_known_setting(value: Value<'_>) -> bool {
    text::cut(value.text, b'=')
        .is_some_and(|(name, _)| each(SSH_SETTINGS).any(|setting| setting.eq_ignore_ascii_case(name)))
}
