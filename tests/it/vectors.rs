//! Every row of the committed vectors, in every engine; and proof that the runner would say so if one did not hold.

use std::path::{Path, PathBuf};

use callgate_runtime::rule::{Effect, Provenance};
use callgate_tests::conformance::engine::{self, Engine, Evaluator, Table};
use callgate_tests::conformance::policy::CompiledPolicy;
use callgate_tests::conformance::{Report, run_file, run_text};
use callgate_tests::oracle::{Answer, CallText};

fn vectors(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(vectors(name)).expect("the vectors are committed")
}

/// Runs a whole file; every row must hold, and every line must be a row.
fn all_hold(name: &str, n_rows: usize) {
    let report = run_file(&vectors(name), &engine::all()).expect("a vector file");
    for failure in report.failures.iter().take(20) {
        eprintln!(
            "{}:{} {}\n{}",
            failure.file, failure.line_number, failure.name, failure.problem
        );
    }
    assert_eq!((report.passed, report.failures.len()), (n_rows, 0));
}

#[test]
fn rules_rows_hold() {
    all_hold("rules.jsonl", 300);
}

#[test]
fn fnmatch_rows_hold() {
    all_hold("fnmatch.jsonl", 3000);
}

#[test]
fn layered_rows_hold() {
    all_hold("layered.jsonl", 706);
}

#[test]
fn shell_rows_hold() {
    all_hold("shell.jsonl", 800);
}

#[test]
fn yaml_suite_rows_hold() {
    all_hold("yaml-suite.jsonl", 265);
}

/// One expected value, and another in its place.
type Alteration = (&'static str, &'static str);

/// Every expectation that rows write, by file.
const ALTERATIONS: &[(&str, &[Alteration])] = &[
    (
        "rules.jsonl",
        &[
            (r#""behavior": "allow""#, r#""behavior": "deny""#),
            (r#""behavior": "deny""#, r#""behavior": "escalate""#),
            (r#""behavior": "escalate""#, r#""behavior": "allow""#),
            (r#""matched_rule": null"#, r#""matched_rule": "*""#),
            (r#""matched_rule": "*""#, r#""matched_rule": "?""#),
        ],
    ),
    (
        "fnmatch.jsonl",
        &[
            (r#""matches": true"#, r#""matches": false"#),
            (r#""matches": false"#, r#""matches": true"#),
        ],
    ),
    (
        "layered.jsonl",
        &[
            (r#""expect": {"effect": "allow""#, r#""expect": {"effect": "ask""#),
            (r#""expect": {"effect": "ask""#, r#""expect": {"effect": "deny""#),
            (
                r#""expect": {"effect": "deny""#,
                r#""expect": {"effect": "allow""#,
            ),
            (r#""effect_in": ["ask", "deny"]"#, r#""effect_in": ["allow"]"#),
            (
                r#""effect": "ask", "configured_ask": true"#,
                r#""effect": "ask", "configured_ask": false"#,
            ),
            (
                r#""effect": "ask", "configured_ask": false"#,
                r#""effect": "ask", "configured_ask": true"#,
            ),
            (
                r#""floored_configured_allow": true"#,
                r#""floored_configured_allow": false"#,
            ),
            (
                r#""floored_configured_allow": false"#,
                r#""floored_configured_allow": true"#,
            ),
            (r#""learnable": true"#, r#""learnable": false"#),
            (r#""learnable": false"#, r#""learnable": true"#),
            (
                r#""learnable": true, "pattern": ""#,
                r#""learnable": true, "pattern": "x"#,
            ),
            (r#""error": true"#, r#""rules": []"#),
            (
                r#""expect": {"rules": [{"#,
                r#""expect": {"rules": [], "error": true, "x": [{"#,
            ),
            (r#""audience": "main"}]}"#, r#""audience": "all"}]}"#),
        ],
    ),
    (
        "shell.jsonl",
        &[
            (r#""expect": "allow""#, r#""expect": "not_allow""#),
            (r#""expect": "not_allow""#, r#""expect": "allow""#),
        ],
    ),
    (
        "yaml-suite.jsonl",
        &[
            (r#""error": true"#, r#""json": ["no such value"]"#),
            (r#""json": [{""#, r#""json": [{"no such key": 0, ""#),
            (r#""json": ["#, r#""error": true, "x": ["#),
        ],
    ),
];

#[test]
fn an_altered_expectation_is_a_failure() {
    for (name, alterations) in ALTERATIONS {
        let text = text(name);
        for (written, other) in *alterations {
            let mut n_altered = 0;
            for line in text.lines().filter(|line| line.contains(written)).take(40) {
                let altered = line.replacen(written, other, 1);
                match run_text(name, &altered, &engine::all()) {
                    Ok(Report { passed: 0, failures }) if failures.len() == 1 => n_altered += 1,
                    // An expectation nobody knows is refused before any row is judged.
                    Err(error) => {
                        assert!(error.to_string().contains("unknown field `x`"), "{error}");
                        n_altered += 1;
                    }
                    // Refusing a valid case for a construct in it is right, so its value is never compared.
                    Ok(_) if *name == "yaml-suite.jsonl" => {}
                    Ok(report) => panic!("{written} → {other}: {report:?} for {altered}"),
                }
            }
            assert!(n_altered > 0, "{name}: no row writes {written}");
        }
    }
}

#[test]
fn what_is_no_vector_is_refused_with_its_place() {
    let good = r#"{"pattern":"a","text":"a","matches":true}"#;
    let cases = [
        (String::new(), "x.jsonl: no rows"),
        (format!("{good}\n{{"), "x.jsonl:2: not a JSON object"),
        (format!("{good}\n\n{good}"), "x.jsonl:2: not a JSON object"),
        (String::from("[]"), "x.jsonl:1: not a JSON object"),
        (
            String::from(r#"{"a":1,"b":2}"#),
            "x.jsonl:1: unknown kind of row: its members are a, b",
        ),
        (
            String::from(r#"{"kind":"zip"}"#),
            r#"x.jsonl:1: unknown kind of row: "zip""#,
        ),
        (
            String::from(r#"{"pattern":"a","text":"a","matches":1}"#),
            "x.jsonl:1: invalid type",
        ),
        (
            String::from(
                r#"{"id":"L","rules":[],"options":{"flor":"none"},"call":{"tool":"T","args":{}},"expect":{}}"#,
            ),
            "x.jsonl:1: unknown field `flor`",
        ),
    ];
    for (text, expected) in cases {
        let error = run_text("x.jsonl", &text, &engine::all())
            .expect_err(&text)
            .to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    assert!(run_file(&vectors("no such file"), &engine::all()).is_err());
}

/// The runtime with one word of every answer changed.
struct Liar;

struct LyingEvaluator<'p>(Box<dyn Evaluator + 'p>);

impl Engine for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn load<'p>(&self, policy: &'p CompiledPolicy) -> Result<Box<dyn Evaluator + 'p>, String> {
        Ok(Box::new(LyingEvaluator(Table.load(policy)?)))
    }

    fn learnable(&self, call: &CallText) -> Option<String> {
        Table.learnable(call).map(|pattern| pattern + " ")
    }
}

impl Evaluator for LyingEvaluator<'_> {
    fn decide(&self, call: &CallText, learned: &[CallText]) -> Result<Answer, String> {
        let mut answer = self.0.decide(call, learned)?;
        match &mut answer.rule {
            Some(rule) => rule.place.line += 1,
            None => answer.provenance = Provenance::BrokenSource,
        }
        Ok(answer)
    }
}

#[test]
fn an_engine_that_answers_otherwise_is_found_out() {
    for name in ["rules.jsonl", "fnmatch.jsonl", "shell.jsonl"] {
        let text: String = text(name)
            .lines()
            .take(100)
            .flat_map(|line| [line, "\n"])
            .collect();
        let report = run_text(name, &text, &[&Table, &Liar]).expect("a vector file");
        assert_eq!((report.passed, report.failures.len()), (0, 100), "{name}");
        assert!(
            report
                .failures
                .iter()
                .all(|failure| failure.problem.contains("liar: "))
        );
    }
    let learnable = text("layered.jsonl");
    let learnable = learnable
        .lines()
        .find(|line| line.contains(r#""learnable": true"#));
    let report = run_text("layered.jsonl", learnable.expect("a row"), &[&Table, &Liar]).expect("a row");
    assert_eq!(report.failures.len(), 1);
}

#[test]
fn answers_say_everything_that_engines_are_compared_by() {
    let line = text("rules.jsonl");
    let line = line.lines().next().expect("a row");
    let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let document = row["policy"].as_str().expect("a policy").to_owned();
    let policy = CompiledPolicy::new(callgate_tests::conformance::policy::PolicyText::Document(
        document,
    ));
    let policy = policy.expect("it compiles");
    let call = CallText::new("search", r#"{"pattern":"foo","path":null}"#);
    for engine in engine::all() {
        let answer = engine
            .load(&policy)
            .and_then(|loaded| loaded.decide(&call, &[]))
            .expect("an answer");
        assert_eq!(
            (answer.effect, answer.provenance),
            (Effect::Allow, Provenance::Rule),
            "{}",
            engine.name()
        );
        let rule = answer.rule.expect("a rule");
        assert_eq!(
            (rule.pattern.as_str(), rule.place.line, rule.place.column),
            ("[A-Z]*", 5, 5)
        );
    }
}
