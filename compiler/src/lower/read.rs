//! Nodes to values of one type, reporting what is of another: the steps that every kind of document takes.

use callgate_grammar::document::Key;
use callgate_grammar::{Mapping, Node, Reading, Scalar, Sequence, Span, Style, Value};

use super::suggestion::{listed, nearest, quoted, single_quoted};
use super::{Lowering, is_null};
use crate::ir::{Nullable, Spanned};
use crate::lints;

impl Lowering<'_, '_> {
    /// A text, `what` of the message.
    pub(super) fn text(&mut self, node: &Node, what: &str) -> Option<Spanned<String>> {
        let Value::Scalar(scalar) = &node.value else {
            self.wrong_type(
                node,
                what,
                "a text",
                "write one text, in quotes where it has special characters",
            );
            return None;
        };
        self.scalar_text(scalar, node.span, what)
    }

    /// A key that must be a text: a tool, a role.
    pub(super) fn key_text(&mut self, key: &Key, what: &str) -> Option<Spanned<String>> {
        self.scalar_text(&key.scalar, key.span, what)
    }

    fn scalar_text(&mut self, scalar: &Scalar, span: Span, what: &str) -> Option<Spanned<String>> {
        let reading = scalar.reading();
        if reading == Reading::Text {
            return Some(self.findings.place(scalar.text.clone(), span));
        }
        let (subject, text) = (subject(scalar), single_quoted(&scalar.text));
        let message = format!("{subject} is {}; write {text}", read_as(scalar, reading));
        let help = if scalar.text.is_empty() {
            format!("write {what}, or remove the empty one")
        } else {
            format!("{what} must be text: quote it, {text}, if that is what you mean")
        };
        self.findings.report(&lints::NOT_A_STRING, span, message, help);
        None
    }

    /// A text or null.
    pub(super) fn nullable_text(&mut self, node: &Node, what: &str) -> Nullable<String> {
        if is_null(node) {
            return Some(self.findings.place(None, node.span));
        }
        self.text(node, what).map(|text| text.map(Some))
    }

    /// A list of texts; each is `item` of the messages.
    pub(super) fn texts(&mut self, node: &Node, what: &str, item: &str) -> Vec<Spanned<String>> {
        let Some(sequence) = self.sequence(node, what) else {
            return Vec::new();
        };
        sequence
            .items
            .iter()
            .filter_map(|node| self.text(node, item))
            .collect()
    }

    /// A list of texts that may be missing on purpose.
    pub(super) fn nullable_texts(
        &mut self,
        node: &Node,
        what: &str,
        item: &str,
    ) -> Nullable<Vec<Spanned<String>>> {
        let value = (!is_null(node)).then(|| self.texts(node, what, item));
        Some(self.findings.place(value, node.span))
    }

    /// A list.
    pub(super) fn sequence<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n Sequence> {
        if let Value::Sequence(sequence) = &node.value {
            return Some(sequence);
        }
        let help = match &node.value {
            Value::Scalar(scalar) if !is_null(node) => format!("write a list: [{}]", as_item(scalar)),
            _ => String::from("write a list, `[]` for an empty one, or leave the key out"),
        };
        self.wrong_type(node, what, "a list", &help);
        None
    }

    /// A mapping.
    pub(super) fn mapping<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n Mapping> {
        if let Value::Mapping(mapping) = &node.value {
            return Some(mapping);
        }
        self.wrong_type(
            node,
            what,
            "a mapping",
            "write `key: value` pairs, or leave the key out",
        );
        None
    }

    /// `true` or `false`, which every YAML parser reads the same way.
    pub(super) fn boolean(&mut self, node: &Node, what: &str) -> Option<Spanned<bool>> {
        let value = match &node.value {
            Value::Scalar(scalar) if scalar.style == Style::Plain => match scalar.text.as_str() {
                "true" | "True" | "TRUE" => Some(true),
                "false" | "False" | "FALSE" => Some(false),
                _ => None,
            },
            _ => None,
        };
        let Some(value) = value else {
            self.wrong_type(node, what, "a boolean", "write `true` or `false`, without quotes");
            return None;
        };
        Some(self.findings.place(value, node.span))
    }

    /// A whole number from 0 on.
    pub(super) fn number(&mut self, node: &Node, what: &str) -> Option<Spanned<u32>> {
        let digits = match &node.value {
            Value::Scalar(scalar) if scalar.style == Style::Plain => scalar.text.as_str(),
            _ => "",
        };
        let plain =
            digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        let Some(value) = digits.parse().ok().filter(|_| plain) else {
            self.wrong_type(node, what, "a whole number", "write digits only, such as `5`");
            return None;
        };
        Some(self.findings.place(value, node.span))
    }

    /// Reports a value that is not of the type that is due.
    pub(super) fn wrong_type(&mut self, node: &Node, what: &str, due: &str, help: &str) {
        let message = format!("{what} must be {due}, and this is {}", described(node));
        self.findings
            .report(&lints::WRONG_TYPE, node.span, message, help.to_owned());
    }

    /// Reports a key that has no meaning in `place`, with the nearest known one.
    pub(super) fn unknown_key(&mut self, key: &Key, known: &[&str], place: &str) {
        if key.scalar.reading() == Reading::Merge {
            let help = String::from("write the keys of the other mapping out here");
            self.findings.report(
                &lints::UNKNOWN_KEY,
                key.span,
                String::from("`<<` merges nothing: merge keys are not read"),
                help,
            );
            return;
        }
        let message = format!("unknown key {} in {place}", quoted(&key.scalar.text));
        let help = match nearest(&key.scalar.text, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known keys here: {}", listed(known)),
        };
        self.findings.report(&lints::UNKNOWN_KEY, key.span, message, help);
    }

    /// Reports a key that is missing in the mapping under `span`.
    pub(super) fn missing_key(&mut self, span: Span, key: &str, place: &str, help: &str) {
        let message = format!("`{key}` is missing in {place}");
        self.findings.report(
            &lints::MISSING_KEY,
            first_line(span, self.findings.text()),
            message,
            help.to_owned(),
        );
    }

    /// One word of a closed list, reported as unknown otherwise.
    pub(super) fn word<T: Copy>(
        &mut self,
        node: &Node,
        what: &str,
        words: &[(&str, T)],
        lint: &'static lints::Lint,
    ) -> Option<Spanned<T>> {
        let text = self.text(node, what)?;
        match words.iter().find(|(name, _)| *name == text.value) {
            Some((_, value)) => Some(text.with(*value)),
            None => {
                let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
                let help = match nearest(&text.value, &names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("write one of {}", listed(&names)),
                };
                let message = format!("{} is no {what}", quoted(&text.value));
                self.findings.report(lint, text.span, message, help);
                None
            }
        }
    }
}

/// The part of `span` on its first line, so that a finding about a whole mapping does not underline all of it.
pub(super) fn first_line(span: Span, text: &str) -> Span {
    let part = span.of(text);
    let length = part.find(['\n', '\r']).unwrap_or(part.len());
    Span::new(span.start, span.start.saturating_add(length))
}

fn subject(scalar: &Scalar) -> String {
    if scalar.text.is_empty() {
        String::from("an empty value")
    } else {
        quoted(&scalar.text)
    }
}

/// What a parser makes of a plain scalar, and which.
fn read_as(scalar: &Scalar, reading: Reading) -> String {
    let both = matches!(scalar.text.to_ascii_lowercase().as_str(), "true" | "false");
    let parser = if both {
        "a YAML parser"
    } else {
        "a YAML 1.1 parser"
    };
    match reading {
        Reading::Text => String::from("text"),
        Reading::Null => String::from("null to a YAML parser"),
        Reading::Bool(value) => format!("the boolean {value} to {parser}"),
        Reading::Integer => String::from("an integer to a YAML parser"),
        Reading::Float => String::from("a float to a YAML parser"),
        Reading::Timestamp => String::from("a timestamp to a YAML 1.1 parser"),
        Reading::Value => String::from("the value indicator to a YAML 1.1 parser"),
        Reading::Merge => String::from("the merge key to a YAML 1.1 parser"),
    }
}

fn described(node: &Node) -> String {
    match &node.value {
        Value::Sequence(_) => String::from("a list"),
        Value::Mapping(_) => String::from("a mapping"),
        Value::Scalar(_) if is_null(node) => String::from("null"),
        Value::Scalar(scalar) => format!("the text {}", quoted(&scalar.text)),
    }
}

fn as_item(scalar: &Scalar) -> String {
    single_quoted(&scalar.text)
}
