//! A command line that bash has run: never allowed when a program named `bad…` ran, allowed when nothing was in doubt.

use callgate_runtime::rule::{Audience, Effect, Scope};

use super::engine::{Engine, Loaded};
use super::policy::{CompiledPolicy, PolicyText, Spec, Specs};
use super::row::{ShellExpect, ShellRow};
use crate::oracle::CallText;
use crate::oracle::layered::Floor;

/// Whether the line is judged as the row expects; a row without expectation only has to be judged.
pub(super) fn judge(row: &ShellRow, engines: &[&dyn Engine]) -> Result<(), String> {
    let policy = CompiledPolicy::new(policy())?;
    let place = format!("command: {:?}\n", row.command);
    let answer = Loaded::new(&policy, engines)?
        .decide(&call(row), &[])
        .map_err(|problem| format!("{place}{problem}"))?;
    let allowed = answer.effect == Effect::Allow;
    match row.expect {
        Some(ShellExpect::Allow) if !allowed => Err(format!("{place}expected allow, got {answer}")),
        Some(ShellExpect::NotAllow) if allowed => Err(format!("{place}expected no allow, got {answer}")),
        Some(_) | None => Ok(()),
    }
}

/// The call that runs the line.
pub(super) fn call(row: &ShellRow) -> CallText {
    CallText::new(
        "Shell",
        &serde_json::json!({ "command": row.command }).to_string(),
    )
}

/// The policy that allows every line but those that run a program named `bad…`.
pub(super) fn policy() -> PolicyText {
    let rule = |effect, text: &str| Spec {
        scope: Scope::Cli,
        effect,
        text: text.to_owned(),
        audience: Audience::All,
    };
    let rules = vec![rule(Effect::Deny, "Shell(bad*)"), rule(Effect::Allow, "Shell")];
    PolicyText::Specs(Specs {
        rules,
        floor: Floor::None,
        loose_substitution: false,
    })
}
