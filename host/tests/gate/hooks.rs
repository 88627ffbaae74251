//! Hooks of documents as declarations: order, identities, handlers that nobody registered.

use std::collections::BTreeSet;

use callgate_compiler::ir::{self, Document};
use callgate_compiler::{Options, Source, check};
use callgate_host::hooks::{HookFailure, SettingsHooks};
use callgate_runtime::interceptor::ArgumentMapping;
use callgate_runtime::plan::{ConstructionError, HandlerId, PlanSet, RegisteredTool, ToolSource};

/// The `hooks:` of a settings document.
pub(crate) fn read(text: &str) -> ir::Hooks {
    let source = Source {
        name: "settings.yaml",
        bytes: text.as_bytes(),
    };
    let checked = check(&source, &Options::default());
    match checked.document {
        Some(Document::Settings(settings)) => settings.hooks,
        other => panic!("{other:?} {:?}", checked.diagnostics),
    }
}

fn declare(text: &str, registered: &[&str]) -> Result<SettingsHooks, ConstructionError> {
    let registered: BTreeSet<String> = registered.iter().map(ToString::to_string).collect();
    SettingsHooks::declare(&[&read(text)], &registered)
}

const SETTINGS: &str = r#"
hooks:
  pre:
    "*": {command: [audit, "{path}"]}
    reader:
      - "lionagi.agent.hooks:guard_paths"
      - command: [audit, "{path}"]
  post:
    reader: {command: [count]}
  on_error:
    reader: {command: [tell]}
"#;

#[test]
fn hooks_become_plan_entries_in_their_order() {
    let hooks = declare(SETTINGS, &["lionagi.agent.hooks:guard_paths"]).unwrap();
    let tools = [
        RegisteredTool::new("reader_tool", ToolSource::BuiltIn),
        RegisteredTool::new("mcp__x__y", ToolSource::Discovered("x".to_owned())),
    ];
    let plans = PlanSet::sealed(&tools, None, hooks.declarations()).unwrap();
    let names = |handlers: &[HandlerId]| handlers.iter().map(ToString::to_string).collect::<Vec<_>>();
    let audit = r#"command:["audit","{path}"]"#;
    let reader = plans.plan("reader_tool").unwrap();
    assert_eq!(
        names(&reader.transforms),
        [audit, "lionagi.agent.hooks:guard_paths"],
        "one hook runs once"
    );
    assert_eq!(names(&reader.post), [r#"command:["count"]"#]);
    assert_eq!(names(&reader.on_error), [r#"command:["tell"]"#]);
    assert_eq!(names(&plans.plan("mcp__x__y").unwrap().transforms), [audit]);
    assert!(hooks.command(&HandlerId::new(audit)).is_some());
    assert!(
        hooks
            .command(&HandlerId::new("lionagi.agent.hooks:guard_paths"))
            .is_none()
    );
}

#[test]
fn a_handler_that_nobody_registered_is_no_construction() {
    let missing = ConstructionError::UnknownHandler("lionagi.agent.hooks:guard_paths".to_owned());
    assert_eq!(declare(SETTINGS, &["lionagi.agent.hooks:other"]), Err(missing));
}

#[test]
fn the_hooks_of_two_documents_apply_the_first_ones_first() {
    let global = read("hooks: {pre: {bash: {command: [global]}}}");
    let project = read("hooks: {pre: {bash: [{command: [project]}, {command: [global]}]}}");
    let hooks = SettingsHooks::declare(&[&global, &project], &BTreeSet::new()).unwrap();
    let plans = PlanSet::sealed(
        &[RegisteredTool::new("bash", ToolSource::BuiltIn)],
        None,
        hooks.declarations(),
    )
    .unwrap();
    let transforms = &plans.plan("bash").unwrap().transforms;
    let expected = [
        HandlerId::new(r#"command:["global"]"#),
        HandlerId::new(r#"command:["project"]"#),
    ];
    assert_eq!(*transforms, expected);
}

#[test]
fn placeholders_are_filled_once_from_strings_alone() {
    let text = r#"hooks: {pre: {bash: {command: [run, "--in={a}:{b}:{a}", "{\"a\": 1}", "{a"]}}}"#;
    let hooks = declare(text, &[]).unwrap();
    let identity = hooks.declarations().transforms["bash"][0].clone();
    let argv = |arguments| {
        let arguments = ArgumentMapping::parse(arguments).unwrap();
        hooks.command(&identity).unwrap().argv(&arguments)
    };
    let filled = argv(r#"{"a": "{b}", "b": "two words; $(x)"}"#).unwrap();
    assert_eq!(
        filled,
        ["run", "--in={b}:two words; $(x):{b}", r#"{"a": 1}"#, "{a"]
    );
    for (arguments, key) in [
        (r#"{"a": "x"}"#, "b"),
        (r#"{"a": 1, "b": "x"}"#, "a"),
        (r#"{"a": null, "b": "x"}"#, "a"),
        (r#"{"a": ["x"], "b": "x"}"#, "a"),
        ("{}", "a"),
    ] {
        assert_eq!(
            argv(arguments),
            Err(HookFailure::Argument(key.to_owned())),
            "{arguments}"
        );
    }
}
