//! What reading a shell line adds to a decision: lines of one to eight segments under a layered policy, beside the rules
//! dialect's answer to a plain line of the same length under the same patterns. Figures of one run are compared as ratios.

use std::hint::black_box;

use callgate_compiler::{Options, Source, compile};
use callgate_runtime::Policy;
use callgate_runtime::rule::Mode;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const DENY: &[&str] = &["rm *", "sudo *", "git push --force*", "curl *"];
const ASK: &[&str] = &["git push*", "npm publish*"];
const ALLOW: &[&str] = &[
    "git log*",
    "git status*",
    "cargo test*",
    "grep *",
    "sort *",
    "ls*",
];

/// One segment, and nothing that a shell would take apart.
const PLAIN: &str = "git log --oneline --decorate -20 src/main.rs";

/// Sixty bytes, three commands, a pipe and a conjunction.
const COMPOUND: &str = "git log --oneline -20 | grep -c fix && cargo test --quiet -q";

/// The same with a quoted word.
const QUOTED: &str = "git log --oneline -20 | grep 'fix' && cargo test --workspace";

/// Sixty bytes, and a command inside.
const SUBSTITUTION: &str = "git log --oneline \"$(git status -s)\" | grep -c 'fix: parser'";

fn policy(text: &str) -> Policy {
    let source = Source {
        name: "policy.yaml",
        bytes: text.as_bytes(),
    };
    let compiled = compile(&[source], &Options::default())
        .policy
        .expect("it compiles");
    Policy::from_bytes(compiled.bytes).expect("the table loads")
}

fn quoted(patterns: &[&str], spec: impl Fn(&str) -> String) -> String {
    let quoted: Vec<String> = patterns
        .iter()
        .map(|pattern| format!("'{}'", spec(pattern)))
        .collect();
    format!("[{}]", quoted.join(", "))
}

fn layered() -> Policy {
    let shell = |pattern: &str| format!("Shell({pattern})");
    policy(&format!(
        "permissions: {{deny: {}, ask: {}, allow: {}}}\n",
        quoted(DENY, shell),
        quoted(ASK, shell),
        quoted(ALLOW, shell)
    ))
}

/// Lines of `length` bytes and a little: what is timed at a kilobyte and at a megabyte, a byte.
fn long_lines(length: usize) -> [(&'static str, String); 8] {
    let repeated = |piece: &str| piece.repeat(length.div_ceil(piece.len()));
    let eval = format!("{}{}", "eval ".repeat(20), repeated("a "));
    [
        ("one-word", repeated("a")),
        ("words", repeated("word ")),
        ("segments", repeated("git status -s; ")),
        ("quotes", repeated("echo 'a b' \"c\"; ")),
        ("substitutions", repeated("echo $(ls a); ")),
        ("here-document", format!("cat <<E\n{}\nE", repeated("text\n"))),
        ("assignments", repeated("x=1 ")),
        ("eval-20", eval),
    ]
}

fn linear(criterion: &mut Criterion) {
    let layered = layered();
    let mut group = criterion.benchmark_group("shell-linear");
    group.sample_size(10);
    for length in [1 << 10, 1 << 20] {
        for (name, line) in long_lines(length) {
            group.throughput(Throughput::Bytes(line.len() as u64));
            group.bench_function(format!("{name}/{length}"), |bencher| {
                bencher.iter(|| black_box(layered.decide_text("Shell", black_box(&line), Mode::Default)));
            });
        }
    }
    let nested = ["echo $(".repeat(32), String::from("pwd"), ")".repeat(32)].concat();
    group.throughput(Throughput::Bytes(nested.len() as u64));
    group.bench_function("nested-32", |bencher| {
        bencher.iter(|| black_box(layered.decide_text("Shell", black_box(&nested), Mode::Default)));
    });
    group.finish();
}

fn shell_lines(criterion: &mut Criterion) {
    let layered = layered();
    let plain = |pattern: &str| pattern.to_owned();
    let rules = policy(&format!(
        "mode: rules\ndeny: {{bash: {}}}\nescalate: {{bash: {}}}\nallow: {{bash: {}}}\n",
        quoted(DENY, plain),
        quoted(ASK, plain),
        quoted(ALLOW, plain)
    ));
    let mut group = criterion.benchmark_group("shell");
    group.bench_function("rules-dialect/plain", |bencher| {
        bencher.iter(|| black_box(rules.decide_text("bash", black_box(PLAIN), Mode::Default)));
    });
    for (name, line) in [
        ("plain", PLAIN),
        ("compound-60", COMPOUND),
        ("quoted-60", QUOTED),
        ("substitution-60", SUBSTITUTION),
    ] {
        group.bench_function(format!("layered/{name}"), |bencher| {
            bencher.iter(|| black_box(layered.decide_text("Shell", black_box(line), Mode::Default)));
        });
    }
    for segments in [1, 2, 4, 8] {
        let line = vec!["git status -s"; segments].join(" && ");
        group.bench_function(format!("layered/segments-{segments}"), |bencher| {
            bencher.iter(|| black_box(layered.decide_text("Shell", black_box(&line), Mode::Default)));
        });
    }
    group.finish();
}

criterion_group!(benches, shell_lines, linear);
criterion_main!(benches);
