//! What hosts replay: a bundle is well formed, holds every deciding row, and its altered twin has one wrong answer.

use std::path::{Path, PathBuf};

use callgate_runtime::{Call, Policy};
use callgate_tests::conformance::Bundle;

fn vectors(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name)
}

fn bundle(name: &str) -> Bundle {
    let mut bundle = Bundle::default();
    bundle.add_file(&vectors(name)).unwrap();
    bundle
}

/// The entries, read by their lengths alone.
fn entries(mut bytes: &[u8]) -> Vec<(char, &[u8])> {
    let mut entries = Vec::new();
    while let [tag, a, b, c, d, rest @ ..] = bytes {
        let length = usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).unwrap();
        let (entry, rest) = rest.split_at(length);
        entries.push((char::from(*tag), entry));
        bytes = rest;
    }
    assert!(bytes.is_empty());
    entries
}

#[test]
fn a_bundle_holds_every_row_with_the_native_answer() {
    let bundle = bundle("rules.jsonl");
    let (mut policy, mut asked, mut answers) = (None, "", 0);
    for (tag, entry) in entries(&bundle.bytes) {
        match tag {
            'T' => policy = Some(Policy::from_bytes(entry).unwrap()),
            'Q' => asked = str::from_utf8(entry).unwrap(),
            'A' => {
                answers += 1;
                let answer = Call::parse(asked)
                    .map(|call| policy.as_ref().unwrap().decide(&call).to_json())
                    .unwrap_or_default();
                assert_eq!(answer.as_bytes(), entry);
            }
            'Y' => answers += 1,
            'X' => {}
            other => panic!("an entry of an unknown kind: {other}"),
        }
    }
    assert_eq!(answers, bundle.answers);
    let text = std::fs::read_to_string(vectors("rules.jsonl")).unwrap();
    let calls: usize = text
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            row["calls"].as_array().unwrap().len()
        })
        .sum();
    let asked = entries(&bundle.bytes)
        .iter()
        .filter(|(tag, _)| *tag == 'Q')
        .count();
    assert_eq!(asked, calls);
}

#[test]
fn the_altered_twin_has_one_wrong_answer() {
    let bundle = bundle("layered.jsonl");
    let altered = bundle.altered().unwrap();
    let (right, wrong) = (entries(&bundle.bytes), entries(&altered));
    assert_eq!(right.len(), wrong.len());
    let differing: Vec<char> = right
        .iter()
        .zip(&wrong)
        .filter(|(right, wrong)| right != wrong)
        .map(|((tag, _), _)| *tag)
        .collect();
    assert_eq!(differing, ['A']);
    assert_eq!(Bundle::default().altered(), None);
}
