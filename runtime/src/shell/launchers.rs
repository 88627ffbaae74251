//! Table B of page 33: a launcher's words to the commands it runs.

use super::construct::Construct;
use super::inner::{Inner, Scope};
use super::options::{Options, Step, letter, listed};
use super::read_only::{Primary, is_start_of_expression, primary};
use super::text;
use super::unit::Unit;
use super::word::{Arg, BRACE, GLOB, QUOTED, QUOTED_EXPANSION, Word, Words};

const SHELLS: &str = "sh bash dash zsh ksh ash mksh rbash";
const UNREAD: &str = "source . fish csh tcsh pwsh at batch";
/// All launchers, apart by spaces.
#[cfg(test)]
pub(super) const NAMES: &str = "eval trap xargs find sh bash dash zsh ksh ash mksh rbash source . fish csh tcsh pwsh at \
batch";
const SHELL_LETTERS: &str = "abBceEfhHilmnpPrtTuvx";
const SHELL_SETTINGS: &str = "allexport errexit noclobber noglob nounset pipefail verbose xtrace";
const ZSH_WORDS: &str = "- noglob nocorrect repeat foreach";

const XARGS: Options = Options {
    flags: "0rtpxo",
    valued: "nLPsdEIa",
    optional: "ile",
    long: "null no-run-if-empty verbose interactive exit open-tty max-args= max-procs= max-chars= delimiter= arg-file= \
replace? max-lines? eof?",
    quirks: 0,
};
const TRAP: Options = Options {
    flags: "lp",
    valued: "",
    optional: "",
    long: "",
    quirks: 0,
};
const NOTHING: Options = Options {
    flags: "",
    valued: "",
    optional: "",
    long: "",
    quirks: 0,
};

/// Whether a program is a launcher.
pub(super) fn is_launcher(name: &str) -> bool {
    matches!(name, "eval" | "trap" | "xargs" | "find") || listed(SHELLS, name) || listed(UNREAD, name)
}

/// Whether a program is a shell.
pub(super) fn is_shell(name: &str) -> bool {
    listed(SHELLS, name)
}

/// Reads what the launcher at the beginning of `words` runs. `Err` says what makes its segment opaque.
pub(super) fn launch(
    words: Words<'_>,
    name: &str,
    scope: &Scope,
    inner: &mut Inner<'_>,
) -> Result<(), Construct> {
    match name {
        "eval" => eval(words, scope, inner),
        "trap" => trap(words, scope, inner),
        "xargs" => xargs(words, scope, inner),
        "find" => find(words, scope, inner),
        _ if listed(SHELLS, name) => shell(words, name, scope, inner),
        _ if listed(UNREAD, name) => Err(Construct::UnreadProgram),
        _ => Ok(()),
    }
}

fn eval(words: Words<'_>, scope: &Scope, inner: &mut Inner<'_>) -> Result<(), Construct> {
    let first = match NOTHING.step(words, 1) {
        Step::EndOfOptions => 2,
        Step::Operand | Step::End => 1,
        Step::NotLiteral => return Err(Construct::NonLiteral),
        Step::Option { .. } | Step::Unknown => return Err(Construct::UnknownOption),
    };
    if matches!(words.get(first), Arg::End) {
        return Ok(());
    }
    inner.reread(words.literal_text(first).ok_or(Construct::NonLiteral)?, scope);
    Ok(())
}

fn trap(words: Words<'_>, scope: &Scope, inner: &mut Inner<'_>) -> Result<(), Construct> {
    let first = match TRAP.step(words, 1) {
        Step::Option { .. } | Step::End => return Ok(()),
        Step::EndOfOptions => 2,
        Step::Operand => 1,
        Step::Unknown => return Err(Construct::UnknownOption),
        Step::NotLiteral => return Err(Construct::NonLiteral),
    };
    match words.get(first) {
        Arg::End => Ok(()),
        Arg::Word(word, text) if word.is_literal() => {
            let only = matches!(words.get(first.wrapping_add(1)), Arg::End);
            let number = text.bytes().all(|byte| byte.is_ascii_digit());
            if !only && text != "-" && !number {
                inner.reread(text, scope);
            }
            Ok(())
        }
        Arg::Word(..) | Arg::Unknown => Err(Construct::NonLiteral),
    }
}

fn shell(words: Words<'_>, name: &str, scope: &Scope, inner: &mut Inner<'_>) -> Result<(), Construct> {
    let mut index = 1_usize;
    let mut text_follows = false;
    if matches!(name, "bash" | "rbash") {
        while matches!(words.literal(index), Some("--norc" | "--noprofile" | "--login")) {
            index = index.wrapping_add(1);
        }
    }
    loop {
        let text = match words.get(index) {
            Arg::End => break,
            Arg::Word(word, text) if word.is_literal() => text,
            Arg::Word(..) | Arg::Unknown => return Err(Construct::NonLiteral),
        };
        let letters = match text.strip_prefix("-") {
            Some("-") => {
                index = index.wrapping_add(1);
                break;
            }
            // A lone `-` ends the options as well, but page 33 gives it no place before a text.
            Some("") if text_follows => return Err(Construct::UnknownOption),
            None | Some("") => break,
            Some(letters) => letters,
        };
        index = index.wrapping_add(1);
        let mut settings = 0_usize;
        for byte in letters.bytes() {
            match byte {
                b'c' => text_follows = true,
                b'o' => settings = settings.wrapping_add(1),
                _ if SHELL_LETTERS.as_bytes().contains(&byte) => {}
                _ => return Err(Construct::UnknownOption),
            }
        }
        if settings > 0 {
            let known = words
                .literal(index)
                .is_some_and(|setting| listed(SHELL_SETTINGS, setting));
            if settings > 1 || !known {
                return Err(Construct::UnknownOption);
            }
            index = index.wrapping_add(1);
        }
    }
    if !text_follows {
        return Err(Construct::UnreadProgram);
    }
    let Some(text) = words.literal(index) else {
        return Err(if words.has(index) {
            Construct::NonLiteral
        } else {
            Construct::UnreadProgram
        });
    };
    let from = inner.reread(text, scope);
    if name == "zsh" && inner.since(from).any(is_zsh_only) {
        return Err(Construct::UnreadProgram);
    }
    Ok(())
}

/// A program that zsh reads in a way of its own.
fn is_zsh_only(unit: &Unit<'_>) -> bool {
    let program = text::before(unit.plain(), b' ');
    program.starts_with('=') || listed(ZSH_WORDS, program)
}

fn xargs(words: Words<'_>, scope: &Scope, inner: &mut Inner<'_>) -> Result<(), Construct> {
    let mut index = 1_usize;
    let mut replaced: Option<&str> = None;
    loop {
        match XARGS.step(words, index) {
            Step::Option {
                letters,
                long,
                value,
                next,
            } => {
                let optional = letters & letter(b'i') != 0 || long == "replace";
                if optional || letters & letter(b'I') != 0 {
                    let text = match value {
                        Some(value) if !value.literal => return Err(Construct::NonLiteral),
                        Some(value) => value.text,
                        None => "{}",
                    };
                    if text.is_empty() || replaced.is_some_and(|before| before != text) {
                        return Err(Construct::UnknownOption);
                    }
                    replaced = Some(text);
                }
                index = next;
            }
            Step::EndOfOptions => {
                index = index.wrapping_add(1);
                break;
            }
            Step::Operand | Step::End => break,
            Step::Unknown => return Err(Construct::UnknownOption),
            Step::NotLiteral => return Err(Construct::NonLiteral),
        }
    }
    if matches!(words.get(index), Arg::End) {
        inner.open_echo(scope);
        return Ok(());
    }
    launch_open(words, index, words.len(), replaced, scope, inner)
}

/// A command whose words from `first` to `last` are followed by words nobody knows; those that hold `replaced` are
/// unknown too.
fn launch_open(
    words: Words<'_>,
    first: usize,
    last: usize,
    replaced: Option<&str>,
    scope: &Scope,
    inner: &mut Inner<'_>,
) -> Result<(), Construct> {
    let holds = |text: &str| replaced.is_some_and(|replaced| text::holds(text, replaced));
    match words.get(first) {
        Arg::Word(word, text) if word.is_literal() && !holds(text) => {}
        Arg::Word(..) | Arg::Unknown | Arg::End => return Err(Construct::NonLiteral),
    }
    let mut unknown = first;
    while unknown < last && matches!(words.get(unknown), Arg::Word(_, text) if !holds(text)) {
        unknown = unknown.wrapping_add(1);
    }
    inner.run(words.part(first, last, Some(unknown)), scope);
    Ok(())
}

fn find(words: Words<'_>, scope: &Scope, inner: &mut Inner<'_>) -> Result<(), Construct> {
    let mut index = 1_usize;
    while words
        .literal(index)
        .is_some_and(|text| matches!(text, "-H" | "-L" | "-P") || text.starts_with("-O"))
    {
        index = index.wrapping_add(1);
    }
    let mut quoted_points = 0_usize;
    let mut begun = false;
    loop {
        let (word, text) = match words.get(index) {
            Arg::Word(word, text) => (word, text),
            Arg::Unknown => return Err(Construct::NonLiteral),
            Arg::End => break,
        };
        index = index.wrapping_add(1);
        if !word.is_literal() {
            if begun || !is_harmless(word, text) {
                quoted_points = quoted_points.wrapping_add(1);
                let single = !begun && word.is_single() && quoted_points == 1;
                if !single || words.iter().any(|(_, text)| matches!(text, ";" | "+")) {
                    return Err(Construct::NonLiteral);
                }
            }
            continue;
        }
        if !begun && !is_start_of_expression(text) {
            continue;
        }
        begun = true;
        match primary(text) {
            Primary::Alone => {}
            Primary::Valued => index = values(words, index, 1)?,
            Primary::Writes(count) => index = values(words, index, count)?,
            Primary::Command { plus } => {
                let end = end_of_command(words, index, plus).ok_or(Construct::UnknownOption)?;
                launch_open(words, index, end, Some("{}"), scope, inner)?;
                index = end.wrapping_add(1);
            }
            Primary::Unknown => return Err(Construct::UnknownOption),
        }
    }
    Ok(())
}

/// Skips the values of a primary.
fn values(words: Words<'_>, index: usize, count: usize) -> Result<usize, Construct> {
    for value in index..index.wrapping_add(count) {
        match words.get(value) {
            Arg::Word(word, text) if word.is_single() || is_harmless(word, text) => {}
            Arg::Word(..) | Arg::Unknown => return Err(Construct::NonLiteral),
            Arg::End => return Err(Construct::UnknownOption),
        }
    }
    Ok(index.wrapping_add(count))
}

/// A word that is not literal and still cannot be `-exec`: it begins with a literal character that no option begins
/// with and holds only globs, braces or double-quoted expansions.
fn is_harmless(word: Word, text: &str) -> bool {
    let first = text.as_bytes().first().copied().unwrap_or_default();
    word.literal > word.start
        && (first.is_ascii_alphanumeric() || matches!(first, b'.' | b'/' | b'~'))
        && word.flags & !(GLOB | BRACE | QUOTED | QUOTED_EXPANSION) == 0
}

/// Where the command that begins at `first` ends: its `;`, or a `+` right behind `{}`.
fn end_of_command(words: Words<'_>, first: usize, plus: bool) -> Option<usize> {
    let mut index = first;
    loop {
        match (words.get(index), words.get(index.saturating_sub(1))) {
            (Arg::Word(word, ";"), _) if word.is_literal() => return Some(index),
            (Arg::Word(word, "+"), Arg::Word(before, "{}"))
                if plus && index > first && word.is_literal() && before.is_literal() =>
            {
                return Some(index);
            }
            (Arg::Word(..), _) => index = index.wrapping_add(1),
            (Arg::Unknown | Arg::End, _) => return None,
        }
    }
}
