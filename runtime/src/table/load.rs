//! The one check of a table: every offset, index, text, program, machine and value, once, in linear time.

use alloc::borrow::Cow;

use sha2::{Digest as _, Sha256};

use super::words::{Cursor, index, u16_at, u32_at};
use super::{
    ANY_TOOL, DIGEST_AT, Dialect, Digest, FORMAT_VERSION, HEADER_LEN, Layout, MAGIC, PolicyMode, RULE_LEN,
    SEMANTICS_VERSION, Table, TableError, TableOptions, section,
};
use crate::{glob, machine};

/// Bytes before the bucket starts of the tools section.
pub(super) const TOOL_HEADER: usize = 16;
/// Bytes of one tool record.
pub(super) const TOOL_LEN: usize = 20;
/// Most tool buckets, as a logarithm.
const MAX_TOOL_LOG: u32 = 24;

pub(super) fn load(bytes: Cow<'static, [u8]>) -> Result<Table, TableError> {
    let digest = check_header(&bytes)?;
    let sections = directory(&bytes).ok_or(TableError::Damaged("directory"))?;
    let [options, strings, rules, programs, tools, machines] = sections;
    let options = read_options(bytes.get(options.0..options.1).unwrap_or_default())
        .ok_or(TableError::Damaged("options"))?;
    let layout = Layout { strings, rules, programs, tools, machines };
    let table = Table { bytes, layout, options, digest };
    check_strings(&table).ok_or(TableError::Damaged("strings"))?;
    check_rules(&table).ok_or(TableError::Damaged("rules"))?;
    check_tools(&table).ok_or(TableError::Damaged("tools"))?;
    Ok(table)
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
        return Err(TableError::Length { found: bytes.len(), stated });
    }
    let length = TableError::Length { found: bytes.len(), stated };
    let (header, content) = bytes.split_at_checked(HEADER_LEN).ok_or(length)?;
    let written = header.get(DIGEST_AT..).and_then(<[u8]>::first_chunk::<32>).ok_or(length)?;
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
    let mut expected = HEADER_LEN.checked_add(4)?.checked_add(section::COUNT.checked_mul(12)?)?;
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
    let [dialect, mode, loose_main, loose_child] = *bytes else { return None };
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
    Some(TableOptions { dialect, mode, loose_main: flag(loose_main)?, loose_child: flag(loose_child)? })
}

fn flag(byte: u8) -> Option<bool> {
    match byte {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn check_strings(table: &Table) -> Option<()> {
    core::str::from_utf8(table.section(table.layout.strings)).ok().map(drop)
}

/// Every record reads, every program is whole, and the programs fill their section.
fn check_rules(table: &Table) -> Option<()> {
    let (start, end) = table.layout.rules;
    let records = table.bytes.get(start..end)?;
    let layered = table.options.dialect == Dialect::Layered;
    let mut next_program = 0_usize;
    let mut chunks = records.chunks_exact(RULE_LEN);
    for record in &mut chunks {
        let rule = table.view(record.first_chunk()?)?;
        if rule.scope.is_some() != layered || rule.orders & !7 != 0 || rule.class.bits().count_ones() != 1 {
            return None;
        }
        if u32_at(record, 36)? != 0 || rule.program != next_program {
            return None;
        }
        next_program = next_program.checked_add(glob::validate(table.program(rule.program))?)?;
    }
    let programs = table.section(table.layout.programs).len();
    (chunks.remainder().is_empty() && next_program == programs).then_some(())
}

fn check_tools(table: &Table) -> Option<()> {
    let tools = table.section(table.layout.tools);
    let buckets_log = u32_at(tools, 0)?;
    let count = index(u32_at(tools, 4)?);
    if !(1..=MAX_TOOL_LOG).contains(&buckets_log) {
        return None;
    }
    let starts = 1_usize.checked_shl(buckets_log)?.checked_add(1)?;
    let records = tool_records(tools, buckets_log)?;
    if records.len() != count.checked_mul(TOOL_LEN)? {
        return None;
    }
    let mut cursor = Cursor::new(tools.get(TOOL_HEADER..)?);
    let mut least = 0;
    for number in 0..starts {
        let start = index(cursor.u32()?);
        if start < least || start > count || (number == 0 && start != 0) {
            return None;
        }
        least = start;
    }
    if least != count {
        return None;
    }
    let mut next = 0_usize;
    check_machine(table, u32_at(tools, 8)?, u32_at(tools, 12)?, &mut next)?;
    for record in records.chunks_exact(TOOL_LEN) {
        let length = u32_at(record, 8)?;
        table.text(u32_at(record, 4)?, length).filter(|_| length != ANY_TOOL)?;
        check_machine(table, u32_at(record, 12)?, u32_at(record, 16)?, &mut next)?;
    }
    (next == table.section(table.layout.machines).len()).then_some(())
}

/// The machine stands where the one before it ended, and all of it is sound.
fn check_machine(table: &Table, offset: u32, words: u32, next: &mut usize) -> Option<()> {
    if index(offset) != *next {
        return None;
    }
    let machine = table.machine(offset, words)?;
    *next = next.checked_add(machine.len())?;
    machine::validate(machine, table.len())
}

/// The tool records behind the bucket starts.
pub(super) fn tool_records(tools: &[u8], buckets_log: u32) -> Option<&[u8]> {
    let starts = 1_usize.checked_shl(buckets_log)?.checked_add(1)?;
    tools.get(TOOL_HEADER.checked_add(starts.checked_mul(4)?)?..)
}
