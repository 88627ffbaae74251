//! Control flow, conditions and functions: what stands between their reserved words.

use alloc::borrow::Cow;
use alloc::string::String;

use super::construct::Construct;
use super::known::is_known;
use super::quoting::Place;
use super::reader::{Reader, Seen};
use super::segment::base_name;
use super::text;
use super::unit::{Kind, Unit};
use super::variables::{danger, is_name};

impl Reader<'_, '_> {
    pub(super) fn if_command(&mut self) {
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

    pub(super) fn loop_command(&mut self) {
        self.body(&["do"]);
        self.do_body();
    }

    fn do_body(&mut self) {
        self.expect("do");
        self.body(&["done"]);
        self.expect("done");
    }

    /// `for NAME in WORDS; do …`, `select` likewise, `for ((…)); do …`.
    pub(super) fn for_command(&mut self, arithmetic: bool) {
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
            if self.eat_word("in") {
                self.for_words(&mut text);
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
        if self.eat_word("{") {
            self.brace_body()
        } else {
            self.do_body()
        }
    }

    /// The words that a loop's variable takes, up to the end of the header.
    fn for_words(&mut self, text: &mut String) {
        loop {
            self.blanks();
            match self.peek() {
                0 | b'\n' | b';' | b'#' => return,
                b'<' | b'>' if self.peek_second() == b'(' => {}
                b'&' | b'|' | b'<' | b'>' | b'(' | b')' => return self.fault(Construct::Syntax),
                _ => {}
            }
            text.clear();
            self.word(text, Place::Ordinary);
        }
    }

    pub(super) fn case_command(&mut self) {
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
    fn case_clause(&mut self, text: &mut String) {
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
    pub(super) fn condition(&mut self) {
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
                    open = open.wrapping_add(1);
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
            place = if text == "=~" && word.is_literal() {
                Place::Expression
            } else {
                Place::Condition
            };
        }
        text.clear();
        self.scratch.push(text);
        self.header(acting, start);
        self.seen = seen;
    }

    /// `(( … ))`
    pub(super) fn arithmetic_command(&mut self) {
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
            raw: Cow::Owned(text::trimmed(self.slice(start, self.position)).into()),
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
    pub(super) fn function_keyword(&mut self) {
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
    pub(super) fn coproc(&mut self) -> bool {
        self.blanks();
        if self.at_compound() {
            return self.command();
        }
        let start = self.position;
        let length = self
            .slice(start, self.source.len())
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        self.position = start.wrapping_add(length.count());
        let name = self.slice(start, self.position);
        self.blanks();
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
