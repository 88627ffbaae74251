//! Policy documents to a checked, deterministic decision table.
//!
//! Text goes one way: source → syntax tree (`callgate-grammar`) → typed document ([`ir`]) → normal-form rules
//! ([`normal`]) → decision table bytes. Every step reports all it finds, not the first. No I/O happens here.

#![forbid(unsafe_code)]

pub mod diagnostic;
pub mod emit;
pub mod normal;
mod rank;
