//! CG0303: a rule pattern that is a sentence. It would match only a call with that literal text.

/// Words that begin a sentence of guidance and no command.
const OPENERS: [&str; 26] = [
    "always",
    "avoid",
    "can't",
    "can not",
    "cannot",
    "do not",
    "don't",
    "ensure",
    "if",
    "make sure",
    "may not",
    "may only",
    "must",
    "must not",
    "never",
    "no one",
    "nobody",
    "only",
    "please",
    "shall",
    "should",
    "shouldn't",
    "under no",
    "unless",
    "when",
    "whenever",
];

/// Whether `pattern` is prose: a sentence opener followed by words, or three words and more that end in a sentence
/// stop; and no glob character.
pub(crate) fn is_prose(pattern: &str) -> bool {
    let text = pattern.trim();
    !text.contains(['*', '?', '[']) && (opens_sentence(text) || ends_sentence(text))
}

fn opens_sentence(text: &str) -> bool {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.to_lowercase().replace('\u{2019}', "'"))
        .collect();
    OPENERS.iter().any(|opener| {
        let n_words = opener.split(' ').count();
        let begins = opener
            .split(' ')
            .zip(&words)
            .all(|(due, word)| word.trim_end_matches([',', ':']) == due);
        begins && words.len() > n_words && words.get(n_words).is_some_and(|word| is_word(word))
    })
}

fn ends_sentence(text: &str) -> bool {
    let Some(last) = text.split_whitespace().next_back() else {
        return false;
    };
    let stops = last.strip_suffix(['.', '!', '\u{3002}']).is_some_and(is_word);
    stops && text.split_whitespace().filter(|word| is_word(word)).count() >= 3
}

/// Letters, with apostrophes and hyphens inside and punctuation after.
fn is_word(word: &str) -> bool {
    let core = word
        .trim_end_matches([',', ';', ':', '.', '!', ')', '"'])
        .trim_start_matches(['(', '"']);
    let begins = core.chars().next().is_some_and(char::is_alphabetic);
    begins
        && core
            .chars()
            .all(|character| character.is_alphabetic() || matches!(character, '\'' | '-' | '\u{2019}'))
}

#[cfg(test)]
mod tests {
    use super::is_prose;

    #[test]
    fn sentences_are_prose() {
        for text in [
            "Cannot push to main",
            "cannot push",
            "MUST ask a human first",
            "Never deploy",
            "Do not delete files",
            "Don\u{2019}t delete files",
            "Only read files below src",
            "When unsure, ask",
            "If the tests fail stop",
            "Should be reviewed",
            "Production is off limits.",
            "Ask the owner first!",
        ] {
            assert!(is_prose(text), "{text}");
        }
    }

    #[test]
    fn commands_and_globs_are_not() {
        for text in [
            "git push",
            "Never *",
            "if [ -f x ]",
            "git add .",
            "ls ..",
            "cat notes.txt",
            "never",
            "only.txt",
            "must-have --all",
            "when -v",
            "npm run build",
            "python -m http.server",
            "make all",
            "",
            "Makefile.",
        ] {
            assert!(!is_prose(text), "{text}");
        }
    }
}
