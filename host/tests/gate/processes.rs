//! Hooks as processes: input, failures, deadlines, and groups that end.
#![cfg(unix)]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use callgate_host::hooks::{CommandHook, HookFailure, HookLimits, SettingsHooks};
use callgate_runtime::interceptor::ArgumentMapping;
use callgate_runtime::plan::HandlerId;

use crate::hooks::read;
use crate::waiting::wait;

const SHORT: HookLimits = HookLimits {
    deadline: Duration::from_millis(500),
    grace: Duration::from_millis(150),
};

/// A folder of its own, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("callgate-hooks-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The one `pre` hook with these words, as a flow sequence.
fn hook(words: &str) -> CommandHook {
    let document = read(&format!("hooks: {{pre: {{bash: {{command: {words}}}}}}}"));
    let hooks = SettingsHooks::declare(&[&document], &BTreeSet::new()).unwrap();
    hooks
        .command(&hooks.declarations().transforms["bash"][0])
        .unwrap()
        .clone()
}

fn run(hook: &CommandHook, arguments: &str, limits: HookLimits) -> Result<(), HookFailure> {
    let arguments = ArgumentMapping::parse(arguments).unwrap();
    wait(hook.start(&arguments, arguments.as_str(), limits)?)
}

fn arguments(file: &str) -> String {
    format!(r#"{{"file": "{file}", "n": 1.50}}"#)
}

#[test]
fn arguments_come_on_standard_input_and_success_says_nothing() {
    let folder = Folder::new();
    let copy = hook(r#"[dd, "of={file}", status=none]"#);
    let file = folder.file("input");
    assert_eq!(run(&copy, &arguments(&file), HookLimits::default()), Ok(()));
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        format!(r#"{{"file":"{file}","n":1.5}}"#)
    );
}

#[test]
fn a_hook_that_reads_nothing_of_a_large_input_succeeds() {
    let large = format!(r#"{{"text": "{}"}}"#, "x".repeat(1 << 20));
    assert_eq!(run(&hook("['true']"), &large, HookLimits::default()), Ok(()));
}

#[test]
fn what_fails_or_cannot_start_is_told() {
    let complain = hook(r#"[sh, "-c", "echo no >&2; exit 3"]"#);
    let failed = HookFailure::Failed {
        status: Some(3),
        message: "no".to_owned(),
    };
    assert_eq!(run(&complain, "{}", HookLimits::default()), Err(failed));
    let killed = hook(r#"[sh, "-c", "kill -KILL $$"]"#);
    let by_signal = HookFailure::Failed {
        status: None,
        message: String::new(),
    };
    assert_eq!(run(&killed, "{}", HookLimits::default()), Err(by_signal));
    let absent = run(&hook("[callgate-no-such-program]"), "{}", HookLimits::default());
    assert!(matches!(absent, Err(HookFailure::Start(_))), "{absent:?}");
    let nul = run(
        &hook(r#"['true', "{a}"]"#),
        r#"{"a": "x\u0000y"}"#,
        HookLimits::default(),
    );
    assert!(matches!(nul, Err(HookFailure::Start(_))), "{nul:?}");
}

#[test]
fn a_flood_of_messages_is_cut_and_does_not_block() {
    let flood = hook(r#"[sh, "-c", "head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 1"]"#);
    let failed = HookFailure::Failed {
        status: Some(1),
        message: "x".repeat(4096),
    };
    assert_eq!(run(&flood, "{}", HookLimits::default()), Err(failed));
}

/// Counts up in `file` for as long as it lives.
const BEAT: &str = "i=0; while :; do i=$((i+1)); echo $i > $0; sleep 0.01; done";

/// Whether whoever wrote to the file is gone: nothing is written during ten of its beats.
fn is_silent(file: &str) -> bool {
    let before = fs::read_to_string(file).unwrap_or_default();
    std::thread::sleep(Duration::from_millis(100));
    before == fs::read_to_string(file).unwrap_or_default()
}

#[test]
fn a_late_hook_ends_with_everything_it_started() {
    let folder = Folder::new();
    let beat = folder.file("beat");
    let stubborn = format!(r#"[sh, "-c", "trap '' TERM; sh -c '{BEAT}' \"$0\" & {BEAT}", "{{file}}"]"#);
    let before = Instant::now();
    assert_eq!(
        run(&hook(&stubborn), &arguments(&beat), SHORT),
        Err(HookFailure::TimedOut)
    );
    assert!(
        before.elapsed() >= SHORT.deadline + SHORT.grace,
        "it had its time and its grace"
    );
    assert!(Path::new(&beat).exists(), "it had begun");
    assert!(is_silent(&beat));
}

#[test]
fn a_late_hook_may_tidy_up() {
    let folder = Folder::new();
    let tidy =
        hook(r#"[sh, "-c", "trap 'echo tidy > $0; exit 0' TERM; while :; do sleep 0.01; done", "{file}"]"#);
    let file = folder.file("tidied");
    let limits = HookLimits {
        grace: Duration::from_secs(20),
        ..SHORT
    };
    let before = Instant::now();
    assert_eq!(
        run(&tidy, &arguments(&file), limits),
        Err(HookFailure::TimedOut),
        "late is late"
    );
    assert!(
        before.elapsed() < limits.grace,
        "nobody waits for grace that is not needed"
    );
    assert_eq!(fs::read_to_string(file).unwrap(), "tidy\n");
}

#[test]
fn dropping_the_future_ends_the_process() {
    let folder = Folder::new();
    let beat = folder.file("beat");
    let arguments = ArgumentMapping::parse(&arguments(&beat)).unwrap();
    let beating = hook(&format!(r#"[sh, "-c", "{BEAT}", "{{file}}"]"#));
    let start = || Box::pin(beating.start(&arguments, "", HookLimits::default()).unwrap());

    drop(start());
    assert!(!Path::new(&beat).exists(), "nothing starts before it is polled");

    let mut running = start();
    assert!(
        running
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_pending()
    );
    let begun = Instant::now();
    while !Path::new(&beat).exists() && begun.elapsed() < Duration::from_secs(5) {
        std::thread::yield_now();
    }
    assert!(Path::new(&beat).exists());
    drop(running);
    let dropped = Instant::now();
    while !is_silent(&beat) && dropped.elapsed() < Duration::from_secs(5) {}
    assert!(is_silent(&beat));
}

#[test]
fn observers_that_fail_are_logged() {
    let document = read(
        r#"
hooks:
  post: {bash: [{command: [dd, "of={file}", status=none]}, {command: ['false']}]}
  on_error: {bash: [{command: [dd, "of={file}", status=none]}, {command: [dd, "of={missing}"]}]}
"#,
    );
    let hooks = SettingsHooks::declare(&[&document], &BTreeSet::new()).unwrap();
    let folder = Folder::new();
    let file = folder.file("input");
    let arguments = ArgumentMapping::parse(&arguments(&file)).unwrap();
    let logged: Mutex<RefCell<Vec<(HandlerId, HookFailure)>>> = Mutex::default();
    let log = |hook: &HandlerId, failure: &HookFailure| {
        logged
            .lock()
            .unwrap()
            .borrow_mut()
            .push((hook.clone(), failure.clone()));
    };
    let declared = hooks.declarations();
    for hook in &declared.post["bash"] {
        wait(hooks.post(hook, &arguments, r#"{"ok":true}"#, &log));
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), r#"{"ok":true}"#);
    for hook in &declared.on_error["bash"] {
        wait(hooks.on_error(hook, "bash", &arguments, "it \"broke\"", &log));
    }
    let told = fs::read_to_string(&file).unwrap();
    assert_eq!(
        told,
        format!(
            r#"{{"tool":"bash","arguments":{},"error":"it \"broke\""}}"#,
            arguments.as_str()
        )
    );
    let logged = logged.into_inner().unwrap().into_inner();
    let failures: Vec<&HookFailure> = logged.iter().map(|(_, failure)| failure).collect();
    let failed = HookFailure::Failed {
        status: Some(1),
        message: String::new(),
    };
    assert_eq!(failures, [&failed, &HookFailure::Argument("missing".to_owned())]);
    let unknown = wait(hooks.pre(&HandlerId::new("other"), &arguments));
    assert_eq!(unknown, Err(HookFailure::Unknown));
}

#[test]
fn a_blocking_host_gets_the_same_answer() {
    let arguments = ArgumentMapping::parse("{}").unwrap();
    let block = |words| {
        hook(words)
            .start(&arguments, "", HookLimits::default())
            .unwrap()
            .block()
    };
    assert_eq!(block("['true']"), Ok(()));
    assert!(block("['false']").is_err());
}
