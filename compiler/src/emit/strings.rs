//! Texts to one pool, each distinct text once, in the order of first use.

use std::collections::BTreeMap;

use callgate_runtime::rule::Scope;

use super::{EmitError, length};

#[derive(Default)]
pub(super) struct Strings {
    pool: String,
    places: BTreeMap<String, (u32, u32)>,
}

impl Strings {
    /// Offset and length of `text` in the pool.
    pub(super) fn intern(&mut self, text: &str) -> Result<(u32, u32), EmitError> {
        if let Some(place) = self.places.get(text) {
            return Ok(*place);
        }
        let place = (length(self.pool.len())?, length(text.len())?);
        self.pool.push_str(text);
        self.places.insert(text.to_owned(), place);
        Ok(place)
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.pool.into_bytes()
    }
}

/// A scope's byte: its place in [`Scope::ALL`].
pub(super) fn scope_byte(scope: Scope) -> u8 {
    match scope {
        Scope::Managed => 0,
        Scope::Cli => 1,
        Scope::LocalProject => 2,
        Scope::SharedProject => 3,
        Scope::User => 4,
        Scope::BuiltinDefault => 5,
    }
}
