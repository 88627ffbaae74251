//! Page 10, hooks, and page 50, transport admission: what stands in a document, and what is refused.

use callgate_compiler::Options;
use callgate_compiler::ir::{Document, HookEntry, Settings};
use callgate_runtime::transport::TransportPolicy;

use crate::harness::{assert_findings, checked, findings_with, words};

fn settings(text: &str) -> Settings {
    match checked("s.yaml", text, &Options::default()) {
        checked if checked.diagnostics.is_empty() => match checked.document {
            Some(Document::Settings(settings)) => *settings,
            other => panic!("{other:?}"),
        },
        checked => panic!("{:#?}", checked.diagnostics),
    }
}

#[test]
fn entries_are_typed() {
    let hooks = settings(
        "hooks:\n  pre:\n    bash: 'lionagi.agent.hooks:guard_destructive'\n    '*': []\n  post:\n    editor:\n      \
         - {command: [ruff, format, '{file_path}', '--x={a}:{b}', '{1}']}\n      - python: 'lionagi.agent.hooks:log'\n",
    )
    .hooks;
    let entry = &hooks.pre[0].entries[0];
    let due = HookEntry::Python {
        module: String::from("lionagi.agent.hooks"),
        function: String::from("guard_destructive"),
    };
    assert_eq!((hooks.pre[0].tool.as_str(), &entry.value), ("bash", &due));
    assert_eq!((hooks.pre[1].tool.as_str(), hooks.pre[1].entries.len()), ("*", 0));
    let HookEntry::Command(words) = &hooks.post[0].entries[0].value else {
        panic!()
    };
    let placeholders: Vec<_> = words.iter().map(|word| word.placeholders.join(" ")).collect();
    assert_eq!(placeholders, ["", "", "file_path", "a b", ""]);
    assert_eq!(hooks.post[0].entries.len(), 2);
    assert!(hooks.on_error.is_empty());
}

#[test]
fn refused_hooks() {
    let hook = |entry: &str| format!("hooks:\n  pre:\n    bash: {entry}\n");
    for (entry, due) in [
        ("{command: 'ruff format x'}", "CG0601@3"),
        ("'ruff format x'", "CG0601@3"),
        ("lionagi.agent.hooks", "CG0602@3"),
        ("':guard'", "CG0602@3"),
        ("{python: lionagi.agent.hooks.guard}", "CG0602@3"),
        ("'os:system'", "CG0603@3"),
        ("'lionagi.agent.hooks.sub:guard'", "CG0603@3"),
        ("{}", "CG0605@3"),
        ("{command: [a], python: 'lionagi.agent.hooks:b'}", "CG0605@3"),
        ("{command: []}", "CG0605@3"),
        ("{command: ['']}", "CG0605@3"),
        ("{shell: ls}", "CG0605@3 CG0201@3"),
        ("{command: [ls, 5]}", "CG0203@3"),
        ("[[ls]]", "CG0202@3"),
        ("{command: ['{tool}', x]}", "CG0606@3"),
        ("5", "CG0203@3"),
    ] {
        assert_findings(&[(&hook(entry), due)]);
    }
    assert_findings(&[
        ("hooks: []\n", "CG0202@1"),
        ("hooks: {before: {}}\n", "CG0604@1"),
        ("hooks: {pre: [x]}\n", "CG0202@1"),
        ("hooks: {pre: {'b*': []}}\n", "CG0212@1"),
    ]);
    assert_eq!(
        words(&hook("{command: 'ruff format {file_path}'}")).1,
        "write `command: [ruff, format, '{file_path}']`"
    );
    assert_eq!(words("hooks: {pres: {}}\n").1, "did you mean `pre`?");
    assert_eq!(words("hooks: {error: {}}\n").1, "did you mean `on_error`?");
}

#[test]
fn more_modules_can_be_trusted() {
    let text = "hooks: {pre: {bash: 'team.guards:check'}}\n";
    let options = Options {
        trusted_hook_modules: vec![String::from("team.guards")],
        ..Options::default()
    };
    assert_eq!(findings_with(text, &options), [] as [&str; 0]);
    assert_eq!(
        findings_with("hooks: {pre: {bash: 'lionagi.agent.hooks:x'}}\n", &options),
        ["CG0603@1"]
    );
}

#[test]
fn transport_admission() {
    let given = settings(
        "permissions: safe\nmcp_security:\n  allow_commands: true\n  command_allowlist: [npx, uvx]\n  allow_urls: true\n  \
         url_allowlist: [tools.example.com]\n  env_denylist_patterns: [TOKEN]\n  filter_sensitive_env: false\n  \
         max_connections_per_server: 2\n",
    );
    let names = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(
        given.mcp_security.unwrap().policy(),
        TransportPolicy {
            allow_commands: true,
            command_allowlist: names(&["npx", "uvx"]),
            allow_urls: true,
            url_allowlist: names(&["tools.example.com"]),
            env_denylist_patterns: names(&["TOKEN"]),
            filter_sensitive_env: false,
            max_connections_per_server: 2,
        }
    );
    let defaults = settings("permissions: safe\nmcp_security: {}\n")
        .mcp_security
        .unwrap();
    assert_eq!(defaults, callgate_compiler::ir::McpSecurity::default());
    assert_eq!(defaults.policy(), TransportPolicy::default());
    assert_eq!(
        settings("permissions: safe\nmcp_security: null\n").mcp_security,
        None
    );
}

#[test]
fn refused_transport() {
    let security = |entry: &str| format!("permissions: safe\nmcp_security: {{{entry}}}\n");
    for (entry, due) in [
        ("allow_command: true", "CG0201@2"),
        ("allow_urls: yes", "CG0202@2"),
        ("allow_urls: 'true'", "CG0202@2"),
        ("max_connections_per_server: -1", "CG0202@2"),
        ("max_connections_per_server: 1_0", "CG0202@2"),
        ("max_connections_per_server: '5'", "CG0202@2"),
        ("allow_commands: true, command_allowlist: npx", "CG0202@2"),
        ("allow_commands: true, command_allowlist: ['np*']", "CG0607@2"),
        (
            "allow_commands: true, command_allowlist: ['np[xy]', 'np?', 'bin/np*']",
            "CG0607@2 CG0607@2 CG0607@2",
        ),
        (
            "allow_urls: true, url_allowlist: ['h\\mcp', 'https://h', 'ws://h', 'h?x', 'h.?']",
            "CG0609@2 CG0609@2 CG0609@2 CG0607@2 CG0607@2",
        ),
        (
            "allow_commands: true, command_allowlist: ['./npx', 'C:\\npx']",
            "CG0608@2 CG0608@2",
        ),
        ("allow_urls: true, url_allowlist: ['*.example.com']", "CG0607@2"),
        (
            "allow_urls: true, url_allowlist: ['http://h', 'h:8443', 'h/mcp', 'u@h']",
            "CG0609@2 CG0609@2 CG0609@2 CG0609@2",
        ),
        ("allow_urls: true, url_allowlist: ['[::1]', h]", ""),
        ("command_allowlist: [npx]", "CG0610@2"),
        ("url_allowlist: [h]", "CG0610@2"),
        ("allow_urls: true, url_allowlist: null", ""),
    ] {
        assert_findings(&[(&security(entry), due)]);
    }
}
