//! A layered pattern (`*`, `?`, everything else literal) against a text, by walking all places in the pattern at once.

/// Whether the pattern matches the whole text.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    reached(&pattern, text)[pattern.len()]
}

/// Whether the pattern matches the text with something after it, whatever that is.
pub(super) fn matches_more(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    reached(&pattern, text).contains(&true)
}

/// Whether the pattern matches the text with one symbol after it that only `*` matches.
pub(super) fn matches_placeholder(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let reached = reached(&pattern, text);
    (0..pattern.len()).any(|at| reached[at] && pattern[at..].iter().all(|character| *character == '*'))
}

/// For every place in the pattern, its end included, whether what stands before it matches the text.
fn reached(pattern: &[char], text: &str) -> Vec<bool> {
    let mut reached = vec![false; pattern.len() + 1];
    reached[0] = true;
    skip_stars(pattern, &mut reached);
    for character in text.chars() {
        let mut next = vec![false; pattern.len() + 1];
        for (at, expected) in pattern.iter().enumerate().filter(|(at, _)| reached[*at]) {
            match expected {
                '*' => next[at] = true,
                '?' => next[at + 1] = true,
                literal if *literal == character => next[at + 1] = true,
                _ => {}
            }
        }
        skip_stars(pattern, &mut next);
        reached = next;
    }
    reached
}

/// A star may match nothing.
fn skip_stars(pattern: &[char], reached: &mut [bool]) {
    for (at, character) in pattern.iter().enumerate() {
        if *character == '*' && reached[at] {
            reached[at + 1] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{matches, matches_more, matches_placeholder};

    #[test]
    fn stars_and_question_marks_are_all_there_is() {
        for (pattern, text, expected) in [
            ("a*c", "abbc", true),
            ("a*c", "abb", false),
            ("a?c", "aéc", true),
            ("[ab]", "a", false),
            ("[ab]", "[ab]", true),
            ("**a*", "a", true),
            ("?", "", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn what_follows_may_be_unknown() {
        assert!(matches_more("rm *", "rm "));
        assert!(matches_more("rm -rf x", "rm "));
        assert!(!matches_more("rm", "rm "));
        assert!(matches_placeholder("rm *", "rm "));
        assert!(!matches_placeholder("rm ?", "rm "));
        assert!(!matches_placeholder("rm *x", "rm "));
    }
}
