//! Reads a decision table and answers one question: may this agent make this tool call?
//!
//! `no_std` with `alloc`, no `unsafe`, no I/O, no clock, no logging.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod rule;
