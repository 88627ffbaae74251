//! Equal sources to equal bytes: compiled twice, in other threads, and in any order of files.

use callgate_compiler::{Compilation, Options, Source, check, compile, dump, emit};
use callgate_runtime::Policy;
use callgate_tests::corpus;
use callgate_tests::generate::{self, Choices, Size};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, proptest};

/// Files of every scope, two of them of one scope and with one set of rules, and one that repeats another's rules.
const FILES: [(&str, &str); 6] = [
    (
        ".mecatl/settings.yaml",
        "permissions: {deny: ['Shell(rm:*)'], allow: ['Shell(ls:*)']}\n",
    ),
    (
        ".mecatl/settings.local.yaml",
        "permissions: {ask: ['Shell(git push:*)'], allow: ['Edit']}\n",
    ),
    (
        "home/mecatl/settings.yaml",
        "posture: trusted\npermissions: {allow: ['Read', 'Shell(git:*)']}\n",
    ),
    (
        "b.yaml",
        "permissions: {deny: ['Shell(curl:*)', 'Read(*.key)'], subagent: {deny: ['Shell(gh:*)']}}\n",
    ),
    (
        "a.yaml",
        "permissions: {deny: ['Read(*.key)', 'Shell(curl:*)'], subagent: {allow: ['Shell(go vet:*)']}}\n",
    ),
    (
        "c/b.yaml",
        "permissions: {deny: ['Shell(curl:*)', 'Read(*.key)'], ask: ['Write']}\n",
    ),
];

/// Files with errors and warnings of their own and between them.
const BROKEN: [(&str, &str); 5] = [
    ("a.yaml", "permissions: {alow: [Read]}\nothers: 1\n"),
    ("b.yaml", "permissions: {deny: ['Shell(']}\nposture: lax\n"),
    ("c.yaml", "mode: rules\nallow: {reader: ['*'], READER: ['*']}\n"),
    ("d.yaml", "name: x\nroles: {}\n"),
    (
        ".mecatl/settings.yaml",
        "posture: yolo\npermissions: {allow: [Read]}\n",
    ),
];

fn compiled(files: &[(&str, &str)], options: &Options) -> Compilation {
    let sources: Vec<Source<'_>> = files
        .iter()
        .map(|(name, text)| Source {
            name,
            bytes: text.as_bytes(),
        })
        .collect();
    compile(&sources, options)
}

/// The options that change what files are merged into.
fn options() -> impl Strategy<Value = Options> {
    (any::<bool>(), any::<bool>()).prop_map(|(trusted_workspace, interactive)| Options {
        trusted_workspace,
        interactive,
        ..Options::default()
    })
}

fn policies() -> impl Strategy<Value = String> {
    let bytes = prop::collection::vec(any::<u8>(), 0..4_000);
    bytes.prop_map(|bytes| generate::policy(&mut Choices::new(&bytes), Size::Any).yaml())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_compilations_are_equal(text in policies()) {
        let first = compiled(&[("p.yaml", &text)], &Options::default());
        let again = compiled(&[("p.yaml", &text)], &Options::default());
        prop_assert_eq!(&first, &again);
        let policy = first.policy.expect("a generated policy compiles");
        prop_assert_eq!(emit::table(&policy.normal), Ok(policy.bytes.clone()));
        let loaded = Policy::from_bytes(policy.bytes.clone()).expect("what was compiled loads");
        prop_assert_eq!(loaded.table().bytes(), policy.bytes.as_slice());
        prop_assert_eq!(loaded.table().digest().to_string(), policy.digest);
    }

    #[test]
    fn the_order_of_files_changes_nothing(files in Just(FILES.to_vec()).prop_shuffle(), options in options()) {
        let wanted = compiled(&FILES, &options);
        let found = compiled(&files, &options);
        prop_assert!(wanted.policy.is_some(), "{:?}", wanted.diagnostics);
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn any_few_files_in_any_order_change_nothing(files in prop::sample::subsequence(FILES.to_vec(), 1..=FILES.len()), keys in prop::collection::vec(any::<u32>(), FILES.len())) {
        let mut keyed: Vec<_> = files.iter().copied().zip(keys).collect();
        keyed.sort_by_key(|(_, key)| *key);
        let other: Vec<_> = keyed.into_iter().map(|(file, _)| file).collect();
        prop_assert_eq!(compiled(&other, &Options::default()), compiled(&files, &Options::default()));
    }

    #[test]
    fn findings_come_in_one_order(files in Just(BROKEN.to_vec()).prop_shuffle()) {
        let wanted = compiled(&BROKEN, &Options::default());
        prop_assert!(wanted.diagnostics.len() >= 5 && wanted.policy.is_none());
        prop_assert_eq!(compiled(&files, &Options::default()), wanted);
    }
}

#[test]
fn threads_agree() {
    let text = corpus::policy(500);
    let wanted = compiled(&[("corpus.yaml", &text)], &Options::default());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| compiled(&[("corpus.yaml", &text)], &Options::default())))
            .collect();
        for thread in threads {
            assert_eq!(thread.join().expect("a thread ends"), wanted);
        }
    });
}

#[test]
fn typed_documents_and_dumps_are_written_in_one_way() {
    for (name, text) in FILES {
        let json = || {
            let checked = check(
                &Source {
                    name,
                    bytes: text.as_bytes(),
                },
                &Options::default(),
            );
            serde_json::to_string(&checked.document.expect("a sound file")).expect("a document is written")
        };
        assert_eq!(json(), json());
    }
    let bytes = compiled(&FILES, &Options::default())
        .policy
        .expect("the files compile")
        .bytes;
    assert_eq!(
        dump::dump(&bytes).expect("a table is dumped"),
        dump::dump(&bytes).expect("a table is dumped")
    );
}

/// A table holds the names of its sources as given, and nothing else of the machine it was made on.
#[test]
fn a_table_names_no_place_but_its_sources() {
    let text = corpus::policy(50);
    let bytes = compiled(&[("deep/er/corpus.yaml", &text)], &Options::default())
        .policy
        .expect("the corpus compiles")
        .bytes;
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("deep/er/corpus.yaml"));
    assert!(!holds(env!("CARGO_MANIFEST_DIR")));
    for variable in ["HOME", "HOSTNAME", "PWD"] {
        if let Ok(value) = std::env::var(variable)
            && value.len() > 5
        {
            assert!(!holds(&value), "{variable}");
        }
    }
}
