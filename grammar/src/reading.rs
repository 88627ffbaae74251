//! Plain text to what YAML parsers take it for: of version 1.1 or 1.2, and by the core schema of 1.2 alone.
//!
//! The forms are those of yaml.org/type (1.1) and of the core schema (1.2.2, chapter 10.3), taken together and read
//! generously where parsers in use do (`nO`, `0X1F`, `2026-1-1`): what any of them would not read as text is no text
//! for a policy (page 10).

mod number;
mod timestamp;

use crate::document::{Reading, Scalar, Style};

/// What the YAML 1.2 core schema makes of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreValue<'a> {
    /// `~`, `null`, or nothing.
    Null,
    /// `true` or `false`, in three spellings each.
    Bool(bool),
    /// An integer, as written.
    Integer(&'a str),
    /// A floating-point number, as written.
    Float(&'a str),
    /// Anything else, and every scalar that is not plain.
    Text(&'a str),
}

impl Reading {
    /// What the scalar is, and to whom, to follow "is": `the boolean false to a YAML 1.1 parser`.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Null => "null to a YAML parser",
            Self::Bool(true) => "the boolean true to a YAML 1.1 parser",
            Self::Bool(false) => "the boolean false to a YAML 1.1 parser",
            Self::Integer => "an integer to some YAML parsers",
            Self::Float => "a floating-point number to some YAML parsers",
            Self::Timestamp => "a date to a YAML 1.1 parser",
            Self::Value => "the default value to a YAML 1.1 parser",
            Self::Merge => "the merge key to a YAML 1.1 parser",
        }
    }
}

/// What some YAML 1.1 or 1.2 parser makes of the plain scalar `text`. Linear in its length.
pub fn of_plain(text: &str) -> Reading {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Reading::Null,
        "=" => return Reading::Value,
        "<<" => return Reading::Merge,
        _ => {}
    }
    if let Some(value) = boolean(text) {
        Reading::Bool(value)
    } else if number::is_integer(text) {
        Reading::Integer
    } else if number::is_float(text) {
        Reading::Float
    } else if timestamp::is_timestamp(text) {
        Reading::Timestamp
    } else {
        Reading::Text
    }
}

/// What the YAML 1.2 core schema makes of `scalar`.
pub fn core_schema(scalar: &Scalar) -> CoreValue<'_> {
    let text = scalar.text.as_str();
    if scalar.style != Style::Plain {
        return CoreValue::Text(text);
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => CoreValue::Null,
        "true" | "True" | "TRUE" => CoreValue::Bool(true),
        "false" | "False" | "FALSE" => CoreValue::Bool(false),
        _ if number::is_core_integer(text) => CoreValue::Integer(text),
        _ if number::is_core_float(text) => CoreValue::Float(text),
        _ => CoreValue::Text(text),
    }
}

fn boolean(text: &str) -> Option<bool> {
    const TRUE: [&str; 4] = ["true", "yes", "on", "y"];
    const FALSE: [&str; 4] = ["false", "no", "off", "n"];
    if TRUE.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        Some(true)
    } else if FALSE.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_page_10_is_named() {
        let rows: &[(Reading, &[&str])] = &[
            (Reading::Null, &["", "~", "null", "Null", "NULL"]),
            (
                Reading::Bool(true),
                &[
                    "true", "True", "TRUE", "tRUE", "yes", "YES", "yEs", "on", "On", "y", "Y",
                ],
            ),
            (
                Reading::Bool(false),
                &[
                    "false", "False", "FALSE", "no", "No", "nO", "off", "OFF", "n", "N",
                ],
            ),
            (
                Reading::Integer,
                &[
                    "0", "12", "-12", "+12", "017", "09", "0o7", "0O17", "0x1F", "0XfF", "0b101", "0B1",
                ],
            ),
            (
                Reading::Integer,
                &[
                    "1_000",
                    "-1_0",
                    "0b1_0",
                    "0x_F",
                    "1:30",
                    "190:20:30",
                    "-1:5",
                    "0_",
                    "1_0:00",
                ],
            ),
            (
                Reading::Float,
                &[
                    "1.0",
                    "1.",
                    ".5",
                    "-.5",
                    "+1.5",
                    "1e3",
                    "1E+3",
                    "1.5e-3",
                    "1_0.5",
                    "6.8523015e+5",
                ],
            ),
            (
                Reading::Float,
                &[
                    ".inf",
                    "-.inf",
                    "+.INF",
                    ".Inf",
                    ".nan",
                    ".NaN",
                    ".NAN",
                    "190:20:30.15",
                    "0:0.5",
                    "1_000.0",
                ],
            ),
            (
                Reading::Timestamp,
                &[
                    "2026-01-01",
                    "2026-1-1",
                    "2001-12-15T02:59:43.1Z",
                    "2001-12-14t21:59:43.10-05:00",
                ],
            ),
            (
                Reading::Timestamp,
                &[
                    "2001-12-14 21:59:43.10 -5",
                    "2001-12-15 2:59:43.10",
                    "2001-12-15 2:59:43\tZ",
                ],
            ),
            (Reading::Value, &["="]),
            (Reading::Merge, &["<<"]),
            (
                Reading::Text,
                &[
                    "a", "nil", "none", "None", "yess", "1.2.3", ".", "..", "...", "1:60", "0:30", "1:2x",
                    "-", "+",
                ],
            ),
            (
                Reading::Text,
                &[
                    "0o8",
                    "0o",
                    "0x",
                    "0b2",
                    "0xG",
                    "_1",
                    "e3",
                    "1e",
                    "1e+",
                    ".e3",
                    ".infinity",
                    "inf",
                    "nan",
                ],
            ),
            (
                Reading::Text,
                &[
                    "2026-01",
                    "26-01-01",
                    "2026-01-01x",
                    "2026-01-01T1",
                    "==",
                    "<",
                    "<<<",
                    "~~",
                    "1 2",
                    "*",
                    "１",
                ],
            ),
            (
                Reading::Text,
                &[
                    "+.nan",
                    "--1",
                    "+-1",
                    "1.5.5",
                    "1_0x",
                    "0x1.5",
                    "2026-01-01T10:00",
                    ":30",
                    "1:",
                    "1::2",
                ],
            ),
        ];
        for (reading, texts) in rows {
            for text in *texts {
                assert_eq!(of_plain(text), *reading, "`{text}`");
            }
        }
    }

    #[test]
    fn only_plain_scalars_are_read_as_anything_but_text() {
        for style in [
            Style::SingleQuoted,
            Style::DoubleQuoted,
            Style::Literal,
            Style::Folded,
        ] {
            let scalar = Scalar {
                text: "no".to_owned(),
                style,
            };
            assert_eq!(scalar.reading(), Reading::Text);
            assert_eq!(core_schema(&scalar), CoreValue::Text("no"));
        }
        let scalar = Scalar {
            text: "no".to_owned(),
            style: Style::Plain,
        };
        assert_eq!(scalar.reading(), Reading::Bool(false));
        assert_eq!(
            scalar.reading().describe(),
            "the boolean false to a YAML 1.1 parser"
        );
    }

    #[test]
    fn the_core_schema_knows_fewer_forms() {
        let of = |text: &str| {
            let scalar = Scalar {
                text: text.to_owned(),
                style: Style::Plain,
            };
            match core_schema(&scalar) {
                CoreValue::Null => "null",
                CoreValue::Bool(_) => "bool",
                CoreValue::Integer(_) => "integer",
                CoreValue::Float(_) => "float",
                CoreValue::Text(_) => "text",
            }
        };
        let rows: &[(&str, &[&str])] = &[
            ("null", &["", "~", "null", "Null", "NULL"]),
            ("bool", &["true", "True", "FALSE"]),
            ("integer", &["0", "-19", "+12", "0o7", "0x3A", "017"]),
            (
                "float",
                &[
                    "0.", "-0.0", ".5", "+12e03", "-2E+05", "12e3", ".inf", "-.Inf", "+.INF", ".NAN",
                ],
            ),
            (
                "text",
                &[
                    "tRUE",
                    "no",
                    "yes",
                    "1_000",
                    "1:30",
                    "0b1",
                    "-0o7",
                    "+0x1",
                    "2026-01-01",
                    "1_0.5",
                    "=",
                    "<<",
                    ".e1",
                ],
            ),
        ];
        for (kind, texts) in rows {
            for text in *texts {
                assert_eq!(of(text), *kind, "`{text}`");
            }
        }
    }
}
