//! Page 60: what an agent document resolves to, field by field, sentence by sentence and against a naive model.

mod model;
mod prompt;
mod properties;

use callgate_compiler::ir::{Agent, Catalogue, Document, HookEntry, Pack, Settings, Spanned};
use callgate_compiler::resolve::{Defaults, Origin, Phase, Request, Resolution, ResolvedAgent, resolve};
use callgate_compiler::{Kind, Options};

use crate::harness::checked;
use crate::packs::catalogue;

pub(crate) fn agent(text: &str, known: Option<&Catalogue>) -> Agent {
    let options = Options {
        catalogue: known.cloned(),
        ..Options::default()
    };
    let checked = checked("agent.yaml", text, &options);
    match checked.document {
        Some(Document::Agent(agent)) => *agent,
        _ => panic!("{text} {:#?}", checked.diagnostics),
    }
}

pub(crate) fn pack(text: &str) -> Pack {
    match checked("pack.yaml", text, &Options::default()).document {
        Some(Document::Pack(pack)) => pack,
        other => panic!("{text} {other:?}"),
    }
}

fn settings(text: &str) -> Settings {
    let options = Options {
        kind: Some(Kind::Settings),
        ..Options::default()
    };
    match checked("settings.yaml", text, &options).document {
        Some(Document::Settings(settings)) => *settings,
        other => panic!("{text} {other:?}"),
    }
}

fn resolved(request: &Request<'_>) -> ResolvedAgent {
    let Resolution { agent, diagnostics } = resolve(request);
    agent.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

/// The codes and lines of the findings.
fn codes(text: &str, pack: Option<&Pack>, catalogue: Option<&Catalogue>) -> Vec<String> {
    let agent = agent(text, catalogue);
    let request = Request {
        source: "agent.yaml",
        text,
        pack,
        catalogue,
        ..Request::new(&agent)
    };
    let resolution = resolve(&request);
    assert_eq!(
        resolution.agent.is_none(),
        !resolution.diagnostics.is_empty(),
        "{text}"
    );
    let short = resolution.diagnostics.iter();
    short
        .map(|found| format!("{}@{}", found.code, found.location.start.line))
        .collect()
}

fn with_pack<'a>(agent: &'a Agent, pack: &'a Pack) -> Request<'a> {
    Request {
        pack: Some(pack),
        ..Request::new(agent)
    }
}

#[test]
fn modes() {
    let team = pack(
        "roles: {critic: {default_modes: [adversarial], modes_allow: [adversarial, premortem]}, free: {}}\n",
    );
    let of = |text: &str| {
        let agent = agent(text, None);
        let resolved = resolved(&with_pack(&agent, &team));
        (resolved.modes.value.join(" "), resolved.modes.origin)
    };
    assert_eq!(of("role: critic\n"), ("adversarial".into(), Origin::PackRole));
    assert_eq!(of("role: critic\nmodes: []\n"), (String::new(), Origin::Explicit));
    assert_eq!(
        of("role: critic\nmodes: [premortem, adversarial]\n").0,
        "premortem adversarial"
    );
    assert_eq!(of("role: free\nmodes: [slow, systematic]\n").0, "slow systematic");
    assert_eq!(of("role: free\n"), (String::new(), Origin::BuiltIn));
    assert_eq!(of("role: stranger\nmodes: [fast]\n").0, "fast");
    assert_eq!(of("role: critic\npack: null\nmodes: [fast]\n").0, "fast");
    for (text, due) in [
        ("role: critic\nmodes: [fast]\n", "CG0704@2"),
        (
            "role: critic\nmodes:\n  - adversarial\n  - fast\n  - empathetic\n",
            "CG0704@4 CG0704@5",
        ),
    ] {
        assert_eq!(codes(text, Some(&team), None).join(" "), due, "{text}");
    }
}

/// A document that code made is checked as one that was read: the checker never saw it.
#[test]
fn modes_of_documents_that_code_made() {
    for (modes, due) in [
        (["slow", "slow"], "CG0703"),
        (["fast", "slow"], "CG0702"),
        (["fast", "hasty"], "CG0701"),
    ] {
        let made = Agent {
            role: Some(Spanned::unplaced("critic".into())),
            modes: Some(modes.map(|mode| Spanned::unplaced(mode.into())).to_vec()),
            ..Agent::default()
        };
        let resolution = resolve(&Request::new(&made));
        let codes: Vec<&str> = resolution.diagnostics.iter().map(|found| found.code).collect();
        assert_eq!((codes.as_slice(), resolution.agent), ([due].as_slice(), None));
        let start = resolution.diagnostics[0].location.start;
        assert_eq!((start.line, start.column), (1, 1));
    }
    // The caller's modes are held against the role as well.
    let team = pack("roles: {critic: {modes_allow: [slow]}}\n");
    let defaults = Defaults {
        modes: Some(vec!["fast".into()]),
        ..Defaults::default()
    };
    let text = "tools: []\nrole: critic\n";
    let agent = agent(text, None);
    let resolution = resolve(&Request {
        defaults: Some(&defaults),
        text,
        ..with_pack(&agent, &team)
    });
    assert_eq!(resolution.diagnostics[0].code, "CG0704");
    assert_eq!(resolution.diagnostics[0].location.start.line, 2);
}

#[test]
fn roles_and_packs() {
    let team =
        pack("roles: {critic: {active: false}, implementer: {active: false}, writer: {active: true}}\n");
    for (text, pack, due) in [
        ("role: critic\n", Some(&team), "CG0705@1"),
        ("role: critic\npack: null\n", Some(&team), ""),
        ("role: critic\n", None, ""),
        ("role: writer\n", Some(&team), ""),
        ("role: stranger\n", Some(&team), ""),
        ("tools: []\npreset: coding\n", Some(&team), "CG0705@2"),
        ("preset: coding\nrole: writer\n", Some(&team), ""),
        ("role: critic\npack: default\n", None, ""),
        ("role: critic\npack: team.yaml\n", None, "CG0709@2"),
        ("role: writer\npack: team.yaml\n", Some(&team), ""),
    ] {
        assert_eq!(codes(text, pack, None).join(" "), due, "{text}");
    }
    let known = catalogue("callgate: catalogue\nroles: {critic: {}}\ntools: [reader]\n");
    assert_eq!(
        codes("preset: coding\n", None, Some(&known)),
        ["CG0707@1", "CG0708@1"]
    );
}

#[test]
fn emissions() {
    let known = catalogue(
        "callgate: catalogue\nroles: {critic: {emits: [Finding]}, mute: {}, own: {emits: [EscalationRequest]}}\n",
    );
    for (text, due, origin) in [
        (
            "role: critic\n",
            "Finding EscalationRequest",
            Origin::CatalogueRole,
        ),
        (
            "role: critic\nemits: null\n",
            "Finding EscalationRequest",
            Origin::CatalogueRole,
        ),
        ("role: critic\nemits: []\n", "", Origin::Explicit),
        (
            "role: critic\nemits: [A, B]\n",
            "A B EscalationRequest",
            Origin::Explicit,
        ),
        (
            "role: critic\nemits: [EscalationRequest, A]\n",
            "EscalationRequest A",
            Origin::Explicit,
        ),
        ("role: critic\ngrant_emissions: false\n", "", Origin::Explicit),
        (
            "role: critic\ngrant_emissions: false\nemits: [A]\n",
            "",
            Origin::Explicit,
        ),
        (
            "role: critic\ngrant_emissions: true\n",
            "Finding EscalationRequest",
            Origin::CatalogueRole,
        ),
        ("role: mute\n", "", Origin::CatalogueRole),
        ("role: own\n", "EscalationRequest", Origin::CatalogueRole),
        (
            "role: mute\nemits: [A]\n",
            "A EscalationRequest",
            Origin::Explicit,
        ),
    ] {
        let agent = agent(text, None);
        let emits = resolved(&Request {
            catalogue: Some(&known),
            ..Request::new(&agent)
        })
        .emits;
        assert_eq!(
            (emits.value.join(" ").as_str(), emits.origin),
            (due, origin),
            "{text}"
        );
    }
    let no_catalogue = agent("role: critic\n", None);
    assert_eq!(
        resolved(&Request::new(&no_catalogue)).emits.origin,
        Origin::BuiltIn
    );
    let off = Defaults {
        grant_emissions: Some(false),
        ..Defaults::default()
    };
    let by_caller = resolved(&Request {
        defaults: Some(&off),
        catalogue: Some(&known),
        ..Request::new(&no_catalogue)
    });
    assert_eq!(
        (by_caller.emits.value.len(), by_caller.emits.origin),
        (0, Origin::CallerDefault)
    );
}

/// `false` and `[]` are values; a null is one only where page 60 says what it means.
#[test]
fn values_and_absence() {
    let team = pack("roles: {critic: {model: pack/m, effort: low, default_modes: []}}\n");
    let defaults = Defaults {
        model: Some("caller/m".into()),
        modes: Some(vec!["slow".into()]),
        tools: Some(vec!["reader".into()]),
        yolo: Some(true),
        context_management: Some(true),
        system_prompt: Some("Be kind.".into()),
        mcp_servers: Some(vec!["docs".into()]),
        ..Defaults::default()
    };
    let of = |text: &str| {
        let agent = agent(text, None);
        resolved(&Request {
            defaults: Some(&defaults),
            ..with_pack(&agent, &team)
        })
    };
    let said =
        of("role: critic\ntools: []\nyolo: false\ncontext_management: false\nmcp_servers: []\nmodel: a/b\n");
    assert_eq!((said.tools.value.len(), said.tools.origin), (0, Origin::Explicit));
    assert_eq!((said.yolo.value, said.yolo.origin), (false, Origin::Explicit));
    assert_eq!(
        (said.context_management.value, said.context_management.origin),
        (false, Origin::Explicit)
    );
    assert_eq!(
        (said.mcp_servers.value, said.mcp_servers.origin),
        (Some(vec![]), Origin::Explicit)
    );
    assert_eq!(
        (said.model.value.as_deref(), said.model.origin),
        (Some("a/b"), Origin::Explicit)
    );
    // `default_modes: []` of the pack is a value too.
    assert_eq!((said.modes.value.len(), said.modes.origin), (0, Origin::PackRole));
    let silent = of("role: critic\nmodel: null\nsystem_prompt: ''\npermissions: null\nmcp_security: null\n");
    assert_eq!(
        (silent.model.value.as_deref(), silent.model.origin),
        (Some("pack/m"), Origin::PackRole)
    );
    assert_eq!(
        (silent.effort.value.as_deref(), silent.effort.origin),
        (Some("low"), Origin::PackRole)
    );
    assert_eq!(
        (silent.tools.value.join(" ").as_str(), silent.tools.origin),
        ("reader", Origin::CallerDefault)
    );
    assert_eq!(
        (silent.yolo.value, silent.yolo.origin),
        (true, Origin::CallerDefault)
    );
    assert_eq!(silent.system_prompt.value.as_deref(), Some("Be kind."));
    assert_eq!(
        (silent.permissions.value, silent.permissions.origin),
        (None, Origin::Explicit)
    );
    assert_eq!(silent.mcp_security.origin, Origin::Explicit);
    assert_eq!(silent.mcp_servers.origin, Origin::CallerDefault);
}

fn hooks(agent: &ResolvedAgent) -> Vec<String> {
    let name = |entry: &HookEntry| match entry {
        HookEntry::Python { function, .. } => function.clone(),
        HookEntry::Command(words) => words
            .iter()
            .map(|word| word.text.as_str())
            .collect::<Vec<_>>()
            .join(" "),
    };
    let hooks = agent.hooks.iter();
    hooks
        .map(|hook| {
            format!(
                "{}.{} {} {}",
                hook.phase.name(),
                hook.tool,
                name(&hook.entry),
                hook.origin.name()
            )
        })
        .collect()
}

#[test]
fn the_coding_preset() {
    let of = |text: &str| {
        let agent = agent(text, None);
        resolved(&Request::new(&agent))
    };
    let coding = of("preset: coding\n");
    assert_eq!(
        (coding.role.value.as_deref(), coding.role.origin),
        (Some("implementer"), Origin::Preset)
    );
    assert_eq!(
        (coding.effort.value.as_deref(), coding.effort.origin),
        (Some("high"), Origin::Preset)
    );
    assert_eq!(
        (coding.tools.value.join(" ").as_str(), coding.tools.origin),
        ("coding", Origin::Preset)
    );
    let guards = [
        "pre.bash guard_destructive preset",
        "pre.reader guard_paths preset",
        "pre.editor guard_paths preset",
    ];
    assert_eq!(hooks(&coding), guards);
    assert_eq!(hooks(&of("preset: coding\nsecure: true\n")), guards);
    assert_eq!(hooks(&of("preset: coding\nsecure: false\n")), [] as [&str; 0]);
    assert!(coding.has_context_tool());
    assert!(!of("preset: coding\ncontext_management: false\n").has_context_tool());
    assert!(!of("role: critic\n").has_context_tool());
    let own = of("preset: coding\nrole: critic\neffort: low\ntools: [reader]\n");
    assert_eq!(own.role.value.as_deref(), Some("critic"));
    assert_eq!(
        (own.effort.value.as_deref(), own.tools.value.join(" ").as_str()),
        (Some("low"), "reader")
    );
    // A pack's effort does not count as given in the document.
    let agent = agent("preset: coding\n", None);
    let team = pack("roles: {implementer: {effort: low, model: m}}\n");
    let packed = resolved(&with_pack(&agent, &team));
    assert_eq!(
        (packed.effort.origin, packed.model.origin),
        (Origin::Preset, Origin::PackRole)
    );
}

const GLOBAL: &str = "hooks: {pre: {bash: ['lionagi.agent.hooks:global', {command: [fmt]}]}, post: {'*': 'lionagi.agent.hooks:log'}}\n\
                      mcp_security: {allow_commands: true, command_allowlist: [npx], max_connections_per_server: 9}\n";
const PROJECT: &str = "hooks: {pre: {bash: ['lionagi.agent.hooks:project', 'lionagi.agent.hooks:global']}}\n\
                       mcp_security: {command_allowlist: [uvx], allow_urls: true}\n";

#[test]
fn settings_hooks() {
    let (global, project) = (settings(GLOBAL), settings(PROJECT));
    let agent = agent(
        "role: critic\nhooks: {pre: {bash: 'lionagi.agent.hooks:own'}}\n",
        None,
    );
    let request = Request {
        global_settings: Some(&global),
        project_settings: Some(&project),
        ..Request::new(&agent)
    };
    let trusting = resolved(&Request {
        trust_project: true,
        ..request
    });
    let merged = [
        "pre.bash own explicit",
        "pre.bash global global settings",
        "pre.bash fmt global settings",
        "pre.bash project project settings",
        "post.* log global settings",
    ];
    assert_eq!(hooks(&trusting), merged);
    let untrusting: Vec<String> = hooks(&resolved(&request));
    assert_eq!(
        untrusting.iter().map(String::as_str).collect::<Vec<_>>(),
        [&merged[..3], &merged[4..]].concat()
    );
    // Resolving what was resolved installs nothing twice.
    let again = trusting.document();
    let again = resolved(&Request {
        agent: &again,
        trust_project: true,
        ..request
    });
    let names = |agent: &ResolvedAgent| -> Vec<(Phase, String, HookEntry)> {
        agent
            .hooks
            .iter()
            .map(|hook| (hook.phase, hook.tool.clone(), hook.entry.clone()))
            .collect()
    };
    assert_eq!(names(&again), names(&trusting));
}

/// Project values win key by key, when the project is trusted; the agent's own word is the last.
#[test]
fn settings_transport() {
    let (global, project) = (settings(GLOBAL), settings(PROJECT));
    let plain = agent("role: critic\n", None);
    let request = Request {
        global_settings: Some(&global),
        project_settings: Some(&project),
        ..Request::new(&plain)
    };
    let merged = resolved(&Request {
        trust_project: true,
        ..request
    });
    let policy = merged.transport();
    assert_eq!(merged.mcp_security.origin, Origin::MergedSettings);
    assert_eq!(
        (
            policy.allow_commands,
            policy.allow_urls,
            policy.max_connections_per_server
        ),
        (true, true, 9)
    );
    assert_eq!(policy.command_allowlist, Some(vec!["uvx".into()]));
    let global_only = resolved(&request);
    assert_eq!(global_only.mcp_security.origin, Origin::GlobalSettings);
    assert_eq!(
        global_only.transport().command_allowlist,
        Some(vec!["npx".into()])
    );
    assert!(!global_only.transport().allow_urls);
    let own = agent("role: critic\nmcp_security: {allow_urls: true}\n", None);
    let own = resolved(&Request {
        agent: &own,
        trust_project: true,
        ..request
    });
    assert_eq!(
        (own.mcp_security.origin, own.transport().allow_commands),
        (Origin::Explicit, false)
    );
    let lax = agent("role: critic\npermissions: allow_all\nyolo: true\n", None);
    assert_eq!(
        resolved(&Request::new(&lax)).transport(),
        Default::default(),
        "permissions admit no server"
    );
    let nothing = resolved(&Request::new(&plain));
    assert_eq!(
        (nothing.mcp_security.origin, nothing.transport()),
        (Origin::BuiltIn, Default::default())
    );
}

/// A raw-prompt agent has no role, so nothing of one: no directives, no emissions, no role configuration.
#[test]
fn raw_prompt_agents() {
    let team = pack(
        "roles: {implementer: {authority: [Decide.], model: m, default_modes: [slow], active: false}}\n",
    );
    let known = catalogue("callgate: catalogue\nroles: {implementer: {body: Build., emits: [Finding]}}\n");
    let raw = Agent {
        system_prompt: Some(Spanned::unplaced(Some("Just do it.".into()))),
        ..Agent::default()
    };
    let request = Request {
        catalogue: Some(&known),
        ..with_pack(&raw, &team)
    };
    let plain = resolved(&request);
    assert_eq!(
        (plain.role.value.as_deref(), plain.role.origin),
        (None, Origin::BuiltIn)
    );
    assert_eq!(plain.prompt.text().as_deref(), Some("Just do it."));
    assert_eq!(
        (plain.emits.value.len(), plain.permissions.value.is_none()),
        (0, true)
    );
    assert_eq!((plain.model.value.as_deref(), plain.modes.value.len()), (None, 0));
    let given = Agent {
        emits: Some(Spanned::unplaced(Some(vec![Spanned::unplaced("A".into())]))),
        modes: Some(vec![Spanned::unplaced("fast".into())]),
        ..raw.clone()
    };
    let given = resolved(&Request {
        agent: &given,
        ..request
    });
    assert_eq!(given.emits.value, ["A", "EscalationRequest"]);
    assert_eq!(given.modes.value, ["fast"]);
    let none = Agent::default();
    assert_eq!(resolved(&Request::new(&none)).prompt.text(), None);
}
