//! The lines of a `|` or `>` block to its text: chomping and folding.

use pest::iterators::Pair;

use crate::span::Span;
use crate::yaml::Rule;

/// What a block scalar says.
pub(super) struct Block {
    pub(super) text: String,
    /// One past the last byte that counts: the end of the last line of text, or of the last blank line for `+`.
    pub(super) end: usize,
    /// A blank line before the first line of text that has more spaces than that line: its indentation would be read
    /// one way by some parsers and refused by others.
    pub(super) too_far_right: Option<Span>,
}

/// Trailing line breaks: all but one go, all go, all stay.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Clip,
    Strip,
    Keep,
}

/// Reads a pair of the rules `literal` or `folded`; comments in its header and after it are added to `comments`.
pub(super) fn read(pair: Pair<'_, Rule>, literal: bool, comments: &mut Vec<Span>) -> Block {
    let header = pair
        .as_str()
        .bytes()
        .take_while(|byte| b"|>+-123456789".contains(byte))
        .count();
    let start = pair.as_span().start();
    let mut chomping = Chomping::Clip;
    let mut lines = Lines {
        literal,
        text: String::new(),
        any: false,
        blank: 0,
        spaced: false,
    };
    let mut end = start.saturating_add(header);
    let mut end_of_blank = end;
    // The longest run of spaces on a leading blank line, and where it is.
    let mut widest = Span::default();
    let mut too_far_right = None;
    let mut previous_end = start;
    for pair in pair.into_inner() {
        let span = Span::new(pair.as_span().start(), pair.as_span().end());
        match pair.as_rule() {
            Rule::comment => comments.push(span),
            Rule::chomp => {
                chomping = if pair.as_str() == "+" {
                    Chomping::Keep
                } else {
                    Chomping::Strip
                };
            }
            Rule::bs_lead => {
                let spaces = pair.as_str().trim_end_matches(['\n', '\r']).len();
                if spaces > widest.end.saturating_sub(widest.start) {
                    widest = Span::new(span.start, span.start.saturating_add(spaces));
                }
                lines.blank();
                end_of_blank = span.end;
            }
            Rule::bs_blank => {
                lines.blank();
                end_of_blank = span.end;
            }
            Rule::bs_first | Rule::bs_text => {
                let indentation = span.start.saturating_sub(previous_end);
                if pair.as_rule() == Rule::bs_first
                    && widest.end > widest.start
                    && widest.end.saturating_sub(widest.start) > indentation
                {
                    too_far_right = Some(widest);
                }
                lines.text(pair.as_str());
                end = span.end;
                end_of_blank = span.end;
            }
            _ => {}
        }
        previous_end = span.end;
    }
    let end = if chomping == Chomping::Keep {
        end_of_blank
    } else {
        end
    };
    Block {
        text: lines.finish(chomping),
        end,
        too_far_right,
    }
}

/// Lines of a block, joined as they come.
struct Lines {
    literal: bool,
    text: String,
    /// Whether a line of text was there.
    any: bool,
    /// Blank lines since the last line of text.
    blank: usize,
    /// Whether the last line of text begins with a space or a tab: no folding around it.
    spaced: bool,
}

impl Lines {
    fn blank(&mut self) {
        self.blank = self.blank.saturating_add(1);
    }

    fn text(&mut self, line: &str) {
        let spaced = line.starts_with([' ', '\t']);
        let breaks = if !self.any {
            self.blank
        } else if self.literal || spaced || self.spaced {
            self.blank.saturating_add(1)
        } else {
            self.blank
        };
        if self.any && breaks == 0 {
            self.text.push(' ');
        }
        self.text.extend(std::iter::repeat_n('\n', breaks));
        self.text.push_str(line);
        self.any = true;
        self.spaced = spaced;
        self.blank = 0;
    }

    fn finish(mut self, chomping: Chomping) -> String {
        let breaks = match chomping {
            Chomping::Strip => 0,
            Chomping::Clip => usize::from(self.any),
            Chomping::Keep => usize::from(self.any).saturating_add(self.blank),
        };
        self.text.extend(std::iter::repeat_n('\n', breaks));
        self.text
    }
}
