//! A policy as a row says it, compiled: what engines are given.

use callgate_compiler::normal::{Dialect, Matcher, NormalPolicy, NormalRule, Origin, PolicyMode, ToolKey};
use callgate_compiler::{Options, Severity, Source, compile, emit};
use callgate_grammar::Position;
use callgate_grammar::pattern::{self, Flavor};
use callgate_grammar::rule_spec;
use callgate_runtime::rule::{Audience, Effect, Scope};

use crate::oracle::layered::Floor;

/// The name that a document's table and answers call its source by.
pub const SOURCE: &str = "policy.yaml";

/// A policy, as text and as a table.
#[derive(Clone, Debug)]
pub struct CompiledPolicy {
    /// What it was made from.
    pub text: PolicyText,
    /// The decision table.
    pub bytes: Vec<u8>,
}

/// A policy before it is compiled.
#[derive(Clone, Debug)]
pub enum PolicyText {
    /// A document of the rules dialect.
    Document(String),
    /// Rules of the layered dialect, each with a scope of its own.
    Specs(Specs),
}

/// Rules of the layered dialect as vectors give them.
#[derive(Clone, Debug)]
pub struct Specs {
    /// The rules in document order.
    pub rules: Vec<Spec>,
    /// The rules that hold where nothing is configured.
    pub floor: Floor,
    /// Loose substitution, for every audience.
    pub loose_substitution: bool,
}

/// One rule spec.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Where it is meant to come from.
    pub scope: Scope,
    /// The list it stands in.
    pub effect: Effect,
    /// The spec; empty for the rule that any call matches.
    pub text: String,
    /// Whom it binds.
    pub audience: Audience,
}

impl CompiledPolicy {
    /// Compiles the policy; otherwise what the compiler says.
    pub fn new(text: PolicyText) -> Result<Self, String> {
        let bytes = match &text {
            PolicyText::Document(document) => document_bytes(document)?,
            PolicyText::Specs(specs) => {
                emit::table(&normal_policy(specs)?).map_err(|error| error.to_string())?
            }
        };
        Ok(Self { text, bytes })
    }
}

fn document_bytes(document: &str) -> Result<Vec<u8>, String> {
    let source = Source {
        name: SOURCE,
        bytes: document.as_bytes(),
    };
    let compilation = compile(&[source], &Options::default());
    match compilation.policy {
        Some(policy) => Ok(policy.bytes),
        None => {
            let errors = compilation
                .diagnostics
                .iter()
                .filter(|found| found.severity == Severity::Error);
            let errors: Vec<String> = errors
                .map(|found| format!("{}: {}", found.code, found.message))
                .collect();
            Err(format!("does not compile: {}", errors.join("; ")))
        }
    }
}

/// The normal form that a settings document would give, but for the scopes and the floor.
fn normal_policy(specs: &Specs) -> Result<NormalPolicy, String> {
    let mut rules = Vec::new();
    for (
        index,
        Spec {
            scope,
            effect,
            text,
            audience,
        },
    ) in specs.rules.iter().enumerate()
    {
        let (tool, pattern) = match text.as_str() {
            "" => (String::new(), String::new()),
            text => {
                let spec = rule_spec::parse(text).map_err(|error| format!("{text:?}: {error}"))?;
                (spec.tool, spec.pattern.unwrap_or_default())
            }
        };
        let place = Position {
            line: line_of(index),
            column: 1,
        };
        let origin = Origin {
            source: SOURCE.to_owned(),
            position: place,
        };
        rules.push(NormalRule {
            audience: *audience,
            origin,
            ..rule(*scope, *effect, &tool, &pattern)
        });
    }
    rules.extend(floor(specs.floor)?);
    Ok(NormalPolicy {
        dialect: Dialect::Layered,
        mode: PolicyMode::Rules,
        rules,
        loose_substitution_main: specs.loose_substitution,
        loose_substitution_child: specs.loose_substitution,
    })
}

/// The line that a spec counts as written on, so that answers tell specs of one text apart.
pub(super) fn line_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}

fn floor(floor: Floor) -> Result<Vec<NormalRule>, String> {
    let tools = |effect, tools: &[&str]| -> Vec<NormalRule> {
        tools
            .iter()
            .map(|tool| rule(Scope::BuiltinDefault, effect, tool, ""))
            .collect()
    };
    match floor {
        Floor::None => Ok(Vec::new()),
        Floor::Child => Ok(tools(Effect::Allow, &[""])),
        Floor::Builtin => {
            let allowed = [
                "Read",
                "ListDir",
                "Grep",
                "Glob",
                "WebFetch",
                "WebSearch",
                "Subagent",
            ];
            let asked = [
                "Shell",
                "Edit",
                "Write",
                "Copy",
                "Move",
                "Remove",
                "Team",
                "SkillDraft",
            ];
            Ok([tools(Effect::Allow, &allowed), tools(Effect::Ask, &asked)].concat())
        }
        Floor::ByAudience => Err(String::from(
            "rule specs alone do not say whose floor they stand on",
        )),
    }
}

fn rule(scope: Scope, effect: Effect, tool: &str, pattern: &str) -> NormalRule {
    let matcher = match pattern {
        "" => Matcher::Everything,
        _ => Matcher::Glob {
            tokens: pattern::parse(pattern, Flavor::Layered),
            lowered: None,
        },
    };
    NormalRule {
        effect,
        tool: if tool.is_empty() {
            ToolKey::Any
        } else {
            ToolKey::Named(tool.to_owned())
        },
        pattern: pattern.to_owned(),
        matcher,
        scope: Some(scope),
        audience: Audience::All,
        origin: Origin {
            source: String::new(),
            position: Position { line: 0, column: 0 },
        },
    }
}
