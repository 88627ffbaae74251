//! The shared vectors and properties of layered decisions, judged over a naive order of rules.

mod order;
mod properties;
mod vectors;
