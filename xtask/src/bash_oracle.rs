//! Random command lines to what bash really executes and what the shell reading makes of them: a line that runs a
//! denied program must never be allowed, and a line with nothing to fear must be.
//!
//! Bash runs with an empty environment, a search path that holds nothing but stubs which log their arguments, a
//! throw-away folder and limits; the generator writes no absolute path. A counterexample is printed as it is, with the
//! seed that makes it again.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use callgate_runtime::layered::{ArgValue, Arguments, LayeredCall, LayeredOptions, judge};
use callgate_runtime::rule::{Classes, Effect, Mode, Query, Rank, RuleFacts, RuleOrder, Scope, Text};
use callgate_runtime::shell;

/// Runs `count` lines from `seed` on, in a new folder below `folder`. Gives the number of counterexamples.
pub(crate) fn run(folder: &Path, seed: u64, count: u64) -> io::Result<u64> {
    let bench = Bench::new(folder)?;
    let (mut wrong, mut denied, mut allowed, mut harmless) = (0, 0_u64, 0_u64, 0_u64);
    for number in seed..seed.saturating_add(count) {
        let line = Line::random(number);
        let executed = bench.execute(&line.text, number)?;
        denied += u64::from(executed.iter().any(|program| program.starts_with("bad")));
        allowed += u64::from(decide(&DenyBad, &line.text, false) == Effect::Allow);
        harmless += u64::from(line.harmless);
        if let Some(complaint) = complaint(&line, &executed) {
            wrong += 1;
            println!(
                "{complaint} (seed {number})\n  {:?}\n  executed {executed:?}",
                line.text
            );
        }
    }
    println!(
        "{count} lines: {denied} ran a denied program, {harmless} harmless, {allowed} allowed, {wrong} wrong"
    );
    Ok(wrong)
}

/// Runs lines of one's own, in a new folder below `folder`. Gives the number of counterexamples.
pub(crate) fn run_lines(folder: &Path, lines: &[String]) -> io::Result<u64> {
    let bench = Bench::new(folder)?;
    let mut wrong = 0;
    for (number, text) in (0_u64..).zip(lines) {
        let line = Line {
            text: text.clone(),
            harmless: false,
            mutated: true,
        };
        let executed = bench.execute(&line.text, number)?;
        let judged = decide(&DenyBad, &line.text, false).name();
        println!("{judged:5} {executed:?} {text:?}");
        if let Some(complaint) = complaint(&line, &executed) {
            wrong += 1;
            println!("  {complaint}");
        }
    }
    Ok(wrong)
}

/// What is wrong with the judgement of a line that executed these programs.
fn complaint(line: &Line, executed: &[String]) -> Option<&'static str> {
    let bad = executed.iter().any(|program| program.starts_with("bad"));
    let strict = decide(&DenyBad, &line.text, false);
    if bad && decide(&AllowGood, &line.text, false) == Effect::Allow {
        return Some("HOLE: allowed without an allow");
    }
    if bad && strict == Effect::Allow {
        return Some("HOLE: allowed");
    }
    let read = shell::read(&line.text);
    let legible = read.fault.is_none() && read.units.iter().all(|unit| unit.construct.is_none());
    if bad && legible && decide(&DenyBad, &line.text, true) == Effect::Allow {
        return Some("HOLE: allowed when loose");
    }
    if bad && legible && !line.mutated && strict != Effect::Deny {
        return Some("WEAK: a legible denied program is not denied");
    }
    // Where bash ran nothing it may have refused the line.
    if line.harmless && !executed.is_empty() && strict != Effect::Allow {
        return Some("FUSSY: harmless and not allowed");
    }
    None
}

fn decide(order: &dyn RuleOrder, command: &str, loose_substitution: bool) -> Effect {
    let members = [(Cow::Borrowed("command"), ArgValue::String(Cow::Borrowed(command)))];
    let call = LayeredCall {
        tool: "Shell",
        arguments: Arguments {
            malformed: None,
            members: &members,
        },
        mode: Mode::Default,
    };
    judge(
        order,
        &call,
        &LayeredOptions {
            learned: None,
            loose_substitution,
        },
    )
    .effect
}

/// `{deny: ['Shell(bad*)'], allow: ['Shell']}`
struct DenyBad;

impl RuleOrder for DenyBad {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        let (Text::Whole(text) | Text::Open(text) | Text::Placeholder(text)) = query.text;
        if query.classes.meets(Classes::DENY) && text.starts_with("bad") {
            Some(Rank(0))
        } else {
            query.classes.meets(Classes::ALLOW_TOOL_WIDE).then_some(Rank(1))
        }
    }

    fn facts(&self, rank: Rank) -> RuleFacts {
        match rank {
            Rank(0) => RuleFacts {
                effect: Effect::Deny,
                scope: Some(Scope::User),
                class: Classes::DENY,
            },
            _ => RuleFacts {
                effect: Effect::Allow,
                scope: Some(Scope::User),
                class: Classes::ALLOW_TOOL_WIDE,
            },
        }
    }
}

/// Allows of the harmless programs and of what runs others, each as a prefix; nothing else.
struct AllowGood;

impl RuleOrder for AllowGood {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        const PREFIXES: &[&str] = &["good", "eval ", "sh -c ", "trap ", ":", "echo "];
        let (Text::Whole(text) | Text::Open(text) | Text::Placeholder(text)) = query.text;
        let allowed = PREFIXES.iter().any(|prefix| text.starts_with(prefix));
        (allowed && query.classes.meets(Classes::ALLOW)).then_some(Rank(0))
    }

    fn facts(&self, _: Rank) -> RuleFacts {
        RuleFacts {
            effect: Effect::Allow,
            scope: Some(Scope::User),
            class: Classes::ALLOW,
        }
    }
}

/// A folder with stubs and a place to run lines in.
struct Bench {
    stubs: PathBuf,
    work: PathBuf,
    logs: PathBuf,
}

/// Programs that exist for the lines.
const STUBS: &[&str] = &["good1", "good2", "bad1", "bad2"];
/// An account without rights, where the oracle itself has them.
const NOBODY: u32 = 65_534;

impl Bench {
    fn new(folder: &Path) -> io::Result<Self> {
        let root = folder.join(format!("bash-oracle-{}", std::process::id()));
        let bench = Self {
            stubs: root.join("stubs"),
            work: root.join("work"),
            logs: root.join("logs"),
        };
        for path in [&bench.stubs, &bench.work, &bench.logs] {
            fs::create_dir_all(path)?;
        }
        fs::set_permissions(&bench.logs, fs::Permissions::from_mode(0o777))?;
        for name in STUBS {
            let text = format!("#!/bin/bash -p\nprintf '%s\\n' {name} >> \"$ORACLE_LOG\"\n");
            bench.stub(name, &text)?;
        }
        let path = bench.stubs.display();
        for name in ["sh", "bash"] {
            let text = format!("#!/bin/bash -p\nPATH='{path}'\nexec /bin/bash \"$@\"\n");
            bench.stub(name, &text)?;
        }
        Ok(bench)
    }

    fn stub(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.stubs.join(name);
        fs::write(&path, text)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
    }

    /// The programs that bash executes for a line.
    fn execute(&self, line: &str, number: u64) -> io::Result<Vec<String>> {
        if line.contains('\0') {
            return Ok(Vec::new());
        }
        let _ = fs::remove_dir_all(&self.work);
        fs::create_dir_all(&self.work)?;
        fs::set_permissions(&self.work, fs::Permissions::from_mode(0o777))?;
        fs::write(self.work.join("i.txt"), "text\n")?;
        let log = self.logs.join(number.to_string());
        let limits = "ulimit -t 2 -f 2000 -u 300; exec /usr/bin/timeout --foreground -k 1 2 /bin/bash --norc --noprofile -c \"$LINE\"";
        let mut command = Command::new("/bin/bash");
        command.args([
            "--norc",
            "--noprofile",
            "-c",
            &format!("LINE=$1; {limits}"),
            "limits",
            line,
        ]);
        command
            .env_clear()
            .env("PATH", &self.stubs)
            .env("HOME", &self.work)
            .env("LC_ALL", "C.UTF-8");
        command
            .env("ORACLE_LOG", &log)
            .current_dir(&self.work)
            .stdin(Stdio::null());
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let output = child.stdout.take();
        child.wait()?;
        wait_for_background(output);
        // Whatever still runs shares the group of the first process.
        let group = format!("-{}", child.id());
        Command::new("/bin/kill")
            .args(["-KILL", "--", &group])
            .stderr(Stdio::null())
            .status()?;
        let executed = fs::read_to_string(&log)
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect();
        let _ = fs::remove_file(log);
        Ok(executed)
    }
}

/// The output of a line ends when its last process does, in the background or not; most do at once.
fn wait_for_background(output: Option<std::process::ChildStdout>) {
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut output = output;
        if let Some(output) = &mut output {
            let _ = io::copy(output, &mut io::sink());
        }
        let _ = done.send(());
    });
    let _ = ended.recv_timeout(std::time::Duration::from_millis(500));
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0)
}

/// A generated line and what is known of it.
struct Line {
    text: String,
    /// Nothing in it is denied or opaque, and it is as the grammar made it.
    harmless: bool,
    mutated: bool,
}

impl Line {
    fn random(seed: u64) -> Self {
        let mut maker = Maker {
            random: Random::new(seed),
            harmless: true,
            depth: 0,
            functions: 0,
            bodies: Vec::new(),
        };
        let mut text = maker.list();
        maker.flush(&mut text);
        let mutated = maker.random.below(3) == 0;
        if mutated {
            mutate(&mut text, &mut maker.random);
        }
        Self {
            text,
            harmless: maker.harmless && !mutated,
            mutated,
        }
    }
}

/// Characters that change how what follows is read.
const EDITS: &[&str] = &[
    "'", "\"", "\\", "`", "$", "(", ")", "{", "}", "#", ";", "&", "|", "<", ">", "\n", " ", "\\\n", "[", "]",
    "=", "*", "!", "$(", "${", "$((", "((", "))", "$'", "<<", "<<E\n", "E\n", "\nE\n", "\t", "~", "-", ":",
    "+", "bad1", "good1", "\nbad1\n",
];

fn mutate(text: &mut String, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let places: Vec<usize> = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect();
        let at = random.of(&places).copied().unwrap_or_default();
        let edit = random.of(EDITS).copied().unwrap_or_default();
        if random.below(2) == 0 || at == text.len() {
            text.insert_str(at, edit);
        } else {
            text.remove(at);
        }
    }
}

/// Writes lines by the grammar of bash.
struct Maker {
    random: Random,
    harmless: bool,
    depth: usize,
    functions: usize,
    /// Bodies of here-documents that the next newline begins.
    bodies: Vec<String>,
}

impl Maker {
    fn list(&mut self) -> String {
        self.depth += 1;
        let mut text = self.pipeline();
        for _ in 0..self.random.below(if self.depth > 2 { 1 } else { 3 }) {
            let separator = [
                "; ",
                "\n",
                " && ",
                " || ",
                " & ",
                ";",
                " # ; bad1\n",
                " # it's \"\n",
                "&",
                "\n\n",
            ];
            let separator = self.pick(&separator);
            text.push_str(separator);
            if separator.ends_with('\n') {
                self.flush(&mut text);
            }
            let next = self.pipeline();
            text.push_str(&next);
        }
        self.depth -= 1;
        text
    }

    /// A list whose here-documents have ended, so that something can follow on the same line.
    fn closed(&mut self) -> String {
        let outer = std::mem::take(&mut self.bodies);
        let mut text = self.list();
        if !self.bodies.is_empty() {
            text.push('\n');
            self.flush(&mut text);
        }
        self.bodies = outer;
        text
    }

    fn flush(&mut self, text: &mut String) {
        if self.bodies.is_empty() {
            return;
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        for body in std::mem::take(&mut self.bodies) {
            text.push_str(&body);
        }
    }

    fn pipeline(&mut self) -> String {
        let mut text = String::new();
        if self.random.below(12) == 0 {
            text.push_str(self.pick(&["! ", "time ", "time -p ", "! time "]));
        }
        text.push_str(&self.command());
        for _ in 0..self.random.below(5) / 3 {
            text.push_str(self.pick(&[" | ", " |& ", "|", " | \\\n"]));
            text.push_str(&self.command());
        }
        text
    }

    fn command(&mut self) -> String {
        if self.depth > 2 || self.random.below(5) < 3 {
            return self.simple();
        }
        match self.random.below(16) {
            0 => format!(
                "if {}; then {}; else {}; fi",
                self.ender(),
                self.ender(),
                self.ender()
            ),
            1 => format!("while {}; do {}; break; done", self.ender(), self.ender()),
            2 => format!("until {}; do {}; break; done", self.ender(), self.ender()),
            3 => format!("for i in {}; do {}; done", self.words(2), self.ender()),
            4 => format!(
                "case {} in x) {} ;; (a|*) {} ;;& *) {} ; esac",
                self.word(),
                self.closed(),
                self.closed(),
                self.ender()
            ),
            5 => self.opaque(|maker| format!("( {} )", maker.ender())),
            6 => self.opaque(|maker| format!("{{ {}; }}", maker.ender())),
            // Every function has a name of its own: none can call itself.
            7 => format!("{0}() {{ {1}; }}; {0}", self.name(), self.ender()),
            8 => format!("function {0} {{ {1}; }} ; {0} x", self.name(), self.ender()),
            9 => format!("[[ {} == {} ]] && {}", self.word(), self.word(), self.simple()),
            10 => format!("(( 1 + 2 )) && {}", self.simple()),
            11 => format!("for ((i=0; i<2; i++)); do {}; done", self.ender()),
            12 => format!("coproc {}", self.simple()),
            13 => format!("if {}; then {}; fi > o.txt", self.ender(), self.ender()),
            14 => self.opaque(|maker| format!("[[ -n {} ]]", maker.substitution())),
            _ => format!("while {}; do {}; break; done < i.txt", self.ender(), self.ender()),
        }
    }

    /// A closed list that a separator can follow.
    fn ender(&mut self) -> String {
        let mut text = self.closed();
        while text.ends_with(['\n', ' ']) {
            text.push(':');
        }
        if text.ends_with('&') || text.ends_with(';') {
            text.push(':');
        }
        text
    }

    fn name(&mut self) -> String {
        self.functions += 1;
        format!("f{}", self.functions)
    }

    fn opaque(&mut self, make: impl FnOnce(&mut Self) -> String) -> String {
        self.harmless = false;
        make(self)
    }

    fn simple(&mut self) -> String {
        let mut parts: Vec<String> = Vec::new();
        if self.random.below(5) == 0 {
            parts.push(match self.random.below(8) {
                0 => self.opaque(|maker| format!("V={}", maker.substitution())),
                1 => "A=(p 'q;r' bad1)".to_owned(),
                2 => "A[1]=x".to_owned(),
                3 if self.bodies.is_empty() => "A=(p #'x\n bad1)".to_owned(),
                _ => self
                    .pick(&["V=1", "V='a b'", "V= W=2", "V+=x", "V=\"it's\"", "V=a\\;b"])
                    .to_owned(),
            });
        }
        if self.random.below(9) == 0 {
            parts.push(self.redirection());
        }
        match self.random.below(if self.depth > 2 { 1000 } else { 14 }) {
            0 => {
                let text = self.inner_text();
                parts.push(format!("eval {text}"));
                return parts.join(" ");
            }
            1 => {
                let text = self.inner_text();
                parts.push(format!("sh -c {text}"));
                return parts.join(" ");
            }
            2 => {
                let text = self.inner_text();
                parts.push(format!("trap {text} EXIT"));
                return parts.join(" ");
            }
            3 => parts.push(
                self.pick(&["command", "builtin command", "command --", "command -p"])
                    .to_owned(),
            ),
            4 => {
                let hidden = [
                    "V=bad1; $V",
                    "V=good1; \"$V\"",
                    "V=bad1; eval \"$V\"",
                    "${NOPE:-bad1}",
                    "b?d1",
                    "{bad1,x}",
                ];
                parts.clear();
                parts.push(self.opaque(|maker| maker.pick(&hidden).to_owned()));
            }
            _ => {}
        }
        parts.push(self.program());
        for _ in 0..self.random.below(4) {
            let part = match self.random.below(8) {
                0 => self.redirection(),
                1 if self.depth < 3 => self.opaque(Self::substitution),
                2 if self.random.below(3) == 0 => self.here_document(),
                _ => self.word(),
            };
            parts.push(part);
        }
        parts.join(self.pick(&[" ", " ", " ", "\t", " \\\n "]))
    }

    /// A list as one literal word.
    fn inner_text(&mut self) -> String {
        // Nested shells are what page 31 calls launchers: no promise of precision is checked for them.
        let text = self.opaque(Self::closed);
        format!("'{}'", text.replace('\'', "'\\''"))
    }

    fn program(&mut self) -> String {
        let bad = self.random.below(5) == 0;
        self.harmless &= !bad;
        let word = if bad { "bad1" } else { "good1" };
        let (head, tail) = word.split_at(2);
        match self.random.below(12) {
            0 => format!("'{word}'"),
            1 => format!("\"{word}\""),
            2 => format!("\\{word}"),
            3 => format!("{head}\"\"{tail}"),
            4 => format!("$'{word}'"),
            5 => format!("{head}\\\n{tail}"),
            6 => {
                let (first, rest) = word.split_at(1);
                let code = first.bytes().next().unwrap_or_default();
                format!("$'\\x{code:02x}'{rest}")
            }
            7 => format!("{head}'{tail}'"),
            8 => format!("$\"{word}\""),
            _ => word.to_owned(),
        }
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    fn word(&mut self) -> String {
        const WORDS: &[&str] = &[
            "a",
            "-x",
            "--",
            "k=v",
            "x#y",
            "'b c'",
            "\"d;e\"",
            "f\\ g",
            "\\;",
            "\\|",
            "'#'",
            "'&&'",
            "\"$HOME\"",
            "$V",
            "'$(bad1)'",
            "\"\\$(bad1)\"",
            "\\`",
            "\"\\`bad1\\`\"",
            "*.none",
            "{p,q}",
            "~",
            "--opt='x|y'",
            "\"a\\\"b\"",
            "$'t\\tn'",
            "$'it\\'s; bad1'",
            "$\"x;bad1\"",
            "'\n'",
            "\"\n\"",
            "x\\\ny",
            "\"x\\\ny\"",
            "${V}",
            "\"${V:-d}\"",
            "${V:-'d;e'}",
            "$((1+2))",
            "\"$((1+(2)))\"",
            "$@",
            "$#",
            "\"$*\"",
            "\\'",
            "\\\"",
            "\"'\"",
            "'\"'",
            "\\#",
            "a\\\\",
            "'\\'",
            "\"\\\\\"",
            "=",
            "!",
            "]",
            "}",
            "%",
            "$",
            "\"$\"",
            "\\$",
            "é",
            "if",
            "do",
            "a{b",
            "@x",
            "^",
            "\"a$V'b\"",
            "$'\\\\'",
            "$'\\u00e9'",
            "\"\\a\"",
            "'a'\\''b'",
        ];
        self.pick(WORDS).to_owned()
    }

    fn redirection(&mut self) -> String {
        self.pick(&[
            "> o.txt",
            "2>&1",
            ">| o.txt",
            "&> o.txt",
            "< i.txt",
            "3> o.txt",
            "{fd}> o.txt",
            "<<< 'bad1; x'",
            "<<< $V",
            ">&2",
            "2>&-",
            ">o\\;2",
            "&>> o.txt",
            ">> \"o 2\"",
            "<& 0",
            "<> o.txt",
            "2\\\n> o.txt",
            "<<<'it'\\''s'",
        ])
        .to_owned()
    }

    fn here_document(&mut self) -> String {
        let delimiter = self.pick(&["E", "'E'", "\\E", "\"E\"", "E", "E"]);
        let quoted = delimiter != "E";
        let tabs = self.random.below(4) == 0;
        let mut body = String::new();
        for _ in 0..self.random.below(3) {
            let line = match self.random.below(8) {
                0 if !quoted && self.depth < 2 => self.opaque(|maker| format!("x $({}) y", maker.closed())),
                _ => self
                    .pick(&[
                        "bad1 text",
                        "it's \"",
                        " E",
                        "\\$(bad1)",
                        "`",
                        "$V ${V}",
                        "E x",
                        "#",
                        "a \\",
                        "\\\\",
                        "((",
                        "; bad1",
                    ])
                    .to_owned(),
            };
            let unclosed = line == "`" && !quoted;
            let _ = writeln!(body, "{}", if unclosed { "\\`" } else { line.as_str() });
        }
        if body.ends_with("\\\n") && !body.ends_with("\\\\\n") {
            body.push('\n');
        }
        body.push_str(if tabs { "\tE\n" } else { "E\n" });
        self.bodies.push(body);
        format!("<<{}{delimiter}", if tabs { "-" } else { "" })
    }

    fn substitution(&mut self) -> String {
        self.depth += 1;
        let text = match self.random.below(9) {
            0 => format!("$({})", self.closed()),
            1 => format!("\"x$({})y\"", self.closed()),
            2 => format!(
                "`{}`",
                self.closed()
                    .replace(['\\'], "\\\\")
                    .replace('`', "\\`")
                    .replace('$', "\\$")
            ),
            3 => format!("\"`{} a`\"", self.plain_program()),
            4 => format!("<({})", self.closed()),
            5 => format!("${{V:-$({})}}", self.closed()),
            6 => format!("$(( 1 + $({}; echo 1) ))", self.ender()),
            7 => format!("\"$(good1 \"$({})\" 'x')\"", self.closed()),
            _ => format!("$( # it's )\n{}\n)", self.closed()),
        };
        self.depth -= 1;
        text
    }

    fn plain_program(&mut self) -> &'static str {
        let bad = self.random.below(4) == 0;
        self.harmless &= !bad;
        if bad { "bad1" } else { "good1" }
    }

    fn pick<'p>(&mut self, from: &[&'p str]) -> &'p str {
        self.random.of(from).copied().unwrap_or_default()
    }
}

/// A small generator of its own, so that a seed means the same line for ever.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d);
        for _ in 0..4 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn of<'f, T>(&mut self, from: &'f [T]) -> Option<&'f T> {
        let index = self.below(from.len());
        from.get(index)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or_default() % bound.max(1)
    }
}
