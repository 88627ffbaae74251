//! The cross-crate tests, in one binary.

mod bad_input;
mod fuzzing;
mod generation;
mod patterns;
mod properties;
mod resolution;
mod tamper;
mod tidy;
mod vectors;
