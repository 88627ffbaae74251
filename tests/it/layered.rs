//! Random settings files, compiled and in the reference: every call, audience and mode gets one answer from both.

use callgate_compiler::{Options, Severity, Source, compile};
use callgate_runtime::rule::{Audience, Effect, Mode, Scope};
use callgate_runtime::shell;
use callgate_tests::conformance::engine::{Evaluator, answer_of};
use callgate_tests::generate::shell_line;
use callgate_tests::oracle::layered::{Policy, SettingsFile};
use callgate_tests::oracle::{self, CallText};
use callgate_tests::random::Random;

/// Names whose scope their path says (page 30, ruling 33).
const FILES: &[(&str, Scope)] = &[
    ("operator.yaml", Scope::Cli),
    ("work/.mecatl/settings.local.yaml", Scope::LocalProject),
    ("work/.mecatl/settings.yaml", Scope::SharedProject),
    ("config/mecatl/settings.yaml", Scope::User),
    ("another.yaml", Scope::Cli),
];
const TOOLS: &[&str] = &[
    "Shell", "Shell", "Bash", "Read", "Edit", "Write", "Copy", "Deploy",
];
const PATTERNS: &[&str] = &[
    "git:*",
    "git push*",
    "ls*",
    "rm *",
    "*",
    "?",
    "* x",
    "echo *",
    "echo * > *",
    "*>*",
    "cat*",
    "pwd",
    "src/*",
    "*.key",
    "src/a.rs",
    "PYTHONPATH=src *",
    "timeout 5 rm *",
    "*b*",
    "/bin/*",
    "good*",
    "sh -c*",
    "xargs *",
];
const LINES: &[&str] = &[
    "git push origin",
    "ls",
    "ls -la src",
    "rm x",
    "/bin/rm x",
    "r''m x",
    "ls; rm x",
    "ls && git status",
    "pwd",
    "echo $(rm x)",
    "echo $(pwd)",
    "echo a > b",
    "cat < f",
    "PYTHONPATH=src pytest x",
    "MY_PYTHONPATH=src PATH=x ls",
    "timeout 5 rm x",
    "sh -c 'rm x'",
    "xargs rm",
    "find . -exec rm {} +",
    "(git status)",
    "# nothing",
    "'",
    " ",
    "A=1",
    "for i in a; do rm x; done",
    "cat <<E\nrm x\nE",
    "sudo ls",
    "[[ a ]]",
    "$X",
    "git log | cat",
];
const TEXTS: &[&str] = &["src/a.rs", "b", "", "x.key", "é", "src/b x"];
const MODES: [Mode; 3] = [Mode::Default, Mode::Plan, Mode::AcceptEdits];
const AUDIENCES: [Audience; 3] = [Audience::Main, Audience::Subagent, Audience::All];

/// A list of rule specs under each effect.
fn buckets(random: &mut Random, indent: &str) -> String {
    let mut text = String::new();
    for effect in ["deny", "ask", "allow"] {
        let specs: Vec<String> = (0..random.below(4)).map(|_| spec(random)).collect();
        text.push_str(&format!("{indent}{effect}: [{}]\n", specs.join(", ")));
    }
    text
}

fn spec(random: &mut Random) -> String {
    let tool = random.pick(TOOLS);
    if random.chance(30) {
        format!("'{tool}'")
    } else {
        format!("'{tool}({})'", random.pick(PATTERNS))
    }
}

fn settings(random: &mut Random) -> String {
    let mut text = format!("permissions:\n{}", buckets(random, "  "));
    if random.chance(50) {
        text.push_str(&format!("  subagent:\n{}", buckets(random, "    ")));
    }
    if random.chance(20) {
        text.push_str(&format!(
            "posture: {}\n",
            random.pick(&["strict", "trusted", "auto", "yolo"])
        ));
    }
    text
}

fn call(random: &mut Random) -> CallText {
    let tool = *random.pick(&[
        "Shell", "Shell", "Read", "Edit", "Write", "Copy", "Move", "Team", "Deploy", "Bash",
    ]);
    let text = |random: &mut Random| {
        let is_shell = tool == "Shell" || tool == "Bash";
        if is_shell && random.chance(60) {
            return serde_json::Value::from(shell_line(random)).to_string();
        }
        let texts = if is_shell { LINES } else { TEXTS };
        serde_json::Value::from(*random.pick(texts)).to_string()
    };
    let (one, two) = (text(random), text(random));
    let args = match random.below(12) {
        0 => String::from("{}"),
        1 => format!("{{\"command\":{one},\"command\":{two}}}"),
        2 => format!("{{\"Path\":{one},\"Command\":{one}}}"),
        3 => String::from(r#"{"path":7,"command":null,"source":[]}"#),
        4 => String::from("[1]"),
        _ if tool == "Shell" => format!("{{\"cmd\":{two},\"command\":{one}}}"),
        _ if tool == "Copy" || tool == "Move" => format!("{{\"source\":{one},\"destination\":{two}}}"),
        _ => format!("{{\"url\":{two},\"action\":\"do\",\"path\":{one}}}"),
    };
    CallText {
        audience: *random.pick(&AUDIENCES),
        mode: *random.pick(&MODES),
        ..CallText::new(tool, &args)
    }
}

#[test]
fn settings_files_decide_as_the_reference_says() {
    let mut random = Random::new(30);
    for _ in 0..150 {
        let n_files = 1 + random.below(FILES.len());
        let texts: Vec<(&str, Scope, String)> = FILES
            .iter()
            .take(n_files)
            .map(|(name, scope)| (*name, *scope, settings(&mut random)))
            .collect();
        let trusted = random.chance(50);
        let files: Vec<SettingsFile<'_>> = texts
            .iter()
            .map(|(source, scope, text)| SettingsFile {
                source,
                text,
                scope: *scope,
            })
            .collect();
        let reference = Policy::of_settings(&files, trusted).expect("sound settings");

        let sources: Vec<Source<'_>> = texts
            .iter()
            .map(|(name, _, text)| Source {
                name,
                bytes: text.as_bytes(),
            })
            .collect();
        let options = Options {
            trusted_workspace: trusted,
            ..Options::default()
        };
        let compilation = compile(&sources, &options);
        let errors = compilation
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error);
        let errors: Vec<String> = errors
            .map(|found| format!("{}: {}", found.code, found.message))
            .collect();
        let compiled = compilation
            .policy
            .unwrap_or_else(|| panic!("{errors:?} in {texts:?}"));
        let table = callgate_runtime::Policy::from_bytes(compiled.bytes).expect("a sound table");

        for _ in 0..60 {
            let learned: Vec<CallText> = (0..random.below(3)).map(|_| call(&mut random)).collect();
            let call = call(&mut random);
            let expected = Evaluator::decide(&reference, &call, &learned).expect("an answer");
            let found = Evaluator::decide(&table, &call, &learned).expect("an answer");
            assert_eq!(
                expected, found,
                "{call:?} after {learned:?}, trusted {trusted}, in {texts:#?}"
            );
        }
    }
}

/// What is told of the segments of a line is what the decision on it is folded from.
#[test]
fn a_line_is_the_strictest_of_its_segments() {
    let mut random = Random::new(35);
    let mut strict = 0;
    for _ in 0..100 {
        let text = settings(&mut random);
        let source = Source {
            name: "operator.yaml",
            bytes: text.as_bytes(),
        };
        let Some(compiled) = compile(&[source], &Options::default()).policy else {
            continue;
        };
        let table = callgate_runtime::Policy::from_bytes(compiled.bytes).expect("a sound table");
        for _ in 0..60 {
            let (line, audience) = (shell_line(&mut random), *random.pick(&AUDIENCES));
            let rulings = table.segment_rulings(&table.order(audience), audience, &line);
            let read = shell::read(&line);
            assert_eq!(rulings.len(), read.units.len());
            let decided = table.decide_text_as("Shell", &line, audience, Mode::Default);
            let strictest = rulings.iter().map(|ruling| ruling.effect).min();
            match strictest {
                Some(effect) if effect != Effect::Allow => assert_eq!(decided.effect, effect, "{line}"),
                _ if read.fault.is_none() && read.has_segment() => {
                    assert_eq!(decided.effect, Effect::Allow, "{line}");
                }
                _ => assert_ne!(decided.effect, Effect::Allow, "{line}"),
            }
            strict += usize::from(decided.effect != Effect::Allow);
        }
    }
    assert!(strict > 500, "{strict}");
}

#[test]
fn a_star_never_hides_a_rule_for_the_whole_tool() {
    // `*` does not match an empty subject, so the second deny is needed, however many rules there are.
    for n_others in [0, 5, 20, 200] {
        let others: Vec<String> = (0..n_others)
            .map(|index| format!("'Deploy(x{index}*)'"))
            .collect();
        for effect in ["deny", "ask"] {
            let text = format!(
                "permissions:\n  {effect}: ['Deploy(*)', Deploy, {}]\n  allow: [Deploy]\n",
                others.join(", ")
            );
            let source = Source {
                name: "operator.yaml",
                bytes: text.as_bytes(),
            };
            let compiled = compile(&[source], &Options::default())
                .policy
                .expect("it compiles");
            let table = callgate_runtime::Policy::from_bytes(compiled.bytes).expect("a sound table");
            for args in ["{}", "[]", r#"{"path":""}"#, r#"{"path":"a"}"#] {
                let call = CallText::new("Deploy", args);
                let answer = Evaluator::decide(&table, &call, &[]).expect("an answer");
                assert_eq!(answer.effect.name(), effect, "{args} with {n_others} other rules");
            }
        }
    }
}

#[test]
fn presets_decide_as_the_reference_says() {
    let calls = [
        ("bash", r#"{"command":"ls -la"}"#),
        ("Bash_Tool", r#"{"command":"rm -rf x"}"#),
        ("bash", r#"{"command":"ls | cat"}"#),
        ("bash", r#"{"command":7}"#),
        ("editor", r#"{"file_path":"a"}"#),
        ("READER", r#"{"path":"a"}"#),
        ("search", r#"{"pattern":"a"}"#),
        ("context_tool", r#"{"action":"get","n":1.50}"#),
        ("mcp", "{}"),
    ];
    for preset in ["allow_all", "deny_all", "read_only", "safe"] {
        let text = format!("permissions: {preset}\n");
        let reference = oracle::permissions("settings.yaml", &text).expect("a preset");
        let source = Source {
            name: "settings.yaml",
            bytes: text.as_bytes(),
        };
        let compiled = compile(&[source], &Options::default())
            .policy
            .expect("a preset compiles");
        let table = callgate_runtime::Policy::from_bytes(compiled.bytes).expect("a sound table");
        for (tool, args) in calls {
            let read = callgate_runtime::Call::new(tool, callgate_runtime::Arguments::parse(args));
            let found = answer_of(&table.decide(&read));
            assert_eq!(
                reference.decide(&CallText::new(tool, args)),
                found,
                "{preset} {tool} {args}"
            );
        }
    }
}
