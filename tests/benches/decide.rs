//! What a decision costs, beside one pass over the same bytes through a table in the first-level cache, and beside what
//! users would build from well-known crates. Figures of one run are compared as ratios.

use std::hint::black_box;

use aho_corasick::AhoCorasick;
use callgate_compiler::{Options, Source, compile};
use callgate_runtime::rule::Mode;
use callgate_runtime::{Call, Policy};
use callgate_tests::corpus::{self, CorpusRule};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use regex::RegexSet;

const SIZES: [usize; 4] = [12, 100, 1_000, 10_000];
const CALLS: usize = 2_000;

fn table_of(text: &str) -> Vec<u8> {
    let source = Source {
        name: "corpus.yaml",
        bytes: text.as_bytes(),
    };
    compile(&[source], &Options::default())
        .policy
        .expect("the corpus compiles")
        .bytes
}

/// One dependent load a byte from a table of 4 KiB, as a small automaton does it.
fn one_pass(table: &[u16], classes: &[u8; 256], text: &str) -> u16 {
    text.bytes().fold(0, |state, byte| {
        table[(usize::from(state) + usize::from(classes[usize::from(byte)])) % table.len()]
    })
}

fn decisions(criterion: &mut Criterion) {
    let calls = corpus::calls(CALLS);
    let mut group = criterion.benchmark_group("decision");
    group.throughput(Throughput::Elements(CALLS as u64));

    let table: Vec<u16> = (0..2048_u16).map(|i| (i.wrapping_mul(7919) % 64) * 32).collect();
    let classes: [u8; 256] = std::array::from_fn(|i| (i % 32) as u8);
    group.bench_function("table-pass", |bencher| {
        bencher.iter(|| {
            calls.iter().fold(0_u16, |sum, (_, subject)| {
                sum ^ one_pass(&table, &classes, black_box(subject))
            })
        });
    });

    for size in SIZES {
        let policy = Policy::from_bytes(table_of(&corpus::policy(size))).expect("the table loads");
        group.bench_function(format!("text/{size}"), |bencher| {
            bencher.iter(|| {
                for (tool, subject) in &calls {
                    black_box(policy.decide_text(tool, black_box(subject), Mode::Default));
                }
            });
        });
    }

    let policy = Policy::from_bytes(table_of(&corpus::policy(100))).expect("the table loads");
    let records: Vec<String> = calls
        .iter()
        .map(|(tool, subject)| record(tool, subject))
        .collect();
    group.bench_function("json/100", |bencher| {
        bencher.iter(|| {
            for record in &records {
                let call = Call::parse(black_box(record)).expect("a call");
                black_box(policy.decide(&call).effect);
            }
        });
    });
    group.finish();
}

fn record(tool: &str, subject: &str) -> String {
    let argument = match tool {
        "bash" => "command",
        "editor" => "file_path",
        _ => "path",
    };
    serde_json::json!({ "tool": tool, "action": "run", "args": { argument: subject } }).to_string()
}

/// What one would write without this crate, over the same thousand rules: all patterns of a tool as one `RegexSet`, or
/// one Aho–Corasick pass for each pattern's longest literal and a regular expression for those met.
fn peers(criterion: &mut Criterion) {
    let rules = corpus::rules(1_000);
    let calls: Vec<_> = corpus::calls(CALLS)
        .into_iter()
        .filter(|(tool, _)| *tool == "bash")
        .collect();
    let bash: Vec<&CorpusRule> = rules
        .iter()
        .filter(|rule| matches!(rule.tool, "bash" | "*"))
        .collect();
    let expressions: Vec<String> = bash.iter().map(|rule| expression(&rule.pattern)).collect();
    let mut group = criterion.benchmark_group("peers/1000");
    group.throughput(Throughput::Elements(calls.len() as u64));

    let policy = Policy::from_bytes(table_of(&corpus::policy(1_000))).expect("the table loads");
    group.bench_function("callgate", |bencher| {
        bencher.iter(|| {
            for (tool, subject) in &calls {
                black_box(policy.decide_text(tool, black_box(subject), Mode::Default));
            }
        });
    });

    let set = RegexSet::new(&expressions).expect("the expressions compile");
    group.bench_function("regex-set", |bencher| {
        bencher.iter(|| {
            for (_, subject) in &calls {
                black_box(set.matches(black_box(subject)).iter().next());
            }
        });
    });

    let literals = bash.iter().map(|rule| {
        rule.pattern
            .split('*')
            .max_by_key(|piece| piece.len())
            .unwrap_or_default()
    });
    let pieces = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(literals)
        .expect("the pieces compile");
    let verify: Vec<regex::Regex> = expressions
        .iter()
        .map(|expression| regex::Regex::new(expression).expect("an expression"))
        .collect();
    group.bench_function("aho-corasick-and-verify", |bencher| {
        bencher.iter(|| {
            for (_, subject) in &calls {
                let met = pieces.find_overlapping_iter(black_box(subject.as_str()));
                let matched = met
                    .map(|piece| piece.pattern().as_usize())
                    .filter(|rule| verify[*rule].is_match(subject));
                black_box(matched.min());
            }
        });
    });
    group.finish();
}

fn expression(glob: &str) -> String {
    let pieces: Vec<String> = glob.split('*').map(regex::escape).collect();
    format!("(?si)^{}$", pieces.join(".*"))
}

fn compiling(criterion: &mut Criterion) {
    let text = corpus::policy(10_000);
    let table = table_of(&text);
    let mut group = criterion.benchmark_group("compile");
    group.sample_size(10);
    group.bench_function("source/10000", |bencher| {
        bencher.iter(|| table_of(black_box(&text)))
    });
    group.bench_function("load/10000", |bencher| {
        bencher.iter(|| Policy::from_bytes(black_box(table.as_slice())).expect("the table loads"));
    });
    group.finish();
}

/// Policies made to hurt, on a subject made to hurt.
fn adversarial(criterion: &mut Criterion) {
    let families: [(&str, Vec<String>); 4] = [
        (
            "letters",
            (0..100)
                .map(|i| format!("*a*b*c*d*{}*", char::from(b'a' + (i % 26) as u8)))
                .collect(),
        ),
        ("question-marks", (1..=100).map(|i| "?*".repeat(i)).collect()),
        (
            "distance",
            (1..=100).map(|i| format!("*a{}b", "?".repeat(i))).collect(),
        ),
        (
            "long",
            (0..20).map(|i| format!("*{}{i}*", "ab".repeat(2_048))).collect(),
        ),
    ];
    let mut group = criterion.benchmark_group("adversarial");
    for (name, patterns) in families {
        let quoted: Vec<String> = patterns.iter().map(|pattern| format!("'{pattern}'")).collect();
        let text = format!("mode: rules\ndeny: {{bash: [{}]}}\n", quoted.join(", "));
        let policy = Policy::from_bytes(table_of(&text)).expect("the table loads");
        for length in [1_000, 100_000] {
            let subject = "ab".repeat(length / 2);
            group.bench_function(format!("{name}/{length}"), |bencher| {
                bencher.iter(|| black_box(policy.decide_text("bash", black_box(&subject), Mode::Default)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, decisions, peers, compiling, adversarial);
criterion_main!(benches);
