//! CG0301 to CG0305, both ways: for each a document that must trip it, and a near miss that must not.

use crate::harness::{assert_findings, words};

/// A pack with one directive.
fn directive(kind: &str, text: &str) -> String {
    format!("roles:\n  critic:\n    {kind}:\n      - {text}\n")
}

#[test]
fn rules_in_a_pack() {
    for key in [
        "allow",
        "deny",
        "ask",
        "escalate",
        "mode",
        "permissions",
        "on_escalate",
    ] {
        assert_findings(&[
            (&format!("roles: {{}}\n{key}: x\n"), "CG0301@2"),
            (&format!("roles:\n  critic:\n    {key}: x\n"), "CG0301@3"),
        ]);
    }
    assert_findings(&[
        (
            "roles:\n  critic:\n    boundaries:\n      - deny: rm *\n",
            "CG0301@4",
        ),
        (
            "roles:\n  critic:\n    boundaries:\n      - note: be careful\n",
            "CG0202@4",
        ),
        // Near misses: a role may be called so, and text may speak of it.
        ("roles:\n  deny: {boundaries: [Cannot allow exceptions.]}\n", ""),
        ("roles:\n  critic:\n    escalations: [Scope expands]\n", ""),
    ]);
    let (message, _) = words("roles:\n  critic:\n    deny: {}\n");
    assert_eq!(
        message,
        "`deny`: a pack is prompt text and enforces nothing; this belongs in a permissions document"
    );
}

#[test]
fn directives_in_permissions() {
    for key in ["authority", "boundaries", "escalations"] {
        assert_findings(&[
            (&format!("mode: deny_all\n{key}: [x]\n"), "CG0302@2"),
            (
                &format!("permissions:\n  mode: deny_all\n  {key}: [x]\n"),
                "CG0302@3",
            ),
            (
                &format!("permissions:\n  deny: [Remove]\n  {key}: [x]\n"),
                "CG0302@3",
            ),
            (
                &format!("role: critic\npermissions:\n  mode: deny_all\n  {key}: [x]\n"),
                "CG0302@4",
            ),
        ]);
    }
    assert_findings(&[
        ("permissions:\n  deny: [Remove]\n  roles: {}\n", "CG0302@3"),
        ("mode: rules\nescalate: {escalations: ['*']}\n", ""),
        ("mode: rules\nescalation: {bash: ['*']}\n", "CG0201@2"),
    ]);
    let (message, _) = words("mode: deny_all\nescalations: [x]\n");
    assert_eq!(
        message,
        "`escalations` is prompt guidance; did you mean `escalate`?"
    );
}

#[test]
fn prose_patterns() {
    for text in [
        "Cannot push to main",
        "never push",
        "Do not delete files",
        "If unsure ask",
        "Production is off limits.",
    ] {
        assert_findings(&[
            (&format!("mode: rules\ndeny: {{bash: ['{text}']}}\n"), "CG0303@2"),
            (&format!("permissions: {{deny: ['Shell({text})']}}\n"), "CG0303@1"),
            (&format!("permissions: {{deny: ['{text}']}}\n"), "CG0303@1"),
            (
                &format!("role: critic\npermissions: {{mode: rules, deny: {{bash: ['{text}']}}}}\n"),
                "CG0303@2",
            ),
        ]);
    }
    for text in [
        "git push",
        "Never *",
        "if [ -f x ]",
        "git add .",
        "npm run build",
        "never",
        "make all",
    ] {
        assert_findings(&[(&format!("mode: rules\ndeny: {{bash: ['{text}']}}\n"), "")]);
    }
    let (message, _) = words("mode: rules\ndeny: {bash: ['Never push to main']}\n");
    assert_eq!(message, "this matches only the literal text `Never push to main`");
}

#[test]
fn directives_that_look_like_rules() {
    for kind in ["authority", "boundaries", "escalations"] {
        for text in [
            "Bash(rm *)",
            "'bash: rm *'",
            "'deny: everything'",
            "git push *",
            "sudo *",
        ] {
            assert_findings(&[(&directive(kind, text), "CG0304@4")]);
        }
        for text in [
            "Review (and sign) migrations",
            "'Search: widen the query first.'",
            "Run git push only after review",
        ] {
            assert_findings(&[(&directive(kind, text), "")]);
        }
    }
    let (message, _) = words(&directive("boundaries", "git push *"));
    assert_eq!(message, "`git push *` is shown to the model, nothing blocks it");
}

#[test]
fn directives_that_claim_enforcement() {
    assert_findings(&[
        (
            &directive("boundaries", "Pushing to main is blocked."),
            "CG0305@4",
        ),
        (
            &directive("boundaries", "Writes to prod will be denied"),
            "CG0305@4",
        ),
        (
            &directive("authority", "This role has permission to run migrations."),
            "CG0305@4",
        ),
        (&directive("escalations", "The call will be denied"), "CG0305@4"),
        (&directive("boundaries", "Cannot push to main."), ""),
        (
            &directive("boundaries", "Cannot proceed while the path is blocked."),
            "",
        ),
        (
            &directive("escalations", "The critical path is blocked by a dependency"),
            "",
        ),
        (&directive("escalations", "A learner is blocked"), ""),
        (
            &directive(
                "authority",
                "Delete records when the context has permission to do so.",
            ),
            "",
        ),
        (
            &directive("authority", "Block release while a finding is open."),
            "",
        ),
    ]);
}
