//! Page 60: agent documents and catalogues.

use callgate_compiler::ir::{Agent, Document, PermissionsChoice, Preset};
use callgate_compiler::{Kind, Options};

use crate::harness::{assert_findings, checked, findings_as, findings_with};
use crate::packs::catalogue;

fn agent(text: &str) -> Agent {
    let checked = checked("agent.yaml", text, &Options::default());
    match checked.document {
        Some(Document::Agent(agent)) => *agent,
        _ => panic!("{text} {:#?}", checked.diagnostics),
    }
}

#[test]
fn a_whole_agent() {
    let agent = agent(
        "role: architect\nmodes: [adversarial]\nmodel: provider/name\neffort: high\ntools: [coding, reader]\npack: default\n\
         permissions: safe\ngrant_emissions: true\nemits: null\nsystem_prompt: ''\ncwd: .\nyolo: false\nlion_system: true\n\
         context_management: true\nmcp_servers: null\nmcp_config_path: null\nmcp_security: {allow_commands: false}\n\
         hooks: {pre: {bash: ['lionagi.agent.hooks:guard']}}\n",
    );
    assert_eq!(agent.role.as_ref().map(|role| role.as_str()), Some("architect"));
    let permissions = agent.permissions.unwrap().value;
    assert!(matches!(permissions, Some(PermissionsChoice::Preset(preset)) if preset.value == Preset::Safe));
    assert_eq!(agent.emits.unwrap().value, None);
    assert_eq!(agent.system_prompt.unwrap().value.as_deref(), Some(""));
    assert_eq!(agent.hooks.unwrap().pre.len(), 1);
}

#[test]
fn absence_null_and_empty_differ() {
    let absent = agent("role: critic\n");
    assert_eq!(
        (absent.emits, absent.modes, absent.permissions, absent.yolo),
        (None, None, None, None)
    );
    let null = agent("role: critic\nemits: null\npack: null\n");
    assert_eq!(null.emits.map(|emits| emits.value), Some(None));
    assert_eq!(null.pack.map(|pack| pack.value), Some(None));
    let empty = agent("role: critic\nemits: []\nmodes: []\n");
    assert_eq!(
        empty.emits.map(|emits| emits.value.map(|emits| emits.len())),
        Some(Some(0))
    );
    assert_eq!(empty.modes.map(|modes| modes.len()), Some(0));
}

#[test]
fn keys_and_values() {
    let field = |entry: &str| format!("role: critic\n{entry}\n");
    for (entry, due) in [
        ("rol: x", "CG0201@2"),
        ("allow: {bash: ['*']}", "CG0201@2"),
        ("modes: adversarial", "CG0202@2"),
        ("modes: null", "CG0202@2"),
        ("modes: [thorough]", "CG0701@2"),
        ("modes: [fast, fast]", "CG0703@2"),
        ("modes: [slow, fast]", "CG0702@2"),
        ("tools: null", "CG0202@2"),
        ("tools: [a, a]", "CG0703@2"),
        ("tools: [whatever]", ""),
        ("model: 5", "CG0203@2"),
        ("model: null", ""),
        ("yolo: yes", "CG0202@2"),
        ("grant_emissions: null", "CG0202@2"),
        ("emits: Finding", "CG0202@2"),
        ("permissions: [Read]", "CG0202@2"),
        ("permissions: unsafe", "CG0208@2"),
        ("permissions: {deny: ['Shell(rm)']}", "CG0202@2"),
        ("permissions: {deny: {bash: ['*']}}", "CG0205@2"),
        ("permissions: {mode: rules, deny: {bash: ['*']}}", ""),
        ("preset: writing", "CG0208@2"),
        ("preset: coding\nsecure: false", ""),
        ("secure: true", "CG0706@2"),
        ("grant_emissions: false\nemits: [A]", "CG0706@3"),
        ("grant_emissions: false\nemits: []", ""),
        ("mcp_security: null", ""),
        ("hooks: {before: {}}", "CG0604@2"),
    ] {
        assert_findings(&[(&field(entry), due)]);
    }
    assert_findings(&[("role: \n", "CG0203@1"), ("preset: coding\n", "")]);
    assert_eq!(findings_as(Kind::Agent, "model: x\n"), ["CG0215@1"]);
}

#[test]
fn a_catalogue_knows_tools_and_roles() {
    let given = |text: &str| Options {
        catalogue: Some(catalogue(text)),
        ..Options::default()
    };
    let text = "role: critik\ntools: [raeder]\n";
    let full = given("callgate: catalogue\nroles: {critic: {}}\ntools: [reader]\n");
    assert_eq!(findings_with(text, &full), ["CG0708@1", "CG0707@2"]);
    assert_eq!(
        findings_with(text, &given("callgate: catalogue\n")),
        [] as [&str; 0]
    );
    assert_eq!(findings_with(text, &Options::default()), [] as [&str; 0]);
}

#[test]
fn catalogues() {
    assert_findings(&[
        (
            "callgate: catalogue\nroles: {critic: {body: Judge., emits: [Finding]}}\nmodes: {fast: {behaviors: [Be quick., Stop early.]}}\n\
             tools: [reader]\ncoding_hint: Mind the context.\n",
            "",
        ),
        ("callgate: catalogue\nrole_bodies: {}\n", "CG0201@2"),
        (
            "callgate: catalogue\nroles: {critic: {behaviors: x}}\n",
            "CG0201@2",
        ),
        ("callgate: catalogue\nroles: {critic: Judge.}\n", "CG0202@2"),
        (
            "callgate: catalogue\nmodes: {a: {conflicts_with: [b]}}\n",
            "CG0701@2",
        ),
        ("callgate: catalogue\nmodes: {a: {conflicts_with: [fast]}}\n", ""),
        ("callgate: catalogue\ntools: [a, a]\n", "CG0703@2"),
        ("callgate: catalogue\ncoding_hint: []\n", "CG0202@2"),
    ]);
    let given = catalogue("callgate: catalogue\nmodes: {quick: {behaviors: Be quick.}}\n");
    assert_eq!(given.mode("quick").map(|mode| mode.behaviors.len()), Some(1));
}

/// The typed form without the places of rules.
fn bare(agent: &Agent) -> String {
    let json = Document::Agent(Box::new(agent.clone())).to_json();
    json.lines()
        .filter(|line| !line.contains("\"line\":") && !line.contains("\"column\":"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Page 60: parse, write, parse is the identity for every field.
#[test]
fn agents_survive_being_written() {
    let texts = [
        crate::documents::AGENT,
        crate::documents::AGENT_SMALL,
        "role: 'no'\nmodes: []\ntools: []\nemits: []\nmcp_servers: []\n",
        "role: critic\nmodel: null\neffort: null\npack: null\npermissions: null\nsystem_prompt: null\ncwd: null\nmcp_security: null\n",
        "role: \"a\\\\b\\\"c\\te\\u0301 \\U0001F600 \\u2028\"\nsystem_prompt: |\n  # one\n  two: 'x'\n\n",
        "role: x\npermissions: {mode: rules, escalate: {b: ['*'], a: ['[!x]*', \"y\\n\"]}, deny: {'*': []}}\nhooks: {on_error: {'*': []}}\n",
        "role: x\nhooks: {pre: {bash: {command: [check, '{command}', '']}}}\nmcp_security: {allow_urls: true, url_allowlist: [h]}\n",
    ];
    for text in texts {
        let read = agent(text);
        let written = read.to_yaml();
        assert_eq!(bare(&agent(&written)), bare(&read), "{written}");
        assert_eq!(agent(&written).to_yaml(), written);
    }
}
