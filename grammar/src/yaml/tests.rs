//! Texts and the trees they mean, and texts that are hard on a parser.

use crate::document::{Document, Node, Scalar, Style, Value};
use crate::{Limits, Span, parse};

fn read(text: &str) -> Document {
    match parse(text.as_bytes(), &Limits::default()) {
        Ok(document) => document,
        Err(errors) => panic!("{text:?}: {errors:?}"),
    }
}

/// A node on one line: plain as it is, quoted as `'…'` or `"…"`, blocks as `|…|` and `>…>`, flow collections in
/// `[…]` and `{…}`, block collections in `(…)` and `<…>`.
fn show(node: &Node) -> String {
    match &node.value {
        Value::Scalar(scalar) => show_scalar(scalar),
        Value::Sequence(sequence) => {
            let items: Vec<String> = sequence.items.iter().map(show).collect();
            let items = items.join(", ");
            if sequence.flow {
                format!("[{items}]")
            } else {
                format!("({items})")
            }
        }
        Value::Mapping(mapping) => {
            let entry =
                |entry: &crate::Entry| format!("{}: {}", show_scalar(&entry.key.scalar), show(&entry.value));
            let entries: Vec<String> = mapping.entries.iter().map(entry).collect();
            let entries = entries.join(", ");
            if mapping.flow {
                format!("{{{entries}}}")
            } else {
                format!("<{entries}>")
            }
        }
    }
}

fn show_scalar(scalar: &Scalar) -> String {
    let text = scalar
        .text
        .escape_debug()
        .to_string()
        .replace("\\'", "'")
        .replace("\\\"", "\"");
    match scalar.style {
        Style::Plain => text,
        Style::SingleQuoted => format!("'{text}'"),
        Style::DoubleQuoted => format!("\"{text}\""),
        Style::Literal => format!("|{text}|"),
        Style::Folded => format!(">{text}>"),
    }
}

/// Texts that are accepted, each with its tree.
pub(super) const ACCEPTED: &[(&str, &str)] = &[
    ("mode: rules\n", "<mode: rules>"),
    ("a: b", "<a: b>"),
    ("a:\n  - b\n  - c\n", "<a: (b, c)>"),
    ("a:\n- b\n-\n- - c\n  - d\nb: \n", "<a: (b, , (c, d)), b: >"),
    ("- a: 1\n  b: 2\n- c: 3\n", "(<a: 1, b: 2>, <c: 3>)"),
    (
        "deny: {bash: [\"rm -rf *\", 'sudo *', git push], editor: []}\n",
        "<deny: {bash: [\"rm -rf *\", 'sudo *', git push], editor: []}>",
    ),
    ("a: [\n  b,\n  c: d,\n]\n", "<a: [b, {c: d}]>"),
    ("{a, b: , 'c':d, \"e\" : f}\n", "{a: , b: , 'c': d, \"e\": f}"),
    ("a: http://x.y/?z=1&t\n", "<a: http://x.y/?z=1&t>"),
    ("a: b#c # d\n", "<a: b#c>"),
    ("a: one\n  two\n\n  three\n", "<a: one two\\nthree>"),
    ("- a\n - b\n", "(a - b)"),
    ("a: 'it''s\n\n  so'\n", "<a: 'it's\\nso'>"),
    ("a: 'x  \n  y'\n", "<a: 'x y'>"),
    (
        "a: \"\\x41\\u00e9\\U0001F600\\t\\\\\\\"\\/\\ \\0\"\n",
        "<a: \"Aé😀\\t\\\\\"/ \\0\">",
    ),
    ("a: \"b  \\\n    c\\  \n  d\"\n", "<a: \"b  c  d\">"),
    ("a: \"b\\\n\n\n  c\"\n", "<a: \"b\\n\\nc\">"),
    (
        "a: \"\\N\\_\\L\\P\\e\\v\"\n",
        "<a: \"\\u{85}\\u{a0}\\u{2028}\\u{2029}\\u{1b}\\u{b}\">",
    ),
    (
        "a: |\n  x\n   y\n\n  z\n\nb: c\n",
        "<a: |x\\n y\\n\\nz\\n|, b: c>",
    ),
    ("a: |-\n  x\nb: |+\n  y\n\nc: d\n", "<a: |x|, b: |y\\n\\n|, c: d>"),
    ("a: |2-\n    x\n", "<a: |  x|>"),
    (
        "a: >\n  b\n  c\n\n  d\n    e\n  f\n",
        "<a: >b c\\nd\\n  e\\nf\\n>>",
    ),
    ("a: >- # comment\n  b\n  c\n# comment\n", "<a: >b c>>"),
    ("a: |\n  x", "<a: |x\\n|>"),
    ("a: |\n", "<a: ||>"),
    ("---\na: b\n...\n", "<a: b>"),
    ("--- [a]\n", "[a]"),
    ("---\n", ""),
    ("\u{feff}a: b\r\nc:\r\n  - d\r\n", "<a: b, c: (d)>"),
    ("a: b\rc: d\r", "<a: b, c: d>"),
    ("a: -1\nb: ?x\nc: :y\n-d: e\n", "<a: -1, b: ?x, c: :y, -d: e>"),
    ("<<: {a: b}\n", "<<<: {a: b}>"),
    ("a : b\n", "<a: b>"),
    ("a\tb:\tc\t# d\n", "<a\\tb: c>"),
    ("plain\n  goes on\n", "plain goes on"),
    ("a: Shell(git log #x)\n", "<a: Shell(git log>"),
    ("\"a b\" : 'c'\n'd':\n  e\n", "<\"a b\": 'c', 'd': e>"),
];

#[test]
fn trees() {
    for (text, tree) in ACCEPTED.iter().filter(|(_, tree)| !tree.is_empty()) {
        assert_eq!(show(&read(text).root.unwrap()), *tree, "{text:?}");
    }
}

#[test]
fn texts_without_content_have_no_root() {
    for text in [
        "",
        "\n",
        "  \n\t\n",
        "# a\n# b",
        "\u{feff}",
        "\u{feff}# a\n",
        "...\n",
        "\r\n",
    ] {
        assert_eq!(read(text).root, None, "{text:?}");
    }
    // A document that is there, but empty, has one: nothing.
    let root = read("--- # a\n").root.unwrap();
    assert_eq!(
        root.value,
        Value::Scalar(Scalar {
            text: String::new(),
            style: Style::Plain
        })
    );
}

#[test]
fn spans_cover_the_node_and_no_more() {
    let text = "# c\na:\n  - 'x' # y\n  - b: [1, {k: v}]  \n\nd: |\n  t\n\ne: \nf: two\n  lines\n";
    let root = read(text).root.unwrap();
    let mut found = Vec::new();
    fn collect<'t>(text: &'t str, node: &Node, found: &mut Vec<&'t str>) {
        found.push(node.span.of(text));
        match &node.value {
            Value::Scalar(_) => {}
            Value::Sequence(sequence) => sequence.items.iter().for_each(|item| collect(text, item, found)),
            Value::Mapping(mapping) => {
                for entry in &mapping.entries {
                    found.push(entry.key.span.of(text));
                    collect(text, &entry.value, found);
                }
            }
        }
    }
    collect(text, &root, &mut found);
    let expected = [
        "a:\n  - 'x' # y\n  - b: [1, {k: v}]  \n\nd: |\n  t\n\ne: \nf: two\n  lines",
        "a",
        "- 'x' # y\n  - b: [1, {k: v}]",
        "'x'",
        "b: [1, {k: v}]",
        "b",
        "[1, {k: v}]",
        "1",
        "{k: v}",
        "k",
        "v",
        "d",
        "|\n  t",
        "e",
        "",
        "f",
        "two\n  lines",
    ];
    assert_eq!(found, expected);
}

#[test]
fn spans_count_the_byte_order_mark() {
    let text = "\u{feff}a: é\nb: 'x'";
    let root = read(text).root.unwrap();
    assert_eq!(root.span, Span::new(3, text.len()));
}

#[test]
fn comments_are_kept_in_order() {
    let text =
        "# one\na: b # two\nc: [d, # three\n  # four\n  e] #five\nx: |  # six\n  # no\n # seven\n...\n#eight";
    let comments: Vec<&str> = read(text).comments.iter().map(|span| span.of(text)).collect();
    assert_eq!(
        comments,
        [
            "# one", "# two", "# three", "# four", "#five", "# six", "# seven", "#eight"
        ]
    );
}

#[test]
fn nesting_up_to_the_limit() {
    let block: fn(usize) -> String = |depth| {
        (0..depth)
            .map(|level| format!("{}a:\n", " ".repeat(level)))
            .collect()
    };
    let compact: fn(usize) -> String = |depth| format!("{}x\n", "- ".repeat(depth));
    let flow: fn(usize) -> String = |depth| format!("{}x{}\n", "[".repeat(depth), "]".repeat(depth));
    let braces: fn(usize) -> String = |depth| format!("{}x{}\n", "{a: ".repeat(depth), "}".repeat(depth));
    for make in [block, compact, flow, braces] {
        assert!(
            parse(make(64).as_bytes(), &Limits::default()).is_ok(),
            "{}",
            make(2)
        );
        let errors = parse(make(65).as_bytes(), &Limits::default()).unwrap_err();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].code(), "CG0108");
        assert_eq!(errors[0].to_string(), "collections are nested more than 64 deep");

        let deepest = Limits {
            max_depth: usize::MAX,
            ..Limits::default()
        };
        assert!(
            parse(make(Limits::DEEPEST).as_bytes(), &deepest).is_ok(),
            "{}",
            make(2)
        );
        for depth in [Limits::DEEPEST + 1, 200, 300, 1000] {
            assert_eq!(
                parse(make(depth).as_bytes(), &deepest).unwrap_err()[0].code(),
                "CG0108",
                "{depth}"
            );
        }
        let none = Limits {
            max_depth: 0,
            ..Limits::default()
        };
        assert_eq!(parse(make(1).as_bytes(), &none).unwrap_err()[0].code(), "CG0108");
    }
}

#[test]
fn long_texts_are_read_or_refused() {
    let size = 100_000;
    let texts = [
        "[".repeat(size),
        "{".repeat(size),
        "[{".repeat(size),
        "- ".repeat(size),
        "? ".repeat(size),
        "a:\n".repeat(size / 3),
        ":".repeat(size),
        "\"".repeat(size),
        format!("a: '{}", "'".repeat(size)),
        format!("a: [{}", "a, ".repeat(size / 3)),
        format!("a: [{}]", "\"a\" ".repeat(size / 4)),
        format!("a: {}", " ".repeat(size)),
        format!("a: |\n{}", " \n".repeat(size / 2)),
        format!("a: b\n{} c: d", "  e\n".repeat(size / 4)),
        "&a ".repeat(size / 3),
        "\t".repeat(size),
        "\r".repeat(size),
        "#".repeat(size),
    ];
    for text in texts {
        if let Err(errors) = parse(text.as_bytes(), &Limits::default()) {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(error.span.end <= text.len() && !error.help().is_empty());
            }
        }
    }
}
