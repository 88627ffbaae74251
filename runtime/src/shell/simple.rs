//! Simple commands and redirections: assignments, words and targets to one unit with its views.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use super::construct::Construct;
use super::quoting::{Place, ReadWord};
use super::reader::{Reader, is_word_end};
use super::text;
use super::unit::{Kind, Unit};
use super::variables::{Danger, danger, is_name, name_of};
use super::word::{Command, Redirection, Word, Words};
use super::{launchers, plain, printed, segment};

impl Reader<'_, '_> {
    /// Reads a simple command, or the definition of a function; whether there is one.
    pub(super) fn simple(&mut self) -> bool {
        if self.plain_command() {
            return true;
        }
        let mut command = self.spare.pop().unwrap_or_default();
        let seen = core::mem::take(&mut self.seen);
        self.seen.construct = self.prefix.take();
        let acting = self.found.acting;
        let id = self.found.ids;
        self.found.ids = id.wrapping_add(1);
        command.source = (self.position, self.position);
        let mut defined = false;
        loop {
            self.blanks();
            let byte = self.peek();
            match byte {
                b'#' => {
                    self.comment();
                    break;
                }
                b'(' => {
                    defined = self.function_definition(&command);
                    if !defined {
                        self.fault(Construct::Syntax);
                    }
                    break;
                }
                b'<' | b'>' if self.peek_second() == b'(' => {}
                b'<' | b'>' => {
                    self.redirection(&mut command, 0, Some(id));
                    continue;
                }
                b'&' if self.peek_second() == b'>' => {
                    self.redirection(&mut command, 0, Some(id));
                    continue;
                }
                b'0'..=b'9' | b'{' => {
                    if let Some(length) = self.descriptor() {
                        self.redirection(&mut command, length, Some(id));
                        continue;
                    }
                }
                _ if is_word_end(byte) => break,
                _ => {}
            }
            self.command_word(&mut command);
        }
        let any = defined || !command.is_empty();
        if any && !defined {
            self.finish(&mut command, acting, id);
        }
        command.clear();
        self.spare.push(command);
        self.seen = seen;
        any
    }

    /// Reads a simple command that is plain text, without a look at its words; whether it was one.
    fn plain_command(&mut self) -> bool {
        if self.prefix.is_some() || self.scope.template.is_some() || self.scope.thorough {
            return false;
        }
        let rest = text::from(self.source, self.position);
        let Some((mut unit, length)) = plain::next_segment(rest) else {
            return false;
        };
        unit.role = self.scope.role;
        unit.id = self.found.ids;
        self.found.ids = unit.id.wrapping_add(1);
        self.position = self.position.wrapping_add(length);
        self.printed = None;
        // Nothing around the top line asks whether what is in it only reads.
        let asked = self.scope.depth > 0 || self.groups > 0 || self.substitutions > 0 || self.nested > 0;
        self.found.push(unit, asked);
        true
    }

    /// One word or leading assignment.
    fn command_word(&mut self, command: &mut Command) {
        let leading = command.words.is_empty();
        let place = if leading {
            Place::Command
        } else if command.is_declaration {
            Place::Declaration
        } else {
            Place::Ordinary
        };
        let before = command.text.len();
        if !leading {
            command.text.push(' ');
        }
        let start = self.position;
        let ReadWord { word, value } = self.word(&mut command.text, place);
        if command.is_empty() {
            command.source.0 = start;
        }
        command.source.1 = self.position;
        if let Some(value) = value
            && leading
        {
            let name = name_of(text::part(&command.text, word.start, value));
            let from = command.side.len();
            command.side.push_str(name);
            command.assigned.push((from, command.side.len()));
            command.text.truncate(before);
            return;
        }
        if leading {
            let program = text::from(&command.text, word.start);
            // Builtins whose operands may assign arrays.
            command.is_declaration = matches!(
                program,
                "declare" | "typeset" | "local" | "export" | "readonly" | "eval" | "let"
            );
            self.found.arithmetic |= command.is_declaration;
        }
        command.words.push(word);
    }

    /// `NAME()` and the body behind it. `NAME` has been read; whether it is a definition.
    fn function_definition(&mut self, command: &Command) -> bool {
        let [name] = command.words.as_slice() else {
            return false;
        };
        let other = !command.assigned.is_empty() || !command.redirections.is_empty();
        if other || !name.is_literal() || name.bare < name.end || self.peek_second() == b'(' {
            return false;
        }
        self.bump();
        self.blanks();
        if !self.eat(b')') {
            return false;
        }
        self.function(&command.text);
        true
    }

    /// The length in the source of the descriptor that stands right before a redirection operator: `2>`, `{fd}>`.
    fn descriptor(&mut self) -> Option<usize> {
        let mut position = self.position;
        let braced = self.peek() == b'{';
        let mut any = false;
        if braced {
            position = position.wrapping_add(1);
        }
        loop {
            let (byte, at) = self.byte_from(position);
            let fits = byte.is_ascii_digit() || (braced && (byte.is_ascii_alphabetic() || byte == b'_'));
            if !fits {
                break;
            }
            any = true;
            position = at.wrapping_add(1);
        }
        if braced {
            let (byte, at) = self.byte_from(position);
            if byte != b'}' {
                return None;
            }
            position = at.wrapping_add(1);
        }
        let operator = matches!(self.byte_from(position).0, b'<' | b'>');
        (any && operator).then(|| position.saturating_sub(self.position))
    }

    /// Redirections behind a compound command.
    pub(super) fn trailing_redirections(&mut self) {
        let acting = self.found.acting;
        let mut command = self.spare.pop().unwrap_or_default();
        let seen = core::mem::take(&mut self.seen);
        loop {
            self.blanks();
            match self.peek() {
                b'<' | b'>' if self.peek_second() != b'(' => self.redirection(&mut command, 0, None),
                b'&' if self.peek_second() == b'>' => self.redirection(&mut command, 0, None),
                b'0'..=b'9' | b'{' => match self.descriptor() {
                    Some(length) => self.redirection(&mut command, length, None),
                    None => break,
                },
                _ => break,
            }
        }
        if !command.redirections.is_empty() {
            let id = self.found.ids;
            self.found.ids = id.wrapping_add(1);
            self.finish(&mut command, acting, id);
        }
        command.clear();
        self.spare.push(command);
        self.seen = seen;
    }

    /// One redirection; `descriptor` bytes of it stand before the operator.
    fn redirection(&mut self, command: &mut Command, descriptor: usize, owner: Option<usize>) {
        let start = self.position;
        let prefix = self.slice(start, start.wrapping_add(descriptor));
        self.position = start.wrapping_add(descriptor);
        let variable = prefix.strip_prefix("{").and_then(|rest| rest.strip_suffix("}"));
        if variable.is_some_and(|name| danger(name).is_some() || !is_name(name)) {
            self.seen.construct.get_or_insert(Construct::DangerousVariable);
        }
        let operator_start = command.side.len();
        command.side.push_str(prefix);
        let operator = self.operator();
        command.side.push_str(operator);
        let operator_span = (operator_start, command.side.len());
        let mut target = Word {
            start: command.side.len(),
            end: command.side.len(),
            ..Word::default()
        };
        if matches!(operator, "<<" | "<<-") {
            let delimiter = self.here_document(operator == "<<-", owner);
            command.side.push_str(&delimiter);
            target.end = command.side.len();
            command.here_document = true;
        } else {
            self.blanks();
            let before = self.position;
            target = self.word(&mut command.side, Place::Ordinary).word;
            if self.position == before {
                self.fault(Construct::Syntax);
            }
            let text = text::part(&command.side, target.start, target.end);
            let literal = text
                .get(..target.literal.saturating_sub(target.start))
                .unwrap_or_default();
            if operator != "<<<" && is_network(literal, target.is_literal()) {
                self.seen.construct.get_or_insert(Construct::NetworkRedirection);
            }
            if writes(operator, target, text) && command.write.is_none() {
                command.write = Some((target.start, target.end));
            }
        }
        if command.is_empty() {
            command.source.0 = start;
        }
        command.source.1 = self.position;
        command.redirections.push(Redirection {
            source: (start, self.position),
            operator: operator_span,
            target,
        });
    }

    /// The redirection operator that stands here.
    fn operator(&mut self) -> &'static str {
        let first = self.peek();
        self.bump();
        match (first, self.peek()) {
            (b'&', _) => {
                self.bump();
                if self.eat(b'>') { "&>>" } else { "&>" }
            }
            (b'<', b'<') => {
                self.bump();
                if self.eat(b'<') {
                    "<<<"
                } else if self.eat(b'-') {
                    "<<-"
                } else {
                    "<<"
                }
            }
            (b'<', b'&') => self.operator_end("<&"),
            (b'<', b'>') => self.operator_end("<>"),
            (b'<', _) => "<",
            (_, b'>') => self.operator_end(">>"),
            (_, b'|') => self.operator_end(">|"),
            (_, b'&') => self.operator_end(">&"),
            _ => ">",
        }
    }

    fn operator_end(&mut self, operator: &'static str) -> &'static str {
        self.bump();
        operator
    }

    /// Makes the unit of a command; `acting` is how many units did more than read before it.
    fn finish(&mut self, command: &mut Command, acting: usize, id: usize) {
        let place = self.place();
        let seen = core::mem::take(&mut self.seen);
        let kind = if !command.words.is_empty() {
            Kind::Segment
        } else if !command.assigned.is_empty() {
            Kind::Assignments
        } else {
            Kind::Redirections
        };
        let written = self.slice(command.source.0, command.source.1);
        let mut unit = Unit {
            kind,
            role: self.scope.role,
            assigned: !command.assigned.is_empty(),
            here_document: command.here_document,
            construct: seen.construct,
            substitution: seen.substitution,
            inner_reads: self.found.acting == acting,
            reads: kind == Kind::Redirections && command.write.is_none(),
            escape_free: true,
            write: command.write.map(|span| command.side_text(span).to_string()),
            id,
            ..Unit::default()
        };
        for span in &command.assigned {
            let name = command.side_text(*span);
            match danger(name) {
                Some(Danger::Named) if kind == Kind::Segment => unit.named.push(name.to_string()),
                Some(Danger::Named | Danger::Always) => {
                    unit.construct.get_or_insert(Construct::DangerousVariable);
                }
                None => {}
            }
        }
        if kind == Kind::Segment {
            let mut words = Words::new(&command.text, &command.words);
            if let Some(replaced) = self.scope.template {
                let unknown = |text: &str| {
                    text::cut(text, b'{').is_some_and(|(_, rest)| text::has(rest, b'}'))
                        || (!replaced.is_empty() && text::holds(text, replaced))
                };
                let first = words
                    .iter()
                    .position(|(_, text)| unknown(text))
                    .unwrap_or(words.len());
                words = words.part(0, words.len(), Some(first));
                unit.open = true;
            }
            let scope = self.scope;
            self.blanks();
            self.printed = if self.peek() == b'|' {
                printed::by(words)
            } else {
                None
            };
            segment::analyse(words, 0, &mut unit, &scope, &mut self.found);
            if unit.open {
                command.text.truncate(words.span(0).1);
            }
            self.run_input(command, &unit, id);
        }
        if command.redirections.is_empty() {
            unit.raw = Cow::Borrowed(written);
        } else {
            unit.raw = Cow::Owned(without_redirections(written, command));
            unit.redirected = Some(written.to_string());
            let mut appended = command.text.clone();
            for redirection in &command.redirections {
                appended.push(' ');
                appended.push_str(command.side_text(redirection.operator));
                appended.push(' ');
                appended.push_str(command.side_text((redirection.target.start, redirection.target.end)));
            }
            unit.appended = Some(appended);
        }
        if command.text != unit.raw {
            unit.words = Some(core::mem::take(&mut command.text));
        }
        self.found.fill(place, unit);
    }

    /// Text that is handed to a shell on its standard input is read, where it is literal.
    fn run_input(&mut self, command: &Command, unit: &Unit<'_>, id: usize) {
        if !matches!(
            unit.construct,
            Some(Construct::UnreadProgram | Construct::UnknownOption)
        ) {
            return;
        }
        let program = text::before(text::from(&command.text, unit.base), b' ');
        if !launchers::is_shell(program) {
            return;
        }
        let scope = self.scope;
        if let Some(text) = self.piped.take() {
            self.found.reread(&text, &scope);
        }
        for redirection in &command.redirections {
            if command.side_text(redirection.operator).ends_with("<<<") && redirection.target.is_literal() {
                let text = command.side_text((redirection.target.start, redirection.target.end));
                self.found.reread(text, &scope);
            }
        }
        for document in self
            .documents
            .iter_mut()
            .filter(|document| document.owner == Some(id))
        {
            document.runs = true;
        }
    }
}

/// The text of a command without its redirections and the blanks before them.
fn without_redirections(written: &str, command: &Command) -> String {
    let mut text = String::with_capacity(written.len());
    let mut from = 0_usize;
    for redirection in &command.redirections {
        let start = redirection.source.0.saturating_sub(command.source.0);
        let before = text::part(written, from, start);
        text.push_str(if text.is_empty() {
            text::trimmed(before)
        } else {
            before
        });
        let kept = text
            .bytes()
            .rposition(|byte| !matches!(byte, b' ' | b'\t'))
            .map_or(0, |last| last.wrapping_add(1));
        text.truncate(kept);
        from = redirection.source.1.saturating_sub(command.source.0);
    }
    let rest = text::from(written, from);
    text.push_str(if text.is_empty() {
        text::trimmed(rest)
    } else {
        rest
    });
    text
}

/// Whether a redirection writes to a file: not to `/dev/null`, not to a descriptor.
fn writes(operator: &str, target: Word, text: &str) -> bool {
    let to_null = target.is_literal() && text == "/dev/null";
    match operator {
        "<" | "<&" | "<<<" => false,
        ">&" => {
            let digits = text.strip_suffix("-").unwrap_or(text);
            !(to_null || target.is_literal() && digits.bytes().all(|byte| byte.is_ascii_digit()))
        }
        _ => !to_null,
    }
}

/// `/dev/tcp` and `/dev/udp`, as far as the text is literal.
fn is_network(literal: &str, whole: bool) -> bool {
    ["/dev/tcp/", "/dev/udp/"].iter().any(|folder| {
        literal.starts_with(folder) || (!whole && literal.len() >= 5 && folder.starts_with(literal))
    })
}
