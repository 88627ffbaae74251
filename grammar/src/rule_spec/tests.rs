//! Specs with what they mean, and texts that are none with the reason and the bytes.

use super::*;

fn read(text: &str) -> (String, Option<String>) {
    match parse(text) {
        Ok(spec) => (spec.tool, spec.pattern),
        Err(error) => panic!("`{text}`: {error}"),
    }
}

#[test]
fn specs() {
    let rows: &[(&str, &str, Option<&str>)] = &[
        ("Read", "Read", None),
        ("  Read ", "Read", None),
        ("mcp__db__query", "mcp__db__query", None),
        ("Shell(go test:*)", "Shell", Some("go test*")),
        ("Shell(git push:)", "Shell", Some("git push*")),
        ("Shell(rm -rf *)", "Shell", Some("rm -rf *")),
        ("Edit(src/**)", "Edit", Some("src/**")),
        ("Shell(a:b:c:*)", "Shell", Some("a:b:c*")),
        ("Shell(npm run test:unit)", "Shell", Some("npm run test:unit")),
        ("Shell(echo (x))", "Shell", Some("echo (x)")),
        ("Shell(a (b) c (d (e)))", "Shell", Some("a (b) c (d (e))")),
        ("Bash(make *)", "Shell", Some("make *")),
        ("Bash", "Shell", None),
        ("bash", "bash", None),
        ("shell(zap*)", "shell", Some("zap*")),
        (" Shell ( make * ) ", "Shell", Some("make *")),
        ("Shell(:*)", "Shell", Some("*")),
        ("Shell(:)", "Shell", Some("*")),
        ("Shell(a::*)", "Shell", Some("a:*")),
        ("Read([ab].txt)", "Read", Some("[ab].txt")),
        ("Read(it's)", "Read", Some("it's")),
        ("Read(a\\*b)", "Read", Some("a\\*b")),
        ("Shell(*)", "Shell", Some("*")),
        ("Shell(zap)\n", "Shell", Some("zap")),
    ];
    for (text, tool, pattern) in rows {
        assert_eq!(
            read(text),
            ((*tool).to_owned(), pattern.map(str::to_owned)),
            "`{text}`"
        );
    }
}

#[test]
fn spans_are_of_the_text_as_written() {
    let text = " Bash ( git push:* ) ";
    let spec = parse(text).unwrap();
    assert_eq!(spec.tool_span.of(text), "Bash");
    assert_eq!(spec.pattern_span.unwrap().of(text), "git push:*");
}

#[test]
fn what_is_no_spec() {
    let rows: &[(&str, RuleSpecErrorKind, &str)] = &[
        ("", RuleSpecErrorKind::Empty, ""),
        ("  ", RuleSpecErrorKind::Empty, "  "),
        ("(zap)", RuleSpecErrorKind::NoTool, "("),
        ("Shell(zap", RuleSpecErrorKind::UnclosedParenthesis, "("),
        ("Shell(git log", RuleSpecErrorKind::UnclosedParenthesis, "("),
        ("Shell(echo (x)", RuleSpecErrorKind::UnclosedParenthesis, "("),
        ("Shell(zap))", RuleSpecErrorKind::StrayParenthesis, ")"),
        ("Shell)", RuleSpecErrorKind::StrayParenthesis, ")"),
        ("Shell)(x)", RuleSpecErrorKind::StrayParenthesis, ")"),
        (
            "Shell(zap) now",
            RuleSpecErrorKind::TrailingText {
                text: "now".to_owned(),
            },
            "now",
        ),
        (
            "Shell(a)(b)",
            RuleSpecErrorKind::TrailingText {
                text: "(b)".to_owned(),
            },
            "(b)",
        ),
        (
            "Shell(a) (b)",
            RuleSpecErrorKind::TrailingText {
                text: "(b)".to_owned(),
            },
            "(b)",
        ),
        (
            "git push",
            RuleSpecErrorKind::TrailingText {
                text: "push".to_owned(),
            },
            "push",
        ),
        (
            "Shell()",
            RuleSpecErrorKind::EmptyPattern {
                tool: "Shell".to_owned(),
            },
            "()",
        ),
        (
            "Bash(  )",
            RuleSpecErrorKind::EmptyPattern {
                tool: "Bash".to_owned(),
            },
            "(  )",
        ),
        (
            "mcp__db__*",
            RuleSpecErrorKind::PatternInTool { character: '*' },
            "*",
        ),
        ("*", RuleSpecErrorKind::PatternInTool { character: '*' }, "*"),
        (
            "Sh?ll(x)",
            RuleSpecErrorKind::PatternInTool { character: '?' },
            "?",
        ),
        (
            "[ab](x)",
            RuleSpecErrorKind::PatternInTool { character: '[' },
            "[",
        ),
    ];
    for (text, kind, place) in rows {
        let error = parse(text).unwrap_err();
        assert_eq!(error.kind, *kind, "`{text}`");
        assert_eq!(error.span.of(text), *place, "`{text}`");
        let (message, help) = (error.to_string(), error.help());
        assert!(
            message.starts_with(|first: char| first == '`' || first.is_lowercase()),
            "{message}"
        );
        assert!(!message.ends_with('.') && !help.is_empty());
    }
}

#[test]
fn messages() {
    let say = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(
        say("mcp__x__*"),
        "`*` in the name of a tool: names are exact and never match as patterns"
    );
    assert_eq!(say("Shell()"), "the parentheses after `Shell` are empty");
    assert_eq!(say("Shell(x) y"), "`y` stands after the end of the rule");
    assert_eq!(
        parse("Shell()").unwrap_err().help(),
        "write `Shell` to mean every call of the tool, or a pattern between the parentheses"
    );
}

#[test]
fn long_texts_take_linear_time() {
    let deep = format!("Shell({}{})", "(".repeat(200_000), ")".repeat(200_000));
    assert_eq!(read(&deep).1.map(|pattern| pattern.len()), Some(400_000));
    assert!(parse(&format!("Shell({}", "(".repeat(200_000))).is_err());
    assert!(parse(&format!("Shell{}(", ")".repeat(200_000))).is_err());
    assert!(parse(&format!("Shell({} x", " ".repeat(200_000))).is_err());
    assert!(parse(&"a ".repeat(200_000)).is_err());
    assert!(parse(&" ".repeat(200_000)).is_err());
}
