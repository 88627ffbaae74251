//! Claude Code's `settings.json` to a settings document of ours (page 30, *Importing*).
//!
//! Deny and ask come over verbatim, and so does an allow that means here no more than it meant there. Whatever the
//! output allows stands in the input's allow list in the same words.

use callgate_grammar::rule_spec::{self, RuleSpec};
use callgate_runtime::json::{self, JsonError, Member, Value, push_string};
use callgate_runtime::rule::Scope;

use super::report::{Note, NoteKind};
use crate::check::check;
use crate::diagnostic::Severity;
use crate::ir::{Document, SettingsPermissions};
use crate::options::Options;
use crate::source::{Kind, Source};

/// What an import made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// A settings document that compiles.
    pub yaml: String,
    /// Every entry that did not come over as it was.
    pub notes: Vec<Note>,
}

/// Why nothing was imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The text has no one reading as JSON.
    #[error("the file cannot be read: {0}")]
    Json(#[from] JsonError),
    /// It is JSON, but no object.
    #[error("the file is not an object")]
    NotAnObject,
    /// `permissions` is there and is no object.
    #[error("`permissions` is not an object")]
    Permissions,
    /// The rules are more than a settings document may hold.
    #[error("the rules are too many for one settings document")]
    TooLarge,
}

/// Reads a `settings.json` of Claude Code. Linear in its text.
///
/// ```
/// let text = r#"{"permissions": {"allow": ["Bash(npm test:*)", "WebFetch(domain:docs.rs)"], "deny": ["Read(.env)"]}}"#;
/// let imported = callgate_compiler::import::claude(text)?;
/// assert_eq!(
///     imported.yaml,
///     "permissions:\n  deny:\n    - 'Read(.env)'\n  ask:\n    - 'WebFetch(domain:docs.rs)'\n    - 'WebFetch'\n  \
///      allow:\n    - 'Bash(npm test:*)'\n"
/// );
/// # Ok::<(), callgate_compiler::import::ImportError>(())
/// ```
pub fn claude(text: &str) -> Result<Imported, ImportError> {
    let root = json::parse(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let root = root.as_object().ok_or(ImportError::NotAnObject)?;
    let mut import = Import::default();
    let mut permissions: &[Member<'_>] = &[];
    for member in root {
        match &*member.name {
            "permissions" => permissions = member.value.as_object().ok_or(ImportError::Permissions)?,
            "hooks" => import.skip_key(
                "hooks",
                "write `hooks:` by hand; a hook that blocked calls blocks none here",
            ),
            _ => {}
        }
    }
    for member in permissions {
        match &*member.name {
            "deny" => import.list(List::Deny, &member.value),
            "ask" => import.list(List::Ask, &member.value),
            "allow" => import.list(List::Allow, &member.value),
            name => {
                let place = ["permissions.", name].concat();
                import.skip_key(&place, "only the lists `deny`, `ask` and `allow` are imported");
            }
        }
    }
    import.ask_for_every_fetch();
    import.finish()
}

/// The lists of `permissions`, in the order of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    Deny,
    Ask,
    Allow,
}

impl List {
    fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

#[derive(Default)]
struct Import {
    deny: Vec<String>,
    ask: Vec<String>,
    allow: Vec<String>,
    notes: Vec<Note>,
    /// A deny or an ask names a domain.
    guards_domain: bool,
    /// An allow names a domain.
    allows_domain: bool,
    /// An allow names every fetch.
    allows_fetch: bool,
}

impl Import {
    fn list(&mut self, list: List, value: &Value<'_>) {
        let place = format!("permissions.{}", list.name());
        let Value::Array(entries) = value else {
            return self.note(NoteKind::Dropped, place, "", "not a list of rules");
        };
        for (index, entry) in entries.iter().enumerate() {
            let place = format!("{place}[{index}]");
            match entry.as_str() {
                Some(spec) => self.spec(list, place, spec),
                None => self.note(NoteKind::Dropped, place, "", "not a string"),
            }
        }
    }

    fn spec(&mut self, list: List, place: String, spec: &str) {
        let parsed = match accepted(spec) {
            Ok(parsed) => parsed,
            Err(message) => return self.note(NoteKind::Dropped, place, spec, &message),
        };
        let pattern = parsed.pattern_span.map(|span| span.of(spec)).unwrap_or_default();
        let names_domain = parsed.tool == "WebFetch"
            && pattern
                .get(..7)
                .is_some_and(|start| start.eq_ignore_ascii_case("domain:"));
        self.compare(&place, spec, &parsed, pattern, names_domain);
        match list {
            List::Deny | List::Ask => self.guards_domain |= names_domain,
            List::Allow => {
                self.allows_domain |= names_domain;
                self.allows_fetch |= parsed.tool == "WebFetch" && pattern.is_empty();
            }
        }
        match list {
            List::Deny => self.deny.push(spec.to_owned()),
            List::Allow if !names_domain => self.allow.push(spec.to_owned()),
            List::Allow => {
                let message = "what is fetched is a URL here, so the rule does not tell which calls are safe";
                self.note(NoteKind::BecameAsk, place, spec, message);
                self.ask.push(spec.to_owned());
            }
            List::Ask => self.ask.push(spec.to_owned()),
        }
    }

    /// Says where a rule that comes over verbatim does not do what it did.
    fn compare(&mut self, place: &str, spec: &str, parsed: &RuleSpec, pattern: &str, names_domain: bool) {
        let server = parsed.tool.strip_prefix("mcp__");
        let (kind, message) = if names_domain {
            let message = "the subject of `WebFetch` is the URL: write `WebFetch(https://DOMAIN/*)`";
            (NoteKind::NeverMatches, message)
        } else if server.is_some_and(|server| !server.contains("__")) {
            let message = "names are exact here: write one rule for each tool of the server";
            (NoteKind::NeverMatches, message)
        } else if parsed.tool == "Shell" {
            return;
        } else if pattern.contains('~') {
            (
                NoteKind::NeverMatches,
                "`~` stands for no folder here: write the path as tools are given it",
            )
        } else if pattern.starts_with("//") || pattern.starts_with("./") {
            (
                NoteKind::Differs,
                "paths are matched as tools are given them, with `//` and `./` as they stand",
            )
        } else {
            return;
        };
        self.note(kind, place.to_owned(), spec, message);
    }

    /// Rules on domains match no URL, and our floor allows `WebFetch`: without an ask for every fetch the import would
    /// loosen.
    fn ask_for_every_fetch(&mut self) {
        if self.guards_domain || (self.allows_domain && !self.allows_fetch) {
            let message = "rules on domains match no URL, and unasked the built-in floor allows every fetch";
            self.note(
                NoteKind::Added,
                String::from("permissions.ask"),
                "WebFetch",
                message,
            );
            self.ask.push(String::from("WebFetch"));
        }
    }

    fn skip_key(&mut self, place: &str, message: &str) {
        self.note(NoteKind::NotImported, place.to_owned(), "", message);
    }

    fn note(&mut self, kind: NoteKind, place: String, entry: &str, message: &str) {
        self.notes.push(Note {
            kind,
            place,
            entry: entry.to_owned(),
            message: message.to_owned(),
        });
    }

    fn finish(self) -> Result<Imported, ImportError> {
        let lists = [
            (List::Deny, &self.deny),
            (List::Ask, &self.ask),
            (List::Allow, &self.allow),
        ];
        let mut yaml = String::from("permissions:");
        if lists.iter().all(|(_, specs)| specs.is_empty()) {
            yaml.push_str(" {}");
        }
        yaml.push('\n');
        for (list, specs) in lists.into_iter().filter(|(_, specs)| !specs.is_empty()) {
            yaml.push_str(&format!("  {}:\n", list.name()));
            for spec in specs {
                yaml.push_str(&format!("    - {}\n", scalar(spec)));
            }
        }
        match rules_of(&yaml) {
            Ok(_) => Ok(Imported {
                yaml,
                notes: self.notes,
            }),
            // Each rule was accepted by itself, so only a limit can be in the way.
            Err(_) => Err(ImportError::TooLarge),
        }
    }
}

/// The rule, if a settings document may hold it and gives its text back; else why not.
fn accepted(spec: &str) -> Result<RuleSpec, String> {
    let parsed = rule_spec::parse(spec).map_err(|error| error.to_string())?;
    let rules = rules_of(&format!("permissions:\n  deny:\n    - {}\n", scalar(spec)))?;
    match rules.as_slice() {
        [only] if only == spec => Ok(parsed),
        _ => Err(String::from("no YAML text gives this rule back")),
    }
}

/// The specs of a settings document, or its first error.
fn rules_of(yaml: &str) -> Result<Vec<String>, String> {
    let options = Options {
        kind: Some(Kind::Settings),
        scope: Some(Scope::User),
        ..Options::default()
    };
    let source = Source {
        name: "settings.yaml",
        bytes: yaml.as_bytes(),
    };
    let checked = check(&source, &options);
    let error = checked
        .diagnostics
        .into_iter()
        .find(|found| found.severity == Severity::Error);
    match (error, checked.document) {
        (None, Some(Document::Settings(settings))) => match settings.permissions {
            Some(SettingsPermissions::Layered(layered)) => {
                Ok(layered.rules.into_iter().map(|rule| rule.spec.value).collect())
            }
            Some(SettingsPermissions::Rules(_)) | None => Ok(Vec::new()),
        },
        (error, _) => Err(error.map(|error| error.message).unwrap_or_default()),
    }
}

/// A text as a YAML scalar: in single quotes where they can hold it, else with escapes.
fn scalar(text: &str) -> String {
    if text
        .chars()
        .all(|c| matches!(c, ' '..='~') || c.is_alphanumeric())
    {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut escaped = String::new();
    push_string(text, &mut escaped);
    escaped
}

#[cfg(test)]
mod tests;
