//! `callgate resolve` and `callgate render`: what an agent document comes to, and what its model is told.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Folder, Run};

const AGENT: &str = "\
role: critic
modes: [adversarial]
tools: [coding]
permissions: safe
hooks: {pre: {bash: 'lionagi.agent.hooks:own'}}
system_prompt: Be brief.
";

const PACK: &str = "\
name: team
roles:
  critic:
    authority: [Decide what blocks a release.]
    escalations: [Scope grows]
    model: p/m
    effort: low
    modes_allow: [adversarial]
  historian: {active: false}
  quiet: {}
";

const CATALOGUE: &str = "\
callgate: catalogue
roles: {critic: {body: You judge., emits: [Finding]}, historian: {}, quiet: {}}
modes: {adversarial: {behaviors: Doubt it.}}
coding_hint: Mind the context.
";

const GLOBAL: &str = "\
hooks: {pre: {bash: 'lionagi.agent.hooks:global'}}
mcp_security: {allow_commands: true}
";

const PROJECT: &str = "\
hooks: {pre: {bash: 'lionagi.agent.hooks:project'}}
mcp_security: {allow_urls: true}
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("agent.yaml", AGENT);
    folder.file("pack.yaml", PACK);
    folder.file("catalogue.yaml", CATALOGUE);
    folder.file("global.yaml", GLOBAL);
    folder.file("project.yaml", PROJECT);
    folder
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap()
}

const ALL: [&str; 10] = [
    "resolve",
    "agent.yaml",
    "--pack",
    "pack.yaml",
    "--catalogue",
    "catalogue.yaml",
    "--settings",
    "global.yaml",
    "--project-settings",
    "project.yaml",
];

fn with(more: &[&'static str]) -> Vec<&'static str> {
    [&ALL[..], more].concat()
}

#[test]
fn the_resolved_document() {
    let folder = folder("resolve");
    let run = folder.run(&with(&["--trust-project"]));
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert_snapshot!(run.transcript());
    // What is printed is a document, and resolves to itself: once is enough.
    folder.file("resolved.yaml", &run.out);
    let mut again = with(&["--trust-project"]);
    again[1] = "resolved.yaml";
    assert_eq!(folder.run(&again).out, run.out);
    let check = folder.run(&["check", "--fail-on", "note", "resolved.yaml"]);
    assert_eq!(check.code, 0, "{}", check.transcript());
}

#[test]
fn every_field_with_its_source() {
    let folder = folder("resolve-explain");
    let run = folder.run(&with(&["--trust-project", "--explain"]));
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert_snapshot!(run.transcript());
}

#[test]
fn a_record_for_machines() {
    let folder = folder("resolve-json");
    let report = json(&folder.run(&with(&["--trust-project", "--format", "json"])));
    let field = |name: &str| {
        (
            report["agent"][name]["value"].clone(),
            report["agent"][name]["source"].clone(),
        )
    };
    assert_eq!(field("role"), ("critic".into(), "explicit".into()));
    assert_eq!(field("model"), ("p/m".into(), "pack role config".into()));
    assert_eq!(
        field("emits"),
        (
            serde_json::json!(["Finding", "EscalationRequest"]),
            "catalogue role".into()
        )
    );
    assert_eq!(field("yolo"), (false.into(), "built-in default".into()));
    let merged = serde_json::json!({"allow_commands": true, "allow_urls": true});
    assert_eq!(
        field("mcp_security"),
        (merged, "global and project settings".into())
    );
    assert_eq!(report["agent"].as_object().unwrap().len(), 17);
    let hooks: Vec<(&str, &str)> = report["hooks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hook| {
            (
                hook["hook"]["python"]["function"].as_str().unwrap(),
                hook["source"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        hooks,
        [
            ("own", "explicit"),
            ("global", "global settings"),
            ("project", "project settings")
        ]
    );
    assert_eq!(
        (&report["prompt"]["enforced"], &report["context_tool"]),
        (&false.into(), &true.into())
    );
    let due = "You judge.\n\nDoubt it.\n\n## Authority\n- Decide what blocks a release.\n\n## Escalation Conditions\n\
               When any condition occurs, STOP and emit an escalation_request with the reason:\n- Scope grows\n\n\
               Be brief.\n\nMind the context.";
    assert_eq!(report["prompt"]["text"], due);
}

/// Without trust the project's settings change nothing, and the user is told.
#[test]
fn an_untrusted_project() {
    let folder = folder("resolve-trust");
    let run = folder.run(&with(&["--format", "json"]));
    assert_eq!(
        run.err,
        "note: the project's settings do not count without `--trust-project`\n"
    );
    let report = json(&run);
    assert_eq!(report["hooks"].as_array().unwrap().len(), 2);
    assert_eq!(report["agent"]["mcp_security"]["source"], "global settings");
    let alone = folder.run(&[
        "resolve",
        "agent.yaml",
        "--format",
        "json",
        "--settings",
        "global.yaml",
        "--pack",
        "pack.yaml",
    ]);
    assert_eq!(json(&alone)["hooks"], report["hooks"]);
}

#[test]
fn what_cannot_be_resolved() {
    let folder = folder("resolve-broken");
    for (text, args, code, due) in [
        ("role: historian\n", &["--pack", "pack.yaml"][..], 1, "CG0705"),
        (
            "role: critic\nmodes: [fast]\n",
            &["--pack", "pack.yaml"],
            1,
            "CG0704",
        ),
        ("role: critic\nmodes: [fast, slow]\n", &[], 1, "CG0702"),
        (
            "role: stranger\n",
            &["--catalogue", "catalogue.yaml"],
            1,
            "CG0708",
        ),
        ("rol: critic\n", &[], 1, "CG0201"),
        ("mode: rules\n", &[], 1, "CG0201"),
        (
            "role: critic\npack: none.yaml\n",
            &[],
            2,
            "cannot read `none.yaml`",
        ),
        (
            "role: critic\n",
            &["--pack", "none.yaml"],
            2,
            "cannot read `none.yaml`",
        ),
        (
            "role: critic\n",
            &["--pack", "catalogue.yaml"],
            2,
            "`catalogue.yaml` cannot be used: mend it first",
        ),
        (
            "role: critic\n",
            &["--settings", "pack.yaml"],
            2,
            "`pack.yaml` cannot be used",
        ),
        (
            "role: critic\n",
            &["--kind", "pack"],
            2,
            "`resolve` reads agent documents",
        ),
    ] {
        let args = [&["resolve", "-"], args].concat();
        let run = folder.run_with(&args, text.as_bytes());
        assert!(
            run.code == code && run.err.contains(due) && run.out.is_empty(),
            "{}",
            run.transcript()
        );
        if code == 1 {
            let report =
                json(&folder.run_with(&[&args[..], &["--format", "json"]].concat(), text.as_bytes()));
            assert_eq!(
                (&report["agent"], &report["prompt"]),
                (&Value::Null, &Value::Null)
            );
            let codes: Vec<&str> = report["diagnostics"]
                .as_array()
                .unwrap()
                .iter()
                .map(|found| found["code"].as_str().unwrap())
                .collect();
            assert!(codes.contains(&due), "{codes:?}");
        }
    }
    // `pack: null` means none, whatever is given; the default pack may be missing.
    for text in ["role: historian\npack: null\n", "role: critic\npack: default\n"] {
        let run = folder.run_with(&["resolve", "-", "--pack", "pack.yaml"], text.as_bytes());
        assert_eq!(run.code, 0, "{}", run.transcript());
    }
    assert_eq!(
        folder
            .run_with(&["resolve", "-"], b"role: critic\npack: default\n")
            .code,
        0
    );
}

/// A document's pack is looked for beside the document.
#[test]
fn packs_are_named_relative_to_the_document() {
    let folder = folder("resolve-relative");
    folder.file("deep/er/agent.yaml", "role: critic\npack: ../pack.yaml\n");
    folder.file("deep/pack.yaml", "roles: {critic: {model: beside/m}}\n");
    let run = folder.run(&["resolve", "deep/er/agent.yaml", "--format", "json"]);
    assert_eq!(
        json(&run)["agent"]["model"]["value"],
        "beside/m",
        "{}",
        run.transcript()
    );
    let given = folder.run(&[
        "resolve",
        "deep/er/agent.yaml",
        "--format",
        "json",
        "--pack",
        "pack.yaml",
    ]);
    assert_eq!(
        json(&given)["agent"]["model"]["value"],
        "p/m",
        "{}",
        given.transcript()
    );
}

#[test]
fn directive_blocks() {
    let folder = folder("render");
    let block = "## Authority\n- Decide what blocks a release.\n\n## Escalation Conditions\n\
                 When any condition occurs, STOP and emit an escalation_request with the reason:\n- Scope grows\n";
    let run = folder.run(&["render", "pack.yaml", "critic"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, block, ""));
    let quiet = folder.run(&["render", "pack.yaml", "quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str()), (0, ""));
    let stranger = folder.run(&["render", "pack.yaml", "stranger"]);
    let due = "the pack `team` does not have the role `stranger`; it has `critic`, `historian`, `quiet`\n";
    assert_eq!(
        (stranger.code, stranger.out.as_str(), stranger.err.as_str()),
        (1, "", due)
    );
    let record = json(&folder.run(&["render", "pack.yaml", "critic", "--format", "json"]));
    assert_eq!(
        (&record["enforced"], &record["prompt"]),
        (&false.into(), &block.trim_end().into())
    );
    let record = json(&folder.run(&["render", "pack.yaml", "stranger", "--format", "json"]));
    assert_eq!(record["prompt"], Value::Null);
    folder.file("broken.yaml", "roles: {critic: {deny: [x]}}\n");
    let broken = folder.run(&["render", "broken.yaml", "critic"]);
    assert!(
        broken.code == 1 && broken.err.contains("CG0301"),
        "{}",
        broken.transcript()
    );
    assert_eq!(folder.run(&["render", "none.yaml", "critic"]).code, 2);
    assert_eq!(
        folder
            .run(&["render", "pack.yaml", "critic", "--kind", "agent"])
            .code,
        2
    );
}

/// The table, and apart from it what the model is told, marked as enforced by nothing.
#[test]
fn compiling_an_agent() {
    let folder = folder("resolve-compile");
    let args = [
        "compile",
        "agent.yaml",
        "-o",
        "out",
        "--pack",
        "pack.yaml",
        "--catalogue",
        "catalogue.yaml",
    ];
    let run = folder.run(&args);
    assert_eq!(run.code, 0, "{}", run.transcript());
    let (digest, prompt) = run.out.split_once('\n').unwrap();
    assert_eq!(digest.len(), 64);
    assert!(prompt.contains("\"enforced\": false"), "{prompt}");
    let prompt: Value = serde_json::from_str(prompt).unwrap();
    assert!(prompt["text"].as_str().unwrap().starts_with("You judge."));
    let report = json(&folder.run(&[&args[..], &["--format", "json"]].concat()));
    assert_eq!((&report["digest"], &report["prompt"]), (&digest.into(), &prompt));
    // The prompt is no part of the table: another one leaves it as it is.
    folder.file("other.yaml", PACK.replace("Decide", "Say"));
    let other = folder.run(&["compile", "agent.yaml", "-o", "other", "--pack", "other.yaml"]);
    assert!(other.out.starts_with(digest), "{}", other.transcript());
    let table = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(table("out") == table("other"));
    assert!(!String::from_utf8_lossy(&table("out")).contains("Decide"));
    // Other documents have no prompt.
    folder.file("policy.yaml", "mode: deny_all\n");
    let plain = folder.run(&["compile", "policy.yaml", "-o", "out", "--format", "json"]);
    assert!(!plain.out.contains("prompt"), "{}", plain.transcript());
}

#[test]
fn agents_that_make_no_table() {
    let folder = folder("resolve-no-table");
    for (text, due) in [
        (
            "role: critic\npermissions: null\n",
            "the agent document has no permissions, so there is no table to make",
        ),
        (
            "role: critic\n",
            "the agent document has no permissions, so there is no table to make",
        ),
        (
            "role: historian\npermissions: safe\n",
            "the role `historian` is not active in its pack",
        ),
        (
            "role: critic\nmodes: [fast]\npermissions: safe\n",
            "the mode `fast` is not in `modes_allow`",
        ),
    ] {
        let run = folder.run_with(
            &["compile", "-", "-o", "out", "--pack", "pack.yaml"],
            text.as_bytes(),
        );
        assert!(
            run.code == 1 && run.err.contains(due) && run.out.is_empty(),
            "{}",
            run.transcript()
        );
        assert!(!folder.path().join("out").exists());
    }
    // `yolo` is carried and loosens nothing.
    let digest = |yolo: &str| {
        let text = format!("role: critic\nyolo: {yolo}\npermissions: safe\n");
        folder
            .run_with(&["compile", "-", "-o", "out"], text.as_bytes())
            .out
    };
    assert_eq!(digest("true"), digest("false"));
    // Admitting servers permits no call.
    let admitting = "false\nmcp_security: {allow_commands: true, allow_urls: true}";
    assert_eq!(digest(admitting), digest("false"));
}

/// Page 60: a public description never calls directives granted, allowed or a policy.
#[test]
fn directives_are_never_called_what_they_are_not() {
    let folder = folder("resolve-words");
    folder.file("plain.yaml", "role: critic\n");
    let mut shown = String::new();
    for args in [
        &["render", "pack.yaml", "critic"][..],
        &["render", "pack.yaml", "critic", "--format", "json"],
        &["render", "pack.yaml", "stranger"],
    ] {
        let run = folder.run(args);
        shown = shown + &run.out + &run.err;
    }
    for args in [&["--explain"][..], &[], &["--format", "json"]] {
        let run = folder.run(&[&["resolve", "plain.yaml", "--pack", "pack.yaml"], args].concat());
        // The prompt and what stands over it; the fields of the agent are no directives.
        let from = run
            .out
            .find("prompt")
            .into_iter()
            .chain(run.out.find("The prompt"))
            .min()
            .unwrap();
        shown += run.out.split_at(from).1;
    }
    for word in [
        "granted",
        "grants",
        "allowed",
        "allows",
        "policy",
        "policies",
        "permission",
        "enforces",
    ] {
        assert!(!shown.to_lowercase().contains(word), "{word}: {shown}");
    }
    assert!(shown.contains("nothing in it is enforced"));
}

/// The example agents: clean, resolved, and compiled where they have permissions.
#[test]
fn example_agents() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let folder = Folder::new("resolve-examples");
    for name in [
        "policies/role-pack.yaml",
        "catalogue.yaml",
        "agents/critic.yaml",
        "agents/implementer.yaml",
        "agents/settings.yaml",
    ] {
        folder.file(name, fs::read(examples.join(name)).unwrap());
    }
    let check = folder.run(&["check", "--fail-on", "note", "--catalogue", "catalogue.yaml", "."]);
    assert_eq!(
        (check.code, check.out.as_str()),
        (0, "5 files checked: no findings\n")
    );
    for agent in ["agents/critic.yaml", "agents/implementer.yaml"] {
        let args = [
            "resolve",
            agent,
            "--catalogue",
            "catalogue.yaml",
            "--settings",
            "agents/settings.yaml",
        ];
        let run = folder.run(&args);
        assert!(
            run.code == 0 && run.err.is_empty() && run.out.contains("# The prompt."),
            "{}",
            run.transcript()
        );
        let run = folder.run(&["compile", agent, "-o", "out", "--catalogue", "catalogue.yaml"]);
        assert_eq!(run.code, 0, "{}", run.transcript());
    }
    let due = |tool: &str, subject: &str| {
        folder
            .run(&[
                "decide",
                "-p",
                "agents/implementer.yaml",
                "--exit-code",
                tool,
                subject,
            ])
            .code
    };
    assert_eq!(
        [
            due("bash", "cargo test"),
            due("bash", "make"),
            due("bash", "rm -rf x"),
            due("editor", "id.pem")
        ],
        [0, 3, 4, 4]
    );
}
