//! Misspelled words to the word that was meant, and user text to what a message can show.

use callgate_runtime::case::lower_text;

/// The farthest that a misspelling may be from the word that was meant.
const MAX_DISTANCE: usize = 2;

/// The longest text that a message shows whole, in characters.
const MAX_SHOWN: usize = 60;

/// The known word nearest to `word`, at most two edits away; upper and lower case count as the same where that is nearer.
/// Of two that are equally near, the first.
pub(crate) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let lowered = lower_text(word);
    known
        .iter()
        .map(|known| {
            (
                distance(word, known).min(distance(&lowered, &lower_text(known))),
                *known,
            )
        })
        .filter(|(distance, known)| *distance <= MAX_DISTANCE && *distance < known.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// How many letters must be inserted, deleted, replaced or swapped with their neighbour (each part of the text once).
/// Texts whose lengths differ too much are only known to be far apart.
fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    if one.len().abs_diff(other.len()) > MAX_DISTANCE {
        return one.len().abs_diff(other.len());
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i.saturating_add(1)];
        for (j, b) in other.iter().enumerate() {
            let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX);
            let next = j.saturating_add(1);
            let replaced = at(&last, j).saturating_add(usize::from(a != b));
            let deleted = at(&last, next).saturating_add(1);
            let inserted = at(&row, j).saturating_add(1);
            let previous =
                |text: &[char], index: usize| index.checked_sub(1).and_then(|i| text.get(i)).copied();
            let swapped = match (previous(&one, i), previous(&other, j)) {
                (Some(x), Some(y)) if x == *b && y == *a => {
                    at(&before_last, j.saturating_sub(1)).saturating_add(1)
                }
                _ => usize::MAX,
            };
            row.push(replaced.min(deleted).min(inserted).min(swapped));
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

/// User text in backticks (two with spaces where it holds one itself), control characters escaped, long text cut.
pub(crate) fn quoted(text: &str) -> String {
    if text.is_empty() {
        return String::from("an empty text");
    }
    let shown: String = text.chars().take(MAX_SHOWN).flat_map(shown_character).collect();
    let rest = if text.chars().nth(MAX_SHOWN).is_some() {
        "…"
    } else {
        ""
    };
    if shown.contains('`') {
        // As Markdown has it, so that the text and what is around it can be told apart.
        return format!("`` {shown}{rest} ``");
    }
    format!("`{shown}{rest}`")
}

fn shown_character(character: char) -> Vec<char> {
    if character.is_control() {
        character.escape_default().collect()
    } else {
        vec![character]
    }
}

/// A text as YAML reads back as text: single-quoted, or double-quoted where it has control characters.
pub(crate) fn single_quoted(text: &str) -> String {
    let shown: String = text.chars().take(MAX_SHOWN).collect();
    if shown.chars().any(char::is_control) {
        format!("{shown:?}")
    } else {
        format!("'{}'", shown.replace('\'', "''"))
    }
}

/// `` `a`, `b`, `c` ``
pub(super) fn listed(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn misspellings_are_near() {
        let known = ["mode", "allow", "deny", "escalate", "ask"];
        for (word, meant) in [
            ("alow", "allow"),
            ("Deny", "deny"),
            ("DENY", "deny"),
            ("dney", "deny"),
            ("esclate", "escalate"),
            ("modes", "mode"),
        ] {
            assert_eq!(nearest(word, &known), Some(meant), "{word}");
        }
        assert_eq!(
            nearest("allow-all", &["allow_all", "deny_all", "rules"]),
            Some("allow_all")
        );
        assert_eq!(nearest("permit", &known), None);
        assert_eq!(nearest("xyz", &known), None);
    }

    #[test]
    fn distances() {
        for (one, other, due) in [
            ("", "", 0),
            ("", "ab", 2),
            ("ab", "ba", 1),
            ("kitten", "sittin", 2),
            ("abc", "abc", 0),
            ("a", "abcdef", 5),
        ] {
            assert_eq!(distance(one, other), due, "{one} {other}");
            assert_eq!(distance(other, one), due, "{other} {one}");
        }
    }
}
