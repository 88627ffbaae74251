//! Pages 20 and 30: what documents are once they are normal-form rules.

use callgate_compiler::normal::{Dialect, Matcher, NormalPolicy, NormalRule, PolicyMode, ToolKey};
use callgate_compiler::{Options, Posture, Source, compile, preset};
use callgate_runtime::rule::{Audience, Effect, Scope};

/// The policy of some files, and the codes of what was found.
fn compiled(files: &[(&str, &str)], options: &Options) -> (Option<NormalPolicy>, Vec<&'static str>) {
    let sources: Vec<Source<'_>> = files
        .iter()
        .map(|(name, text)| Source {
            name,
            bytes: text.as_bytes(),
        })
        .collect();
    let compilation = compile(&sources, options);
    let codes = compilation
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect();
    (compilation.policy.map(|compiled| compiled.normal), codes)
}

fn policy(files: &[(&str, &str)], options: &Options) -> NormalPolicy {
    let (policy, codes) = compiled(files, options);
    policy.unwrap_or_else(|| panic!("{codes:?}"))
}

/// A rule in one line.
fn line(rule: &NormalRule) -> String {
    let tool = match &rule.tool {
        ToolKey::Any => "*",
        ToolKey::Named(name) => name,
    };
    let scope = rule.scope.map_or("-", Scope::name);
    let origin = &rule.origin;
    let place = format!(
        "{}:{}:{}",
        origin.source, origin.position.line, origin.position.column
    );
    format!(
        "{} {tool} {:?} {scope} {} {place}",
        rule.effect.name(),
        rule.pattern,
        rule.audience.name()
    )
}

fn configured(policy: &NormalPolicy) -> Vec<String> {
    policy
        .rules
        .iter()
        .filter(|rule| rule.scope != Some(Scope::BuiltinDefault))
        .map(line)
        .collect()
}

#[test]
fn rules_stand_in_document_order_with_both_readings() {
    let text = "mode: rules\nallow: {BASH_tool: ['Git [A-Z]*']}\ndeny:\n  '*': [x]\n  reader: ['*']\n";
    let policy = policy(&[("p.yaml", text)], &Options::default());
    assert_eq!((policy.dialect, policy.mode), (Dialect::Rules, PolicyMode::Rules));
    let lines: Vec<String> = policy.rules.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "allow bash \"Git [A-Z]*\" - all p.yaml:2:21",
            "deny * \"x\" - all p.yaml:4:9",
            "deny reader \"*\" - all p.yaml:5:12",
        ]
    );
    let Matcher::Glob {
        tokens,
        lowered: Some(lowered),
    } = &policy.rules[0].matcher
    else {
        panic!()
    };
    assert_eq!(tokens.len(), lowered.len());
    assert_ne!(tokens, lowered);
}

#[test]
fn presets_are_the_documents_of_page_20() {
    let written = "mode: rules\ndeny: {editor: ['*'], bash: ['*']}\nallow: {reader: ['*'], search: ['*'], context: ['*']}\n";
    let written = policy(&[("p.yaml", written)], &Options::default());
    let preset = preset("read_only").unwrap();
    let bare = |policy: &NormalPolicy| -> Vec<_> {
        policy
            .rules
            .iter()
            .map(|rule| {
                (
                    rule.effect,
                    rule.tool.clone(),
                    rule.pattern.clone(),
                    rule.matcher.clone(),
                )
            })
            .collect()
    };
    assert_eq!((preset.dialect, preset.mode), (written.dialect, written.mode));
    assert_eq!(bare(&preset), bare(&written));
    for text in [
        "permissions: read_only\n",
        "role: critic\npermissions: read_only\n",
    ] {
        assert_eq!(policy(&[("p.yaml", text)], &Options::default()), preset);
    }
}

#[test]
fn settings_have_scopes_audiences_and_floors() {
    let text = "permissions:\n  deny: ['Shell(rm:*)']\n  ask: [Edit]\n  allow: [Read]\n  subagent: {allow: ['Bash(go vet:)']}\n";
    let policy = policy(&[("p.yaml", text)], &Options::default());
    assert_eq!(policy.dialect, Dialect::Layered);
    assert_eq!(
        configured(&policy),
        [
            "deny Shell \"rm*\" cli all p.yaml:2:10",
            "ask Edit \"\" cli main p.yaml:3:9",
            "allow Read \"\" cli main p.yaml:4:11",
            "allow Shell \"go vet*\" cli subagent p.yaml:5:22",
        ]
    );
    let floor = |audience: Audience, effect: Effect| {
        let rules = policy
            .rules
            .iter()
            .filter(|rule| rule.scope == Some(Scope::BuiltinDefault));
        rules
            .filter(|rule| rule.audience == audience && rule.effect == effect)
            .count()
    };
    assert_eq!(
        (
            floor(Audience::Main, Effect::Allow),
            floor(Audience::Main, Effect::Ask)
        ),
        (7, 8)
    );
    assert_eq!(
        (
            floor(Audience::Subagent, Effect::Allow),
            floor(Audience::Subagent, Effect::Ask)
        ),
        (1, 0)
    );
    assert_eq!(policy.rules[1].matcher, Matcher::Everything);
}

#[test]
fn files_are_ordered_by_scope_and_name() {
    let files = [
        ("b.yaml", "permissions: {deny: [B]}\n"),
        (".mecatl/settings.yaml", "permissions: {deny: [Shared]}\n"),
        ("a.yaml", "permissions: {deny: [A]}\n"),
        (".mecatl/settings.local.yaml", "permissions: {deny: [Local]}\n"),
        (".config/mecatl/settings.yaml", "permissions: {deny: [User]}\n"),
        ("B.yaml", "permissions: {deny: [Capital]}\n"),
    ];
    let policy = policy(&files, &Options::default());
    let tools: Vec<&str> = policy
        .rules
        .iter()
        .filter_map(|rule| match &rule.tool {
            ToolKey::Named(name) if rule.scope != Some(Scope::BuiltinDefault) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(tools, ["Capital", "A", "B", "Local", "Shared", "User"]);
    let mut reversed = files;
    reversed.reverse();
    let tables = [files, reversed].map(|files| {
        let sources = files.map(|(name, text)| Source {
            name,
            bytes: text.as_bytes(),
        });
        let compilation = compile(&sources, &Options::default());
        (
            compilation
                .policy
                .map(|compiled| (compiled.bytes, compiled.digest)),
            compilation.diagnostics,
        )
    });
    assert_eq!(tables[0], tables[1]);
}

#[test]
fn an_untrusted_workspace_allows_nothing() {
    let files = [(
        ".mecatl/settings.yaml",
        "permissions:\n  deny: [A]\n  ask: [B]\n  allow: [C, D]\n  subagent: {allow: [E]}\n",
    )];
    let (dropped, codes) = compiled(&files, &Options::default());
    assert_eq!(codes, ["CG0219", "CG0219", "CG0219"]);
    assert_eq!(configured(&dropped.unwrap()).len(), 2);
    let (kept, codes) = compiled(
        &files,
        &Options {
            trusted_workspace: true,
            ..Options::default()
        },
    );
    assert_eq!((configured(&kept.unwrap()).len(), codes), (5, vec![]));
    for (posture, interactive, n_rules) in [
        (Posture::Trusted, true, 5),
        (Posture::Trusted, false, 2),
        (Posture::Strict, true, 2),
    ] {
        let options = Options {
            posture,
            interactive,
            ..Options::default()
        };
        assert_eq!(
            configured(&policy(&files, &options)).len(),
            n_rules,
            "{posture:?} {interactive}"
        );
    }
}

#[test]
fn postures_are_baked_in() {
    let file = |posture: &str| format!("posture: {posture}\npermissions: {{}}\n");
    for (written, given, main, child, allow_all) in [
        ("strict", Posture::Strict, false, false, false),
        ("trusted", Posture::Strict, false, false, false),
        ("auto", Posture::Strict, true, false, true),
        ("yolo", Posture::Strict, true, true, true),
        ("strict", Posture::Auto, true, false, true),
        ("yolo", Posture::Auto, true, true, true),
    ] {
        let options = Options {
            posture: given,
            ..Options::default()
        };
        let policy = policy(&[("p.yaml", &file(written))], &options);
        assert_eq!(
            (policy.loose_substitution_main, policy.loose_substitution_child),
            (main, child),
            "{written}"
        );
        let lines = configured(&policy);
        assert_eq!(
            lines,
            if allow_all {
                vec!["allow * \"\" cli all :1:1"]
            } else {
                vec![]
            },
            "{written}"
        );
    }
    let project = [(".mecatl/settings.yaml", "posture: yolo\npermissions: {}\n")];
    let (policy, codes) = compiled(&project, &Options::default());
    assert_eq!(
        (policy.map(|policy| policy.loose_substitution_main), codes),
        (Some(false), vec!["CG0217"])
    );
    let bare = [("p.yaml", "permissions: {}\n"), ("q.yaml", "posture: auto\n")];
    assert!(self::policy(&bare, &Options::default()).loose_substitution_main);
}

#[test]
fn what_makes_no_policy() {
    let rules = "mode: deny_all\n";
    let layered = "permissions: {deny: [Remove]}\n";
    for (files, due) in [
        (vec![("a.yaml", rules), ("b.yaml", rules)], vec!["CG0220"]),
        (vec![("a.yaml", rules), ("b.yaml", layered)], vec!["CG0220"]),
        (
            vec![
                ("a.yaml", "permissions: safe\n"),
                ("b.yaml", layered),
                ("c.yaml", rules),
            ],
            vec!["CG0220", "CG0220"],
        ),
        (vec![("a.yaml", "roles: {}\n")], vec!["CG0221"]),
        (vec![("a.yaml", "role: critic\n")], vec!["CG0221"]),
        (
            vec![("a.yaml", "role: critic\npermissions: null\n")],
            vec!["CG0221"],
        ),
        (vec![("a.yaml", "hooks: {}\n")], vec!["CG0221"]),
        (
            vec![("a.yaml", layered), ("b.yaml", "roles: {}\n")],
            vec!["CG0221"],
        ),
        (vec![("a.yaml", layered), ("b.yaml", "mode: x\n")], vec!["CG0204"]),
    ] {
        let (policy, codes) = compiled(&files, &Options::default());
        assert_eq!((policy, codes), (None, due), "{files:?}");
    }
    let options = Options {
        max_rules: 1,
        ..Options::default()
    };
    let (policy, codes) = compiled(&[("a.yaml", layered), ("b.yaml", layered)], &options);
    assert_eq!((policy, codes), (None, vec!["CG0216"]));
}

#[test]
fn warnings_stop_nothing() {
    let (policy, codes) = compiled(
        &[("p.yaml", "mode: allow_all\ndeny: {bash: ['*']}\n")],
        &Options::default(),
    );
    assert_eq!(
        (policy.map(|policy| policy.mode), codes),
        (Some(PolicyMode::AllowAll), vec!["CG0401"])
    );
}
