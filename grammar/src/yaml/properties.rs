//! What holds for every text: nothing panics, spans lie in the text and read back as what they were read as.

use proptest::prelude::{ProptestConfig, Strategy, any, prop, proptest};

use super::tests::ACCEPTED;
use crate::document::{Document, Node, Scalar, Style, Value};
use crate::pattern::{self, Flavor, Token};
use crate::{Limits, Span, parse, rule_spec};

const PIECES: &[&str] = &[
    "a",
    "b: ",
    "c:",
    "- ",
    "-",
    "? ",
    ": ",
    ":",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "[a, b]",
    "{a: b}",
    "'x'",
    "\"y\\n\"",
    "'",
    "\"",
    "\\",
    "#",
    " # z",
    "\n",
    "\n  ",
    "\n    ",
    "\n\n",
    "\r\n",
    "\t",
    " ",
    "|\n  ",
    "|-\n  ",
    ">+\n ",
    ">",
    "&a ",
    "*b",
    "!c ",
    "%",
    "@",
    "`",
    "---\n",
    "...\n",
    "é",
    "😀",
    "no",
    "1",
    "''",
    "\"\"",
    "x: y\n",
    "- z\n",
    "k: [v, \"w\"]\n",
];

fn texts() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..14).prop_map(|pieces| pieces.concat())
}

/// Texts near to accepted ones.
fn near_texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES);
    (
        prop::sample::select(ACCEPTED),
        any::<prop::sample::Index>(),
        piece,
        0_usize..4,
    )
        .prop_map(|((text, _), index, piece, cut)| {
            let characters: Vec<char> = text.chars().collect();
            let at = index.index(characters.len() + 1);
            let rest = characters.iter().skip(at + cut);
            characters
                .iter()
                .take(at)
                .copied()
                .chain(piece.chars())
                .chain(rest.copied())
                .collect()
        })
}

fn check(text: &str) {
    match parse(text.as_bytes(), &Limits::default()) {
        Ok(document) => check_document(text, &document),
        Err(errors) => {
            assert!(!errors.is_empty());
            assert!(errors.is_sorted_by_key(|error| error.span));
            for error in errors {
                assert!(
                    text.get(error.span.start..error.span.end).is_some(),
                    "{text:?} {error:?}"
                );
                let (message, help) = (error.to_string(), error.help());
                assert!(
                    !message.is_empty() && !message.ends_with('.') && !help.is_empty(),
                    "{message}"
                );
                assert!(error.code().starts_with("CG01"));
            }
        }
    }
}

fn check_document(text: &str, document: &Document) {
    if let Some(root) = &document.root {
        check_node(text, root);
    }
    assert!(document.comments.is_sorted());
    for comment in &document.comments {
        assert!(comment.of(text).starts_with('#') && !comment.of(text).contains(['\n', '\r']));
    }
}

fn check_node(text: &str, node: &Node) {
    match &node.value {
        Value::Scalar(scalar) => check_scalar(text, node.span, scalar),
        Value::Sequence(sequence) => {
            assert!(
                node.span
                    .of(text)
                    .starts_with(if sequence.flow { "[" } else { "-" })
            );
            let mut end = node.span.start;
            for item in &sequence.items {
                assert!(item.span.start >= end && item.span.end <= node.span.end);
                end = item.span.end;
                check_node(text, item);
            }
        }
        Value::Mapping(mapping) => {
            let mut end = node.span.start;
            for entry in &mapping.entries {
                assert!(entry.key.span.start >= end && entry.value.span.start >= entry.key.span.end);
                assert!(entry.value.span.end <= node.span.end);
                end = entry.value.span.end;
                check_scalar(text, entry.key.span, &entry.key.scalar);
                check_node(text, &entry.value);
            }
        }
    }
}

/// The bytes of a scalar, put somewhere else, read as the same text in the same style.
fn check_scalar(text: &str, span: Span, scalar: &Scalar) {
    let bytes = span.of(text);
    if bytes.is_empty() {
        assert_eq!((scalar.style, scalar.text.as_str()), (Style::Plain, ""));
        return;
    }
    let header = bytes.split(['\n', '\r', '#']).next().unwrap_or_default();
    let is_block = matches!(scalar.style, Style::Literal | Style::Folded);
    // Texts that only the colon after them keeps from being something else: the keys of `{a:: b}` and `-: b`.
    if scalar.style == Style::Plain && (bytes.ends_with(':') || matches!(bytes, "-" | "?")) {
        return;
    }
    if is_block && header.contains(|character: char| character.is_ascii_digit()) {
        return;
    }
    // Under a sequence, one column further right; a line break at the very end stays one.
    let (inner, last) = bytes.split_at(bytes.trim_end_matches('\n').len());
    let moved = format!("- {}{}", inner.replace('\n', "\n "), last);
    let document = parse(moved.as_bytes(), &Limits::default()).expect(&moved);
    let Some(Value::Sequence(sequence)) = document.root.map(|root| root.value) else {
        panic!("{moved:?}");
    };
    assert_eq!(sequence.items.len(), 1, "{moved:?}");
    assert_eq!(
        sequence.items[0].value,
        Value::Scalar(scalar.clone()),
        "{moved:?}"
    );
}

#[test]
fn accepted_texts_read_back() {
    for (text, _) in ACCEPTED {
        check(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let result = parse(&bytes, &Limits::default());
        assert!(result.is_ok() || result.is_err_and(|errors| !errors.is_empty()));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}") {
        check(&text);
    }

    #[test]
    fn texts_of_pieces_are_read_or_refused(text in texts()) {
        check(&text);
    }

    #[test]
    fn texts_near_accepted_ones_are_read_or_refused(text in near_texts()) {
        check(&text);
    }

    #[test]
    fn every_text_is_a_pattern(text in "[\\[\\]!*?a-c^é-]{0,20}") {
        for flavor in [Flavor::Fnmatch, Flavor::Layered] {
            let tokens = pattern::parse(&text, flavor);
            assert!(tokens.windows(2).all(|pair| pair != [Token::Star, Token::Star]));
            for token in &tokens {
                if let Token::Set(set) = token {
                    assert!(set.ranges.iter().all(|(first, last)| first <= last));
                    assert!(set.ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
                }
            }
            assert_eq!(tokens.is_empty(), text.is_empty());
        }
    }

    #[test]
    fn a_spec_that_is_read_reads_the_same_when_written_plainly(text in "[ A-C()*:é]{0,16}") {
        if let Ok(spec) = rule_spec::parse(&text) {
            let plain = match &spec.pattern {
                Some(pattern) => format!("{}({pattern})", spec.tool),
                None => spec.tool.clone(),
            };
            let again = rule_spec::parse(&plain).expect(&plain);
            assert_eq!(again.tool, spec.tool);
            assert_eq!(spec.tool_span.of(&text), spec.tool);
        }
    }
}
