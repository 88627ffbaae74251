//! Decision table bytes to a checked [`Table`] that is read in place (page 40).
//!
//! TABLE: all numbers little-endian. Header: `CGDT`, `u16` format version, `u16` semantics version, `u32` exact length,
//! 32 bytes SHA-256 of everything after it. Then the section directory (`u32` count, and a section: `u32` id, offset,
//! length; ids ascending, sections back to back) and the sections of [`section`]. Texts are an offset and a length
//! into the string pool. [`load`](Table::load) checks all of it once, in linear time, so that evaluation is total.

mod load;
mod tools;
pub(crate) mod words;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::glob::Patterns;
use crate::machine::{Gate, Machine, MachineCost, Matcher, Rules};
use crate::rule::{Classes, Effect, RuleFacts, Scope};
use tools::Tools;
use words::{index, u32_at};

/// First four bytes of every table.
pub const MAGIC: [u8; 4] = *b"CGDT";
/// The layout this runtime reads.
pub const FORMAT_VERSION: u16 = 1;
/// What decisions mean: subjects, case table, shell reading, the closed tables of the shell analysis.
pub const SEMANTICS_VERSION: u16 = 1;
/// Bytes of the header, the directory not included.
pub const HEADER_LEN: usize = 44;
/// Where the digest stands in the header.
pub const DIGEST_AT: usize = 12;
/// Bytes of one rule record.
pub const RULE_LEN: usize = 44;
/// The tool length that stands for "any tool".
pub const ANY_TOOL: u32 = u32::MAX;
/// The scope byte of a rule without a scope.
pub const NO_SCOPE: u8 = 0xFF;

/// Section ids, in the order they stand in. All are present, and no other.
pub mod section {
    /// Four bytes: dialect (0 rules, 1 layered), mode (0 deny all, 1 rules, 2 allow all), loose substitution for the main
    /// engine and for child engines (0 or 1).
    pub const OPTIONS: u32 = 1;
    /// UTF-8 text that the other sections point into.
    pub const STRINGS: u32 = 2;
    /// Rule records by rank: tool, pattern, source (offset and length each), line, column, program offset, padding,
    /// then effect, scope, class and orders, a byte each.
    pub const RULES: u32 = 3;
    /// Compiled patterns.
    pub const PROGRAMS: u32 = 4;
    /// Words: log of the bucket count, tool count, length in words of the machine of the rules for every tool, bucket
    /// starts, then a tool: name hash, name offset, name length, whether its machine holds the rules for every tool as
    /// well (0 or 1), length of its machine in words. Sorted by hash, then name; the bucket is the hash's top bits.
    pub const TOOLS: u32 = 5;
    /// Machines, back to back: that of the rules for every tool, then the tools' in their order.
    pub const MACHINES: u32 = 6;
    /// How many there are.
    pub const COUNT: usize = 6;
}

/// Bits of a rule's orders byte, one for each audience that asks.
pub mod order {
    /// The main engine's order.
    pub const MAIN: u8 = 1;
    /// The child engines' order.
    pub const SUBAGENT: u8 = 2;
    /// The checkers' order: both audiences' rules.
    pub const ALL: u8 = 4;
}

/// SHA-256 of a table's content: the policy's name everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl core::fmt::Display for Digest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Why bytes are no table that this runtime can evaluate. Every variant means: deny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// The bytes do not begin as a table does.
    #[error("not a decision table")]
    NotATable,
    /// A layout of another version.
    #[error("table format {0} is not supported by this runtime")]
    Format(u16),
    /// Semantics of another version.
    #[error("table semantics {0} are not implemented by this runtime")]
    Semantics(u16),
    /// Shorter or longer than the header says.
    #[error("the table is {found} bytes long, its header says {stated}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        stated: u32,
    },
    /// The content was changed.
    #[error("the table's digest does not match its content")]
    Digest,
    /// A section, an index or a value is out of range.
    #[error("the table's {0} section is damaged")]
    Damaged(&'static str),
}

/// Which semantics the table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The rules dialect (page 20).
    Rules,
    /// The layered dialect (page 30).
    Layered,
}

/// The rules dialect's mode; a layered table is always `Rules`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyMode {
    /// Everything is denied.
    DenyAll,
    /// The rules decide.
    Rules,
    /// Everything is allowed.
    AllowAll,
}

impl PolicyMode {
    /// `deny_all`, `rules`, `allow_all`.
    pub fn name(self) -> &'static str {
        match self {
            Self::DenyAll => "deny_all",
            Self::Rules => "rules",
            Self::AllowAll => "allow_all",
        }
    }
}

/// What holds for the whole table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// The dialect.
    pub dialect: Dialect,
    /// The mode.
    pub mode: PolicyMode,
    /// Loose substitution for the main engine.
    pub loose_main: bool,
    /// Loose substitution for child engines.
    pub loose_child: bool,
}

/// One rule, as a table holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleView<'t> {
    /// The tool's name, `None` for any tool.
    pub tool: Option<&'t str>,
    /// The pattern's text.
    pub pattern: &'t str,
    /// The source it was written in; empty where no file wrote it.
    pub source: &'t str,
    /// Line of the pattern, from 1; 0 where no file wrote it.
    pub line: u32,
    /// Column of the pattern in characters, from 1; 0 where no file wrote it.
    pub column: u32,
    /// What the rule says.
    pub effect: Effect,
    /// The scope, in the layered dialect.
    pub scope: Option<Scope>,
    /// The rule's class.
    pub class: Classes,
    /// The orders it is in: bits of [`order`].
    pub orders: u8,
}

/// The byte ranges of the sections.
#[derive(Clone, Copy, Debug, Default)]
struct Layout {
    strings: (usize, usize),
    rules: (usize, usize),
    programs: (usize, usize),
}

/// A checked decision table. It owns its bytes, or borrows them for good (a wasm data segment); texts and patterns are
/// read in place, ranks and filters are decoded so that a decision never parses.
#[derive(Clone, Debug)]
pub struct Table {
    bytes: Cow<'static, [u8]>,
    layout: Layout,
    options: TableOptions,
    digest: Digest,
    gates: Vec<Gate>,
    matchers: Vec<Matcher>,
    facts: Vec<RuleFacts>,
    patterns: Patterns,
    tools: Tools,
}

/// Writes the exact length and the digest into the header of `table`, whose other bytes are complete. What is too short
/// to have a header is left as it is.
pub fn seal(table: &mut [u8]) {
    let Ok(length) = u32::try_from(table.len()) else {
        return;
    };
    let Some((header, content)) = table.split_at_mut_checked(HEADER_LEN) else {
        return;
    };
    let digest = Sha256::digest(&*content);
    for (place, byte) in header
        .iter_mut()
        .skip(8)
        .zip(length.to_le_bytes().into_iter().chain(digest))
    {
        *place = byte;
    }
}

impl Table {
    /// Checks `bytes` and makes them a table. Linear in their length.
    pub fn load(bytes: impl Into<Vec<u8>>) -> Result<Self, TableError> {
        load::load(Cow::Owned(bytes.into()))
    }

    /// As [`load`](Self::load), for bytes that live as long as the program.
    pub fn load_static(bytes: &'static [u8]) -> Result<Self, TableError> {
        load::load(Cow::Borrowed(bytes))
    }

    /// The bytes it was loaded from.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The table's name.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// What holds for the whole table.
    pub fn options(&self) -> &TableOptions {
        &self.options
    }

    /// How many rules there are. Ranks go from 0 to one less.
    pub fn len(&self) -> u32 {
        let (start, end) = self.layout.rules;
        u32::try_from(end.saturating_sub(start).checked_div(RULE_LEN).unwrap_or(0)).unwrap_or(0)
    }

    /// Whether there is no rule at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rule of this rank.
    pub fn rule(&self, rank: u32) -> Option<RuleView<'_>> {
        let (start, end) = self.layout.rules;
        let at = index(rank).checked_mul(RULE_LEN)?.checked_add(start)?;
        let record = self.bytes.get(at..end)?.first_chunk::<RULE_LEN>()?;
        view(record, self.section(self.layout.strings))
    }

    /// What hangs on this rank.
    #[inline]
    pub(crate) fn facts(&self, rank: u32) -> Option<RuleFacts> {
        self.facts.get(index(rank)).copied()
    }

    /// What machines need of all rules.
    pub(crate) fn rules(&self) -> Rules<'_> {
        Rules {
            gates: &self.gates,
            matchers: &self.matchers,
            patterns: &self.patterns,
            programs: self.section(self.layout.programs),
            strings: self.section(self.layout.strings),
        }
    }

    /// The machine of the tool of this name, if the table has rules of its own for it, and whether that machine holds
    /// the rules for every tool as well.
    pub(crate) fn machine_of(&self, tool: &[u8]) -> Option<(&Machine, bool)> {
        self.tools.find(tool, self.section(self.layout.strings))
    }

    /// What deciding costs, tool by tool: `None` is every tool without rules of its own. Sorted by name.
    pub fn costs(&self) -> Vec<(Option<&str>, MachineCost)> {
        let any = self.tools.any().cost();
        let mut costs = Vec::from([(None, any)]);
        for (name, machine, holds_any) in self.tools.all(self.section(self.layout.strings)) {
            let own = machine.cost();
            let other = if holds_any { MachineCost::default() } else { any };
            let cost = MachineCost {
                rules: own.rules.saturating_add(other.rules),
                tried: own.tried.saturating_add(other.tried),
                entries: own.entries.saturating_add(other.entries),
                passes: own.passes.saturating_add(other.passes),
            };
            costs.push((core::str::from_utf8(name).ok(), cost));
        }
        costs.sort_unstable_by_key(|(name, _)| *name);
        costs
    }

    /// The machine of the rules for every tool.
    pub(crate) fn machine_of_any(&self) -> &Machine {
        self.tools.any()
    }

    fn section(&self, (start, end): (usize, usize)) -> &[u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }
}

/// A rule record, whose texts stand in `pool`.
fn view<'t>(record: &[u8; RULE_LEN], pool: &'t [u8]) -> Option<RuleView<'t>> {
    let word = |at: usize| u32_at(record, at);
    let text = |offset: usize, length: u32| {
        let start = index(word(offset)?);
        core::str::from_utf8(pool.get(start..start.checked_add(index(length))?)?).ok()
    };
    let [.., effect, scope, class, orders] = *record;
    let tool = match word(4)? {
        ANY_TOOL => None,
        length => Some(text(0, length)?),
    };
    Some(RuleView {
        tool,
        pattern: text(8, word(12)?)?,
        source: text(16, word(20)?)?,
        line: word(24)?,
        column: word(28)?,
        effect: effect_of(effect)?,
        scope: scope_of(scope)?,
        class: Classes::from_bits(class)?,
        orders,
    })
}

fn effect_of(byte: u8) -> Option<Effect> {
    match byte {
        0 => Some(Effect::Deny),
        1 => Some(Effect::Ask),
        2 => Some(Effect::Allow),
        _ => None,
    }
}

/// The outer `None` is a byte that means nothing.
#[expect(clippy::option_option, reason = "no scope is a value, a bad byte is an error")]
fn scope_of(byte: u8) -> Option<Option<Scope>> {
    if byte == NO_SCOPE {
        return Some(None);
    }
    Scope::ALL.get(usize::from(byte)).map(|scope| Some(*scope))
}
