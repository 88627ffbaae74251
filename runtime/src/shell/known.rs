//! The names that page 33 knows, by first letter: one look tells whether any table has to be asked.

use super::options::each;

// TABLE: all programs and builtins of page 33 A to E (ruling 18), checked against the tables by a test. A `+` marks those
// that are in D or E alone: they run nothing and assign nothing.
const BY_LETTER: [&str; 26] = [
    "alias ash at",
    "bash batch bind builtin bun bundle bunx busybox",
    "cat+ chronic chroot chrt command compgen complete csh cut+",
    "dash date+ dbus-run-session declare devbox diff+ direnv doas docker docker-compose",
    "echo+ egrep+ enable env eval exec export",
    "fakeroot fc fgrep+ file+ find fish flatpak flock",
    "getopts git+ go+ gosu grep+",
    "hash head+",
    "ionice",
    "jobs",
    "ksh kubectl",
    "let local ls+ ltrace",
    "mapfile mksh",
    "nice nohup npm npx nsenter",
    "",
    "parallel pipenv pipx pkexec pnpm podman poetry printf pwd+ pwsh",
    "",
    "rbash read readarray readonly rg+ runuser rustup",
    "script set setpriv setsid sh shopt sort+ source ssh stat+ stdbuf strace su su-exec sudo systemd-run",
    "tail+ taskset tcsh test time timeout toybox trap tree+ true+ typeset",
    "unbuffer uniq+ unset unshare uv uvx",
    "",
    "wait watch wc+ which+ whoami+",
    "xargs xvfb-run",
    "yarn",
    "zsh",
];

/// What page 33 says of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing.
    No,
    /// It is in D or E alone.
    Reads,
    /// Its words have to be looked at: they may run something else, or assign.
    Acts,
}

/// Looks a base name up.
pub(super) fn look(name: &str) -> Known {
    match name.as_bytes().first() {
        Some(first @ b'a'..=b'z') => {
            let bucket = BY_LETTER
                .get(usize::from(first.saturating_sub(b'a')))
                .copied()
                .unwrap_or_default();
            for listed in each(bucket) {
                match listed.strip_prefix(name) {
                    Some("") if !listed.is_empty() => return Known::Acts,
                    Some("+") => return Known::Reads,
                    Some(_) | None => {}
                }
            }
            Known::No
        }
        Some(b'.' | b'[') if matches!(name, "." | "[" | "[[") => Known::Acts,
        _ => Known::No,
    }
}

/// Whether a base name is in any table.
pub(super) fn is_known(name: &str) -> bool {
    look(name) != Known::No
}

/// The plain words that begin or continue a compound command, where bash reads a command's first word.
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "if" | "then"
            | "elif"
            | "else"
            | "fi"
            | "while"
            | "until"
            | "do"
            | "done"
            | "for"
            | "select"
            | "case"
            | "esac"
            | "function"
            | "time"
            | "coproc"
    )
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use super::{BY_LETTER, Known, look};
    use crate::shell::{builtins, launchers, never_peeled, never_peeled_rows, read_only, wrappers};

    #[test]
    fn every_name_of_the_tables_is_known_and_no_other() {
        let mut names: BTreeSet<&str> = wrappers::names().collect();
        names.extend(read_only::names());
        names.extend(builtins::NAMES.split(' '));
        names.extend(launchers::NAMES.split(' '));
        names.extend(
            never_peeled_rows::PROGRAMS
                .iter()
                .flat_map(|(names, _)| names.split(' ')),
        );
        names.remove("-u");
        names.insert("go");
        for name in &names {
            let acts = wrappers::names().any(|wrapper| wrapper == *name)
                || builtins::NAMES.split(' ').any(|builtin| builtin == *name)
                || launchers::is_launcher(name)
                || never_peeled::is_never_peeled(name);
            assert_eq!(
                look(name),
                if acts { Known::Acts } else { Known::Reads },
                "{name}"
            );
        }
        let listed: Vec<&str> = BY_LETTER.iter().flat_map(|bucket| bucket.split(' ')).collect();
        for name in listed
            .iter()
            .map(|name| name.trim_end_matches('+'))
            .filter(|name| !name.is_empty())
        {
            assert!(names.contains(name), "{name} is in no table");
        }
    }
}
