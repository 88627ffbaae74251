//! Rows from CPython 3.11's `fnmatch`, held by a naive matcher over the tokens.

use super::*;

/// Whether the pattern matches the whole text.
fn matches(tokens: &[Token], text: &[char]) -> bool {
    // `reached[i]`: the tokens so far match the first i characters.
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for token in tokens {
        let mut next = vec![false; text.len() + 1];
        let mut any = false;
        for at in 0..=text.len() {
            any |= reached[at];
            match token {
                Token::Star => next[at] = any,
                _ if at == 0 => {}
                Token::Any => next[at] = reached[at - 1],
                Token::Char(character) => next[at] = reached[at - 1] && text[at - 1] == *character,
                Token::Set(set) => next[at] = reached[at - 1] && set.contains(text[at - 1]),
            }
        }
        reached = next;
    }
    reached[text.len()]
}

fn fnmatch(pattern: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    matches(&parse(pattern, Flavor::Fnmatch), &text)
}

fn set(negated: bool, ranges: &[(char, char)]) -> Vec<Token> {
    vec![Token::Set(Set {
        negated,
        ranges: ranges.to_vec(),
    })]
}

fn chars(text: &str) -> Vec<Token> {
    text.chars().map(Token::Char).collect()
}

#[test]
fn rows_of_cpython() {
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("", &[""], &["a", " "]),
        ("*", &["", "a", "a\nb", "😀"], &[]),
        ("**a**", &["a", "bab"], &["", "b"]),
        ("?", &["a", "\n", "é", "😀"], &["", "ab"]),
        ("a*b?c", &["abxc", "aXXbyc"], &["abc", "abxcd"]),
        ("rm -rf *", &["rm -rf /", "rm -rf "], &["rm -rf", "xrm -rf /"]),
        ("[abc]", &["a", "b", "c"], &["", "d", "ab", "["]),
        ("[a-c]x", &["ax", "cx"], &["dx", "-x"]),
        ("[!a-c]", &["d", "-", "!", "A"], &["a", "b", ""]),
        ("[]a]", &["]", "a"], &["[", "[]a]"]),
        ("[!]a]", &["b", "["], &["]", "a"]),
        ("[]", &["[]"], &["", "]"]),
        ("[!]", &["[!]"], &["a", "]"]),
        ("[abc", &["[abc"], &["a"]),
        ("a[*", &["a[", "a[b"], &["a"]),
        ("[[]", &["["], &["[]", "]"]),
        ("[]]", &["]"], &["["]),
        ("[z-a]", &[], &["z", "a", "m", "-", ""]),
        ("[!z-a]", &["z", "a", "-"], &["", "zz"]),
        ("[a-]", &["a", "-"], &["b"]),
        ("[-a]", &["a", "-"], &["b"]),
        ("[!-a]", &["b"], &["a", "-"]),
        ("[a-b-c]", &["a", "b", "-", "c"], &["d"]),
        ("[a--b]", &["b"], &["a", "-"]),
        ("[---]", &["-"], &["a"]),
        ("[b-ac-d]", &["c", "d"], &["a", "b", "-"]),
        ("[b-a!x]", &["a", "!"], &["x"]),
        ("[b-a!-z]", &["a", "!"], &["-", "z"]),
        ("[z-ya-x]", &["a", "m", "x"], &["y", "z"]),
        ("[c-b-a]", &["-", "a"], &["b", "c"]),
        ("[^a]", &["^", "a"], &["b"]),
        ("[\\]x", &["\\x"], &["]x", "x"]),
        ("[a\\-z]", &["\\", "a", "m", "]"], &["-", "A", "B"]),
        ("[*?]", &["*", "?"], &["a", ""]),
        ("[&&a]", &["&", "a"], &["b"]),
        ("[a-c][!a-c]", &["ad", "c-"], &["aa", "dd"]),
        ("[é-ü]", &["é", "ö", "ü"], &["e", "É"]),
        ("[😀-😂]?", &["😁x"], &["😁", "😃x"]),
        ("a.b+c^(d)$", &["a.b+c^(d)$"], &["axb+c^(d)$"]),
        ("\\*", &["\\", "\\x"], &["*"]),
        ("[!!]", &["a"], &["!"]),
        ("[a!]", &["a", "!"], &["b"]),
        ("[[]][]]", &["[]]"], &["[", "]"]),
        ("*.[ch]", &["a.c", ".h"], &["a.d", "c"]),
        ("[ -~]", &[" ", "a", "~"], &["\n", "é"]),
    ];
    for (pattern, yes, no) in rows {
        for text in *yes {
            assert!(fnmatch(pattern, text), "`{pattern}` matches `{text}`");
        }
        for text in *no {
            assert!(!fnmatch(pattern, text), "`{pattern}` does not match `{text}`");
        }
    }
}

#[test]
fn ranges_are_sorted_and_do_not_touch() {
    assert_eq!(
        parse("[cbax-z]", Flavor::Fnmatch),
        set(false, &[('a', 'c'), ('x', 'z')])
    );
    assert_eq!(parse("[a-dc-f]", Flavor::Fnmatch), set(false, &[('a', 'f')]));
    assert_eq!(parse("[!a-cd]", Flavor::Fnmatch), set(true, &[('a', 'd')]));
    assert_eq!(parse("[z-a]", Flavor::Fnmatch), set(false, &[]));
    assert_eq!(parse("[!z-a]", Flavor::Fnmatch), [Token::Any]);
    assert_eq!(
        parse("[\u{d7ff}\u{e000}]", Flavor::Fnmatch),
        set(false, &[('\u{d7ff}', '\u{e000}')])
    );
    assert_eq!(
        parse("[\u{10ffff}a]", Flavor::Fnmatch),
        set(false, &[('a', 'a'), ('\u{10ffff}', '\u{10ffff}')])
    );
}

#[test]
fn stars_never_come_in_a_row() {
    assert_eq!(
        parse("a***b", Flavor::Fnmatch),
        [Token::Char('a'), Token::Star, Token::Char('b')]
    );
    assert_eq!(parse("src/**", Flavor::Layered).last(), Some(&Token::Star));
    assert_eq!(parse("src/**", Flavor::Layered).len(), 5);
}

#[test]
fn the_layered_dialect_has_no_sets() {
    assert_eq!(parse("[ab]", Flavor::Layered), chars("[ab]"));
    assert_eq!(parse("[!a", Flavor::Layered), chars("[!a"));
    assert_eq!(
        parse("a\\*b?{c}", Flavor::Layered),
        [
            chars("a\\"),
            vec![Token::Star],
            chars("b"),
            vec![Token::Any],
            chars("{c}")
        ]
        .concat()
    );
}

#[test]
fn long_patterns_take_linear_time() {
    assert_eq!(
        parse(&"[".repeat(100_000), Flavor::Fnmatch),
        chars(&"[".repeat(100_000))
    );
    assert_eq!(parse(&"*".repeat(100_000), Flavor::Fnmatch), [Token::Star]);
    assert_eq!(parse(&"[!".repeat(50_000), Flavor::Fnmatch).len(), 100_000);
    assert_eq!(
        parse(&format!("{}]", "[".repeat(100_000)), Flavor::Fnmatch),
        set(false, &[('[', '[')])
    );
    assert_eq!(parse(&"[z-a]".repeat(20_000), Flavor::Fnmatch).len(), 20_000);
    assert_eq!(
        parse(&format!("[{}]", "z-a".repeat(50_000)), Flavor::Fnmatch).len(),
        1
    );
}
