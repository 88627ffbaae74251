//! A small agent: a model that wants tools called, tools that do it, and callgate between them.
//!
//! - [`agent`] is the loop: the model's move, the gated call, the reply to the model.
//! - [`gate`] is what the interceptor's driver asks of a host: the policy, a person at the terminal, handlers, the tools.
//! - [`model`] and [`terminal`] are scripted, so that the same things happen every time.
//! - [`tools`] read, write and run inside one folder.

pub mod agent;
pub mod gate;
pub mod model;
pub mod story;
pub mod terminal;
pub mod tools;
