//! Policy documents to a checked, deterministic decision table.
//!
//! Text goes one way: source → syntax tree (`callgate-grammar`) → typed document ([`ir`]) → normal-form rules
//! ([`normal`]) → decision table bytes ([`emit`]). Every step reports all it finds, not the first. No I/O happens here.
//!
//! - [`check`] reads one source: a typed document, or the reasons why nothing of it may be used.
//! - [`normalize`] merges checked documents into one policy; [`settings_rules`] shows one file's rules before that.
//! - [`compile`] does both, and writes the table.
//! - [`inspect`] does all that for one source, and asks the table what its author should know: the checker.

#![forbid(unsafe_code)]

mod check;
mod compile;
pub mod diagnostic;
pub mod dump;
pub mod emit;
mod findings;
pub mod import;
mod inspect;
pub mod ir;
pub mod lints;
mod lower;
pub mod normal;
mod normalize;
mod options;
mod rank;
pub mod resolve;
mod schema;
mod source;
mod spelling;
mod world;

pub use check::{Checked, Missing, check};
pub use compile::{Compilation, Compiled, compile};
pub use diagnostic::{Diagnostic, Location, Related, Severity, Witness};
pub use inspect::inspect;
pub use normalize::{File, Normalized, normalize, preset, settings_rules};
pub use options::{Options, Posture};
pub use schema::{ir_schema, json_schema};
pub use source::{Kind, Source};
