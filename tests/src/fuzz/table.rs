//! Bytes as decision tables and as damage done to one. A table that loads must be safe to ask anything.

use std::sync::LazyLock;

use callgate_compiler::{Options, Source, compile, dump};
use callgate_runtime::rule::{Audience, Classes, Mode, Query, Rank, RuleOrder, Text};
use callgate_runtime::table::seal;
use callgate_runtime::{Arguments, Call, Policy};

use crate::corpus;

/// Documents whose tables are damaged: each has machines or values that the others have not.
static TABLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let rules = "mode: rules\ndeny: {bash: ['rm *', '*[!a-c]x?*'], '*': ['*.key']}\nallow: {Reader: ['*'], é: ['[]]']}\n";
    let layered = "permissions:\n  deny: ['Shell(rm:*)', 'Read(*.key)']\n  ask: ['Shell(git push:*)']\n  \
                   allow: ['Read', 'Shell(go test:*)', 'Shell(echo * > out)']\n  \
                   subagent: {deny: ['Shell(gh:*)'], allow: ['Shell(go vet:*)']}\n";
    let medium = corpus::policy(40);
    let large = corpus::policy(400);
    [rules, layered, &medium, &large, "mode: deny_all\n"]
        .into_iter()
        .map(table_of)
        .collect()
});

fn table_of(text: &str) -> Vec<u8> {
    let source = Source {
        name: "fuzz.yaml",
        bytes: text.as_bytes(),
    };
    compile(&[source], &Options::default())
        .policy
        .expect("the document compiles")
        .bytes
}

/// The first byte says which table is damaged, or that the bytes are one by themselves; then every seven bytes are a
/// change: what kind, where, and the new value. The digest is made anew, so that every other check is reached.
pub fn table_loader(bytes: &[u8]) {
    let Some((which, rest)) = bytes.split_first() else {
        return;
    };
    let mut table = match TABLES.get(usize::from(*which) % (TABLES.len() + 1)) {
        Some(table) => table.clone(),
        None => rest.to_vec(),
    };
    if usize::from(*which) % (TABLES.len() + 1) < TABLES.len() {
        for change in rest.chunks_exact(7) {
            damage(&mut table, change);
        }
    }
    seal(&mut table);
    if let Ok(policy) = Policy::from_bytes(table) {
        exercise(&policy);
    }
}

fn damage(table: &mut Vec<u8>, change: &[u8]) {
    let [kind, a, b, value @ ..] = change else { return };
    // Places near either end are near what everything else hangs on.
    let at = usize::from(u16::from_le_bytes([*a, *b])) % table.len().max(1);
    let word = value.first_chunk::<4>().copied().unwrap_or_default();
    match kind % 5 {
        0 => replace(table, at, &word[..1]),
        1 => replace(table, at & !3, &word),
        2 => replace(table, at & !3, &(u32::from_le_bytes(word) % 64).to_le_bytes()),
        3 => table.truncate(at),
        _ => {
            let from = usize::from(u16::from_le_bytes([word[0], word[1]])) % table.len().max(1);
            let copied: Vec<u8> = table
                .iter()
                .skip(from)
                .take(usize::from(word[2]))
                .copied()
                .collect();
            replace(table, at, &copied);
        }
    }
}

fn replace(table: &mut [u8], at: usize, bytes: &[u8]) {
    for (place, byte) in table.iter_mut().skip(at).zip(bytes) {
        *place = *byte;
    }
}

/// Asks a table that was loaded all that can be asked: it may say what it likes, but it must say it.
pub fn exercise(policy: &Policy) {
    let table = policy.table();
    assert!(dump::dump(table.bytes()).is_ok(), "a loaded table is dumped");
    let whole = [
        ("Bash_Tool", "git push x --force"),
        ("bash", "rm -rf /"),
        ("reader", "src/a/secret-b.key"),
        ("é", "é]ẞ 😀 K"),
        ("é", ""),
        ("Read", "x.key"),
        ("Shell", "go test ./... > out && rm a"),
    ];
    for (tool, text) in whole {
        let _ = policy.decide_text(tool, text, Mode::Default);
        let key = if matches!(tool, "Shell" | "bash" | "Bash_Tool") {
            "command"
        } else {
            "path"
        };
        let arguments = serde_json::json!({ key: text }).to_string();
        let mut call = Call::new(tool, Arguments::parse(&arguments));
        for audience in [Audience::Main, Audience::Subagent] {
            call.audience = audience;
            assert!(!policy.decide(&call).to_json().is_empty());
        }
    }
    let order = policy.order(Audience::All);
    for text in [Text::Whole("rm a"), Text::Open("go"), Text::Placeholder("rm")] {
        let query = Query {
            tool: "Shell",
            text,
            classes: Classes::ALL,
            assigned: &[],
        };
        for rank in 0..table.len().min(8) {
            let _ = order.answers(Rank(rank), &query);
            let _ = order.answers(
                Rank(rank),
                &Query {
                    assigned: &["PATH"],
                    ..query
                },
            );
        }
        if let Some(rank) = order.first(&query) {
            assert!(rank.0 < table.len());
            let _ = order.facts(rank);
        }
    }
    for rank in 0..table.len() {
        assert!(table.rule(rank).is_some(), "rule {rank} of a loaded table reads");
    }
}
