//! Learning, its cap and its printed form, over generated command lines.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};

use super::{LearnedRules, LearnedRulesError, MAX_LEARNED, Refusal, Sessions};
use crate::call::Call;
use crate::layered::{ArgValue, Arguments, LayeredCall, Learned, NotLearnable};
use crate::rule::Mode;

fn with_call<R>(tool: &str, subject: &str, use_it: impl FnOnce(&LayeredCall<'_>) -> R) -> R {
    let key = if tool == "Shell" { "command" } else { "path" };
    let members = [(Cow::Borrowed(key), ArgValue::String(Cow::Borrowed(subject)))];
    let arguments = Arguments {
        malformed: None,
        members: &members,
    };
    use_it(&LayeredCall {
        tool,
        arguments,
        mode: Mode::Default,
    })
}

#[test]
fn what_is_not_learnable_is_refused_with_its_reason_and_leaves_nothing() {
    let cases = [
        ("Shell", "git status && rm x", NotLearnable::Compound),
        (
            "Shell",
            "echo $(rm x)",
            NotLearnable::Opaque("command substitution"),
        ),
        ("Shell", "echo k > file", NotLearnable::Redirection),
        ("Shell", "  ", NotLearnable::MalformedArguments),
        ("Copy", "a", NotLearnable::MalformedArguments),
        ("Read", "", NotLearnable::EmptySubject),
    ];
    let mut rules = LearnedRules::default();
    for (tool, subject, reason) in cases {
        let refused = with_call(tool, subject, |call| rules.learn(call).map(drop));
        assert_eq!(refused, Err(Refusal::NotLearnable(reason)), "{tool} {subject}");
    }
    assert_eq!(rules, LearnedRules::default());
    assert_eq!(
        format!(
            "{}",
            Refusal::NotLearnable(NotLearnable::Opaque("command substitution"))
        ),
        "not learnable: command substitution may hide another command"
    );
}

#[test]
fn sessions_are_apart_and_are_forgotten() {
    let call = |command| Call::new("Shell", crate::call::Arguments::parse(command));
    let mut sessions = Sessions::default();
    sessions
        .learn("one", &call(r#"{"command": " git status "}"#))
        .unwrap();
    assert_eq!(
        sessions.learn("two", &call(r#"{"command": "ls; rm x"}"#)),
        Err(Refusal::NotLearnable(NotLearnable::Compound))
    );
    assert!(sessions.get("one").unwrap().has("Shell", "git status"));
    assert!(!sessions.get("one").unwrap().has("Shell", "git status "));
    assert!(!sessions.get("one").unwrap().has("Read", "git status"));
    assert_eq!(sessions.get("two"), None);
    assert_eq!(sessions.forget("one").unwrap().len(), 1);
    assert_eq!(sessions.forget("one"), None);
    assert_eq!(sessions.get("one"), None);
}

#[test]
fn at_the_cap_a_new_rule_is_dropped_and_a_known_one_stays() {
    let mut rules = LearnedRules::default();
    for n in 0..MAX_LEARNED {
        with_call("Read", &format!("{n}.md"), |call| rules.learn(call).map(drop)).unwrap();
    }
    let refused = with_call("Shell", "ls", |call| rules.learn(call).map(drop));
    assert_eq!(refused, Err(Refusal::CapReached));
    assert!(!rules.has("Shell", "ls"));
    with_call("Read", "0.md", |call| rules.learn(call).map(drop)).unwrap();
    assert_eq!(rules.len(), MAX_LEARNED);
    let full = format!("{rules}[\"Shell\",\"ls\"]\n");
    assert_eq!(full.parse::<LearnedRules>(), Err(LearnedRulesError::TooMany));
}

#[test]
fn a_stored_text_brings_nothing_that_no_call_teaches() {
    let unlearnable = [
        r#"["Shell","ls && rm x"]"#,
        r#"["Shell"," ls"]"#,
        r#"["Shell","ls # why"]"#,
        r#"["Shell",""]"#,
        r#"["Copy","a"]"#,
        r#"["Read",""]"#,
    ];
    for line in unlearnable {
        assert_eq!(
            line.parse::<LearnedRules>(),
            Err(LearnedRulesError::Unlearnable(1)),
            "{line}"
        );
    }
    for line in [
        "",
        " ",
        "{}",
        "[]",
        r#"["Read"]"#,
        r#"["Read",7]"#,
        r#"["Read","a","b"]"#,
        "Read a",
    ] {
        let text = format!("[\"Read\",\"a\"]\n{line}\n");
        assert_eq!(
            text.parse::<LearnedRules>(),
            Err(LearnedRulesError::Line(2)),
            "{line}"
        );
    }
    assert_eq!("".parse(), Ok(LearnedRules::default()));
}

fn line() -> impl Strategy<Value = alloc::string::String> {
    let word = prop_oneof![
        "[a-z]{1,4}",
        "[ -~]{0,6}",
        prop::sample::select(Vec::from([
            "git", "'a b'", "\"x\"", "\\ ", "$HOME", "*", "#c", "time", "!", "2>&1", "<f", "A=b"
        ]))
        .prop_map(alloc::string::String::from),
    ];
    prop::collection::vec(word, 1..6).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn what_is_learned_prints_parses_and_compares_equal(lines in prop::collection::vec(line(), 0..8), text in any::<alloc::string::String>()) {
        let mut rules = LearnedRules::default();
        for line in &lines {
            let learned = with_call("Shell", line, |call| rules.learn(call).map(|rule| rule.pattern.into_owned()));
            if let Ok(pattern) = learned {
                prop_assert!(rules.has("Shell", &pattern));
            }
        }
        with_call("Read", &text, |call| rules.learn(call).map(drop)).ok();
        prop_assert_eq!(format!("{rules}").parse(), Ok(rules));
    }
}
