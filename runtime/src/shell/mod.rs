//! A command line to its segments, read as bash reads it: *whatever bash would execute, the policy has judged*
//! (pages 31 to 33).

pub mod construct;

pub use construct::Construct;
