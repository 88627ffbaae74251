//! The common case: a line, or a command in one, of harmless characters that runs one program no table has to look into,
//! without a parse.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::known::{Known, is_reserved, look};
use super::options::each;
use super::read_only;
use super::segment::base_name;
use super::text;
use super::unit::Unit;
use super::word::{Word, Words};

/// The line's one unit, when its views are its own text: words of plain characters, apart by single spaces, the first
/// neither an assignment nor anything that bash or page 33 knows to run something else.
pub(super) fn one_segment(line: &str) -> Option<Unit<'_>> {
    let text = text::trimmed(line);
    if length(text.as_bytes())? < text.len() {
        return None;
    }
    unit(text)
}

/// The unit that `rest` of a line begins with, when it is as plain as that and ends where a command ends; and the bytes
/// up to that end.
pub(super) fn next_segment(rest: &str) -> Option<(Unit<'_>, usize)> {
    let bytes = rest.as_bytes();
    let length = length(bytes)?;
    match bytes.get(length) {
        None | Some(b';' | b'\n' | b'|' | b')') => {}
        Some(b'&') if bytes.get(length.wrapping_add(1)) != Some(&b'>') => {}
        Some(_) => return None,
    }
    let text = text::part(rest, 0, length);
    let text = text.strip_suffix(' ').unwrap_or(text);
    // What `echo` prints may be run by what it is piped into.
    let unit = unit(text).filter(|unit| unit.base() != "echo" && !unit.base().starts_with("echo "))?;
    Some((unit, length))
}

/// How many harmless bytes there are before anything else; `None` if the words among them are not apart by single spaces.
fn length(bytes: &[u8]) -> Option<usize> {
    let mut before = b' ';
    for (at, byte) in bytes.iter().enumerate() {
        if !is_harmless(*byte) {
            return Some(at);
        }
        if *byte == b' ' && before == b' ' {
            return None;
        }
        before = *byte;
    }
    Some(bytes.len())
}

/// The unit of a text of harmless words.
fn unit(text: &str) -> Option<Unit<'_>> {
    let program = Some(text::before(text, b' ')).filter(|program| !program.is_empty())?;
    if text::has(program, b'=') || is_reserved(program) {
        return None;
    }
    let name = base_name(program);
    let known = look(name);
    if known == Known::Acts {
        return None;
    }
    Some(Unit {
        raw: Cow::Borrowed(text),
        base: program.len().saturating_sub(name.len()),
        inner_reads: true,
        escape_free: true,
        asks_reads: known == Known::Reads && name.len() == program.len(),
        ..Unit::default()
    })
}

/// A byte that means nothing to bash but itself, wherever it stands, and a space.
fn is_harmless(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b' ' | b'_' | b'.' | b'/' | b'=' | b':' | b',' | b'@' | b'%' | b'+' | b'-')
}

/// Whether a text of plain words only reads.
pub(super) fn reads(text: &str) -> bool {
    let mut words = Vec::new();
    let mut start = 0_usize;
    for word in each(text) {
        let end = start.wrapping_add(word.len());
        words.push(Word {
            start,
            end,
            literal: end,
            bare: end,
            flags: 0,
        });
        start = end.wrapping_add(1);
    }
    let program = text::before(text, b' ');
    read_only::only_reads(Words::new(text, &words), program)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::super::inner::Scope;
    use super::super::{Unit, read, read_in};

    /// What anybody may ask of a unit.
    fn shown(unit: &Unit<'_>) -> String {
        let escape_free = unit.substitution.is_some() && unit.escape_free;
        alloc::format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            (unit.kind, unit.role, unit.open, unit.wrapped, unit.assigned),
            (
                unit.raw(),
                unit.raw_redirected(),
                unit.plain(),
                unit.plain_redirected()
            ),
            (
                unit.base(),
                unit.base_redirected(),
                unit.has_base(),
                unit.is_plainly_written()
            ),
            (unit.here_document, &unit.named, unit.construct, unit.substitution),
            (unit.inner_reads, unit.group, unit.grouped, escape_free),
            &unit.write,
            unit.is_read_only(),
            unit.only_reads(),
            unit.is_opaque(),
        )
    }

    fn compare(line: &str) -> usize {
        let quick = read(line);
        let thorough = Scope {
            thorough: true,
            ..Scope::default()
        };
        let parsed = read_in(line, thorough);
        assert_eq!(quick.fault, parsed.fault, "{line:?}");
        assert_eq!(quick.compound, parsed.compound, "{line:?}");
        assert_eq!(quick.is_read_only(), parsed.is_read_only(), "{line:?}");
        assert_eq!(quick.units.len(), parsed.units.len(), "{line:?}");
        for (quick, parsed) in quick.units.iter().zip(&parsed.units) {
            assert_eq!(shown(quick), shown(parsed), "{line:?}");
        }
        if parsed.fault.is_none() {
            parsed.units.len()
        } else {
            0
        }
    }

    #[test]
    fn the_short_way_reads_what_the_long_way_reads() {
        const PIECES: &[&str] = &[
            "ls",
            "git",
            "git status",
            "git log -5",
            "grep -n x",
            "cat",
            "echo a",
            "echo",
            "printf x",
            "sh",
            "bash -c",
            "sudo",
            "env",
            "/bin/ls",
            "./make",
            "make all",
            "cargo test",
            "x=1",
            "x=1 y",
            "a=b",
            "true",
            "sort -o f",
            "if",
            "then",
            "fi",
            "while",
            "do",
            "done",
            "for i in",
            "case x in",
            "esac",
            "function f",
            "time",
            "coproc",
            "!",
            "{",
            "}",
            "(",
            ")",
            "$(",
            "`",
            "\"",
            "'",
            "<(",
            "((",
            "))",
            "[[",
            "]]",
            "&&",
            "||",
            "|",
            "|&",
            "&",
            ";",
            ";;",
            "\n",
            "\t",
            "  ",
            "&>f",
            ">f",
            ">>f",
            "2>&1",
            "2>",
            "<f",
            "<<E",
            "<<<",
            "E",
            "#",
            "# c",
            "\\\n",
            "\\",
            "*",
            "~",
            "$x",
            "${x}",
            "-",
            "--",
            "-x",
            "é",
            "f()",
            "eval",
            "xargs rm",
            "find . -name x",
        ];
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state >> 33).unwrap() % below
        };
        let mut units = 0;
        for _ in 0..60_000 {
            let mut line = String::new();
            for _ in 0..=random(9) {
                line.push_str(PIECES[random(PIECES.len())]);
                if random(5) > 0 {
                    line.push(' ');
                }
            }
            units += compare(&line);
        }
        assert!(units > 20_000, "{units} units in lines without a fault");
    }

    #[test]
    fn lines_of_plain_commands_are_read_the_short_way() {
        for line in [
            "git status -s && cargo test --workspace",
            "ls; git log|sort -u || make all &",
            "(ls a; cat b) | grep -c x",
            "if ls a; then make b; else git status; fi",
            "echo $(git log -1) && ls",
            "echo a | cat; echo rm x | sh",
        ] {
            assert!(compare(line) > 1, "{line}");
        }
        let (unit, length) = super::next_segment("git status -s && ls").unwrap();
        assert_eq!((unit.raw(), length), ("git status -s", 14));
        for rest in [
            "ls &>f",
            "ls >f",
            "ls 2>f",
            "echo a | sh",
            "x=1 ls",
            "sh x",
            "ls  a",
            "ls 'a'",
            "if ls",
            "",
        ] {
            assert!(super::next_segment(rest).is_none(), "{rest}");
        }
    }
}
