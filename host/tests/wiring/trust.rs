//! Promise 3: whatever a project file says, trust is only lost by it.

use std::sync::Arc;

use callgate_compiler::{Options, Posture};
use callgate_host::engine::EnginePolicy;
use callgate_host::files::OperatorFiles;
use callgate_host::snapshot::{SettingsText, Snapshot};
use callgate_runtime::permission_policy::PermissionPolicy;
use callgate_runtime::rule::{Effect, Mode, Scope};
use callgate_runtime::{Arguments, Call};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop, prop_assert, prop_oneof, proptest};

use crate::asking::{Asking, args};
use crate::folder::Folder;

const ALLOWS: &str = "permissions: {allow: ['Shell(make:*)'], deny: ['Read(.env)']}\n";

#[test]
fn an_untrusted_workspace_loses_its_allows_and_nothing_else() {
    let root = Folder::new();
    root.shared(ALLOWS);
    let asking = Asking::bare();
    assert_eq!(asking.effect(Some(root.path()), "Shell", "make"), Effect::Ask);
    assert_eq!(asking.effect(Some(root.path()), "Read", ".env"), Effect::Deny);
    let snapshot = asking.resolver.resolve(Some(root.path())).unwrap();
    assert!(snapshot.reports().is_empty());
    let dropped: Vec<&str> = snapshot.diagnostics().iter().map(|found| found.name).collect();
    assert_eq!(dropped, ["untrusted-allow"]);
}

#[test]
fn trust_is_granted_by_the_operator_for_one_folder_or_by_posture_for_interactive_roots() {
    let (home, one, two) = (Folder::new(), Folder::new(), Folder::new());
    one.shared(ALLOWS);
    two.shared(ALLOWS);
    let trusted = one.path().canonicalize().unwrap();
    let text = format!(
        "permissions: {{}}\ntrustedWorkspaces: ['{}', relative]\n",
        trusted.display()
    );
    let user = home.write("mecatl/settings.yaml", &text);
    let files = OperatorFiles {
        user: Some(user),
        ..OperatorFiles::default()
    };
    let effects = |options: Options| {
        let asking = Asking::new(&files, options);
        [&one, &two].map(|root| asking.effect(Some(root.path()), "Shell", "make"))
    };
    let (allow, ask) = (Effect::Allow, Effect::Ask);
    assert_eq!(effects(Options::default()), [allow, ask]);
    assert_eq!(
        effects(Options {
            posture: Posture::Trusted,
            ..Options::default()
        }),
        [allow, ask]
    );
    let interactive = Options {
        posture: Posture::Trusted,
        interactive: true,
        ..Options::default()
    };
    assert_eq!(effects(interactive), [allow, allow]);
    assert_eq!(
        effects(Options {
            trusted_workspace: true,
            ..Options::default()
        }),
        [allow, allow]
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_a_trusted_folder_is_that_folder_and_a_folder_inside_is_not() {
    let (home, root, links) = (Folder::new(), Folder::new(), Folder::new());
    root.shared(ALLOWS);
    root.write("inner/.mecatl/settings.yaml", ALLOWS);
    let link = links.path().join("link");
    std::os::unix::fs::symlink(root.path(), &link).unwrap();
    let text = format!("trustedWorkspaces: ['{}']\npermissions: {{}}\n", link.display());
    let user = home.write("mecatl/settings.yaml", &text);
    let files = OperatorFiles {
        user: Some(user),
        ..OperatorFiles::default()
    };
    let asking = Asking::new(&files, Options::default());
    assert_eq!(asking.effect(Some(&link), "Shell", "make"), Effect::Allow);
    assert_eq!(asking.effect(Some(root.path()), "Shell", "make"), Effect::Allow);
    assert_eq!(
        asking.effect(Some(&root.path().join("inner")), "Shell", "make"),
        Effect::Ask
    );
}

#[test]
fn a_project_file_cannot_trust_itself_or_raise_the_posture() {
    let root = Folder::new();
    let path = root.path().canonicalize().unwrap();
    root.shared(&format!(
        "posture: yolo\ntrustedWorkspaces: ['{}']\n{ALLOWS}",
        path.display()
    ));
    let asking = Asking::new(
        &OperatorFiles::default(),
        Options {
            interactive: true,
            ..Options::default()
        },
    );
    assert_eq!(asking.effect(Some(root.path()), "Shell", "make"), Effect::Ask);
    assert_eq!(asking.effect(Some(root.path()), "Shell", "npm i"), Effect::Ask);
}

const SPECS: [&str; 9] = [
    "Shell",
    "Shell(make:*)",
    "Shell(*)",
    "Shell(rm x)",
    "Read",
    "Read(.env)",
    "Edit(src/*)",
    "Copy",
    "Tool",
];

const CALLS: [(&str, &str); 9] = [
    ("Shell", "make all"),
    ("Shell", "rm x"),
    ("Shell", "make && rm x"),
    ("Shell", "echo $(rm x)"),
    ("Read", ".env"),
    ("Read", "a"),
    ("Edit", "src/a"),
    ("Tool", "x"),
    ("Copy", "x"),
];

/// A settings document over few specs, so that rules meet.
pub(crate) fn settings() -> impl Strategy<Value = String> {
    let specs = || prop::sample::subsequence(Vec::from(SPECS), 0..4).prop_map(|specs| format!("{specs:?}"));
    let posture = prop_oneof![Just("strict"), Just("trusted"), Just("auto"), Just("yolo")];
    (specs(), specs(), specs(), specs(), prop::option::of(posture)).prop_map(
        |(deny, ask, allow, child, posture)| {
            let posture = posture.map(|posture| format!("posture: {posture}\n")).unwrap_or_default();
            format!("{posture}permissions: {{deny: {deny}, ask: {ask}, allow: {allow}, subagent: {{allow: {child}}}}}\n")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_project_file_makes_a_call_more_permitted_in_an_untrusted_workspace(
        user in settings(),
        local in settings(),
        shared in settings(),
        child in any::<bool>(),
    ) {
        // The operator's posture is his own matter; a lax one trusts interactive roots, which this one is not.
        let options = Options::default();
        let text = |scope, name, text| SettingsText { scope, name, text };
        let of = |texts: &[SettingsText<'_>]| {
            let snapshot = Arc::new(Snapshot::of_texts(texts, &options).unwrap());
            if child { EnginePolicy::child(snapshot) } else { EnginePolicy::fixed(snapshot, None) }
        };
        let operator = text(Scope::User, "user", user.as_str());
        let without = of(&[operator]);
        let with = of(&[
            operator,
            text(Scope::LocalProject, ".mecatl/settings.local.yaml", local.as_str()),
            text(Scope::SharedProject, ".mecatl/settings.yaml", shared.as_str()),
        ]);
        for (tool, subject) in CALLS {
            let args = args(tool, subject);
            let call = Call::new(tool, Arguments::parse(&args));
            for mode in [Mode::Default, Mode::Plan, Mode::AcceptEdits] {
                let (before, after) =
                    (without.evaluate("s", mode, &call, None), with.evaluate("s", mode, &call, None));
                prop_assert!(after.effect <= before.effect, "{tool} {subject}: {before:?} to {after:?}");
                prop_assert!(before.floored_configured_allow || !after.floored_configured_allow);
            }
        }
    }
}
