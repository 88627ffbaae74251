//! A table and a call to an effect, in a program that has no standard library.
//!
//! It defines the panic handler. The standard library defines one too, and a program can have only one, so this builds
//! exactly when neither `callgate-runtime` nor anything below it links the standard library.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

use core::alloc::{GlobalAlloc, Layout};

use callgate_runtime::Policy;
use callgate_runtime::rule::{Effect, Mode};

struct NoMemory;

// SAFETY: a null pointer is the documented answer when there is no memory, and there never is; so nothing is ever freed.
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: NoMemory = NoMemory;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// The effect of a table on one text.
pub fn decide(table: &[u8], tool: &str, subject: &str) -> Effect {
    match Policy::from_bytes(table) {
        Ok(policy) => policy.decide_text(tool, subject, Mode::Default).effect,
        Err(_) => Effect::Deny,
    }
}
