//! The admission rules row by row.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use proptest::prelude::proptest;

use super::{SENSITIVE_ENV, TransportDenied, TransportPolicy};

fn listed(commands: &[&str]) -> TransportPolicy {
    TransportPolicy {
        allow_commands: true,
        command_allowlist: Some(commands.iter().map(ToString::to_string).collect()),
        ..TransportPolicy::default()
    }
}

fn open() -> TransportPolicy {
    TransportPolicy {
        allow_commands: true,
        allow_urls: true,
        ..TransportPolicy::default()
    }
}

fn as_written(entry: &str) -> Option<String> {
    Some(entry.to_string())
}

#[test]
fn nothing_given_denies_everything() {
    let nothing = TransportPolicy::default();
    assert_eq!(
        nothing.admit_command("npx"),
        Err(TransportDenied::Commands {
            command: "npx".into()
        })
    );
    let url = nothing.admit_endpoint("https", "example.com", as_written);
    assert_eq!(
        url,
        Err(TransportDenied::Urls {
            host: "example.com".into()
        })
    );
    assert!(nothing.filter_sensitive_env);
    assert_eq!(nothing.max_connections_per_server, 5);
    assert!(!nothing.passes_env("GITHUB_AUTH_TOKEN") && nothing.passes_env("PATH"));
}

/// A list admits nothing by itself.
#[test]
fn a_list_is_no_permission() {
    let policy = TransportPolicy {
        command_allowlist: Some(Vec::from(["npx".into()])),
        url_allowlist: Some(Vec::from(["example.com".into()])),
        ..TransportPolicy::default()
    };
    assert!(policy.admit_command("npx").is_err());
    assert!(policy.admit_endpoint("https", "example.com", as_written).is_err());
}

/// What becomes of a command under `[npx, uvx]`, and without a list.
const COMMANDS: [(&str, &str, bool); 21] = [
    ("npx", "ok", true),
    ("uvx", "ok", true),
    ("NPX", "not listed", true),
    ("npx ", "not listed", true),
    (" npx", "not listed", true),
    ("npx\0", "not listed", true),
    ("npx.cmd", "not listed", true),
    ("np", "not listed", true),
    ("npxx", "not listed", true),
    ("npx -y evil", "not listed", true),
    ("npx;id", "not listed", true),
    ("ｎｐｘ", "not listed", true),
    ("np*", "not listed", true),
    ("", "empty", false),
    ("/usr/bin/npx", "npx", true),
    ("./npx", "npx", true),
    ("../npx", "npx", true),
    ("C:\\tools\\npx", "npx", true),
    (".\\npx", "npx", true),
    ("tools\\bin/npx", "npx", true),
    ("npx/", "", true),
];

#[test]
fn commands() {
    for (command, due, without_list) in COMMANDS {
        let found = match listed(&["npx", "uvx"]).admit_command(command) {
            Ok(()) => "ok".to_string(),
            Err(TransportDenied::EmptyCommand) => "empty".to_string(),
            Err(TransportDenied::CommandNotListed { command: named }) if named == command => {
                "not listed".into()
            }
            Err(TransportDenied::CommandPath { bare, .. }) => bare,
            Err(other) => panic!("{command}: {other}"),
        };
        assert_eq!(found, due, "{command}");
        assert_eq!(open().admit_command(command).is_ok(), without_list, "{command}");
        assert!(listed(&[]).admit_command(command).is_err(), "{command}");
    }
    let denied = listed(&["npx"]).admit_command("/usr/bin/npx").unwrap_err();
    assert!(denied.to_string().ends_with("write `npx`"), "{denied}");
    // A path in the list admits nothing: the list holds bare names.
    assert!(listed(&["/usr/bin/npx"]).admit_command("/usr/bin/npx").is_err());
}

#[test]
fn endpoints() {
    let hosts = |hosts: &[&str]| TransportPolicy {
        url_allowlist: Some(hosts.iter().map(ToString::to_string).collect()),
        ..open()
    };
    for (scheme, host, allowed, due) in [
        ("https", "a.example", &["a.example"][..], true),
        ("wss", "a.example", &["a.example"], true),
        ("http", "a.example", &["a.example"], false),
        ("ws", "a.example", &["a.example"], false),
        ("HTTPS", "a.example", &["a.example"], false),
        ("https", "b.a.example", &["a.example"], false),
        ("https", "a.example.evil", &["a.example"], false),
        ("https", "", &["a.example"], false),
        ("https", "a.example", &[], false),
        ("https", "a.example", &["*"], false),
    ] {
        let found = hosts(allowed).admit_endpoint(scheme, host, as_written);
        assert_eq!(found.is_ok(), due, "{scheme} {host} {allowed:?}");
    }
    assert!(open().admit_endpoint("https", "anything", as_written).is_ok());
    assert!(open().admit_endpoint("http", "anything", as_written).is_err());
    // An entry that is no host is no host at all.
    assert!(
        hosts(&["a.example"])
            .admit_endpoint("https", "a.example", |_| None)
            .is_err()
    );
}

#[test]
fn environment_names() {
    let policy = TransportPolicy::default();
    for part in SENSITIVE_ENV {
        let mixed: String = part
            .chars()
            .enumerate()
            .map(|(at, letter)| {
                if at % 2 == 0 {
                    letter.to_ascii_lowercase()
                } else {
                    letter
                }
            })
            .collect();
        for name in [
            part.to_string(),
            part.to_lowercase(),
            mixed,
            ["X_", part, "_2"].concat(),
        ] {
            assert!(!policy.passes_env(&name), "{name}");
        }
    }
    for (name, passes) in [
        ("PATH", true),
        ("HOME", true),
        ("", true),
        ("TOKEN", true),
        ("API_KE", true),
        ("APIKEY", true),
        ("PASSWORT", true),
        ("PGPASSWORD", false),
        ("passwords", false),
        ("OpenAI_Api_Key", false),
        // The dotless i has the capital of the pattern's own.
        ("apı_key", false),
        ("PAſſWORD", false),
        ("ACCESS_TO\u{212a}EN", false),
        ("GOOGLE_APPLICATION_CREDENTIALS", false),
        ("MY_SECRET_KEY_ID", false),
    ] {
        assert_eq!(policy.passes_env(name), passes, "{name}");
    }
    let own = TransportPolicy {
        env_denylist_patterns: Some(Vec::from(["token".into()])),
        ..TransportPolicy::default()
    };
    assert!(!own.passes_env("MY_TOKEN") && own.passes_env("MY_PASSWORD"));
    let off = TransportPolicy {
        filter_sensitive_env: false,
        ..TransportPolicy::default()
    };
    assert!(off.passes_env("PASSWORD"));
}

#[test]
fn the_default_patterns_are_pinned() {
    assert!(SENSITIVE_ENV.is_sorted());
    for part in SENSITIVE_ENV {
        assert_eq!(part, super::folded(part));
    }
}

proptest! {
    /// A name is withheld whatever the case of its letters, and no longer list lets more through.
    #[test]
    fn case_and_more_patterns_only_withhold(name in "[A-Za-z_]{0,24}", part in "[A-Za-z_]{1,4}") {
        let policy = TransportPolicy::default();
        let passes = policy.passes_env(&name);
        assert_eq!(policy.passes_env(&name.to_uppercase()), passes);
        assert_eq!(policy.passes_env(&name.to_lowercase()), passes);
        let mut parts: Vec<String> = SENSITIVE_ENV.iter().map(ToString::to_string).collect();
        parts.push(part);
        let longer = TransportPolicy { env_denylist_patterns: Some(parts), ..policy };
        assert!(passes || !longer.passes_env(&name));
    }

    /// Under a list a command is admitted exactly when it is one of its bare names.
    #[test]
    fn a_list_admits_its_names_and_no_other(command in "[ab/\\\\]{0,3}") {
        let admitted = listed(&["a", "ab", "a/b"]).admit_command(&command).is_ok();
        assert_eq!(admitted, command == "a" || command == "ab");
    }
}
