//! Sums are sums: in any partition of a log, in any order.

use std::io::Cursor;
use std::time::Duration;

use callgate_compiler::{emit, preset};
use callgate_runtime::Policy;
use callgate_runtime::rule::Effect;

use super::{Questions, Tally, run};

fn policy(name: &str) -> Policy {
    Policy::from_bytes(emit::table(&preset(name).unwrap()).unwrap()).unwrap()
}

/// Calls of several outcomes, and lines that are none, over several batches.
fn log(lines: usize) -> String {
    let kinds = [
        r#"{"tool": "bash", "args": {"command": "git status"}}"#,
        r#"{"tool": "bash", "args": {"command": "rm -rf /"}}"#,
        r#"{"tool": "reader", "args": {"path": "x"}}"#,
        r#"{"tool": "bash", "args": {"command": "make; make"}}"#,
        r#"{"tool": "bash", "args": {"command": "make all"}}"#,
        "not a call",
        r#"{"tool": "deploy", "args": {}}"#,
    ];
    let line = |number: usize| format!("{}\n", kinds[number * number / 3 % kinds.len()]);
    (0..lines).map(line).collect()
}

fn replayed(log: &str, policy: &Policy, against: Option<&Policy>) -> Tally {
    let questions = Questions {
        policy,
        against,
        audience: None,
        mode: None,
        slowest: 0,
    };
    run(&questions, &mut Cursor::new(log.as_bytes()), |_, _| ()).unwrap()
}

#[test]
fn a_log_is_the_sum_of_its_parts_and_threads_change_nothing() {
    let (safe, open) = (policy("safe"), policy("allow_all"));
    let whole = log(30_000);
    assert!(whole.len() > 3 * super::BATCH, "several batches");
    let tally = replayed(&whole, &open, Some(&safe));
    assert_eq!(tally, replayed(&whole, &open, Some(&safe)));
    let calls: usize = tally.outcomes.values().sum();
    assert_eq!(calls + tally.no_calls, 30_000);
    assert_eq!(tally.calls(Effect::Allow), calls);
    // Everything that `safe` did not allow is a widening, and nothing is a narrowing.
    let by_safe = replayed(&whole, &safe, None);
    assert_eq!(
        tally.changed(true),
        by_safe.calls(Effect::Ask) + by_safe.calls(Effect::Deny)
    );
    assert_eq!(tally.changed(false), 0);
    assert_eq!(
        replayed(&whole, &safe, Some(&open)).changed(false),
        tally.changed(true)
    );
    // Every first line is the first of its kind in the text.
    for change in tally.changes.values() {
        let first = whole.lines().position(|line| line == change.record).unwrap();
        assert_eq!(change.line, first + 1);
    }
    assert_eq!(tally.named.len(), 10);
    let first_no_call = whole.lines().position(|line| line == "not a call").unwrap();
    assert_eq!(*tally.named.keys().next().unwrap(), first_no_call + 1);
}

#[test]
fn the_slowest_are_kept_in_order_whoever_saw_them() {
    let seen = |number| super::Seen { line: b"x", number };
    let outcome = super::Outcome {
        effect: Effect::Deny,
        rule: None,
        provenance: "default",
    };
    let mut parts = [Tally::new(3), Tally::new(3)];
    for number in 0_usize..40 {
        let took = Duration::from_nanos(u64::try_from(number * 7 % 40).unwrap());
        parts[number % 2].decided(&seen(number), outcome, None, took);
    }
    let [mut one, other] = parts;
    one.add(other);
    let took: Vec<u128> = one.slowest.iter().map(|slow| slow.took.as_nanos()).collect();
    assert_eq!(took, [39, 38, 37]);
}
