//! A settings file that turns invalid, is taken away, and is mended, while the engine runs.

use std::path::Path;

use callgate_compiler::Options;
use callgate_host::files::OperatorFiles;
use callgate_host::source::Failure;
use callgate_runtime::rule::{Effect, Mode, Provenance};

use crate::asking::Asking;
use crate::folder::Folder;

const GOOD: &str =
    "permissions:\n  deny: ['Shell(rm:*)']\n  ask: ['Read(.env)']\n  allow: ['Shell(make:*)']\n";
const BAD: &str = "permissions:\n  deny: ['Shell(rm:*)'\n";

/// An operator with allows above and below the project's files, and a trusted workspace.
struct World {
    root: Folder,
    home: Folder,
    asking: Asking,
}

impl World {
    fn new() -> Self {
        let (home, root) = (Folder::new(), Folder::new());
        let cli = home.write(
            "cli.yaml",
            "permissions: {allow: ['Shell(go:*)', 'Shell(pwd)']}\n",
        );
        let user = home.write(
            "mecatl/settings.yaml",
            "permissions: {allow: ['Shell(cargo:*)']}\n",
        );
        let files = OperatorFiles {
            cli: vec![cli],
            user: Some(user),
            managed: None,
        };
        let options = Options {
            trusted_workspace: true,
            ..Options::default()
        };
        Self {
            root,
            home,
            asking: Asking::new(&files, options),
        }
    }

    fn root(&self) -> Option<&Path> {
        Some(self.root.path())
    }

    fn effects(&self) -> [Effect; 6] {
        let ask = |tool, subject| self.asking.effect(self.root(), tool, subject);
        [
            ask("Shell", "rm x"),
            ask("Read", ".env"),
            ask("Shell", "make all"),
            ask("Shell", "go test"),
            ask("Shell", "cargo test"),
            ask("Read", "a"),
        ]
    }
}

use Effect::{Allow, Ask, Deny};

#[test]
fn a_broken_file_keeps_its_denies_and_asks_and_loses_its_allows() {
    let world = World::new();
    world.root.shared(GOOD);
    assert_eq!(world.effects(), [Deny, Ask, Allow, Allow, Allow, Allow]);
    world.root.shared(BAD);
    // What a strictly higher scope allows stands; what lower ones and the floor allow asks.
    assert_eq!(world.effects(), [Deny, Ask, Ask, Allow, Ask, Ask]);
    let decision = world.asking.ask(world.root(), "Shell", "cargo test");
    assert_eq!(decision.provenance, Provenance::BrokenSource);
    assert_eq!(
        decision.reason(),
        ".mecatl/settings.yaml cannot be read; decisions from lower scopes ask until it can"
    );
    assert_eq!(decision.rule, None);
    assert!(!decision.configured_ask && !decision.floored_configured_allow);
    let configured = world.asking.ask(world.root(), "Read", ".env");
    assert_eq!(
        (configured.provenance, configured.configured_ask),
        (Provenance::Rule, true)
    );
    assert_eq!(
        world.asking.effect(None, "Shell", "cargo test"),
        Allow,
        "other workspaces go on"
    );
    world.root.shared(GOOD);
    assert_eq!(world.effects(), [Deny, Ask, Allow, Allow, Allow, Allow], "mended");
}

#[test]
fn the_report_names_the_file_and_what_is_missing() {
    let world = World::new();
    world
        .root
        .shared("permissions:\n  deny: ['Shell(rm:*)']\n  alow: ['Read']\n");
    let snapshot = world.asking.resolver.resolve(world.root()).unwrap();
    let [report] = snapshot.reports() else {
        panic!("{:?}", snapshot.reports())
    };
    assert_eq!(
        report.path,
        world
            .root
            .path()
            .canonicalize()
            .unwrap()
            .join(".mecatl/settings.yaml")
    );
    assert_eq!(
        report.failure.to_string(),
        "the file has errors; missing rules: 1 deny, 0 ask, 1 allow"
    );
    assert!(
        matches!(&report.failure, Failure::Invalid { diagnostics, .. } if diagnostics[0].code == "CG0201")
    );
}

#[test]
fn a_file_that_was_never_read_well_has_no_rules_and_the_same_effect() {
    let world = World::new();
    world.root.shared(BAD);
    assert_eq!(world.effects(), [Ask, Ask, Ask, Allow, Ask, Ask]);
    // A file that is no file cannot be read either.
    let other = World::new();
    std::fs::create_dir_all(other.root.path().join(".mecatl/settings.local.yaml")).unwrap();
    assert_eq!(other.effects(), [Ask, Ask, Ask, Allow, Ask, Ask]);
}

#[test]
fn a_file_that_is_taken_away_is_broken_until_it_is_back_or_the_workspace_is_closed() {
    let world = World::new();
    world.root.shared(GOOD);
    assert_eq!(world.effects(), [Deny, Ask, Allow, Allow, Allow, Allow]);
    world.root.remove(".mecatl/settings.yaml");
    assert_eq!(world.effects(), [Deny, Ask, Ask, Allow, Ask, Ask]);
    let snapshot = world.asking.resolver.resolve(world.root()).unwrap();
    assert_eq!(snapshot.reports()[0].failure, Failure::Missing);
    world.asking.resolver.close(world.root.path());
    assert_eq!(world.effects(), [Ask, Allow, Ask, Allow, Allow, Allow]);
}

#[test]
fn learned_rules_and_modes_count_by_their_scope() {
    let world = World::new();
    let call_args = crate::asking::args("Shell", "npm test");
    let call = callgate_runtime::Call::new("Shell", callgate_runtime::Arguments::parse(&call_args));
    world.asking.store.learn("session", &call).unwrap();
    let learned = |world: &World| world.asking.effect(world.root(), "Shell", "npm test");
    let edits = |world: &World| {
        world
            .asking
            .ask_in(Mode::AcceptEdits, world.root(), "Edit", "a")
            .effect
    };
    assert_eq!((learned(&world), edits(&world)), (Allow, Allow));
    world.root.local(BAD);
    assert_eq!(
        (learned(&world), edits(&world)),
        (Ask, Allow),
        "user stands below, cli above local_project"
    );
    world.home.write("cli.yaml", BAD);
    assert_eq!(
        (learned(&world), edits(&world)),
        (Ask, Ask),
        "the mode's allows are of scope cli"
    );
    assert_eq!(world.asking.effect(world.root(), "Shell", "go test"), Ask);
}

#[test]
fn the_highest_broken_source_is_named() {
    let world = World::new();
    world.root.shared(BAD);
    world.root.local(BAD);
    let decision = world.asking.ask(world.root(), "Read", "a");
    assert_eq!(
        decision.reason(),
        ".mecatl/settings.local.yaml cannot be read; decisions from lower scopes ask until it can"
    );
}

#[test]
fn an_ask_that_only_the_floor_makes_is_no_approval_while_a_file_is_broken() {
    let world = World::new();
    let floored = |subject| world.asking.ask(world.root(), "Shell", subject);
    assert!(floored("cargo build $(pwd)").floored_configured_allow);
    assert!(floored("go build $(pwd)").floored_configured_allow);
    world.root.shared(BAD);
    let lower = floored("cargo build $(pwd)");
    assert_eq!((lower.effect, lower.provenance), (Ask, Provenance::BrokenSource));
    assert!(!lower.floored_configured_allow);
    assert!(!floored("go build $(pwd) && cargo build").floored_configured_allow);
}

#[test]
fn a_line_is_allowed_only_when_every_command_is_allowed_from_above() {
    let world = World::new();
    world.root.shared(BAD);
    assert_eq!(
        world.asking.effect(world.root(), "Shell", "go vet && go test"),
        Allow
    );
    let decision = world.asking.ask(world.root(), "Shell", "go vet && cargo test");
    assert_eq!(
        (decision.effect, decision.provenance),
        (Ask, Provenance::BrokenSource)
    );
    assert_eq!(decision.segment.unwrap().text, "cargo test");
}

#[test]
fn a_broken_operator_file_grants_no_trust_and_no_posture() {
    let (home, root) = (Folder::new(), Folder::new());
    let path = root.path().canonicalize().unwrap();
    let text = format!(
        "posture: auto\ntrustedWorkspaces: ['{}']\npermissions: {{}}\n",
        path.display()
    );
    let user = home.write("mecatl/settings.yaml", &text);
    let files = OperatorFiles {
        user: Some(user),
        ..OperatorFiles::default()
    };
    let asking = Asking::new(&files, Options::default());
    root.shared("permissions: {allow: ['Shell(make:*)']}\n");
    assert_eq!(asking.effect(Some(root.path()), "Shell", "make"), Allow);
    assert_eq!(
        asking.effect(Some(root.path()), "Shell", "npm i"),
        Allow,
        "posture auto"
    );
    home.write("mecatl/settings.yaml", &format!("{text}permissions: {{}}\n"));
    assert_eq!(asking.effect(Some(root.path()), "Shell", "make"), Ask);
    assert_eq!(asking.effect(Some(root.path()), "Shell", "npm i"), Ask);
}

#[test]
fn a_rules_dialect_file_is_no_layer() {
    let world = World::new();
    world.root.shared("permissions: {mode: allow_all}\n");
    let snapshot = world.asking.resolver.resolve(world.root()).unwrap();
    assert_eq!(snapshot.reports()[0].failure, Failure::RulesDialect);
    assert_eq!(world.effects(), [Ask, Ask, Ask, Allow, Ask, Ask]);
}

#[test]
fn files_that_are_too_many_together_keep_the_last_policy_and_only_its_denies() {
    let (home, root) = (Folder::new(), Folder::new());
    let user = home.write(
        "mecatl/settings.yaml",
        "permissions: {allow: ['Shell(make:*)']}\n",
    );
    let files = OperatorFiles {
        user: Some(user),
        ..OperatorFiles::default()
    };
    let asking = Asking::new(
        &files,
        Options {
            max_rules: 3,
            ..Options::default()
        },
    );
    root.shared("permissions: {deny: ['Shell(rm:*)']}\n");
    assert_eq!(asking.effect(Some(root.path()), "Shell", "make"), Allow);
    root.shared("permissions: {deny: ['Shell(a)', 'Shell(b)', 'Shell(c)']}\n");
    assert_eq!(asking.effect(Some(root.path()), "Shell", "make"), Ask);
    assert_eq!(asking.effect(Some(root.path()), "Shell", "rm x"), Deny);
    let snapshot = asking.resolver.resolve(Some(root.path())).unwrap();
    assert!(
        matches!(&snapshot.reports()[0].failure, Failure::NotCombinable { diagnostics } if !diagnostics.is_empty())
    );
    // Where nothing was loaded before, nothing may run.
    let other = Folder::new();
    other.shared("permissions: {deny: ['Shell(a)', 'Shell(b)', 'Shell(c)']}\n");
    assert_eq!(asking.effect(Some(other.path()), "Read", "a"), Deny);
}
