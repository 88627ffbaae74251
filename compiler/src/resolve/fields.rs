//! Each field of an agent from the first source that says anything (page 60, *Precedence per field*).

use super::agent::{CODING, ResolvedAgent};
use super::origin::{Origin, Resolved, first};
use super::prompt::{Prompt, prompt};
use super::{DEFAULT_PACK, Defaults, Request, hooks};
use crate::findings::Findings;
use crate::ir::{Agent, McpSecurity, Nullable, Pack, RoleConfig, Spanned};
use crate::lints;
use crate::lower::{agent_names, modes_allowed, quoted};

/// What `preset: coding` stands for.
const PRESET_ROLE: &str = "implementer";
const PRESET_EFFORT: &str = "high";

/// What an agent that emits anything can always emit.
const ESCALATION_REQUEST: &str = "EscalationRequest";

/// The agent; worthless when `findings` holds an error afterwards.
pub(super) fn agent(request: &Request<'_>, findings: &mut Findings<'_>) -> ResolvedAgent {
    let nothing = Defaults::default();
    let (agent, defaults) = (request.agent, request.defaults.unwrap_or(&nothing));
    let preset = agent.preset.as_ref();
    let role_place = agent
        .role
        .clone()
        .or_else(|| preset.map(|preset| preset.with(PRESET_ROLE.to_owned())));
    let role = first(
        [
            (
                agent.role.as_ref().map(|role| Some(role.value.clone())),
                Origin::Explicit,
            ),
            (preset.map(|_| Some(PRESET_ROLE.to_owned())), Origin::Preset),
        ],
        None,
    );
    let pack_name = first(
        [(given(&agent.pack), Origin::Explicit)],
        Some(DEFAULT_PACK.to_owned()),
    );
    let pack = pack(request, findings);
    let config = role.value.as_deref().and_then(|role| pack?.config(role));
    let modes = modes(agent, config, defaults);
    let tools = first(
        [
            (agent.tools.as_deref().map(texts), Origin::Explicit),
            (preset.map(|_| vec![CODING.to_owned()]), Origin::Preset),
            (defaults.tools.clone(), Origin::CallerDefault),
        ],
        Vec::new(),
    );
    check(request, findings, role_place.as_ref(), config, (&modes, &tools));
    let grant_emissions = first(
        [
            (value(&agent.grant_emissions), Origin::Explicit),
            (defaults.grant_emissions, Origin::CallerDefault),
        ],
        true,
    );
    let emits = emits(request, role.value.as_deref(), &grant_emissions);
    let model = [
        (text(&agent.model), Origin::Explicit),
        (of_config(config, |config| &config.model), Origin::PackRole),
        (defaults.model.clone(), Origin::CallerDefault),
    ];
    let effort = [
        (text(&agent.effort), Origin::Explicit),
        (preset.map(|_| PRESET_EFFORT.to_owned()), Origin::Preset),
        (of_config(config, |config| &config.effort), Origin::PackRole),
        (defaults.effort.clone(), Origin::CallerDefault),
    ];
    let own = |field: &Nullable<String>, default: &Option<String>| {
        optional([
            (text(field), Origin::Explicit),
            (default.clone(), Origin::CallerDefault),
        ])
    };
    let flag = |field: &Option<Spanned<bool>>, default: Option<bool>, built_in: bool| {
        first(
            [(value(field), Origin::Explicit), (default, Origin::CallerDefault)],
            built_in,
        )
    };
    let written = |text: Option<String>| text.filter(|text| !text.is_empty());
    let mut resolved = ResolvedAgent {
        role,
        modes: modes.map(|modes| texts(&modes)),
        model: optional(model),
        effort: optional(effort),
        tools,
        pack: pack_name,
        permissions: first(
            [
                (given(&agent.permissions), Origin::Explicit),
                (defaults.permissions.clone().map(Some), Origin::CallerDefault),
            ],
            None,
        ),
        grant_emissions,
        emits,
        system_prompt: optional([
            (written(text(&agent.system_prompt)), Origin::Explicit),
            (written(defaults.system_prompt.clone()), Origin::CallerDefault),
        ]),
        cwd: own(&agent.cwd, &defaults.cwd),
        yolo: flag(&agent.yolo, defaults.yolo, false),
        lion_system: flag(&agent.lion_system, defaults.lion_system, true),
        context_management: flag(&agent.context_management, defaults.context_management, true),
        mcp_servers: optional([
            (
                given(&agent.mcp_servers).flatten().map(|servers| texts(&servers)),
                Origin::Explicit,
            ),
            (defaults.mcp_servers.clone(), Origin::CallerDefault),
        ]),
        mcp_config_path: own(&agent.mcp_config_path, &defaults.mcp_config_path),
        mcp_security: mcp_security(request, defaults),
        hooks: hooks::resolved(request),
        code_handlers: agent.code_handlers.clone(),
        prompt: Prompt::default(),
    };
    resolved.prompt = prompt(request, &resolved, pack);
    resolved
}

/// The pack in use: none when the document says null.
fn pack<'a>(request: &Request<'a>, findings: &mut Findings<'_>) -> Option<&'a Pack> {
    let Some(named) = &request.agent.pack else {
        return request.pack;
    };
    let name = named.value.as_deref()?;
    if request.pack.is_none() && name != DEFAULT_PACK {
        let message = format!("the pack {} is not there", quoted(name));
        let help = String::from("give the pack together with the agent, or write `pack: null` for none");
        findings.report(&lints::MISSING_PACK, named.span, message, help);
    }
    request.pack
}

/// The modes with places in the document: those of a pack or a caller have none of their own.
fn modes(agent: &Agent, config: Option<&RoleConfig>, defaults: &Defaults) -> Resolved<Vec<Spanned<String>>> {
    let default_modes = defaults.modes.as_ref();
    first(
        [
            (agent.modes.clone(), Origin::Explicit),
            (
                config.and_then(|config| config.default_modes.clone()),
                Origin::PackRole,
            ),
            (
                default_modes.map(|modes| modes.iter().cloned().map(Spanned::unplaced).collect()),
                Origin::CallerDefault,
            ),
        ],
        Vec::new(),
    )
}

/// The role may be used, with these modes and tools.
fn check(
    request: &Request<'_>,
    findings: &mut Findings<'_>,
    role: Option<&Spanned<String>>,
    config: Option<&RoleConfig>,
    (modes, tools): (&Resolved<Vec<Spanned<String>>>, &Resolved<Vec<String>>),
) {
    let agent = request.agent;
    let place =
        |name: String| role.map_or_else(|| Spanned::unplaced(name.clone()), |role| role.with(name.clone()));
    let modes: Vec<Spanned<String>> = match modes.origin {
        Origin::Explicit => modes.value.clone(),
        _ => modes.value.iter().map(|mode| place(mode.value.clone())).collect(),
    };
    let tools: Vec<Spanned<String>> = match &agent.tools {
        Some(tools) => tools.clone(),
        None => tools.value.iter().cloned().map(place).collect(),
    };
    agent_names(findings, request.catalogue, role, (&modes, &tools));
    let (Some(role), Some(config)) = (role, config) else {
        return;
    };
    let allowed = config.modes_allow.as_slice();
    let words: (&str, fn(&str) -> String) = ("the mode", |name| {
        format!("add {name} to the role's `modes_allow` in the pack, or drop the mode")
    });
    modes_allowed(findings, &modes, allowed, words);
    if !config.is_active() {
        let message = format!("the role {} is not active in its pack", quoted(&role.value));
        let help = String::from("choose a role that is in use, or write `active: true` in the pack");
        findings.report(&lints::INACTIVE_ROLE, role.span, message, help);
    }
}

/// What may be emitted: nothing where nothing is granted, the document's list, or the role's own. A raw-prompt agent has
/// no role's own.
fn emits(request: &Request<'_>, role: Option<&str>, granted: &Resolved<bool>) -> Resolved<Vec<String>> {
    if !granted.value {
        return Resolved::of(Vec::new(), granted.origin);
    }
    let of_role = role.and_then(|role| request.catalogue?.role(role));
    let mut emits = first(
        [
            (
                given(&request.agent.emits).flatten().map(|emits| texts(&emits)),
                Origin::Explicit,
            ),
            (of_role.map(|role| texts(&role.emits)), Origin::CatalogueRole),
        ],
        Vec::new(),
    );
    if !emits.value.is_empty() && !emits.value.iter().any(|name| name == ESCALATION_REQUEST) {
        emits.value.push(ESCALATION_REQUEST.to_owned());
    }
    emits
}

/// Transport admission: the document's, else that of the settings, a trusted project's over the global one key by key.
fn mcp_security(request: &Request<'_>, defaults: &Defaults) -> Resolved<McpSecurity> {
    let explicit = given(&request.agent.mcp_security).map(Option::unwrap_or_default);
    let global = request
        .global_settings
        .and_then(|settings| settings.mcp_security.as_ref());
    let project = request.project_settings.filter(|_| request.trust_project);
    let project = project.and_then(|settings| settings.mcp_security.as_ref());
    let merged = global.zip(project).map(|(global, project)| project.over(global));
    first(
        [
            (explicit, Origin::Explicit),
            (merged, Origin::MergedSettings),
            (project.cloned(), Origin::ProjectSettings),
            (global.cloned(), Origin::GlobalSettings),
            (defaults.mcp_security.clone(), Origin::CallerDefault),
        ],
        McpSecurity::default(),
    )
}

/// The first text that there is.
fn optional<T>(candidates: impl IntoIterator<Item = (Option<T>, Origin)>) -> Resolved<Option<T>> {
    first(
        candidates
            .into_iter()
            .map(|(value, origin)| (value.map(Some), origin)),
        None,
    )
}

/// A field that is given, null included.
fn given<T: Clone>(field: &Nullable<T>) -> Option<Option<T>> {
    field.as_ref().map(|given| given.value.clone())
}

/// A text that is given; null is none.
fn text(field: &Nullable<String>) -> Option<String> {
    given(field).flatten()
}

fn value(field: &Option<Spanned<bool>>) -> Option<bool> {
    field.as_ref().map(|given| given.value)
}

fn of_config(
    config: Option<&RoleConfig>,
    field: impl Fn(&RoleConfig) -> &Option<Spanned<String>>,
) -> Option<String> {
    field(config?).as_ref().map(|text| text.value.clone())
}

fn texts(list: &[Spanned<String>]) -> Vec<String> {
    list.iter().map(|text| text.value.clone()).collect()
}
