//! Lists, pipelines and compound commands: the grammar around simple commands, as bash 5.2 has it.

use alloc::borrow::Cow;

use super::construct::Construct;
use super::known::is_known;
use super::quoting::Place;
use super::reader::{Reader, Seen};
use super::segment::base_name;
use super::unit::{Kind, Unit};
use super::variables::{danger, is_name};

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
            if !self.command() {
                return false;
            }
            self.blanks();
            if self.peek() != b'|' || self.peek_second() == b'|' {
                return true;
            }
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
    fn command(&mut self) -> bool {
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
            b'e' if ["else", "elif", "esac"].iter().any(|word| self.end_of_word(word).is_some()) => return false,
            b'd' if ["do", "done"].iter().any(|word| self.end_of_word(word).is_some()) => return false,
            b'f' if self.end_of_word("fi").is_some() => return false,
            b'}' | b'!' if self.end_of_word(if first == b'}' { "}" } else { "!" }).is_some() => return false,
            _ => return self.simple(),
        }
        self.found.compound = true;
        self.trailing_redirections();
        true
    }

    /// A list that must have a command, one level deeper.
    fn body(&mut self, stop: &[&str]) {
        self.deeper(|reader| {
            if !reader.list(stop) {
                reader.fault(Construct::Syntax);
            }
        });
    }

    /// The reserved word that must stand here.
    fn expect(&mut self, word: &str) {
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

    fn brace_body(&mut self) {
        self.body(&["}"]);
        self.expect("}");
    }

    /// Reads a group with `read`. It is opaque unless everything in it only reads; of groups in one another the outermost
    /// decides.
    fn in_group(&mut self, construct: Construct, read: impl FnOnce(&mut Self)) {
        let (from, acting) = (self.found.units.len(), self.found.acting);
        self.groups = self.groups.saturating_add(1);
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

    fn if_command(&mut self) {
        self.body(&["then"]);
        self.expect("then");
        loop {
            self.body(&["elif", "else", "fi"]);
            if self.eat_word("elif") {
                self.body(&["then"]);
                self.expect("then");
            } else if self.eat_word("else") {
                self.body(&["fi"]);
                self.expect("fi");
                return;
            } else {
                self.expect("fi");
                return;
            }
        }
    }

    fn loop_command(&mut self) {
        self.body(&["do"]);
        self.do_body();
    }

    fn do_body(&mut self) {
        self.expect("do");
        self.body(&["done"]);
        self.expect("done");
    }

    /// `for NAME in WORDS; do …`, `select` likewise, `for ((…)); do …`.
    fn for_command(&mut self, arithmetic: bool) {
        let start = self.position;
        let acting = self.found.acting;
        let seen = core::mem::take(&mut self.seen);
        self.blanks();
        if arithmetic && self.peek() == b'(' && self.peek_second() == b'(' {
            self.bump();
            self.bump();
            self.arithmetic(b')');
            self.header(acting, start);
            self.blanks();
            self.eat(b';');
        } else {
            let mut text = self.scratch.pop().unwrap_or_default();
            text.clear();
            let name = self.word(&mut text, Place::Ordinary).word;
            if !name.is_literal() || !is_name(&text) {
                self.fault(Construct::Syntax);
            }
            if danger(&text).is_some() {
                self.seen.construct.get_or_insert(Construct::DangerousVariable);
            }
            self.newlines();
            let listed = self.eat_word("in");
            while listed {
                self.blanks();
                match self.peek() {
                    0 | b'\n' | b';' | b'#' => break,
                    b'<' | b'>' if self.peek_second() == b'(' => {}
                    b'&' | b'|' | b'<' | b'>' | b'(' | b')' => {
                        self.fault(Construct::Syntax);
                        break;
                    }
                    _ => {}
                }
                text.clear();
                self.word(&mut text, Place::Ordinary);
            }
            text.clear();
            self.scratch.push(text);
            self.header(acting, start);
            self.blanks();
            if self.peek() == b';' && self.peek_second() != b';' {
                self.bump();
            }
        }
        self.seen = seen;
        self.newlines();
        if self.eat_word("{") { self.brace_body() } else { self.do_body() }
    }

    fn case_command(&mut self) {
        let start = self.position;
        let acting = self.found.acting;
        let seen = core::mem::take(&mut self.seen);
        let mut text = self.scratch.pop().unwrap_or_default();
        self.blanks();
        text.clear();
        let before = self.position;
        self.word(&mut text, Place::Ordinary);
        if self.position == before {
            self.fault(Construct::Syntax);
        }
        self.header(acting, start);
        self.newlines();
        self.expect("in");
        loop {
            self.newlines();
            if self.eat_word("esac") {
                break;
            }
            if self.peek() == 0 {
                self.fault(Construct::Syntax);
                break;
            }
            self.case_clause(&mut text);
        }
        text.clear();
        self.scratch.push(text);
        self.seen = seen;
    }

    /// `(PATTERN|PATTERN) LIST ;;`
    fn case_clause(&mut self, text: &mut alloc::string::String) {
        let start = self.position;
        let acting = self.found.acting;
        if self.eat(b'(') {
            self.blanks();
        }
        loop {
            let before = self.position;
            text.clear();
            self.word(text, Place::Ordinary);
            if self.position == before {
                self.fault(Construct::Syntax);
            }
            self.blanks();
            if !self.eat(b'|') {
                break;
            }
            self.blanks();
        }
        self.header(acting, start);
        if !self.eat(b')') {
            self.fault(Construct::Syntax);
        }
        self.deeper(|reader| {
            reader.list(&["esac"]);
        });
        self.newlines();
        if self.peek() == b';' {
            self.bump();
            if self.eat(b';') {
                self.eat(b'&');
            } else if !self.eat(b'&') {
                self.fault(Construct::Syntax);
            }
        } else if self.end_of_word("esac").is_none() {
            self.fault(Construct::Syntax);
        }
    }

    /// `[[ … ]]`, its opening taken.
    fn condition(&mut self) {
        let start = self.position;
        let acting = self.found.acting;
        let seen = core::mem::take(&mut self.seen);
        self.found.arithmetic = true;
        let mut text = self.scratch.pop().unwrap_or_default();
        let (mut place, mut open, mut any) = (Place::Condition, 0_usize, false);
        loop {
            self.blanks();
            match self.peek() {
                0 | b'#' | b';' | b')' if self.peek() != b')' || open == 0 => {
                    self.fault(Construct::Syntax);
                    break;
                }
                b'\n' => {
                    self.newline();
                    continue;
                }
                b'(' if place == Place::Condition => {
                    open = open.saturating_add(1);
                    self.bump();
                    continue;
                }
                b')' => {
                    open = open.saturating_sub(1);
                    self.bump();
                    continue;
                }
                operator @ (b'&' | b'|') if self.peek_second() == operator && place == Place::Condition => {
                    self.bump();
                    self.bump();
                    continue;
                }
                b'<' | b'>' if self.peek_second() != b'(' => {
                    self.bump();
                    continue;
                }
                _ => {}
            }
            if self.eat_word("]]") {
                if open > 0 || !any {
                    self.fault(Construct::Syntax);
                }
                break;
            }
            text.clear();
            let before = self.position;
            let word = self.word(&mut text, place).word;
            if self.position == before {
                self.fault(Construct::Syntax);
                break;
            }
            any = true;
            if super::variables::runs_in_subscript(&text) {
                self.seen.construct.get_or_insert(Construct::Subscript);
            }
            place = if text == "=~" && word.is_literal() { Place::Expression } else { Place::Condition };
        }
        text.clear();
        self.scratch.push(text);
        self.header(acting, start);
        self.seen = seen;
    }

    /// `(( … ))`
    fn arithmetic_command(&mut self) {
        let acting = self.found.acting;
        let seen = core::mem::take(&mut self.seen);
        self.bump();
        self.bump();
        let start = self.position;
        self.arithmetic(b')');
        self.header(acting, start);
        self.seen = seen;
    }

    /// Adds the header that was read from `start` on, if something in it is opaque; nothing is seen any more. `acting` is
    /// how many units did more than read before it.
    pub(super) fn header(&mut self, acting: usize, start: usize) {
        if self.seen.substitution.is_none() && self.seen.construct.is_none() {
            return;
        }
        let place = self.place();
        let seen = core::mem::take(&mut self.seen);
        let inner_reads = self.found.acting == acting;
        let unit = Unit {
            kind: Kind::Header,
            role: self.scope.role,
            raw: Cow::Owned(self.slice(start, self.position).trim().into()),
            substitution: seen.substitution,
            construct: seen.construct,
            inner_reads,
            reads: true,
            escape_free: true,
            ..Unit::default()
        };
        self.found.fill(place, unit);
    }

    /// `function NAME [()] BODY`, the keyword taken.
    fn function_keyword(&mut self) {
        self.blanks();
        let mut text = self.scratch.pop().unwrap_or_default();
        text.clear();
        let name = self.word(&mut text, Place::Ordinary).word;
        if !name.is_literal() || text.is_empty() {
            self.fault(Construct::Syntax);
        }
        self.blanks();
        if self.eat(b'(') {
            self.blanks();
            if !self.eat(b')') {
                self.fault(Construct::Syntax);
            }
        }
        self.function(&text);
        text.clear();
        self.scratch.push(text);
    }

    /// The body of a function of this name. Its braces are no group (ruling 18).
    pub(super) fn function(&mut self, name: &str) {
        let seen: Seen = core::mem::take(&mut self.seen);
        self.found.compound = true;
        if is_known(base_name(name)) {
            self.seen.construct = Some(Construct::ShadowingFunction);
            let position = self.position;
            self.header(self.found.acting, position);
        }
        self.newlines();
        if self.eat_word("{") {
            self.brace_body();
            self.trailing_redirections();
        } else if !self.at_compound() || !self.command() {
            self.fault(Construct::Syntax);
        }
        self.seen = seen;
    }

    /// Whether a compound command begins here.
    fn at_compound(&mut self) -> bool {
        self.peek() == b'('
            || ["{", "if", "while", "until", "for", "select", "case", "[["]
                .iter()
                .any(|word| self.end_of_word(word).is_some())
    }

    /// `coproc [NAME] COMMAND`, the keyword taken.
    fn coproc(&mut self) -> bool {
        self.blanks();
        if self.at_compound() {
            return self.command();
        }
        let start = self.position;
        let mut text = self.scratch.pop().unwrap_or_default();
        text.clear();
        let length = self.slice(start, self.source.len()).bytes().take_while(|byte| {
            byte.is_ascii_alphanumeric() || *byte == b'_'
        });
        self.position = start.saturating_add(length.count());
        let name = self.slice(start, self.position);
        self.blanks();
        self.scratch.push(text);
        if name.is_empty() || !self.at_compound() || self.peek() == b'(' && self.peek_second() == b')' {
            self.position = start;
            return self.simple();
        }
        if danger(name).is_some() {
            self.seen.construct = Some(Construct::DangerousVariable);
            self.header(self.found.acting, start);
        }
        self.command()
    }
}
