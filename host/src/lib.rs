//! The std layer a Rust agent embeds: settings files, workspaces, reload, hooks. It reads and swaps; every decision is
//! the runtime's.
//!
//! An engine has two policies ([`engine`]): the main one over a [`resolver`] that looks at the settings files with every
//! call, and a fixed one for its child engines. A host with an engine of its own holds it to the five [`invariants`].

#![forbid(unsafe_code)]

pub mod admission;
pub mod connections;
pub mod discovery;
pub mod engine;
pub mod extra;
pub mod files;
pub mod hooks;
pub mod invariants;
pub mod posture;
pub mod reload;
pub mod resolver;
pub mod schema;
pub mod snapshot;
pub mod source;
pub mod store;
pub mod workspace;
