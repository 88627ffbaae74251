//! Vector files to verdicts: every row is put to every engine, and every answer held against the row and the others.
//!
//! A row goes the whole way: text, compilation, table bytes, loading, decision. Rows are data: nothing in them is run.

mod bundle;
mod command;
pub mod engine;
mod fnmatch;
mod layered;
pub mod policy;
mod row;
mod rules;
mod settings;
mod shell;
mod verdict;
mod yaml_suite;

pub use bundle::Bundle;
pub use command::main;
pub use verdict::{Failure, InputError, Report, run_file, run_text};
