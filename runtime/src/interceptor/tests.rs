//! The machine against every order of events: bounded model checking, protocol violations, permits, the async driver.

extern crate std;

mod driver;
mod exhaustive;
mod permits;
mod protocol;
mod reference;
mod world;
