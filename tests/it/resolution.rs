//! The layered dialect's five steps against the one order that tables compile them to, over everything that can match.

use callgate_compiler::emit;
use callgate_compiler::normal::{Dialect, Matcher, NormalPolicy, NormalRule, Origin, PolicyMode, ToolKey};
use callgate_grammar::Position;
use callgate_grammar::pattern::{self, Flavor};
use callgate_runtime::rule::{Audience, Classes, Effect, Provenance, Query, RuleOrder, Scope, Text};
use callgate_runtime::{Arguments, Call, Policy};
use callgate_tests::oracle::Place;
use callgate_tests::oracle::layered::{Order, Rule};

const EFFECTS: [Effect; 3] = [Effect::Deny, Effect::Ask, Effect::Allow];
const LETTERS: &str = "abcdefghijklmnopqr";
const TOOL: &str = "Deploy";

/// A scope, an effect, and the letter whose presence in the subject makes their rule match.
fn pairs() -> Vec<(Scope, Effect, char)> {
    let pairs = Scope::ALL
        .into_iter()
        .flat_map(|scope| EFFECTS.map(|effect| (scope, effect)));
    pairs
        .zip(LETTERS.chars())
        .map(|((scope, effect), letter)| (scope, effect, letter))
        .collect()
}

/// Effect, scope of the reported rule, `configured_ask`.
type Resolved = (Effect, Option<Scope>, bool);

/// The resolution of one subject, as the seed words it, over the scopes and effects that match.
fn five_steps(matching: &[(Scope, Effect)]) -> Resolved {
    // `Scope` is ordered highest first.
    let highest = |wanted: Effect| {
        matching
            .iter()
            .filter(|(_, effect)| *effect == wanted)
            .map(|(scope, _)| *scope)
            .min()
    };
    // 1. plan mode gate, before any rule: no call here is in plan mode
    // 2. any matching deny, in any scope
    if let Some(scope) = highest(Effect::Deny) {
        return (Effect::Deny, Some(scope), false);
    }
    let asked = |scope: Scope| (Effect::Ask, Some(scope), scope != Scope::BuiltinDefault);
    match (highest(Effect::Ask), highest(Effect::Allow)) {
        // 3. ask wins, except that an allow of a higher scope loosens an ask of `builtin_default`; 5. on a tie too
        (Some(ask), Some(allow)) if ask == Scope::BuiltinDefault && allow < ask => {
            (Effect::Allow, Some(allow), false)
        }
        (Some(ask), _) => asked(ask),
        (None, Some(allow)) => (Effect::Allow, Some(allow), false),
        // 4. nothing matches
        (None, None) => (Effect::Ask, None, false),
    }
}

fn pattern_of(letter: char) -> String {
    format!("*{letter}*")
}

fn table(pairs: &[(Scope, Effect, char)]) -> Policy {
    let rules = pairs.iter().map(|(scope, effect, letter)| NormalRule {
        effect: *effect,
        tool: ToolKey::Named(TOOL.to_owned()),
        pattern: pattern_of(*letter),
        matcher: Matcher::Glob {
            tokens: pattern::parse(&pattern_of(*letter), Flavor::Layered),
            lowered: None,
        },
        scope: Some(*scope),
        audience: Audience::All,
        origin: Origin {
            source: String::from("x.yaml"),
            position: Position { line: 1, column: 1 },
        },
    });
    let policy = NormalPolicy {
        dialect: Dialect::Layered,
        mode: PolicyMode::Rules,
        rules: rules.collect(),
        loose_substitution_main: false,
        loose_substitution_child: false,
    };
    Policy::from_bytes(emit::table(&policy).expect("a small table")).expect("a sound table")
}

/// The letters of the subset, and what matches them.
fn subset(pairs: &[(Scope, Effect, char)], bits: u32) -> (String, Vec<(Scope, Effect)>) {
    let chosen = pairs
        .iter()
        .enumerate()
        .filter(|(index, _)| bits >> index & 1 == 1)
        .map(|(_, pair)| pair);
    chosen
        .map(|(scope, effect, letter)| (*letter, (*scope, *effect)))
        .unzip()
}

/// Holds the table against the five steps for every set of matching pairs.
fn every_set_agrees(pairs: &[(Scope, Effect, char)]) {
    let policy = table(pairs);
    let order = policy.order(Audience::Main);
    for bits in 0..1_u32 << pairs.len() {
        let (subject, matching) = subset(pairs, bits);
        let expected = five_steps(&matching);

        let query = Query {
            tool: TOOL,
            text: Text::Whole(&subject),
            classes: Classes::ALL,
            assigned: &[],
        };
        let facts = order.first(&query).map(|rank| order.facts(rank));
        let by_rank = facts.map_or((Effect::Ask, None), |facts| (facts.effect, facts.scope));
        assert_eq!(
            by_rank,
            (expected.0, expected.1),
            "the smallest rank for {matching:?}"
        );

        let args = format!("{{\"path\":\"{subject}\"}}");
        let decision = policy.decide(&Call::new(TOOL, Arguments::parse(&args)));
        let scope = decision.rule.as_ref().and_then(|rule| rule.scope);
        assert_eq!(
            (decision.effect, scope, decision.configured_ask),
            expected,
            "deciding on {matching:?}"
        );
        let by_rule = decision.provenance == Provenance::Rule;
        assert_eq!(by_rule, expected.1.is_some(), "the provenance for {matching:?}");
    }
}

#[test]
fn the_smallest_rank_is_what_five_steps_give_for_every_set_of_matches() {
    assert_eq!(pairs().len(), 18);
    every_set_agrees(&pairs());
}

#[test]
fn document_order_never_changes_an_effect() {
    let mut reversed = pairs();
    reversed.reverse();
    every_set_agrees(&reversed);
}

#[test]
fn the_reference_takes_the_same_steps() {
    let pairs = pairs();
    let rules = pairs.iter().map(|(scope, effect, letter)| Rule {
        scope: *scope,
        effect: *effect,
        tool: TOOL.to_owned(),
        pattern: pattern_of(*letter),
        exact: false,
        audience: Audience::All,
        place: Place::default(),
    });
    let order = Order::new(rules.collect());
    // The reference walks its list for every question, so every 31st set has to do. 31 shares no factor with 2^18.
    for bits in (0..1_u32 << pairs.len()).step_by(31) {
        let (subject, matching) = subset(&pairs, bits);
        let query = Query {
            tool: TOOL,
            text: Text::Whole(&subject),
            classes: Classes::ALL,
            assigned: &[],
        };
        let rule = order.first(&query).and_then(|rank| order.rule(rank).cloned());
        let found = rule.map_or((Effect::Ask, None), |rule| (rule.effect, Some(rule.scope)));
        let expected = five_steps(&matching);
        assert_eq!(found, (expected.0, expected.1), "{matching:?}");
    }
}

#[test]
fn within_one_scope_the_first_in_document_order_is_reported() {
    for effect in EFFECTS {
        for scope in Scope::ALL {
            let policy = table(&[(scope, effect, 'b'), (scope, effect, 'a')]);
            let decision = policy.decide(&Call::new(TOOL, Arguments::parse(r#"{"path":"ab"}"#)));
            assert_eq!(
                decision.rule.expect("a rule").pattern,
                "*b*",
                "{effect:?} {scope:?}"
            );
        }
    }
}
