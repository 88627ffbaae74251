//! A compiled policy and where its rules were written: what a lint asks, so that every finding is a call that was decided.

use std::collections::{BTreeMap, BTreeSet};

use callgate_grammar::pattern::Token;
use callgate_grammar::{Position, Span};
use callgate_runtime::rule::{Audience, Effect, Mode};
use callgate_runtime::{Policy, Verdict};

use crate::diagnostic::Witness;
use crate::ir::{Document, Permissions, PermissionsChoice, Settings, SettingsPermissions, Spanned};
use crate::lints::Lint;
use crate::normal::{Dialect, Matcher, NormalPolicy, NormalRule, ToolKey};
use crate::normalize::File;
use crate::options::Options;

/// A rule that stands in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    /// The rule.
    pub(crate) rule: &'a NormalRule,
    /// Its place in the table's order.
    pub(crate) rank: u32,
    /// The file's place among the files.
    pub(crate) file: usize,
    /// The bytes of its pattern, or of its spec.
    pub(crate) span: Span,
    /// The bytes of its tool's name, or of its spec.
    pub(crate) tool_span: Span,
}

/// A finding about a rule.
#[derive(Clone, Debug)]
pub(crate) struct Finding<'a> {
    /// The code.
    pub(crate) lint: &'static Lint,
    /// The rule.
    pub(crate) rule: Placed<'a>,
    /// The bytes that are wrong.
    pub(crate) span: Span,
    /// What is wrong, and what to write.
    pub(crate) words: (String, String),
    /// The call that shows it.
    pub(crate) witness: Option<Witness>,
    /// A second rule that it is about, and what that rule does.
    pub(crate) other: Option<(Placed<'a>, &'static str)>,
}

impl<'a> Finding<'a> {
    /// A finding about the whole rule.
    pub(crate) fn new(
        lint: &'static Lint,
        rule: Placed<'a>,
        words: (String, String),
        witness: Witness,
    ) -> Self {
        Self {
            lint,
            rule,
            span: rule.span,
            words,
            witness: Some(witness),
            other: None,
        }
    }

    /// The same with a second rule.
    pub(crate) fn with(self, other: Option<Placed<'a>>, what: &'static str) -> Self {
        Self {
            other: other.map(|rule| (rule, what)),
            ..self
        }
    }
}

/// A policy that can be asked, with the rules that files brought.
pub(crate) struct World<'a> {
    policy: &'a Policy,
    /// The dialect.
    pub(crate) dialect: Dialect,
    /// The rules that files brought and that count, in document order.
    pub(crate) rules: Vec<Placed<'a>>,
    by_rank: BTreeMap<u32, Placed<'a>>,
    files: &'a [File<'a>],
    options: &'a Options,
}

impl<'a> World<'a> {
    /// `policy` is the table of `normal`, which was made from `files`.
    pub(crate) fn new(
        files: &'a [File<'a>],
        normal: &'a NormalPolicy,
        policy: &'a Policy,
        options: &'a Options,
    ) -> Self {
        let ranks = ranks(policy);
        let mut spans = BTreeMap::new();
        for (index, file) in files.iter().enumerate() {
            for place in places(file.document) {
                spans.insert((file.name, place.position), (index, place));
            }
        }
        let rules = normal.rules.iter().filter_map(|rule| {
            let place = (rule.origin.source.as_str(), rule.origin.position);
            let (file, written) = *spans.get(&place)?;
            let rank = *ranks.get(&place)?;
            Some(Placed {
                rule,
                rank,
                file,
                span: written.span,
                tool_span: written.tool,
            })
        });
        let rules: Vec<Placed<'a>> = rules.collect();
        Self {
            policy,
            dialect: normal.dialect,
            by_rank: rules.iter().map(|placed| (placed.rank, *placed)).collect(),
            rules,
            files,
            options,
        }
    }

    /// The tools that the host registers, if somebody said.
    pub(crate) fn tools(&self) -> Option<&'a BTreeSet<String>> {
        self.options.tools.as_ref()
    }

    /// What a file says after a rule.
    pub(crate) fn text_after(&self, placed: Placed<'_>) -> &'a str {
        let text = self.files.get(placed.file).map_or("", |file| file.text);
        text.get(placed.span.end..).unwrap_or_default()
    }

    /// A rule as it is written, with its quotes.
    pub(crate) fn written(&self, placed: Placed<'_>) -> &'a str {
        self.files
            .get(placed.file)
            .map_or("", |file| placed.span.of(file.text))
    }

    /// The tool whose subjects are command lines.
    pub(crate) fn shell(&self) -> &'static str {
        match self.dialect {
            Dialect::Rules => "bash",
            Dialect::Layered => "Shell",
        }
    }

    /// The rules of these effects that command lines meet.
    pub(crate) fn shell_rules(&self, effect: Effect) -> impl Iterator<Item = Placed<'a>> {
        let shell = self.shell();
        self.rules
            .iter()
            .copied()
            .filter(move |placed| placed.rule.effect == effect && placed.is_of(shell))
    }

    /// The written rules that tighten: in the layered dialect a configured ask is lifted by no allow (page 30), so one that
    /// is passed by is as bad as a deny. In the rules dialect an allow comes before any ask.
    pub(crate) fn tightening(&self) -> impl Iterator<Item = Placed<'a>> {
        let asks = self.dialect == Dialect::Layered;
        self.rules
            .iter()
            .copied()
            .filter(move |placed| match placed.rule.effect {
                Effect::Deny => true,
                Effect::Ask => asks,
                Effect::Allow => false,
            })
    }

    /// What the policy answers.
    pub(crate) fn ask(&self, tool: &str, subject: &str, audience: Audience) -> Verdict {
        self.policy.decide_text_as(tool, subject, audience, Mode::Default)
    }

    /// What the policy answers, as a proof.
    pub(crate) fn witness(&self, tool: &str, subject: &str, audience: Audience) -> Witness {
        Witness {
            tool: tool.to_owned(),
            subject: subject.to_owned(),
            audience,
            effect: self.ask(tool, subject, audience).effect,
        }
    }

    /// The rule that decided, if a file brought it.
    pub(crate) fn decider(&self, verdict: Verdict) -> Option<Placed<'a>> {
        self.by_rank.get(&verdict.rule?).copied()
    }
}

impl Placed<'_> {
    /// Whether calls of this tool meet the rule.
    pub(crate) fn is_of(&self, tool: &str) -> bool {
        match &self.rule.tool {
            ToolKey::Any => true,
            ToolKey::Named(name) => name == tool,
        }
    }

    /// The tool that the rule names; one for every tool is asked about as a rule of the shell's.
    pub(crate) fn tool<'t>(&'t self, world: &World<'_>) -> &'t str {
        match &self.rule.tool {
            ToolKey::Any => world.shell(),
            ToolKey::Named(name) => name,
        }
    }

    /// The pattern for messages, or the tool where the rule is for every call of it.
    pub(crate) fn shown<'t>(&'t self, world: &World<'_>) -> &'t str {
        match &self.rule.matcher {
            Matcher::Everything => self.tool(world),
            Matcher::Exact | Matcher::Glob { .. } => &self.rule.pattern,
        }
    }

    /// The rule's glob; `None` for one that meets every call of its tool.
    pub(crate) fn tokens(&self) -> Option<&[Token]> {
        match &self.rule.matcher {
            Matcher::Glob { tokens, .. } => Some(tokens),
            Matcher::Everything | Matcher::Exact => None,
        }
    }

    /// The engines that the rule binds, the main one first.
    pub(crate) fn audiences(&self) -> &'static [Audience] {
        match (self.rule.scope, self.rule.audience) {
            (None, _) | (Some(_), Audience::Main) => &[Audience::Main],
            (Some(_), Audience::Subagent) => &[Audience::Subagent],
            (Some(_), Audience::All) => &[Audience::Main, Audience::Subagent],
        }
    }
}

/// Each written rule's rank, by source and place.
fn ranks(policy: &Policy) -> BTreeMap<(&str, Position), u32> {
    let table = policy.table();
    let views = (0..table.len()).filter_map(|rank| Some((rank, table.rule(rank)?)));
    views
        .map(|(rank, view)| {
            let position = Position {
                line: view.line,
                column: view.column,
            };
            ((view.source, position), rank)
        })
        .collect()
}

/// Where a rule stands.
#[derive(Clone, Copy)]
struct Place {
    /// Where it begins, as its origin says.
    position: Position,
    span: Span,
    tool: Span,
}

/// Where each rule of a document stands.
fn places(document: &Document) -> Vec<Place> {
    match document {
        Document::Permissions(permissions) => of_rules(permissions),
        Document::Settings(settings) => of_settings(settings),
        Document::Agent(agent) => match agent.permissions.as_ref().and_then(|given| given.value.as_ref()) {
            Some(choice) => of_choice(choice),
            None => Vec::new(),
        },
        Document::Pack(_) | Document::Tests(_) | Document::Catalogue(_) => Vec::new(),
    }
}

fn of_settings(settings: &Settings) -> Vec<Place> {
    match &settings.permissions {
        Some(SettingsPermissions::Layered(layered)) => {
            let specs = layered.rules.iter().map(|rule| &rule.spec);
            specs.map(|spec| place(spec, spec.span)).collect()
        }
        Some(SettingsPermissions::Rules(choice)) => of_choice(choice),
        None => Vec::new(),
    }
}

fn of_choice(choice: &PermissionsChoice) -> Vec<Place> {
    match choice {
        PermissionsChoice::Preset(_) => Vec::new(),
        PermissionsChoice::Rules(permissions) => of_rules(permissions),
    }
}

fn of_rules(permissions: &Permissions) -> Vec<Place> {
    let lists = [&permissions.deny, &permissions.allow, &permissions.escalate];
    lists
        .into_iter()
        .flatten()
        .flat_map(|tool| tool.patterns.iter().map(|pattern| place(pattern, tool.tool.span)))
        .collect()
}

fn place(text: &Spanned<String>, tool: Span) -> Place {
    Place {
        position: text.start,
        span: text.span,
        tool,
    }
}
