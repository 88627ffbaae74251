//! Findings of the family CG05 over many policies: each names a call, and each call is answered as the finding says, by the
//! table and by the reference.

use std::collections::BTreeMap;
use std::path::Path;

use callgate_compiler::{Diagnostic, Options, Source, Witness, compile, inspect};
use callgate_runtime::rule::{Effect, Provenance, Scope};
use callgate_runtime::tool::canonical;
use callgate_runtime::{Arguments, Policy};
use callgate_tests::conformance::engine::{Evaluator, answer_of};
use callgate_tests::generate::{self, Choices, Size, quoted};
use callgate_tests::oracle::layered::{self, SettingsFile};
use callgate_tests::oracle::{self, Answer, CallText};
use callgate_tests::random::Random;

const SOURCE: &str = "policy.yaml";

/// How often each code was found.
type Counts = BTreeMap<&'static str, usize>;

/// A policy that answers: the compiled table beside the reference.
struct Answers {
    table: Policy,
    reference: Box<dyn Evaluator>,
    is_layered: bool,
}

impl Answers {
    fn new(text: &str) -> Option<Self> {
        let source = Source {
            name: SOURCE,
            bytes: text.as_bytes(),
        };
        let compiled = compile(&[source], &Options::default()).policy?;
        let table = Policy::from_bytes(compiled.bytes).expect("a sound table");
        let is_layered = text.starts_with("permissions:\n");
        let reference: Box<dyn Evaluator> = if is_layered {
            let file = SettingsFile {
                source: SOURCE,
                text,
                scope: Scope::Cli,
            };
            Box::new(layered::Policy::of_settings(&[file], false).expect("sound settings"))
        } else {
            Box::new(oracle::permissions(SOURCE, text).expect("sound permissions"))
        };
        Some(Self {
            table,
            reference,
            is_layered,
        })
    }

    /// The answer to a witness as a whole call, which both engines must give.
    fn decide(&self, witness: &Witness) -> Answer {
        let call = CallText {
            audience: witness.audience,
            ..CallText::new(&witness.tool, &self.arguments(witness))
        };
        let answer = Evaluator::decide(&self.table, &call, &[]).expect("an answer");
        let expected = self.reference.decide(&call, &[]).expect("an answer");
        assert_eq!(answer, expected, "{witness}");
        answer
    }

    /// Arguments whose subject is the witness's.
    fn arguments(&self, witness: &Witness) -> String {
        let key = match (self.is_layered, canonical(&witness.tool).as_str()) {
            (true, "shell") | (false, "bash") => "command",
            (false, "editor") => "file_path",
            _ => "path",
        };
        let subject = witness.subject.as_str();
        let named = matches!(canonical(&witness.tool).as_str(), "bash" | "editor" | "reader");
        let text = |text: &str| serde_json::Value::from(text).to_string();
        if canonical(&witness.tool) == "search" && !self.is_layered {
            let (pattern, path) = subject.split_once(' ').unwrap_or((subject, ""));
            return format!("{{\"pattern\":{},\"path\":{}}}", text(pattern), text(path));
        }
        if self.is_layered || named {
            return format!("{{\"{key}\":{}}}", text(subject));
        }
        match subject.split_once(' ') {
            Some((action, rest)) => format!("{{\"action\":{},\"x\":{}}}", text(action), text(rest)),
            None => format!("{{\"action\":{}}}", text(subject)),
        }
    }
}

/// Holds every finding of the family to what it says.
fn confirm(text: &str, options: &Options, counts: &mut Counts) {
    let source = Source {
        name: SOURCE,
        bytes: text.as_bytes(),
    };
    let found = inspect(&source, options).diagnostics;
    let found: Vec<&Diagnostic> = found.iter().filter(|one| one.code.starts_with("CG05")).collect();
    if found.is_empty() {
        return;
    }
    let answers = Answers::new(text).expect("what has such findings compiles");
    for finding in found {
        *counts.entry(finding.code).or_default() += 1;
        place_is_right(finding, text);
        let Some(witness) = &finding.witness else {
            assert_eq!(
                finding.code, "CG0511",
                "a finding without a call: {finding:#?}\n{text}"
            );
            continue;
        };
        // The subject of a tool that is neither known nor layered begins with its action, which a witness need not have.
        let whole = answers.is_layered
            || matches!(canonical(&witness.tool).as_str(), "bash" | "editor" | "reader")
            || (witness.subject.contains(' ') && canonical(&witness.tool) == "search");
        if !whole {
            let verdict = answers.table.decide_text_as(
                &witness.tool,
                &witness.subject,
                witness.audience,
                callgate_runtime::rule::Mode::Default,
            );
            assert_eq!(verdict.effect, witness.effect, "{witness}\n{text}");
            continue;
        }
        let answer = answers.decide(witness);
        assert_eq!(answer.effect, witness.effect, "{witness}\n{text}");
        claims_hold(finding, witness, &answer, text);
    }
}

/// The bytes that a finding marks are the pattern, or the tool's name, as it is written.
fn place_is_right(finding: &Diagnostic, text: &str) {
    let marked = finding.location.span.of(text);
    let (before, line) = (
        &text[..finding.location.span.start],
        text.lines()
            .nth(finding.location.start.line as usize - 1)
            .expect("the line is there"),
    );
    assert!(
        line.contains(marked.lines().next().expect("a marked text")),
        "{marked}"
    );
    assert_eq!(
        before.matches('\n').count() + 1,
        finding.location.start.line as usize
    );
    let written = marked
        .trim_matches(['\'', '"'])
        .replace("''", "'")
        .replace("\\\\", "\\");
    let spec = written
        .split_once('(')
        .map_or(written.as_str(), |(_, rest)| rest.trim_end_matches(')'));
    let is_plain =
        |text: &str| !text.is_empty() && !text.contains(['\\', '`', '\n']) && text.chars().count() <= 40;
    let tool = written.split('(').next().unwrap_or_default();
    // A finding about a tool's name marks the whole spec, and tells the name.
    let spec = if finding.code == "CG0511" { tool } else { spec };
    let shown = [written.as_str(), spec]
        .into_iter()
        .filter(|text| is_plain(text))
        .collect::<Vec<_>>();
    assert!(
        shown.is_empty()
            || shown.iter().any(|text| finding.message.contains(text.trim()))
            || finding.code == "CG0512",
        "`{marked}` in {}",
        finding.message
    );
}

/// What the code's page says of the call.
fn claims_hold(finding: &Diagnostic, witness: &Witness, answer: &Answer, text: &str) {
    let place = finding.location.start;
    let is_decider = answer
        .rule
        .as_ref()
        .is_some_and(|rule| (rule.place.line, rule.place.column) == (place.line, place.column));
    let holds = match finding.code {
        "CG0503" | "CG0504" | "CG0512" | "CG0514" => answer.effect == Effect::Allow && !is_decider,
        "CG0505" | "CG0506" | "CG0507" => answer.effect == Effect::Allow && is_decider,
        "CG0508" => answer.effect == Effect::Deny && answer.provenance == Provenance::ShellControl,
        "CG0502" | "CG0509" | "CG0510" | "CG0513" => !is_decider,
        "CG0501" | "CG0511" => true,
        other => panic!("{other} has no claim here"),
    };
    assert!(holds, "{} {witness}: {answer:?}\n{text}", finding.code);
    if finding.code != "CG0511" && !witness.subject.is_empty() {
        let shown = witness.subject.chars().take(20).collect::<String>();
        let escaped: String = shown
            .chars()
            .flat_map(|c| {
                if c.is_control() {
                    c.escape_default().collect()
                } else {
                    vec![c]
                }
            })
            .collect();
        assert!(
            finding.message.contains(&escaped),
            "the message shows the call: {}",
            finding.message
        );
    }
}

const COMMANDS: &[&str] = &[
    "*",
    "^(rm|mv) *",
    "^rm.*",
    "rm *",
    "rm -rf *",
    "rm -rf*",
    "*rm -rf*",
    "rm -r -f *",
    "git *",
    "git push*",
    "git push --force*",
    "git push * --force*",
    "git tag -d *",
    "git tag*",
    "git diff*",
    "git diff",
    "ls",
    "ls*",
    "ls *",
    "sudo *",
    "kill -9 *",
    "chmod 777 *",
    "curl *",
    "npm publish*",
    "npm *",
    "terraform destroy*",
    "find *",
    "python3 *",
    "python *",
    "*python*",
    "cat * | head",
    "*;*",
    "*&&*",
    "*&*",
    "echo > *",
    "cat ~/.ssh/*",
    "rm -rf \\*",
    "rm\\s+-rf *",
    "git push ",
    " ls",
    "cargo test*",
    "scripts/x.sh",
    "./x.sh *",
    "mkfs*",
    "docker rm -f *",
    "docker *",
    "env *",
    "time *",
    "X=1 *",
    "git -*",
    "git -C * push*",
    "xargs *",
    "su*",
    "uv*",
];
const TOOLS: [&str; 5] = ["Shell", "Read", "Edit", "Deploy", "shell"];
const PATHS: &[&str] = &[
    "*",
    "**/.env",
    "*.{env,key}",
    "//etc/*",
    "./.env",
    ".env",
    "*.env",
    "secrets/*",
    "/etc/*",
    "*/.ssh/*",
    "~/.ssh/*",
    "src/*",
    "README\\.md",
    "a b",
    "x ",
    "C:\\x\\*",
    "*.pem",
    "/etc/passwd",
    "*.git/*",
];

/// A policy of the rules dialect from the words above.
fn rules_text(random: &mut Random) -> String {
    let mut text = String::from("mode: rules\n");
    for effect in ["deny", "allow", "escalate"] {
        text.push_str(&format!("{effect}:\n"));
        for (tool, patterns) in [
            ("bash", COMMANDS),
            ("reader", PATHS),
            ("editor", PATHS),
            ("mcp__files", PATHS),
        ] {
            text.push_str(&format!("  {tool}:\n"));
            for _ in 0..random.below(4) {
                let pattern = random.pick(patterns);
                let cut = if random.chance(5) && pattern.starts_with('g') && !pattern.contains(": ") {
                    format!("    - {} #x\n", pattern.trim())
                } else {
                    format!("    - {}\n", quoted(pattern))
                };
                text.push_str(&cut);
            }
            if text.ends_with(&format!("  {tool}:\n")) {
                text.truncate(text.len() - tool.len() - 4);
            }
        }
        if text.ends_with(&format!("\n{effect}:\n")) {
            text.truncate(text.len() - effect.len() - 2);
        }
    }
    text
}

/// A settings document from the same words.
fn layered_text(random: &mut Random) -> String {
    let mut lists = |indent: &str| {
        let mut text = String::new();
        for effect in ["deny", "ask", "allow"] {
            let specs: Vec<String> = (0..random.below(4))
                .map(|_| match random.below(6) {
                    0 => quoted(TOOLS[random.below(TOOLS.len())]),
                    1 if random.chance(30) => quoted("WebFetch(https://evil.example/*)"),
                    1 | 2 => quoted(&format!(
                        "{}({})",
                        random.pick(&["Read", "Edit", "Write"]),
                        random.pick(PATHS)
                    )),
                    _ => quoted(&format!("Shell({})", random.pick(COMMANDS))),
                })
                .collect();
            text.push_str(&format!("{indent}{effect}: [{}]\n", specs.join(", ")));
        }
        text
    };
    let top = lists("  ");
    let child = lists("    ");
    format!("permissions:\n{top}  subagent:\n{child}")
}

#[test]
fn generated_policies_answer_as_their_findings_say() {
    let mut random = Random::new(70);
    let mut counts = Counts::new();
    let options = Options {
        tools: Some(
            ["bash", "reader", "editor", "Shell", "Read", "Edit", "Write"]
                .map(str::to_owned)
                .into(),
        ),
        ..Options::default()
    };
    for _ in 0..500 {
        confirm(&rules_text(&mut random), &options, &mut counts);
        confirm(&layered_text(&mut random), &options, &mut counts);
    }
    for code in 1..=14 {
        let code = format!("CG05{code:02}");
        let n = counts.get(code.as_str()).copied().unwrap_or_default();
        assert!(n >= 5, "{code} was found {n} times: {counts:?}");
    }
}

#[test]
fn random_patterns_answer_as_their_findings_say() {
    let mut counts = Counts::new();
    for seed in 0..600 {
        let bytes = generate::bytes(seed, 3_000);
        let policy = generate::policy(&mut Choices::new(&bytes), Size::Any);
        confirm(&policy.yaml(), &Options::default(), &mut counts);
    }
    assert!(counts.values().sum::<usize>() > 100, "{counts:?}");
}

/// The policies of the committed vectors, as documents.
#[test]
fn policies_of_the_vectors_answer_as_their_findings_say() {
    let mut counts = Counts::new();
    let (mut n_rules, mut n_layered) = (0, 0);
    for row in rows("rules.jsonl") {
        confirm(
            row["policy"].as_str().expect("a policy"),
            &Options::default(),
            &mut counts,
        );
        n_rules += 1;
    }
    assert!(
        counts.contains_key("CG0503") && counts.contains_key("CG0506"),
        "{counts:?}"
    );
    for row in rows("layered.jsonl") {
        if let Some(text) = settings_of(&row) {
            confirm(&text, &Options::default(), &mut counts);
            n_layered += 1;
        }
    }
    assert_eq!((n_rules, n_layered > 500), (300, true), "{n_layered}");
    println!("{counts:?}");
}

fn rows(name: &str) -> Vec<serde_json::Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name);
    let text = std::fs::read_to_string(path).expect("the vectors are committed");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
        .collect()
}

/// The rules of a row in one file. Their scopes are lost, which changes what is decided and not what must hold.
fn settings_of(row: &serde_json::Value) -> Option<String> {
    let rules = row["rules"].as_array()?;
    let list = |effect: &str, subagent: bool| {
        let specs = rules
            .iter()
            .filter(|rule| rule["effect"] == effect && (rule["audience"] == "subagent") == subagent)
            .filter_map(|rule| rule["spec"].as_str())
            .filter(|spec| !spec.is_empty());
        specs.map(quoted).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::from("permissions:\n");
    for effect in ["deny", "ask", "allow"] {
        text.push_str(&format!("  {effect}: [{}]\n", list(effect, false)));
    }
    text.push_str("  subagent:\n");
    for effect in ["deny", "ask", "allow"] {
        text.push_str(&format!("    {effect}: [{}]\n", list(effect, true)));
    }
    Some(text)
}

/// The same rules in both dialects: where the shell reader sees the command, there is nothing to find.
#[test]
fn the_layered_dialect_sees_through_what_the_rules_dialect_does_not() {
    let codes = |text: &str| -> Vec<&'static str> {
        let source = Source {
            name: SOURCE,
            bytes: text.as_bytes(),
        };
        inspect(&source, &Options::default())
            .diagnostics
            .iter()
            .map(|found| found.code)
            .collect()
    };
    for (deny, allow, layered) in [
        // Paths, quotes, spaces, wrappers and `sh -c` are all that can be changed here.
        ("sudo *", "*", None),
        ("reboot*", "*", None),
        // What only the program knows is seen by neither.
        ("rm -rf *", "rm *", Some("CG0503")),
        ("git push --force*", "git *", Some("CG0503")),
    ] {
        let rules = format!("mode: rules\ndeny: {{bash: ['{deny}', '*&*']}}\nallow: {{bash: ['{allow}']}}\n");
        assert!(codes(&rules).contains(&"CG0503"), "{rules}");
        let settings = format!("permissions:\n  deny: ['Shell({deny})']\n  allow: ['Shell({allow})']\n");
        assert_eq!(
            codes(&settings).iter().find(|code| **code == "CG0503"),
            layered.as_ref(),
            "{settings}"
        );
    }
    for (allow, layered) in [
        ("find *", false),
        ("xargs *", false),
        ("env *", false),
        ("python3 *", true),
        ("npx *", true),
    ] {
        let rules = format!("mode: rules\ndeny: {{bash: ['*&*']}}\nallow: {{bash: ['{allow}']}}\n");
        assert_eq!(codes(&rules), ["CG0506"], "{rules}");
        let settings = format!("permissions:\n  allow: ['Shell({allow})']\n");
        assert_eq!(codes(&settings).contains(&"CG0506"), layered, "{settings}");
    }
}

/// Presets are fixed tables and are not linted. This is what the lints would say if they were: nothing of a deny that is
/// dodged, for none of them allows a shell command.
#[test]
fn presets_allow_no_command() {
    for preset in ["read_only", "safe"] {
        let text = format!("permissions: {preset}\n");
        let answers = Answers::new(&text).unwrap_or_else(|| panic!("{preset}"));
        for line in [
            "rm -fr build",
            "/bin/rm x",
            "ls & reboot",
            "python3 -c x",
            "lsof",
            "X=1 rm x",
            "env reboot",
        ] {
            let args = format!("{{\"command\":{}}}", serde_json::Value::from(line));
            let call = callgate_runtime::Call::new("bash", Arguments::parse(&args));
            assert_ne!(
                answer_of(&answers.table.decide(&call)).effect,
                Effect::Allow,
                "{preset} {line}"
            );
        }
    }
}
