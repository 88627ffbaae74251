//! The arguments of a tool call as the interceptor needs them, and the one representation that is at hand.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::call::{self, Call, Malformed};
use crate::json::{self, Value};

/// An argument mapping of a host.
///
/// Equality must tell apart whatever the policy tells apart. The rules dialect judges the values of most tools in mapping
/// order, so two mappings of different order are not equal.
pub trait ToolArguments: Clone + PartialEq {
    /// The mapping as JSON text: what the policy judges.
    fn to_json(&self) -> Cow<'_, str>;

    /// The action: `args.action` if it is a string, else empty.
    fn action(&self) -> Cow<'_, str> {
        Cow::Owned(Call::new("", call::Arguments::parse(&self.to_json())).action)
    }
}

/// An argument mapping as compact JSON text, read once and strictly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArgumentMapping {
    text: String,
    action: String,
}

impl ArgumentMapping {
    /// Reads a JSON object with one reading: no duplicate keys, no lone surrogates, no number beyond a double.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let value = json::parse(text)?;
        if value.as_object().is_none() {
            return Err(Malformed::NotAnObject);
        }
        let mut compact = String::new();
        json::push_compact(&value, &mut compact);
        let action = value.as_object().and_then(|members| member(members, "action"));
        let action = action
            .and_then(Value::as_str)
            .map(String::from)
            .unwrap_or_default();
        Ok(Self {
            text: compact,
            action,
        })
    }

    /// The compact text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The argument `name`, if it is a string.
    pub fn string(&self, name: &str) -> Option<String> {
        let value = json::parse(&self.text).ok()?;
        member(value.as_object()?, name)?.as_str().map(String::from)
    }
}

impl ToolArguments for ArgumentMapping {
    fn to_json(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.text)
    }

    fn action(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.action)
    }
}

fn member<'m, 'a>(members: &'m [json::Member<'a>], name: &str) -> Option<&'m Value<'a>> {
    members
        .iter()
        .find(|member| member.name == name)
        .map(|member| &member.value)
}
