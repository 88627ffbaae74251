//! The names of what may hide a command, a closed list: reasons and refusals to learn quote them.

/// Something that keeps a segment from being judged by its text alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Construct {
    /// `$( )` or backticks.
    CommandSubstitution,
    /// `<( )` or `>( )`.
    ProcessSubstitution,
    /// `${ }` beyond a plain name with a literal default.
    ParameterExpansion,
    /// The program is not plain text.
    CommandPosition,
    /// `( )`
    Subshell,
    /// `{ }`
    Group,
    /// A wrapper, launcher or never-peeled program with an option that no table has.
    UnknownOption,
    /// Text that is run and is not literal, or a word that is not where the program is looked for.
    NonLiteral,
    /// A script file, another language, or standard input, read as commands.
    UnreadProgram,
    /// An assignment to a variable that can change what runs.
    DangerousVariable,
    /// A function with the name of a known program.
    ShadowingFunction,
    /// `alias` and other builtins that change or run code.
    CodeBuiltin,
    /// A subscript in which bash would run something when it evaluates it.
    Subscript,
    /// `/dev/tcp`, `/dev/udp`.
    NetworkRedirection,
    /// What bash refuses as a syntax error, or what may be read in two ways.
    Syntax,
    /// A NUL character.
    Nul,
    /// Nested deeper than 32.
    Depth,
}

impl Construct {
    /// The name in reasons.
    pub fn name(self) -> &'static str {
        match self {
            Self::CommandSubstitution => "command substitution",
            Self::ProcessSubstitution => "process substitution",
            Self::ParameterExpansion => "parameter expansion",
            Self::CommandPosition => "expansion in command position",
            Self::Subshell => "subshell",
            Self::Group => "brace group",
            Self::UnknownOption => "unknown option of a launcher",
            Self::NonLiteral => "text that is not literal",
            Self::UnreadProgram => "program text that is not in the line",
            Self::DangerousVariable => "assignment to a dangerous variable",
            Self::ShadowingFunction => "function that shadows a command",
            Self::CodeBuiltin => "builtin that runs or changes code",
            Self::Subscript => "subscript with a substitution",
            Self::NetworkRedirection => "network redirection",
            Self::Syntax => "syntax error",
            Self::Nul => "NUL character",
            Self::Depth => "nesting deeper than 32",
        }
    }

    /// Nothing lifts it (ruling 16).
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Syntax | Self::Nul | Self::Depth)
    }
}
