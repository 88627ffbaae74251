//! Page 10 and rulings 29 to 31, settings: shapes, specs, audiences, operator-only keys, foreign keys.

use callgate_compiler::ir::{Document, SettingsPermissions};
use callgate_compiler::{Kind, Options, Posture};
use callgate_runtime::rule::Scope;

use crate::harness::{assert_findings, checked, findings_with, words};

fn project() -> Options {
    Options {
        kind: Some(Kind::Settings),
        scope: Some(Scope::SharedProject),
        ..Options::default()
    }
}

#[test]
fn the_shape_tells_the_dialect() {
    let layered = |text: &str| match checked("s.yaml", text, &Options::default()).document {
        Some(Document::Settings(settings)) => settings
            .permissions
            .map(|given| matches!(given, SettingsPermissions::Layered(_))),
        other => panic!("{text} {other:?}"),
    };
    assert_eq!(layered("permissions: {deny: [Remove]}\n"), Some(true));
    assert_eq!(layered("permissions: {deny: []}\n"), Some(true));
    assert_eq!(layered("permissions: {subagent: {deny: [Copy]}}\n"), Some(true));
    assert_eq!(layered("permissions:\n"), Some(true));
    assert_eq!(layered("permissions: {}\n"), Some(true));
    assert_eq!(layered("permissions: {subagent: }\n"), Some(true));
    assert_eq!(
        layered("permissions: {mode: rules, ask: {bash: ['*']}}\n"),
        Some(false)
    );
    assert_eq!(layered("permissions: {mode: deny_all}\n"), Some(false));
    assert_eq!(layered("permissions: safe\n"), Some(false));
    assert_eq!(layered("hooks: {}\n"), None);
}

#[test]
fn mixing_is_an_error() {
    assert_findings(&[
        (
            "permissions:\n  deny: [Remove]\n  allow: {Shell: ['make*']}\n",
            "CG0213@3",
        ),
        ("permissions:\n  mode: rules\n  deny: [Remove]\n", "CG0213@3"),
        ("permissions:\n  escalate: [Edit]\n  deny: [Remove]\n", "CG0213@2"),
        (
            "permissions:\n  subagent: {deny: [Copy]}\n  mode: rules\n",
            "CG0213@3",
        ),
        (
            "permissions:\n  deny: [Remove]\n  subagent:\n    deny: {Shell: [x]}\n",
            "CG0202@4",
        ),
    ]);
}

#[test]
fn keys_and_values() {
    assert_findings(&[
        ("permissions: [Read]\n", "CG0202@1"),
        ("permissions: unsafe\n", "CG0208@1"),
        ("permissions: yes\n", "CG0203@1"),
        ("permissions: {alow: [Read]}\n", "CG0201@1"),
        ("permissions: {deny: Remove}\n", "CG0202@1"),
        ("permissions: {deny: }\n", "CG0202@1"),
        ("permissions: {subagent: {dany: [Copy]}}\n", "CG0201@1"),
        ("permissions: {subagent: [Copy]}\n", "CG0202@1"),
        (
            "permissions: {deny: [5, no, [Remove], ~]}\n",
            "CG0203@1 CG0203@1 CG0202@1 CG0203@1",
        ),
        ("permisions: {}\npermissions: {}\n", "CG0201@1"),
        ("Hooks: {}\npermissions: {}\n", "CG0201@1"),
        ("trusted_workspaces: []\npermissions: {}\n", "CG0201@1"),
        ("theme: dark\npermissions: {}\n", "CG0218@1"),
        ("trustedWorkspaces: /src\npermissions: {}\n", "CG0202@1"),
        ("trustedWorkspaces: [/src/x]\npermissions: {}\n", ""),
        (
            "permissions: {mode: rules, allow: {bash: ['*']}}\nposture: auto\n",
            "CG0706@2",
        ),
        ("permissions: {mode: rules, alow: {bash: ['*']}}\n", "CG0201@1"),
    ]);
}

#[test]
fn specs() {
    for bad in [
        "''",
        "'Shell(rm'",
        "'Shell(rm))'",
        "'(rm)'",
        "'Shell(rm) x'",
        "'Shell()'",
        "'mcp__*'",
        "'[ab]'",
        "'Sh?ll(x)'",
    ] {
        assert_findings(&[(&format!("permissions:\n  deny: [{bad}]\n"), "CG0214@2")]);
    }
    for good in [
        "Read",
        "'Shell(rm:*)'",
        "'Shell(git push:)'",
        "'Shell(echo (x))'",
        "' Read '",
        "'Edit( src/** )'",
        "Bash",
    ] {
        assert_findings(&[(&format!("permissions:\n  deny: [{good}]\n"), "")]);
    }
    let (_, help) = words("permissions:\n  deny:\n    - Shell(git log #x)\n");
    assert_eq!(
        help,
        "the `#` begins a comment: quote the rule, 'Shell(git log #x)'"
    );
    let checked = checked(
        "s.yaml",
        "permissions: {deny: ['Shell(zap) now']}\n",
        &Options::default(),
    );
    let span = checked.diagnostics[0].location.span;
    assert_eq!(span.of("permissions: {deny: ['Shell(zap) now']}\n"), "now");
}

#[test]
fn what_counts_only_in_operator_files() {
    let text = "posture: yolo\ntrustedWorkspaces: [/src/x]\npermissions: {deny: [Remove]}\n";
    assert_eq!(findings_with(text, &project()), ["CG0217@1", "CG0217@2"]);
    for scope in [Scope::Managed, Scope::Cli, Scope::User] {
        assert_eq!(
            findings_with(
                text,
                &Options {
                    scope: Some(scope),
                    ..project()
                }
            ),
            [] as [&str; 0]
        );
    }
    let unknown = "posture: reckless\npermissions: {deny: [Remove]}\n";
    assert_eq!(findings_with(unknown, &project()), ["CG0217@1"]);
    assert_eq!(findings_with(unknown, &Options::default()), ["CG0209@1"]);
}

#[test]
fn paths_give_scopes() {
    let options = Options::default();
    for (name, scope) in [
        (".mecatl/settings.yaml", Scope::SharedProject),
        ("a/b/.mecatl/settings.local.yaml", Scope::LocalProject),
        (".config/mecatl/settings.yaml", Scope::User),
        ("policy.yaml", Scope::Cli),
        ("settings.yaml", Scope::Cli),
        ("mecatl/settings.local.yaml", Scope::Cli),
    ] {
        assert_eq!(options.scope_of(name), scope, "{name}");
    }
    let given = Options {
        scope: Some(Scope::Managed),
        ..Options::default()
    };
    assert_eq!(given.scope_of(".mecatl/settings.yaml"), Scope::Managed);
}

#[test]
fn postures_are_ordered() {
    assert!(
        Posture::Strict < Posture::Trusted
            && Posture::Trusted < Posture::Auto
            && Posture::Auto < Posture::Yolo
    );
    assert_eq!(Posture::from_name("auto"), Some(Posture::Auto));
}
