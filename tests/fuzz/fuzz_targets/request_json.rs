//! Any bytes as a call record and as arguments: nothing is accepted that has two readings.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callgate_tests::fuzz::request_json(bytes));
