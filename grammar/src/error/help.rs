//! What to write instead of each refused construct.

use super::{SyntaxErrorKind, short};

impl SyntaxErrorKind {
    /// What to write instead, in one sentence.
    pub fn help(&self) -> String {
        match self {
            Self::NotUtf8 { .. } => "save the file as UTF-8".to_owned(),
            Self::TooLarge { .. } => "split the file, or raise the limit".to_owned(),
            Self::ForbiddenCharacter { character } => {
                format!("remove it; if it must be part of a text, write `{}` in double quotes", escape(*character))
            }
            Self::SurrogateEscape { .. } => {
                "write the character itself, or its own number: `\\U0001F600` for U+1F600".to_owned()
            }
            Self::UnterminatedQuote { quote } => format!("write `{quote}` where the text ends{}", doubling(*quote)),
            Self::BadEscape { escape } => bad_escape(escape),
            Self::UnderIndented => {
                "indent every line of the value by at least one space more than the key it belongs to".to_owned()
            }
            Self::ColonInPlain { text } => format!("quote the value: {}", quoted(text)),
            Self::KeyInValue { key } => {
                format!("put `{}:` at the column of the keys it belongs to, or quote the value above", short(key))
            }
            Self::ReservedCharacter { text, .. } => format!("quote it: {}", quoted(text)),
            Self::TextAfterClose { close, whole, .. } => match close {
                ']' | '}' => format!("quote the whole value: {}", quoted(whole)),
                _ => "put the whole value between one pair of quotes".to_owned(),
            },
            Self::UnclosedBracket { bracket } => {
                let close = if *bracket == '[' { ']' } else { '}' };
                format!("write `{close}` at the end of the list, or quote the value if the bracket is part of it")
            }
            Self::StrayBracket { .. } => "remove it, or quote the value if it is part of it".to_owned(),
            Self::MissingComma { close } => {
                format!("separate the entries by `,`, end them by `{close}`, and quote an entry that holds a bracket or a quote")
            }
            Self::ItemOnKeyLine => {
                "begin the sequence on the next line, or write it in brackets: `key: [item]`".to_owned()
            }
            Self::OnMarkerLine => "begin it on the next line".to_owned(),
            Self::ItemInBrackets => "separate entries by `,` alone: `[a, b]`; quote a value that begins with `-`".to_owned(),
            Self::MissingColon { text } => missing_colon(text),
            Self::MissingDash { text } => format!("write `- {}`, or indent the line if it belongs to the item above", short(text)),
            Self::ItemAmongKeys => {
                "indent the item under the key whose value it is, or leave it out; one block is a mapping or a sequence, not both"
                    .to_owned()
            }
            Self::WrongIndentation { found, fitting } => wrong_indentation(*found, fitting),
            Self::BlockHeader { .. } => {
                "write nothing but `|` or `>`, perhaps with `-`, `+` or a digit, and the text on the lines below; quote a value that begins so"
                    .to_owned()
            }
            Self::BlockBlankLine => "remove the spaces from the blank line".to_owned(),
            Self::KeyTooLong => "write a shorter key".to_owned(),
            Self::KeyOverLines => "write the key and its colon on one line, or put the missing `,` before it".to_owned(),
            Self::AfterDocument => "remove it: a text holds one mapping, one sequence or one value, and nothing after it".to_owned(),
            Self::Unexpected { .. } => "check the indentation and the punctuation of this line and the one above".to_owned(),
            Self::TabIndentation => "indent with spaces".to_owned(),
            Self::DuplicateKey { .. } => "put everything under one of them, and remove the other".to_owned(),
            Self::Anchor { text } => {
                format!("write the value out at every place; if it is meant as text, quote it: {}", quoted(text))
            }
            Self::Alias { text } | Self::Tag { text, .. } => format!("quote it: {}", quoted(text)),
            Self::Directive { .. } => "remove the line; every text is read as YAML 1.2".to_owned(),
            Self::MultipleDocuments => "put the second document into a file of its own, or remove the `---`".to_owned(),
            Self::ComplexKey => "write `key: value`; quote a value or a key that begins with `? `".to_owned(),
            Self::CollectionKey => "write a plain or quoted text before the colon; quote a key that holds brackets".to_owned(),
            Self::EmptyKey => "write the key before the colon; quote a value that begins with `:`".to_owned(),
            Self::TooDeep { .. } => "write it with less nesting".to_owned(),
            Self::ReadingsDiffer { .. } => {
                "quote the value, or write it on one line: no parser must be able to read it differently".to_owned()
            }
        }
    }
}

/// `text` in single quotes, as YAML writes it.
fn quoted(text: &str) -> String {
    format!("`'{}'`", short(text).replace('\'', "''"))
}

/// The escape for a character, as double quotes take it.
fn escape(character: char) -> String {
    let number = u32::from(character);
    if number < 0x100 {
        format!("\\x{number:02X}")
    } else {
        format!("\\u{number:04X}")
    }
}

fn doubling(quote: char) -> &'static str {
    if quote == '\'' {
        "; a quote inside is written twice: `''`"
    } else {
        "; a quote inside is written `\\\"`"
    }
}

fn bad_escape(escape: &str) -> String {
    match escape.chars().nth(1) {
        Some('x' | 'u' | 'U') => {
            "write `\\x` and two hexadecimal digits, `\\u` and four, or `\\U` and eight, up to `\\U0010FFFF`"
                .to_owned()
        }
        Some(_) | None => {
            format!(
                "use single quotes, which take a backslash as it is, or write `\\{escape}` for the two characters"
            )
        }
    }
}

fn missing_colon(text: &str) -> String {
    match text.split_once(':') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => {
            format!(
                "write a space after the colon: `{}: {}`",
                short(key),
                short(value)
            )
        }
        _ => "write a colon and a value after it, or indent the line if it goes on with the value above"
            .to_owned(),
    }
}

fn wrong_indentation(found: usize, fitting: &[usize]) -> String {
    let listed: Vec<String> = fitting.iter().map(usize::to_string).collect();
    match listed.split_last() {
        None => format!(
            "the line begins with {}; begin it at the first column",
            spaces(found)
        ),
        Some((last, [])) => format!("the line begins with {}; {last} would fit", spaces(found)),
        Some((last, others)) => format!(
            "the line begins with {}; {} or {last} would fit",
            spaces(found),
            others.join(", ")
        ),
    }
}

fn spaces(count: usize) -> String {
    if count == 1 {
        "1 space".to_owned()
    } else {
        format!("{count} spaces")
    }
}
