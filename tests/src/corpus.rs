//! A seeded generator of realistic policies and calls: the corpus that every performance figure is taken on.
//!
//! Shapes and shares follow what agents' policies look like: command prefixes, sub-commands, flags anywhere, file
//! extensions, folders, words inside paths. Equal seed and size give equal text on every machine.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::random::Random;

const SEED: u64 = 0xCA11_6A7E;

const COMMANDS: &[&str] = &[
    "git",
    "npm",
    "cargo",
    "docker",
    "kubectl",
    "python",
    "pip",
    "node",
    "yarn",
    "pnpm",
    "make",
    "terraform",
    "aws",
    "gcloud",
    "helm",
    "psql",
    "curl",
    "wget",
    "ssh",
    "rsync",
    "tar",
    "systemctl",
    "apt-get",
    "go",
    "java",
    "mvn",
    "gradle",
    "ruby",
    "bundle",
    "php",
    "dotnet",
    "ansible",
    "vault",
    "ffmpeg",
    "openssl",
    "gpg",
    "sqlite3",
    "chmod",
    "chown",
    "kill",
    "mount",
    "dd",
];
const SUBCOMMANDS: &[&str] = &[
    "run", "build", "test", "install", "publish", "push", "pull", "commit", "checkout", "clone", "fetch",
    "merge", "rebase", "reset", "status", "log", "diff", "apply", "delete", "get", "describe", "exec",
    "logs", "start", "stop", "plan", "init", "deploy", "rollback", "scale", "create", "update", "remove",
    "login", "export", "lint", "format",
];
const SUBJECTS: &[&str] = &[
    "account", "ledger", "invoice", "payment", "basket", "catalog", "search", "session", "token", "cache",
    "queue", "worker", "event", "audit", "report", "metric", "alert", "trace", "config", "secret", "vault",
    "policy", "tenant", "project", "release", "artifact", "image", "volume", "network", "cluster", "region",
    "gateway", "proxy", "mail", "webhook", "archive", "shipping", "stock", "price", "coupon", "review",
    "profile", "media", "video", "upload", "graph", "model", "dataset", "feature", "stream", "timer",
    "health", "canary", "legacy", "core", "shared", "schema",
];
const PARTS: &[&str] = &[
    "service", "client", "server", "handler", "manager", "factory", "adapter", "loader", "parser", "writer",
    "reader", "builder", "runner", "monitor", "filter", "mapper", "resolver", "provider", "registry",
    "planner", "store", "pool", "guard", "plugin", "bridge", "codec", "driver", "engine", "agent", "view",
    "page", "form", "table", "panel", "fixture", "script", "task", "step", "stage", "rule", "tree", "node",
    "path", "link",
];
const FOLDERS: &[&str] = &[
    "src", "lib", "app", "tests", "docs", "scripts", "config", "infra", "deploy", "packages", "services",
    "tools",
];
const EXTENSIONS: &[&str] = &[
    "py", "rs", "ts", "tsx", "js", "go", "java", "rb", "sql", "yaml", "json", "toml", "md", "txt", "sh",
    "css", "tf",
];
const KEY_FILES: &[&str] = &["key", "pem", "p12", "pfx", "jks", "kdbx", "asc", "gpg"];
const FLAGS: &[&str] = &[
    "privileged",
    "force",
    "recursive",
    "no-verify",
    "hard",
    "prune",
    "insecure",
    "skip-tls",
    "allow-root",
    "purge",
    "dry-run",
    "production",
    "no-cache",
    "follow",
    "detach",
];

/// Twelve rules that every policy holds: effect, tool, pattern.
const CORE: &[(&str, &str, &str)] = &[
    ("deny", "bash", "rm -rf *"),
    ("deny", "bash", "git push * --force*"),
    ("deny", "bash", "docker * --privileged*"),
    ("allow", "bash", "git *"),
    ("allow", "bash", "npm run *"),
    ("escalate", "bash", "docker *"),
    ("deny", "editor", "*.key"),
    ("deny", "editor", "src/**/secret-*"),
    ("allow", "editor", "src/*"),
    ("deny", "reader", "*.pem"),
    ("allow", "reader", "src/*"),
    ("escalate", "reader", "/etc/*"),
];

/// One rule of a generated policy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CorpusRule {
    /// `deny`, `allow`, `escalate`.
    pub effect: &'static str,
    /// Canonical tool, or `*`.
    pub tool: &'static str,
    /// The glob.
    pub pattern: String,
}

/// The rules of the policy with `size` rules (at least 12), every effect and tool mixed.
pub fn rules(size: usize) -> Vec<CorpusRule> {
    let mut random = Random::new(SEED);
    let mut rules: Vec<CorpusRule> = CORE
        .iter()
        .map(|(effect, tool, pattern)| CorpusRule {
            effect,
            tool,
            pattern: (*pattern).to_owned(),
        })
        .collect();
    let mut seen: BTreeSet<(&str, String)> = rules
        .iter()
        .map(|rule| (rule.tool, rule.pattern.clone()))
        .collect();
    while rules.len() < size {
        let rule = random_rule(&mut random);
        if seen.insert((rule.tool, rule.pattern.clone())) {
            rules.push(rule);
        }
    }
    rules
}

/// The policy with `size` rules as a permissions document in the rules dialect.
pub fn policy(size: usize) -> String {
    let rules = rules(size);
    let mut text = String::from("mode: rules\n");
    for effect in ["deny", "allow", "escalate"] {
        let _ = writeln!(text, "{effect}:");
        let tools: BTreeSet<&str> = rules
            .iter()
            .filter(|rule| rule.effect == effect)
            .map(|rule| rule.tool)
            .collect();
        for tool in tools {
            let _ = writeln!(text, "  '{tool}':");
            for rule in rules
                .iter()
                .filter(|rule| rule.effect == effect && rule.tool == tool)
            {
                let _ = writeln!(text, "    - '{}'", rule.pattern);
            }
        }
    }
    text
}

/// `count` calls as tool and subject: three in five fill a rule's pattern in (mostly a rule of the small policies),
/// the others are ordinary work. Their average length is near 44 bytes.
pub fn calls(count: usize) -> Vec<(&'static str, String)> {
    let mut random = Random::new(SEED ^ 0xFF);
    let pool = rules(10_000);
    (0..count).map(|_| call(&mut random, &pool)).collect()
}

fn call(random: &mut Random, pool: &[CorpusRule]) -> (&'static str, String) {
    let tool = if random.chance(60) {
        "bash"
    } else {
        *random.pick(&["editor", "reader", "search", "http"])
    };
    if random.chance(60) {
        let reach = *random.pick(&[12, 12, 100, 1_000, 10_000]);
        let rule = random.pick(pool.get(..reach).unwrap_or(pool));
        let tool = if rule.tool == "*" { tool } else { rule.tool };
        return (tool, fill(random, &rule.pattern));
    }
    let text = match tool {
        "bash" => command(random),
        "search" => format!("{} {}", random.pick(SUBJECTS), path(random)),
        "http" => format!(
            "get https://{}.example.com/v1/{}",
            word(random),
            random.pick(SUBJECTS)
        ),
        _ => path(random),
    };
    (tool, text)
}

/// A text that the pattern matches, most of the time.
fn fill(random: &mut Random, pattern: &str) -> String {
    let mut text = String::new();
    for character in pattern.chars() {
        if character == '*' {
            text.push_str(random.pick::<&str>(SUBJECTS));
            for _ in 0..random.below(3) {
                text.push('/');
                text.push_str(random.pick::<&str>(PARTS));
            }
        } else {
            text.push(character);
        }
    }
    text
}

fn word(random: &mut Random) -> String {
    format!("{}-{}", random.pick(SUBJECTS), random.pick(PARTS))
}

fn path(random: &mut Random) -> String {
    let (folder, subject) = (random.pick(FOLDERS), random.pick(SUBJECTS));
    format!(
        "{folder}/{subject}/{}/{}.{}",
        random.pick(PARTS),
        word(random),
        random.pick(EXTENSIONS)
    )
}

fn command(random: &mut Random) -> String {
    let (program, sub) = (*random.pick(COMMANDS), *random.pick(SUBCOMMANDS));
    match random.below(4) {
        0 => format!(
            "{program} {sub} {} --{}={}",
            word(random),
            random.pick(FLAGS),
            word(random)
        ),
        1 => format!("{program} {sub} {} --{}", path(random), random.pick(FLAGS)),
        2 => format!("ls -la {} {}", path(random), path(random)),
        _ => format!(
            "{program} {sub} --{}={} {}",
            random.pick(FLAGS),
            random.pick(SUBJECTS),
            word(random)
        ),
    }
}

fn random_rule(random: &mut Random) -> CorpusRule {
    let tool = match random.below(100) {
        0..55 => "bash",
        55..70 => "editor",
        70..84 => "reader",
        84..90 => "search",
        90..96 => "http",
        _ => "*",
    };
    let effect = match random.below(100) {
        _ if tool == "*" => "deny",
        0..40 => "deny",
        40..85 => "allow",
        _ => "escalate",
    };
    let pattern = match tool {
        "bash" => command_glob(random),
        "editor" | "reader" => path_glob(random),
        "search" => format!(
            "*{}*{}/{}*",
            random.pick(SUBJECTS),
            random.pick(FOLDERS),
            random.pick(SUBJECTS)
        ),
        "http" => format!(
            "{} https://{}.example.com/*",
            random.pick(&["get", "post", "put"]),
            word(random)
        ),
        _ => format!("*{}.{}*", word(random), random.pick(KEY_FILES)),
    };
    CorpusRule {
        effect,
        tool,
        pattern,
    }
}

fn command_glob(random: &mut Random) -> String {
    let (program, sub) = (*random.pick(COMMANDS), *random.pick(SUBCOMMANDS));
    match random.below(100) {
        0 => format!("{program} *"),
        1..14 => format!("{program} {sub} {}*", word(random)),
        14..26 => format!("npm run {}:{}*", random.pick(SUBJECTS), random.pick(PARTS)),
        26..36 => format!(
            "rm -rf {}{}/{}*",
            random.pick(&["/", "./", "~/"]),
            random.pick(FOLDERS),
            word(random)
        ),
        36..50 => format!("{program} * --{}={}*", random.pick(FLAGS), random.pick(SUBJECTS)),
        50..60 => format!(
            "{program} {sub} * --{}-{}*",
            random.pick(FLAGS),
            random.pick(SUBJECTS)
        ),
        60..70 => format!(
            "kubectl {sub} * {}-{}",
            word(random),
            random.pick(&["prod", "staging", "canary"])
        ),
        70..80 => format!("python {}/{}.py *", random.pick(FOLDERS), word(random)),
        80..86 => format!(
            "*{}/{}.{}*",
            random.pick(FOLDERS),
            word(random),
            random.pick(KEY_FILES)
        ),
        86..92 => format!(
            "*--{}={}*",
            random.pick(&["token", "password", "api-key"]),
            random.pick(SUBJECTS)
        ),
        92..96 => format!("make {}", word(random)),
        _ => format!(
            "docker {sub} * {}/{}:*",
            random.pick(SUBJECTS),
            random.pick(PARTS)
        ),
    }
}

fn path_glob(random: &mut Random) -> String {
    match random.below(100) {
        0 => format!("*.{}", random.pick(KEY_FILES)),
        1..20 => format!(
            "{}/**/{}-{}*",
            random.pick(FOLDERS),
            random.pick(&["secret", "private", "draft"]),
            word(random)
        ),
        20..40 => format!(
            "{}/{}/{}/*",
            random.pick(FOLDERS),
            random.pick(SUBJECTS),
            random.pick(PARTS)
        ),
        40..58 => format!(
            "{}/{}/*.{}",
            random.pick(FOLDERS),
            random.pick(SUBJECTS),
            random.pick(EXTENSIONS)
        ),
        58..72 => format!("*/{}.{}", word(random), random.pick(EXTENSIONS)),
        72..82 => format!("/etc/{}/{}*", random.pick(SUBJECTS), random.pick(PARTS)),
        82..92 => format!("/home/*/.{}/{}/*", random.pick(SUBJECTS), random.pick(PARTS)),
        _ => format!(
            "*/{}/{}/*.{}",
            random.pick(SUBJECTS),
            word(random),
            random.pick(EXTENSIONS)
        ),
    }
}
