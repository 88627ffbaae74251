//! Globs full of brackets, in the table and in the reference: the corners that ordinary policies never reach.

use callgate_runtime::case;
use callgate_tests::conformance::engine;
use callgate_tests::conformance::policy::{CompiledPolicy, PolicyText};
use callgate_tests::oracle::{CallText, fnmatch};
use callgate_tests::random::Random;

/// What sets are made of, hyphens and brackets more often than anything else.
const PATTERN: &[char] = &[
    'a', 'b', '-', '-', '!', ']', ']', '[', '[', '^', '\\', '&', '|', '~', '*', '?', 'z', 'A', 'Z', 'É', 'é',
    'İ', 'Σ',
];
const TEXT: &[char] = &[
    'a', 'b', '-', '!', ']', '[', '^', '\\', '&', '|', '~', 'z', 'A', 'Z', 'É', 'é', 'İ', 'Σ', 'ς', '😀',
];

fn text(random: &mut Random, characters: &[char], longest: usize) -> String {
    (0..random.below(longest + 1))
        .map(|_| *random.pick(characters))
        .collect()
}

fn pattern(random: &mut Random) -> String {
    let inside = text(random, PATTERN, 9);
    match random.below(3) {
        0 => inside,
        1 => format!("[{inside}]"),
        _ => format!("[{inside}]*{}", text(random, PATTERN, 2)),
    }
}

#[test]
fn sets_mean_the_same_in_every_engine() {
    let mut random = Random::new(20);
    for _ in 0..300 {
        let mut document = String::from("mode: rules\n");
        for effect in ["deny", "allow", "escalate"] {
            let patterns: Vec<String> = (0..random.below(8)).map(|_| pattern(&mut random)).collect();
            let patterns = serde_json::to_string(&patterns).expect("strings are JSON");
            document.push_str(&format!("{effect}: {{reader: {patterns}}}\n"));
        }
        let policy = CompiledPolicy::new(PolicyText::Document(document.clone())).expect("it compiles");
        let loaded = engine::all().map(|engine| engine.load(&policy).expect("it loads"));
        for _ in 0..30 {
            let args = serde_json::json!({ "path": text(&mut random, TEXT, 4) }).to_string();
            let call = CallText::new("reader", &args);
            let [reference, table] = [0, 1].map(|index| loaded[index].decide(&call, &[]).expect("an answer"));
            assert_eq!(reference, table, "{args} under\n{document}");
        }
    }
}

#[test]
fn a_set_that_only_lowercasing_makes_has_both_readings() {
    // `]-A` is a reversed range, so as it is written the set is any character; lowercased it leaves `]` to `a` out.
    let document = String::from("mode: rules\nallow: {reader: ['[!]-A]*']}\n");
    let policy = CompiledPolicy::new(PolicyText::Document(document)).expect("it compiles");
    for engine in engine::all() {
        let loaded = engine.load(&policy).expect("it loads");
        for path in ["]", "^", "a", "A", "b"] {
            let call = CallText::new("reader", &serde_json::json!({ "path": path }).to_string());
            let answer = loaded.decide(&call, &[]).expect("an answer");
            assert_eq!(answer.effect.name(), "allow", "{path} in {}", engine.name());
        }
    }
}

#[test]
fn every_character_has_one_lowercase() {
    for character in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
        let expected = fnmatch::lowered(&character.to_string());
        assert_eq!(
            case::lower(character).to_string(),
            expected,
            "U+{:04X}",
            u32::from(character)
        );
    }
}
