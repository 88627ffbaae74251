//! Parsed YAML to the oracle's policies: permissions of the rules dialect, and the rules of one settings file.
//!
//! It reads what is sound and says `Unread` to the rest; whether a document is sound is the checker's question.

use callgate_grammar::{Document, Limits, LineIndex, Mapping, Node, Value};
use callgate_runtime::rule::{Audience, Effect, Scope};

use super::answer::Place;
use super::layered;
use super::presets;
use super::rules::{Policy, PolicyMode, Rule};
use super::spec::spec;
use super::subject;

/// The text is no document that the oracle reads; what is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread(pub String);

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The policy of a permissions document of the rules dialect, or of one under `permissions:` in a settings file.
pub fn permissions(source: &str, text: &str) -> Result<Policy, Unread> {
    let file = File::read(source, text)?;
    let top = file.top()?;
    match entry(top, "permissions") {
        None => file.rules_dialect(top),
        Some(node) => match &node.value {
            Value::Scalar(name) => presets::preset(&name.text).ok_or_else(|| unread("a preset")),
            Value::Mapping(mapping) => file.rules_dialect(mapping),
            Value::Sequence(_) => Err(unread("a sequence")),
        },
    }
}

/// The rules of one settings file of the layered dialect that count: an untrusted workspace's allows do not.
pub fn settings_rules(
    source: &str,
    text: &str,
    scope: Scope,
    trusted: bool,
) -> Result<Vec<layered::Rule>, Unread> {
    let file = File::read(source, text)?;
    let Some(root) = &file.document.root else {
        return Ok(Vec::new());
    };
    let top = mapping(root)?;
    let mut rules = Vec::new();
    let Some(permissions) = entry(top, "permissions").filter(|node| !is_null(node)) else {
        return Ok(rules);
    };
    let permissions = mapping(permissions)?;
    for (buckets, of_subagent) in [(Some(permissions), false), (subagent(permissions)?, true)] {
        for each in buckets.map(|buckets| &buckets.entries).into_iter().flatten() {
            let effect = match each.key.scalar.text.as_str() {
                "deny" => Effect::Deny,
                "ask" => Effect::Ask,
                "allow" => Effect::Allow,
                _ => continue,
            };
            let audience = match (of_subagent, effect) {
                (true, _) => Audience::Subagent,
                (false, Effect::Deny) => Audience::All,
                (false, Effect::Ask | Effect::Allow) => Audience::Main,
            };
            for node in items(&each.value)? {
                let (tool, pattern) = spec(scalar(node)?).ok_or_else(|| unread("a rule spec"))?;
                let place = file.place(node);
                rules.push(layered::Rule {
                    scope,
                    effect,
                    tool,
                    pattern,
                    exact: false,
                    audience,
                    place,
                });
            }
        }
    }
    let from_project = matches!(scope, Scope::LocalProject | Scope::SharedProject);
    rules.retain(|rule| rule.effect != Effect::Allow || trusted || !from_project);
    Ok(rules)
}

/// The value of the top-level scalar `key`, such as `posture`.
pub(super) fn top_scalar(text: &str, key: &str) -> Option<String> {
    let file = File::read("", text).ok()?;
    let node = entry(file.top().ok()?, key)?;
    scalar(node).ok().map(str::to_owned)
}

struct File<'t> {
    source: &'t str,
    text: &'t str,
    lines: LineIndex,
    document: Document,
}

impl<'t> File<'t> {
    fn read(source: &'t str, text: &'t str) -> Result<Self, Unread> {
        let document = callgate_grammar::parse(text.as_bytes(), &Limits::default())
            .map_err(|errors| Unread(format!("{} syntax errors", errors.len())))?;
        Ok(Self {
            source,
            text,
            lines: LineIndex::new(text),
            document,
        })
    }

    fn top(&self) -> Result<&Mapping, Unread> {
        mapping(self.document.root.as_ref().ok_or_else(|| unread("nothing"))?)
    }

    fn place(&self, node: &Node) -> Place {
        let position = self.lines.position(self.text, node.span.start);
        Place {
            source: self.source.to_owned(),
            line: position.line,
            column: position.column,
        }
    }

    fn rules_dialect(&self, permissions: &Mapping) -> Result<Policy, Unread> {
        let mut policy = Policy {
            mode: PolicyMode::AllowAll,
            rules: Vec::new(),
        };
        for each in &permissions.entries {
            let effect = match each.key.scalar.text.as_str() {
                "mode" => {
                    policy.mode = match scalar(&each.value)? {
                        "allow_all" => PolicyMode::AllowAll,
                        "deny_all" => PolicyMode::DenyAll,
                        "rules" => PolicyMode::Rules,
                        _ => return Err(unread("an unknown mode")),
                    };
                    continue;
                }
                "deny" => Effect::Deny,
                "allow" => Effect::Allow,
                "escalate" | "ask" => Effect::Ask,
                other => return Err(Unread(format!("the key {other:?}"))),
            };
            for tool in &mapping(&each.value)?.entries {
                for pattern in items(&tool.value)? {
                    policy.rules.push(Rule {
                        effect,
                        tool: subject::canonical(&tool.key.scalar.text),
                        pattern: scalar(pattern)?.to_owned(),
                        place: self.place(pattern),
                    });
                }
            }
        }
        Ok(policy)
    }
}

fn subagent(permissions: &Mapping) -> Result<Option<&Mapping>, Unread> {
    entry(permissions, "subagent")
        .filter(|node| !is_null(node))
        .map(mapping)
        .transpose()
}

fn entry<'m>(mapping: &'m Mapping, key: &str) -> Option<&'m Node> {
    mapping
        .entries
        .iter()
        .find(|entry| entry.key.scalar.text == key)
        .map(|entry| &entry.value)
}

fn mapping(node: &Node) -> Result<&Mapping, Unread> {
    match &node.value {
        Value::Mapping(mapping) => Ok(mapping),
        Value::Scalar(_) | Value::Sequence(_) => Err(unread("no mapping")),
    }
}

fn items(node: &Node) -> Result<&[Node], Unread> {
    match &node.value {
        Value::Sequence(sequence) => Ok(&sequence.items),
        Value::Scalar(_) | Value::Mapping(_) => Err(unread("no sequence")),
    }
}

fn scalar(node: &Node) -> Result<&str, Unread> {
    match &node.value {
        Value::Scalar(scalar) => Ok(&scalar.text),
        Value::Sequence(_) | Value::Mapping(_) => Err(unread("no scalar")),
    }
}

/// Left out, or written as null.
fn is_null(node: &Node) -> bool {
    match &node.value {
        Value::Scalar(scalar) => scalar.reading() == callgate_grammar::Reading::Null,
        Value::Sequence(_) | Value::Mapping(_) => false,
    }
}

fn unread(what: &str) -> Unread {
    Unread(format!("{what} where something else is due"))
}
