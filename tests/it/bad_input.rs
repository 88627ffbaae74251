//! Texts that nobody should hand in, as every kind of document: each its own code, at a place inside it, and no panic.

use std::time::{Duration, Instant};

use callgate_compiler::{Checked, Kind, Missing, Options, Source, check, compile};

const MIB: usize = 1 << 20;

fn checked(bytes: &[u8], kind: Option<Kind>) -> Checked {
    let options = Options {
        kind,
        ..Options::default()
    };
    check(
        &Source {
            name: "bad.yaml",
            bytes,
        },
        &options,
    )
}

/// Checks the bytes as every kind: the answer has this code, nothing of the text is used, and it does not take long.
fn refused(what: &str, bytes: &[u8], code: &str) {
    for kind in std::iter::once(None).chain(Kind::ALL.into_iter().map(Some)) {
        let begun = Instant::now();
        let checked = checked(bytes, kind);
        assert!(checked.document.is_none(), "{what} as {kind:?} was used");
        assert_eq!(checked.missing, Missing::Unknown, "{what} as {kind:?}");
        let codes: Vec<&str> = checked.diagnostics.iter().map(|finding| finding.code).collect();
        assert!(codes.contains(&code), "{what} as {kind:?}: {codes:?}, not {code}");
        for finding in &checked.diagnostics {
            let (span, start) = (finding.location.span, finding.location.start);
            assert!(
                span.start <= span.end && span.end <= bytes.len(),
                "{what}: {finding:?}"
            );
            assert!(start.line >= 1 && start.column >= 1, "{what}: {finding:?}");
        }
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{what} took {:?}",
            begun.elapsed()
        );
        let source = Source {
            name: "bad.yaml",
            bytes,
        };
        assert!(
            compile(
                &[source],
                &Options {
                    kind,
                    ..Options::default()
                }
            )
            .policy
            .is_none(),
            "{what} was compiled"
        );
    }
}

/// A rules document around a pattern that stands in the text as it is.
fn around(pattern: &[u8]) -> Vec<u8> {
    [b"mode: rules\nallow:\n  bash: ['".as_slice(), pattern, b"']\n"].concat()
}

#[test]
fn what_is_no_text_is_refused() {
    refused("a lone continuation byte", &around(b"a\x80"), "CG0101");
    refused("an overlong slash", &around(b"\xC0\xAF"), "CG0101");
    refused("a surrogate in UTF-8", &around(b"\xED\xA0\x80"), "CG0101");
    refused(
        "a cut character at the end",
        b"mode: rules # \xF0\x9F\x98",
        "CG0101",
    );
    refused("UTF-16", b"\xFF\xFEm\0o\0d\0e\0", "CG0101");
    refused("a program", b"\x7fELF\x02\x01\x01\0\0\0\xF0\xFF", "CG0101");
}

#[test]
fn characters_that_hide_are_refused() {
    for character in [
        '\0', '\u{7}', '\u{1B}', '\u{7F}', '\u{85}', '\u{9F}', '\u{2028}', '\u{202E}', '\u{2066}', '\u{FFFE}',
    ] {
        let mut buffer = [0; 4];
        let bytes = around(character.encode_utf8(&mut buffer).as_bytes());
        refused(&format!("{character:?} in a pattern"), &bytes, "CG0103");
        let comment = format!("mode: rules # {character}\n");
        refused(
            &format!("{character:?} in a comment"),
            comment.as_bytes(),
            "CG0103",
        );
    }
    refused("nothing but NUL", &[0; 4_096], "CG0103");
    refused(
        "a second byte order mark",
        "\u{FEFF}\u{FEFF}mode: rules\n".as_bytes(),
        "CG0103",
    );
    refused(
        "a byte order mark inside",
        "mode: rules\n\u{FEFF}allow: {}\n".as_bytes(),
        "CG0103",
    );
}

#[test]
fn a_text_past_the_limit_is_refused_whole() {
    refused("a byte too many", &vec![b'#'; MIB + 1], "CG0102");
    refused("ten times too much", &vec![b'['; 10 * MIB], "CG0102");
    let mut exact = b"mode: rules\n#".to_vec();
    exact.resize(MIB, b'x');
    assert!(
        checked(&exact, None).document.is_some(),
        "a text of exactly the limit is read"
    );
}

#[test]
fn deep_nesting_is_refused_before_it_is_followed() {
    let closed = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    let blocks: String = (0..500)
        .map(|depth| format!("{}a:\n", " ".repeat(depth)))
        .collect();
    refused("100,000 open brackets", &b"[".repeat(100_000), "CG0108");
    refused("100,000 closed brackets", &closed, "CG0108");
    refused("100,000 open braces", &b"{a: ".repeat(100_000), "CG0108");
    refused("500 blocks", blocks.as_bytes(), "CG0108");
    refused("100,000 dashes", &b"- ".repeat(100_000), "CG0108");
    refused("brackets and braces", &b"[{a: ".repeat(50_000), "CG0108");
}

#[test]
fn tabs_are_no_indentation() {
    refused(
        "a tab before a key",
        b"mode: rules\nallow:\n\tbash: ['*']\n",
        "CG0105",
    );
    refused(
        "a tab after spaces",
        b"mode: rules\nallow:\n  \tbash: ['*']\n",
        "CG0105",
    );
    let inside = checked(
        b"mode:\trules\t# tabs between words\nallow:\n  bash:\t['*']\n",
        None,
    );
    assert!(inside.document.is_some(), "{:?}", inside.diagnostics);
}

#[test]
fn a_document_without_content_is_refused() {
    for text in [
        "",
        "\n",
        " \n\n  \n",
        "# only a comment\n",
        "\u{FEFF}",
        "---\n",
        "---\n...\n",
        "\r\n\r\n",
    ] {
        let checked = checked(text.as_bytes(), None);
        let codes: Vec<&str> = checked.diagnostics.iter().map(|finding| finding.code).collect();
        assert!(
            checked.document.is_none() && codes == ["CG0206"],
            "{text:?}: {codes:?}"
        );
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    let text =
        "mode: rules\ndeny:\n  bash:\n    - 'rm *'\n    - |-\n      a\n      b\nallow: {reader: ['*']}\n";
    let table = |text: &str| {
        let source = Source {
            name: "p.yaml",
            bytes: text.as_bytes(),
        };
        let compilation = compile(&[source], &Options::default());
        compilation
            .policy
            .unwrap_or_else(|| panic!("{text:?}: {:?}", compilation.diagnostics))
            .bytes
    };
    let expected = table(text);
    assert_eq!(table(&text.replace('\n', "\r\n")), expected, "CRLF");
    assert_eq!(table(&text.replace('\n', "\r")), expected, "CR");
    assert_eq!(table(&format!("\u{FEFF}{text}")), expected, "a byte order mark");
    assert_eq!(table(text.trim_end()), expected, "no line end at the end");
}

#[test]
fn a_line_of_a_megabyte_is_read_in_time() {
    let items = "'ls x', ".repeat(9_999);
    let pattern = "a*".repeat(300_000);
    let cases = [
        ("rules", format!("{{mode: rules, allow: {{bash: [{items}'*']}}}}")),
        (
            "one pattern",
            format!("mode: rules\nallow: {{bash: ['{pattern}']}}\n"),
        ),
        (
            "one word",
            format!("mode: rules\nallow: {{bash: [{}]}}\n", "x".repeat(1_000_000)),
        ),
        (
            "a quote never closed",
            format!("mode: rules\nallow: {{bash: ['{}", "x".repeat(1_000_000)),
        ),
        (
            "openers",
            format!("mode: rules\nallow: {{bash: {}", "['a', ".repeat(170_000)),
        ),
        ("a comment", format!("mode: rules #{}", " x".repeat(500_000))),
        ("spaces", format!("mode: rules{}\n", " ".repeat(1_000_000))),
        ("colons", ":".repeat(1_000_000)),
        ("question marks", "? ".repeat(500_000)),
        ("anchors", "&a ".repeat(300_000)),
        ("quotes", "'".repeat(1_000_001)),
        ("backslashes", format!("\"{}\"", "\\".repeat(1_000_000))),
    ];
    for (what, text) in cases {
        let begun = Instant::now();
        let checked = checked(text.as_bytes(), None);
        assert_eq!(checked.document.is_some(), !checked.has_errors(), "{what}");
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{what} took {:?}",
            begun.elapsed()
        );
    }
}
