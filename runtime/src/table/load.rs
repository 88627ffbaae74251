//! The one check of a table: every offset, index, text, program, machine and value, once, in linear time.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};

use super::tools::Tools;
use super::words::{Cursor, index, u16_at, u32_at};
use super::{
    DIGEST_AT, Dialect, Digest, FORMAT_VERSION, HEADER_LEN, Layout, MAGIC, PolicyMode, RULE_LEN,
    SEMANTICS_VERSION, Table, TableError, TableOptions, section, view,
};
use crate::glob::{Decoder, Patterns};
use crate::machine::{Gate, Matcher};
use crate::rule::RuleFacts;

pub(super) fn load(bytes: Cow<'static, [u8]>) -> Result<Table, TableError> {
    let digest = check_header(&bytes)?;
    let ranges = directory(&bytes).ok_or(TableError::Damaged("directory"))?;
    let [options, strings, rules, programs, tools, machines] = ranges;
    let options = read_options(slice(&bytes, options)).ok_or(TableError::Damaged("options"))?;
    let pool = core::str::from_utf8(slice(&bytes, strings)).map_err(|_| TableError::Damaged("strings"))?;
    let decoded = decode_rules(slice(&bytes, rules), slice(&bytes, programs), pool, &options)
        .ok_or(TableError::Damaged("rules"))?;
    let count = u32::try_from(decoded.matchers.len()).map_err(|_| TableError::Damaged("rules"))?;
    let tools = Tools::decode(slice(&bytes, tools), slice(&bytes, machines), pool, count)
        .ok_or(TableError::Damaged("tools"))?;
    let DecodedRules {
        gates,
        matchers,
        facts,
        patterns,
    } = decoded;
    let layout = Layout {
        strings,
        rules,
        programs,
    };
    Ok(Table {
        bytes,
        layout,
        options,
        digest,
        gates,
        matchers,
        facts,
        patterns,
        tools,
    })
}

fn slice(bytes: &[u8], (start, end): (usize, usize)) -> &[u8] {
    bytes.get(start..end).unwrap_or_default()
}

fn check_header(bytes: &[u8]) -> Result<Digest, TableError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(TableError::NotATable);
    }
    let format = u16_at(bytes, 4).ok_or(TableError::NotATable)?;
    if format != FORMAT_VERSION {
        return Err(TableError::Format(format));
    }
    let semantics = u16_at(bytes, 6).ok_or(TableError::NotATable)?;
    if semantics != SEMANTICS_VERSION {
        return Err(TableError::Semantics(semantics));
    }
    let stated = u32_at(bytes, 8).ok_or(TableError::NotATable)?;
    if index(stated) != bytes.len() {
        return Err(TableError::Length {
            found: bytes.len(),
            stated,
        });
    }
    let length = TableError::Length {
        found: bytes.len(),
        stated,
    };
    let (header, content) = bytes.split_at_checked(HEADER_LEN).ok_or(length)?;
    let written = header
        .get(DIGEST_AT..)
        .and_then(<[u8]>::first_chunk::<32>)
        .ok_or(length)?;
    if Sha256::digest(content).as_slice() != written {
        return Err(TableError::Digest);
    }
    Ok(Digest(*written))
}

/// The ranges of the sections: all there, in order, back to back, nothing before, between or after.
fn directory(bytes: &[u8]) -> Option<[(usize, usize); section::COUNT]> {
    let mut cursor = Cursor::new(bytes.get(HEADER_LEN..)?);
    if index(cursor.u32()?) != section::COUNT {
        return None;
    }
    let mut ranges = [(0, 0); section::COUNT];
    let mut expected = HEADER_LEN
        .checked_add(4)?
        .checked_add(section::COUNT.checked_mul(12)?)?;
    for (id, range) in (section::OPTIONS..).zip(ranges.iter_mut()) {
        let (found, offset, length) = (cursor.u32()?, index(cursor.u32()?), index(cursor.u32()?));
        if found != id || offset != expected {
            return None;
        }
        expected = offset.checked_add(length)?;
        *range = (offset, expected);
    }
    (expected == bytes.len()).then_some(ranges)
}

fn read_options(bytes: &[u8]) -> Option<TableOptions> {
    let [dialect, mode, loose_main, loose_child] = *bytes else {
        return None;
    };
    let dialect = match dialect {
        0 => Dialect::Rules,
        1 => Dialect::Layered,
        _ => return None,
    };
    let mode = match mode {
        0 => PolicyMode::DenyAll,
        1 => PolicyMode::Rules,
        2 => PolicyMode::AllowAll,
        _ => return None,
    };
    if dialect == Dialect::Layered && mode != PolicyMode::Rules {
        return None;
    }
    Some(TableOptions {
        dialect,
        mode,
        loose_main: flag(loose_main)?,
        loose_child: flag(loose_child)?,
    })
}

fn flag(byte: u8) -> Option<bool> {
    match byte {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

struct DecodedRules {
    gates: Vec<Gate>,
    matchers: Vec<Matcher>,
    facts: Vec<RuleFacts>,
    patterns: Patterns,
}

/// Every record reads, every program is whole, and the programs fill their section.
fn decode_rules(records: &[u8], programs: &[u8], pool: &str, options: &TableOptions) -> Option<DecodedRules> {
    let layered = options.dialect == Dialect::Layered;
    let (mut gates, mut matchers, mut facts) = (Vec::new(), Vec::new(), Vec::new());
    let mut decoder = Decoder::new(programs);
    let mut chunks = records.chunks_exact(RULE_LEN);
    for record in &mut chunks {
        let record: &[u8; RULE_LEN] = record.first_chunk()?;
        let rule = view(record, pool.as_bytes())?;
        let single_class = rule.class.bits().count_ones() == 1;
        if rule.scope.is_some() != layered || rule.orders & !7 != 0 || !single_class {
            return None;
        }
        if u32_at(record, 36)? != 0 || index(u32_at(record, 32)?) != decoder.at()? {
            return None;
        }
        let literal = rule.pattern.split(['*', '?']).next().unwrap_or_default();
        let start = index(u32_at(record, 8)?);
        let beginning = start..start.checked_add(literal.len())?;
        let (pattern, guard) = decoder.pattern()?;
        gates.push(Gate {
            guard,
            class: rule.class,
            orders: rule.orders,
        });
        matchers.push(Matcher { pattern, beginning });
        facts.push(RuleFacts {
            effect: rule.effect,
            scope: rule.scope,
            class: rule.class,
        });
    }
    let patterns = decoder.finish()?;
    chunks.remainder().is_empty().then_some(DecodedRules {
        gates,
        matchers,
        facts,
        patterns,
    })
}
