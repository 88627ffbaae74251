//! A case of the public yaml-test-suite: its value, or a refusal that names a construct of the case (page 10).

mod construct;
mod value;

use callgate_grammar::{Limits, SyntaxError, parse};

use super::row::YamlSuiteRow;
use construct::Construct;

/// Whether the case is read as page 10 says.
pub(super) fn judge(row: &YamlSuiteRow) -> Result<(), String> {
    let place = || format!("yaml: {:?}\n", row.yaml);
    match parse(row.yaml.as_bytes(), &Limits::default()) {
        Ok(_) if row.error => Err(format!("{}accepted, and the suite wants a refusal", place())),
        Ok(document) => match (row.json.as_deref(), &document.root) {
            // Without a value, acceptance means that the parser's own second reading agreed.
            (None, _) | (Some([]), None) => Ok(()),
            (Some([expected]), Some(root)) => {
                value::compare(root, expected).map_err(|problem| format!("{}{problem}", place()))
            }
            (Some(documents), root) => {
                let read = if root.is_some() { "one value" } else { "nothing" };
                Err(format!(
                    "{}read {read}, and there are {} documents",
                    place(),
                    documents.len()
                ))
            }
        },
        Err(_) if row.error => Ok(()),
        Err(errors) => {
            let present = Construct::all_in(&row.yaml);
            let is_named = |error: &SyntaxError| {
                Construct::named_by(&error.kind).is_some_and(|construct| present.contains(&construct))
            };
            if errors.iter().any(is_named) {
                return Ok(());
            }
            let said: Vec<String> = errors
                .iter()
                .map(|error| format!("{} {error}", error.code()))
                .collect();
            Err(format!(
                "{}refused: {}; present: {present:?}",
                place(),
                said.join("; ")
            ))
        }
    }
}
