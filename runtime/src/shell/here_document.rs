//! Here-documents: their delimiters, their bodies behind the next newline, and the substitutions in those.

use alloc::borrow::Cow;
use alloc::string::String;

use super::construct::Construct;
use super::reader::{Reader, is_word_end};
use super::text;
use super::unit::{Kind, Unit};
use super::word::Word;

/// A here-document whose body has not begun.
#[derive(Clone, Debug)]
pub(super) struct HereDocument {
    delimiter: String,
    /// The body is text.
    quoted: bool,
    /// `<<-`
    strip_tabs: bool,
    /// The segment it feeds; none for a compound command.
    pub(super) owner: Option<usize>,
    /// It feeds a shell, which runs it.
    pub(super) runs: bool,
}

impl<'s> Reader<'s, '_> {
    /// Reads the delimiter behind `<<` and notes the document.
    pub(super) fn here_document(&mut self, strip_tabs: bool, owner: Option<usize>) -> String {
        self.blanks();
        let mut delimiter = String::new();
        let mut quoted = false;
        let start = self.position;
        loop {
            match self.peek() {
                b'\\' => {
                    quoted = true;
                    self.bump();
                    self.push_raw(&mut delimiter);
                }
                b'\'' => {
                    quoted = true;
                    self.single_quotes(&mut delimiter);
                }
                b'"' => {
                    quoted = true;
                    self.bump();
                    let rest = self.slice(self.position, self.source.len());
                    let length = text::find(rest, b'"').unwrap_or(rest.len());
                    let inside = text::part(rest, 0, length);
                    if length == rest.len() || text::has_any(inside, b"\\$`") {
                        self.fault(Construct::Syntax);
                        break;
                    }
                    delimiter.push_str(inside);
                    self.position = self.position.wrapping_add(length).wrapping_add(1);
                }
                // Bash takes an expansion here as text; where that ends is its secret.
                b'`' => self.fault(Construct::Syntax),
                b'$' if matches!(self.peek_second(), b'(' | b'{' | b'[' | b'\'' | b'"') => {
                    self.fault(Construct::Syntax)
                }
                byte if is_word_end(byte) => break,
                _ => self.push_raw(&mut delimiter),
            }
        }
        if self.position == start || text::has(&delimiter, b'\n') {
            self.fault(Construct::Syntax);
        }
        let shown = delimiter.clone();
        self.documents.push(HereDocument {
            delimiter,
            quoted,
            strip_tabs,
            owner,
            runs: false,
        });
        shown
    }

    /// Reads the bodies of all documents noted, from the line that begins here.
    pub(super) fn here_documents(&mut self) {
        let documents = core::mem::take(&mut self.documents);
        let mut before = self.found.units.len();
        let mut bodies = alloc::vec::Vec::with_capacity(documents.len());
        for document in documents {
            let body = self.document_body(&document);
            bodies.push((document, body));
        }
        // The owners stand in the order of their documents: one walk back finds them all.
        let mut owners = alloc::vec::Vec::with_capacity(bodies.len());
        for (document, _) in bodies.iter().rev() {
            let mut owner = None;
            if let Some(id) = document.owner {
                let units = self.found.units.get(..before).unwrap_or_default();
                owner = units.iter().rposition(|unit| unit.id == id);
                before = owner.map_or(before, |index| index.wrapping_add(1));
            }
            owners.push(owner);
        }
        for ((document, body), owner) in bodies.iter().zip(owners.iter().rev()) {
            self.judge_body(document, body, *owner);
        }
    }

    /// The body of a document; the position moves behind its delimiter.
    fn document_body(&mut self, document: &HereDocument) -> Cow<'s, str> {
        let start = self.position;
        let mut stripped = String::new();
        loop {
            if self.position >= self.source.len() {
                break;
            }
            let line_start = self.position;
            let (line, next) = self.logical_line(line_start, document.quoted);
            self.position = next;
            let line = if document.strip_tabs {
                Cow::Borrowed(line.trim_start_matches('\t'))
            } else {
                Cow::Borrowed(&*line)
            };
            if line.as_ref() == document.delimiter {
                return if document.strip_tabs {
                    Cow::Owned(stripped)
                } else {
                    Cow::Borrowed(self.slice(start, line_start))
                };
            }
            if self.substitutions > 0
                && line.starts_with(document.delimiter.as_str())
                && text::has(&line, b')')
            {
                // Bash may end the document in the middle of this line.
                self.fault(Construct::Syntax);
            }
            if document.strip_tabs {
                stripped.push_str(&line);
                stripped.push('\n');
            }
        }
        if document.strip_tabs {
            Cow::Owned(stripped)
        } else {
            Cow::Borrowed(self.slice(start, self.source.len()))
        }
    }

    /// The line that begins at `start`, with the lines that its backslashes continue, and where the next one begins.
    fn logical_line(&self, start: usize, quoted: bool) -> (Cow<'s, str>, usize) {
        let rest = self.slice(start, self.source.len());
        let length = text::find(rest, b'\n').unwrap_or(rest.len());
        let first = text::part(rest, 0, length);
        let after = start.wrapping_add(length).wrapping_add(1);
        if quoted || !first.ends_with('\\') {
            return (Cow::Borrowed(first), after);
        }
        let mut line = String::new();
        let mut characters = rest.char_indices();
        while let Some((_, c)) = characters.next() {
            match c {
                '\n' => break,
                '\\' => match characters.next() {
                    Some((_, '\n')) | None => {}
                    Some((_, next)) => {
                        line.push('\\');
                        line.push(next);
                    }
                },
                c => line.push(c),
            }
        }
        (
            Cow::Owned(line),
            self.source.len().saturating_sub(characters.as_str().len()),
        )
    }

    /// Adds what a body runs, and says so at the segment it feeds.
    fn judge_body(&mut self, document: &HereDocument, body: &str, owner: Option<usize>) {
        if document.quoted || !text::has_any(body, b"$`\\") {
            self.found.subscript |= super::variables::runs_in_subscript(body);
            if document.runs {
                let scope = self.scope;
                self.found.reread(body, &scope);
            }
            return;
        }
        let from = self.found.units.len();
        let mut reader = Reader::new(body, self.scope, self.found.ids);
        // The body has no unit of its own: what it runs belongs to the segment that it feeds.
        reader.seen.place = Some(usize::MAX);
        let mut word = Word::default();
        let mut ignored = String::new();
        while reader.position < reader.source.len() {
            match reader.peek() {
                b'$' => reader.dollar(&mut ignored, &mut word, true),
                b'`' => reader.backticks(&mut ignored, &mut word, false),
                b'\\' => reader.escaped_in_double_quotes(&mut ignored),
                0 => break,
                _ => reader.push_raw(&mut ignored),
            }
            ignored.clear();
        }
        let seen = reader.seen;
        let reads = reader.found.acting == 0;
        self.found.join(reader.found);
        if seen.substitution.is_none() && seen.construct.is_none() {
            return;
        }
        let owner = match owner {
            Some(index) => index,
            None => {
                let header = Unit {
                    kind: Kind::Header,
                    role: self.scope.role,
                    inner_reads: true,
                    reads: true,
                    escape_free: true,
                    ..Unit::default()
                };
                self.found.units.insert(from, header);
                from
            }
        };
        if let Some(unit) = self.found.units.get_mut(owner) {
            let before = unit.only_reads();
            unit.substitution = unit.substitution.or(seen.substitution);
            unit.construct = unit.construct.or(seen.construct);
            unit.inner_reads &= reads;
            if before && !unit.only_reads() {
                self.found.acting = self.found.acting.wrapping_add(1);
            }
        }
    }
}
