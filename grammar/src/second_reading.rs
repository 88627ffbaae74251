//! An accepted document and its source text to agreement with a second, independent YAML parser, or a refusal.
//!
//! A policy that two parsers read differently is a hole: one is shown to the reviewer, the other to the evaluator.
//! granit-parser shares neither code nor design with this grammar. It is asked for events, not for values, so that no
//! typing of scalars comes between: kind, style and text of every node must be the same, and for plain and quoted
//! scalars the bytes they were read from.

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span as EventSpan, StrInput, StructureStyle};

use crate::document::{Document, Entry, Node, Scalar, Style, Value};
use crate::error::{SyntaxError, SyntaxErrorKind, short};
use crate::span::Span;

/// Reads `text` again; any difference to `document` is one refusal.
pub(crate) fn agree(text: &str, document: &Document) -> Result<(), Vec<SyntaxError>> {
    let options = granit_parser::options! {
        strict_indentation: false,
        disallow_directives: true,
        emit_comments: false,
    };
    let parser = Parser::new_from_str_with_options(text, options);
    let mut second = SecondReading {
        parser,
        end: Span::at(text.len()),
    };
    second.document(document).map_err(|difference| vec![*difference])
}

type Difference = Box<SyntaxError>;

struct SecondReading<'t> {
    parser: Parser<'t, StrInput<'t>>,
    end: Span,
}

impl<'t> SecondReading<'t> {
    fn document(&mut self, document: &Document) -> Result<(), Difference> {
        let end = self.end;
        self.expect(end, "the beginning", |event| matches!(event, Event::StreamStart))?;
        if let Some(root) = &document.root {
            self.expect(root.span, "a document", |event| {
                matches!(event, Event::DocumentStart(..))
            })?;
            self.node(root)?;
            self.expect(end, "the end of the document", |event| {
                matches!(event, Event::DocumentEnd)
            })?;
        }
        self.expect(end, "the end of the text", |event| {
            matches!(event, Event::StreamEnd)
        })
    }

    fn node(&mut self, node: &Node) -> Result<(), Difference> {
        match &node.value {
            Value::Scalar(scalar) => self.scalar(node.span, scalar),
            Value::Sequence(sequence) => {
                let style = structure(sequence.flow);
                self.expect(
                    node.span,
                    "a sequence",
                    |event| matches!(event, Event::SequenceStart(found, 0, None) if *found == style),
                )?;
                for item in &sequence.items {
                    self.node(item)?;
                }
                let end = Span::at(node.span.end);
                self.expect(end, "the end of a sequence", |event| {
                    matches!(event, Event::SequenceEnd)
                })
            }
            Value::Mapping(mapping) => {
                let style = structure(mapping.flow);
                self.expect(
                    node.span,
                    "a mapping",
                    |event| matches!(event, Event::MappingStart(found, 0, None) if *found == style),
                )?;
                for Entry { key, value } in &mapping.entries {
                    self.scalar(key.span, &key.scalar)?;
                    self.node(value)?;
                }
                let end = Span::at(node.span.end);
                self.expect(end, "the end of a mapping", |event| {
                    matches!(event, Event::MappingEnd)
                })
            }
        }
    }

    fn scalar(&mut self, span: Span, scalar: &Scalar) -> Result<(), Difference> {
        let (event, place) = self.next(span)?;
        if is_same_scalar(&event, place, span, scalar) {
            return Ok(());
        }
        Err(difference(span, describe_scalar(&scalar.text), describe(&event)))
    }

    fn expect(
        &mut self,
        span: Span,
        ours: &str,
        is_expected: impl FnOnce(&Event<'_>) -> bool,
    ) -> Result<(), Difference> {
        let (event, _) = self.next(span)?;
        if is_expected(&event) {
            Ok(())
        } else {
            Err(difference(span, ours.to_owned(), describe(&event)))
        }
    }

    fn next(&mut self, span: Span) -> Result<(Event<'t>, EventSpan), Difference> {
        match self.parser.next_event() {
            Some(Ok(read)) => Ok(read),
            Some(Err(error)) => Err(self.failure(&error)),
            None => Err(difference(
                span,
                "something".to_owned(),
                "the end of the text".to_owned(),
            )),
        }
    }

    fn failure(&self, error: &ScanError) -> Difference {
        let at = error
            .marker()
            .byte_offset()
            .unwrap_or(self.end.end)
            .min(self.end.end);
        difference(
            Span::at(at),
            "a valid text".to_owned(),
            format!("an error: {}", error.info()),
        )
    }
}

fn structure(flow: bool) -> StructureStyle {
    if flow {
        StructureStyle::Flow
    } else {
        StructureStyle::Block
    }
}

fn is_same_scalar(event: &Event<'_>, place: EventSpan, span: Span, scalar: &Scalar) -> bool {
    let Event::Scalar(text, style, 0, None) = event else {
        return false;
    };
    let same_bytes = place.byte_range() == Some(span.start..span.end);
    match scalar.style {
        // An empty node comes as the plain text `~` of no bytes.
        Style::Plain if scalar.text.is_empty() => *style == ScalarStyle::Plain && place.is_empty(),
        Style::Plain => *style == ScalarStyle::Plain && *text == scalar.text && same_bytes,
        Style::SingleQuoted => *style == ScalarStyle::SingleQuoted && *text == scalar.text && same_bytes,
        Style::DoubleQuoted => *style == ScalarStyle::DoubleQuoted && *text == scalar.text && same_bytes,
        Style::Literal => *style == ScalarStyle::Literal && *text == scalar.text,
        Style::Folded => *style == ScalarStyle::Folded && *text == scalar.text,
    }
}

fn difference(span: Span, ours: String, theirs: String) -> Difference {
    Box::new(SyntaxError::new(
        SyntaxErrorKind::ReadingsDiffer { ours, theirs },
        span,
    ))
}

/// An event in words. The events of granit-parser are open-ended; what is not named here is never expected.
fn describe(event: &Event<'_>) -> String {
    match event {
        Event::Scalar(text, ..) => describe_scalar(text),
        Event::SequenceStart(..) => "a sequence".to_owned(),
        Event::SequenceEnd => "the end of a sequence".to_owned(),
        Event::MappingStart(..) => "a mapping".to_owned(),
        Event::MappingEnd => "the end of a mapping".to_owned(),
        Event::DocumentStart(..) => "a document".to_owned(),
        Event::DocumentEnd => "the end of the document".to_owned(),
        Event::StreamEnd => "the end of the text".to_owned(),
        _ => "something else".to_owned(),
    }
}

fn describe_scalar(text: &str) -> String {
    format!("the text `{}`", short(text).escape_debug())
}
