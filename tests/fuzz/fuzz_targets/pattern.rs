//! Any text as a pattern of both dialects.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callgate_tests::fuzz::pattern(bytes));
