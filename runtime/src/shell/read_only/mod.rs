//! Table D of page 33: whether a program with these words only reads.

mod find;
mod git;

pub(super) use find::{Primary, is_start_of_expression, primary};

#[cfg(test)]
use alloc::vec::Vec;

use super::options::{LENIENT, NEXT_WORD, NUMBER, Options, SAME_WORD, Step};
use super::text;
use super::word::{Arg, Words};

/// One row of table D.
struct Program {
    /// Its plain names.
    names: &'static str,
    options: Options,
    /// It has options or operands that write or run something, so every word must be literal.
    refuses: bool,
    operands: Operands,
}

/// What operands a program may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    Any,
    /// Every word is one, whatever it looks like.
    EveryWord,
    None,
    /// One at most (`uniq`: a second is the output file).
    One,
    /// One at most, and it begins with `+` (`date`).
    Format,
}

const READS: Options = Options {
    flags: "",
    valued: "",
    optional: "",
    long: "",
    quirks: LENIENT,
};
const STRICT: Options = Options { quirks: 0, ..READS };

// TABLE: page 33 D, all rows but `printf`, `find` and `git`.
const PROGRAMS: &[Program] = &[
    Program {
        names: "ls",
        options: Options {
            flags: "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
            valued: "IwT",
            long: "all almost-all author dereference directory file-type full-time group-directories-first \
human-readable inode no-group numeric-uid-gid recursive reverse si size zero color? classify? hyperlink? block-size= \
format= hide= ignore= indicator-style= quoting-style= sort= time= time-style= width=",
            ..READS
        },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "cat",
        options: Options {
            flags: "AbeEnstTuv",
            long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
            ..READS
        },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "grep egrep fgrep",
        options: Options {
            flags: "EFGPiyvwxclLqsobHhnTZzaIrRU",
            valued: "efmABCdD",
            long: "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match \
word-regexp line-regexp count files-with-matches files-without-match quiet silent no-messages only-matching \
byte-offset with-filename no-filename line-number initial-tab null null-data text recursive dereference-recursive \
line-buffered no-group-separator color? colour? regexp= file= max-count= after-context= before-context= context= \
include= exclude= exclude-from= exclude-dir= label= binary-files= directories= devices= group-separator=",
            quirks: LENIENT | NUMBER,
            ..READS
        },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "head",
        options: Options {
            flags: "qvz",
            valued: "nc",
            long: "quiet silent verbose zero-terminated lines= bytes=",
            quirks: LENIENT | NUMBER,
            ..READS
        },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "tail",
        options: Options {
            flags: "qvzfF",
            valued: "ncs",
            long: "quiet silent verbose zero-terminated lines= bytes= retry follow? pid= sleep-interval=",
            quirks: LENIENT | NUMBER,
            ..READS
        },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "pwd",
        options: Options { flags: "LP", ..READS },
        refuses: false,
        operands: Operands::None,
    },
    Program {
        names: "echo true",
        options: READS,
        refuses: false,
        operands: Operands::EveryWord,
    },
    Program {
        names: "whoami",
        options: READS,
        refuses: false,
        operands: Operands::None,
    },
    Program {
        names: "wc",
        options: Options {
            flags: "cmlwL",
            long: "bytes chars lines words max-line-length total=",
            ..READS
        },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "stat",
        options: Options {
            flags: "Lft",
            valued: "c",
            long: "dereference file-system terse format= printf= cached=",
            ..READS
        },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "which",
        options: Options { flags: "as", ..READS },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "diff",
        options: Options {
            flags: "abBcdeEinNpqrstTuwyZ",
            valued: "UCWIxXSFL",
            long: "brief report-identical-files normal side-by-side recursive new-file unidirectional-new-file text \
ignore-case ignore-space-change ignore-all-space ignore-blank-lines ignore-trailing-space ignore-tab-expansion \
strip-trailing-cr minimal no-dereference suppress-common-lines left-column show-c-function expand-tabs unified? \
context? color? label= width= exclude= exclude-from= ignore-matching-lines= show-function-line= tabsize=",
            ..READS
        },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "cut",
        options: Options {
            flags: "nsz",
            valued: "bcdf",
            long: "complement only-delimited zero-terminated bytes= characters= delimiter= fields= output-delimiter=",
            ..READS
        },
        refuses: false,
        operands: Operands::Any,
    },
    Program {
        names: "sort",
        options: Options {
            flags: "bcCdfghimMnrRsuVz",
            valued: "ktS",
            long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort \
month-sort numeric-sort random-sort reverse version-sort stable unique merge zero-terminated debug check? key= \
field-separator= buffer-size= parallel= sort=",
            ..STRICT
        },
        refuses: true,
        operands: Operands::Any,
    },
    Program {
        names: "uniq",
        options: Options {
            flags: "cdDiuz",
            valued: "fsw",
            long: "count repeated ignore-case unique zero-terminated all-repeated? group? skip-fields= skip-chars= \
check-chars=",
            ..STRICT
        },
        refuses: true,
        operands: Operands::One,
    },
    Program {
        names: "date",
        options: Options {
            flags: "uR",
            valued: "drf",
            optional: "I",
            long: "utc universal rfc-email date= reference= file= iso-8601? rfc-3339=",
            ..STRICT
        },
        refuses: true,
        operands: Operands::Format,
    },
    Program {
        names: "file",
        options: Options {
            flags: "0bEhikLNnprv",
            valued: "eFfP",
            long: "brief mime mime-type mime-encoding extension dereference no-dereference keep-going no-pad raw \
print0 exclude= separator= files-from=",
            ..STRICT
        },
        refuses: true,
        operands: Operands::Any,
    },
    Program {
        names: "tree",
        options: Options {
            flags: "aACcdDfFghiJlnNpqQrsStuUvxX",
            valued: "LPI",
            long: "device dirsfirst du filesfirst gitignore ignore-case inodes matchdirs noreport prune si charset= \
filelimit= sort= timefmt=",
            quirks: NEXT_WORD | SAME_WORD,
            ..STRICT
        },
        refuses: true,
        operands: Operands::Any,
    },
    Program {
        names: "rg",
        options: Options {
            flags: "0acFHiIlLnNopPqsSuUvwx.",
            valued: "ABCdeEfgjmMrtT",
            long: "case-sensitive column count count-matches crlf files files-with-matches files-without-match \
fixed-strings follow heading hidden ignore-case invert-match json line-buffered line-number line-regexp multiline \
multiline-dotall no-config no-filename no-heading no-ignore no-ignore-vcs no-line-number no-messages null \
one-file-system only-matching passthru pcre2 pretty quiet smart-case stats text trim type-list unrestricted vimgrep \
with-filename word-regexp after-context= before-context= color= colors= context= context-separator= encoding= \
engine= file= glob= iglob= max-columns= max-count= max-depth= max-filesize= path-separator= regexp= replace= sort= \
sortr= threads= type= type-not=",
            ..STRICT
        },
        refuses: true,
        operands: Operands::Any,
    },
];

/// All programs of table D.
#[cfg(test)]
pub(super) fn names() -> Vec<&'static str> {
    let rows = PROGRAMS.iter().flat_map(|program| program.names.split(' '));
    rows.chain(["printf", "find", "git"]).collect()
}

fn row(name: &str) -> Option<&'static Program> {
    PROGRAMS
        .iter()
        .find(|program| super::options::listed(program.names, name))
}

/// Whether `words`, whose program is named `name` without a folder, only read.
pub(super) fn only_reads(words: Words<'_>, name: &str) -> bool {
    if words.is_open() {
        return false;
    }
    match name {
        "git" => return git::only_reads(words),
        "find" => return is_information(words) || find::only_reads(words),
        "printf" => return printf_reads(words),
        _ => {}
    }
    let Some(program) = row(name) else { return false };
    if program.operands == Operands::EveryWord {
        return true;
    }
    if is_information(words) {
        return true;
    }
    if program.refuses && words.iter().any(|(word, _)| !word.is_literal()) {
        return false;
    }
    options_and_operands(words, program)
}

/// `--help` or `--version` alone.
fn is_information(words: Words<'_>) -> bool {
    words.len() == 2 && matches!(words.literal(1), Some("--help" | "--version"))
}

fn options_and_operands(words: Words<'_>, program: &Program) -> bool {
    let (mut index, mut operands, mut ended) = (1_usize, 0_usize, false);
    while let Arg::Word(_, text) = words.get(index) {
        let step = if ended {
            Step::Operand
        } else {
            program.options.step(words, index)
        };
        match step {
            Step::Option { next, .. } => index = next,
            Step::EndOfOptions => {
                ended = true;
                index = index.wrapping_add(1);
            }
            Step::Operand => {
                operands = operands.wrapping_add(1);
                let fits = match program.operands {
                    Operands::Any | Operands::EveryWord => true,
                    Operands::None => false,
                    Operands::One => operands == 1,
                    Operands::Format => operands == 1 && text.starts_with('+'),
                };
                if !fits {
                    return false;
                }
                index = index.wrapping_add(1);
            }
            Step::End | Step::Unknown | Step::NotLiteral => return false,
        }
    }
    true
}

/// `printf`: the format is literal, no option and without an `n` conversion, which assigns.
fn printf_reads(words: Words<'_>) -> bool {
    let first = match words.get(1) {
        Arg::Word(word, "--") if word.is_literal() => 2,
        _ => 1,
    };
    match words.get(first) {
        Arg::Word(word, format) => word.is_literal() && !format.starts_with('-') && !assigns(format),
        Arg::Unknown | Arg::End => false,
    }
}

/// Whether a `printf` format has an `n` conversion.
pub(super) fn assigns(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, after)) = text::cut(rest, b'%') {
        if let Some(literal) = after.strip_prefix("%") {
            rest = literal;
            continue;
        }
        let conversion = after.trim_start_matches(|c: char| {
            c.is_ascii_digit()
                || matches!(
                    c,
                    '-' | '+' | ' ' | '#' | '\'' | '.' | '*' | 'h' | 'l' | 'L' | 'j' | 'z' | 't'
                )
        });
        if conversion.starts_with("n") {
            return true;
        }
        rest = conversion;
    }
    false
}
