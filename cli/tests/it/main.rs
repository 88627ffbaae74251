//! The `callgate` binary, run as its users run it: outputs, exit codes, bad input, and every command of the book.

mod arguments;
mod bad_input;
mod book;
mod check;
mod compile;
mod decide;
mod embed;
mod examples;
mod explain;
mod resolve;
mod run;
