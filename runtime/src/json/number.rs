//! JSON numbers to the text that subjects hold: integers of any size in decimal, doubles as CPython's `repr`.

use alloc::format;
use alloc::string::String;

/// A number as it stands in the text, with its double where it is not an integer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number<'a> {
    text: &'a str,
    float: Option<f64>,
}

impl<'a> Number<'a> {
    pub(super) fn integer(text: &'a str) -> Self {
        Self { text, float: None }
    }

    /// `None` when the text is no finite double.
    pub(super) fn float(text: &'a str) -> Option<Self> {
        let value: f64 = text.parse().ok()?;
        value.is_finite().then_some(Self {
            text,
            float: Some(value),
        })
    }

    /// The number as it stands in the JSON text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Appends the number: an integer in decimal (`-0` is `0`), a double as CPython's `repr` (`1.0`, `1e+16`, `1e-05`).
    pub fn push_to(&self, out: &mut String) {
        match self.float {
            None if self.text == "-0" => out.push('0'),
            None => out.push_str(self.text),
            Some(value) => push_repr(value, out),
        }
    }
}

/// CPython's `repr`: the shortest digits that round-trip; an exponent below -4 or from 16 on is written as one.
fn push_repr(value: f64, out: &mut String) {
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        out.push_str(&format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs()));
        return;
    }
    let plain = format!("{value}");
    out.push_str(&plain);
    if !plain.contains('.') {
        out.push_str(".0");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_cpython_does() {
        let cases = [
            ("1.0", "1.0"),
            ("1e2", "100.0"),
            ("1e16", "1e+16"),
            ("1e15", "1000000000000000.0"),
            ("123456789012345680.0", "1.2345678901234568e+17"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("-0.0", "-0.0"),
            ("0.1", "0.1"),
            ("1.5e-10", "1.5e-10"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("1e100", "1e+100"),
            ("9007199254740993.0", "9007199254740992.0"),
        ];
        for (text, expected) in cases {
            let mut out = String::new();
            Number::float(text).expect("finite").push_to(&mut out);
            assert_eq!(out, expected, "{text}");
        }
        assert!(Number::float("1e400").is_none());
    }

    #[test]
    fn integers_keep_every_digit() {
        let mut out = String::new();
        Number::integer("123456789012345678901234567890").push_to(&mut out);
        Number::integer("-0").push_to(&mut out);
        assert_eq!(out, "1234567890123456789012345678900");
    }
}
