//! Text to standard output and standard error: styles where a terminal wants them, and no panic where a pipe is closed.

use std::io::{self, BufWriter, IsTerminal, Stderr, Stdout, Write};

use annotate_snippets::{Group, Renderer};
use clap::builder::styling::{AnsiColor, Style};

use crate::args::Color;
use crate::exit::Exit;
use crate::failure::Failure;

/// The two streams of the process.
pub(crate) struct Console {
    out: BufWriter<Stdout>,
    err: Stderr,
    out_styled: bool,
    err_styled: bool,
    broken: Option<io::Error>,
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Results.
    Out,
    /// What accompanies a result that goes to standard output.
    Err,
}

/// How a word is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tone {
    /// `allow`.
    Good,
    /// `ask`.
    Open,
    /// `deny`, `error`.
    Bad,
    /// What matters less.
    Dim,
}

impl Console {
    /// The process's own streams. `NO_COLOR`, when set and not empty, means no colour unless it is asked for.
    pub(crate) fn new(color: Color) -> Self {
        let (out, err) = (io::stdout(), io::stderr());
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let styled = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => wanted && terminal,
        };
        let (out_styled, err_styled) = (styled(out.is_terminal()), styled(err.is_terminal()));
        Self {
            out: BufWriter::new(out),
            err,
            out_styled,
            err_styled,
            broken: None,
        }
    }

    /// Whether standard output is a terminal.
    pub(crate) fn out_is_terminal(&self) -> bool {
        self.out.get_ref().is_terminal()
    }

    /// Whether nobody takes output any more.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Writes text as it is.
    pub(crate) fn write(&mut self, stream: Stream, text: &str) {
        self.write_bytes(stream, text.as_bytes());
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, stream: Stream, text: &str) {
        self.write(stream, text);
        self.write(stream, "\n");
    }

    /// Writes bytes as they are. What cannot be written to standard output is told by [`finish`](Self::finish); what cannot
    /// be written to standard error can be told to nobody.
    pub(crate) fn write_bytes(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Out if self.broken.is_none() => self.broken = self.out.write_all(bytes).err(),
            Stream::Out => {}
            Stream::Err => {
                self.flush();
                let _ = self.err.write_all(bytes);
            }
        }
    }

    /// Hands on what was written so far.
    pub(crate) fn flush(&mut self) {
        if self.broken.is_none() {
            self.broken = self.out.flush().err();
        }
    }

    /// The word in its colour, where the stream has colours.
    pub(crate) fn paint(&self, stream: Stream, tone: Tone, word: &str) -> String {
        if !self.is_styled(stream) {
            return word.to_owned();
        }
        let style = match tone {
            Tone::Good => AnsiColor::Green.on_default().bold(),
            Tone::Open => AnsiColor::Yellow.on_default().bold(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
            Tone::Dim => Style::new().dimmed(),
        };
        format!("{style}{word}{style:#}")
    }

    /// Renders a finding with its excerpts.
    pub(crate) fn render(&self, stream: Stream, report: &[Group<'_>]) -> String {
        let renderer = if self.is_styled(stream) {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.render(report)
    }

    /// Tells why something could not be done.
    pub(crate) fn complain(&mut self, failure: &Failure) {
        let label = self.paint(Stream::Err, Tone::Bad, "error:");
        self.line(Stream::Err, &format!("{label} {}", visible(&failure.to_string())));
    }

    /// Writes out what is left. A reader that went away is no failure of ours; a full disk is.
    pub(crate) fn finish(mut self, exit: Exit) -> Exit {
        self.flush();
        match self.broken.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.complain(&Failure::Write {
                    path: String::from("standard output"),
                    error,
                });
                Exit::COULD_NOT_RUN
            }
            Some(_) | None => exit,
        }
    }

    fn is_styled(&self, stream: Stream) -> bool {
        match stream {
            Stream::Out => self.out_styled,
            Stream::Err => self.err_styled,
        }
    }
}

/// The text with everything that could steer a terminal or reorder a line written as an escape. Line feeds stay.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('\n'),
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(character.escape_unicode());
            }
            control if control.is_control() => shown.extend(control.escape_default()),
            other => shown.push(other),
        }
    }
    shown
}

/// The text on one line.
pub(crate) fn one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n")
}
