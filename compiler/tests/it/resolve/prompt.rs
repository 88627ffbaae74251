//! Page 60, prompts: parts, their order, and what stands between them.

use callgate_compiler::resolve::{PartKind, Request, ResolvedAgent};

use super::{agent, catalogue, pack, resolved};

const CATALOGUE: &str = "\
callgate: catalogue
roles: {critic: {body: 'I judge.'}, empty: {body: ''}}
modes: {slow: {behaviors: ['Take time.', '', 'Look twice.']}, premortem: {behaviors: It failed. Why?}}
coding_hint: Mind the context.
";

const PACK: &str = "\
roles:
  critic:
    authority: [Decide what blocks., 'Say: no.']
    boundaries: [Cannot change requirements.]
    escalations: [Scope grows]
  quiet: {}
  bound: {boundaries: [Stay inside.]}
";

fn of(text: &str, preamble: Option<&str>) -> ResolvedAgent {
    let known = catalogue(CATALOGUE);
    let agent = agent(text, Some(&known_modes()));
    let team = pack(PACK);
    resolved(&Request {
        pack: Some(&team),
        catalogue: Some(&known),
        preamble,
        text,
        ..Request::new(&agent)
    })
}

/// The catalogue without its roles, so that documents may have any.
fn known_modes() -> callgate_compiler::ir::Catalogue {
    callgate_compiler::ir::Catalogue {
        roles: Vec::new(),
        ..catalogue(CATALOGUE)
    }
}

const BLOCK: &str = "\
## Authority
- Decide what blocks.
- Say: no.

## Operational Boundaries
- Cannot change requirements.

## Escalation Conditions
When any condition occurs, STOP and emit an escalation_request with the reason:
- Scope grows";

#[test]
fn parts_in_order_with_two_newlines_between() {
    let text = "role: critic\nmodes: [premortem, slow]\ntools: [coding]\nsystem_prompt: Be brief.\n";
    let whole = of(text, Some("\n  You are here.\t\n"));
    let due = format!(
        "You are here.\n\nI judge.\n\nIt failed. Why?\n\nTake time.\n\nLook twice.\n\n{BLOCK}\n\nBe brief.\n\nMind the context."
    );
    assert_eq!(whole.prompt.text(), Some(due));
    let kinds: Vec<String> = whole.prompt.parts.iter().map(|part| part.kind.name()).collect();
    let due = [
        "preamble",
        "role",
        "mode premortem",
        "mode slow",
        "mode slow",
        "directives",
        "system_prompt",
        "coding_hint",
    ];
    assert_eq!(kinds, due);
}

#[test]
fn each_part_only_where_there_is_one() {
    for (text, preamble, due) in [
        ("role: critic\npack: null\n", None, Some("I judge.")),
        ("role: critic\npack: null\n", Some("Hi."), Some("Hi.\n\nI judge.")),
        (
            "role: critic\npack: null\nlion_system: false\n",
            Some("Hi."),
            Some("I judge."),
        ),
        ("role: critic\npack: null\n", Some(" \n"), Some("I judge.")),
        (
            "role: critic\npack: null\ntools: [coding]\n",
            None,
            Some("I judge.\n\nMind the context."),
        ),
        (
            "role: critic\npack: null\ntools: [coding]\ncontext_management: false\n",
            None,
            Some("I judge."),
        ),
        (
            "role: critic\npack: null\ntools: [reader]\n",
            None,
            Some("I judge."),
        ),
        (
            "role: critic\npack: null\nsystem_prompt: ''\n",
            None,
            Some("I judge."),
        ),
        (
            "role: critic\npack: null\nsystem_prompt: null\n",
            None,
            Some("I judge."),
        ),
        ("role: critic\n", None, Some("CRITIC")),
        // A role without a body still gets a message from what else there is.
        (
            "role: bound\n",
            None,
            Some("## Operational Boundaries\n- Stay inside."),
        ),
        ("role: quiet\nsystem_prompt: Go.\n", None, Some("Go.")),
        (
            "role: quiet\ntools: [coding]\n",
            Some("Hi."),
            Some("Hi.\n\nMind the context."),
        ),
        // Nothing non-empty: no message, with a preamble or without.
        ("role: quiet\n", None, None),
        ("role: quiet\n", Some("Hi."), None),
    ] {
        let known = known_modes();
        let mut with_body = known.clone();
        with_body.roles = catalogue(CATALOGUE)
            .roles
            .into_iter()
            .filter(|role| role.name.value == "critic")
            .collect();
        let agent = agent(text, Some(&known));
        let team = pack(PACK);
        // Roles that the catalogue lacks are refused, so those go without its roles.
        let catalogue = if text.contains("critic") {
            &with_body
        } else {
            &known
        };
        let request = Request {
            pack: Some(&team),
            catalogue: Some(catalogue),
            preamble,
            ..Request::new(&agent)
        };
        let due = due.map(|due| due.replace("CRITIC", &format!("I judge.\n\n{BLOCK}")));
        assert_eq!(resolved(&request).prompt.text(), due, "{text}");
    }
    assert_eq!(of("role: empty\n", None).prompt.text(), None);
}

/// Texts are the caller's: they are joined as they are, and only the preamble is stripped.
#[test]
fn texts_are_not_touched() {
    let agent = agent("role: r\nsystem_prompt: \"  two\\n\"\n", None);
    let known = catalogue("callgate: catalogue\nroles: {r: {body: \"one\\n\"}}\n");
    let prompt = resolved(&Request {
        catalogue: Some(&known),
        ..Request::new(&agent)
    })
    .prompt;
    assert_eq!(prompt.text().as_deref(), Some("one\n\n\n  two\n"));
    assert_eq!(prompt.parts[0].kind, PartKind::RoleBody);
}

#[test]
fn directive_blocks() {
    let team = pack(PACK);
    assert_eq!(team.render("critic").as_deref(), Some(BLOCK));
    assert_eq!(team.render("quiet").as_deref(), Some(""));
    assert_eq!(team.render("nobody"), None);
    assert_eq!(
        team.render("bound").as_deref(),
        Some("## Operational Boundaries\n- Stay inside.")
    );
    let apart = pack("roles: {r: {authority: [A.], escalations: [E]}}\n");
    let due = "## Authority\n- A.\n\n## Escalation Conditions\nWhen any condition occurs, STOP and emit an escalation_request with the reason:\n- E";
    assert_eq!(apart.render("r").as_deref(), Some(due));
}
