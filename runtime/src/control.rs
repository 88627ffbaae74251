//! The shell control operators that the rules dialect refuses before any rule (page 20).

/// The leftmost control operator of a command, as people call it. Quoting does not hide one. Linear.
pub fn operator(command: &str) -> Option<&'static str> {
    let bytes = command.as_bytes();
    bytes.iter().enumerate().find_map(|(at, byte)| {
        let next = bytes.get(at.saturating_add(1));
        match byte {
            b';' => Some(";"),
            b'&' if next == Some(&b'&') => Some("&&"),
            b'|' if next == Some(&b'|') => Some("||"),
            b'|' => Some("|"),
            b'`' => Some("`"),
            b'$' if next == Some(&b'(') => Some("$("),
            b'<' => Some("<"),
            b'>' => Some(">"),
            b'\n' => Some("newline"),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::operator;

    #[test]
    fn the_leftmost_operator_is_named() {
        let cases = [
            ("git status", None),
            ("", None),
            ("sleep 1 & ls", None),
            ("echo $HOME", None),
            ("a ; b | c", Some(";")),
            ("a && b", Some("&&")),
            ("a || b", Some("||")),
            ("a | b", Some("|")),
            ("a |& b", Some("|")),
            ("echo `x`", Some("`")),
            ("echo $(x)", Some("$(")),
            ("cat < f", Some("<")),
            ("echo > f", Some(">")),
            ("a\nb", Some("newline")),
            ("echo ';'", Some(";")),
            ("a & b && c", Some("&&")),
            ("é;", Some(";")),
        ];
        for (command, expected) in cases {
            assert_eq!(operator(command), expected, "{command}");
        }
    }
}
