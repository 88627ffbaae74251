//! Reads a decision table and answers one question: may this agent make this tool call?
//!
//! `no_std` with `alloc`, no `unsafe`, no I/O, no clock, no logging. Load a table once, then decide as often as calls
//! come: [`Policy::from_bytes`], [`Policy::decide`] on a [`Call`], or [`Policy::decide_text`] where the host has the
//! subject at hand.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod broken;
pub mod call;
pub mod case;
mod case_table;
pub mod combined;
pub mod control;
pub mod decision;
pub mod driver;
pub mod eval;
mod fold;
pub mod glob;
pub mod interceptor;
pub mod json;
pub mod layered;
pub mod machine;
pub mod order;
pub mod permission_policy;
mod permit;
pub mod plan;
pub mod rule;
pub mod session;
pub mod shell;
pub mod subject;
pub mod table;
pub mod tool;
pub mod transport;

pub use call::{Arguments, Call};
pub use decision::Decision;
pub use eval::{Policy, Verdict};
pub use order::Order;
pub use permit::Permit;
pub use table::{Digest, Table, TableError};
