//! CG0501 and CG0502: an unquoted text that a comment follows without a space after its `#`, and text with a space at an end.
//!
//! `- git log #x` is the pattern `git log`: YAML begins a comment at ` #`. A comment written as one, `# like this`, is
//! taken for one.

use callgate_grammar::pattern::{Flavor, parse};
use callgate_grammar::{Scalar, Span, Style};

use super::unexpanded_home::answered;
use super::{COMMENT_CUT, SPACE_AT_END};
use crate::diagnostic::Witness;
use crate::lower::{quoted, single_quoted};
use crate::normal::Dialect;
use crate::spelling::{Form, sample};
use crate::world::{Finding, Placed, World};

/// Tools whose subject begins with what the call gives (page 20).
const SUBJECT_IS_ONE_TEXT: [&str; 4] = ["bash", "reader", "editor", "search"];

/// The comment that cuts the scalar under `span` short, if there is one.
pub(crate) fn cutting(scalar: &Scalar, span: Span, text: &str, comments: &[Span]) -> Option<Span> {
    if scalar.style != Style::Plain {
        return None;
    }
    let next = comments.partition_point(|comment| comment.start < span.end);
    let comment = comments.get(next).copied()?;
    let between = text.get(span.end..comment.start)?;
    let adjacent = !between.is_empty() && between.chars().all(|character| character == ' ');
    (adjacent && is_glued(comment.of(text))).then_some(comment)
}

/// A comment that begins with a `#` and goes on without a space.
fn is_glued(comment: &str) -> bool {
    let mut characters = comment.chars();
    characters.next() == Some('#') && characters.next().is_some_and(|c| !c.is_whitespace() && c != '#')
}

/// Every pattern of the rules dialect that ends where its author did not mean it to. (In the layered dialect a spec that
/// is cut short lacks its `)`, which is an error, and spaces at its ends do not count.)
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    if world.dialect != Dialect::Rules {
        return Vec::new();
    }
    let rules = world.rules.iter().copied();
    rules
        .filter_map(|placed| cut(world, placed).or_else(|| spaced(world, placed)))
        .collect()
}

fn cut<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    let written = world.written(placed);
    if written.starts_with(['\'', '"', '|', '>']) {
        return None;
    }
    let line = world.text_after(placed).lines().next()?;
    let comment = line.trim_start_matches(' ').trim_end();
    if comment.len() == line.trim_end().len() || !is_glued(comment) {
        return None;
    }
    let whole = format!("{written}{}", line.trim_end());
    let (witness, answer) = asked(world, placed, &whole)?;
    let message = format!(
        "the pattern is {} only, for {} is a comment: {} is {answer}",
        quoted(&placed.rule.pattern),
        quoted(comment),
        quoted(&witness.subject),
    );
    let help = format!(
        "quote the pattern: {}; or put a space after the `#`",
        single_quoted(&whole)
    );
    Some(Finding::new(&COMMENT_CUT, placed, (message, help), witness))
}

fn spaced<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    let pattern = &placed.rule.pattern;
    // The subject of a tool that the dialect does not know begins with an action, which is often empty, and a space.
    let begins_with_action = !SUBJECT_IS_ONE_TEXT.contains(&placed.tool(world));
    let is_spaced = pattern.trim_end() != pattern || (pattern.trim() != pattern && !begins_with_action);
    if !is_spaced || pattern.is_empty() {
        return None;
    }
    let (witness, answer) = asked(world, placed, pattern.trim())?;
    let verdict = world.ask(&witness.tool, &witness.subject, witness.audience);
    if verdict.effect == placed.rule.effect && verdict.rule.is_some() {
        return None;
    }
    let (what, help) = if pattern.ends_with('\n') {
        (
            "line break",
            "write `|-` or `>-` for the block, or the pattern in quotes on one line",
        )
    } else {
        (
            "space",
            "leave the space out, or write `*` where anything may follow",
        )
    };
    let message = format!(
        "the pattern {} begins or ends with a {what}, and {} has none there: it is {answer}",
        quoted(pattern),
        quoted(&witness.subject),
    );
    let help = help.to_owned();
    Some(Finding::new(&SPACE_AT_END, placed, (message, help), witness))
}

/// A call that `pattern` is about, and what the policy answers to it.
fn asked(world: &World<'_>, placed: Placed<'_>, pattern: &str) -> Option<(Witness, String)> {
    let tool = placed.tool(world);
    let subject = sample(&parse(pattern, Flavor::Fnmatch), Form::of(tool == world.shell()))?;
    let audience = placed.audiences().first().copied()?;
    let verdict = world.ask(tool, &subject, audience);
    let by = match (verdict.rule, world.decider(verdict)) {
        (Some(rank), _) if rank == placed.rank => String::from(" by the pattern as it is"),
        (_, Some(other)) => format!(" by {}", quoted(&other.rule.pattern)),
        (Some(_), None) => String::new(),
        (None, None) => String::from(" without any rule"),
    };
    let answer = format!("{}{by}", answered(verdict.effect));
    Some((world.witness(tool, &subject, audience), answer))
}
