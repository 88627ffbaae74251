//! Lists, pipelines and groups: the grammar around commands, as bash 5.2 has it.

use super::construct::Construct;
use super::reader::Reader;

impl Reader<'_, '_> {
    /// Reads commands up to one of the reserved words `stop`, a `)`, a `;;` or the end. Whether there was one.
    pub(super) fn list(&mut self, stop: &[&str]) -> bool {
        let mut any = false;
        loop {
            self.newlines();
            if self.at_end_of_list(stop) {
                return any;
            }
            if !self.and_or() {
                self.fault(Construct::Syntax);
                return any;
            }
            any = true;
            self.blanks();
            match self.peek() {
                b';' if matches!(self.peek_second(), b';' | b'&') => return any,
                b';' | b'&' => self.bump(),
                b'\n' | b'#' => {}
                _ if self.at_end_of_list(stop) => return any,
                _ => {
                    self.fault(Construct::Syntax);
                    return any;
                }
            }
        }
    }

    fn at_end_of_list(&mut self, stop: &[&str]) -> bool {
        match self.peek() {
            0 | b')' => true,
            b';' => matches!(self.peek_second(), b';' | b'&'),
            _ => stop.iter().any(|word| self.end_of_word(word).is_some()),
        }
    }

    /// `a && b || c`
    fn and_or(&mut self) -> bool {
        loop {
            if !self.pipeline() {
                return false;
            }
            self.blanks();
            let operator = self.peek();
            if !matches!(operator, b'&' | b'|') || self.peek_second() != operator {
                return true;
            }
            self.bump();
            self.bump();
            self.newlines();
        }
    }

    /// `! time a | b`
    fn pipeline(&mut self) -> bool {
        let mut prefixed = false;
        loop {
            self.blanks();
            if self.eat_word("!") {
                prefixed = true;
            } else if self.eat_word("time") {
                prefixed = true;
                self.time_options();
            } else {
                break;
            }
        }
        self.blanks();
        if prefixed && matches!(self.peek(), 0 | b'\n' | b';' | b')' | b'#') {
            return true;
        }
        loop {
            self.printed = None;
            if !self.command() {
                return false;
            }
            self.blanks();
            self.piped = None;
            if self.peek() != b'|' || self.peek_second() == b'|' {
                return true;
            }
            self.piped = self.printed.take();
            self.bump();
            self.eat(b'&');
            self.newlines();
        }
    }

    /// The options of the reserved word `time`; another makes its segment opaque.
    fn time_options(&mut self) {
        self.blanks();
        if self.eat_word("-p") {
            self.blanks();
        }
        if !self.eat_word("--") && self.peek() == b'-' {
            self.prefix = Some(Construct::UnknownOption);
        }
    }

    /// A compound or a simple command; whether there is one.
    pub(super) fn command(&mut self) -> bool {
        self.blanks();
        let first = self.peek();
        match first {
            b'(' if self.peek_second() == b'(' => self.arithmetic_command(),
            b'(' => self.subshell(),
            b'{' if self.eat_word("{") => self.group(),
            b'[' if self.eat_word("[[") => self.condition(),
            b'i' if self.eat_word("if") => self.if_command(),
            b'w' if self.eat_word("while") => self.loop_command(),
            b'u' if self.eat_word("until") => self.loop_command(),
            b'f' if self.eat_word("for") => self.for_command(true),
            b's' if self.eat_word("select") => self.for_command(false),
            b'c' if self.eat_word("case") => self.case_command(),
            b'f' if self.eat_word("function") => self.function_keyword(),
            b'c' if self.eat_word("coproc") => return self.coproc(),
            b't' if self.end_of_word("then").is_some() => return false,
            b'e' if ["else", "elif", "esac"]
                .iter()
                .any(|word| self.end_of_word(word).is_some()) =>
            {
                return false;
            }
            b'd' if ["do", "done"].iter().any(|word| self.end_of_word(word).is_some()) => return false,
            b'f' if self.end_of_word("fi").is_some() => return false,
            b'}' | b'!' if self.end_of_word(if first == b'}' { "}" } else { "!" }).is_some() => return false,
            _ => return self.simple(),
        }
        self.found.compound = true;
        self.printed = None;
        self.trailing_redirections();
        true
    }

    /// A list that must have a command, one level deeper.
    pub(super) fn body(&mut self, stop: &[&str]) {
        self.deeper(|reader| {
            if !reader.list(stop) {
                reader.fault(Construct::Syntax);
            }
        });
    }

    /// The reserved word that must stand here.
    pub(super) fn expect(&mut self, word: &str) {
        if !self.eat_word(word) {
            self.fault(Construct::Syntax);
        }
    }

    fn subshell(&mut self) {
        self.bump();
        self.in_group(Construct::Subshell, |reader| {
            reader.body(&[]);
            if !reader.eat(b')') {
                reader.fault(Construct::Syntax);
            }
        });
    }

    fn group(&mut self) {
        self.in_group(Construct::Group, Self::brace_body);
    }

    pub(super) fn brace_body(&mut self) {
        self.body(&["}"]);
        self.expect("}");
    }

    /// Reads a group with `read`. It is opaque unless everything in it only reads; of groups in one another the outermost
    /// decides.
    fn in_group(&mut self, construct: Construct, read: impl FnOnce(&mut Self)) {
        let (from, acting) = (self.found.units.len(), self.found.acting);
        self.groups = self.groups.wrapping_add(1);
        read(self);
        self.groups = self.groups.saturating_sub(1);
        if self.groups > 0 {
            return;
        }
        let group = (self.found.acting != acting).then_some(construct);
        for unit in self.found.units.iter_mut().skip(from) {
            unit.grouped = true;
            unit.group = unit.group.or(group);
        }
    }
}
