//! The spellings are the same command: to the shell reader of the layered dialect, which tells a deny of it from other lines.

use std::collections::BTreeSet;

use callgate_runtime::Policy;
use callgate_runtime::rule::{Effect, Mode};

use super::{Command, spellings};
use crate::{Options, Source, compile};

const COMMANDS: [&str; 12] = [
    "rm -rf build",
    "rm build",
    "git push --force origin",
    "git reset --hard HEAD",
    "sudo reboot",
    "curl example.org",
    "npm publish",
    "terraform destroy",
    "docker rm -f x",
    "chmod 777 build",
    "make",
    "kubectl delete x",
];

/// What only the program itself sees, and not a shell.
const OWN_WAYS: [&str; 7] = [
    "with its options in another order",
    "with an option by its other name",
    "with its options apart",
    "with its options together",
    "with its options at the end",
    "by another name",
    "with an option before the subcommand",
];

fn policy(text: &str) -> Policy {
    let source = Source {
        name: "policy.yaml",
        bytes: text.as_bytes(),
    };
    let compilation = compile(&[source], &Options::default());
    Policy::from_bytes(compilation.policy.unwrap().bytes).unwrap()
}

/// Page 90, promise 9: a spelling that a shell undoes is refused with the plain one, whatever is allowed.
#[test]
fn the_shell_reader_sees_through_every_spelling_that_a_shell_undoes() {
    let (mut seen, mut unseen) = (BTreeSet::new(), BTreeSet::new());
    for line in COMMANDS {
        let policy = policy(&format!(
            "permissions:\n  deny: ['Shell({line})']\n  allow: ['Shell']\n"
        ));
        let decide = |line: &str| policy.decide_text("Shell", line, Mode::Default).effect;
        assert_eq!(decide(line), Effect::Deny);
        assert_eq!(decide("ls"), Effect::Allow);
        for spelling in spellings(&Command::plain(line).unwrap()) {
            if OWN_WAYS.contains(&spelling.how) {
                unseen.extend((decide(&spelling.text) == Effect::Allow).then_some(spelling.how));
            } else {
                assert_ne!(decide(&spelling.text), Effect::Allow, "{line}: {}", spelling.text);
                seen.insert(spelling.how);
            }
        }
    }
    assert!(seen.len() >= 10, "{seen:?}");
    assert_eq!(
        unseen.into_iter().collect::<BTreeSet<_>>(),
        OWN_WAYS
            .into_iter()
            .filter(|how| *how != "with its options together")
            .collect()
    );
}

/// In the rules dialect a spelling is another text, and no spelling holds a control operator that would refuse it.
#[test]
fn the_rules_dialect_sees_another_text() {
    for line in COMMANDS {
        let policy = policy(&format!(
            "mode: rules\ndeny: {{bash: ['{line}']}}\nallow: {{bash: ['*']}}\n"
        ));
        let decide = |line: &str| policy.decide_text("bash", line, Mode::Default).effect;
        assert_eq!(decide(line), Effect::Deny);
        let spellings = spellings(&Command::plain(line).unwrap());
        assert!(spellings.len() >= 10, "{line}");
        for spelling in spellings {
            assert_eq!(decide(&spelling.text), Effect::Allow, "{}", spelling.text);
        }
    }
}
