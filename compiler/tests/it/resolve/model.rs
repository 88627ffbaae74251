//! A naive model of page 60: one straight-line answer for each field, written from the page and not from the resolver.

use callgate_compiler::ir::{Agent, Catalogue, HookEntry, Hooks, Nullable, Pack, Settings, Spanned};
use callgate_compiler::resolve::Defaults;

/// What surrounds an agent in a generated case.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) agent: Agent,
    pub(crate) pack: Option<Pack>,
    pub(crate) catalogue: Option<Catalogue>,
    pub(crate) global: Option<Settings>,
    pub(crate) project: Option<Settings>,
    pub(crate) trusted: bool,
    pub(crate) defaults: Option<Defaults>,
    pub(crate) preamble: Option<String>,
}

/// A field: its value printed, and its source.
pub(crate) type Field = (&'static str, String, &'static str);

fn said<T: Clone>(field: &Nullable<T>) -> Option<T> {
    match field {
        Some(Spanned {
            value: Some(value), ..
        }) => Some(value.clone()),
        Some(Spanned { value: None, .. }) | None => None,
    }
}

fn plain(list: &[Spanned<String>]) -> Vec<String> {
    list.iter().map(|item| item.value.clone()).collect()
}

fn shown(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

impl Case {
    /// Why the agent must not be resolved, or each field.
    pub(crate) fn fields(&self) -> Result<Vec<Field>, &'static str> {
        let agent = &self.agent;
        let coding = agent.preset.is_some();
        let caller = self.defaults.clone().unwrap_or_default();
        let mut fields: Vec<Field> = Vec::new();

        let role = match &agent.role {
            Some(role) => (Some(role.value.clone()), "explicit"),
            None if coding => (Some("implementer".to_owned()), "preset"),
            None => (None, "built-in default"),
        };
        fields.push(("role", shown(&role.0), role.1));

        match &agent.pack {
            None => fields.push(("pack", shown(&Some("default")), "built-in default")),
            Some(pack) => fields.push(("pack", shown(&pack.value), "explicit")),
        }
        let no_pack = agent.pack.as_ref().is_some_and(|pack| pack.value.is_none());
        if let Some(name) = said(&agent.pack)
            && name != "default"
            && self.pack.is_none()
        {
            return Err("CG0709");
        }
        let config = match (&self.pack, &role.0) {
            (Some(pack), Some(role)) if !no_pack => pack.config(role).cloned(),
            _ => None,
        };
        if config
            .as_ref()
            .is_some_and(|config| config.active.as_ref().is_some_and(|active| !active.value))
        {
            return Err("CG0705");
        }

        let modes = if let Some(modes) = &agent.modes {
            (plain(modes), "explicit")
        } else if let Some(modes) = config.as_ref().and_then(|config| config.default_modes.as_ref()) {
            (plain(modes), "pack role config")
        } else if let Some(modes) = &caller.modes {
            (modes.clone(), "caller default")
        } else {
            (Vec::new(), "built-in default")
        };
        if let Some(config) = &config {
            let allowed = plain(&config.modes_allow);
            if !allowed.is_empty() && modes.0.iter().any(|mode| !allowed.contains(mode)) {
                return Err("CG0704");
            }
        }
        fields.push(("modes", shown(&modes.0), modes.1));

        let model = if let Some(model) = said(&agent.model) {
            (Some(model), "explicit")
        } else if let Some(model) = config.as_ref().and_then(|config| config.model.clone()) {
            (Some(model.value), "pack role config")
        } else if let Some(model) = caller.model.clone() {
            (Some(model), "caller default")
        } else {
            (None, "built-in default")
        };
        fields.push(("model", shown(&model.0), model.1));

        let effort = if let Some(effort) = said(&agent.effort) {
            (Some(effort), "explicit")
        } else if coding {
            (Some("high".to_owned()), "preset")
        } else if let Some(effort) = config.as_ref().and_then(|config| config.effort.clone()) {
            (Some(effort.value), "pack role config")
        } else if let Some(effort) = caller.effort.clone() {
            (Some(effort), "caller default")
        } else {
            (None, "built-in default")
        };
        fields.push(("effort", shown(&effort.0), effort.1));

        let tools = if let Some(tools) = &agent.tools {
            (plain(tools), "explicit")
        } else if coding {
            (vec!["coding".to_owned()], "preset")
        } else if let Some(tools) = &caller.tools {
            (tools.clone(), "caller default")
        } else {
            (Vec::new(), "built-in default")
        };
        fields.push(("tools", shown(&tools.0), tools.1));

        let permissions = match (&agent.permissions, &caller.permissions) {
            (Some(given), _) => (given.value.clone(), "explicit"),
            (None, Some(given)) => (Some(given.clone()), "caller default"),
            (None, None) => (None, "built-in default"),
        };
        fields.push(("permissions", shown(&permissions.0), permissions.1));

        let grant = flag(&agent.grant_emissions, caller.grant_emissions, true);
        fields.push(("grant_emissions", shown(&grant.0), grant.1));
        let of_role = self
            .catalogue
            .as_ref()
            .and_then(|catalogue| catalogue.role(role.0.as_ref()?));
        let emits = if !grant.0 {
            (Vec::new(), grant.1)
        } else if let Some(emits) = said(&agent.emits) {
            (escalating(plain(&emits)), "explicit")
        } else if let Some(role) = of_role {
            (escalating(plain(&role.emits)), "catalogue role")
        } else {
            (Vec::new(), "built-in default")
        };
        fields.push(("emits", shown(&emits.0), emits.1));

        let prompt = said(&agent.system_prompt).filter(|text| !text.is_empty());
        let by_caller = caller.system_prompt.clone().filter(|text| !text.is_empty());
        fields.push(nullable("system_prompt", prompt, by_caller));
        fields.push(nullable("cwd", said(&agent.cwd), caller.cwd.clone()));
        for (name, field, by_caller, built_in) in [
            ("yolo", &agent.yolo, caller.yolo, false),
            ("lion_system", &agent.lion_system, caller.lion_system, true),
            (
                "context_management",
                &agent.context_management,
                caller.context_management,
                true,
            ),
        ] {
            let (value, origin) = flag(field, by_caller, built_in);
            fields.push((name, shown(&value), origin));
        }
        let servers = said(&agent.mcp_servers).map(|servers| plain(&servers));
        fields.push(nullable("mcp_servers", servers, caller.mcp_servers.clone()));
        fields.push(nullable(
            "mcp_config_path",
            said(&agent.mcp_config_path),
            caller.mcp_config_path.clone(),
        ));

        let global = self
            .global
            .as_ref()
            .and_then(|settings| settings.mcp_security.clone());
        let project = self
            .project
            .as_ref()
            .filter(|_| self.trusted)
            .and_then(|settings| settings.mcp_security.clone());
        let security = match (&agent.mcp_security, project, global, &caller.mcp_security) {
            (Some(given), ..) => (given.value.clone().unwrap_or_default(), "explicit"),
            (None, Some(project), Some(global), _) => (project.over(&global), "global and project settings"),
            (None, Some(project), None, _) => (project, "project settings"),
            (None, None, Some(global), _) => (global, "global settings"),
            (None, None, None, Some(by_caller)) => (by_caller.clone(), "caller default"),
            (None, None, None, None) => (Default::default(), "built-in default"),
        };
        fields.push(("mcp_security", shown(&security.0), security.1));
        Ok(fields)
    }

    /// The prompt of an agent with these modes, tools and prompt text.
    pub(crate) fn prompt(
        &self,
        modes: &[String],
        coding: bool,
        own: Option<&str>,
        lion: bool,
    ) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        let role = self.agent.role.as_ref().map(|role| role.value.clone());
        let role = role.or(self.agent.preset.as_ref().map(|_| "implementer".to_owned()));
        if let (Some(catalogue), Some(role)) = (&self.catalogue, &role) {
            parts.extend(
                catalogue
                    .role(role)
                    .and_then(|role| role.body.clone())
                    .map(|body| body.value),
            );
        }
        if let Some(catalogue) = &self.catalogue {
            for mode in modes {
                parts.extend(
                    catalogue
                        .mode(mode)
                        .map(|mode| plain(&mode.behaviors))
                        .unwrap_or_default(),
                );
            }
        }
        let no_pack = self.agent.pack.as_ref().is_some_and(|pack| pack.value.is_none());
        if let (Some(pack), Some(role), false) = (&self.pack, &role, no_pack)
            && let Some(directives) = pack.prompt_directives(role)
        {
            let mut block: Vec<String> = Vec::new();
            for (heading, items) in [
                ("## Authority\n", &directives.authority),
                ("## Operational Boundaries\n", &directives.boundaries),
                (
                    "## Escalation Conditions\nWhen any condition occurs, STOP and emit an escalation_request with the reason:\n",
                    &directives.escalations,
                ),
            ] {
                if !items.is_empty() {
                    let items: Vec<String> = items.iter().map(|item| format!("- {}", item.value)).collect();
                    block.push(format!("{heading}{}", items.join("\n")));
                }
            }
            parts.push(block.join("\n\n"));
        }
        parts.extend(own.map(str::to_owned));
        if coding {
            parts.extend(
                self.catalogue
                    .as_ref()
                    .and_then(|catalogue| catalogue.coding_hint.clone())
                    .map(|hint| hint.value),
            );
        }
        parts.retain(|part| !part.is_empty());
        if parts.is_empty() {
            return None;
        }
        let message = parts.join("\n\n");
        match &self.preamble {
            Some(preamble) if lion && !preamble.trim().is_empty() => {
                Some(format!("{}\n\n{message}", preamble.trim()))
            }
            _ => Some(message),
        }
    }

    /// Every hook, each once under its phase and tool, in the order of installation.
    pub(crate) fn hooks(&self) -> Vec<(&'static str, String, HookEntry)> {
        let mut hooks: Vec<(&'static str, String, HookEntry)> = Vec::new();
        let mut add = |phase, tool: &str, entry: HookEntry| {
            let hook = (phase, tool.to_owned(), entry);
            if !hooks.contains(&hook) {
                hooks.push(hook);
            }
        };
        let guard = |function: &str| HookEntry::Python {
            module: "lionagi.agent.hooks".into(),
            function: function.into(),
        };
        if self.agent.preset.is_some() && self.agent.secure.as_ref().is_none_or(|secure| secure.value) {
            add("pre", "bash", guard("guard_destructive"));
            add("pre", "reader", guard("guard_paths"));
            add("pre", "editor", guard("guard_paths"));
        }
        let own = self.agent.hooks.as_ref();
        let global = self.global.as_ref().map(|settings| &settings.hooks);
        let project = self
            .project
            .as_ref()
            .filter(|_| self.trusted)
            .map(|settings| &settings.hooks);
        for Hooks { pre, post, on_error } in [own, global, project].into_iter().flatten() {
            for (phase, tools) in [("pre", pre), ("post", post), ("on_error", on_error)] {
                for tool in tools {
                    for entry in &tool.entries {
                        add(phase, &tool.tool.value, entry.value.clone());
                    }
                }
            }
        }
        hooks
    }
}

fn flag(field: &Option<Spanned<bool>>, caller: Option<bool>, built_in: bool) -> (bool, &'static str) {
    match (field, caller) {
        (Some(given), _) => (given.value, "explicit"),
        (None, Some(given)) => (given, "caller default"),
        (None, None) => (built_in, "built-in default"),
    }
}

fn nullable<T: std::fmt::Debug>(name: &'static str, own: Option<T>, caller: Option<T>) -> Field {
    match (own, caller) {
        (Some(value), _) => (name, shown(&Some(value)), "explicit"),
        (None, Some(value)) => (name, shown(&Some(value)), "caller default"),
        (None, None) => (name, shown(&None::<T>), "built-in default"),
    }
}

fn escalating(mut emits: Vec<String>) -> Vec<String> {
    if !emits.is_empty() && !emits.contains(&"EscalationRequest".to_owned()) {
        emits.push("EscalationRequest".to_owned());
    }
    emits
}
