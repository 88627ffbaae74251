//! The `callgate` binary, run as its users run it: outputs, exit codes, bad input, and every command of the book.

#[cfg(test)]
mod arguments;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod book;
#[cfg(test)]
mod check;
#[cfg(test)]
mod compile;
#[cfg(test)]
mod decide;
#[cfg(test)]
mod embed;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod explain;
#[cfg(test)]
mod import;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod resolve;
#[cfg(test)]
mod run;
#[cfg(test)]
mod workspace;
