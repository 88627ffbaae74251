//! `find`'s expression words, for table D and for the launcher of table B.

use super::super::options::listed;
use super::super::word::{Arg, Words};

/// What one word of an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::shell) enum Primary {
    /// It stands alone.
    Alone,
    /// The next word is its value.
    Valued,
    /// It writes; so many values follow.
    Writes(usize),
    /// A command follows; `+` may end it.
    Command {
        /// Whether `{} +` ends the command as well as `;`.
        plus: bool,
    },
    /// No table has it.
    Unknown,
}

// TABLE: page 33 D, `find`.
const ALONE: &str = "( ) ! , -a -and -o -or -not -daystart -d -depth -empty -executable -false -follow \
-ignore_readdir_race -ls -mount -nogroup -noignore_readdir_race -noleaf -nouser -nowarn -print -print0 -prune -quit \
-readable -true -warn -writable -xdev";
const VALUED: &str = "-amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath \
-iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex \
-regextype -samefile -size -type -uid -used -user -wholename -xtype";

/// What an expression word is.
pub(in crate::shell) fn primary(text: &str) -> Primary {
    match text {
        "-exec" | "-execdir" => Primary::Command { plus: true },
        "-ok" | "-okdir" => Primary::Command { plus: false },
        "-delete" => Primary::Writes(0),
        "-fprint" | "-fprint0" | "-fls" => Primary::Writes(1),
        "-fprintf" => Primary::Writes(2),
        _ if listed(ALONE, text) => Primary::Alone,
        _ if listed(VALUED, text) || is_newer(text) => Primary::Valued,
        _ => Primary::Unknown,
    }
}

/// `-newerXY`
fn is_newer(text: &str) -> bool {
    let Some(which) = text.strip_prefix("-newer") else {
        return false;
    };
    match which.as_bytes() {
        [x, y] => b"aBcm".contains(x) && b"aBcmt".contains(y),
        _ => false,
    }
}

/// Whether the starting points end before this word.
pub(in crate::shell) fn is_start_of_expression(text: &str) -> bool {
    text.starts_with('-') || matches!(text, "(" | "!")
}

/// Whether a `find` command only reads.
pub(super) fn only_reads(words: Words<'_>) -> bool {
    if words.iter().any(|(word, _)| !word.is_literal()) {
        return false;
    }
    let mut index = 1_usize;
    while let Arg::Word(_, text) = words.get(index) {
        if !matches!(text, "-H" | "-L" | "-P") && !text.starts_with("-O") {
            break;
        }
        index = index.wrapping_add(1);
    }
    while let Arg::Word(_, text) = words.get(index) {
        if is_start_of_expression(text) {
            break;
        }
        index = index.wrapping_add(1);
    }
    while let Arg::Word(_, text) = words.get(index) {
        match primary(text) {
            Primary::Alone => index = index.wrapping_add(1),
            Primary::Valued if words.has(index.wrapping_add(1)) => index = index.wrapping_add(2),
            Primary::Valued | Primary::Writes(_) | Primary::Command { .. } | Primary::Unknown => {
                return false;
            }
        }
    }
    true
}
