//! The corpus with so many rules (10,000 by default) to what compiling it cost: time, memory, bytes of table.
//!
//! Memory is the most that the whole process ever held, as the kernel counts it, so it can only be told where `/proc` is.

use std::error::Error;
use std::fs;
use std::time::Instant;

use callgate_compiler::{Options, Source, compile};
use callgate_runtime::Policy;
use callgate_tests::corpus;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = std::env::args()
        .nth(1)
        .map_or(Ok(10_000), |count| count.parse())?;
    let text = corpus::policy(rules);
    let before = peak();
    let begun = Instant::now();
    let source = Source {
        name: "corpus.yaml",
        bytes: text.as_bytes(),
    };
    let compilation = compile(&[source], &Options::default());
    let compiled = begun.elapsed();
    let policy = compilation.policy.ok_or("the corpus does not compile")?;
    let bytes = policy.bytes.len();
    let begun = Instant::now();
    let loaded = Policy::from_bytes(policy.bytes)?;
    println!(
        "{} rules, {} bytes of policy text",
        loaded.table().len(),
        text.len()
    );
    println!("compiled in {compiled:?}, loaded in {:?}", begun.elapsed());
    println!("{bytes} bytes of table");
    match (before, peak()) {
        (Some(before), Some(after)) => {
            println!("at most {after} KiB of memory, {before} of them before compiling")
        }
        _ => println!("memory cannot be told here"),
    }
    Ok(())
}

/// The most memory that this process has held so far, in KiB.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
