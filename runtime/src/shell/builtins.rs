//! The builtins that run or re-point code, or assign (page 33 B, last table, and F): a command to what makes it opaque.

use super::construct::Construct;
use super::options::{Options, Step, letter, listed};
use super::read_only::assigns;
use super::text;
use super::variables::{danger, in_arithmetic, name_of, runs_in_subscript};
use super::word::{Arg, Word, Words};

/// All builtins that this file knows, apart by spaces.
#[cfg(test)]
pub(super) const NAMES: &str = "alias bind fc enable hash jobs mapfile readarray complete compgen set shopt let test \
[ [[ unset read declare typeset local export readonly getopts printf wait";

const SUBSCRIPTS: &str =
    "let test [ [[ unset read mapfile readarray declare typeset local export readonly getopts";
const NONE: Options = Options {
    flags: "",
    valued: "",
    optional: "",
    long: "",
    quirks: 0,
};
const READ: Options = Options {
    flags: "ersE",
    valued: "adinNptu",
    ..NONE
};
const MAPFILE: Options = Options {
    flags: "t",
    valued: "dnOsucC",
    ..NONE
};
const WAIT: Options = Options {
    flags: "fn",
    valued: "p",
    ..NONE
};

/// Whether the builtin evaluates subscripts in words that are not literal: what they hold is run as arithmetic is.
pub(super) fn evaluates(words: Words<'_>, name: &str) -> bool {
    (listed(SUBSCRIPTS, name) || matches!(name, "printf" | "wait"))
        && words.iter().any(|(word, _)| !word.is_literal())
}

/// What makes the builtin at the beginning of `words` opaque.
pub(super) fn construct(words: Words<'_>, name: &str) -> Option<Construct> {
    if listed(SUBSCRIPTS, name) && words.iter().skip(1).any(|(_, text)| runs_in_subscript(text)) {
        return Some(Construct::Subscript);
    }
    let runs_code = match name {
        "alias" | "bind" | "fc" => true,
        "enable" => has_letter(words, "f"),
        "hash" => has_letter(words, "p"),
        "jobs" => has_letter(words, "x"),
        "mapfile" | "readarray" => has_letter(words, "C"),
        "complete" | "compgen" => has_letter(words, "CFW"),
        "set" => has_letter(words, "k") || changes_setting(words),
        "shopt" => words.iter().skip(1).any(|(word, text)| {
            !word.is_literal() || matches!(text, "extglob" | "extdebug" | "expand_aliases")
        }),
        _ => false,
    };
    if runs_code {
        return Some(Construct::CodeBuiltin);
    }
    let assigns = match name {
        "export" | "readonly" => operands(words).any(|word| is_dangerous_assignment(word, true)),
        "declare" | "typeset" | "local" => {
            has_letter(words, "n") || operands(words).any(|word| is_dangerous_assignment(word, true))
        }
        "read" => names_variables(words, &READ, b'a'),
        "mapfile" | "readarray" => names_variables(words, &MAPFILE, 0),
        "getopts" => getopts(words),
        "wait" => wait(words),
        "printf" => return printf(words),
        "let" => words.iter().skip(1).any(|(_, text)| in_arithmetic(text)),
        _ => false,
    };
    assigns.then_some(Construct::DangerousVariable)
}

/// Whether one of `letters` is in a cluster before `--`, or may be. The value of an option may look like a cluster; that
/// only makes the answer stricter.
fn has_letter(words: Words<'_>, letters: &str) -> bool {
    for (word, text) in words.iter().skip(1) {
        if word.is_literal() && text == "--" {
            return false;
        }
        let cluster = text::begins(text, b"-+");
        if !word.is_literal() && (cluster || word.literal == word.start) {
            return true;
        }
        if cluster && text::has_any(text, letters.as_bytes()) {
            return true;
        }
    }
    words.is_open()
}

/// `set -o keyword`, `set +o posix`.
fn changes_setting(words: Words<'_>) -> bool {
    let mut option_before = false;
    words.iter().skip(1).any(|(word, text)| {
        let changes = option_before && (!word.is_literal() || matches!(text, "keyword" | "posix"));
        option_before = text::begins(text, b"-+") && text::has(text, b'o');
        changes
    })
}

/// The words behind the options of a declaration.
fn operands<'w>(words: Words<'w>) -> impl Iterator<Item = (Word, &'w str)> {
    words
        .iter()
        .skip(1)
        .filter(|(word, text)| !(word.is_literal() && text::begins(text, b"-+")))
}

/// `NAME=value` of a dangerous variable, or a word whose name is not literal.
fn is_dangerous_assignment((word, text): (Word, &str), needs_value: bool) -> bool {
    let name = name_of(text);
    let literal =
        word.start.wrapping_add(name.len()) <= word.literal && (word.is_literal() || name.len() < text.len());
    if !literal {
        return true;
    }
    (!needs_value || text::has(text, b'=')) && danger(name).is_some()
}

/// Whether an operand, or the value of `letter_of_name`, names a dangerous variable.
fn names_variables(words: Words<'_>, options: &Options, letter_of_name: u8) -> bool {
    let mut index = 1_usize;
    loop {
        match options.step(words, index) {
            Step::Option {
                letters, value, next, ..
            } => {
                if letter_of_name != 0
                    && letters & letter(letter_of_name) != 0
                    && value.is_some_and(|value| !value.literal || danger(name_of(value.text)).is_some())
                {
                    return true;
                }
                index = next;
            }
            Step::EndOfOptions => {
                index = index.wrapping_add(1);
                break;
            }
            Step::Operand => break,
            Step::End => return false,
            Step::Unknown | Step::NotLiteral => return true,
        }
    }
    words.is_open()
        || words
            .iter()
            .skip(index)
            .any(|operand| is_dangerous_assignment(operand, false))
}

/// `getopts LETTERS NAME`
fn getopts(words: Words<'_>) -> bool {
    let letters = if words.literal(1) == Some("--") { 2 } else { 1 };
    let single = matches!(words.get(letters), Arg::Word(word, _) if word.is_single());
    match words.get(letters.wrapping_add(1)) {
        Arg::Word(word, text) => !single || is_dangerous_assignment((word, text), false),
        Arg::Unknown => true,
        Arg::End => false,
    }
}

/// `wait -p NAME`
fn wait(words: Words<'_>) -> bool {
    let mut index = 1_usize;
    loop {
        match WAIT.step(words, index) {
            Step::Option {
                letters, value, next, ..
            } => {
                let names = letters & letter(b'p') != 0;
                let bad = |text: &str| danger(name_of(text)).is_some() || runs_in_subscript(text);
                if names && value.is_some_and(|value| !value.literal || bad(value.text)) {
                    return true;
                }
                index = next;
            }
            // An expansion may be `-p`, when a name follows it.
            Step::NotLiteral => {
                return words
                    .iter()
                    .skip(index)
                    .any(|(_, text)| danger(name_of(text)).is_some());
            }
            Step::EndOfOptions | Step::Operand | Step::End | Step::Unknown => return false,
        }
    }
}

/// `printf -v NAME`, and the operands of an `n` conversion.
fn printf(words: Words<'_>) -> Option<Construct> {
    let mut index = 1_usize;
    loop {
        match words.get(index) {
            Arg::Word(word, text) if word.is_literal() && text.starts_with("-v") => {
                let (name, next) = match text.strip_prefix("-v") {
                    Some(name) if !name.is_empty() => (Some(name), index.wrapping_add(1)),
                    _ => (words.literal(index.wrapping_add(1)), index.wrapping_add(2)),
                };
                let Some(name) = name else {
                    return Some(Construct::DangerousVariable);
                };
                if runs_in_subscript(name) {
                    return Some(Construct::Subscript);
                }
                if danger(name_of(name)).is_some() {
                    return Some(Construct::DangerousVariable);
                }
                index = next;
            }
            Arg::Word(word, "--") if word.is_literal() => {
                index = index.wrapping_add(1);
                break;
            }
            Arg::Word(..) => break,
            Arg::Unknown => return Some(Construct::DangerousVariable),
            Arg::End => return None,
        }
    }
    let Arg::Word(format_word, format) = words.get(index) else {
        return None;
    };
    // A format that is not literal may be `-v` itself, when a name follows it.
    if format_word.is_literal() && !assigns(format) {
        return None;
    }
    let literal = format_word.is_literal();
    let dangerous = words.iter().skip(index.wrapping_add(1)).any(|(word, text)| {
        if word.is_literal() {
            danger(name_of(text)).is_some()
        } else {
            literal
        }
    });
    dangerous.then_some(Construct::DangerousVariable)
}
