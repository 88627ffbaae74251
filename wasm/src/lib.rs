//! The runtime as a WebAssembly module. So far this crate only builds: it exports nothing yet.

#![no_std]
#![forbid(unsafe_code)]

pub use callgate_runtime as runtime;
