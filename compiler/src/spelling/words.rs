//! A command line to its program and words, where these are plain: no quoting, no expansion, single spaces.

/// Characters that mean something to a shell, or that are no part of a plain word.
const SPECIAL: &str = "'\"\\$`;|&<>(){}*?[]#~!\t\n\r";

/// LIMIT: longest command that is written in other ways, in bytes: nobody types a longer one.
const MOST_BYTES: usize = 300;

/// A plain command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    line: String,
}

impl Command {
    /// The command, if a shell reads `line` as the words between its single spaces.
    pub(crate) fn plain(line: &str) -> Option<Self> {
        let is_plain = line.len() <= MOST_BYTES
            && !line.contains(|c: char| SPECIAL.contains(c) || c.is_control())
            && line.split(' ').all(|word| !word.is_empty());
        let program = line.split(' ').next().unwrap_or_default();
        let is_program = program
            .starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_'))
            && program.contains(|c: char| c.is_ascii_alphabetic())
            && !program.contains(['=', ':', ',', '%'])
            && !program.ends_with('/');
        (is_plain && is_program).then(|| Self {
            line: line.to_owned(),
        })
    }

    /// The whole line.
    pub(crate) fn line(&self) -> &str {
        &self.line
    }

    /// The first word.
    pub(crate) fn program(&self) -> &str {
        self.line.split(' ').next().unwrap_or_default()
    }

    /// What stands after the first word.
    pub(crate) fn rest(&self) -> &str {
        self.line.split_once(' ').map_or("", |(_, rest)| rest)
    }

    /// The words.
    pub(crate) fn words(&self) -> Vec<&str> {
        self.line.split(' ').collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Command;

    #[test]
    fn only_plain_lines_are_commands() {
        for line in [
            "rm",
            "rm -rf build",
            "./x.sh a",
            "/bin/rm x",
            "git push --force=1",
            "7z x",
        ] {
            assert!(Command::plain(line).is_some(), "{line}");
        }
        for line in [
            "dir/",
            "",
            " rm",
            "rm ",
            "rm  x",
            "rm 'x'",
            "rm $X",
            "rm x;y",
            "-rf x",
            "X=1 rm",
            "rm *",
            "rm\tx",
            "https://x",
            "1 2",
        ] {
            assert!(Command::plain(line).is_none(), "{line:?}");
        }
    }

    #[test]
    fn a_line_falls_into_its_parts() {
        let command = Command::plain("git push --force").unwrap();
        assert_eq!((command.program(), command.rest()), ("git", "push --force"));
        assert_eq!(Command::plain("ls").unwrap().rest(), "");
    }
}
