//! Source bytes to a checked document: the pipeline of page 10, one reading or none.
//!
//! Bytes are checked (`source`), parsed by `yaml.pest`, lowered to the tree with every refusal (`lower`), and read a
//! second time by an independent parser (`second_reading`). A text that the grammar does not match goes to `explain`.

use pest::Parser as _;

use crate::document::Document;
use crate::error::SyntaxError;
use crate::limits::Limits;
use crate::{explain, lower, second_reading, source};

/// The grammar.
#[derive(pest_derive::Parser)]
#[grammar = "yaml.pest"]
struct Grammar;

/// Reads one YAML document: the tree, or every refusal found (the first hundred of them), in the order of the text.
///
/// A text without content is a document without a root. Spans count bytes of `bytes`. Time and memory are linear in
/// the length of the text; nothing panics, whatever the bytes.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Document, Vec<SyntaxError>> {
    let text = source::text(bytes, limits)?;
    let closed = source::with_final_break(text);
    let document = match Grammar::parse(Rule::stream, &closed) {
        Ok(pairs) => lower::lower(pairs, text, limits)?,
        Err(failure) => return Err(vec![explain::explain(text, &failure, limits)]),
    };
    second_reading::agree(text, &document)?;
    Ok(document)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
