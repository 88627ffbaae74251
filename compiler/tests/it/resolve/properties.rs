//! What holds of every agent: the model's fields and prompt, nothing twice, nothing changed, and once is enough.

use callgate_compiler::ir::{Agent, Document};
use callgate_compiler::resolve::{Defaults, Request, Resolution, ResolvedAgent, resolve};
use callgate_compiler::{Kind, Options};
use proptest::option;
use proptest::prelude::{ProptestConfig, Strategy, any, proptest};

use super::model::{Case, Field};
use crate::generated;
use crate::harness::checked;

fn defaults() -> impl Strategy<Value = Defaults> {
    let text = || option::of("[a-z]{0,3}");
    let modes =
        option::of(generated::modes().prop_map(|modes| modes.into_iter().map(|mode| mode.value).collect()));
    let tools =
        option::of(generated::tools().prop_map(|tools| tools.into_iter().map(|tool| tool.value).collect()));
    let flags = [(); 4].map(|()| option::of(any::<bool>()));
    let servers = option::of(proptest::collection::vec("[a-z]", 0..2));
    let security = (
        option::of(generated::permissions()),
        option::of(generated::mcp_security()),
    );
    (
        (text(), text(), text(), text(), text()),
        modes,
        tools,
        flags,
        servers,
        security,
    )
        .prop_map(|(texts, modes, tools, flags, mcp_servers, security)| Defaults {
            model: texts.0,
            effort: texts.1,
            modes,
            tools,
            permissions: security.0,
            grant_emissions: flags[0],
            system_prompt: texts.2,
            cwd: texts.3,
            yolo: flags[1],
            lion_system: flags[2],
            context_management: flags[3],
            mcp_servers,
            mcp_config_path: texts.4,
            mcp_security: security.1,
        })
}

fn case() -> impl Strategy<Value = Case> {
    let around = (
        option::of(generated::pack()),
        option::of(generated::catalogue()),
        option::of(defaults()),
    );
    let settings = (
        option::of(generated::settings()),
        option::of(generated::settings()),
        any::<bool>(),
    );
    let preamble = option::of("[ \n]?[a-z]{0,3}[ \n]?");
    (generated::agent(), 0..8_u8, around, settings, preamble).prop_map(
        |(agent, shape, around, settings, preamble)| Case {
            agent: Agent {
                // Now and then a raw prompt, or a preset's role.
                role: agent.role.filter(|_| shape > 1),
                ..agent
            },
            pack: around.0,
            catalogue: around.1,
            global: settings.0,
            project: settings.1,
            trusted: settings.2,
            defaults: around.2,
            preamble,
        },
    )
}

fn request<'a>(case: &'a Case, agent: &'a Agent) -> Request<'a> {
    Request {
        pack: case.pack.as_ref(),
        catalogue: case.catalogue.as_ref(),
        global_settings: case.global.as_ref(),
        project_settings: case.project.as_ref(),
        trust_project: case.trusted,
        defaults: case.defaults.as_ref(),
        preamble: case.preamble.as_deref(),
        ..Request::new(agent)
    }
}

fn fields(agent: &ResolvedAgent) -> Vec<Field> {
    let values = [
        format!("{:?}", agent.role.value),
        format!("{:?}", agent.modes.value),
        format!("{:?}", agent.model.value),
        format!("{:?}", agent.effort.value),
        format!("{:?}", agent.tools.value),
        format!("{:?}", agent.pack.value),
        format!("{:?}", agent.permissions.value),
        format!("{:?}", agent.grant_emissions.value),
        format!("{:?}", agent.emits.value),
        format!("{:?}", agent.system_prompt.value),
        format!("{:?}", agent.cwd.value),
        format!("{:?}", agent.yolo.value),
        format!("{:?}", agent.lion_system.value),
        format!("{:?}", agent.context_management.value),
        format!("{:?}", agent.mcp_servers.value),
        format!("{:?}", agent.mcp_config_path.value),
        format!("{:?}", agent.mcp_security.value),
    ];
    let origins = agent.origins().into_iter();
    origins
        .zip(values)
        .map(|((name, origin), value)| (name, value, origin.name()))
        .collect()
}

fn sorted(mut fields: Vec<Field>) -> Vec<Field> {
    fields.sort();
    fields
}

fn agrees_with_the_model(case: &Case) {
    let resolution = resolve(&request(case, &case.agent));
    let (due, Resolution { agent, diagnostics }) = (case.fields(), resolution);
    let codes: Vec<&str> = diagnostics.iter().map(|found| found.code).collect();
    let Ok(due) = due else {
        assert!(
            codes.contains(&due.unwrap_err()) && agent.is_none(),
            "{codes:?} {case:#?}"
        );
        return;
    };
    // What else may stand against a case: a role that the catalogue lacks.
    if codes.contains(&"CG0708") {
        return;
    }
    let Some(agent) = agent else {
        panic!("{diagnostics:#?} {case:#?}")
    };
    assert_eq!(sorted(fields(&agent)), sorted(due));
    let coding = agent.context_management.value && agent.tools.value.iter().any(|tool| tool == "coding");
    assert_eq!(agent.has_context_tool(), coding);
    let own = agent.system_prompt.value.as_deref();
    assert_eq!(
        agent.prompt.text(),
        case.prompt(&agent.modes.value, coding, own, agent.lion_system.value)
    );
    let mut hooks: Vec<_> = agent
        .hooks
        .iter()
        .map(|hook| (hook.phase.name(), hook.tool.clone(), hook.entry.clone()))
        .collect();
    let mut due = case.hooks();
    // The order counts within a phase and a tool.
    hooks.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
    due.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
    assert_eq!(hooks, due);
}

/// Resolving what was resolved gives the same agent, each field explicit now, also after a trip through YAML.
fn once_is_enough(case: &Case) {
    let Some(first) = resolve(&request(case, &case.agent)).agent else {
        return;
    };
    let values = |agent: &ResolvedAgent| {
        let mut values: Vec<String> = fields(agent)
            .into_iter()
            .map(|(name, value, _)| format!("{name} {value}"))
            .collect();
        values.extend(
            agent
                .hooks
                .iter()
                .map(|hook| format!("{:?} {} {:?}", hook.phase, hook.tool, hook.entry)),
        );
        values.extend(agent.prompt.text());
        values
    };
    let document = first.document();
    let second = resolve(&request(case, &document))
        .agent
        .unwrap_or_else(|| panic!("{case:#?}"));
    assert_eq!(values(&second), values(&first));
    assert_eq!(second.document(), document);
    if first.role.value.is_none() {
        return;
    }
    let text = document.to_yaml();
    let read = checked(
        "agent.yaml",
        &text,
        &Options {
            kind: Some(Kind::Agent),
            ..Options::default()
        },
    );
    let Some(Document::Agent(read)) = read.document else {
        panic!("{text}\n{:#?}", read.diagnostics);
    };
    let third = resolve(&request(case, &read))
        .agent
        .unwrap_or_else(|| panic!("{case:#?}"));
    let bare = |agent: &ResolvedAgent| crate::written::bare(&Document::Agent(Box::new(agent.document())));
    assert_eq!(bare(&third), bare(&first), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_field_and_its_source(case in case()) {
        let before = case.clone();
        agrees_with_the_model(&case);
        assert_eq!(format!("{case:?}"), format!("{before:?}"), "inputs are never changed");
        assert_eq!(resolve(&request(&case, &case.agent)), resolve(&request(&before, &before.agent)));
    }

    #[test]
    fn resolving_twice_is_resolving_once(case in case()) {
        once_is_enough(&case);
    }
}
