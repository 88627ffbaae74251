//! Normal-form rules to decision table bytes (page 40): deterministic, position-independent, linear in the policy text.

mod machine;
mod piece;
mod program;
mod strings;
mod tools;

use std::collections::BTreeMap;

use callgate_runtime::table::{
    ANY_TOOL, FORMAT_VERSION, HEADER_LEN, MAGIC, NO_SCOPE, SEMANTICS_VERSION, seal, section,
};
use thiserror::Error;

use crate::normal::{Dialect, NormalPolicy, PolicyMode, ToolKey};
use crate::rank::{Ranked, ranked};
use strings::Strings;

/// Why a policy has no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EmitError {
    /// An offset or a length does not fit into 32 bits.
    #[error("the policy is too large for a decision table")]
    TooLarge,
}

/// The table of `policy`. Equal policies give equal bytes, on every machine.
pub fn table(policy: &NormalPolicy) -> Result<Vec<u8>, EmitError> {
    let rules = ranked(policy);
    let mut strings = Strings::default();
    let mut programs = Vec::new();
    let mut records = Vec::new();
    for ranked in &rules {
        let program = length(programs.len())?;
        program::push(&ranked.rule.matcher, &ranked.rule.pattern, &mut programs)?;
        push_record(ranked, program, &mut strings, &mut records)?;
    }
    let (tools, machines) = tools::sections(&by_tool(&rules)?, &rules, &mut strings)?;
    let sections: [(u32, Vec<u8>); section::COUNT] = [
        (section::OPTIONS, options(policy)),
        (section::STRINGS, strings.into_bytes()),
        (section::RULES, records),
        (section::PROGRAMS, programs),
        (section::TOOLS, tools),
        (section::MACHINES, machines),
    ];
    assemble(&sections)
}

/// The ranks of each tool's own rules, and of the rules for every tool.
fn by_tool<'p>(rules: &[Ranked<'p>]) -> Result<BTreeMap<&'p ToolKey, Vec<u32>>, EmitError> {
    let mut groups: BTreeMap<&ToolKey, Vec<u32>> = BTreeMap::from([(&ToolKey::Any, Vec::new())]);
    for (rank, ranked) in rules.iter().enumerate() {
        groups.entry(&ranked.rule.tool).or_default().push(length(rank)?);
    }
    Ok(groups)
}

fn options(policy: &NormalPolicy) -> Vec<u8> {
    let dialect = match policy.dialect {
        Dialect::Rules => 0,
        Dialect::Layered => 1,
    };
    let mode = match policy.mode {
        PolicyMode::DenyAll => 0,
        PolicyMode::Rules => 1,
        PolicyMode::AllowAll => 2,
    };
    vec![
        dialect,
        mode,
        u8::from(policy.loose_substitution_main),
        u8::from(policy.loose_substitution_child),
    ]
}

fn push_record(
    ranked: &Ranked<'_>,
    program: u32,
    strings: &mut Strings,
    records: &mut Vec<u8>,
) -> Result<(), EmitError> {
    let rule = ranked.rule;
    let tool = match &rule.tool {
        ToolKey::Any => (0, ANY_TOOL),
        ToolKey::Named(name) => strings.intern(name)?,
    };
    let pattern = strings.intern(&rule.pattern)?;
    let source = strings.intern(&rule.origin.source)?;
    // What no file wrote stands nowhere.
    let written = !rule.origin.source.is_empty();
    let [line, column] =
        [rule.origin.position.line, rule.origin.position.column].map(|n| if written { n } else { 0 });
    let words = [
        tool.0, tool.1, pattern.0, pattern.1, source.0, source.1, line, column, program, 0,
    ];
    records.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let effect = match rule.effect {
        callgate_runtime::rule::Effect::Deny => 0,
        callgate_runtime::rule::Effect::Ask => 1,
        callgate_runtime::rule::Effect::Allow => 2,
    };
    let scope = rule.scope.map_or(NO_SCOPE, strings::scope_byte);
    records.extend([effect, scope, ranked.class.bits(), ranked.orders]);
    Ok(())
}

/// Header, directory and sections, sealed.
fn assemble(sections: &[(u32, Vec<u8>)]) -> Result<Vec<u8>, EmitError> {
    let mut bytes = Vec::new();
    bytes.extend(MAGIC);
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    bytes.extend(SEMANTICS_VERSION.to_le_bytes());
    bytes.resize(HEADER_LEN, 0);
    bytes.extend(length(sections.len())?.to_le_bytes());
    let mut offset = bytes.len() + sections.len() * 12;
    for (id, content) in sections {
        let entry = [*id, length(offset)?, length(content.len())?];
        bytes.extend(entry.iter().flat_map(|word| word.to_le_bytes()));
        offset += content.len();
    }
    for (_, content) in sections {
        bytes.extend_from_slice(content);
    }
    length(bytes.len())?;
    seal(&mut bytes);
    Ok(bytes)
}

/// A length, offset or count as the table's 32 bits.
fn length(value: usize) -> Result<u32, EmitError> {
    u32::try_from(value).map_err(|_| EmitError::TooLarge)
}
