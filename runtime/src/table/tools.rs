//! The tool index: a tool's name to its machine.

use alloc::vec::Vec;
use core::ops::Range;

use super::words::{Cursor, index};
use crate::machine::{self, Machine};

/// Most buckets, as a logarithm. LIMIT: keeps the shift inside a word.
const MAX_LOG: u32 = 24;

/// Every machine of a table, by tool.
#[derive(Clone, Debug)]
pub(super) struct Tools {
    shift: u32,
    starts: Vec<u32>,
    tools: Vec<Tool>,
    any: Machine,
}

#[derive(Clone, Debug)]
struct Tool {
    hash: u32,
    name: Range<usize>,
    holds_any: bool,
    machine: Machine,
}

impl Tools {
    /// Reads the tools and the machines sections whole; `None` where anything in them is not as the format says.
    pub(super) fn decode(tools: &[u8], machines: &[u8], pool: &str, rules: u32) -> Option<Self> {
        let mut cursor = Cursor::new(tools);
        let mut machines = Cursor::new(machines);
        let mut machine = |words: u32| Machine::decode(machines.bytes(words.checked_mul(4)?)?, rules);
        let log = Some(cursor.u32()?).filter(|log| (1..=MAX_LOG).contains(log))?;
        let count = cursor.u32()?;
        let any = machine(cursor.u32()?)?;
        let starts: Vec<u32> = cursor
            .words(1_u32.checked_shl(log)?.checked_add(1)?)?
            .iter()
            .collect();
        if !starts.is_sorted() || starts.first() != Some(&0) || starts.last() != Some(&count) {
            return None;
        }
        let mut tools = Vec::new();
        for _ in 0..count {
            let (hash, start, length) = (cursor.u32()?, index(cursor.u32()?), index(cursor.u32()?));
            let name = start..start.checked_add(length)?;
            pool.get(name.clone())?;
            let holds_any = match cursor.u32()? {
                0 => false,
                1 => true,
                _ => return None,
            };
            tools.push(Tool {
                hash,
                name,
                holds_any,
                machine: machine(cursor.u32()?)?,
            });
        }
        let shift = 32_u32.checked_sub(log)?;
        (cursor.is_empty() && machines.is_empty()).then_some(Self {
            shift,
            starts,
            tools,
            any,
        })
    }

    /// The machine of the tool called `name`, and whether it holds the rules for every tool as well.
    pub(super) fn find(&self, name: &[u8], pool: &[u8]) -> Option<(&Machine, bool)> {
        let hash = machine::name(name);
        let bucket = index(hash.wrapping_shr(self.shift));
        let [start, end] = self.starts.get(bucket..)?.first_chunk()?;
        let tools = self.tools.get(index(*start)..index(*end))?;
        let tool = tools
            .iter()
            .find(|tool| tool.hash == hash && pool.get(tool.name.clone()) == Some(name))?;
        Some((&tool.machine, tool.holds_any))
    }

    /// Each tool's name, its machine, and whether that holds the rules for every tool as well.
    pub(super) fn all<'t>(&'t self, pool: &'t [u8]) -> impl Iterator<Item = (&'t [u8], &'t Machine, bool)> {
        let named = |tool: &'t Tool| {
            (
                pool.get(tool.name.clone()).unwrap_or_default(),
                &tool.machine,
                tool.holds_any,
            )
        };
        self.tools.iter().map(named)
    }

    pub(super) fn any(&self) -> &Machine {
        &self.any
    }
}
