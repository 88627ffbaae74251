//! Bytes to generated policies, subjects and calls: one generator for property tests, fuzzing and seeded runs.
//!
//! Everything is drawn from [`Choices`], a reader of bytes. Random bytes make random material, a fuzzer's bytes make
//! material it can steer, and a property test that shrinks its bytes shrinks what was made of them.

mod call;
mod choices;
mod line;
mod pattern;
mod policy;
mod subject;

pub use call::{CallText, arguments, call};
pub use choices::{Choices, bytes};
pub use line::{CONSTRUCTS, shell_line};
pub use pattern::{character, pattern};
pub use policy::{Policy, Rule, Size, TOOLS, policy, quoted, rule};
pub use subject::{near, other_case};
