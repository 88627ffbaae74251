//! Page 10, the table of kinds: which keys make which, and what is no kind or two.

use callgate_compiler::{Kind, Options};

use crate::harness::{assert_findings, checked, findings_as, words};

fn kind(text: &str) -> Option<Kind> {
    checked("file.yaml", text, &Options::default()).kind
}

#[test]
fn keys_make_kinds() {
    for (text, due) in [
        ("mode: deny_all\n", Kind::Permissions),
        ("mode: rules\nask: {bash: ['*']}\n", Kind::Permissions),
        ("permissions: safe\n", Kind::Settings),
        ("hooks: {}\n", Kind::Settings),
        ("posture: strict\n", Kind::Settings),
        ("name: x\nroles: {}\n", Kind::Pack),
        ("role: critic\n", Kind::Agent),
        ("role: critic\npermissions: safe\nhooks: {}\n", Kind::Agent),
        ("preset: coding\n", Kind::Agent),
        ("policy: safe\ncases: []\n", Kind::Tests),
        ("invariants: []\npolicy: safe\n", Kind::Tests),
        ("callgate: catalogue\nroles: {}\n", Kind::Catalogue),
    ] {
        assert_eq!(kind(text), Some(due), "{text}");
    }
}

#[test]
fn no_kind_or_two() {
    assert_findings(&[
        ("", "CG0206@1"),
        ("# nothing\n", "CG0206@1"),
        ("theme: dark\n", "CG0206@1"),
        ("policy: safe\n", "CG0206@1"),
        ("authority: [Decide.]\n", "CG0206@1"),
        ("callgate: catalog\n", "CG0224@1"),
        ("deny: {bash: ['*']}\nposture: strict\n", "CG0207@1"),
        ("posture: strict\nmode: rules\n", "CG0207@1"),
        ("roles: {}\nhooks: {}\n", "CG0207@1"),
        ("[a, b]\n", "CG0202@1"),
        ("safe\n", "CG0202@1"),
    ]);
}

#[test]
fn the_message_says_which_keys_pull_which_way() {
    let (message, _) = words("deny: {bash: ['*']}\nmode: rules\nposture: strict\nhooks: {}\n");
    assert_eq!(
        message,
        "the document fits two kinds: `deny`, `mode` make it a permissions document, \
         `posture`, `hooks` make it a settings document"
    );
    assert_eq!(
        words("alow: {bash: ['*']}\n").1,
        "did you mean `allow` instead of `alow`?"
    );
    assert_eq!(words("rolls: {}\n").1, "did you mean `roles` instead of `rolls`?");
}

#[test]
fn rules_beside_roles_are_confusion_and_no_ambiguity() {
    assert_findings(&[
        ("roles: {}\ndeny: {bash: ['*']}\n", "CG0301@2"),
        ("permissions: safe\nroles: {}\n", "CG0301@1"),
        ("boundaries: [Cannot push.]\nmode: deny_all\n", "CG0302@1"),
        ("permissions: safe\nauthority: [Decide.]\n", "CG0302@2"),
    ]);
}

#[test]
fn a_given_kind_decides() {
    assert_eq!(findings_as(Kind::Settings, ""), [] as [&str; 0]);
    assert_eq!(findings_as(Kind::Pack, ""), [] as [&str; 0]);
    assert_eq!(findings_as(Kind::Catalogue, "roles: {}\n"), [] as [&str; 0]);
    assert_eq!(findings_as(Kind::Permissions, ""), ["CG0222@1"]);
    assert_eq!(findings_as(Kind::Agent, ""), ["CG0215@1"]);
    assert_eq!(findings_as(Kind::Tests, ""), ["CG0215@1", "CG0215@1"]);
    assert_eq!(
        findings_as(Kind::Permissions, "roles: {}\n"),
        ["CG0302@1", "CG0222@1"]
    );
    assert_eq!(findings_as(Kind::Settings, "deny: [Remove]\n"), ["CG0201@1"]);
}
