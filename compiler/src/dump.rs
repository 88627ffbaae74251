//! Decision table bytes to stable text, for people and golden files: what the table says, not how it is laid out.

use std::fmt::Write;

use callgate_runtime::table::{Dialect, Table, TableError, order};

/// The table in these bytes as text: options, rules by rank, what deciding costs for each tool. Equal bytes give equal
/// text. Linear in the table.
pub fn dump(bytes: &[u8]) -> Result<String, TableError> {
    let table = Table::load(bytes)?;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_header(&table, &mut text);
    for rank in 0..table.len() {
        let _ = write_rule(&table, rank, &mut text);
    }
    for (tool, cost) in table.costs() {
        let name = tool.unwrap_or("(any other tool)");
        let _ = writeln!(
            text,
            "tool {name}: {} rules, {} tried on every call, {} filter entries, {} passes",
            cost.rules, cost.tried, cost.entries, cost.passes
        );
    }
    Ok(text)
}

fn write_header(table: &Table, text: &mut String) -> std::fmt::Result {
    let options = table.options();
    let dialect = match options.dialect {
        Dialect::Rules => "rules",
        Dialect::Layered => "layered",
    };
    writeln!(text, "policy {}", table.digest())?;
    writeln!(text, "dialect {dialect}, mode {}", options.mode.name())?;
    if options.loose_main || options.loose_child {
        writeln!(
            text,
            "loose substitution: main {}, child {}",
            options.loose_main, options.loose_child
        )?;
    }
    Ok(())
}

fn write_rule(table: &Table, rank: u32, text: &mut String) -> std::fmt::Result {
    let Some(rule) = table.rule(rank) else {
        return Ok(());
    };
    write!(text, "{rank} {} {}", rule.effect.name(), rule.tool.unwrap_or("*"))?;
    write!(text, " {:?}", rule.pattern)?;
    if let Some(scope) = rule.scope {
        let binds = match (rule.orders & order::MAIN != 0, rule.orders & order::SUBAGENT != 0) {
            (true, true) => "all",
            (true, false) => "main",
            (false, true) => "subagent",
            (false, false) => "nobody",
        };
        write!(text, " scope {} audience {binds}", scope.name())?;
    }
    if rule.source.is_empty() {
        writeln!(text, " (built in)")
    } else {
        writeln!(text, " at {}:{}:{}", rule.source, rule.line, rule.column)
    }
}
