//! A policy's parsed document and one call to the answer that pages 20 and 30 give, in the plainest way there is.
//!
//! This is the truth that compiled tables are held against, so it shares nothing with the compiler and the runtime but
//! the vocabulary of rules, the strict JSON reader and, for command lines, the shell reader. No automata, no tables, no
//! cleverness: rules stand in a list, and the list is walked.

pub mod fnmatch;
