//! The words of one simple command: spans of its unquoted text, and what bash would still do to them.

use super::text;
use alloc::string::String;
use alloc::vec::Vec;

/// Some of the word was quoted or escaped, so it is no reserved word and no alias.
pub(super) const QUOTED: u16 = 1;
/// `$NAME` and its like outside quotes: it can become no word, or many.
pub(super) const EXPANSION: u16 = 1 << 1;
/// The same in double quotes: one word.
pub(super) const QUOTED_EXPANSION: u16 = 1 << 2;
/// `$@`, or `$*` outside quotes: any number of words even in double quotes.
pub(super) const ALL_ARGUMENTS: u16 = 1 << 3;
/// A command substitution.
pub(super) const SUBSTITUTION: u16 = 1 << 4;
/// A process substitution.
pub(super) const PROCESS: u16 = 1 << 5;
/// A glob.
pub(super) const GLOB: u16 = 1 << 6;
/// A brace expansion, or an array.
pub(super) const BRACE: u16 = 1 << 7;
/// `~name`, which is a user's folder.
pub(super) const TILDE: u16 = 1 << 8;
/// `${…}` beyond a plain name with a literal default.
pub(super) const PARAMETER: u16 = 1 << 9;

/// Everything that keeps a word from being literal (page 33).
const NOT_LITERAL: u16 = !QUOTED;

/// One word: a span of its command's text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// Where it begins in the text.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// Where its literal beginning ends.
    pub(super) literal: usize,
    /// Where its beginning without any quoting or expansion ends.
    pub(super) bare: usize,
    /// What is in it.
    pub(super) flags: u16,
}

impl Word {
    /// Bash changes nothing of it any more.
    pub(super) fn is_literal(self) -> bool {
        self.flags & NOT_LITERAL == 0
    }

    /// One word whatever its expansions hold: they are all plain, in double quotes, none of them `$@`.
    pub(super) fn is_single(self) -> bool {
        self.flags & NOT_LITERAL & !QUOTED_EXPANSION == 0
    }
}

/// The words of a command, or what is left of them behind a wrapper, as the tables of page 33 look at them.
#[derive(Clone, Copy)]
pub(super) struct Words<'w> {
    text: &'w str,
    words: &'w [Word],
    /// From this word on nothing is known (page 33, unknown words); `None`: the words end where they end.
    unknown: Option<usize>,
}

/// One place in the words of a command.
#[derive(Clone, Copy)]
pub(super) enum Arg<'w> {
    /// A word and its unquoted text.
    Word(Word, &'w str),
    /// Something stands here, and nobody knows what.
    Unknown,
    /// Nothing.
    End,
}

impl<'w> Words<'w> {
    /// All words of a command.
    pub(super) fn new(text: &'w str, words: &'w [Word]) -> Self {
        Self {
            text,
            words,
            unknown: None,
        }
    }

    /// The words from `first` up to `last`, nothing known from `unknown` on (both counted in these words).
    pub(super) fn part(self, first: usize, last: usize, unknown: Option<usize>) -> Self {
        let words = self
            .words
            .get(first..last.min(self.words.len()))
            .unwrap_or_default();
        let unknown = match (unknown, self.unknown) {
            (Some(here), Some(before)) => Some(here.min(before)),
            (here, before) => here.or(before),
        };
        Self {
            text: self.text,
            words,
            unknown: unknown.map(|at| at.saturating_sub(first)),
        }
    }

    /// The words from `first` on.
    pub(super) fn from(self, first: usize) -> Self {
        self.part(first, self.words.len(), None)
    }

    /// How many words there are, known or not.
    pub(super) fn len(self) -> usize {
        self.words.len()
    }

    /// What stands at `index`.
    pub(super) fn get(self, index: usize) -> Arg<'w> {
        if self.unknown.is_some_and(|unknown| index >= unknown) {
            return Arg::Unknown;
        }
        match self.words.get(index) {
            Some(word) => Arg::Word(*word, text::part(self.text, word.start, word.end)),
            None => Arg::End,
        }
    }

    /// The text of a known literal word.
    pub(super) fn literal(self, index: usize) -> Option<&'w str> {
        match self.get(index) {
            Arg::Word(word, text) if word.is_literal() => Some(text),
            Arg::Word(..) | Arg::Unknown | Arg::End => None,
        }
    }

    /// Whether a known word stands at `index`.
    pub(super) fn has(self, index: usize) -> bool {
        matches!(self.get(index), Arg::Word(..))
    }

    /// The number of known words.
    pub(super) fn known(self) -> usize {
        self.unknown
            .map_or(self.words.len(), |unknown| unknown.min(self.words.len()))
    }

    /// Whether something unknown follows the known words.
    pub(super) fn is_open(self) -> bool {
        self.unknown.is_some()
    }

    /// The span in the command's text of the known words from `first` on.
    pub(super) fn span(self, first: usize) -> (usize, usize) {
        let known = self.words.get(..self.known()).unwrap_or_default();
        match (known.get(first), known.last()) {
            (Some(word), Some(last)) => (word.start, last.end),
            _ => {
                let end = known
                    .last()
                    .map_or_else(|| self.words.first().map_or(0, |word| word.start), |w| w.end);
                (end, end)
            }
        }
    }

    /// The command's whole text, which spans are of.
    pub(super) fn text(self) -> &'w str {
        self.text
    }

    /// The known words from `first` on, joined by single spaces, when every one of them is literal and nothing unknown
    /// follows.
    pub(super) fn literal_text(self, first: usize) -> Option<&'w str> {
        let words = self.words.get(first..)?;
        if self.is_open() || words.iter().any(|word| !word.is_literal()) {
            return None;
        }
        let (start, end) = self.span(first);
        self.text.get(start..end)
    }

    /// The known words with their texts.
    pub(super) fn iter(self) -> impl Iterator<Item = (Word, &'w str)> {
        let text = self.text;
        let known = self.words.get(..self.known()).unwrap_or_default();
        known
            .iter()
            .map(move |word| (*word, text::part(text, word.start, word.end)))
    }
}

/// One redirection of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Redirection {
    /// Where it stands in the source.
    pub(super) source: (usize, usize),
    /// Its operator with what is before it (`2>`), in the command's side text.
    pub(super) operator: (usize, usize),
    /// Its target, in the command's side text.
    pub(super) target: Word,
}

/// A simple command while it is read.
#[derive(Debug, Default)]
pub(super) struct Command {
    /// The words, unquoted, joined by single spaces.
    pub(super) text: String,
    /// Their spans.
    pub(super) words: Vec<Word>,
    /// Names, operators and targets.
    pub(super) side: String,
    /// The names of the leading assignments, in the side text.
    pub(super) assigned: Vec<(usize, usize)>,
    /// The redirections, in order.
    pub(super) redirections: Vec<Redirection>,
    /// The first target that is written to, in the side text.
    pub(super) write: Option<(usize, usize)>,
    /// It has a here-document.
    pub(super) here_document: bool,
    /// Its program is a builtin whose operands may assign arrays.
    pub(super) is_declaration: bool,
    /// Where it stands in the source.
    pub(super) source: (usize, usize),
}

impl Command {
    /// Nothing was read.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.assigned.is_empty() && self.redirections.is_empty()
    }

    /// Forgets everything but its buffers.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.words.clear();
        self.side.clear();
        self.assigned.clear();
        self.redirections.clear();
        self.write = None;
        self.here_document = false;
        self.is_declaration = false;
    }

    /// A stretch of the side text.
    pub(super) fn side_text(&self, span: (usize, usize)) -> &str {
        text::part(&self.side, span.0, span.1)
    }
}
