//! pest pairs to the document tree, with every construct that page 10 refuses.
//!
//! The grammar recognises all of YAML. Here each anchor, alias, tag, directive, second document, complex, collection,
//! empty or duplicate key becomes a refusal with its own span, and the walk goes on, so that an author sees all of them
//! at once. Depth is checked on the way down: the recursion is never deeper than the limit.

mod block_scalar;
mod entry;
mod fold;

use pest::iterators::{Pair, Pairs};

use crate::document::{Document, Mapping, Node, Scalar, Sequence, Style, Value};
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::limits::Limits;
use crate::refusals::Refusals;
use crate::span::Span;
use crate::yaml::Rule;

/// The document that `pairs` of the rule `stream` describe. `text` is the source without the line break that may have
/// been added for the grammar: no span goes beyond it.
pub(crate) fn lower(
    pairs: Pairs<'_, Rule>,
    text: &str,
    limits: &Limits,
) -> Result<Document, Vec<SyntaxError>> {
    let mut lowering = Lowering {
        text,
        max_depth: limits.depth(),
        refusals: Refusals::default(),
        comments: Vec::new(),
    };
    let mut root = None;
    for stream in pairs {
        root = lowering.stream(stream.into_inner());
    }
    lowering.refusals.into_result()?;
    Ok(Document {
        root,
        comments: lowering.comments,
    })
}

struct Lowering<'t> {
    text: &'t str,
    max_depth: usize,
    refusals: Refusals,
    comments: Vec<Span>,
}

impl<'t> Lowering<'t> {
    fn stream(&mut self, mut pairs: Pairs<'_, Rule>) -> Option<Node> {
        let mut root = None;
        let mut documents = 0_usize;
        while let Some(pair) = self.next(&mut pairs) {
            if !matches!(pair.as_rule(), Rule::directed | Rule::explicit | Rule::bare) {
                // A `...` line, and the comments after it.
                self.drain(&mut pair.into_inner());
                continue;
            }
            documents = documents.saturating_add(1);
            let (start, node) = self.document(pair);
            match documents {
                1 => root = Some(node),
                2 => self.refusals.push(SyntaxErrorKind::MultipleDocuments, start),
                _ => {}
            }
        }
        root
    }

    /// The root of one document, and the bytes that a complaint about the document is about: its `---` or its first line.
    fn document(&mut self, document: Pair<'_, Rule>) -> (Span, Node) {
        let mut pairs = document.into_inner();
        let mut start = None;
        while let Some(pair) = pairs.peek() {
            let span = self.span(&pair);
            match pair.as_rule() {
                Rule::directive => {
                    let text = pair.as_str().trim_end();
                    let span = Span::new(span.start, span.start.saturating_add(text.len()));
                    self.refusals.push(
                        SyntaxErrorKind::Directive {
                            text: text.to_owned(),
                        },
                        span,
                    );
                }
                Rule::doc_start => start = Some(span),
                Rule::comment => self.comments.push(span),
                _ => break,
            }
            pairs.next();
        }
        let node = self.node(&mut pairs, 0);
        self.drain(&mut pairs);
        (start.unwrap_or_else(|| self.first_line(node.span)), node)
    }

    /// The next node of `pairs`, with the properties before it. `depth` collections are open around it.
    fn node(&mut self, pairs: &mut Pairs<'_, Rule>, depth: usize) -> Node {
        let mut properties = Vec::new();
        let mut node = self.empty(Span::at(self.text.len()));
        while let Some(pair) = self.next(pairs) {
            let span = self.span(&pair);
            node = match pair.as_rule() {
                Rule::tag | Rule::anchor => {
                    properties.push((pair.as_rule() == Rule::tag, span));
                    continue;
                }
                Rule::alias => {
                    let text = pair.as_str().to_owned();
                    self.refusals
                        .push(SyntaxErrorKind::Alias { text: text.clone() }, span);
                    scalar(span, text, Style::Plain)
                }
                Rule::plain_out | Rule::plain_in => scalar(span, fold::plain(pair.as_str()), Style::Plain),
                Rule::squote => scalar(span, fold::single_quoted(pair.as_str()), Style::SingleQuoted),
                Rule::dquote => {
                    let text = fold::double_quoted(pair.as_str(), span.start, &mut self.refusals);
                    scalar(span, text, Style::DoubleQuoted)
                }
                Rule::literal => self.block_scalar(pair, Style::Literal),
                Rule::folded => self.block_scalar(pair, Style::Folded),
                Rule::block_seq | Rule::compact_seq | Rule::seq_at_col => self.block_sequence(pair, depth),
                Rule::block_map | Rule::compact_map => self.block_mapping(pair, depth),
                Rule::flow_seq => self.flow_sequence(pair, depth),
                Rule::flow_map => self.flow_mapping(pair, depth),
                _ => self.empty(span),
            };
            break;
        }
        self.refuse_properties(&properties, node.span);
        node
    }

    fn block_scalar(&mut self, pair: Pair<'_, Rule>, style: Style) -> Node {
        let start = pair.as_span().start();
        let block = block_scalar::read(pair, style == Style::Literal, &mut self.comments);
        if let Some(blank) = block.too_far_right {
            self.refusals.push(SyntaxErrorKind::BlockBlankLine, blank);
        }
        scalar(self.clamp(start, block.end), block.text, style)
    }

    fn block_sequence(&mut self, pair: Pair<'_, Rule>, depth: usize) -> Node {
        let mut pairs = pair.into_inner();
        let mut span = None;
        let mut items = Vec::new();
        while let Some(dash) = self.next(&mut pairs) {
            let dash = self.span(&dash);
            if !self.may_open(depth, dash) {
                break;
            }
            let item = self.node(&mut pairs, depth.saturating_add(1));
            let end = item.span.end.max(dash.end);
            span = Some(Span::new(span.map_or(dash.start, |span: Span| span.start), end));
            items.push(item);
        }
        sequence(span.unwrap_or_default(), items, false)
    }

    fn block_mapping(&mut self, pair: Pair<'_, Rule>, depth: usize) -> Node {
        let mut span = None;
        let mut entries = Vec::new();
        let mut pairs = pair.into_inner();
        while let Some(pair) = self.next(&mut pairs) {
            let start = self.span(&pair).start;
            if !self.may_open(depth, Span::new(start, start.saturating_add(1))) {
                break;
            }
            let parts = self.parts(pair, depth.saturating_add(1));
            self.check_key_length(&parts);
            span = Some(Span::new(
                span.map_or(parts.span.start, |span: Span| span.start),
                parts.span.end,
            ));
            entries.push(self.entry(parts));
        }
        self.refuse_duplicates(&entries);
        mapping(span.unwrap_or_default(), entries, false)
    }

    fn flow_sequence(&mut self, pair: Pair<'_, Rule>, depth: usize) -> Node {
        let span = self.span(&pair);
        let mut items = Vec::new();
        let mut pairs = pair.into_inner();
        if self.may_open(depth, Span::new(span.start, span.start.saturating_add(1))) {
            while let Some(pair) = self.next(&mut pairs) {
                let parts = self.parts(pair, depth.saturating_add(1));
                if parts.question.is_none() && parts.colon.is_none() {
                    items.push(parts.key);
                    continue;
                }
                // `[a: b]`: a mapping of one entry, one level deeper than its brackets.
                self.may_open(depth.saturating_add(1), parts.key.span);
                self.check_key_on_one_line(&parts);
                self.check_key_length(&parts);
                let span = parts.span;
                let entry = self.entry(parts);
                items.push(mapping(span, vec![entry], true));
            }
        }
        sequence(span, items, true)
    }

    fn flow_mapping(&mut self, pair: Pair<'_, Rule>, depth: usize) -> Node {
        let span = self.span(&pair);
        let mut entries = Vec::new();
        let mut pairs = pair.into_inner();
        if self.may_open(depth, Span::new(span.start, span.start.saturating_add(1))) {
            while let Some(pair) = self.next(&mut pairs) {
                let parts = self.parts(pair, depth.saturating_add(1));
                entries.push(self.entry(parts));
            }
        }
        self.refuse_duplicates(&entries);
        mapping(span, entries, true)
    }

    /// Whether one more collection may open inside `depth` others; refuses it, once, if not.
    fn may_open(&mut self, depth: usize, span: Span) -> bool {
        let fits = depth < self.max_depth;
        if !fits {
            self.refusals
                .push_once(SyntaxErrorKind::TooDeep { max: self.max_depth }, span);
        }
        fits
    }

    fn refuse_properties(&mut self, properties: &[(bool, Span)], node: Span) {
        for (is_tag, span) in properties {
            let written = span.of(self.text).to_owned();
            let kind = if *is_tag {
                let whole = self.first_line(Span::new(span.start, node.end.max(span.end)));
                SyntaxErrorKind::Tag {
                    tag: written,
                    text: whole.of(self.text).to_owned(),
                }
            } else {
                SyntaxErrorKind::Anchor { text: written }
            };
            self.refusals.push(kind, *span);
        }
    }

    /// The next pair that carries data. Comments on the way are kept.
    fn next<'i>(&mut self, pairs: &mut Pairs<'i, Rule>) -> Option<Pair<'i, Rule>> {
        for pair in pairs.by_ref() {
            match pair.as_rule() {
                Rule::comment => {
                    let span = self.span(&pair);
                    self.comments.push(span);
                }
                Rule::closing => self.drain(&mut pair.into_inner()),
                Rule::EOI => {}
                _ => return Some(pair),
            }
        }
        None
    }

    /// Keeps the comments that are left in `pairs`.
    fn drain(&mut self, pairs: &mut Pairs<'_, Rule>) {
        while self.next(pairs).is_some() {}
    }

    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        self.clamp(span.start(), span.end())
    }

    /// The span from `start` to `end`, within the source text.
    fn clamp(&self, start: usize, end: usize) -> Span {
        Span::new(start.min(self.text.len()), end.min(self.text.len()))
    }

    /// `span` up to its first line break, without spaces at the end.
    fn first_line(&self, span: Span) -> Span {
        let line = span
            .of(self.text)
            .split(['\n', '\r'])
            .next()
            .unwrap_or_default()
            .trim_end();
        Span::new(span.start, span.start.saturating_add(line.len()))
    }

    fn empty(&self, span: Span) -> Node {
        scalar(span, String::new(), Style::Plain)
    }
}

fn scalar(span: Span, text: String, style: Style) -> Node {
    Node {
        span,
        value: Value::Scalar(Scalar { text, style }),
    }
}

fn sequence(span: Span, items: Vec<Node>, flow: bool) -> Node {
    Node {
        span,
        value: Value::Sequence(Sequence { items, flow }),
    }
}

fn mapping(span: Span, entries: Vec<crate::document::Entry>, flow: bool) -> Node {
    Node {
        span,
        value: Value::Mapping(Mapping { entries, flow }),
    }
}
