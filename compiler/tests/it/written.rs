//! Parse after print is the identity: typed documents survive being written as YAML, every field of them.

use callgate_compiler::ir::Document;
use callgate_compiler::{Kind, Options};
use proptest::prelude::{ProptestConfig, proptest};

use crate::generated;
use crate::harness::checked;

/// The typed form without the places of rules.
pub(crate) fn bare(document: &Document) -> String {
    let json = document.to_json();
    let lines = json
        .lines()
        .filter(|line| !line.contains("\"line\":") && !line.contains("\"column\":"));
    lines.collect::<Vec<_>>().join("\n")
}

fn yaml(document: &Document) -> String {
    match document {
        Document::Agent(agent) => agent.to_yaml(),
        Document::Pack(pack) => pack.to_yaml(),
        Document::Settings(settings) => settings.to_yaml(),
        other => panic!("{other:?}"),
    }
}

fn survives(document: &Document) {
    let text = yaml(document);
    let options = Options {
        kind: Some(document.kind()),
        ..Options::default()
    };
    let read = checked("file.yaml", &text, &options);
    let Some(again) = read.document else {
        panic!("{text}\n{:#?}", read.diagnostics);
    };
    assert_eq!(bare(&again), bare(document), "{text}");
    assert_eq!(yaml(&again), text);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agents(agent in generated::agent()) {
        survives(&Document::Agent(Box::new(agent)));
    }

    #[test]
    fn packs(pack in generated::pack()) {
        survives(&Document::Pack(pack));
    }

    #[test]
    fn settings(settings in generated::settings()) {
        survives(&Document::Settings(Box::new(settings)));
    }
}

/// The documents of the other tests, read, written and read again.
#[test]
fn the_sample_documents() {
    for (kind, text) in crate::documents::ALL {
        if matches!(kind, Kind::Agent | Kind::Pack | Kind::Settings) {
            survives(&checked("file.yaml", text, &Options::default()).document.unwrap());
        }
    }
}

/// Page 60: handlers that only code has are named, and no part of the document.
#[test]
fn code_only_handlers_are_listed_as_excluded() {
    let Some(Document::Agent(mut agent)) = checked("a.yaml", "role: critic\n", &Options::default()).document
    else {
        panic!("an agent");
    };
    agent.code_handlers = vec![String::from("audit"), String::from("two\nlines")];
    let text = agent.to_yaml();
    assert_eq!(
        text,
        "# only in code, not in this document: \"audit\"\n# only in code, not in this document: \"two\\U0000000Alines\"\nrole: \"critic\"\n"
    );
    let Some(Document::Agent(read)) = checked("a.yaml", &text, &Options::default()).document else {
        panic!("an agent");
    };
    assert_eq!(read.code_handlers, [] as [&str; 0]);
    assert!(
        Document::Agent(agent)
            .to_json()
            .contains("\"code_handlers\": [\n    \"audit\",")
    );
}
