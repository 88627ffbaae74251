//! An evaluator to nanoseconds a call, beside a call that does nothing, all from one run.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use callgate_host::{Audience, Error as NoDecision, Evaluator, Mode};

const SUBJECT: &str = "crates/core/src/decision/segment_reader_v2.rs";
const ROUNDS: u32 = 7;

/// Measures and prints one line.
pub(crate) fn run(module: &[u8], table: &[u8]) -> Result<bool, Box<dyn Error>> {
    let begun = Instant::now();
    let mut evaluator = Evaluator::new(module)?;
    let policy = evaluator.load(table)?;
    let started = begun.elapsed();
    let request = format!(r#"{{"tool":"reader","args":{{"path":"{SUBJECT}"}}}}"#);
    let empty = least(1_000_000, || evaluator.abi_version().map(drop))?;
    let fast = least(200_000, || {
        evaluator
            .decide_text(policy, "reader", SUBJECT, Audience::Main, Mode::Default)
            .map(|verdict| {
                black_box(verdict);
            })
    })?;
    let json = least(50_000, || {
        evaluator.decide(policy, request.as_bytes()).map(|decision| {
            black_box(decision);
        })
    })?;
    println!(
        "rust, wasmtime: compile, instantiate and load {} ns, empty call {empty} ns, fast path {fast} ns, JSON text \
         {json} ns",
        started.as_nanos()
    );
    Ok(true)
}

/// Nanoseconds a call, the least of several rounds.
fn least(count: u32, mut call: impl FnMut() -> Result<(), NoDecision>) -> Result<u128, NoDecision> {
    let mut best = u128::MAX;
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        for _ in 0..count {
            call()?;
        }
        best = best.min(begun.elapsed().as_nanos() / u128::from(count));
    }
    Ok(best)
}
