//! One document of each kind that uses every field, for the tests that are about all kinds.

use callgate_compiler::Kind;

pub(crate) const PERMISSIONS: &str = "\
mode: rules
deny:
  bash: [\"rm -rf *\", \"sudo *\"]
  editor: [.env, \"*.key\"]
allow:
  reader: [\"*\"]
  Bash_tool: [\"git *\"]
escalate:
  \"*\": [\"*\"]
";

pub(crate) const SETTINGS: &str = "\
permissions:
  deny: [\"Shell(rm:*)\"]
  ask: [\"Shell(git push:*)\"]
  allow: [Read, \"Shell(go test:*)\"]
  subagent:
    deny: [\"Shell(gh pr merge:*)\"]
    ask: [Edit]
    allow: [\"Shell(go vet:*)\"]
posture: strict
trustedWorkspaces: [/home/me/src/x]
hooks:
  pre:
    bash: \"lionagi.agent.hooks:guard_destructive\"
  post:
    \"*\":
      - {command: [ruff, format, \"{file_path}\"]}
  on_error:
    editor:
      - python: \"lionagi.agent.hooks:log_error\"
mcp_security:
  allow_commands: true
  command_allowlist: [npx]
  allow_urls: true
  url_allowlist: [tools.example.com]
  env_denylist_patterns: [TOKEN]
  filter_sensitive_env: true
  max_connections_per_server: 3
";

pub(crate) const SETTINGS_RULES: &str = "\
permissions:
  mode: rules
  allow: {reader: [\"*\"]}
";

pub(crate) const SETTINGS_PRESET: &str = "permissions: safe\n";

pub(crate) const PACK: &str = "\
name: team
roles:
  critic:
    authority: [Decide what blocks a release.]
    boundaries: [Cannot change requirements.]
    escalations: [Scope expands beyond the estimate]
    model: provider/name
    effort: high
    default_modes: [adversarial]
    modes_allow: [adversarial, premortem]
    active: true
  writer: {model: null}
";

pub(crate) const AGENT: &str = "\
role: architect
preset: coding
secure: true
modes: [adversarial]
model: provider/name
effort: null
tools: [coding, reader]
pack: default
permissions:
  mode: rules
  allow: {reader: [\"*\"]}
grant_emissions: true
emits: [Finding]
system_prompt: Be brief.
cwd: .
yolo: false
lion_system: true
context_management: true
mcp_servers: null
mcp_config_path: null
mcp_security: {allow_commands: false}
hooks: {pre: {bash: [\"lionagi.agent.hooks:guard_destructive\"]}}
";

pub(crate) const AGENT_SMALL: &str = "role: critic\npermissions: safe\nemits: null\nmcp_servers: [docs]\n";

pub(crate) const TESTS: &str = "\
policy: ../coding-agent.yaml
cases:
  - call: {tool: bash, action: run, args: {command: git status, count: [1, null]}, workspace: /src}
    expect: allow
  - {name: destructive, call: bash(rm -rf build), expect: deny, rule: rm *, audience: main, mode: default}
  - {call: context, expect: escalate, rule: null}
invariants:
  - never allow bash(rm *)
  - only ask bash, editor(*.md)
";

pub(crate) const CATALOGUE: &str = "\
callgate: catalogue
roles:
  critic: {body: Judge the work., emits: [Finding]}
modes:
  thorough: {behaviors: [Read everything., Say what you skipped.], conflicts_with: [fast]}
  fast: {behaviors: Be quick.}
tools: [reader, coding]
coding_hint: Keep the context small.
";

/// Every document above with its kind; none has a finding.
pub(crate) const ALL: [(Kind, &str); 9] = [
    (Kind::Permissions, PERMISSIONS),
    (Kind::Settings, SETTINGS),
    (Kind::Settings, SETTINGS_RULES),
    (Kind::Settings, SETTINGS_PRESET),
    (Kind::Pack, PACK),
    (Kind::Agent, AGENT),
    (Kind::Agent, AGENT_SMALL),
    (Kind::Tests, TESTS),
    (Kind::Catalogue, CATALOGUE),
];
