//! One tool call to what happens with it, as a state machine without I/O (page 50).
//!
//! [`Interceptor::new`] copies the arguments; [`step`](Interceptor::step) takes what the driver did and says what to do
//! next, until it returns, refuses or raises:
//!
//! ```text
//! gate → S1 → transforms → S2 → validate → invoke → post → return
//!  │      └──── escalate ───┘                 └──────┴──→ error handlers → return or raise
//!  └ refuse   every failure up to here raises, and no handler hears of it
//! ```
//!
//! The machine holds no future, no callback and no clock, so an async driver, a blocking one and a host of another
//! language go through the same order.

mod action;
mod arguments;
mod event;
mod failure;
mod machine;
#[cfg(test)]
mod tests;

pub use action::{Action, ToolCall, ToolInvocation};
pub use arguments::{ArgumentMapping, ToolArguments};
pub use event::{Answer, Disposition, Escalation, Event, GateAnswer};
pub use failure::{GateDenied, Handling, ProtocolViolation, Raised, Secondary, Stage};
pub use machine::Interceptor;
