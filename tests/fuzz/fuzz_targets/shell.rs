//! Any text as a command line: total, and never more permitted behind a harmless command.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| callgate_tests::fuzz::shell(bytes));
