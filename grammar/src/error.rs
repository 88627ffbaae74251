//! What can be wrong with a source text, as a closed enum: each kind with its code, its message and what to write instead.
//!
//! Messages are lower case, without a final stop, user text in backticks. They are assembled here and nowhere else, so
//! that every edge (command line, JSON, SARIF) says the same words.

mod help;

use std::borrow::Cow;

use crate::span::Span;

/// One refusal: what, and the bytes it is about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct SyntaxError {
    /// What is wrong.
    pub kind: SyntaxErrorKind,
    /// The bytes of the source text that are wrong.
    pub span: Span,
}

impl SyntaxError {
    /// A refusal of the bytes under `span`.
    pub fn new(kind: SyntaxErrorKind, span: Span) -> Self {
        Self { kind, span }
    }

    /// The stable code: `CG0101` to `CG0109`.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// What to write instead, in one sentence.
    pub fn help(&self) -> String {
        self.kind.help()
    }
}

/// Everything that makes a source text unreadable. Page 10: one reading, or none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxErrorKind {
    /// CG0101: the bytes are not UTF-8.
    #[error("the text is not UTF-8: byte 0x{byte:02x} does not belong here")]
    NotUtf8 {
        /// The first byte that fits no character.
        byte: u8,
    },

    /// CG0102: longer than [`Limits::max_bytes`](crate::Limits::max_bytes).
    #[error("the text has {bytes} bytes, more than the limit of {max}")]
    TooLarge {
        /// The length.
        bytes: usize,
        /// The limit.
        max: usize,
    },

    /// CG0103: a control, bidirectional control, exotic line break or noncharacter, written raw.
    #[error("the character U+{:04X}, {}, is not allowed", u32::from(*.character), character_class(*.character))]
    ForbiddenCharacter {
        /// The character.
        character: char,
    },
    /// CG0103: `\uD800` … `\uDFFF` in double quotes.
    #[error("`{}` is half of a surrogate pair, not a character", short(.escape))]
    SurrogateEscape {
        /// The escape as written.
        escape: String,
    },

    /// CG0104: a quoted scalar runs to the end of the text.
    #[error("this `{quote}` is never closed")]
    UnterminatedQuote {
        /// `'` or `"`.
        quote: char,
    },
    /// CG0104: a backslash in double quotes that begins no escape.
    #[error("`{}` is not an escape", short(.escape))]
    BadEscape {
        /// The escape as written.
        escape: String,
    },
    /// CG0104: a line inside quotes or brackets that begins too far left.
    #[error("continuation lines must be indented more than the key")]
    UnderIndented,
    /// CG0104: `: ` inside an unquoted value.
    #[error("`: ` inside an unquoted value")]
    ColonInPlain {
        /// The value with everything that was meant to belong to it.
        text: String,
    },
    /// CG0104: a `key:` whose line is indented as if it went on with the value above.
    #[error("`{}:` is indented as if it went on with the value above", short(.key))]
    KeyInValue {
        /// The key.
        key: String,
    },
    /// CG0104: an unquoted value that begins with `@`, `` ` `` or `%`.
    #[error("no unquoted value can begin with {}", shown(*.character))]
    ReservedCharacter {
        /// The character.
        character: char,
        /// The value as it was meant.
        text: String,
    },
    /// CG0104: text after a closing bracket or quote.
    #[error("`{}` stands after the closing {}", short(.text), shown(*.close))]
    TextAfterClose {
        /// The closing bracket or quote.
        close: char,
        /// What comes after it, to the end of the value.
        text: String,
        /// The value as it was meant, from its first character.
        whole: String,
    },
    /// CG0104: `[` or `{` without its other half.
    #[error("this `{bracket}` is never closed")]
    UnclosedBracket {
        /// The bracket.
        bracket: char,
    },
    /// CG0104: `]` or `}` without its other half, or a stray `,`.
    #[error("`{character}` closes or separates nothing here")]
    StrayBracket {
        /// The character.
        character: char,
    },
    /// CG0104: two values in brackets with no comma between them, or an entry that is none.
    #[error("`,` or `{close}` is missing before this")]
    MissingComma {
        /// The bracket that would close the collection.
        close: char,
    },
    /// CG0104: `key: - item`.
    #[error("a sequence item cannot begin on its key's line")]
    ItemOnKeyLine,
    /// CG0104: `--- key: value` or `--- - item`.
    #[error("a mapping or a sequence cannot begin on the line of `---`")]
    OnMarkerLine,
    /// CG0104: `- ` inside brackets.
    #[error("`- ` has no meaning inside brackets")]
    ItemInBrackets,
    /// CG0104: a line of a mapping that has no `: `.
    #[error("`{}` stands where a `key: value` is due", short(.text))]
    MissingColon {
        /// The line.
        text: String,
    },
    /// CG0104: a line of a sequence that has no `- `.
    #[error("`{}` stands where a `- ` is due", short(.text))]
    MissingDash {
        /// The line.
        text: String,
    },
    /// CG0104: a `- ` at the column of a mapping's keys.
    #[error("a sequence item stands among the keys of a mapping")]
    ItemAmongKeys,
    /// CG0104: indentation that matches no open block.
    #[error("this line's indentation fits no open block")]
    WrongIndentation {
        /// Its indentation in spaces.
        found: usize,
        /// The indentations that would fit, smallest first.
        fitting: Vec<usize>,
    },
    /// CG0104: what follows `|` or `>` is no header.
    #[error("`{}` does not begin a block of text", short(.header))]
    BlockHeader {
        /// The line from the indicator on.
        header: String,
    },
    /// CG0104: a blank line ahead of a block's first line that has more spaces than it.
    #[error("a blank line before the block's first line has more spaces than that line")]
    BlockBlankLine,
    /// CG0104: a key of more than 1,024 characters.
    #[error("a key of more than 1024 characters")]
    KeyTooLong,
    /// CG0104: a key that goes over a line break.
    #[error("a key must stand on one line with its colon")]
    KeyOverLines,
    /// CG0104: text after `...`, or after a root that is no block collection.
    #[error("text after the end of the document")]
    AfterDocument,
    /// CG0104: anything else.
    #[error("{found} is not expected here")]
    Unexpected {
        /// What stands there: a word in backticks, or `the end of the text`.
        found: String,
    },

    /// CG0105: a tab where indentation is counted.
    #[error("a tab in the indentation")]
    TabIndentation,

    /// CG0106: one mapping, the same key twice (by decoded text).
    #[error("the key `{}` stands twice in one mapping", short(.key))]
    DuplicateKey {
        /// The key.
        key: String,
        /// Where it stands first.
        first: Span,
    },

    /// CG0107: `&name`.
    #[error("`{}` is an anchor; anchors are not read", short(.text))]
    Anchor {
        /// As written.
        text: String,
    },
    /// CG0107: `*name`.
    #[error("`{}` is an alias to YAML; quote it", short(.text))]
    Alias {
        /// As written.
        text: String,
    },
    /// CG0107: `!name`.
    #[error("`{}` is a tag to YAML; quote it", short(.tag))]
    Tag {
        /// As written.
        tag: String,
        /// The tag and what follows it on its line.
        text: String,
    },
    /// CG0107: `%YAML` or `%TAG` or any other `%` line before `---`.
    #[error("`{}` is a directive; directives are not read", short(.text))]
    Directive {
        /// As written.
        text: String,
    },
    /// CG0107: a second document.
    #[error("a second document begins here; one text holds one document")]
    MultipleDocuments,
    /// CG0107: `? key`.
    #[error("`?` begins a complex key; complex keys are not read")]
    ComplexKey,
    /// CG0107: `[a]: b` or `{a: b}: c`.
    #[error("a collection as a key is not read")]
    CollectionKey,
    /// CG0107: `: value` with nothing before the colon.
    #[error("a key is missing before the colon")]
    EmptyKey,

    /// CG0108: deeper than [`Limits::max_depth`](crate::Limits::max_depth).
    #[error("collections are nested more than {max} deep")]
    TooDeep {
        /// The limit.
        max: usize,
    },

    /// CG0109: the second, independent reading gives other data.
    #[error("two YAML parsers read this differently: {ours}, or {theirs}")]
    ReadingsDiffer {
        /// What this grammar reads.
        ours: String,
        /// What the other parser reads.
        theirs: String,
    },
}

impl SyntaxErrorKind {
    /// The stable code. Several kinds share one; a code never changes its meaning.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotUtf8 { .. } => "CG0101",
            Self::TooLarge { .. } => "CG0102",
            Self::ForbiddenCharacter { .. } | Self::SurrogateEscape { .. } => "CG0103",
            Self::UnterminatedQuote { .. }
            | Self::BadEscape { .. }
            | Self::UnderIndented
            | Self::ColonInPlain { .. }
            | Self::KeyInValue { .. }
            | Self::ReservedCharacter { .. }
            | Self::TextAfterClose { .. }
            | Self::UnclosedBracket { .. }
            | Self::StrayBracket { .. }
            | Self::MissingComma { .. }
            | Self::ItemOnKeyLine
            | Self::OnMarkerLine
            | Self::ItemInBrackets
            | Self::MissingColon { .. }
            | Self::MissingDash { .. }
            | Self::ItemAmongKeys
            | Self::WrongIndentation { .. }
            | Self::BlockHeader { .. }
            | Self::BlockBlankLine
            | Self::KeyTooLong
            | Self::KeyOverLines
            | Self::AfterDocument
            | Self::Unexpected { .. } => "CG0104",
            Self::TabIndentation => "CG0105",
            Self::DuplicateKey { .. } => "CG0106",
            Self::Anchor { .. }
            | Self::Alias { .. }
            | Self::Tag { .. }
            | Self::Directive { .. }
            | Self::MultipleDocuments
            | Self::ComplexKey
            | Self::CollectionKey
            | Self::EmptyKey => "CG0107",
            Self::TooDeep { .. } => "CG0108",
            Self::ReadingsDiffer { .. } => "CG0109",
        }
    }

    /// The stable name of this kind.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotUtf8 { .. } => "not-utf8",
            Self::TooLarge { .. } => "too-large",
            Self::ForbiddenCharacter { .. } => "forbidden-character",
            Self::SurrogateEscape { .. } => "surrogate-escape",
            Self::UnterminatedQuote { .. } => "unterminated-quote",
            Self::BadEscape { .. } => "bad-escape",
            Self::UnderIndented => "under-indented",
            Self::ColonInPlain { .. } => "colon-in-plain",
            Self::KeyInValue { .. } => "key-in-value",
            Self::ReservedCharacter { .. } => "reserved-character",
            Self::TextAfterClose { .. } => "text-after-close",
            Self::UnclosedBracket { .. } => "unclosed-bracket",
            Self::StrayBracket { .. } => "stray-bracket",
            Self::MissingComma { .. } => "missing-comma",
            Self::ItemOnKeyLine => "item-on-key-line",
            Self::OnMarkerLine => "on-marker-line",
            Self::ItemInBrackets => "item-in-brackets",
            Self::MissingColon { .. } => "missing-colon",
            Self::MissingDash { .. } => "missing-dash",
            Self::ItemAmongKeys => "item-among-keys",
            Self::WrongIndentation { .. } => "wrong-indentation",
            Self::BlockHeader { .. } => "block-header",
            Self::BlockBlankLine => "block-blank-line",
            Self::KeyTooLong => "key-too-long",
            Self::KeyOverLines => "key-over-lines",
            Self::AfterDocument => "after-document",
            Self::Unexpected { .. } => "unexpected",
            Self::TabIndentation => "tab-indentation",
            Self::DuplicateKey { .. } => "duplicate-key",
            Self::Anchor { .. } => "anchor",
            Self::Alias { .. } => "alias",
            Self::Tag { .. } => "tag",
            Self::Directive { .. } => "directive",
            Self::MultipleDocuments => "multiple-documents",
            Self::ComplexKey => "complex-key",
            Self::CollectionKey => "collection-key",
            Self::EmptyKey => "empty-key",
            Self::TooDeep { .. } => "too-deep",
            Self::ReadingsDiffer { .. } => "readings-differ",
        }
    }
}

/// LIMIT: characters of a user's text that a message shows.
const SHOWN: usize = 60;

/// The beginning of a text, whole if it is not long.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// A character in backticks, with its name where a backtick or a quote would be hard to read.
fn shown(character: char) -> &'static str {
    match character {
        '`' => "a backtick",
        '@' => "`@`",
        '%' => "`%`",
        '|' => "`|`",
        '>' => "`>`",
        '#' => "`#`",
        '\'' => "quote `'`",
        '"' => "quote `\"`",
        ']' => "bracket `]`",
        '}' => "bracket `}`",
        _ => "this character",
    }
}

/// What a forbidden character is.
fn character_class(character: char) -> &'static str {
    match character {
        '\u{85}' | '\u{2028}' | '\u{2029}' => "a line break to some programs only",
        '\u{feff}' => "a byte order mark inside the text",
        '\u{fffe}' | '\u{ffff}' => "no character of Unicode",
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "which changes the direction of text"
        }
        _ => "a control character",
    }
}

#[cfg(test)]
mod tests;
