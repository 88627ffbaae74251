//! A pattern to one text that it matches, written as a person would write the call.

use callgate_grammar::pattern::{Set, Token};

/// What the text is, which decides what a `*` becomes.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// A command line. A `*` that stands for a word becomes what the function says, seeing what stands before it, at least
    /// a letter; one behind a minus sign an option; one right after the last word becomes a space and that, or nothing; any other becomes nothing.
    Line(fn(&str) -> &'static str),
    /// One name, such as a path. A `*` becomes a letter at an end and after a separator, and nothing inside.
    Name,
}

impl Form {
    /// The form of a tool's subjects, by whether they are command lines.
    pub(crate) fn of(is_line: bool) -> Self {
        if is_line { Self::Line(|_| "x") } else { Self::Name }
    }

    /// What a `*` becomes behind `before`.
    fn filling(self, before: &str, is_last: bool) -> (&'static str, &'static str) {
        let is_apart = before.ends_with([' ', '/', '=', ':']);
        match self {
            Self::Line(_) if before.ends_with(" -") => ("", "f"),
            Self::Name if before.is_empty() || is_apart || is_last => ("", "x"),
            Self::Line(filler) if is_apart => match filler(before) {
                "" => ("", "x"),
                filling => ("", filling),
            },
            Self::Line(filler) if is_last && !before.is_empty() => match filler(before) {
                "" => ("", ""),
                filling => (" ", filling),
            },
            Self::Name | Self::Line(_) => ("", ""),
        }
    }
}

/// A text that the tokens match; `None` when nothing can (an empty set).
pub(crate) fn sample(tokens: &[Token], form: Form) -> Option<String> {
    let mut text = String::new();
    let mut tokens = tokens.iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            Token::Char(character) => text.push(*character),
            Token::Any => text.push('x'),
            Token::Set(set) => text.push(member(set)?),
            Token::Star => {
                let (gap, filling) = form.filling(&text, tokens.peek().is_none());
                text.push_str(gap);
                text.push_str(filling);
            }
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

    use super::{Form, sample};

    #[test]
    fn a_sample_reads_as_a_call() {
        let line = Form::Line(|before| if before.contains("curl") { "" } else { "x" });
        for (pattern, due) in [
            ("rm -rf *", "rm -rf x"),
            ("rm*", "rm x"),
            ("*rm -rf*", "rm -rf x"),
            ("git push * --force*", "git push x --force x"),
            ("git push* -f", "git push -f"),
            ("/etc/*", "/etc/x"),
            ("dd if=*", "dd if=x"),
            ("rm -*", "rm -f"),
            ("[rR]m ?", "rm x"),
            ("[!a]b", "bb"),
            ("curl *", "curl x"),
            ("curl*", "curl"),
            ("*", ""),
        ] {
            let tokens = parse(pattern, Flavor::Fnmatch);
            assert_eq!(sample(&tokens, line).as_deref(), Some(due), "{pattern}");
        }
        for (pattern, due) in [
            ("*.env", "x.env"),
            ("./.env.*", "./.env.x"),
            ("secrets/*", "secrets/x"),
            ("src*", "srcx"),
            ("a*b", "ab"),
            ("*", "x"),
        ] {
            let tokens = parse(pattern, Flavor::Fnmatch);
            assert_eq!(sample(&tokens, Form::Name).as_deref(), Some(due), "{pattern}");
        }
        assert_eq!(sample(&parse("a[z-a]", Flavor::Fnmatch), line), None);
    }
}
