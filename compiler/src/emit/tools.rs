//! Each tool's machine to the tool index and the machines section.

use std::collections::BTreeMap;

use callgate_runtime::machine::name;

use super::strings::Strings;
use super::{EmitError, length, machine};
use crate::normal::ToolKey;
use crate::rank::Ranked;

/// The tools section and the machines section.
pub(super) fn sections(
    groups: &BTreeMap<&ToolKey, Vec<u32>>,
    rules: &[Ranked<'_>],
    strings: &mut Strings,
) -> Result<(Vec<u8>, Vec<u8>), EmitError> {
    let mut machines: Vec<u8> = Vec::new();
    let mut place = |ranks: &[u32]| -> Result<u32, EmitError> {
        let words = machine::words(ranks, rules)?;
        machines.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        length(words.len())
    };
    let any = groups.get(&ToolKey::Any).map(Vec::as_slice).unwrap_or_default();
    let any_words = place(any)?;
    // Hash order is bucket order, since the bucket is the hash's top bits.
    let mut named: Vec<(u32, &str, &[u32])> = Vec::new();
    for (key, ranks) in groups {
        if let ToolKey::Named(tool) = key {
            named.push((name(tool.as_bytes()), tool, ranks));
        }
    }
    named.sort_unstable();
    let buckets_log = (named.len() * 2)
        .next_power_of_two()
        .trailing_zeros()
        .clamp(1, 24);
    let mut starts = vec![0_u32; (1 << buckets_log) + 1];
    let mut records: Vec<u32> = Vec::new();
    for (hash, tool, own) in &named {
        let bucket = usize::try_from(hash >> (32 - buckets_log)).unwrap_or(usize::MAX);
        if let Some(start) = starts.get_mut(bucket + 1) {
            *start += 1;
        }
        let holds_any = any.len() <= own.len().max(SHARED_MAX);
        let words = if holds_any {
            place(&merged(own, any))?
        } else {
            place(own)?
        };
        let text = strings.intern(tool)?;
        records.extend([*hash, text.0, text.1, u32::from(holds_any), words]);
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    let header = [buckets_log, length(named.len())?, any_words];
    let tools = header
        .iter()
        .chain(&starts)
        .chain(&records)
        .flat_map(|word| word.to_le_bytes())
        .collect();
    Ok((tools, machines))
}

/// A tool's machine also holds the rules for every tool, so that one pass decides, unless they are more than its own
/// and more than this: the table must stay linear in the policy text.
const SHARED_MAX: usize = 8;

fn merged(own: &[u32], any: &[u32]) -> Vec<u32> {
    let mut ranks = [own, any].concat();
    ranks.sort_unstable();
    ranks
}
