//! A command line to what is in it, in one pass: the cursor that all reading shares.
//!
//! The reader never backs up over anything it has read: a substitution is parsed where it stands, by the same code that
//! parses the line, so the cost is linear whatever nests in what. A fault ends the reading; what was found stays.

use alloc::string::String;
use alloc::vec::Vec;

use super::construct::Construct;
use super::here_document::HereDocument;
use super::inner::{Inner, MAX_DEPTH, Scope};
use super::text;
use super::word::Command;

/// What the command or header being read turned out to hold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// A substitution.
    pub(super) substitution: Option<Construct>,
    /// Something else that is opaque.
    pub(super) construct: Option<Construct>,
    /// The place of its unit, taken when the first substitution in it began.
    pub(super) place: Option<usize>,
}

/// The state of one reading.
pub(super) struct Reader<'s, 't> {
    pub(super) source: &'s str,
    pub(super) position: usize,
    pub(super) scope: Scope<'t>,
    pub(super) found: Inner<'s>,
    pub(super) seen: Seen,
    /// Parameter expansions and arithmetic around the position.
    pub(super) nested: usize,
    /// Groups around the position.
    pub(super) groups: usize,
    /// Parentheses of substitutions around the position, within this source.
    pub(super) substitutions: usize,
    /// Here-documents whose bodies have not begun.
    pub(super) documents: Vec<HereDocument>,
    /// How many of them belong to what is around the innermost substitution.
    pub(super) outer_documents: usize,
    /// What the simple command just read prints, where its words say so.
    pub(super) printed: Option<String>,
    /// What the command before prints into the pipe to the next one.
    pub(super) piped: Option<String>,
    /// What a reserved word said about the next simple command.
    pub(super) prefix: Option<Construct>,
    /// Commands whose buffers can be used again.
    pub(super) spare: Vec<Command>,
    /// Texts that nobody looks at.
    pub(super) scratch: Vec<String>,
}

impl<'s, 't> Reader<'s, 't> {
    /// A reader at the beginning of `source`; `ids` units are named already.
    pub(super) fn new(source: &'s str, scope: Scope<'t>, ids: usize) -> Self {
        Self {
            source,
            position: 0,
            scope,
            found: Inner {
                ids,
                ..Inner::default()
            },
            seen: Seen::default(),
            nested: 0,
            groups: 0,
            substitutions: 0,
            documents: Vec::new(),
            outer_documents: 0,
            printed: None,
            piped: None,
            prefix: None,
            spare: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Reads all of it as a command line.
    pub(super) fn read(mut self) -> Inner<'s> {
        if self.source.as_bytes().contains(&0) {
            self.fault(Construct::Nul);
            return self.found;
        }
        self.list(&[]);
        if self.position < self.source.len() {
            self.fault(Construct::Syntax);
        }
        self.found
    }

    /// Ends the reading: the line can never be allowed.
    #[inline(never)]
    pub(super) fn fault(&mut self, fault: Construct) {
        self.found.note_fault(fault);
        self.position = self.source.len();
    }

    /// The byte at `position` and where it is, a line continuation skipped. NUL is the end.
    #[inline(never)]
    pub(super) fn byte_from(&self, mut position: usize) -> (u8, usize) {
        let bytes = self.source.as_bytes();
        loop {
            match bytes.get(position) {
                Some(b'\\') if bytes.get(position.wrapping_add(1)) == Some(&b'\n') => {
                    position = position.wrapping_add(2);
                }
                Some(byte) => return (*byte, position),
                None => return (0, position),
            }
        }
    }

    /// The next byte; the position moves behind a line continuation.
    #[inline(never)]
    pub(super) fn peek(&mut self) -> u8 {
        let (byte, position) = self.byte_from(self.position);
        self.position = position;
        byte
    }

    /// The byte after the next one.
    pub(super) fn peek_second(&self) -> u8 {
        let (_, first) = self.byte_from(self.position);
        self.byte_from(first.wrapping_add(1)).0
    }

    /// The third byte from here.
    pub(super) fn peek_third(&self) -> u8 {
        let (_, first) = self.byte_from(self.position);
        let (_, second) = self.byte_from(first.wrapping_add(1));
        self.byte_from(second.wrapping_add(1)).0
    }

    /// Moves behind the next byte, which is ASCII.
    #[inline(never)]
    pub(super) fn bump(&mut self) {
        let (_, position) = self.byte_from(self.position);
        self.position = position.wrapping_add(1).min(self.source.len());
    }

    /// Moves behind the next byte if it is this one.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        if found {
            self.bump();
        }
        found
    }

    /// Moves behind `word` if it stands here as a word of its own, unquoted.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        match self.end_of_word(word) {
            Some(end) => {
                self.position = end;
                true
            }
            None => false,
        }
    }

    /// Where `word` ends, if it stands here as a word of its own, unquoted.
    pub(super) fn end_of_word(&self, word: &str) -> Option<usize> {
        let mut position = self.position;
        for expected in word.bytes() {
            let (byte, at) = self.byte_from(position);
            if byte != expected {
                return None;
            }
            position = at.wrapping_add(1);
        }
        is_word_end(self.byte_from(position).0).then_some(position)
    }

    /// The place of the unit that is being read: before everything its substitutions run.
    pub(super) fn place(&mut self) -> usize {
        match self.seen.place {
            Some(place) => place,
            None => {
                let place = self.found.reserve();
                self.seen.place = Some(place);
                place
            }
        }
    }

    /// A stretch of the source.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'s str {
        text::part(self.source, start, end)
    }

    /// The source from `start` to the position as text to show; nothing after a fault, which ends nowhere.
    pub(super) fn shown(&self, start: usize) -> &'s str {
        if self.found.fault.is_some() {
            ""
        } else {
            self.slice(start, self.position)
        }
    }

    /// Skips blanks.
    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t') {
            self.bump();
        }
    }

    /// Skips a comment, if one begins here; its end is a newline, continued or not.
    pub(super) fn comment(&mut self) {
        if self.peek() == b'#' {
            let rest = self.slice(self.position, self.source.len());
            let length = text::find(rest, b'\n').unwrap_or(rest.len());
            self.position = self.position.wrapping_add(length);
        }
    }

    /// Skips blanks, comments and newlines, and the here-documents behind them.
    pub(super) fn newlines(&mut self) {
        loop {
            self.blanks();
            self.comment();
            if self.peek() != b'\n' {
                return;
            }
            self.newline();
        }
    }

    /// Takes a newline and the bodies of the here-documents that begin behind it.
    pub(super) fn newline(&mut self) {
        self.bump();
        if self.outer_documents > 0 {
            // Bash and we could disagree about whose body begins here.
            self.fault(Construct::Syntax);
        } else if !self.documents.is_empty() {
            self.here_documents();
        }
    }

    /// Reads something one level deeper with `read`, unless that is too deep.
    pub(super) fn deeper(&mut self, read: impl FnOnce(&mut Self)) {
        if self.scope.depth >= MAX_DEPTH {
            self.fault(Construct::Depth);
            return;
        }
        self.scope.depth = self.scope.depth.wrapping_add(1);
        read(self);
        self.scope.depth = self.scope.depth.saturating_sub(1);
    }
}

/// Whether a byte ends a word: a blank, an operator, the end.
pub(super) fn is_word_end(byte: u8) -> bool {
    matches!(
        byte,
        0 | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
    )
}
