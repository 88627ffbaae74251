//! The part of JSON Schema (draft 2020-12) that the published schemas use, and no more: an unknown keyword is reported.

use serde_json::{Map, Value};

/// Keywords that say nothing about values.
const SILENT: [&str; 6] = ["$schema", "$id", "$defs", "title", "description", "default"];

/// Whether `value` conforms to `schema`; if not, the place and the keyword that refuses it.
pub(super) fn conforms(value: &Value, schema: &Value) -> Result<(), String> {
    check(value, schema, schema, "")
}

/// Keywords in the schema that [`conforms`] would not look at.
pub(super) fn unknown_keywords(schema: &Value) -> Vec<&str> {
    let Some(schema) = schema.as_object() else {
        return Vec::new();
    };
    let mut unknown = Vec::new();
    for (keyword, value) in schema {
        match keyword.as_str() {
            "properties" | "$defs" => {
                unknown.extend(value.as_object().unwrap().values().flat_map(unknown_keywords));
            }
            "items" | "additionalProperties" => unknown.extend(unknown_keywords(value)),
            "anyOf" | "oneOf" => unknown.extend(value.as_array().unwrap().iter().flat_map(unknown_keywords)),
            "type" | "required" | "enum" | "const" | "$ref" | "minItems" | "minLength" | "minimum"
            | "maximum" => {}
            keyword if SILENT.contains(&keyword) => {}
            keyword => unknown.push(keyword),
        }
    }
    unknown
}

fn check(value: &Value, schema: &Value, root: &Value, place: &str) -> Result<(), String> {
    let schema = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Bool(false) => return Err(format!("{place}: nothing may stand here")),
        schema => schema.as_object().unwrap(),
    };
    for (keyword, due) in schema {
        let fine = match keyword.as_str() {
            "$ref" => {
                let target = root
                    .pointer(due.as_str().unwrap().trim_start_matches('#'))
                    .unwrap();
                check(value, target, root, place)?;
                true
            }
            "type" => is_of_type(value, due.as_str().unwrap()),
            "enum" => due.as_array().unwrap().contains(value),
            "const" => due == value,
            "minLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() >= number(due)),
            "minItems" => value.as_array().is_none_or(|items| items.len() >= number(due)),
            "minimum" => value.as_i64().is_none_or(|value| value >= due.as_i64().unwrap()),
            "maximum" => value.as_i64().is_none_or(|value| value <= due.as_i64().unwrap()),
            "anyOf" => options(value, due, root, place) >= 1,
            "oneOf" => options(value, due, root, place) == 1,
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, due, root, &format!("{place}/{index}"))?;
                }
                true
            }
            "required" => {
                let names = due.as_array().unwrap();
                value
                    .as_object()
                    .is_none_or(|map| names.iter().all(|name| map.contains_key(name.as_str().unwrap())))
            }
            "properties" => {
                members(value, due.as_object().unwrap(), root, place)?;
                true
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                let others = value.as_object().into_iter().flatten();
                for (name, member) in
                    others.filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name)))
                {
                    check(member, due, root, &format!("{place}/{name}"))?;
                }
                true
            }
            _ => true,
        };
        if !fine {
            return Err(format!("{place}: {keyword} {due} refuses {value}"));
        }
    }
    Ok(())
}

fn members(value: &Value, due: &Map<String, Value>, root: &Value, place: &str) -> Result<(), String> {
    for (name, member) in value.as_object().into_iter().flatten() {
        if let Some(schema) = due.get(name) {
            check(member, schema, root, &format!("{place}/{name}"))?;
        }
    }
    Ok(())
}

fn options(value: &Value, schemas: &Value, root: &Value, place: &str) -> usize {
    schemas
        .as_array()
        .unwrap()
        .iter()
        .filter(|schema| check(value, schema, root, place).is_ok())
        .count()
}

fn is_of_type(value: &Value, due: &str) -> bool {
    match due {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    }
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}
