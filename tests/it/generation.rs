//! What the generators make, counted: a property is worth as much as the cases it is tried on.

use std::collections::BTreeMap;

use callgate_runtime::rule::{Effect, Provenance};
use callgate_tests::fuzz::Pair;
use callgate_tests::generate::{self, Choices, Size};

/// Everything met in the answers to generated calls of generated policies, and how often.
fn met(size: Size, policies: u64) -> BTreeMap<String, usize> {
    let mut met = BTreeMap::new();
    let mut meet = |what: String| *met.entry(what).or_insert(0) += 1;
    for seed in 0..policies {
        let policy_bytes = generate::bytes(seed, 8_000);
        let policy = generate::policy(&mut Choices::new(&policy_bytes), size);
        let pair = Pair::of(&policy.yaml());
        for (_, cost) in pair.compiled.table().costs() {
            meet(format!("{} passes", cost.passes));
            meet(format!("indexed: {}", cost.entries > 0));
            meet(format!("always tried: {}", cost.tried > 0));
        }
        let call_bytes = generate::bytes(seed ^ 0x5EED, 4_000);
        let mut choices = Choices::new(&call_bytes);
        for _ in 0..30 {
            let call = generate::call(&mut choices, &policy);
            let answer = pair.answer(&call);
            meet(format!(
                "{} by {}",
                answer.effect.name(),
                answer.provenance.name()
            ));
            let length = match call.arguments.len() {
                0..64 => "short",
                64..512 => "past 64 bytes",
                512..1_024 => "past 512 bytes",
                _ => "past 1,024 bytes",
            };
            let script = if call.arguments.is_ascii() {
                "ASCII"
            } else {
                "Unicode"
            };
            if answer.provenance == Provenance::Rule {
                meet(format!("a rule met {length}, {script}"));
            }
            if answer.effect == Effect::Deny && answer.provenance == Provenance::Default {
                meet(format!("no rule met {length}, {script}"));
            }
        }
    }
    met
}

fn assert_met(met: &BTreeMap<String, usize>, wanted: &[&str]) {
    for what in wanted {
        let times = met.get(*what).copied().unwrap_or(0);
        assert!(times >= 3, "{what} was met {times} times, of {met:#?}");
    }
}

/// Answers and lengths that every size of policy must meet.
const ANSWERS: &[&str] = &[
    "allow by rule",
    "ask by rule",
    "deny by rule",
    "deny by malformed_arguments",
    "deny by mode",
    "allow by mode",
    "a rule met short, ASCII",
    "a rule met past 64 bytes, ASCII",
    "a rule met past 512 bytes, ASCII",
    "a rule met past 1,024 bytes, ASCII",
    "a rule met short, Unicode",
    "a rule met past 64 bytes, Unicode",
    "a rule met past 1,024 bytes, Unicode",
];

#[test]
fn small_policies_meet_every_answer() {
    let met = met(Size::Small, 200);
    assert_met(&met, ANSWERS);
    assert_met(
        &met,
        &[
            "deny by default",
            "deny by shell_control",
            "indexed: false",
            "no rule met past 1,024 bytes, ASCII",
        ],
    );
}

#[test]
fn larger_policies_meet_every_answer_and_every_filter() {
    for size in [Size::Medium, Size::Large] {
        let met = met(size, 60);
        assert_met(&met, ANSWERS);
        // A gram of each length from one byte to four is a pass of its own.
        assert_met(
            &met,
            &[
                "indexed: true",
                "always tried: true",
                "2 passes",
                "3 passes",
                "4 passes",
            ],
        );
    }
}
