//! The promises on the rules dialect, each as a property of generated policies and calls.

use callgate_compiler::{Options, Severity, Source, compile};
use callgate_runtime::Call;
use callgate_runtime::json;
use callgate_runtime::rule::{Effect, Provenance};
use callgate_tests::fuzz::{NAME, Pair};
use callgate_tests::generate::{self, CallText, Choices, Size};
use callgate_tests::oracle::{Answer, fnmatch};
use proptest::prelude::{ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, proptest};

/// Calls that each generated policy is asked.
const CALLS: usize = 24;

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..most)
}

fn policies(size: Size) -> impl Strategy<Value = generate::Policy> {
    let most = if size == Size::Small { 300 } else { 6_000 };
    bytes(most).prop_map(move |bytes| generate::policy(&mut Choices::new(&bytes), size))
}

/// A policy of the mode `rules` and a rule to add to it, which shares its tool with most of the others.
fn policies_and_rules() -> impl Strategy<Value = (generate::Policy, generate::Rule)> {
    (policies(Size::Any), bytes(60)).prop_map(|(mut policy, bytes)| {
        policy.mode = "rules";
        let focus = policy.rules.last().map_or(1, |rule| rule.tool.max(1));
        let rule = generate::rule(&mut Choices::new(&bytes), focus);
        (policy, rule)
    })
}

fn calls(bytes: &[u8], policy: &generate::Policy) -> Vec<CallText> {
    let mut choices = Choices::new(bytes);
    (0..CALLS).map(|_| generate::call(&mut choices, policy)).collect()
}

/// What a caller is worse off with, in order: denied, asked for, allowed.
fn permission(effect: Effect) -> u8 {
    match effect {
        Effect::Deny => 0,
        Effect::Ask => 1,
        Effect::Allow => 2,
    }
}

/// The rule that an answer names, as its index in the generated policy.
fn named(answer: &Answer, lines: &[u32]) -> Option<usize> {
    let rule = answer.rule.as_ref()?;
    assert_eq!(
        (rule.place.source.as_str(), rule.place.column),
        (NAME, generate::Policy::COLUMN)
    );
    let index = lines.iter().position(|line| *line == rule.place.line);
    Some(index.expect("a rule is named by the line it stands in"))
}

/// The subject that patterns were held against, or nothing where there was none to judge. Only for tools whose subject
/// is one argument.
fn subject(call: &CallText, answer: &Answer) -> Option<String> {
    let name = match answer.canonical_tool.as_str() {
        "bash" => "command",
        "editor" => "file_path",
        "reader" => "path",
        _ => return None,
    };
    match json::parse(&call.arguments) {
        Ok(value) => {
            let member = value.as_object()?.iter().find(|member| member.name == name);
            member
                .map_or(Some(""), |member| member.value.as_str())
                .map(str::to_owned)
        }
        Err(_) => None,
    }
}

fn refused(text: &str) -> bool {
    let compilation = compile(
        &[Source {
            name: NAME,
            bytes: text.as_bytes(),
        }],
        &Options::default(),
    );
    let error = compilation
        .diagnostics
        .iter()
        .any(|finding| finding.severity == Severity::Error);
    assert_eq!(error, compilation.policy.is_none());
    error
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    // Promise 12. `Pair::answer` compares effect, rule, provenance, tool and action, by record and by subject.
    #[test]
    fn table_and_reference_agree_on_few_rules(policy in policies(Size::Small), more in bytes(2_000)) {
        let pair = Pair::of(&policy.yaml());
        for call in calls(&more, &policy) {
            pair.answer(&call);
        }
    }

    #[test]
    fn table_and_reference_agree_on_dozens_of_rules(policy in policies(Size::Medium), more in bytes(2_000)) {
        let pair = Pair::of(&policy.yaml());
        for call in calls(&more, &policy) {
            pair.answer(&call);
        }
    }

    #[test]
    fn table_and_reference_agree_on_hundreds_of_rules(policy in policies(Size::Large), more in bytes(2_000)) {
        let pair = Pair::of(&policy.yaml());
        for call in calls(&more, &policy) {
            pair.answer(&call);
        }
    }

    // Promise 1.
    #[test]
    fn every_call_gets_one_decision_with_its_reason(policy in policies(Size::Any), more in bytes(2_000)) {
        let pair = Pair::of(&policy.yaml());
        for call in calls(&more, &policy) {
            let answer = pair.answer(&call);
            prop_assert_eq!(answer.rule.is_some(), answer.provenance == Provenance::Rule);
            if let Some(rule) = &answer.rule {
                prop_assert_eq!(rule.effect, answer.effect);
            }
            let stated = match answer.provenance {
                Provenance::Rule => true,
                Provenance::Default | Provenance::ShellControl | Provenance::MalformedArguments => answer.effect == Effect::Deny,
                Provenance::Mode => answer.effect == if policy.mode == "allow_all" { Effect::Allow } else { Effect::Deny },
                _ => false,
            };
            prop_assert!(stated, "{answer} of {call:?}");
            if let Ok(record) = Call::parse(&call.record) {
                let decision = pair.compiled.decide(&record);
                prop_assert!(!decision.reason().is_empty());
                let written: serde_json::Value = serde_json::from_str(&decision.to_json()).expect("a decision is JSON");
                prop_assert_eq!(&written["provenance"], answer.provenance.name());
                prop_assert_eq!(&written["reason"], &decision.reason());
            }
        }
    }

    // Promise 2, denies.
    #[test]
    fn a_further_deny_permits_nothing((policy, mut rule) in policies_and_rules(), at in any::<prop::sample::Index>(), more in bytes(2_000)) {
        rule.effect = Effect::Deny;
        let mut stricter = policy.clone();
        stricter.rules.insert(at.index(policy.rules.len() + 1), rule);
        let (before, after) = (Pair::of(&policy.yaml()), Pair::of(&stricter.yaml()));
        for call in calls(&more, &stricter) {
            let (before, after) = (before.answer(&call), after.answer(&call));
            prop_assert!(permission(after.effect) <= permission(before.effect), "{before}, then {after}: {call:?}");
        }
    }

    // Promise 2, asks. A call that no rule matched is denied by default, and an escalate rule is how to ask about it; any
    // deny that somebody meant stands.
    #[test]
    fn a_further_ask_lifts_no_deny((policy, mut rule) in policies_and_rules(), at in any::<prop::sample::Index>(), more in bytes(2_000)) {
        rule.effect = Effect::Ask;
        let mut asking = policy.clone();
        asking.rules.insert(at.index(policy.rules.len() + 1), rule);
        let (before, after) = (Pair::of(&policy.yaml()), Pair::of(&asking.yaml()));
        for call in calls(&more, &asking) {
            let (before, after) = (before.answer(&call), after.answer(&call));
            if before.effect == Effect::Deny && before.provenance != Provenance::Default {
                prop_assert_eq!((after.effect, after.provenance), (Effect::Deny, before.provenance));
            }
            prop_assert!(before.effect == after.effect || before.provenance == Provenance::Default, "{before}, then {after}");
        }
    }

    // Promise 4.
    #[test]
    fn the_order_of_rules_changes_no_effect(policy in policies(Size::Any), keys in prop::collection::vec(any::<u32>(), 350), more in bytes(2_000)) {
        let mut keyed: Vec<_> = policy.rules.iter().cloned().zip(keys).collect();
        keyed.sort_by_key(|(_, key)| *key);
        let mut shuffled = policy.clone();
        shuffled.rules = keyed.into_iter().map(|(rule, _)| rule).collect();
        let (before, after) = (Pair::of(&policy.yaml()), Pair::of(&shuffled.yaml()));
        for call in calls(&more, &policy) {
            let (before, after) = (before.answer(&call), after.answer(&call));
            prop_assert_eq!((before.effect, before.provenance), (after.effect, after.provenance), "{:?}", call);
        }
    }

    // Promise 13.
    #[test]
    fn the_rule_named_matched_and_decided(policy in policies(Size::Small), more in bytes(2_000)) {
        let (text, lines) = policy.document();
        let pair = Pair::of(&text);
        for call in calls(&more, &policy) {
            let answer = pair.answer(&call);
            let Some(index) = named(&answer, &lines) else { continue };
            let rule = &policy.rules[index];
            prop_assert_eq!(rule.effect, answer.effect);
            prop_assert!(rule.tool == 0 || generate::TOOLS[rule.tool][0] == answer.canonical_tool);
            if let Some(subject) = subject(&call, &answer) {
                prop_assert!(fnmatch::matches_either_case(&rule.pattern, &subject), "{:?} and {:?}", rule, subject);
            }
            let mut without = policy.clone();
            without.rules.remove(index);
            let (text, lines) = without.document();
            let other = Pair::of(&text).answer(&call);
            // Rules behind the one that was taken out have moved up by one.
            let other_named = named(&other, &lines).map(|other| if other >= index { other + 1 } else { other });
            prop_assert!(other.effect != answer.effect || other_named != Some(index), "{} and {}", answer, other);
            prop_assert!(other_named != Some(index));
        }
    }

    // Promise 13: kinds of no are told apart.
    #[test]
    fn kinds_of_deny_are_told_apart(policy in policies(Size::Small), more in bytes(2_000)) {
        let pair = Pair::of(&policy.yaml());
        for call in calls(&more, &policy) {
            let answer = pair.answer(&call);
            let Ok(record) = Call::parse(&call.record) else { continue };
            let reason = pair.compiled.decide(&record).reason();
            let begins = match (answer.provenance, answer.effect) {
                (Provenance::Rule, Effect::Deny) => "denied by rule ",
                (Provenance::Rule, Effect::Ask) => "approval required by rule ",
                (Provenance::Rule, Effect::Allow) => "allowed by rule ",
                (Provenance::Default, _) => "no rule matches ",
                (Provenance::Mode, _) => "mode ",
                (Provenance::ShellControl, _) => "shell control operator ",
                (Provenance::MalformedArguments, _) => "arguments cannot be judged: ",
                _ => "",
            };
            prop_assert!(!begins.is_empty() && reason.starts_with(begins), "{reason:?} for {answer}");
        }
    }

    // Promise 5: keys, modes, tools, patterns.
    #[test]
    fn what_has_no_meaning_is_an_error(policy in policies(Size::Small), word in "[a-z_]{1,9}", at in any::<prop::sample::Index>()) {
        let text = policy.yaml();
        prop_assert!(!refused(&text));
        if !matches!(word.as_str(), "mode" | "allow" | "deny" | "escalate") {
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
            // A top-level key may stand before any other.
            let before = lines[at.index(lines.len())];
            let with_key = text.replacen(before, &format!("{word}: {{}}\n{before}"), 1);
            prop_assert!(refused(&with_key), "{}", with_key);
        }
        if !matches!(word.as_str(), "rules" | "deny_all" | "allow_all") {
            prop_assert!(refused(&text.replacen(policy.mode, &word, 1)));
        }
        for tool in ["'mcp__*'", "'ba?h'", "'[a]'", "'**'", "12", "no", "~"] {
            let document = format!("mode: rules\nallow:\n  {tool}: ['{word}']\n");
            prop_assert!(refused(&document), "{}", document);
        }
        for pattern in ["12", "no", "~", "1.5", "2026-01-01", "[a]", "{a: b}", "&x y", "*", "!x y"] {
            let document = format!("mode: rules\nallow:\n  {word}: [{pattern}]\n");
            prop_assert!(refused(&document), "{}", document);
        }
        for list in ["'*'", "{a: b}", "~", "12"] {
            let document = format!("mode: rules\nallow:\n  {word}: {list}\n");
            prop_assert!(refused(&document), "{}", document);
        }
    }

    // Promise 1, on records that are no calls: the host denies them; nothing else of them is used.
    #[test]
    fn broken_records_are_errors(policy in policies(Size::Small), more in bytes(300)) {
        let compiled = Pair::of(&policy.yaml()).compiled;
        for call in calls(&more, &policy) {
            let record = call.record;
            if serde_json::from_str::<serde_json::Value>(&record).is_err() {
                continue;
            }
            for cut in (0..record.len()).filter(|cut| record.is_char_boundary(*cut)).take(200) {
                if let Ok(read) = Call::parse(&record[..cut]) {
                    panic!("{:?} reads as {read:?}: {}", &record[..cut], compiled.decide(&read).to_json());
                }
            }
            let broken = [
                format!("[{record}]"),
                format!("{record}x"),
                record.replacen('{', "{\"Tool\":\"bash\",", 1),
                record.replacen('{', "{\"tool\":\"bash\",", 1),
            ];
            for text in broken {
                assert!(Call::parse(&text).is_err(), "{text:?}");
            }
        }
    }
}
