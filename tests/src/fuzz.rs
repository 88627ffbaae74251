//! Bytes to one run of a part of the project, which panics where the part breaks a promise: the bodies of the fuzz
//! targets. `cargo test` runs them too, on random bytes.

mod pipeline;
mod request;
mod shell;
mod table;
mod text;

pub use pipeline::{NAME, Pair, answer_of, pipeline};
pub use request::request_json;
pub use shell::shell;
pub use table::{exercise, table_loader};
pub use text::{pattern, yaml};
