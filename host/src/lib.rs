//! The std layer a Rust agent embeds.

pub mod hooks;
pub mod schema;
