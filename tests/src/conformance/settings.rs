//! A settings file of some scope, in a trusted workspace or not: the rules that count, in every reading there is.

use std::collections::BTreeSet;

use callgate_compiler::ir::Document;
use callgate_compiler::normal::ToolKey;
use callgate_compiler::{Kind, Options, Source, check, compile, settings_rules};
use callgate_runtime::rule::{Audience, Effect, Scope};
use callgate_runtime::table::{self, order};

use super::policy::SOURCE;
use super::row::{SettingsRow, SettingsRule};
use crate::oracle;

/// A rule as the row writes it: scope, tool, pattern, effect, audience.
type Written = [String; 5];

/// Whether the file gives exactly the expected rules, or nothing at all.
pub(super) fn judge(row: &SettingsRow) -> Result<(), String> {
    let options = Options {
        kind: Some(Kind::Settings),
        scope: Some(row.scope),
        trusted_workspace: row.trusted,
        ..Options::default()
    };
    let source = Source {
        name: SOURCE,
        bytes: row.yaml.as_bytes(),
    };
    let checked = check(&source, &options);
    let compiled = compile(&[source], &options).policy;
    let expected: BTreeSet<Written> = match (&row.expect.rules, row.expect.error) {
        (Some(rules), false) => rules.iter().map(written).collect(),
        (None, true) => {
            return if checked.document.is_none() && compiled.is_none() {
                Ok(())
            } else {
                Err(String::from("expected an error, and the file is used"))
            };
        }
        (Some(_), true) | (None, false) => {
            return Err(String::from("the row expects either `rules` or an `error`"));
        }
    };
    let Some(Document::Settings(settings)) = &checked.document else {
        let found = checked
            .diagnostics
            .iter()
            .map(|found| format!("{}: {}", found.code, found.message));
        return Err(format!("refused: {}", found.collect::<Vec<String>>().join("; ")));
    };
    let rules = settings_rules(SOURCE, settings, row.scope, row.trusted);
    let checked = rules.iter().map(|rule| {
        let tool = match &rule.tool {
            ToolKey::Any => "",
            ToolKey::Named(name) => name,
        };
        record(rule.scope, tool, &rule.pattern, rule.effect, rule.audience)
    });
    compare("checker", &expected, checked.collect())?;
    let read = oracle::settings_rules(SOURCE, &row.yaml, row.scope, row.trusted);
    let read = read.map_err(|unread| format!("reference: {unread}"))?;
    let read = read.iter().map(|rule| {
        record(
            Some(rule.scope),
            &rule.tool,
            &rule.pattern,
            rule.effect,
            rule.audience,
        )
    });
    compare("reference", &expected, read.collect())?;
    match compiled {
        Some(compiled) => compare("table", &expected, in_table(&compiled.bytes)?),
        None if expected.is_empty() => Ok(()),
        None => Err(String::from("table: the file does not compile")),
    }
}

/// The rules of the table that the file wrote.
fn in_table(bytes: &[u8]) -> Result<BTreeSet<Written>, String> {
    let table = table::Table::load(bytes).map_err(|error| format!("table: {error}"))?;
    let rules = (0..)
        .map_while(|rank| table.rule(rank))
        .filter(|rule| rule.source == SOURCE);
    let audience = |orders| match orders {
        orders if orders == order::MAIN | order::ALL => Audience::Main,
        orders if orders == order::SUBAGENT | order::ALL => Audience::Subagent,
        _ => Audience::All,
    };
    let record = |rule: table::RuleView<'_>| {
        let tool = rule.tool.unwrap_or_default();
        record(rule.scope, tool, rule.pattern, rule.effect, audience(rule.orders))
    };
    Ok(rules.map(record).collect())
}

fn compare(name: &str, expected: &BTreeSet<Written>, found: BTreeSet<Written>) -> Result<(), String> {
    if *expected == found {
        return Ok(());
    }
    let missing: Vec<&Written> = expected.difference(&found).collect();
    let unexpected: Vec<&Written> = found.difference(expected).collect();
    Err(format!("{name}: missing {missing:?}, unexpected {unexpected:?}"))
}

fn record(scope: Option<Scope>, tool: &str, pattern: &str, effect: Effect, audience: Audience) -> Written {
    let scope = scope.map_or("none", Scope::name);
    [scope, tool, pattern, effect.name(), audience.name()].map(str::to_owned)
}

fn written(rule: &SettingsRule) -> Written {
    let SettingsRule {
        scope,
        tool,
        pattern,
        effect,
        audience,
    } = rule;
    [scope, tool, pattern, effect, audience].map(Clone::clone)
}
