//! Page 10, the rules dialect: every sentence with a document that breaks it and one that does not.

use callgate_compiler::ir::Document;
use callgate_compiler::normal::PolicyMode;
use callgate_compiler::{Missing, Options};

use crate::harness::{assert_findings, checked, findings_with, inspected, words};

#[test]
fn a_whole_policy() {
    let text = "mode: rules\ndeny:     {bash: ['rm -rf *', 'sudo *'], editor: ['.env', '*.key']}\n\
                allow:    {reader: ['*'], search: ['*'], bash: ['git *', 'cargo *']}\nescalate: {bash: ['*']}\n";
    let checked = checked("p.yaml", text, &Options::default());
    assert_eq!(checked.diagnostics, []);
    assert_eq!(checked.missing, Missing::Nothing);
    let Some(Document::Permissions(permissions)) = checked.document else {
        panic!()
    };
    assert_eq!(permissions.effective_mode(), PolicyMode::Rules);
    assert_eq!(permissions.n_rules(), 9);
    let key = &permissions.deny[1];
    assert_eq!((key.tool.as_str(), key.canonical.as_str()), ("editor", "editor"));
    let pattern = &key.patterns[1];
    assert_eq!((pattern.as_str(), pattern.span.of(text)), ("*.key", "'*.key'"));
    assert_eq!((pattern.start.line, pattern.start.column), (2, 59));
}

#[test]
fn keys_and_values() {
    assert_findings(&[
        ("mode: rules\n", ""),
        ("mode: rules\ndeny: {}\n", ""),
        ("mode: rules\ndeny: {bash: []}\n", ""),
        ("mode: allow\n", "CG0204@1"),
        ("mode: Rules\n", "CG0204@1"),
        ("mode: [rules]\n", "CG0202@1"),
        ("mode: no\n", "CG0203@1"),
        ("mode: rules\nalow: {}\n", "CG0201@2"),
        ("mode: rules\ntimeout: 5\n", "CG0201@2"),
        ("mode: rules\ndeny: [rm]\n", "CG0202@2"),
        ("mode: rules\ndeny: rm\n", "CG0202@2"),
        ("mode: rules\ndeny:\n", "CG0202@2"),
        ("mode: rules\ndeny: {bash: rm}\n", "CG0202@2"),
        ("mode: rules\ndeny: {bash: {rm: x}}\n", "CG0202@2"),
        ("mode: rules\ndeny: {bash: [[rm]]}\n", "CG0202@2"),
        (
            "mode: rules\ndeny: {bash: [1.0, 0o7, 2026-01-01, ~, yes]}\n",
            "CG0203@2 CG0203@2 CG0203@2 CG0203@2 CG0203@2",
        ),
        ("mode: rules\ndeny: {bash: ['1.0', \"yes\"]}\n", ""),
        ("mode: rules\ndeny: {no: ['*']}\n", "CG0203@2"),
        ("mode: rules\ndeny: {12: ['*']}\n", "CG0203@2"),
        ("mode: rules\non_escalate: ask\n", "CG0210@2"),
        (
            "mode: rules\nask: {bash: ['*']}\nescalate: {bash: ['*']}\n",
            "CG0223@3",
        ),
    ]);
}

#[test]
fn tools_are_names_and_stand_once() {
    assert_findings(&[
        (
            "mode: rules\nallow: {bash: ['*'], Bash_Tool: ['*']}\n",
            "CG0211@2",
        ),
        ("mode: rules\nallow: {\u{130}: ['*'], \u{131}: ['*']}\n", ""),
        (
            "mode: rules\nallow: {\u{c4}x: ['*'], \u{e4}X: ['*']}\n",
            "CG0211@2",
        ),
        (
            "mode: rules\nallow: {bash: ['*']}\ndeny: {bash_tool: ['*']}\n",
            "",
        ),
        ("mode: rules\nallow: {'*': ['*']}\n", ""),
        ("mode: rules\nallow: {'**': ['*']}\n", "CG0212@2"),
        (
            "mode: rules\nallow: {'b?sh': ['*'], 'b[a]sh': ['*']}\n",
            "CG0212@2 CG0212@2",
        ),
        ("mode: rules\nallow: {' bash': ['*']}\n", "CG0212@2"),
    ]);
}

#[test]
fn mode_and_rules_belong_together() {
    assert_findings(&[
        ("deny: {bash: ['*']}\n", "CG0205@1"),
        ("escalate: {bash: ['*']}\n", "CG0205@1"),
        ("deny: {bash: []}\n", "CG0222@1"),
        ("mode: allow_all\ndeny: {bash: ['*']}\n", "CG0401@1"),
        ("mode: deny_all\nallow: {bash: ['*']}\n", "CG0401@1"),
        ("mode: deny_all\nallow: {bash: []}\n", ""),
        ("mode: allow_all\n", ""),
    ]);
}

#[test]
fn all_findings_of_a_file_are_reported() {
    let text = "mode: allow-all\nDeny: {bash: [no]}\ndeny: {bash: [no, 'Never push to main'], 'b*': x}\non_escalate: x\n";
    assert_findings(&[(
        text,
        "CG0204@1 CG0201@2 CG0203@3 CG0303@3 CG0212@3 CG0202@3 CG0210@4",
    )]);
}

#[test]
fn readings_are_named() {
    let (message, _) = words("mode: rules\ndeny: {bash: [no]}\n");
    assert_eq!(
        message,
        "`no` is the boolean false to a YAML 1.1 parser; write 'no'"
    );
    let (message, _) = words("mode: rules\ndeny: {bash: [true]}\n");
    assert_eq!(
        message,
        "`true` is the boolean true to a YAML parser; write 'true'"
    );
    let (message, help) = words("mode: rules\ndeny: {bash: rm}\n");
    assert_eq!(
        message,
        "the patterns of `bash` must be a list, and this is the text `rm`"
    );
    assert_eq!(help, "write a list: ['rm']");
}

#[test]
fn what_is_missing_is_counted() {
    let missing = |text: &str| checked("p.yaml", text, &Options::default()).missing;
    let text = "mode: x\ndeny: {bash: [a, b], editor: [c]}\nask: {bash: [d]}\nalow: {reader: [e, f]}\n";
    assert_eq!(
        missing(text),
        Missing::Rules {
            deny: 3,
            ask: 1,
            allow: 2
        }
    );
    assert_eq!(missing("mode: [\n"), Missing::Unknown);
    assert_eq!(missing("mode: rules\ndeny: {bash: [a]}\n"), Missing::Nothing);
    let settings = "permissions:\n  deny: [A, B]\n  subagent: {allow: [C]}\nposture: x\n";
    assert_eq!(
        missing(settings),
        Missing::Rules {
            deny: 2,
            ask: 0,
            allow: 1
        }
    );
    let preset = "permissions: safe\nposture: x\n";
    assert_eq!(
        missing(preset),
        Missing::Rules {
            deny: 5,
            ask: 1,
            allow: 4
        }
    );
    assert_eq!(missing(text).to_string(), "missing rules: 3 deny, 1 ask, 2 allow");
    assert_eq!(Missing::Unknown.to_string(), "missing rules: unknown");
}

#[test]
fn a_policy_has_at_most_so_many_rules() {
    let options = Options {
        max_rules: 2,
        ..Options::default()
    };
    assert_eq!(
        findings_with("mode: rules\nallow: {a: ['1*', b]}\n", &options),
        [] as [&str; 0]
    );
    assert_eq!(
        findings_with("mode: rules\nallow: {a: ['1*', b], c: [d]}\n", &options),
        ["CG0216@1"]
    );
    let patterns = "    - x\n".repeat(10_000);
    let text = format!("mode: rules\nallow:\n  a:\n{patterns}");
    assert_eq!(findings_with(&text, &Options::default()), [] as [&str; 0]);
    assert_eq!(
        findings_with(&format!("{text}    - x\n"), &Options::default()),
        ["CG0216@1"]
    );
}

#[test]
fn patterns_that_end_elsewhere_than_meant() {
    let table = [
        ("mode: rules\ndeny:\n  bash:\n  - git log #x\n", "CG0501@4"),
        ("mode: rules\ndeny:\n  bash:\n  - git log  # as a comment\n", ""),
        ("mode: rules\ndeny:\n  bash:\n  - 'git log' #x\n", ""),
        ("mode: rules\ndeny:\n  bash:\n  - git log#x\n", ""),
        ("mode: rules\ndeny:\n  bash:\n  - git log\n  #x\n", ""),
        (
            "mode: rules\ndeny: {bash: ['git ', ' git', 'a b']}\n",
            "CG0502@2 CG0502@2",
        ),
    ];
    for (text, due) in table {
        let due: Vec<&str> = due.split_whitespace().collect();
        assert_eq!(inspected(text), due, "{text}");
    }
}
