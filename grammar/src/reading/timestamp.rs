//! Which plain texts a YAML 1.1 parser reads as dates.

/// `2026-01-01`, or a date, a `T` or spaces, a time of day, perhaps a fraction, perhaps a zone.
pub(super) fn is_timestamp(text: &str) -> bool {
    let Some(after_date) = date(text) else {
        return false;
    };
    after_date.is_empty()
        || time(after_date).is_some_and(|after_time| {
            let zone = after_time.trim_start_matches([' ', '\t']);
            after_time.is_empty() || zone == "Z" || zone.strip_prefix(['-', '+']).is_some_and(is_offset)
        })
}

/// What follows the date that `text` begins with.
fn date(text: &str) -> Option<&str> {
    let rest = digits(text, 4, 4)?.strip_prefix('-')?;
    let rest = digits(rest, 1, 2)?.strip_prefix('-')?;
    digits(rest, 1, 2)
}

/// What follows the separator and the time of day that `text` begins with.
fn time(text: &str) -> Option<&str> {
    let spaced = text.trim_start_matches([' ', '\t']);
    let rest = if spaced.len() < text.len() {
        spaced
    } else {
        text.strip_prefix(['T', 't'])?
    };
    let rest = digits(rest, 1, 2)?.strip_prefix(':')?;
    let rest = digits(rest, 2, 2)?.strip_prefix(':')?;
    let rest = digits(rest, 2, 2)?;
    let fraction = rest
        .strip_prefix('.')
        .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    Some(fraction.unwrap_or(rest))
}

/// `5`, `05` or `05:30`.
fn is_offset(text: &str) -> bool {
    digits(text, 1, 2).is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix(':').and_then(|rest| digits(rest, 2, 2)) == Some("")
    })
}

/// What follows `least` to `most` decimal digits.
fn digits(text: &str, least: usize, most: usize) -> Option<&str> {
    let count = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    if count < least { None } else { text.get(count..) }
}
