//! A compiled policy and where its rules were written: what a lint asks, so that every finding is a call that was decided.

use std::collections::BTreeMap;

use callgate_grammar::{Position, Span};
use callgate_runtime::rule::{Audience, Effect, Mode};
use callgate_runtime::{Policy, Verdict};

use crate::diagnostic::Witness;
use crate::ir::{Document, Permissions, PermissionsChoice, Settings, SettingsPermissions, Spanned};
use crate::lints::Lint;
use crate::normal::{Dialect, NormalPolicy, NormalRule, ToolKey};
use crate::normalize::File;

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
}

/// A finding about a rule.
#[derive(Clone, Debug)]
pub(crate) struct Finding<'a> {
    /// The code.
    pub(crate) lint: &'static Lint,
    /// The rule.
    pub(crate) rule: Placed<'a>,
    /// What is wrong, and what to write.
    pub(crate) words: (String, String),
    /// The call that shows it.
    pub(crate) witness: Witness,
    /// A second rule that it is about, and what that rule does.
    pub(crate) other: Option<(Placed<'a>, String)>,
}

/// A policy that can be asked, with the rules that files brought.
pub(crate) struct World<'a> {
    policy: &'a Policy,
    /// The dialect.
    pub(crate) dialect: Dialect,
    /// The rules that files brought and that count, in document order.
    pub(crate) rules: Vec<Placed<'a>>,
    by_rank: BTreeMap<u32, Placed<'a>>,
}

impl<'a> World<'a> {
    /// `policy` is the table of `normal`, which was made from `files`.
    pub(crate) fn new(files: &'a [File<'a>], normal: &'a NormalPolicy, policy: &'a Policy) -> Self {
        let ranks = ranks(policy);
        let mut spans = BTreeMap::new();
        for (index, file) in files.iter().enumerate() {
            for (position, span) in places(file.document) {
                spans.insert((file.name, position), (index, span));
            }
        }
        let rules = normal.rules.iter().filter_map(|rule| {
            let place = (rule.origin.source.as_str(), rule.origin.position);
            let (file, span) = *spans.get(&place)?;
            let rank = *ranks.get(&place)?;
            Some(Placed {
                rule,
                rank,
                file,
                span,
            })
        });
        let rules: Vec<Placed<'a>> = rules.collect();
        Self {
            policy,
            dialect: normal.dialect,
            by_rank: rules.iter().map(|placed| (placed.rank, *placed)).collect(),
            rules,
        }
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

    /// What the policy answers.
    pub(crate) fn ask(&self, tool: &str, subject: &str, audience: Audience) -> Verdict {
        self.policy.decide_text_as(tool, subject, audience, Mode::Default)
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

/// Where each rule of a document begins, as its origin says, and the bytes it stands in.
fn places(document: &Document) -> Vec<(Position, Span)> {
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

fn of_settings(settings: &Settings) -> Vec<(Position, Span)> {
    match &settings.permissions {
        Some(SettingsPermissions::Layered(layered)) => {
            layered.rules.iter().map(|rule| place(&rule.spec)).collect()
        }
        Some(SettingsPermissions::Rules(choice)) => of_choice(choice),
        None => Vec::new(),
    }
}

fn of_choice(choice: &PermissionsChoice) -> Vec<(Position, Span)> {
    match choice {
        PermissionsChoice::Preset(_) => Vec::new(),
        PermissionsChoice::Rules(permissions) => of_rules(permissions),
    }
}

fn of_rules(permissions: &Permissions) -> Vec<(Position, Span)> {
    let lists = [&permissions.deny, &permissions.allow, &permissions.escalate];
    lists
        .into_iter()
        .flatten()
        .flat_map(|tool| tool.patterns.iter().map(place))
        .collect()
}

fn place(text: &Spanned<String>) -> (Position, Span) {
    (text.start, text.span)
}
