//! A text to its findings as short as a table of expectations wants them.

use callgate_compiler::{Checked, Kind, Options, Source, check, inspect};

/// The text of the file `name`, checked.
pub(crate) fn checked(name: &str, text: &str, options: &Options) -> Checked {
    check(
        &Source {
            name,
            bytes: text.as_bytes(),
        },
        options,
    )
}

/// The findings of a document whose kind is found from its keys: `CG0201@3` for one on line 3.
pub(crate) fn findings(text: &str) -> Vec<String> {
    findings_with(text, &Options::default())
}

/// The findings of a document that is given as `kind`.
pub(crate) fn findings_as(kind: Kind, text: &str) -> Vec<String> {
    findings_with(
        text,
        &Options {
            kind: Some(kind),
            ..Options::default()
        },
    )
}

/// The findings with other options.
pub(crate) fn findings_with(text: &str, options: &Options) -> Vec<String> {
    let checked = checked("file.yaml", text, options);
    assert_eq!(
        checked.document.is_none(),
        checked.has_errors(),
        "{text}\n{:#?}",
        checked.diagnostics
    );
    let short = checked.diagnostics.iter();
    short
        .map(|diagnostic| format!("{}@{}", diagnostic.code, diagnostic.location.start.line))
        .collect()
}

/// The findings of a document and of the policy that it makes.
pub(crate) fn inspected(text: &str) -> Vec<String> {
    let source = Source {
        name: "file.yaml",
        bytes: text.as_bytes(),
    };
    let short = inspect(&source, &Options::default()).diagnostics;
    short
        .iter()
        .map(|diagnostic| format!("{}@{}", diagnostic.code, diagnostic.location.start.line))
        .collect()
}

/// The message and the help of the one finding.
pub(crate) fn words(text: &str) -> (String, String) {
    let checked = checked("file.yaml", text, &Options::default());
    match checked.diagnostics.as_slice() {
        [one] => (one.message.clone(), one.help.clone()),
        other => panic!("{text}\n{other:#?}"),
    }
}

/// Asserts a table of texts and their findings, each a space-separated list.
pub(crate) fn assert_findings(table: &[(&str, &str)]) {
    for (text, due) in table {
        let due: Vec<&str> = due.split_whitespace().collect();
        assert_eq!(findings(text), due, "{text}");
    }
}
