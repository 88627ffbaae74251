//! The cross-crate tests, in one binary.

mod adversarial;
mod bad_input;
mod bundle;
mod corpus;
mod determinism;
mod fuzzing;
mod generation;
mod layered;
mod patterns;
mod properties;
mod resolution;
mod tamper;
mod tidy;
mod vectors;
mod witnesses;
