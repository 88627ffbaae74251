//! CG0504: a deny (or, in the layered dialect, an ask) of a file that is allowed when the same file is named by another path.
//!
//! A path is a text to a pattern: `./x`, `a/../x` and `a//x` are other texts, and the same file. What the host does with a
//! path before it asks is not known here, so only a policy that allows the other path is found.

use callgate_runtime::rule::Effect;

use super::DODGED_PATH;
use super::dodged_deny::{does, engine};
use crate::lower::quoted;
use crate::normal::Dialect;
use crate::spelling::{Form, sample};
use crate::world::{Finding, Placed, World};

/// Tools whose subject is one path.
const RULES_TOOLS: [&str; 2] = ["reader", "editor"];
const LAYERED_TOOLS: [&str; 5] = ["Read", "Edit", "Write", "Remove", "ListDir"];

/// A dodged deny at most once.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    let tools: &[&str] = match world.dialect {
        Dialect::Rules => &RULES_TOOLS,
        Dialect::Layered => &LAYERED_TOOLS,
    };
    world
        .tightening()
        .filter_map(|placed| {
            let mut tools = tools.iter().copied().filter(|tool| placed.is_of(tool));
            tools.find_map(|tool| dodged(world, placed, tool))
        })
        .collect()
}

fn dodged<'a>(world: &World<'a>, placed: Placed<'a>, tool: &'static str) -> Option<Finding<'a>> {
    let path = sample(placed.tokens()?, Form::Name).filter(|path| is_path(path))?;
    placed.audiences().iter().copied().find_map(|audience| {
        let verdict = world.ask(tool, &path, audience);
        if verdict.effect != placed.rule.effect || verdict.rule.is_none() {
            return None;
        }
        let other = other_paths(&path)
            .into_iter()
            .find(|other| world.ask(tool, other, audience).effect == Effect::Allow)?;
        let message = format!(
            "{} {} {}{}, and the same file by another path is allowed: {}",
            quoted(&placed.rule.pattern),
            does(placed.rule.effect),
            quoted(&path),
            engine(audience),
            quoted(&other)
        );
        let help = if placed.rule.pattern.starts_with('*') {
            String::from("write a pattern for all that is below the folder (`*/secrets/*`), or allow only the folders that are needed")
        } else {
            format!(
                "begin the pattern with `*`, {}, or allow only the folders that are needed",
                quoted(&format!("*{}", placed.rule.pattern.trim_start_matches("./")))
            )
        };
        let allow = world.decider(world.ask(tool, &other, audience));
        let witness = world.witness(tool, &other, audience);
        Some(Finding::new(&DODGED_PATH, placed, (message, help), witness).with(allow, "this rule allows it"))
    })
}

/// A text that somebody would take for a path, of plain characters.
fn is_path(path: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "._-+@/".contains(c);
    let path = path.strip_prefix("./").unwrap_or(path);
    path.chars().all(plain)
        && path.contains(['.', '/'])
        && path.contains(char::is_alphanumeric)
        && !path.split('/').any(|part| matches!(part, "." | ".."))
        && !path.contains("//")
}

/// The same file by other paths.
fn other_paths(path: &str) -> Vec<String> {
    let mut paths = Vec::new();
    if let Some(rest) = path.strip_prefix("./") {
        paths.push(rest.to_owned());
    }
    match path.strip_prefix('/') {
        Some(rest) => paths.extend([
            format!("/./{rest}"),
            format!("//{rest}"),
            format!("/tmp/../{rest}"),
        ]),
        None => paths.extend([format!("./{path}"), format!("src/../{path}")]),
    }
    let inner = path.trim_start_matches('/');
    if let Some((folder, file)) = inner
        .rsplit_once('/')
        .filter(|(folder, file)| !folder.is_empty() && !file.is_empty())
    {
        let root = if path.starts_with('/') { "/" } else { "" };
        paths.extend([
            format!("{root}{folder}//{file}"),
            format!("{root}{folder}/./{file}"),
            format!("{root}{folder}/x/../{file}"),
        ]);
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::{is_path, other_paths};

    #[test]
    fn other_paths_lead_to_the_same_file() {
        for path in [
            "a",
            ".env",
            "./.env",
            "./a/b",
            "a/b.c",
            "/etc/passwd",
            "/etc/ssh/x",
        ] {
            let plain = resolved(path);
            for other in other_paths(path) {
                assert_ne!(other, path);
                assert_eq!(resolved(&other), plain, "{other}");
            }
        }
    }

    /// The parts of a path without `.`, `..` and empty ones.
    fn resolved(path: &str) -> (bool, Vec<&str>) {
        let mut parts = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                name => parts.push(name),
            }
        }
        (path.starts_with('/'), parts)
    }

    #[test]
    fn paths_are_told_from_other_texts() {
        for path in [".env", "./.env", "a/b", "/etc/x", "x.key"] {
            assert!(is_path(path), "{path}");
        }
        for text in ["", "x", "a b/c", "./x/./y", "a/../b", "a//b", "~/x", ".", "/"] {
            assert!(!is_path(text), "{text}");
        }
    }
}
