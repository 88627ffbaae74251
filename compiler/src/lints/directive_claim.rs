//! CG0305: a directive that claims to be enforced. Nothing stands behind it, and its readers would rely on it.

/// What is said of calls that something stops.
const STOPPED: [&str; 7] = [
    "auto-denied",
    "blocked",
    "denied",
    "disallowed",
    "enforced",
    "intercepted",
    "refused",
];

/// Words between the verb and what is said.
const ADVERBS: [&str; 6] = ["always", "automatically", "hard", "now", "strictly", "therefore"];

/// Who would stop a call, after "by".
const ENFORCERS: [&str; 16] = [
    "callgate",
    "default",
    "gate",
    "guard",
    "harness",
    "hook",
    "hooks",
    "permissions",
    "policy",
    "policies",
    "rule",
    "rules",
    "runtime",
    "sandbox",
    "system",
    "tool",
];

/// Words that make what follows a condition and no claim.
const CONDITIONS: [&str; 13] = [
    "after", "before", "because", "if", "in case", "once", "unless", "until", "when", "whenever", "where",
    "whether", "while",
];

/// Claims whatever stands around them.
const GRANTS: [&str; 8] = [
    "has permission to",
    "have permission to",
    "is granted permission",
    "are granted permission",
    "is permitted to run",
    "are permitted to run",
    "is allowed to run",
    "are allowed to run",
];

/// The claim in a directive, in its own words. In `conditions` (the `escalations:` list) each item names a state to
/// watch for, so "is blocked" describes and does not promise there.
pub(crate) fn claim_in(text: &str, conditions: bool) -> Option<String> {
    let lowered = text.to_lowercase();
    lowered
        .split(['.', ';', '!', '?', '\n'])
        .find_map(|sentence| claim(sentence, conditions))
}

fn claim(sentence: &str, conditions: bool) -> Option<String> {
    let words: Vec<&str> = sentence
        .split(|character: char| character.is_whitespace() || character == ',')
        .filter(|word| !word.is_empty())
        .collect();
    let found = stopped(&words, conditions).or_else(|| granted(&words))?;
    let before = words.get(..found.start)?.join(" ");
    let conditional = CONDITIONS
        .iter()
        .any(|word| format!(" {before} ").contains(&format!(" {word} ")));
    (!conditional).then(|| words.get(found).unwrap_or_default().join(" "))
}

/// `is blocked`, `will be automatically denied`, …
fn stopped(words: &[&str], conditions: bool) -> Option<std::ops::Range<usize>> {
    (0..words.len()).find_map(|start| {
        let rest = words.get(start..)?;
        let promise = rest.starts_with(&["will", "be"]) || rest.starts_with(&["will", "get"]);
        let state = matches!(rest.first(), Some(&("is" | "are" | "gets" | "get")));
        let verb = if promise { 2 } else { 1 };
        if !(promise || (state && !conditions)) {
            return None;
        }
        let adverb = usize::from(rest.get(verb).is_some_and(|word| ADVERBS.contains(word)));
        let participle = rest.get(verb.saturating_add(adverb))?;
        let end = verb.saturating_add(adverb).saturating_add(1);
        let by_whom = rest.get(end..).unwrap_or_default();
        let claimed = STOPPED.contains(participle) && (promise || is_claim(by_whom));
        claimed.then(|| start..start.saturating_add(end))
    })
}

/// Whether what follows "is blocked" leaves it a claim: nothing more, or an enforcer; not "by a dependency", "on review".
fn is_claim(following: &[&str]) -> bool {
    match following.first() {
        Some(&"by") => following
            .iter()
            .skip(1)
            .take(4)
            .any(|word| ENFORCERS.contains(word)),
        Some(&("on" | "until" | "pending" | "from" | "waiting")) => false,
        _ => true,
    }
}

fn granted(words: &[&str]) -> Option<std::ops::Range<usize>> {
    GRANTS.iter().find_map(|grant| {
        let due: Vec<&str> = grant.split(' ').collect();
        (0..words.len()).find_map(|start| {
            words
                .get(start..)?
                .starts_with(&due)
                .then(|| start..start.saturating_add(due.len()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::claim_in;

    #[test]
    fn claims() {
        for text in [
            "Writing outside src is blocked.",
            "Access to production is automatically denied.",
            "Any call to rm will be denied",
            "Pushes are blocked by the policy.",
            "This role has permission to run migrations.",
            "These limits are enforced.",
            "Ask first; deletes will be blocked.",
        ] {
            assert!(claim_in(text, false).is_some(), "{text}");
        }
        assert_eq!(
            claim_in("The call will be denied", true).as_deref(),
            Some("will be denied")
        );
    }

    #[test]
    fn guidance() {
        for text in [
            "The critical path is blocked by a dependency that cannot be resolved",
            "The learner is blocked on a prerequisite concept",
            "Escalate when a handoff is blocked.",
            "Cannot deploy without explicit permission.",
            "Check whether the team has permission to publish.",
            "Block release while any finding is unresolved.",
            "Shortcuts are not permitted without explicit escalation.",
            "Delete records when the execution context grants delete permission.",
        ] {
            assert_eq!(claim_in(text, false), None, "{text}");
        }
        assert_eq!(claim_in("A handoff is blocked", true), None);
    }
}
