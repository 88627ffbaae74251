//! Damaged tables behind a digest that was made anew: refused or harmless.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callgate_tests::fuzz::table_loader(bytes));
