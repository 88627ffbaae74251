//! A matcher to the program that the runtime holds against texts (`callgate_runtime::glob`).

use callgate_grammar::pattern::{Set, Token};
use callgate_runtime::glob::code;

use super::{EmitError, length};
use crate::normal::Matcher;

/// Appends the program of `matcher`; `pattern` is the rule's text.
pub(super) fn push(matcher: &Matcher, pattern: &str, out: &mut Vec<u8>) -> Result<(), EmitError> {
    match matcher {
        Matcher::Everything => out.push(code::EVERYTHING),
        Matcher::Exact => {
            out.push(code::GLOB);
            push_variant(&literal_tokens(pattern), out)?;
        }
        Matcher::Glob {
            tokens,
            lowered: Some(lowered),
        } => {
            if matches!(lowered.as_slice(), [Token::Star]) {
                out.push(code::EVERYTHING);
            } else if tokens
                .iter()
                .chain(lowered)
                .any(|token| matches!(token, Token::Set(_)))
            {
                out.push(code::GLOB_TWICE);
                push_variant(tokens, out)?;
                push_variant(lowered, out)?;
            } else {
                // Without a set on either side, a text that matches as it is also matches lowercased. `[!]-A]` is
                // any character as written, and a set only when it is lowercased.
                out.push(code::GLOB);
                push_variant(lowered, out)?;
            }
        }
        Matcher::Glob {
            tokens,
            lowered: None,
        } => {
            out.push(code::GLOB);
            push_variant(tokens, out)?;
        }
    }
    Ok(())
}

/// The pattern that matches `text` alone.
pub(super) fn literal_tokens(text: &str) -> Vec<Token> {
    text.chars().map(Token::Char).collect()
}

fn push_variant(tokens: &[Token], out: &mut Vec<u8>) -> Result<(), EmitError> {
    let head = if tokens.first() == Some(&Token::Star) {
        0
    } else {
        code::HEAD
    };
    let tail = if tokens.last() == Some(&Token::Star) {
        0
    } else {
        code::TAIL
    };
    let segments: Vec<&[Token]> = segments(tokens).collect();
    out.push(head | tail);
    out.extend(length(segments.len())?.to_le_bytes());
    for segment in segments {
        push_segment(segment, out)?;
    }
    Ok(())
}

/// What stands between the stars.
pub(super) fn segments(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    tokens
        .split(|token| *token == Token::Star)
        .filter(|segment| !segment.is_empty())
}

fn push_segment(segment: &[Token], out: &mut Vec<u8>) -> Result<(), EmitError> {
    let text: Option<String> = segment.iter().map(literal).collect();
    let (kind, body) = match text {
        Some(text) => (code::TEXT, text.into_bytes()),
        None => (code::ITEMS, items(segment)?),
    };
    out.extend(length(segment.len())?.to_le_bytes());
    out.extend(length(body.len())?.to_le_bytes());
    out.push(kind);
    out.extend(body);
    Ok(())
}

fn literal(token: &Token) -> Option<char> {
    match token {
        Token::Char(character) => Some(*character),
        Token::Star | Token::Any | Token::Set(_) => None,
    }
}

fn items(segment: &[Token]) -> Result<Vec<u8>, EmitError> {
    let mut body = Vec::new();
    for run in segment.chunk_by(|a, b| literal(a).is_some() && literal(b).is_some()) {
        let text: Option<String> = run.iter().map(literal).collect();
        if let Some(text) = text {
            body.push(code::ITEM_TEXT);
            body.extend(length(text.len())?.to_le_bytes());
            body.extend(text.as_bytes());
            continue;
        }
        for token in run {
            match token {
                Token::Set(set) => push_set(set, &mut body)?,
                Token::Star | Token::Any | Token::Char(_) => body.push(code::ITEM_ANY),
            }
        }
    }
    Ok(body)
}

fn push_set(set: &Set, body: &mut Vec<u8>) -> Result<(), EmitError> {
    body.push(code::ITEM_SET);
    body.push(u8::from(set.negated));
    body.extend(length(set.ranges.len())?.to_le_bytes());
    for (low, high) in &set.ranges {
        body.extend(u32::from(*low).to_le_bytes());
        body.extend(u32::from(*high).to_le_bytes());
    }
    Ok(())
}
