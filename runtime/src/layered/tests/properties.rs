//! Properties that hold for any line.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq, proptest};

use super::order::{Order, Rule};
use crate::layered::{ArgValue, Arguments, LayeredCall, LayeredOptions, judge, learnable};
use crate::rule::{Audience, Effect, Mode, Scope};
use crate::shell;

/// Pieces that lines go wrong at.
const TOKENS: &[&str] = &[
    "bad",
    "good",
    "ls",
    "cat",
    "x",
    "-c",
    "-exec",
    "{}",
    "+",
    "\\;",
    ";",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "\n",
    " ",
    "\t",
    "(",
    ")",
    "{ ",
    "}",
    "((",
    "))",
    "[[ ",
    " ]]",
    "$(",
    "${",
    "$((",
    "$[",
    "]",
    "`",
    "'",
    "\"",
    "$'",
    "$\"",
    "\\",
    "\\\n",
    "#",
    " #",
    "<",
    ">",
    "<<E",
    "<<-E",
    "<<'E'",
    "\nE\n",
    "<<<",
    "<(",
    ">(",
    ">&",
    "2>&1",
    "&>",
    "{fd}>",
    "~",
    "*",
    "?",
    "[",
    "if ",
    "then ",
    "else ",
    "fi",
    "for ",
    "in ",
    "do ",
    "done",
    "case ",
    "esac",
    ";;",
    "while ",
    "function ",
    "time ",
    "! ",
    "coproc ",
    "f() ",
    "A=1 ",
    "A=(",
    "PATH=",
    "env ",
    "timeout 5 ",
    "sudo ",
    "eval ",
    "sh -c ",
    "xargs ",
    "find . ",
    "trap ",
    "export ",
    "$X",
    "\"$X\"",
    "$@",
    "docker run ",
    "ssh h ",
    "parallel ",
    "é",
    "\u{0}",
    "=",
    ",",
    "..",
    "a[",
    "-o",
    "--",
    "git ",
    "log ",
    "printf ",
    "read ",
    "@(",
    "=~ ",
];

fn lines() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(TOKENS), 0..40).prop_map(|tokens| tokens.concat())
}

fn order() -> Order {
    let rule = |effect, spec| Rule::new(Scope::User, effect, spec);
    Order::new(
        Vec::from([
            rule(Effect::Deny, "Shell(bad*)"),
            rule(Effect::Ask, "Shell(* > x*)"),
            rule(Effect::Allow, "Shell(good*)"),
            rule(Effect::Allow, "Shell(ls*)"),
        ]),
        Audience::Main,
    )
}

fn check(line: &str) {
    let members = [(Cow::Borrowed("command"), ArgValue::String(Cow::Borrowed(line)))];
    let arguments = Arguments {
        malformed: None,
        members: &members,
    };
    let order = order();
    for mode in [Mode::Default, Mode::Plan, Mode::AcceptEdits] {
        let call = LayeredCall {
            tool: "Shell",
            arguments,
            mode,
        };
        for loose_substitution in [false, true] {
            let options = LayeredOptions {
                learned: None,
                loose_substitution,
            };
            let judgement = judge(&order, &call, &options);
            assert_eq!(judgement, judge(&order, &call, &options));
            if judgement.effect != Effect::Ask {
                assert!(!judgement.configured_ask && !judgement.floored_configured_allow);
            }
            assert!(!(judgement.configured_ask && judgement.floored_configured_allow));
            if shell::read(line).fault.is_some() {
                assert_ne!(judgement.effect, Effect::Allow);
            }
        }
        let _ = learnable(&call);
    }
}

proptest! {
    #[test]
    fn any_text_has_one_judgement(line in any::<String>()) {
        check(&line);
    }

    #[test]
    fn any_mixture_of_tokens_has_one_judgement(line in lines()) {
        check(&line);
    }

    #[test]
    fn learned_lines_are_allowed(line in lines()) {
        let members = [(Cow::Borrowed("command"), ArgValue::String(Cow::Borrowed(line.as_str())))];
        let call = LayeredCall {
            tool: "Shell",
            arguments: Arguments { malformed: None, members: &members },
            mode: Mode::Default,
        };
        if let Ok(rule) = learnable(&call) {
            prop_assert!(!rule.pattern.is_empty());
            prop_assert_eq!(shell::read(&rule.pattern).fault, None);
        }
    }
}
