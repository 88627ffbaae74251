//! One engine, several workspaces, and files that change while it runs.

use std::path::Path;
use std::sync::Arc;

use callgate_compiler::Options;
use callgate_host::engine::EnginePolicy;
use callgate_host::files::OperatorFiles;
use callgate_runtime::permission_policy::PermissionPolicy;
use callgate_runtime::rule::{Effect, Mode, Provenance, Scope};
use callgate_runtime::{Arguments, Call};

use crate::asking::Asking;
use crate::folder::Folder;

#[test]
fn each_workspace_has_its_own_rules_and_none_has_only_the_operators() {
    let (home, one, two) = (Folder::new(), Folder::new(), Folder::new());
    let user = home.write(
        "mecatl/settings.yaml",
        "permissions: {allow: ['Shell(make:*)']}\n",
    );
    one.shared("permissions: {deny: ['Shell(make clean)']}\n");
    two.local("permissions: {ask: ['Shell(make:*)']}\n");
    let files = OperatorFiles {
        user: Some(user),
        ..OperatorFiles::default()
    };
    let asking = Asking::new(&files, Options::default());
    let answers = |subject| {
        [Some(one.path()), Some(two.path()), None]
            .map(|root: Option<&Path>| asking.effect(root, "Shell", subject))
    };
    assert_eq!(answers("make clean"), [Effect::Deny, Effect::Ask, Effect::Allow]);
    assert_eq!(answers("make all"), [Effect::Allow, Effect::Ask, Effect::Allow]);
    let decision = asking.ask(Some(one.path()), "Shell", "make clean");
    let rule = decision.rule.unwrap();
    assert_eq!(
        (&*rule.source, rule.scope),
        (".mecatl/settings.yaml", Some(Scope::SharedProject))
    );
}

#[test]
fn a_deny_added_while_running_holds_at_the_next_call() {
    let (home, root) = (Folder::new(), Folder::new());
    let user = home.write(
        "mecatl/settings.yaml",
        "permissions: {allow: ['Shell(make:*)']}\n",
    );
    let files = OperatorFiles {
        user: Some(user),
        ..OperatorFiles::default()
    };
    let asking = Asking::new(&files, Options::default());
    let workspace = Some(root.path());
    assert_eq!(asking.effect(workspace, "Shell", "make a"), Effect::Allow);
    root.shared("permissions: {deny: ['Shell(make b)']}\n");
    assert_eq!(asking.effect(workspace, "Shell", "make a"), Effect::Allow);
    root.shared("permissions: {deny: ['Shell(make a)']}\n");
    assert_eq!(
        asking.effect(workspace, "Shell", "make a"),
        Effect::Deny,
        "same size, another time"
    );
    home.write("mecatl/settings.yaml", "permissions: {deny: ['Shell(make c)']}\n");
    assert_eq!(
        asking.effect(workspace, "Shell", "make c"),
        Effect::Deny,
        "the operator's files are watched too"
    );
    assert_eq!(asking.effect(None, "Shell", "make c"), Effect::Deny);
}

#[test]
fn without_a_change_nothing_is_compiled_again() {
    let root = Folder::new();
    root.shared("permissions: {deny: ['Read(.env)']}\n");
    let asking = Asking::bare();
    let first = asking.resolver.resolve(Some(root.path())).unwrap();
    let again = asking.resolver.resolve(Some(root.path())).unwrap();
    assert!(Arc::ptr_eq(&first, &again));
    root.shared("permissions: {deny: ['Read(.env)', 'Read(.key)']}\n");
    let changed = asking.resolver.resolve(Some(root.path())).unwrap();
    assert_ne!(first.policy().table().digest(), changed.policy().table().digest());
}

#[test]
fn a_missing_workspace_has_no_project_configuration() {
    let root = Folder::new();
    let asking = Asking::bare();
    let gone = root.path().join("gone");
    assert_eq!(asking.effect(Some(&gone), "Read", "a"), Effect::Allow);
    assert_eq!(asking.effect(Some(&gone), "Shell", "make"), Effect::Ask);
    assert!(asking.resolver.resolve(Some(&gone)).unwrap().reports().is_empty());
}

#[test]
fn tables_do_not_depend_on_where_the_workspace_is() {
    let (one, two) = (Folder::new(), Folder::new());
    let asking = Asking::bare();
    let digests = [&one, &two].map(|root| {
        root.shared("permissions: {deny: ['Read(.env)']}\n");
        *asking
            .resolver
            .resolve(Some(root.path()))
            .unwrap()
            .policy()
            .table()
            .digest()
    });
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn a_child_has_its_own_floor_and_the_denies_of_its_beginning() {
    let root = Folder::new();
    root.shared(
        "permissions:\n  deny: ['Shell(rm:*)']\n  ask: ['Shell(git push:*)']\n  subagent: {deny: ['Shell(gh:*)'], ask: ['Write']}\n",
    );
    let asking = Asking::bare();
    let child = EnginePolicy::child(asking.resolver.resolve(Some(root.path())).unwrap());
    let effect = |tool: &str, subject: &str| {
        let args = crate::asking::args(tool, subject);
        child
            .evaluate(
                "s",
                Mode::Default,
                &Call::new(tool, Arguments::parse(&args)),
                None,
            )
            .effect
    };
    assert_eq!(effect("Shell", "make"), Effect::Allow, "the child floor");
    assert_eq!(
        effect("Shell", "rm x"),
        Effect::Deny,
        "top-level denies bind children"
    );
    assert_eq!(
        effect("Shell", "git push"),
        Effect::Allow,
        "top-level asks do not"
    );
    assert_eq!(effect("Shell", "gh pr merge"), Effect::Deny);
    assert_eq!(effect("Write", "a"), Effect::Ask);
    root.shared("permissions: {deny: ['Shell(make:*)']}\n");
    assert_eq!(
        effect("Shell", "make"),
        Effect::Allow,
        "a child takes its rules as they were"
    );
    let call = Call::new("Shell", Arguments::parse(r#"{"command": "make"}"#));
    assert!(child.learn("s", &call).is_err());
    assert_eq!(
        asking.effect(Some(root.path()), "Shell", "gh pr merge"),
        Effect::Ask,
        "the main engine is not bound"
    );
}

#[test]
fn a_named_file_that_was_never_read_well_refuses_every_call() {
    let home = Folder::new();
    let policy = home.path().join("policy.yaml");
    let files = OperatorFiles {
        cli: vec![policy],
        ..OperatorFiles::default()
    };
    let asking = Asking::new(&files, Options::default());
    let refused = asking.ask(None, "Read", "a");
    assert_eq!(
        (refused.effect, refused.provenance),
        (Effect::Deny, Provenance::BrokenSource)
    );
    assert_eq!(
        refused.reason(),
        "cli/1/policy.yaml cannot be read; decisions from lower scopes ask until it can"
    );
    home.write("policy.yaml", "permissions: {alow: ['Read']}\n");
    assert_eq!(asking.effect(None, "Read", "a"), Effect::Deny);
    let refused = asking.resolver.resolve(None).unwrap_err();
    assert_eq!(
        (refused.source_name.as_str(), refused.reports.len()),
        ("cli/1/policy.yaml", 1)
    );
    home.write("policy.yaml", "permissions: {allow: ['Read']}\n");
    assert_eq!(asking.effect(None, "Read", "a"), Effect::Allow);
    home.write("policy.yaml", "permissions: {alow: ['Read']}\n");
    let broken = asking.ask(None, "Read", "a");
    assert_eq!(
        (broken.effect, broken.provenance),
        (Effect::Ask, Provenance::BrokenSource),
        "page 30 from here on"
    );
}
