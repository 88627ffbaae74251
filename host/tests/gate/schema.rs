//! Argument schemas: draft 2020-12, nothing fetched, nothing half read.

use callgate_host::schema::{ArgumentSchema, SchemaError};
use callgate_runtime::interceptor::ArgumentMapping;

fn places(schema: &ArgumentSchema, arguments: &str) -> Vec<String> {
    match schema.validate(&ArgumentMapping::parse(arguments).unwrap()) {
        Ok(()) => Vec::new(),
        Err(failure) => failure
            .violations
            .into_iter()
            .map(|violation| violation.place)
            .collect(),
    }
}

#[test]
fn arguments_satisfy_a_schema_or_every_violation_is_told() {
    let schema = ArgumentSchema::new(
        r#"{"type": "object", "required": ["path"], "additionalProperties": false,
            "properties": {"path": {"type": "string", "pattern": "^src/"}, "lines": {"type": "integer", "minimum": 1}}}"#,
    )
    .unwrap();
    assert!(places(&schema, r#"{"path": "src/lib.rs", "lines": 3}"#).is_empty());
    assert_eq!(
        places(&schema, r#"{"path": "/etc", "lines": 0}"#),
        ["/lines", "/path"]
    );
    assert_eq!(places(&schema, "{}"), [""]);
    assert_eq!(places(&schema, r#"{"path": "src/x", "other": 1}"#), [""]);
    let failure = schema
        .validate(&ArgumentMapping::parse("{}").unwrap())
        .unwrap_err();
    assert_eq!(
        failure.to_string(),
        "the arguments do not satisfy the schema: \"path\" is a required property (at ``)"
    );
}

#[test]
fn the_draft_is_2020_12_whatever_the_schema_says() {
    let schema = r#"{"$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"pair": {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}}}"#;
    let schema = ArgumentSchema::new(schema).unwrap();
    assert!(places(&schema, r#"{"pair": ["a", 1, 2]}"#).is_empty());
    assert_eq!(places(&schema, r#"{"pair": [1, "a"]}"#), ["/pair/0", "/pair/1"]);
}

#[test]
fn what_is_no_schema_is_refused() {
    let error = |text| ArgumentSchema::new(text).unwrap_err();
    assert!(matches!(
        error(r#"{"type": "string", "type": "object"}"#),
        SchemaError::Json(_)
    ));
    assert!(matches!(error("{"), SchemaError::Json(_)));
    for text in [
        r#"{"type": "text"}"#,
        r#"{"properties": []}"#,
        r#"{"pattern": "("}"#,
        r##"{"$ref": "#/$defs/none"}"##,
        r#"{"$ref": "https://example.com/schema.json"}"#,
        r#"{"$ref": "file:///etc/hostname"}"#,
    ] {
        assert!(matches!(error(text), SchemaError::Schema(_)), "{text}");
    }
}

#[test]
fn a_hostile_pattern_costs_linear_time() {
    let schema = ArgumentSchema::new(r#"{"properties": {"a": {"pattern": "^(a+)+$"}}}"#).unwrap();
    let arguments = format!(r#"{{"a": "{}!"}}"#, "a".repeat(50_000));
    assert_eq!(places(&schema, &arguments), ["/a"]);
}
