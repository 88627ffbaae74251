//! `callgate explain-code`: a code to the page that explains it, or the list of all codes.

use callgate_compiler::lints::{self, Lint};

use crate::args::ExplainCodeArgs;
use crate::console::{Console, Stream};
use crate::exit::Exit;
use crate::failure::Failure;

/// How many near misses are offered.
const OFFERED: usize = 5;

pub(super) fn run(args: &ExplainCodeArgs, console: &mut Console) -> Result<Exit, Failure> {
    let Some(code) = &args.code else {
        for lint in lints::all() {
            console.line(Stream::Out, &line(lint));
        }
        return Ok(Exit::CLEAN);
    };
    let Some(lint) = lints::find(code) else {
        return Err(Failure::UnknownCode {
            code: code.clone(),
            hint: hint(code),
        });
    };
    console.line(Stream::Out, lint.page.trim_end());
    Ok(Exit::CLEAN)
}

fn line(lint: &Lint) -> String {
    format!(
        "{}  {:<25}  {:<7}  {}",
        lint.code,
        lint.name,
        lint.severity.name(),
        lint.title
    )
}

/// The codes and names nearest to what was written.
fn hint(wanted: &str) -> String {
    let wanted = wanted.trim().to_lowercase();
    let mut near: Vec<(usize, &Lint)> = lints::all()
        .iter()
        .filter_map(|lint| Some((nearness(&wanted, lint)?, *lint)))
        .collect();
    near.sort_by_key(|(distance, lint)| (*distance, lint.code));
    if near.is_empty() {
        return String::from("; `callgate explain-code` lists them all");
    }
    let lines: Vec<String> = near
        .iter()
        .take(OFFERED)
        .map(|(_, lint)| format!("\n  {}", line(lint)))
        .collect();
    format!("; did you mean one of these?{}", lines.concat())
}

/// How far what was written is from a code or its name: letters to change, or `None` when it is another word.
fn nearness(wanted: &str, lint: &Lint) -> Option<usize> {
    let shared = |word: &str| word.len() >= 4 && lint.name.contains(word);
    let by_word = wanted.split(['-', '_', ' ']).any(shared).then_some(3);
    let by_code = Some(distance(wanted, &lint.code.to_lowercase())).filter(|distance| *distance <= 2);
    let by_name = Some(distance(wanted, lint.name)).filter(|distance| *distance <= 2);
    [by_word, by_code, by_name].into_iter().flatten().min()
}

/// Letters to add, drop or change.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().take(64).enumerate() {
        let mut left = at.saturating_add(1);
        let mut next = vec![left];
        for (pair, wanted) in row.windows(2).zip(&other) {
            let [diagonal, above] = *pair else { continue };
            let change = diagonal.saturating_add(usize::from(letter != *wanted));
            left = change.min(above.saturating_add(1)).min(left.saturating_add(1));
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_count_letters() {
        for (one, other, expected) in [
            ("cg0203", "cg0203", 0),
            ("cg023", "cg0203", 1),
            ("", "abc", 3),
            ("unkown-key", "unknown-key", 1),
            ("ab", "ba", 2),
        ] {
            assert_eq!(distance(one, other), expected, "{one} {other}");
        }
    }
}
