//! A tool's argument schema (JSON Schema, draft 2020-12) to a check of argument mappings.
//!
//! The schema of a discovered tool is somebody else's text: nothing is fetched for it, and its patterns are matched in
//! linear time.

use callgate_runtime::interceptor::ArgumentMapping;
use callgate_runtime::json::{self, JsonError};
use jsonschema::{PatternOptions, Validator};
use thiserror::Error;

/// LIMIT: so many violations are told.
const MOST_VIOLATIONS: usize = 16;

/// A schema, ready to validate.
#[derive(Debug)]
pub struct ArgumentSchema {
    validator: Validator,
}

/// Why a text is no schema.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SchemaError {
    /// The text has no one reading.
    #[error("the schema is not readable: {0}")]
    Json(#[from] JsonError),
    /// It is no schema of draft 2020-12, or names one that is not at hand.
    #[error("the schema is not valid: {0}")]
    Schema(String),
}

/// Arguments that do not satisfy a schema.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the arguments do not satisfy the schema: {}", violations.first().map(ToString::to_string).unwrap_or_default())]
pub struct SchemaFailure {
    /// What is wrong, by place.
    pub violations: Vec<Violation>,
}

/// One thing that is wrong with arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
#[error("{message} (at `{place}`)")]
pub struct Violation {
    /// Where: a JSON pointer into the arguments.
    pub place: String,
    /// What.
    pub message: String,
}

impl ArgumentSchema {
    /// Reads a schema. Its own `$schema` does not change the draft.
    pub fn new(schema: &str) -> Result<Self, SchemaError> {
        json::parse(schema)?;
        let invalid = |error: String| SchemaError::Schema(error);
        let schema = serde_json::from_str(schema).map_err(|error| invalid(error.to_string()))?;
        let options = jsonschema::draft202012::options().with_pattern_options(PatternOptions::regex());
        let validator = options
            .build(&schema)
            .map_err(|error| invalid(error.to_string()))?;
        Ok(Self { validator })
    }

    /// Holds arguments against the schema.
    pub fn validate(&self, arguments: &ArgumentMapping) -> Result<(), SchemaFailure> {
        let violation = |place: String, message: String| Violation { place, message };
        let instance = match serde_json::from_str(arguments.as_str()) {
            Ok(instance) => instance,
            Err(error) => {
                return Err(SchemaFailure {
                    violations: vec![violation(String::new(), error.to_string())],
                });
            }
        };
        let errors = self.validator.iter_errors(&instance).take(MOST_VIOLATIONS);
        let mut violations: Vec<Violation> = errors
            .map(|error| violation(error.instance_path().to_string(), error.to_string()))
            .collect();
        violations.sort_unstable();
        if violations.is_empty() {
            Ok(())
        } else {
            Err(SchemaFailure { violations })
        }
    }
}
