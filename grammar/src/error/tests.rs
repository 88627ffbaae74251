//! Every refusal: a text, the code and the kind, the bytes it is about, what it says and what it says to write.

use std::collections::BTreeSet;

use crate::{Limits, SyntaxError, parse};

/// Texts, each with one thing wrong.
const REFUSED: &[&str] = &[
    // Quoted texts.
    "a: \"x\n",
    "a: 'x\nb: 1\n",
    "a: \"x\nb: \"y\"\n",
    "a: \"\\d\"\n",
    "a: \"\\u12\"\n",
    "a: \"\\U00110000\"\n",
    "a: \"\\uD83D\"\n",
    "a: \"x\n y\nz\"\n",
    "a: 'b' c\n",
    "a: \"b\"# c\n",
    // Unquoted texts.
    "a: b: c # d\n",
    "a: it's: so\n",
    "a: {b: c: d}\n",
    "a: : b\n",
    "a: b\n c: d\n",
    "- @x y\n",
    "a: [`x]\n",
    "a: %x\n",
    // Flow collections.
    "- [a-z]*.txt\n",
    "- {a}b\n",
    "a: [b\n",
    "a: {b: c\nd: e\n",
    "a: [b\n  c,\nd]\n",
    "a: b]\nc: ]\n",
    "a: [b,, c]\n",
    "a: [b]]\n",
    "a: ['b' c]\n",
    "a: {b]\n",
    "a: [- b]\n",
    "[a\n : b]\n",
    // Block collections and indentation.
    "a: - b\n",
    "--- a: b\n",
    "a: 1\nfoo\nb: 2\n",
    "a:1\nb: 2\n",
    "\"a\":b\n",
    "- a\nb: c\n",
    "a: 1\n- b\n",
    "a:\n  b: 1\n c: 2\n",
    "a:\n  - b: 1\n   c: 2\n",
    "a: |x\n  y\n",
    "a: |\n    \n  x\n",
    "a: b\n... c\n",
    "[a]\nb\n",
    "a:\n\tb: 1\n",
    "a:\n  b: 1\n  \tc: 2\n",
    "-\t- a\n",
    "a: 'b\n\tc'\n",
    // YAML that is not read.
    "- *\n",
    "- *.key\n",
    "- **/x y\n",
    "a: [*, b]\n",
    "- !x\n",
    "- !*.md b # c\n",
    "a: !!str b\n",
    "a: &b [c]\n",
    "%YAML 1.2\n---\na: b\n",
    "%YAML 1.2\na: b\n",
    "a: b\n---\nc: d\n",
    "? a\n: b\n",
    "[a]: b\n",
    ": a\n",
    "{\"\": a}\n",
    "a: 1\nb: 2\n\"\\x61\": 3\n",
    // Characters that are not read.
    "a: \0b",
    "a: \u{202e}\u{202e}b",
    "a: b\u{85}",
    "a: b\u{2028}",
    "a: b # \u{feff}",
    "a: '\u{ffff}'",
    "a: \u{7f}",
];

fn refusals(text: &str) -> Vec<SyntaxError> {
    parse(text.as_bytes(), &Limits::default()).expect_err(text)
}

#[test]
fn every_refusal_says_where_and_what_to_write() {
    let mut names = BTreeSet::new();
    let mut told = String::new();
    for text in REFUSED {
        let errors = refusals(text);
        let [error] = errors.as_slice() else {
            panic!("{text:?}: one refusal expected, not {errors:?}");
        };
        names.insert(error.kind.name());
        let (code, name, bytes) = (error.code(), error.kind.name(), error.span.of(text));
        let place = error.span.start;
        told += &format!(
            "{text:?}\n  {code} {name} at {place}: {bytes:?}\n  {error}\n  help: {}\n",
            error.help()
        );
    }
    insta::assert_snapshot!(told);
    // These need more than a line, or other bytes: they have tests of their own.
    names.extend([
        "not-utf8",
        "too-large",
        "too-deep",
        "key-too-long",
        "readings-differ",
        "unexpected",
    ]);
    assert_eq!(names.len(), 39, "{names:?}");
}

#[test]
fn all_refusals_are_reported_in_the_order_of_the_text() {
    let text = "a: &x 1\nb: *x\na: !t 2\nc: {d: 1, d: \"\\uD800\"}\n? e\n: f\n---\n*g : h\n";
    let found: Vec<(&str, usize)> = refusals(text)
        .iter()
        .map(|error| (error.kind.name(), error.span.start))
        .collect();
    let expected = [
        ("anchor", 3),
        ("alias", 11),
        ("duplicate-key", 14),
        ("tag", 17),
        ("duplicate-key", 32),
        ("surrogate-escape", 36),
        ("complex-key", 45),
        ("multiple-documents", 53),
        ("alias", 57),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_duplicate_key_knows_the_first_one() {
    let text = "a:\n  b: 1\n  'b': 2\n";
    let errors = refusals(text);
    let crate::SyntaxErrorKind::DuplicateKey { key, first } = &errors[0].kind else {
        panic!("{errors:?}");
    };
    assert_eq!((key.as_str(), *first), ("b", crate::Span::new(5, 6)));
}

#[test]
fn the_list_is_bounded() {
    assert_eq!(refusals(&"- *a\n".repeat(1000)).len(), 100);
    assert_eq!(refusals(&"\0a".repeat(1000)).len(), 100);
}

#[test]
fn bytes_that_are_no_utf8() {
    let errors = parse(b"a: \xff\xfe", &Limits::default()).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (errors[0].code(), errors[0].span),
        ("CG0101", crate::Span::new(3, 4))
    );
    assert_eq!(
        errors[0].to_string(),
        "the text is not UTF-8: byte 0xff does not belong here"
    );
    assert_eq!(errors[0].help(), "save the file as UTF-8");
}

#[test]
fn a_text_over_the_limit() {
    let limits = Limits {
        max_bytes: 4,
        ..Limits::default()
    };
    assert!(parse(b"a: b", &limits).is_ok());
    let errors = parse(b"a: bc", &limits).unwrap_err();
    assert_eq!(
        (errors[0].code(), errors[0].span),
        ("CG0102", crate::Span::new(4, 5))
    );
    assert_eq!(
        errors[0].to_string(),
        "the text has 5 bytes, more than the limit of 4"
    );
}

#[test]
fn a_key_over_the_limit() {
    let fits = format!("{}: b\n", "é".repeat(1024));
    assert!(parse(fits.as_bytes(), &Limits::default()).is_ok());
    for text in [
        format!("{}: b\n", "é".repeat(1025)),
        format!("[\"{}\": b]\n", "x".repeat(1024)),
    ] {
        let errors = refusals(&text);
        assert_eq!(
            (errors[0].kind.name(), errors[0].code(), errors.len()),
            ("key-too-long", "CG0104", 1)
        );
    }
}

#[test]
fn what_the_second_parser_reads_differently() {
    let text = "{ \"k\"\n  # c\n  :v }\n";
    let errors = refusals(text);
    assert_eq!(
        (errors[0].code(), errors[0].kind.name()),
        ("CG0109", "readings-differ")
    );
    assert_eq!(
        errors[0].to_string(),
        "two YAML parsers read this differently: the text `v`, or the text `~`"
    );
    assert_eq!(errors[0].span.of(text), "v");
}

#[test]
fn a_mistake_without_a_name() {
    let text = "- |\n x\n----\n";
    let errors = refusals(text);
    assert_eq!(
        (errors[0].code(), errors[0].kind.name()),
        ("CG0104", "unexpected")
    );
    assert_eq!(
        errors[0].help(),
        "check the indentation and the punctuation of this line and the one above"
    );
}

#[test]
fn long_texts_are_shown_in_part() {
    let errors = refusals(&format!("a: 'b' {}\n", "c".repeat(10_000)));
    assert_eq!(
        errors[0].to_string(),
        format!("`{}…` stands after the closing quote `'`", "c".repeat(60))
    );
    assert_eq!(errors[0].span.end - errors[0].span.start, 10_000);
    for text in REFUSED {
        let long = text
            .replace('b', &"b".repeat(5000))
            .replace('x', &"x".repeat(5000));
        for error in parse(long.as_bytes(), &Limits::default())
            .err()
            .unwrap_or_default()
        {
            assert!(
                error.to_string().len() < 400 && error.help().len() < 400,
                "{error}"
            );
        }
    }
}
