//! A seed to a command line that is made of every construct that page 31 names, and sometimes spoilt.

use std::fmt::Write as _;

/// A generated line and what is known of it.
pub(super) struct Line {
    pub(super) text: String,
    /// Nothing in it is denied or opaque, and it is as the grammar made it.
    pub(super) harmless: bool,
    pub(super) mutated: bool,
}

impl Line {
    pub(super) fn random(seed: u64) -> Self {
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
