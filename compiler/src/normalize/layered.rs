//! Settings documents to the rules of one layered policy: scopes, trust, posture, floors (page 30).

use callgate_grammar::pattern::{self, Flavor};
use callgate_runtime::rule::{Effect, Scope};

use super::{File, Part, floor};
use crate::diagnostic::Diagnostic;
use crate::findings::Findings;
use crate::ir::{LayeredRule, Settings, SettingsPermissions};
use crate::lints;
use crate::lower::quoted;
use crate::normal::{Dialect, Matcher, NormalPolicy, NormalRule, Origin, PolicyMode, ToolKey};
use crate::options::{Options, Posture, is_project};

/// The rules of one settings document that count, before any floor: those of a file of `scope`, without the allows when
/// it is a project file of a workspace that is not trusted. A document of the rules dialect has none.
pub fn settings_rules(name: &str, settings: &Settings, scope: Scope, trusted: bool) -> Vec<NormalRule> {
    let counting = rules_of(settings)
        .iter()
        .filter(|rule| counts(rule, scope, trusted));
    counting.map(|rule| normal_rule(name, rule, scope)).collect()
}

/// The policy of all settings files.
pub(super) fn policy(
    parts: &[(&File<'_>, Part<'_>)],
    options: &Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> NormalPolicy {
    let posture = posture(parts, options);
    let trusted = options.trusted_workspace || (options.interactive && posture >= Posture::Trusted);
    let mut rules = Vec::new();
    let mut n_written = 0_usize;
    for (file, part) in parts {
        let Part::Layered(settings) = part else { continue };
        n_written = n_written.saturating_add(rules_of(settings).len());
        rules.extend(settings_rules(file.name, settings, file.scope, trusted));
        diagnostics.extend(dropped_allows(file, settings, trusted));
        if n_written > options.max_rules {
            diagnostics.extend(too_many(file, n_written, options.max_rules));
        }
    }
    if posture >= Posture::Auto {
        rules.push(floor::allow_everything(Scope::Cli));
    }
    rules.extend(floor::rules());
    NormalPolicy {
        dialect: Dialect::Layered,
        mode: PolicyMode::Rules,
        rules,
        loose_substitution_main: posture >= Posture::Auto,
        loose_substitution_child: posture == Posture::Yolo,
    }
}

/// The laxest of the operator's posture and those in operator files.
fn posture(parts: &[(&File<'_>, Part<'_>)], options: &Options) -> Posture {
    let given = parts.iter().filter_map(|(file, part)| match part {
        Part::Layered(settings) | Part::Bare(settings) if !is_project(file.scope) => {
            settings.posture.as_ref().map(|posture| posture.value)
        }
        _ => None,
    });
    given.fold(options.posture, Posture::max)
}

fn rules_of(settings: &Settings) -> &[LayeredRule] {
    match &settings.permissions {
        Some(SettingsPermissions::Layered(layered)) => &layered.rules,
        Some(SettingsPermissions::Rules(_)) | None => &[],
    }
}

fn counts(rule: &LayeredRule, scope: Scope, trusted: bool) -> bool {
    rule.effect != Effect::Allow || trusted || !is_project(scope)
}

fn normal_rule(name: &str, rule: &LayeredRule, scope: Scope) -> NormalRule {
    let matcher = if rule.pattern.is_empty() {
        Matcher::Everything
    } else {
        Matcher::Glob {
            tokens: pattern::parse(&rule.pattern, Flavor::Layered),
            lowered: None,
        }
    };
    NormalRule {
        effect: rule.effect,
        tool: ToolKey::Named(rule.tool.clone()),
        pattern: rule.pattern.clone(),
        matcher,
        scope: Some(scope),
        audience: rule.audience,
        origin: Origin {
            source: name.to_owned(),
            position: rule.spec.start,
        },
    }
}

fn dropped_allows(file: &File<'_>, settings: &Settings, trusted: bool) -> Vec<Diagnostic> {
    let mut findings = Findings::new(file.name, file.text);
    for rule in rules_of(settings)
        .iter()
        .filter(|rule| !counts(rule, file.scope, trusted))
    {
        let spec = quoted(&rule.spec.value);
        let message = format!("{spec} is not allowed: the workspace of this project file is not trusted");
        let help = String::from("trust the workspace, or move the rule to the user's file");
        findings.report(&lints::UNTRUSTED_ALLOW, rule.spec.span, message, help);
    }
    findings.finish()
}

fn too_many(file: &File<'_>, n_rules: usize, max: usize) -> Vec<Diagnostic> {
    let mut findings = Findings::new(file.name, file.text);
    let message = format!("the files up to this one have {n_rules} rules, more than the limit of {max}");
    let help = String::from("join patterns, or raise the limit");
    findings.report(
        &lints::POLICY_TOO_LARGE,
        callgate_grammar::Span::at(0),
        message,
        help,
    );
    findings.finish()
}
