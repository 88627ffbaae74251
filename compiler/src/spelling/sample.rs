//! A pattern to one text that it matches, written as a person would write the call.

use callgate_grammar::pattern::{Set, Token};

/// What a `*` that stands for a word of its own becomes, seeing what stands before it.
pub(super) type Filler = fn(&str) -> &'static str;

/// A text that the tokens match; `None` when nothing can (an empty set). A `*` inside a word becomes nothing, one that
/// stands after a space, `/`, `=` or `:` what `filler` gives, at least a letter; at the end, a `*` right after a word becomes a
/// space and that, or nothing.
pub(crate) fn sample(tokens: &[Token], filler: Filler) -> Option<String> {
    let mut text = String::new();
    let mut tokens = tokens.iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            Token::Char(character) => text.push(*character),
            Token::Any => text.push('x'),
            Token::Set(set) => text.push(member(set)?),
            Token::Star => match text.chars().last() {
                Some(' ' | '/' | '=' | ':') => match filler(&text) {
                    "" => text.push('x'),
                    filling => text.push_str(filling),
                },
                Some(_) if tokens.peek().is_none() => {
                    let filling = filler(&text);
                    if !filling.is_empty() {
                        text.push(' ');
                        text.push_str(filling);
                    }
                }
                Some(_) | None => {}
            },
        }
    }
    Some(text)
}

/// A character of the set, a letter or a digit if there is one.
fn member(set: &Set) -> Option<char> {
    let plain = ('a'..='z')
        .chain('A'..='Z')
        .chain('0'..='9')
        .chain(" -_./".chars());
    plain
        .clone()
        .find(|character| set.contains(*character))
        .or_else(|| {
            set.ranges
                .first()
                .filter(|_| !set.negated)
                .map(|(first, _)| *first)
        })
}

#[cfg(test)]
mod tests {
    use callgate_grammar::pattern::{Flavor, parse};

    use super::{Filler, sample};

    #[test]
    fn a_sample_reads_as_a_call() {
        let filler: Filler = |before| if before.contains("curl") { "" } else { "x" };
        for (pattern, due) in [
            ("rm -rf *", "rm -rf x"),
            ("rm*", "rm x"),
            ("*rm -rf*", "rm -rf x"),
            ("git push * --force*", "git push x --force x"),
            ("git push* -f", "git push -f"),
            ("/etc/*", "/etc/x"),
            ("dd if=*", "dd if=x"),
            ("[rR]m ?", "rm x"),
            ("[!a]b", "bb"),
            ("curl *", "curl x"),
            ("curl*", "curl"),
            ("*", ""),
        ] {
            let tokens = parse(pattern, Flavor::Fnmatch);
            assert_eq!(sample(&tokens, filler).as_deref(), Some(due), "{pattern}");
        }
        assert_eq!(sample(&parse("a[z-a]", Flavor::Fnmatch), filler), None);
    }
}
