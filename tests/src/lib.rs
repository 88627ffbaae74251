//! What the cross-crate tests are made of: a naive reference evaluator, the conformance runner, generated material.
//!
//! Nothing depends on this crate. It may import every other one, so that one corpus is put to every engine there is.

#![forbid(unsafe_code)]

pub mod conformance;
pub mod corpus;
pub mod fuzz;
pub mod generate;
pub mod oracle;
pub mod random;
