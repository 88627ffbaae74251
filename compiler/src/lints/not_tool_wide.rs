//! CG0512: a `Tool(*)` of the layered dialect that denies or asks, and a call of the tool without a subject that is allowed.
//!
//! There `*` is any subject but an empty one (ruling 6), and a call has an empty subject whenever its arguments have none of
//! the names that the dialect looks for.

use callgate_grammar::pattern::Token;
use callgate_runtime::rule::Effect;

use super::NOT_TOOL_WIDE;
use super::dodged_deny::engine;
use super::unexpanded_home::answered;
use crate::lower::quoted;
use crate::normal::Dialect;
use crate::world::{Finding, Placed, World};

/// Every such rule.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    if world.dialect != Dialect::Layered {
        return Vec::new();
    }
    let rules = world.rules.iter().copied();
    rules
        .filter(|placed| placed.rule.effect != Effect::Allow && placed.tokens() == Some(&[Token::Star]))
        .filter_map(|placed| passed_by(world, placed))
        .collect()
}

fn passed_by<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    let tool = placed.tool(world);
    placed.audiences().iter().copied().find_map(|audience| {
        let verdict = world.ask(tool, "", audience);
        let named = world.ask(tool, "x", audience);
        if verdict.effect != Effect::Allow || named.rule != Some(placed.rank) {
            return None;
        }
        let message = format!(
            "{}{} is {}, and a call without a subject is allowed: {}",
            quoted(&format!("{tool}(x)")),
            engine(audience),
            answered(named.effect),
            quoted(&format!("{tool}()"))
        );
        let help = format!("write {} for every call of the tool", quoted(tool));
        let allow = world.decider(verdict);
        let witness = world.witness(tool, "", audience);
        Some(
            Finding::new(&NOT_TOOL_WIDE, placed, (message, help), witness).with(allow, "this rule allows it"),
        )
    })
}
