//! Generators of typed documents that the checker accepts, for what must hold of all of them.

use callgate_compiler::Posture;
use callgate_compiler::ir::{
    Agent, AgentPreset, Argument, Catalogue, CatalogueMode, CatalogueRole, HookEntry, Hooks, Layered,
    LayeredRule, McpSecurity, Nullable, Pack, PackRole, Permissions, PermissionsChoice, Preset, RoleConfig,
    RolePromptDirectives, Settings, SettingsPermissions, Spanned, ToolHooks, ToolRules,
};
use callgate_compiler::normal::PolicyMode;
use callgate_runtime::rule::{Audience, Effect};
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof};
use proptest::{collection, option, sample};

/// Modes of which no two contradict each other.
const MODES: [&str; 5] = ["adversarial", "empathetic", "premortem", "slow", "systematic"];

/// Roles that documents speak of; a pack or a catalogue has some of them.
const ROLES: [&str; 3] = ["critic", "implementer", "a b: #c"];

pub(crate) fn place<T>(value: T) -> Spanned<T> {
    Spanned::unplaced(value)
}

fn places(texts: Vec<String>) -> Vec<Spanned<String>> {
    texts.into_iter().map(place).collect()
}

/// Text that may be anything.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,6}",
        2 => sample::select(vec!["no", "~", "", "1_0", "a: b", "- x", "#", "{}", "*a", "'", "\"", "\\", "two\nlines", "2026-01-01"])
            .prop_map(String::from),
        1 => any::<String>(),
    ]
}

fn given<T: Clone + std::fmt::Debug + 'static>(
    value: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Option<Spanned<T>>> {
    option::of(value.prop_map(place)).boxed()
}

fn nullable<T: Clone + std::fmt::Debug + 'static>(
    value: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Nullable<T>> {
    option::of(option::of(value).prop_map(place)).boxed()
}

fn texts() -> impl Strategy<Value = Vec<Spanned<String>>> {
    collection::vec(text(), 0..3).prop_map(places)
}

/// Different names, in any order.
fn names(of: &'static [&'static str]) -> impl Strategy<Value = Vec<Spanned<String>>> {
    let names: Vec<String> = of.iter().map(ToString::to_string).collect();
    sample::subsequence(names, 0..=of.len().min(3))
        .prop_shuffle()
        .prop_map(places)
}

pub(crate) fn modes() -> impl Strategy<Value = Vec<Spanned<String>>> {
    names(&MODES)
}

pub(crate) fn tools() -> impl Strategy<Value = Vec<Spanned<String>>> {
    names(&["coding", "reader", "search"])
}

fn patterns() -> impl Strategy<Value = Vec<Spanned<String>>> {
    let pattern = prop_oneof!["[a-z]{1,5}\\*", "[ -~\n\u{e9}\u{1f600}]{0,6}\\*"];
    collection::vec(pattern, 0..3).prop_map(places)
}

fn tool_rules() -> impl Strategy<Value = Vec<ToolRules>> {
    collection::btree_map(
        sample::select(vec!["*", "bash", "editor", "mcp__x"]),
        patterns(),
        0..3,
    )
    .prop_map(|tools| {
        tools
            .into_iter()
            .map(|(tool, patterns)| ToolRules {
                tool: place(tool.to_owned()),
                canonical: tool.to_owned(),
                patterns,
            })
            .collect()
    })
}

pub(crate) fn permissions() -> impl Strategy<Value = PermissionsChoice> {
    let mode = sample::select(vec![PolicyMode::AllowAll, PolicyMode::DenyAll, PolicyMode::Rules]);
    let rules = (mode, tool_rules(), tool_rules(), tool_rules()).prop_map(|(mode, deny, allow, escalate)| {
        PermissionsChoice::Rules(Permissions {
            mode: Some(place(mode)),
            deny,
            allow,
            escalate,
        })
    });
    prop_oneof![
        1 => Just(PermissionsChoice::Rules(Permissions::default())),
        1 => sample::select(Preset::ALL.to_vec()).prop_map(|preset| PermissionsChoice::Preset(place(preset))),
        3 => rules,
    ]
}

pub(crate) fn mcp_security() -> impl Strategy<Value = McpSecurity> {
    let cap = option::of(any::<u32>().prop_map(place));
    (
        (given(any::<bool>()), nullable(names(&["npx", "uvx"]))),
        (given(any::<bool>()), nullable(names(&["a.example", "[::1]"]))),
        (nullable(names(&["TOKEN", "x: y"])), given(any::<bool>()), cap),
    )
        .prop_map(
            |((allow_commands, command_allowlist), (allow_urls, url_allowlist), (env, filter, cap))| {
                McpSecurity {
                    allow_commands,
                    command_allowlist,
                    allow_urls,
                    url_allowlist,
                    env_denylist_patterns: env,
                    filter_sensitive_env: filter,
                    max_connections_per_server: cap,
                }
            },
        )
}

fn entry() -> impl Strategy<Value = Spanned<HookEntry>> {
    let python = sample::select(vec!["guard_destructive", "guard_paths", "log"]).prop_map(|function| {
        HookEntry::Python {
            module: String::from("lionagi.agent.hooks"),
            function: function.to_owned(),
        }
    });
    let words = sample::select(vec![
        ("", ""),
        ("a b", ""),
        ("{path}", "path"),
        ("--x={a}", "a"),
        ("no", ""),
        ("{\"j\": 1}", ""),
    ]);
    let command = collection::vec(words, 0..3).prop_map(|words| {
        let words = std::iter::once(("ruff", "")).chain(words);
        HookEntry::Command(words.map(|(text, key)| argument(text, key)).collect())
    });
    prop_oneof![python, command].prop_map(place)
}

fn argument(text: &str, key: &str) -> Argument {
    Argument {
        text: text.to_owned(),
        placeholders: Some(key.to_owned())
            .filter(|key| !key.is_empty())
            .into_iter()
            .collect(),
    }
}

fn tool_hooks() -> impl Strategy<Value = Vec<ToolHooks>> {
    let tools = sample::select(vec!["*", "bash", "reader"]);
    collection::btree_map(tools, collection::vec(entry(), 0..3), 0..3).prop_map(|tools| {
        let tools = tools.into_iter();
        tools
            .map(|(tool, entries)| ToolHooks {
                tool: place(tool.to_owned()),
                entries,
            })
            .collect()
    })
}

pub(crate) fn hooks() -> impl Strategy<Value = Hooks> {
    (tool_hooks(), tool_hooks(), tool_hooks()).prop_map(|(pre, post, on_error)| Hooks { pre, post, on_error })
}

pub(crate) fn role() -> impl Strategy<Value = String> {
    sample::select(ROLES.to_vec()).prop_map(String::from)
}

/// An agent with any of its fields absent, null or given.
pub(crate) fn agent() -> impl Strategy<Value = Agent> {
    let identity = (
        role(),
        given(Just(AgentPreset::Coding)),
        given(any::<bool>()),
        option::of(modes()),
        option::of(tools()),
    );
    let model = (
        nullable(text()),
        nullable(text()),
        nullable(prop_oneof![Just(String::from("default")), text()]),
    );
    let permissions = (
        nullable(permissions()),
        given(any::<bool>()),
        nullable(names(&["Finding", "EscalationRequest", "A"])),
    );
    let words = (
        nullable(text()),
        nullable(text()),
        given(any::<bool>()),
        given(any::<bool>()),
        given(any::<bool>()),
    );
    let servers = (
        nullable(texts()),
        nullable(text()),
        nullable(mcp_security()),
        option::of(hooks()),
    );
    (identity, model, permissions, words, servers).prop_map(
        |(identity, model, permissions, words, servers)| Agent {
            role: Some(place(identity.0)),
            preset: identity.1,
            secure: identity.2,
            modes: identity.3,
            tools: identity.4,
            model: model.0,
            effort: model.1,
            pack: model.2,
            permissions: permissions.0,
            grant_emissions: permissions.1,
            emits: permissions.2,
            system_prompt: words.0,
            cwd: words.1,
            yolo: words.2,
            lion_system: words.3,
            context_management: words.4,
            mcp_servers: servers.0,
            mcp_config_path: servers.1,
            mcp_security: servers.2,
            hooks: servers.3,
            code_handlers: Vec::new(),
        },
    )
}

fn config() -> impl Strategy<Value = RoleConfig> {
    let default_modes = option::of(modes());
    let fields = (
        given(text()),
        given(text()),
        default_modes,
        any::<bool>(),
        given(any::<bool>()),
    );
    fields.prop_map(|(model, effort, default_modes, limited, active)| RoleConfig {
        model,
        effort,
        modes_allow: default_modes.clone().filter(|_| limited).unwrap_or_default(),
        default_modes,
        active,
    })
}

pub(crate) fn pack() -> impl Strategy<Value = Pack> {
    let directives =
        (texts(), texts(), texts()).prop_map(|(authority, boundaries, escalations)| RolePromptDirectives {
            authority,
            boundaries,
            escalations,
        });
    let roles = collection::btree_map(role(), (directives, config()), 0..3);
    (text(), roles).prop_map(|(name, roles)| {
        let roles = roles.into_iter();
        let roles = roles.map(|(role, (directives, config))| PackRole {
            role: place(role),
            directives,
            config,
        });
        Pack {
            name,
            roles: roles.collect(),
        }
    })
}

pub(crate) fn catalogue() -> impl Strategy<Value = Catalogue> {
    let body = || (given(text()), names(&["Finding", "EscalationRequest"]));
    let roles: Vec<_> = ROLES
        .iter()
        .map(|role| (Just(role.to_string()), body()))
        .collect();
    let modes = collection::btree_map(sample::select(MODES.to_vec()), texts(), 0..4);
    (roles, modes, given(text())).prop_map(|(roles, modes, coding_hint)| Catalogue {
        roles: roles
            .into_iter()
            .map(|(name, (body, emits))| CatalogueRole {
                name: place(name),
                body,
                emits,
            })
            .collect(),
        modes: modes
            .into_iter()
            .map(|(name, behaviors)| CatalogueMode {
                name: place(name.to_owned()),
                behaviors,
                conflicts_with: Vec::new(),
            })
            .collect(),
        tools: None,
        coding_hint,
    })
}

/// Rules of the layered dialect in one of the orders that a document can have.
fn layered() -> impl Strategy<Value = Layered> {
    const SPECS: [(&str, &str, &str); 5] = [
        ("Shell(rm:*)", "Shell", "rm*"),
        ("Read", "Read", ""),
        ("Bash(git status)", "Shell", "git status"),
        ("Edit(src/**)", "Edit", "src/**"),
        ("mcp__x(a b)", "mcp__x", "a b"),
    ];
    let effects = || Just(vec![Effect::Deny, Effect::Ask, Effect::Allow]).prop_shuffle();
    let specs = || collection::vec(collection::vec(sample::select(SPECS.to_vec()), 0..3), 6);
    (effects(), effects(), 0..=3_usize, specs()).prop_map(|(outer, inner, at, specs)| {
        let mut keys: Vec<(Effect, bool)> = outer.into_iter().map(|effect| (effect, false)).collect();
        keys.splice(at..at, inner.into_iter().map(|effect| (effect, true)));
        let mut rules = Vec::new();
        for ((effect, subagent), specs) in keys.into_iter().zip(specs) {
            let audience = match (subagent, effect) {
                (true, _) => Audience::Subagent,
                (false, Effect::Deny) => Audience::All,
                (false, Effect::Ask | Effect::Allow) => Audience::Main,
            };
            rules.extend(specs.into_iter().map(|(spec, tool, pattern)| LayeredRule {
                effect,
                audience,
                spec: place(spec.to_owned()),
                tool: tool.to_owned(),
                pattern: pattern.to_owned(),
            }));
        }
        Layered { rules }
    })
}

pub(crate) fn settings() -> impl Strategy<Value = Settings> {
    let permissions = prop_oneof![
        layered().prop_map(SettingsPermissions::Layered),
        permissions().prop_map(SettingsPermissions::Rules),
    ];
    let posture = given(sample::select(Posture::ALL.to_vec()));
    let rest = (
        texts(),
        hooks(),
        option::of(mcp_security()),
        names(&["theme", "x y", "5"]),
    );
    (option::of(permissions), posture, rest).prop_map(|(permissions, posture, rest)| Settings {
        permissions,
        posture,
        trusted_workspaces: rest.0,
        hooks: rest.1,
        mcp_security: rest.2,
        foreign_keys: rest.3,
    })
}
