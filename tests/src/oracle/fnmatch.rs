//! A glob and a text to yes or no, as CPython 3.11's `fnmatch.translate` and `re` would: the rules dialect's patterns.
//!
//! `translate` writes a regular expression, and a few of its corners are only explained by how `re` then reads it. Both
//! steps are transcribed: a set becomes the characters that `translate` writes, each with whether it is escaped, and
//! those are read as `re` reads a character class.

/// One step of a translated pattern.
enum Step {
    /// Any run of characters.
    Star,
    /// Any one character.
    Any,
    /// This character.
    Literal(char),
    /// One character of a class.
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

/// A character of a class as `translate` writes it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Written {
    character: char,
    escaped: bool,
}

/// Whether the pattern matches the subject as it is, or its lowercased form the lowercased subject (page 20).
pub fn matches_either_case(pattern: &str, subject: &str) -> bool {
    matches(pattern, subject) || matches(&lowered(pattern), &lowered(subject))
}

/// Lowercase, one character to one; what has no single lowercase character is itself.
pub fn lowered(text: &str) -> String {
    text.chars()
        .map(|character| {
            let mut lower = character.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(only), None) => only,
                _ => character,
            }
        })
        .collect()
}

/// Whether the pattern matches the whole text, case counting. Time is the product of both lengths at most.
pub fn matches(pattern: &str, text: &str) -> bool {
    let steps = translate(&pattern.chars().collect::<Vec<char>>());
    let text: Vec<char> = text.chars().collect();
    let (mut step, mut at) = (0, 0);
    // The last star, and how much of the text it does not have to swallow yet. An earlier star never has to give back.
    let mut retry: Option<(usize, usize)> = None;
    loop {
        match (steps.get(step), text.get(at)) {
            (None, None) => return true,
            (Some(Step::Star), _) => {
                retry = Some((step, at));
                step += 1;
                continue;
            }
            (Some(one), Some(character)) if meets(one, *character) => {
                step += 1;
                at += 1;
                continue;
            }
            _ => {}
        }
        let Some((star, swallowed)) = retry else {
            return false;
        };
        if swallowed == text.len() {
            return false;
        }
        retry = Some((star, swallowed + 1));
        step = star + 1;
        at = swallowed + 1;
    }
}

fn meets(step: &Step, character: char) -> bool {
    match step {
        Step::Star => false,
        Step::Any => true,
        Step::Literal(literal) => *literal == character,
        Step::Class { negated, ranges } => {
            ranges
                .iter()
                .any(|(low, high)| (*low..=*high).contains(&character))
                != *negated
        }
    }
}

fn translate(pattern: &[char]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some(character) = pattern.get(at) {
        at += 1;
        match character {
            '*' => steps.push(Step::Star),
            '?' => steps.push(Step::Any),
            '[' => match end_of_set(pattern, at) {
                Some(end) => {
                    steps.push(class(&written(&pattern[at..end])));
                    at = end + 1;
                }
                None => steps.push(Step::Literal('[')),
            },
            literal => steps.push(Step::Literal(*literal)),
        }
    }
    steps
}

/// The place of the `]` that closes the set whose first character stands at `start`.
fn end_of_set(pattern: &[char], start: usize) -> Option<usize> {
    let mut end = start;
    if pattern.get(end) == Some(&'!') {
        end += 1;
    }
    if pattern.get(end) == Some(&']') {
        end += 1;
    }
    (end..pattern.len()).find(|at| pattern[*at] == ']')
}

/// What stands between the brackets, as `translate` writes it: parts joined by the hyphens that make ranges, with every
/// other hyphen escaped and reversed ranges taken out.
fn written(set: &[char]) -> Vec<Written> {
    let mut parts: Vec<Vec<char>> = Vec::new();
    let mut start = 0;
    let mut from = if set.first() == Some(&'!') { 2 } else { 1 };
    while let Some(hyphen) = (from..set.len()).find(|at| set[*at] == '-') {
        parts.push(set[start..hyphen].to_vec());
        start = hyphen + 1;
        from = hyphen + 3;
    }
    match (set.get(start..).filter(|rest| !rest.is_empty()), parts.last_mut()) {
        (Some(rest), _) => parts.push(rest.to_vec()),
        (None, Some(last)) => last.push('-'),
        (None, None) => {}
    }
    for index in (1..parts.len()).rev() {
        if parts[index - 1].last() > parts[index].first() {
            let merged = parts.remove(index);
            parts[index - 1].pop();
            parts[index - 1].extend(&merged[1..]);
        }
    }
    let mut written = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            written.push(Written {
                character: '-',
                escaped: false,
            });
        }
        written.extend(part.iter().map(|character| {
            let escaped = matches!(character, '-' | '\\' | '&' | '~' | '|');
            Written {
                character: *character,
                escaped,
            }
        }));
    }
    written
}

/// The class that `re` reads: `!` first negates, nothing at all never matches, a lone `!` matches anything.
fn class(written: &[Written]) -> Step {
    let (negated, items) = match written {
        [Written { character: '!', .. }, rest @ ..] => (true, rest),
        all => (false, all),
    };
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(low) = items.get(at) {
        let hyphen = items.get(at + 1)
            == Some(&Written {
                character: '-',
                escaped: false,
            });
        match (hyphen, items.get(at + 2)) {
            (true, Some(high)) => {
                ranges.push((low.character, high.character));
                at += 3;
            }
            _ => {
                ranges.push((low.character, low.character));
                at += 1;
            }
        }
    }
    Step::Class { negated, ranges }
}

#[cfg(test)]
mod tests {
    use super::{lowered, matches, matches_either_case};

    #[test]
    fn corners_are_those_of_cpython() {
        let cases = [
            ("", "", true),
            ("*", "", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("?", "\n", true),
            ("[", "[", true),
            ("[a", "[a", true),
            ("[]a]", "]", true),
            ("[!]a]", "]", false),
            ("[a-]", "-", true),
            ("[z-a]", "m", false),
            ("[!z-a]", "m", true),
            ("[z-a!b]", "c", true),
            ("[z-a!b]", "b", false),
            ("[z-a!-d]", "c", true),
            ("[z-a!-d]", "-", false),
            ("[^a]", "^", true),
            ("[\\]", "\\", true),
            ("[--0]", ".", true),
            ("[!a]", "A", true),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn either_case_is_enough() {
        assert!(matches_either_case("ÉTÉ*", "été"));
        assert!(!matches_either_case("a", "b"));
        assert_eq!(lowered("AΣİ"), "aσİ");
    }

    #[test]
    fn many_stars_stay_cheap() {
        let (pattern, text) = ("*a".repeat(200), "a".repeat(199));
        assert!(!matches(&pattern, &text));
    }
}
