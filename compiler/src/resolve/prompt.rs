//! Role, modes, directives and the agent's own words to the one text that the model is told. Nothing in it is enforced.

use super::Request;
use super::agent::ResolvedAgent;
use crate::ir::{Pack, RolePromptDirectives, Spanned};

/// A prompt: its parts in order, none of them empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// The parts.
    pub parts: Vec<PromptPart>,
}

/// One part of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptPart {
    /// What it is.
    pub kind: PartKind,
    /// Its text, never empty.
    pub text: String,
}

/// What a part of a prompt is, in the order of the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// The caller's text before every prompt.
    Preamble,
    /// The catalogue's text of the role.
    RoleBody,
    /// A behaviour of this mode.
    Mode(String),
    /// The pack's directives for the role.
    Directives,
    /// The agent's own text.
    SystemPrompt,
    /// The catalogue's line for coding agents.
    CodingHint,
}

impl PartKind {
    /// `preamble`, `role`, `mode NAME`, `directives`, `system_prompt`, `coding_hint`.
    pub fn name(&self) -> String {
        match self {
            Self::Preamble => String::from("preamble"),
            Self::RoleBody => String::from("role"),
            Self::Mode(name) => format!("mode {name}"),
            Self::Directives => String::from("directives"),
            Self::SystemPrompt => String::from("system_prompt"),
            Self::CodingHint => String::from("coding_hint"),
        }
    }
}

impl Prompt {
    /// The message: the parts with two newlines between them; `None` when there is none.
    pub fn text(&self) -> Option<String> {
        let texts: Vec<&str> = self.parts.iter().map(|part| part.text.as_str()).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }
}

const AUTHORITY: &str = "## Authority";
const BOUNDARIES: &str = "## Operational Boundaries";
const ESCALATIONS: &str = "## Escalation Conditions";
const ESCALATE: &str = "When any condition occurs, STOP and emit an escalation_request with the reason:";

impl RolePromptDirectives {
    /// The directive block (page 60); empty when there are no directives.
    pub fn render(&self) -> String {
        let sections = [
            (AUTHORITY, None, &self.authority),
            (BOUNDARIES, None, &self.boundaries),
            (ESCALATIONS, Some(ESCALATE), &self.escalations),
        ];
        let sections = sections.into_iter().filter(|(.., items)| !items.is_empty());
        let sections: Vec<String> = sections
            .map(|(heading, line, items)| section(heading, line, items))
            .collect();
        sections.join("\n\n")
    }
}

impl Pack {
    /// The directive block of a role; `None` when the pack does not have the role.
    pub fn render(&self, role: &str) -> Option<String> {
        self.prompt_directives(role).map(RolePromptDirectives::render)
    }
}

fn section(heading: &str, line: Option<&str>, items: &[Spanned<String>]) -> String {
    let items = items.iter().map(|item| format!("- {}", item.value));
    let lines = std::iter::once(heading.to_owned())
        .chain(line.map(str::to_owned))
        .chain(items);
    lines.collect::<Vec<_>>().join("\n")
}

/// The prompt of an agent whose other fields are resolved. `pack` is the pack in use.
pub(super) fn prompt(request: &Request<'_>, agent: &ResolvedAgent, pack: Option<&Pack>) -> Prompt {
    let catalogue = request.catalogue;
    let role = agent.role.value.as_deref();
    let of_role = role.and_then(|role| catalogue?.role(role));
    let body = of_role
        .and_then(|role| role.body.as_ref())
        .map(|body| body.value.clone());
    let mut parts = vec![(PartKind::RoleBody, body)];
    for name in &agent.modes.value {
        let behaviors = catalogue
            .and_then(|catalogue| catalogue.mode(name))
            .map(|mode| mode.behaviors.as_slice());
        let behaviors = behaviors.unwrap_or_default().iter();
        parts.extend(behaviors.map(|text| (PartKind::Mode(name.clone()), Some(text.value.clone()))));
    }
    let directives = role.and_then(|role| pack?.render(role));
    let hint = catalogue
        .and_then(|catalogue| catalogue.coding_hint.as_ref())
        .filter(|_| agent.has_context_tool());
    parts.extend([
        (PartKind::Directives, directives),
        (PartKind::SystemPrompt, agent.system_prompt.value.clone()),
        (PartKind::CodingHint, hint.map(|hint| hint.value.clone())),
    ]);
    let parts = parts.into_iter().filter_map(|(kind, text)| {
        let text = text.filter(|text| !text.is_empty())?;
        Some(PromptPart { kind, text })
    });
    let mut parts: Vec<PromptPart> = parts.collect();
    let preamble = request
        .preamble
        .map(str::trim)
        .filter(|text| agent.lion_system.value && !text.is_empty());
    if let Some(text) = preamble.filter(|_| !parts.is_empty()) {
        parts.insert(
            0,
            PromptPart {
                kind: PartKind::Preamble,
                text: text.to_owned(),
            },
        );
    }
    Prompt { parts }
}
