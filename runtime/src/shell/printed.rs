//! The literal words of `echo` and `printf` to the text they print: a shell behind a pipe would run it.

use alloc::string::String;

use super::segment::base_name;
use super::text;
use super::word::Words;

/// What the command prints, as near as its literal words tell; `None` for any other command.
pub(super) fn by(words: Words<'_>) -> Option<String> {
    let program = base_name(words.literal(0)?);
    if !matches!(program, "echo" | "printf") || words.iter().any(|(word, _)| !word.is_literal()) {
        return None;
    }
    let mut texts = words.iter().skip(1).map(|(_, text)| text);
    if program == "printf" {
        let format = texts.find(|text| *text != "--")?;
        return Some(formatted(format, &mut texts));
    }
    let mut printed = String::new();
    for text in texts.skip_while(|text| matches!(*text, "-n" | "-e" | "-E" | "-ne" | "-en" | "-nE")) {
        if !printed.is_empty() {
            printed.push(' ');
        }
        push_unescaped(text, &mut printed);
    }
    Some(printed)
}

/// The format, once for every lot of arguments it takes.
fn formatted(format: &str, arguments: &mut dyn Iterator<Item = &str>) -> String {
    let mut printed = String::new();
    let mut arguments = arguments.peekable();
    loop {
        let mut taken = false;
        let mut rest = format;
        while let Some((before, after)) = text::cut(rest, b'%') {
            push_unescaped(before, &mut printed);
            let conversion = text::from(
                after,
                after
                    .bytes()
                    .position(|byte| byte.is_ascii_alphabetic() || byte == b'%')
                    .unwrap_or(after.len()),
            );
            if conversion.starts_with("%") {
                printed.push('%');
            } else {
                taken = true;
                push_unescaped(arguments.next().unwrap_or_default(), &mut printed);
            }
            rest = text::from(conversion, 1);
        }
        push_unescaped(rest, &mut printed);
        if !taken || arguments.peek().is_none() {
            return printed;
        }
    }
}

/// Text with the escapes that begin another command.
fn push_unescaped(text: &str, printed: &mut String) {
    let mut rest = text;
    while let Some((before, after)) = text::cut(rest, b'\\') {
        printed.push_str(before);
        match after.strip_prefix("n") {
            Some(after) => {
                printed.push('\n');
                rest = after;
            }
            None => {
                printed.push('\\');
                rest = after;
            }
        }
    }
    printed.push_str(rest);
}
