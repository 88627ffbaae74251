//! The cross-crate tests, in one binary.

mod vectors;
