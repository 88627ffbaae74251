//! Table E of page 33: whether a command can reach beyond the workspace or start a program nobody named.

use super::options::{Options, SAME_WORD, Step, letter, listed};
use super::text;
use super::word::{Arg, Words};

const GIT: Options = Options {
    flags: "pP",
    valued: "cC",
    optional: "",
    long: "git-dir+ work-tree+ namespace+ config-env+ attr-source+ exec-path= paginate no-pager bare \
no-replace-objects no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs",
    quirks: SAME_WORD | super::options::NO_CLUSTERS | super::options::NEXT_WORD,
};

// TABLE: page 33 E, the subcommands that are none.
const GIT_SUBCOMMANDS: &str = "add am apply blame branch cat-file check-ignore checkout cherry cherry-pick clean \
commit count-objects describe diff diff-tree format-patch fsck gc hash-object log ls-files ls-tree merge merge-base \
mv notes prune range-diff rebase reflog reset restore rev-list rev-parse revert rm shortlog show show-ref stash \
status switch symbolic-ref tag update-index update-ref whatchanged";

const GO_OPTIONS: &str = "exec toolexec overlay o vettool modfile C cpuprofile memprofile blockprofile mutexprofile \
coverprofile trace outputdir test.cpuprofile test.memprofile test.blockprofile test.mutexprofile test.coverprofile \
test.trace test.outputdir c pkgdir gcflags ldflags asmflags gccgoflags compiler";

/// Whether the peeled words of a segment, whose program has this base name, are no escape.
pub(super) fn is_escape_free(words: Words<'_>, name: &str) -> bool {
    match name {
        "git" => git(words),
        "go" => !words.iter().skip(1).any(|(word, text)| {
            let literal = text::part(text, 0, word.literal.saturating_sub(word.start));
            go_option(literal)
        }),
        _ => true,
    }
}

fn git(words: Words<'_>) -> bool {
    let mut index = 1_usize;
    loop {
        match GIT.step(words, index) {
            Step::Option {
                letters, long, next, ..
            } => {
                let dangerous = letters & (letter(b'c') | letter(b'C')) != 0
                    || matches!(long, "git-dir" | "work-tree" | "config-env" | "exec-path");
                if dangerous {
                    return false;
                }
                index = next;
            }
            Step::Operand => break,
            Step::EndOfOptions | Step::End | Step::Unknown | Step::NotLiteral => return false,
        }
    }
    let Arg::Word(_, subcommand) = words.get(index) else {
        return false;
    };
    let runs = |text: &str| text.starts_with("-x") || text.starts_with("--exec");
    listed(GIT_SUBCOMMANDS, subcommand)
        && !(subcommand == "rebase" && words.iter().skip(index).any(|(_, text)| runs(text)))
}

fn go_option(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("-") else {
        return false;
    };
    let name = rest.strip_prefix("-").unwrap_or(rest);
    listed(GO_OPTIONS, text::before(name, b'='))
}
