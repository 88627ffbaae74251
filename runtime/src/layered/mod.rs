//! One call to one decision by the rules of the layered dialect (pages 30 to 33): plan mode, subjects, the shell
//! segments' fold, the floor, learned rules.
//!
//! Everything goes through the one question of [`RuleOrder`](crate::rule::RuleOrder), so a compiled table and a
//! reference list are judged by the same code.

mod call;
mod judge;
mod judgement;
mod learn;
mod shell;
mod subject;

pub use call::{ArgValue, Arguments, LayeredCall, LayeredOptions, Learned, NotLearnable};
pub use judge::judge;
pub use judgement::{Cause, Judgement, Segment, Synthetic, View};
pub use learn::{LearnedRule, learnable};
pub use shell::SegmentRuling;
pub(crate) use shell::rulings;

#[cfg(test)]
mod tests;
