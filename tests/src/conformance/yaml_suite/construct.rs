//! A YAML text to the constructs of page 10's list that are in it, without asking the grammar under test.
//!
//! Most are events of the independent parser. What leaves no trace in events is looked for in the text.

use callgate_grammar::SyntaxErrorKind;
use granit_parser::{Event, Parser};

/// What page 10 refuses of valid YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Construct {
    Anchor,
    Alias,
    Tag,
    Directive,
    MultipleDocuments,
    ComplexKey,
    CollectionKey,
    EmptyKey,
    TabIndentation,
    DuplicateKey,
}

impl Construct {
    /// The construct that a refusal names, if it names one.
    pub(super) fn named_by(kind: &SyntaxErrorKind) -> Option<Self> {
        match kind {
            SyntaxErrorKind::Anchor { .. } => Some(Self::Anchor),
            SyntaxErrorKind::Alias { .. } => Some(Self::Alias),
            SyntaxErrorKind::Tag { .. } => Some(Self::Tag),
            SyntaxErrorKind::Directive { .. } => Some(Self::Directive),
            SyntaxErrorKind::MultipleDocuments => Some(Self::MultipleDocuments),
            SyntaxErrorKind::ComplexKey => Some(Self::ComplexKey),
            SyntaxErrorKind::CollectionKey => Some(Self::CollectionKey),
            SyntaxErrorKind::EmptyKey => Some(Self::EmptyKey),
            SyntaxErrorKind::TabIndentation => Some(Self::TabIndentation),
            SyntaxErrorKind::DuplicateKey { .. } => Some(Self::DuplicateKey),
            _ => None,
        }
    }

    /// Every construct in the text, as far as the text can be read.
    pub(super) fn all_in(text: &str) -> Vec<Self> {
        let mut found = in_text(text);
        let mut reading = Reading::default();
        for (event, span) in Parser::new_from_str(text).map_while(Result::ok) {
            reading.take(&event, span.is_empty());
        }
        found.extend(reading.found);
        found
    }
}

fn in_text(text: &str) -> Vec<Construct> {
    let mut found = Vec::new();
    for line in text.lines() {
        let lead = line.trim_start_matches([' ', '\t', '-', '?', ':']);
        let indentation = line.strip_suffix(lead).unwrap_or_default();
        if indentation.contains('\t') {
            found.push(Construct::TabIndentation);
        }
        if line.starts_with('%') {
            found.push(Construct::Directive);
        }
        let is_key = |(at, _): (usize, &str)| {
            let (before, after) = (&line[..at], &line[at + 1..]);
            (after.is_empty() || after.starts_with([' ', '\t']))
                && before
                    .trim_end()
                    .chars()
                    .next_back()
                    .is_none_or(|last| "-?:{[,".contains(last))
        };
        if line.match_indices('?').any(is_key) {
            found.push(Construct::ComplexKey);
        }
    }
    found
}

/// The events so far: what was found, and where the next node stands.
#[derive(Default)]
struct Reading {
    found: Vec<Construct>,
    n_documents: usize,
    open: Vec<Collection>,
}

enum Collection {
    Sequence,
    Mapping { keys: Vec<String>, is_key_next: bool },
}

impl Reading {
    fn take(&mut self, event: &Event<'_>, is_empty: bool) {
        match event {
            Event::DocumentStart(..) => {
                self.n_documents += 1;
                if self.n_documents > 1 {
                    self.found.push(Construct::MultipleDocuments);
                }
            }
            Event::Alias(..) => {
                self.found.push(Construct::Alias);
                self.is_key();
            }
            Event::Scalar(text, _, anchor, tag) => {
                self.properties(*anchor, tag.is_some());
                if self.is_key() {
                    self.key(text, is_empty);
                }
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.collection(*anchor, tag.is_some());
                self.open.push(Collection::Sequence);
            }
            Event::MappingStart(_, anchor, tag) => {
                self.collection(*anchor, tag.is_some());
                self.open.push(Collection::Mapping {
                    keys: Vec::new(),
                    is_key_next: true,
                });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
            }
            _ => {}
        }
    }

    fn properties(&mut self, anchor: usize, has_tag: bool) {
        if anchor != 0 {
            self.found.push(Construct::Anchor);
        }
        if has_tag {
            self.found.push(Construct::Tag);
        }
    }

    fn collection(&mut self, anchor: usize, has_tag: bool) {
        self.properties(anchor, has_tag);
        if self.is_key() {
            self.found.push(Construct::CollectionKey);
        }
    }

    /// Whether the node that comes now is a key; after it comes a value.
    fn is_key(&mut self) -> bool {
        match self.open.last_mut() {
            Some(Collection::Mapping { is_key_next, .. }) => {
                *is_key_next = !*is_key_next;
                !*is_key_next
            }
            Some(Collection::Sequence) | None => false,
        }
    }

    fn key(&mut self, text: &str, is_empty: bool) {
        if is_empty {
            self.found.push(Construct::EmptyKey);
        }
        let Some(Collection::Mapping { keys, .. }) = self.open.last_mut() else {
            return;
        };
        if keys.iter().any(|key| key == text) {
            self.found.push(Construct::DuplicateKey);
        }
        keys.push(text.to_owned());
    }
}
