//! A question to a person, and the answer.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::{Mutex, PoisonError};

/// Where a person can be asked.
pub enum Terminal {
    /// The person at standard input.
    Person,
    /// Answers that were written down before.
    Scripted(Mutex<VecDeque<&'static str>>),
    /// Nobody is there.
    Nobody,
}

impl Terminal {
    /// A terminal with these answers; after the last of them nobody is there.
    pub fn scripted(answers: &[&'static str]) -> Self {
        Self::Scripted(Mutex::new(answers.iter().copied().collect()))
    }

    /// The answer to a question; `None` when nobody is there. Waiting for a person does not keep the runtime waiting.
    pub async fn ask(&self, question: &str) -> Option<String> {
        match self {
            Self::Person => {
                let question = question.to_owned();
                tokio::task::spawn_blocking(move || read_line(&question))
                    .await
                    .ok()
                    .flatten()
            }
            Self::Scripted(answers) => {
                let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                answers.pop_front().map(str::to_owned)
            }
            Self::Nobody => None,
        }
    }
}

fn read_line(question: &str) -> Option<String> {
    let mut out = std::io::stdout().lock();
    write!(out, "{question} ").ok()?;
    out.flush().ok()?;
    let mut line = String::new();
    let n_read = std::io::stdin().lock().read_line(&mut line).ok()?;
    (n_read > 0).then(|| line.trim().to_owned())
}
