//! Which plain texts some YAML parser reads as numbers.

/// YAML 1.1 and 1.2 integers: decimal, octal (`017`, `0o17`), hexadecimal, binary, with `_`, in base 60.
pub(super) fn is_integer(text: &str) -> bool {
    let unsigned = without_sign(text);
    if let Some(digits) = without_prefix(unsigned, ["0x", "0X"]) {
        return is_grouped(digits, |byte| byte.is_ascii_hexdigit());
    }
    if let Some(digits) = without_prefix(unsigned, ["0o", "0O"]) {
        return is_grouped(digits, |byte| matches!(byte, b'0'..=b'7'));
    }
    if let Some(digits) = without_prefix(unsigned, ["0b", "0B"]) {
        return is_grouped(digits, |byte| matches!(byte, b'0' | b'1'));
    }
    is_decimal(unsigned) || (unsigned.starts_with(|first: char| first != '0') && is_base_60(unsigned))
}

/// YAML 1.1 and 1.2 floating-point numbers: with a point or an exponent, with `_`, in base 60, infinite, not a number.
pub(super) fn is_float(text: &str) -> bool {
    let unsigned = without_sign(text);
    if unsigned.eq_ignore_ascii_case(".inf") || text.eq_ignore_ascii_case(".nan") {
        return true;
    }
    let base_60 = unsigned.split_once('.').is_some_and(|(whole, fraction)| {
        is_base_60(whole) && fraction.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
    });
    base_60 || is_scientific(unsigned, |byte| byte.is_ascii_digit() || byte == b'_')
}

/// Integers of the YAML 1.2 core schema.
pub(super) fn is_core_integer(text: &str) -> bool {
    let all = |digits: &str, is_digit: fn(u8) -> bool| !digits.is_empty() && digits.bytes().all(is_digit);
    if let Some(digits) = text.strip_prefix("0o") {
        all(digits, |byte| matches!(byte, b'0'..=b'7'))
    } else if let Some(digits) = text.strip_prefix("0x") {
        all(digits, |byte| byte.is_ascii_hexdigit())
    } else {
        all(without_sign(text), |byte| byte.is_ascii_digit())
    }
}

/// Floating-point numbers of the YAML 1.2 core schema.
pub(super) fn is_core_float(text: &str) -> bool {
    let unsigned = without_sign(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF")
        || matches!(text, ".nan" | ".NaN" | ".NAN")
        || is_scientific(unsigned, |byte| byte.is_ascii_digit())
}

/// A point or an exponent, or both, about digits of which the first of each run is a decimal digit.
fn is_scientific(unsigned: &str, is_digit: fn(u8) -> bool) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(without_sign(exponent))),
        None => (unsigned, None),
    };
    let digits =
        |text: &str| text.starts_with(|first: char| first.is_ascii_digit()) && text.bytes().all(is_digit);
    let is_mantissa = match mantissa.split_once('.') {
        Some(("", fraction)) => digits(fraction),
        Some((whole, fraction)) => digits(whole) && fraction.bytes().all(is_digit),
        None => exponent.is_some() && digits(mantissa),
    };
    let is_exponent = exponent
        .is_none_or(|exponent| !exponent.is_empty() && exponent.bytes().all(|byte| byte.is_ascii_digit()));
    is_mantissa && is_exponent
}

/// `1:30`, `190:20:30`: a decimal, then one or more numbers from 0 to 59.
fn is_base_60(unsigned: &str) -> bool {
    let mut places = unsigned.split(':');
    let is_first = places.next().is_some_and(is_decimal);
    let mut count = 0_usize;
    let are_minutes = places.all(|place| {
        count = count.saturating_add(1);
        match place.as_bytes() {
            [ones] => ones.is_ascii_digit(),
            [b'0'..=b'5', ones] => ones.is_ascii_digit(),
            _ => false,
        }
    });
    is_first && are_minutes && count > 0
}

/// Digits and `_`, a digit first.
fn is_decimal(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

/// Digits of some base and `_`, at least one digit.
fn is_grouped(text: &str, is_digit: fn(u8) -> bool) -> bool {
    text.bytes().any(is_digit) && text.bytes().all(|byte| is_digit(byte) || byte == b'_')
}

fn without_sign(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

fn without_prefix<'a>(text: &'a str, prefixes: [&str; 2]) -> Option<&'a str> {
    prefixes.into_iter().find_map(|prefix| text.strip_prefix(prefix))
}
