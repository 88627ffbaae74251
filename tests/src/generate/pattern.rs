//! Choices to patterns of every shape that the table builder tells apart: beginnings, ends, runs of one to five bytes
//! that stand anywhere, sets, question marks, plain texts.

use super::Choices;

/// Words that patterns and subjects share, so that patterns meet subjects and each other.
const WORDS: &[&str] = &[
    "git",
    "git push",
    "rm -rf",
    "--force",
    "src/",
    "secret",
    ".env",
    ".key",
    "npm run",
    "docker",
    "Make",
    "ab",
    "abab",
    "aaaa",
    "x",
    "https://",
    "Ünïcode",
    "straße",
    "ΣΊΣΥΦΟΣ",
    "kelvin",
    "\u{212A}elvin",
    "İstanbul",
    "ılık",
    "😀",
    "e\u{301}t\u{e9}",
    "a b  c",
    "--token=",
    "prod",
];

/// Characters whose case is simple, strange, or changes their length in bytes; and glob characters among others.
const CHARACTERS: &[char] = &[
    'a',
    'b',
    'c',
    'A',
    'B',
    '-',
    '/',
    '.',
    ' ',
    '=',
    '0',
    '9',
    'z',
    'Z',
    'k',
    'K',
    '\u{212A}',
    'i',
    'I',
    'İ',
    'ı',
    'ß',
    'ẞ',
    'σ',
    'ς',
    'Σ',
    'ω',
    '\u{2126}',
    'å',
    '\u{212B}',
    'é',
    'É',
    'ǆ',
    'ǅ',
    'Ǆ',
    'Ⱥ',
    'ⱥ',
    '𐐀',
    '𐐨',
    'Ა',
    'ა',
    'Ꭰ',
    'ꭰ',
    'ſ',
    'µ',
    'μ',
    '😀',
    '\u{301}',
    '\u{10FFFF}',
    '\u{80}',
    '\u{7FF}',
    '\u{800}',
    '\u{FFFF}',
    '\u{10000}',
    '\t',
    '\\',
    '\'',
    '"',
    ']',
    '!',
    '^',
    '~',
    '&',
    '$',
    '{',
    '#',
];

/// Sets with a meaning of their own in `fnmatch`.
const SETS: &[&str] = &[
    "[a-c]",
    "[!a-c]",
    "[abc]",
    "[!abc]",
    "[]]",
    "[!]]",
    "[]a]",
    "[z-a]",
    "[!z-a]",
    "[a-]",
    "[-a]",
    "[a-cx-z]",
    "[A-z]",
    "[Z-a]",
    "[A-Z]",
    "[!A-Z]",
    "[^a]",
    "[!^a]",
    "[a",
    "[",
    "[]",
    "[!]",
    "[!",
    "[k]",
    "[\u{212A}]",
    "[İ]",
    "[!İi]",
    "[ß-ẞ]",
    "[σς]",
    "[Σ]",
    "[а-я]",
    "[😀-😎]",
    "[\\]",
    "[a&&b]",
    "[a||b]",
    "[a~~b]",
    "[a--b]",
    "[--/]",
    "[+--]",
    "[[]",
    "[[:alpha:]]",
    "[a-b-c]",
    "[c-a-e]",
    "[*]",
    "[?]",
    "[!*]",
    "[!?]",
    "[ -~]",
    "[\u{0}-\u{10FFFF}]",
    "[!\u{1}-\u{10FFFF}]",
];

/// One character.
pub fn character(choices: &mut Choices<'_>) -> char {
    *choices.pick(CHARACTERS)
}

/// One word.
pub(super) fn word(choices: &mut Choices<'_>) -> &'static str {
    choices.pick::<&str>(WORDS)
}

/// `least..=most` letters of a small alphabet, so that runs of letters meet by chance.
fn letters(choices: &mut Choices<'_>, least: usize, most: usize) -> String {
    let count = least + choices.below(most - least + 1);
    let mut letters = String::new();
    for _ in 0..count {
        letters.push(*choices.pick(&['a', 'b', 'c', 'A', '-']));
    }
    letters
}

/// A pattern.
pub fn pattern(choices: &mut Choices<'_>) -> String {
    match choices.below(16) {
        0 => String::from("*"),
        1 => format!("{} *", word(choices)),
        2 => format!("{}*", word(choices)),
        3 => format!("*{}", word(choices)),
        4 => format!("*{}*", word(choices)),
        5 => format!("*{}*", letters(choices, 1, 6)),
        6 => format!("{}*", letters(choices, 1, 60)),
        7 => format!("*{}", letters(choices, 1, 60)),
        8 => format!("{}*{}", letters(choices, 0, 5), letters(choices, 0, 5)),
        9 => format!("{}*{}", word(choices), word(choices)),
        10 => format!("*{}*{}*", letters(choices, 1, 4), letters(choices, 1, 4)),
        11 => format!("*{}{}*", word(choices), choices.pick(SETS)),
        12 => format!("{}{}", choices.pick(SETS), word(choices)),
        13 => word(choices).to_owned(),
        14 if choices.chance(10) => String::new(),
        _ => items(choices),
    }
}

/// A few items of any kind in a row.
fn items(choices: &mut Choices<'_>) -> String {
    let mut text = String::new();
    for _ in 0..=choices.below(7) {
        match choices.below(8) {
            0 | 1 => text.push('*'),
            2 => text.push('?'),
            3 => text.push_str(word(choices)),
            4 => text.push_str(choices.pick::<&str>(SETS)),
            5 => text.push_str(&random_set(choices)),
            _ => text.push(character(choices)),
        }
    }
    text
}

fn random_set(choices: &mut Choices<'_>) -> String {
    let mut set = String::from("[");
    if choices.chance(30) {
        set.push('!');
    }
    for _ in 0..=choices.below(4) {
        set.push(character(choices));
        if choices.chance(40) {
            set.push('-');
        }
    }
    if choices.chance(95) {
        set.push(']');
    }
    set
}
