//! The text of a JSON number to what Python prints of it.

/// An integer in decimal, whatever its size; a double as CPython's `repr` (page 20).
pub(super) fn python(text: &str) -> String {
    if !text.contains(['.', 'e', 'E']) {
        return if text == "-0" {
            String::from("0")
        } else {
            text.to_owned()
        };
    }
    let value: f64 = text.parse().unwrap_or(f64::NAN);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    // Rust, too, writes the shortest digits that read back as the same double; only the layout differs.
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let exponent: i64 = exponent.parse().unwrap_or(0);
    // `repr` counts where the point stands among the digits, from the front.
    let point = exponent + 1;
    if -4 < point && point <= 16 {
        return format!("{sign}{}", positional(&digits, point));
    }
    let (first, rest) = digits.split_at(1);
    let fraction = if rest.is_empty() {
        String::new()
    } else {
        format!(".{rest}")
    };
    let direction = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{first}{fraction}e{direction}{:02}", exponent.abs())
}

/// The digits with the point after `point` of them, zeros filled in.
fn positional(digits: &str, point: i64) -> String {
    let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    if point <= 0 {
        format!("0.{}{digits}", zeros(-point))
    } else if point >= length {
        format!("{digits}{}.0", zeros(point - length))
    } else {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
        format!("{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::python;

    #[test]
    fn numbers_print_as_cpython_prints_them() {
        let cases = [
            ("7", "7"),
            ("-0", "0"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1.0", "1.0"),
            ("1e2", "100.0"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("9999999999999998.0", "9999999999999998.0"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("0.00012345", "0.00012345"),
            ("-0.0", "-0.0"),
            ("0e5", "0.0"),
            ("123.456", "123.456"),
            ("1.5e-10", "1.5e-10"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ];
        for (text, expected) in cases {
            assert_eq!(python(text), expected, "{text}");
        }
    }
}
