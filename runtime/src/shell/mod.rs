//! A command line to its segments, read as bash reads it: *whatever bash would execute, the policy has judged*
//! (pages 31 to 33).

mod builtins;
mod compound;
mod construct;
mod escapes;
mod expansion;
mod grammar;
mod here_document;
mod inner;
mod known;
mod launchers;
mod never_peeled;
mod never_peeled_rows;
mod options;
mod plain;
mod printed;
mod quoting;
mod read_only;
mod reader;
mod segment;
mod simple;
mod text;
mod unit;
mod variables;
mod word;
mod wrappers;

use alloc::vec::Vec;

pub use construct::Construct;
pub use unit::{Kind, Line, Role, Unit};

/// Reads a command line. Total, linear in its length; the same line gives the same answer.
pub fn read(line: &str) -> Line<'_> {
    if let Some(unit) = plain::one_segment(line) {
        return Line {
            units: Vec::from([unit]),
            fault: None,
            compound: false,
        };
    }
    read_in(line, inner::Scope::default())
}

fn read_in<'l>(line: &'l str, scope: inner::Scope<'_>) -> Line<'l> {
    let found = reader::Reader::new(line, scope, 0).read();
    let mut line = Line {
        units: found.units,
        fault: found.fault,
        compound: found.compound,
    };
    if found.arithmetic && found.subscript {
        line.fault.get_or_insert(Construct::Subscript);
    }
    line
}

#[cfg(test)]
mod tests;
