//! Table A of page 33: a transparent wrapper's words to where the command begins that it runs.

use super::construct::Construct;
use super::options::{MINUS, NUMBER, Options, SAME_WORD, Step, VALUE_ALONE};
use super::text;
use super::word::{Arg, Words};

/// One row of table A.
struct Wrapper {
    name: &'static str,
    options: Options,
    /// Operands before the command.
    operands: usize,
}

const PLAIN: Options = Options {
    flags: "",
    valued: "",
    optional: "",
    long: "",
    quirks: SAME_WORD | VALUE_ALONE,
};

// TABLE: page 33 A. Clusters are of valueless letters only, a long option's value stands in the same word.
const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        name: "timeout",
        options: Options {
            flags: "v",
            valued: "ks",
            long: "foreground preserve-status kill-after= signal=",
            ..PLAIN
        },
        operands: 1,
    },
    Wrapper {
        name: "time",
        options: Options { flags: "p", ..PLAIN },
        operands: 0,
    },
    Wrapper {
        name: "nice",
        options: Options {
            valued: "n",
            long: "adjustment=",
            quirks: PLAIN.quirks | NUMBER,
            ..PLAIN
        },
        operands: 0,
    },
    Wrapper {
        name: "env",
        options: Options {
            flags: "i0",
            valued: "u",
            long: "unset=",
            quirks: PLAIN.quirks | MINUS,
            ..PLAIN
        },
        operands: 0,
    },
    Wrapper {
        name: "stdbuf",
        options: Options {
            valued: "ioe",
            long: "input= output= error=",
            ..PLAIN
        },
        operands: 0,
    },
    Wrapper {
        name: "ionice",
        options: Options {
            flags: "t",
            valued: "cn",
            long: "class= classdata=",
            ..PLAIN
        },
        operands: 0,
    },
    Wrapper {
        name: "nohup",
        options: PLAIN,
        operands: 0,
    },
    Wrapper {
        name: "builtin",
        options: PLAIN,
        operands: 0,
    },
    Wrapper {
        name: "setsid",
        options: Options {
            flags: "cfw",
            ..PLAIN
        },
        operands: 0,
    },
    Wrapper {
        name: "command",
        options: Options { flags: "p", ..PLAIN },
        operands: 0,
    },
    Wrapper {
        name: "exec",
        options: Options {
            flags: "cl",
            valued: "a",
            ..PLAIN
        },
        operands: 0,
    },
];

/// What peeling found.
pub(super) enum Peeled {
    /// The program is no wrapper.
    No,
    /// It has no command: judged as itself.
    Alone,
    /// The command begins at this word.
    Command(usize),
    /// It cannot be peeled.
    Opaque(Construct),
}

/// All wrappers.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    WRAPPERS.iter().map(|wrapper| wrapper.name)
}

/// Peels the wrapper that `words` begin with, whose base name is `name`. `assign` is told the name of every variable
/// it sets.
pub(super) fn peel(words: Words<'_>, name: &str, assign: &mut dyn FnMut(&str)) -> Peeled {
    let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.name == name) else {
        return Peeled::No;
    };
    let mut index = 1_usize;
    loop {
        match wrapper.options.step(words, index) {
            Step::Option { next, .. } => index = next,
            Step::EndOfOptions => {
                index = index.wrapping_add(1);
                break;
            }
            Step::Operand => break,
            Step::End => return Peeled::Alone,
            Step::Unknown => return Peeled::Opaque(Construct::UnknownOption),
            // `env NAME="$VALUE"` is not literal, and no option.
            Step::NotLiteral if name == "env" && words.has(index) => break,
            Step::NotLiteral => return Peeled::Opaque(Construct::NonLiteral),
        }
    }
    for _ in 0..wrapper.operands {
        match words.get(index) {
            Arg::Word(word, _) if word.is_literal() => index = index.wrapping_add(1),
            Arg::Word(..) | Arg::Unknown => return Peeled::Opaque(Construct::NonLiteral),
            Arg::End => return Peeled::Alone,
        }
    }
    if name == "env" {
        match assignments(words, index, assign) {
            Some(next) => index = next,
            None => return Peeled::Opaque(Construct::NonLiteral),
        }
    }
    match words.get(index) {
        Arg::Word(word, _) if word.is_literal() => Peeled::Command(index),
        Arg::Word(..) => Peeled::Opaque(Construct::CommandPosition),
        Arg::Unknown => Peeled::Opaque(Construct::NonLiteral),
        Arg::End => Peeled::Alone,
    }
}

/// Skips `NAME=VALUE` words; `None` when one could be something else.
pub(super) fn assignments(words: Words<'_>, mut index: usize, assign: &mut dyn FnMut(&str)) -> Option<usize> {
    while let Arg::Word(word, text) = words.get(index) {
        let Some((name, _)) = text::cut(text, b'=') else {
            break;
        };
        let value = word.start.wrapping_add(name.len()).wrapping_add(1);
        if name.is_empty() || value > word.literal || !word.is_single() {
            return None;
        }
        assign(name);
        index = index.wrapping_add(1);
    }
    Some(index)
}
