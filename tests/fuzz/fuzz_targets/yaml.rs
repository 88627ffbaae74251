//! Any bytes as a document of every kind: a document or an error, and what compiles, loads.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callgate_tests::fuzz::yaml(bytes));
