//! A policy and calls generated from the bytes: the compiled table answers as the reference does.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callgate_tests::fuzz::pipeline(bytes));
