//! One `key: value`, in block or in brackets, to an entry; and what can be wrong with a key.

use std::collections::HashMap;

use pest::iterators::Pair;

use super::Lowering;
use crate::document::{Entry, Key, Node, Scalar, Style, Value};
use crate::error::SyntaxErrorKind;
use crate::span::Span;
use crate::yaml::Rule;

/// YAML's bound on a key without `?`, in characters.
const MAX_KEY_CHARACTERS: usize = 1024;

/// An entry taken apart, nothing judged yet.
pub(super) struct Parts {
    /// From the `?` or the key to the end of the value or the colon.
    pub(super) span: Span,
    pub(super) question: Option<Span>,
    pub(super) key: Node,
    pub(super) colon: Option<Span>,
    value: Option<Node>,
}

impl Lowering<'_> {
    /// Takes apart a pair of the rules `map_entry`, `fs_entry` or `fm_entry`.
    pub(super) fn parts(&mut self, pair: Pair<'_, Rule>, depth: usize) -> Parts {
        let mut pairs = pair.into_inner();
        let mut question = None;
        if let Some(first) = pairs.peek().filter(|first| first.as_rule() == Rule::question) {
            question = Some(self.span(&first));
            pairs.next();
        }
        let key = self.node(&mut pairs, depth);
        let colon = self.next(&mut pairs).map(|colon| self.span(&colon));
        let value = colon.map(|_| self.node(&mut pairs, depth));
        self.drain(&mut pairs);

        let start = question.map_or(key.span.start, |question| question.start);
        let ends = [
            question,
            Some(key.span),
            colon,
            value.as_ref().map(|value| value.span),
        ];
        let end = ends
            .into_iter()
            .flatten()
            .map(|span| span.end)
            .max()
            .unwrap_or(start);
        Parts {
            span: Span::new(start, end),
            question,
            key,
            colon,
            value,
        }
    }

    /// Judges the key and makes the entry.
    pub(super) fn entry(&mut self, parts: Parts) -> Entry {
        let Parts {
            question,
            key,
            colon,
            value,
            ..
        } = parts;
        if let Some(question) = question {
            self.refusals.push(SyntaxErrorKind::ComplexKey, question);
        }
        let after_key = Span::at(key.span.end);
        let value = value.unwrap_or_else(|| self.empty(after_key));
        let span = key.span;
        let scalar = match key.value {
            Value::Scalar(scalar) => scalar,
            Value::Sequence(_) | Value::Mapping(_) => {
                if question.is_none() {
                    self.refusals.push(SyntaxErrorKind::CollectionKey, span);
                }
                let text = span.of(self.text).to_owned();
                return Entry {
                    key: Key {
                        span,
                        scalar: Scalar {
                            text,
                            style: Style::Plain,
                        },
                    },
                    value,
                };
            }
        };
        if scalar.text.is_empty() && question.is_none() {
            let place = if span.start == span.end {
                colon.unwrap_or(span)
            } else {
                span
            };
            self.refusals.push(SyntaxErrorKind::EmptyKey, place);
        }
        Entry {
            key: Key { span, scalar },
            value,
        }
    }

    /// Refuses an implicit key of more than 1,024 characters.
    pub(super) fn check_key_length(&mut self, parts: &Parts) {
        let written = implicit_key(parts).of(self.text);
        if written.len() > MAX_KEY_CHARACTERS && written.chars().count() > MAX_KEY_CHARACTERS {
            self.refusals.push(SyntaxErrorKind::KeyTooLong, parts.key.span);
        }
    }

    /// Refuses an implicit key in `[…]` that is not on one line with its colon. Block keys are confined by the grammar.
    pub(super) fn check_key_on_one_line(&mut self, parts: &Parts) {
        if implicit_key(parts).of(self.text).contains(['\n', '\r']) {
            self.refusals.push(SyntaxErrorKind::KeyOverLines, parts.key.span);
        }
    }

    /// Refuses every key whose decoded text stood before in the same mapping.
    pub(super) fn refuse_duplicates(&mut self, entries: &[Entry]) {
        let mut seen: HashMap<&str, Span> = HashMap::with_capacity(entries.len());
        for Entry { key, .. } in entries.iter().filter(|entry| !entry.key.scalar.text.is_empty()) {
            let first = *seen.entry(key.scalar.text.as_str()).or_insert(key.span);
            if first != key.span {
                let kind = SyntaxErrorKind::DuplicateKey {
                    key: key.scalar.text.clone(),
                    first,
                };
                self.refusals.push(kind, key.span);
            }
        }
    }
}

/// From the key to its colon; empty for a key after `?` or without a colon.
fn implicit_key(parts: &Parts) -> Span {
    match (parts.question, parts.colon) {
        (None, Some(colon)) => Span::new(parts.key.span.start, colon.start),
        (Some(_), _) | (None, None) => Span::at(parts.key.span.start),
    }
}
