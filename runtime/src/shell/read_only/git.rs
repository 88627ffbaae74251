//! The subcommands of `git` that only read, with their options (page 33 D).

use super::super::options::{NO_CLUSTERS, NUMBER, Options, SAME_WORD, Step, letter, listed};
use super::super::text;
use super::super::word::{Arg, Words};

const NONE: Options = Options {
    flags: "",
    valued: "",
    optional: "",
    long: "",
    quirks: SAME_WORD | NO_CLUSTERS,
};

// TABLE: page 33 D, git, what may stand before the subcommand.
const GLOBAL: Options = Options {
    flags: "P",
    long: "no-pager no-optional-locks literal-pathspecs no-replace-objects",
    ..NONE
};

// TABLE: page 33 D, DIFF.
const DIFF: Options = Options {
    flags: "pusabwzRW",
    valued: "SG",
    optional: "UMCB",
    long: "patch no-patch raw numstat shortstat summary compact-summary name-only name-status check binary full-index \
text minimal patience histogram no-color no-renames no-prefix no-ext-diff no-textconv find-copies-harder pickaxe-all \
pickaxe-regex function-context exit-code quiet ignore-space-change ignore-all-space ignore-space-at-eol \
ignore-blank-lines ignore-cr-at-eol unified? stat? dirstat? color? color-words? color-moved? word-diff? find-renames? \
find-copies? abbrev? relative? submodule? ignore-submodules? diff-filter= diff-algorithm= word-diff-regex= \
inter-hunk-context= ws-error-highlight= src-prefix= dst-prefix=",
    ..NONE
};

// TABLE: page 33 D, REV.
const REV: Options = Options {
    flags: "iEFPg",
    long: "oneline graph all merges no-merges first-parent reverse follow no-decorate source left-right cherry \
cherry-pick cherry-mark boundary topo-order date-order author-date-order full-history simplify-merges abbrev-commit \
no-abbrev-commit relative-date parents children walk-reflogs no-notes use-mailmap all-match invert-grep not branches? \
tags? remotes? decorate? notes? pretty? format= date= encoding= skip= glob= exclude= min-parents= max-parents= \
max-count+ since+ after+ until+ before+ author+ committer+ grep+",
    ..NONE
};

/// What operands a subcommand may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    Any,
    /// Only beside one of these options: else something is made.
    Listing {
        letters: u128,
        long: &'static str,
    },
}

struct Subcommand {
    name: &'static str,
    tables: &'static [Options],
    operands: Operands,
}

/// `--contains` and its like: `=V`, or the next word if there is one.
const REACHES: &str = "contains no-contains merged no-merged";

// TABLE: page 33 D, git's subcommands.
const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand {
        name: "log",
        tables: &[LOG, DIFF, REV],
        operands: Operands::Any,
    },
    Subcommand {
        name: "show",
        tables: &[LOG, DIFF, REV],
        operands: Operands::Any,
    },
    Subcommand {
        name: "diff",
        tables: &[
            Options {
                flags: "cq",
                long: "cc cached staged merge-base no-index",
                ..NONE
            },
            DIFF,
        ],
        operands: Operands::Any,
    },
    Subcommand {
        name: "shortlog",
        tables: &[
            Options {
                flags: "nseciEFPg",
                optional: "w",
                long: "numbered summary email group=",
                quirks: SAME_WORD,
                ..NONE
            },
            REV,
        ],
        operands: Operands::Any,
    },
    Subcommand {
        name: "status",
        tables: &[Options {
            flags: "sbvz",
            optional: "u",
            long: "short branch long verbose show-stash ahead-behind no-ahead-behind renames no-renames no-column \
porcelain? untracked-files? ignored? ignore-submodules? find-renames? column?",
            quirks: SAME_WORD,
            ..NONE
        }],
        operands: Operands::Any,
    },
    Subcommand {
        name: "branch",
        tables: &[Options {
            flags: "arvi",
            long: "all remotes verbose list show-current ignore-case no-color no-column no-abbrev color? column? \
abbrev? sort= format= points-at= contains? no-contains? merged? no-merged?",
            quirks: SAME_WORD,
            ..NONE
        }],
        operands: Operands::Listing {
            letters: 0,
            long: "list points-at contains no-contains merged no-merged",
        },
    },
    Subcommand {
        name: "tag",
        tables: &[Options {
            flags: "li",
            optional: "n",
            long: "list ignore-case no-column column? color? sort= format= points-at= contains? no-contains? merged? \
no-merged?",
            quirks: SAME_WORD,
            ..NONE
        }],
        operands: Operands::Listing {
            letters: letter(b'l') | letter(b'n'),
            long: "list points-at contains no-contains merged no-merged",
        },
    },
    Subcommand {
        name: "ls-files",
        tables: &[Options {
            flags: "cdmoisukztv",
            valued: "xX",
            long: "cached deleted modified others ignored stage unmerged killed directory no-empty-directory eol \
deduplicate exclude-standard error-unmatch full-name recurse-submodules exclude= exclude-from= exclude-per-directory= \
abbrev? format= with-tree=",
            quirks: SAME_WORD,
            ..NONE
        }],
        operands: Operands::Any,
    },
    Subcommand {
        name: "rev-parse",
        tables: &[Options {
            flags: "q",
            long: "quiet verify symbolic symbolic-full-name all not revs-only no-revs flags no-flags show-toplevel \
show-prefix show-cdup show-superproject-working-tree git-dir git-common-dir absolute-git-dir is-inside-work-tree \
is-inside-git-dir is-bare-repository is-shallow-repository abbrev-ref? short? branches? tags? remotes? path-format= \
git-path: default:",
            ..NONE
        }],
        operands: Operands::Any,
    },
    Subcommand {
        name: "blame",
        tables: &[Options {
            flags: "bceflnpstw",
            valued: "L",
            optional: "MC",
            long: "root porcelain line-porcelain incremental show-name show-number show-email show-stats first-parent \
reverse no-progress color-lines color-by-age abbrev= date= since= ignore-rev= ignore-revs-file=",
            ..NONE
        }],
        operands: Operands::Any,
    },
    Subcommand {
        name: "describe",
        tables: &[Options {
            long: "all tags contains long always exact-match first-parent debug abbrev= candidates= dirty? broken? \
match+ exclude+",
            ..NONE
        }],
        operands: Operands::Any,
    },
];

const LOG: Options = Options {
    flags: "cmqtr",
    valued: "nL",
    long: "cc",
    quirks: NONE.quirks | NUMBER,
    ..NONE
};

/// Whether a `git` command only reads.
pub(super) fn only_reads(words: Words<'_>) -> bool {
    if words
        .iter()
        .any(|(word, text)| !word.is_literal() || runs_gpg(text))
    {
        return false;
    }
    let mut index = 1_usize;
    while let Step::Option { next, .. } = GLOBAL.step(words, index) {
        index = next;
    }
    let Some(name) = words.literal(index) else {
        return false;
    };
    let first = index.wrapping_add(1);
    if name == "remote" {
        return remote(words, first);
    }
    SUBCOMMANDS
        .iter()
        .find(|row| row.name == name)
        .is_some_and(|row| row.only_reads(words, first))
}

impl Subcommand {
    fn only_reads(&self, words: Words<'_>, mut index: usize) -> bool {
        let (mut operands, mut lists, mut ended) = (false, false, false);
        while words.has(index) {
            match if ended {
                Step::Operand
            } else {
                self.step(words, index)
            } {
                Step::Option {
                    letters,
                    long,
                    value,
                    next,
                } => {
                    if let Operands::Listing {
                        letters: listing,
                        long: names,
                    } = self.operands
                    {
                        lists |= letters & listing != 0 || listed(names, long);
                    }
                    index = next;
                    if value.is_none()
                        && listed(REACHES, long)
                        && self.operands != Operands::Any
                        && words.has(index)
                    {
                        index = index.wrapping_add(1);
                    }
                }
                Step::EndOfOptions => {
                    ended = true;
                    index = index.wrapping_add(1);
                }
                Step::Operand => {
                    operands = true;
                    index = index.wrapping_add(1);
                }
                Step::End | Step::Unknown | Step::NotLiteral => return false,
            }
        }
        !operands || lists || self.operands == Operands::Any
    }

    fn step<'w>(&self, words: Words<'w>, index: usize) -> Step<'w> {
        for table in self.tables {
            match table.step(words, index) {
                Step::Unknown => {}
                step => return step,
            }
        }
        Step::Unknown
    }
}

/// A format that makes git run gpg.
fn runs_gpg(text: &str) -> bool {
    (text.starts_with("--format") || text.starts_with("--pretty"))
        && (text::holds(text, "%G") || text::holds(text, "%(signature"))
}

/// `git remote`: nothing, or `-v`; then `show [-n] NAME…` or `get-url NAME`.
fn remote(words: Words<'_>, mut index: usize) -> bool {
    while matches!(words.literal(index), Some("-v" | "--verbose")) {
        index = index.wrapping_add(1);
    }
    let Some(action) = words.literal(index) else {
        return !words.has(index);
    };
    let (mut options, mut names) = (true, 0_usize);
    loop {
        index = index.wrapping_add(1);
        let Arg::Word(_, text) = words.get(index) else {
            break;
        };
        match (action, text) {
            ("show", "-n") | ("get-url", "--push" | "--all") if options => {}
            (_, "--") if options => options = false,
            _ if options && text.starts_with('-') => return false,
            _ => names = names.wrapping_add(1),
        }
    }
    match action {
        "show" => true,
        "get-url" => names == 1,
        _ => false,
    }
}
