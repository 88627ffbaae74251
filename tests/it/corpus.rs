//! The benchmark's policies of every size against the reference: what is measured is also right.

use callgate_tests::conformance::engine;
use callgate_tests::conformance::policy::{CompiledPolicy, PolicyText};
use callgate_tests::corpus;
use callgate_tests::oracle::CallText;

/// The call that has this subject.
fn call(tool: &str, subject: &str) -> CallText {
    let (first, rest) = subject.split_once(' ').unwrap_or((subject, ""));
    let args = match tool {
        "bash" => serde_json::json!({ "command": subject }),
        "editor" => serde_json::json!({ "file_path": subject }),
        "reader" => serde_json::json!({ "path": subject }),
        "search" => serde_json::json!({ "pattern": first, "path": rest }),
        _ => serde_json::json!({ "url": rest }),
    };
    CallText {
        action: Some(first.to_owned()),
        ..CallText::new(tool, &args.to_string())
    }
}

#[test]
fn policies_of_every_size_decide_as_the_reference_says() {
    for (size, n_calls) in [(12, 1000), (40, 500), (100, 400), (400, 150), (1000, 100)] {
        let policy = CompiledPolicy::new(PolicyText::Document(corpus::policy(size))).expect("it compiles");
        let loaded = engine::all().map(|engine| engine.load(&policy).expect("it loads"));
        let mut n_by_rule = 0;
        for (tool, subject) in corpus::calls(n_calls) {
            let call = call(tool, &subject);
            let [reference, table] = [0, 1].map(|index| loaded[index].decide(&call, &[]).expect("an answer"));
            assert_eq!(reference, table, "{size} rules, {tool} {subject:?}");
            n_by_rule += usize::from(table.rule.is_some());
        }
        assert!(
            n_by_rule * 10 > n_calls,
            "rules decide {n_by_rule} of {n_calls} calls under {size} rules"
        );
    }
}
