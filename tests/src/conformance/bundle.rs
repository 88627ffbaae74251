//! Vector files to one bundle that a host in any language replays: tables, requests, and the native answers as bytes.
//!
//! Hosts have neither the compiler nor a YAML reader, so the bundle holds what the evaluator itself is given. It is a
//! sequence of entries, each a tag byte, a `u32` length (little-endian) and that many bytes, so that a reader is ten
//! lines in every language:
//!
//! | tag | bytes |
//! |---|---|
//! | `T` | a table; it replaces the one before |
//! | `L` | a call record to learn from; its answer does not count |
//! | `Q` | a call record |
//! | `A` | the decision record that answers the `Q` before; empty: the request is an error |
//! | `X` | fast path: `u32` flags, `u32` length of the tool, the tool, the subject |
//! | `Y` | the number that answers the `X` before, an `i32` |

use std::path::Path;

use callgate_runtime::layered::Learned;
use callgate_runtime::rule::{Audience, Effect, Mode};
use callgate_runtime::session::Sessions;
use callgate_runtime::{Arguments, Call, Policy, subject, tool};

use super::engine::record;
use super::fnmatch;
use super::layered;
use super::policy::{CompiledPolicy, PolicyText};
use super::row::{self, Row};
use super::shell;
use crate::oracle::CallText;

/// The session that a row's calls are made in where it learns something first.
const SESSION: &str = ",\"session\":\"s\"}";

/// A bundle under construction, and how much is in it.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// The entries.
    pub bytes: Vec<u8>,
    /// How many answers it holds, `A` and `Y`.
    pub answers: usize,
    /// Where the last byte of each decision record stands.
    ends: Vec<usize>,
}

impl Bundle {
    /// Adds every row of the file that decides something: the others (settings, learnability, YAML) ask the compiler or
    /// the native session alone.
    pub fn add_file(&mut self, path: &Path) -> Result<(), String> {
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        for (line, line_number) in text.lines().zip(1..) {
            row::parse(line)
                .and_then(|row| self.add_row(&row))
                .map_err(|problem| format!("{name}:{line_number}: {problem}"))?;
        }
        Ok(())
    }

    /// The same bundle with one bit of one expected decision record changed, for the run that has to fail.
    pub fn altered(&self) -> Option<Vec<u8>> {
        let end = *self.ends.get(self.ends.len() / 2)?;
        let mut bytes = self.bytes.clone();
        // The last byte of a record is its closing brace, the one before a quotation mark, then a digit of the digest.
        *bytes.get_mut(end.checked_sub(2)?)? ^= 1;
        Some(bytes)
    }

    fn add_row(&mut self, row: &Row<'_>) -> Result<(), String> {
        match row {
            Row::Rules(row) => {
                let policy = self.policy(PolicyText::Document(row.policy.clone()))?;
                for call in &row.calls {
                    let mut text = CallText::new(&call.tool, call.args.get());
                    text.action.clone_from(&call.action);
                    self.call(&policy, &text, &[]);
                }
            }
            Row::Fnmatch(row) => {
                let policy = self.policy(fnmatch::policy(row))?;
                self.call(&policy, &fnmatch::call(row), &[]);
            }
            Row::Decision(row) => {
                let policy = self.policy(layered::policy(row))?;
                let (learned, call) = layered::calls(row)?;
                self.call(&policy, &call, &learned);
            }
            Row::Shell(row) => {
                let policy = self.policy(shell::policy())?;
                self.call(&policy, &shell::call(row), &[]);
            }
            Row::Learnable(_) | Row::Settings(_) | Row::YamlSuite(_) => {}
        }
        Ok(())
    }

    fn policy(&mut self, text: PolicyText) -> Result<Policy, String> {
        let compiled = CompiledPolicy::new(text)?;
        self.entry(b'T', &compiled.bytes);
        Policy::from_bytes(compiled.bytes).map_err(|error| error.to_string())
    }

    fn call(&mut self, policy: &Policy, call: &CallText, learned: &[CallText]) {
        let mut sessions = Sessions::default();
        for call in learned {
            let record = in_session(&record(call));
            self.entry(b'L', record.as_bytes());
            if let Ok(call) = Call::parse(&record) {
                // A refusal teaches nothing, here as there.
                let _ = sessions.learn("s", &call);
            }
        }
        let mut record = record(call);
        if !learned.is_empty() {
            record = in_session(&record);
        }
        self.entry(b'Q', record.as_bytes());
        let rules = sessions.get("s").map(|rules| rules as &dyn Learned);
        let answer = Call::parse(&record).map(|call| policy.decide_with(&call, rules).to_json());
        self.entry(b'A', answer.unwrap_or_default().as_bytes());
        if self.bytes.ends_with(b"}") {
            self.ends.push(self.bytes.len() - 1);
        }
        self.answers += 1;
        if learned.is_empty() {
            self.fast(policy, call);
        }
    }

    /// The same call on the fast path, with the subject that a host would have at hand.
    fn fast(&mut self, policy: &Policy, call: &CallText) {
        let mut read = Call::new(&call.tool, Arguments::parse(&call.args));
        if let Some(action) = &call.action {
            read.action.clone_from(action);
        }
        let canonical = match call.tool.as_str() {
            "Shell" => String::from("bash"),
            name => tool::canonical(name),
        };
        let Ok(subject) = subject::of_call(&canonical, &read) else {
            return;
        };
        let audience = match call.audience {
            Audience::Main => 0,
            Audience::Subagent => 1,
            Audience::All => 2,
        };
        let mode = match call.mode {
            Mode::Default => 0,
            Mode::Plan => 1,
            Mode::AcceptEdits => 2,
        };
        let mut entry = Vec::new();
        entry.extend(u32::to_le_bytes(audience | mode << 2));
        entry.extend(length(call.tool.len()));
        entry.extend(call.tool.bytes());
        entry.extend(subject.bytes());
        self.entry(b'X', &entry);
        let verdict = policy.decide_text_as(&call.tool, &subject, call.audience, call.mode);
        let effect = match verdict.effect {
            Effect::Deny => 0,
            Effect::Ask => 1,
            Effect::Allow => 2,
        };
        let rule = verdict.rule.map_or(0, |rank| rank + 1);
        self.entry(b'Y', &(effect | rule << 2).to_le_bytes());
        self.answers += 1;
    }

    fn entry(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        self.bytes.extend(length(bytes.len()));
        self.bytes.extend(bytes);
    }
}

/// The record with the session's name in it. A record that is none stays none.
fn in_session(record: &str) -> String {
    record
        .strip_suffix('}')
        .map_or_else(|| record.to_owned(), |open| [open, SESSION].concat())
}

fn length(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes).unwrap_or(u32::MAX).to_le_bytes()
}
