//! A command line to what the binary printed and how it ended.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A finished run.
pub(crate) struct Run {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
    command: String,
}

impl Run {
    /// The run as a terminal would show it: for snapshots.
    pub(crate) fn transcript(&self) -> String {
        let part = |name: &str, text: &str| {
            if text.is_empty() {
                String::new()
            } else {
                format!("--- {name}\n{text}")
            }
        };
        let (out, err) = (part("stdout", &self.out), part("stderr", &self.err));
        masked(&format!("$ {}\n{out}{err}--- exit {}\n", self.command, self.code))
    }

    /// Nothing that a user should never see: a panic, or an exit code that page 70 does not know.
    pub(crate) fn assert_orderly(&self) {
        assert!([0, 1, 2, 3, 4].contains(&self.code), "{}", self.transcript());
        for word in ["panicked", "RUST_BACKTRACE", "overflowed its stack", "Os {"] {
            assert!(
                !self.err.contains(word) && !self.out.contains(word),
                "{}",
                self.transcript()
            );
        }
    }
}

/// An empty folder of this test's own, and runs in it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// `name` is unique among the tests.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A folder that is there.
    pub(crate) fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, with its folders.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Runs `callgate` with these arguments and nothing on standard input.
    pub(crate) fn run<A: AsRef<str>>(&self, args: &[A]) -> Run {
        self.run_with(args, b"")
    }

    /// Runs `callgate` with this standard input.
    pub(crate) fn run_with<A: AsRef<str>>(&self, args: &[A], stdin: &[u8]) -> Run {
        let args: Vec<OsString> = args.iter().map(|arg| arg.as_ref().into()).collect();
        self.run_os(&args, stdin, &[])
    }

    /// Runs `callgate` with raw arguments and extra environment.
    pub(crate) fn run_os(&self, args: &[OsString], stdin: &[u8], environment: &[(&str, &str)]) -> Run {
        let mut child = command(&self.0)
            .args(args)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let stdin = stdin.to_vec();
        // The binary may answer, or end, before it has read everything.
        let writer = std::thread::spawn(move || {
            let _ = pipe.write_all(&stdin);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let words: Vec<String> = args.iter().map(|arg| word(&arg.to_string_lossy())).collect();
        let run = Run {
            out: String::from_utf8(output.stdout).unwrap_or_else(|_| String::from("(binary)\n")),
            err: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap_or(-1),
            command: format!("callgate {}", words.join(" ")),
        };
        run.assert_orderly();
        run
    }
}

/// The text without the digests of tables, which change with the table format.
fn masked(text: &str) -> String {
    let is_hex = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    let mut masked = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let run = rest.bytes().take_while(|byte| is_hex(byte)).count();
        let (word, after) = rest.split_at(run.max(rest.chars().next().map_or(1, char::len_utf8)));
        masked += if run == 64 { "<digest>" } else { word };
        rest = after;
    }
    masked
}

/// The binary, in a clean environment.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_callgate"));
    command
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("IS_SANDBOX")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("HOME")
        .env_remove("COLUMNS");
    command
}

fn word(word: &str) -> String {
    let plain = !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || "-_./=:@,".contains(c));
    if plain {
        word.to_owned()
    } else {
        format!("'{word}'")
    }
}

/// The policy of page 10.
pub(crate) const POLICY: &str = "\
mode: rules
deny:     {bash: [\"*&*\", \"rm -rf *\", \"sudo *\"], editor: [\".env\", \"*.key\"]}
allow:    {reader: [\"*\"], search: [\"*\"], bash: [\"git status*\", \"cargo *\"]}
escalate: {bash: [\"*\"]}
";

/// A policy with one mistake of every common sort.
pub(crate) const BROKEN: &str = "\
mode: ruless
alow: {reader: [\"*\"]}
deny:
  bash: [\"rm *\", no, 12]
  Bash: [x]
";

/// A policy of the layered dialect.
pub(crate) const SETTINGS: &str = "\
permissions:
  deny: ['Shell(sudo:*)', 'Shell(git push -f:*)', 'Copy(.env)']
  ask: ['Shell(git push:*)', 'Read(*.key)']
  allow: ['Shell(git:*)', 'Shell(tee:*)']
  subagent: {deny: ['Shell(rm:*)']}
";
