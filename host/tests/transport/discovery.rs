//! Servers wanted, admitted, discovered: a denial ends everything, any other failure one server.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use callgate_host::admission::Admission;
use callgate_host::discovery::{
    AdmittedEndpoint, AdmittedServer, ConfigError, DiscoveryError, DiscoveryFailure, ServerTools, Servers,
    discover,
};
use callgate_runtime::json::JsonError;
use callgate_runtime::transport::{TransportDenied, TransportPolicy};

use crate::admission;

const CONFIG: &str = r#"{
  "mcpServers": {
    "docs": {"command": "npx", "args": ["-y", "docs"], "env": {"MODE": "fast", "DOCS_API_KEY": "x"}},
    "issues": {"url": "https://a.example/mcp", "headers": {"X-Team": "t"}, "timeout": 5},
    "broken": {"command": ["npx"]},
    "both": {"command": "npx", "url": "https://a.example"}
  },
  "other": 1
}"#;

type Found = Result<Vec<ServerTools<String>>, DiscoveryError>;

/// The outcome, and the servers that were talked to.
fn run(
    config: &str,
    wanted: Option<&[&str]>,
    admission: &Admission,
    answer: impl Fn(&AdmittedServer) -> Result<Vec<String>, DiscoveryFailure>,
) -> (Found, Vec<AdmittedServer>) {
    let asked = RefCell::new(Vec::new());
    let wanted: Option<Vec<String>> = wanted.map(|names| names.iter().map(ToString::to_string).collect());
    let inherited =
        [("PATH", "/bin"), ("AWS_SECRET_ACCESS_KEY", "x")].map(|(name, value)| (name.into(), value.into()));
    let servers = Servers::parse(config).unwrap();
    let found = discover(&servers, wanted.as_deref(), admission, &inherited, |server| {
        asked.borrow_mut().push(server.clone());
        answer(server)
    });
    (found, asked.into_inner())
}

fn one_tool(server: &AdmittedServer) -> Result<Vec<String>, DiscoveryFailure> {
    Ok(vec![format!("{}_tool", server.name)])
}

fn open() -> Admission {
    admission(Some(&["npx"]), Some(&["a.example"]))
}

#[test]
fn all_servers_where_none_are_named() {
    let (found, asked) = run(CONFIG, None, &open(), one_tool);
    let found = found.unwrap();
    let short: Vec<(&str, String, bool)> = found
        .iter()
        .map(|one| (one.server.as_str(), one.tools.join(" "), one.failure.is_some()))
        .collect();
    assert_eq!(
        short,
        [
            ("docs", "docs_tool".to_owned(), false),
            ("issues", "issues_tool".to_owned(), false),
            ("broken", String::new(), true),
            ("both", String::new(), true),
        ]
    );
    assert_eq!(found[0].log_line(), None);
    assert_eq!(
        found[2].log_line().unwrap(),
        "server `broken` brings no tools: its command is no text"
    );
    assert_eq!(asked.len(), 2);
    let AdmittedEndpoint::Command { command, args, env } = &asked[0].endpoint else {
        panic!("{asked:?}");
    };
    assert_eq!((command.as_str(), args.join(" ").as_str()), ("npx", "-y docs"));
    let env: Vec<(&OsString, &OsString)> = env.iter().collect();
    assert_eq!(
        env,
        [(&"MODE".into(), &"fast".into()), (&"PATH".into(), &"/bin".into())]
    );
    let AdmittedEndpoint::Url { url, headers } = &asked[1].endpoint else {
        panic!("{asked:?}");
    };
    assert_eq!(
        (url.as_str(), headers["X-Team"].as_str()),
        ("https://a.example/mcp", "t")
    );
}

#[test]
fn named_servers() {
    let names = |wanted: Option<&[&str]>| {
        let (found, _) = run(CONFIG, wanted, &open(), one_tool);
        found.map(|found| found.into_iter().map(|one| one.server).collect::<Vec<_>>())
    };
    assert_eq!(names(Some(&[])), Ok(vec![]));
    assert_eq!(names(Some(&["issues"])).unwrap(), ["issues"]);
    assert_eq!(
        names(Some(&["issues", "docs", "issues"])).unwrap(),
        ["docs", "issues"]
    );
    let unknown = names(Some(&["docs", "Docs", "doc"])).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no server is configured as `Docs`, `doc`; there are `docs`, `issues`, `broken`, `both`"
    );
    let (found, asked) = run("{}", Some(&["docs"]), &open(), one_tool);
    assert!(matches!(found, Err(DiscoveryError::UnknownServers { .. })) && asked.is_empty());
    assert_eq!(run("{}", None, &open(), one_tool).0, Ok(vec![]));
}

/// Naming a file, or a server in it, admits nothing; and no server is talked to once one is denied.
#[test]
fn a_denial_ends_the_discovery_before_anything_is_started() {
    let closed = Admission::new(TransportPolicy::default());
    for (admission, wanted, server) in [
        (&closed, None, "docs"),
        (&closed, Some(&["issues"][..]), "issues"),
        (&admission(Some(&["npx"]), Some(&["b.example"])), None, "issues"),
        (&admission(Some(&["uvx"]), Some(&["a.example"])), None, "docs"),
        (&admission(Some(&[]), None), Some(&["docs"]), "docs"),
    ] {
        let (found, asked) = run(CONFIG, wanted, admission, one_tool);
        assert!(
            matches!(&found, Err(DiscoveryError::Denied { server: denied, .. }) if denied == server),
            "{found:?}"
        );
        assert_eq!(asked, []);
    }
    // A server that nobody wants is not looked at.
    let commands = admission(Some(&["npx"]), Some(&[]));
    assert!(run(CONFIG, Some(&["docs"]), &commands, one_tool).0.is_ok());
    let path = r#"{"mcpServers": {"docs": {"command": "/usr/bin/npx"}}}"#;
    let (found, _) = run(path, None, &open(), one_tool);
    let Err(DiscoveryError::Denied { denied, .. }) = found else {
        panic!("{found:?}");
    };
    assert_eq!(
        denied,
        TransportDenied::CommandPath {
            command: "/usr/bin/npx".into(),
            bare: "npx".into()
        }
    );
}

/// A denial that comes up while a server is talked to propagates as well: it is never an empty list of tools.
#[test]
fn a_denied_connection_propagates() {
    let admission = open();
    let held: Vec<_> = (0..5).map(|_| admission.try_connect("issues").unwrap()).collect();
    let connect = |server: &AdmittedServer| {
        let _permit = admission.try_connect(&server.name)?;
        one_tool(server)
    };
    let (found, asked) = run(CONFIG, None, &admission, connect);
    let denied = TransportDenied::TooManyConnections {
        server: "issues".into(),
        max: 5,
    };
    assert_eq!(
        found,
        Err(DiscoveryError::Denied {
            server: "issues".into(),
            denied
        })
    );
    assert_eq!(asked.len(), 2);
    drop(held);
    assert!(run(CONFIG, None, &admission, connect).0.is_ok());
}

#[test]
fn a_failing_server_leaves_the_others_theirs() {
    let (found, asked) = run(
        CONFIG,
        Some(&["docs", "issues"]),
        &open(),
        |server| match server.name.as_str() {
            "docs" => Err(DiscoveryFailure::Failed("it did not answer".into())),
            _ => one_tool(server),
        },
    );
    let found = found.unwrap();
    assert_eq!(
        (found[0].tools.len(), found[1].tools.len(), asked.len()),
        (0, 1, 2)
    );
    assert_eq!(
        found[0].log_line().unwrap(),
        "server `docs` brings no tools: it did not answer"
    );
}

/// A configuration with two readings has none.
#[test]
fn configurations() {
    let parse = |text: &str| Servers::parse(text).map(|servers| servers.entries.len());
    assert_eq!(parse("{}").unwrap(), 0);
    assert_eq!(parse(r#"{"mcpServers": {}}"#).unwrap(), 0);
    for (text, due) in [
        (
            r#"{"mcpServers": {"a": {"url": "x"}, "a": {"url": "y"}}}"#,
            JsonError::DuplicateKey,
        ),
        (
            r#"{"mcpServers": {"a": {"url": "x", "url": "y"}}}"#,
            JsonError::DuplicateKey,
        ),
        (r#"{"mcpServers": {}} x"#, JsonError::Syntax),
        ("", JsonError::Syntax),
    ] {
        assert!(
            matches!(parse(text), Err(ConfigError::Json(error)) if error == due),
            "{text}"
        );
    }
    for text in ["[]", "1", r#"{"mcpServers": []}"#, r#"{"mcpServers": null}"#] {
        assert!(matches!(parse(text), Err(ConfigError::Shape)), "{text}");
    }
    for server in [
        "1",
        "{}",
        r#"{"command": 1}"#,
        r#"{"url": []}"#,
        r#"{"command": "a", "args": "b"}"#,
        r#"{"command": "a", "args": [1]}"#,
        r#"{"command": "a", "env": {"A": 1}}"#,
        r#"{"url": "https://a.example", "headers": []}"#,
    ] {
        let servers = Servers::parse(&format!(r#"{{"mcpServers": {{"a": {server}}}}}"#)).unwrap();
        assert!(servers.entries[0].config.is_err(), "{server}");
    }
}

#[test]
fn configurations_in_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("configurations");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(".mcp.json");
    fs::write(&file, CONFIG).unwrap();
    assert_eq!(Servers::read(&file).unwrap().entries.len(), 4);
    fs::write(&file, b"\xff").unwrap();
    assert!(matches!(Servers::read(&file), Err(ConfigError::NotUtf8 { .. })));
    fs::write(&file, " ".repeat((1 << 20) + 1)).unwrap();
    assert!(matches!(Servers::read(&file), Err(ConfigError::TooLong { .. })));
    assert!(matches!(
        Servers::read(&folder.join("none")),
        Err(ConfigError::Read { .. })
    ));
}
