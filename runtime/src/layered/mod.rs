//! One call to one decision by the rules of the layered dialect (pages 30 to 33): plan mode, subjects, the shell
//! segments' fold, the floor, learned rules.
//!
//! Everything goes through the one question of [`RuleOrder`](crate::rule::RuleOrder), so a compiled table and a
//! reference list are judged by the same code.

mod call;
mod judgement;

pub use call::{ArgValue, Arguments, LayeredCall, LayeredOptions, Learned, NotLearnable};
pub use judgement::{Cause, Judgement, Segment, Synthetic, View};
