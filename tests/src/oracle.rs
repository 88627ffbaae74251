//! A policy's parsed document and one call to the answer that pages 20 and 30 give, in the plainest way there is.
//!
//! This is the truth that compiled tables are held against, so it shares nothing with the compiler and the runtime but
//! the vocabulary of rules, the strict JSON reader and, for command lines, the shell reader and its judge. No automata,
//! no tables, no cleverness: rules stand in a list, and the list is walked.

mod answer;
mod call;
mod document;
pub mod fnmatch;
pub mod layered;
mod number;
mod presets;
mod rules;
mod spec;
mod subject;

pub use answer::{Answer, NamedRule, NamedSegment, Place};
pub use call::CallText;
pub use document::{Unread, permissions, settings_rules};
pub use rules::{Policy as RulesPolicy, PolicyMode, Rule};
pub use spec::spec;
