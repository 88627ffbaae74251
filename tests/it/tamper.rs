//! Changed table bytes to refusals; and where the digest was made anew, to refusals or harmless answers.

use callgate_compiler::{Options, Source, compile};
use callgate_runtime::table::{DIGEST_AT, HEADER_LEN, seal};
use callgate_runtime::{Policy, Table};
use callgate_tests::corpus;
use callgate_tests::fuzz::{exercise, table_loader};
use proptest::prelude::{ProptestConfig, any, prop, proptest};

/// Every kind of program, item and tool in few bytes.
const SMALL: &str =
    "mode: rules\ndeny: {bash: ['rm *', '*[!a-c]x?*'], '*': ['*.key']}\nallow: {é: ['[]]', '*']}\n";
const LAYERED: &str = "permissions: {deny: ['Shell(rm:*)'], ask: ['Shell(a > b)'], allow: [Read]}\n";

/// What a byte is changed to.
const CHANGES: [fn(u8) -> u8; 13] = [
    |byte| byte ^ 1,
    |byte| byte ^ 2,
    |byte| byte ^ 4,
    |byte| byte ^ 8,
    |byte| byte ^ 16,
    |byte| byte ^ 32,
    |byte| byte ^ 64,
    |byte| byte ^ 128,
    |byte| byte.wrapping_add(1),
    |byte| byte.wrapping_sub(1),
    |byte| !byte,
    |_| 0,
    |_| 0xFF,
];

fn table_of(text: &str) -> Vec<u8> {
    let source = Source {
        name: "t.yaml",
        bytes: text.as_bytes(),
    };
    compile(&[source], &Options::default())
        .policy
        .expect("the document compiles")
        .bytes
}

/// Every table that differs from `table` in one byte, by the changes above.
fn with_one_byte_changed(table: &[u8], mut look: impl FnMut(usize, &[u8])) {
    let mut changed = table.to_vec();
    for at in 0..table.len() {
        for change in CHANGES {
            changed[at] = change(table[at]);
            if changed[at] != table[at] {
                look(at, &changed);
            }
        }
        changed[at] = table[at];
    }
}

#[test]
fn any_changed_byte_is_refused() {
    for text in [SMALL, LAYERED, "mode: allow_all\n"] {
        let table = table_of(text);
        assert!(Table::load(table.clone()).is_ok());
        let mut tried = 0;
        with_one_byte_changed(&table, |at, changed| {
            assert!(Table::load(changed).is_err(), "byte {at} of {}", table.len());
            tried += 1;
        });
        assert!(tried >= table.len() * 8);
    }
}

#[test]
fn any_other_length_is_refused() {
    for text in [SMALL, LAYERED, "mode: allow_all\n"] {
        let table = table_of(text);
        for length in 0..table.len() {
            assert!(Table::load(&table[..length]).is_err(), "cut to {length} bytes");
            let mut sealed = table[..length].to_vec();
            seal(&mut sealed);
            assert!(
                Table::load(sealed).is_err(),
                "cut to {length} bytes and sealed anew"
            );
        }
        for extra in [1, 2, 4, 44, 1_000] {
            let mut longer = table.clone();
            longer.resize(table.len() + extra, 0);
            assert!(Table::load(longer.clone()).is_err(), "{extra} bytes too long");
            seal(&mut longer);
            assert!(
                Table::load(longer).is_err(),
                "{extra} bytes too long and sealed anew"
            );
        }
    }
}

#[test]
fn sealing_changes_nothing_in_a_whole_table() {
    let table = table_of(SMALL);
    let mut sealed = table.clone();
    sealed[8..HEADER_LEN].fill(0xEE);
    const { assert!(8 < DIGEST_AT && DIGEST_AT < HEADER_LEN) };
    seal(&mut sealed);
    assert_eq!(sealed, table);
}

#[test]
fn any_changed_byte_behind_a_new_digest_is_refused_or_harmless() {
    for text in [SMALL, LAYERED] {
        let table = table_of(text);
        let (mut loaded, mut refused) = (0, 0);
        with_one_byte_changed(&table, |_, changed| match sealed_anew(changed) {
            Some(policy) => {
                exercise(&policy);
                loaded += 1;
            }
            None => refused += 1,
        });
        assert!(
            loaded > 0 && refused > loaded,
            "{loaded} loaded, {refused} refused"
        );
    }
}

#[test]
fn any_extreme_word_behind_a_new_digest_is_refused_or_harmless() {
    // In the larger tables a stride that has no factor in common with a word's length meets every part of one.
    for (text, stride) in [
        (SMALL.to_owned(), 1),
        (LAYERED.to_owned(), 1),
        (corpus::policy(40), 7),
    ] {
        let table = table_of(&text);
        let length = u32::try_from(table.len()).unwrap();
        let mut changed = table.clone();
        for at in (HEADER_LEN..table.len() - 3).step_by(stride) {
            for word in [0, 1, 24, 31, 32, length, 0x7FFF_FFFF, u32::MAX] {
                changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
                if let Some(policy) = sealed_anew(&changed) {
                    exercise(&policy);
                }
                changed[at..at + 4].copy_from_slice(&table[at..at + 4]);
            }
        }
    }
}

fn sealed_anew(changed: &[u8]) -> Option<Policy> {
    let mut sealed = changed.to_vec();
    seal(&mut sealed);
    Policy::from_bytes(sealed).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_damage_behind_a_new_digest_is_refused_or_harmless(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        table_loader(&bytes);
    }
}
