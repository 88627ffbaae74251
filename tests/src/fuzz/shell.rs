//! Bytes as command lines, judged by a compiled layered table.

use std::sync::LazyLock;

use callgate_compiler::{Options, Source, compile};
use callgate_runtime::eval::learnable;
use callgate_runtime::rule::{Audience, Effect, Mode};
use callgate_runtime::{Arguments, Call, Policy, shell};

/// Everything may run but what is denied or asked for.
const DOCUMENT: &str = "permissions:\n  allow: ['Shell(*)']\n  deny: ['Shell(bad:*)', 'Shell(* > /dev/sd*)']\n  \
                        ask: ['Shell(git push:*)']\n";

static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    let source = Source {
        name: "fuzz.yaml",
        bytes: DOCUMENT.as_bytes(),
    };
    let compiled = compile(&[source], &Options::default())
        .policy
        .expect("the document compiles");
    Policy::from_bytes(compiled.bytes).expect("what was compiled loads")
});

/// What lines are made of, where the bytes are not the line themselves.
const TOKENS: &[&str] = &[
    "bad",
    "good",
    "ls",
    "cat",
    "x",
    "-c",
    "-exec",
    "{}",
    "+",
    "\\;",
    ";",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "\n",
    " ",
    "\t",
    "(",
    ")",
    "{ ",
    "}",
    "((",
    "))",
    "[[ ",
    " ]]",
    "$(",
    "${",
    "$((",
    "$[",
    "]",
    "`",
    "'",
    "\"",
    "$'",
    "$\"",
    "\\",
    "\\\n",
    "#",
    " #",
    "<",
    ">",
    ">>",
    "<<E",
    "<<-E",
    "<<'E'",
    "\nE\n",
    "<<<",
    "<(",
    ">(",
    ">&",
    "2>&1",
    "&>",
    ">|",
    "{fd}>",
    "~",
    "*",
    "?",
    "[",
    "if ",
    "then ",
    "else ",
    "elif ",
    "fi",
    "for ",
    "in ",
    "do ",
    "done",
    "case ",
    "esac",
    ";;",
    "while ",
    "until ",
    "select ",
    "function ",
    "time ",
    "! ",
    "coproc ",
    "f() ",
    "A=1 ",
    "A+=x ",
    "A=(",
    "PATH=",
    "env ",
    "timeout 5 ",
    "sudo ",
    "eval ",
    "sh -c ",
    "bash -lc ",
    "xargs ",
    "find . ",
    "trap ",
    "export ",
    "alias ",
    "$X",
    "\"$X\"",
    "$@",
    "docker run ",
    "ssh h ",
    "parallel ",
    "nohup ",
    "nice -n 5 ",
    "command ",
    "builtin ",
    "exec ",
    "é",
    "\u{0}",
    "\r",
    "\u{a0}",
    "=",
    ",",
    "..",
    "a[",
    "-o",
    "--",
    "git ",
    "push ",
    "log ",
    "printf ",
    "read ",
    "@(",
    "=~ ",
    "/dev/sda",
    "/usr/bin/",
    "./",
    "1",
    "EOF",
    "python -c ",
];

/// Judges the bytes as a command line in every mode. A line that bash might not read as we do is never allowed; a denied
/// command in front of any line denies it; a line is allowed behind a harmless command only if it is allowed alone.
pub fn shell(bytes: &[u8]) {
    let line = match bytes.split_first() {
        Some((first, rest)) if first % 2 == 1 => rest
            .iter()
            .map(|byte| TOKENS[usize::from(*byte) % TOKENS.len()])
            .collect(),
        Some((_, rest)) => String::from_utf8_lossy(rest).into_owned(),
        None => String::new(),
    };
    let read = shell::read(&line);
    assert_eq!(read, shell::read(&line), "{line:?} reads in one way");
    let alone = effect(&line, Mode::Default);
    if read.fault.is_some() {
        assert_ne!(alone, Effect::Allow, "{line:?} cannot be read");
    }
    if !read.is_read_only() {
        assert_ne!(
            effect(&line, Mode::Plan),
            Effect::Allow,
            "{line:?} may write, in plan mode"
        );
    }
    assert_eq!(
        effect(&format!("bad x\n{line}"), Mode::Default),
        Effect::Deny,
        "behind a denied command: {line:?}"
    );
    // A lone carriage return is a command to bash, and no command at all as an argument.
    let is_blank = line
        .bytes()
        .all(|byte| byte.is_ascii_whitespace() || byte == 0x0B);
    if alone != Effect::Allow && read.has_segment() && !is_blank {
        assert_ne!(
            effect(&format!("good x\n{line}"), Mode::Default),
            Effect::Allow,
            "behind a harmless command: {line:?}"
        );
    }
}

/// The decision, which must be the same for who asks in the same way twice.
fn effect(line: &str, mode: Mode) -> Effect {
    let arguments = serde_json::json!({ "command": line }).to_string();
    let mut call = Call::new("Shell", Arguments::parse(&arguments));
    call.mode = mode;
    let decision = POLICY.decide(&call);
    assert_eq!(decision, POLICY.decide(&call), "{line:?} is decided in one way");
    if let Ok((tool, pattern)) = learnable(&call) {
        assert_eq!(tool, "Shell");
        assert!(!pattern.is_empty(), "{line:?}");
    }
    for audience in [Audience::Subagent, Audience::All] {
        call.audience = audience;
        let _ = POLICY.decide(&call);
    }
    decision.effect
}
