//! Lowercases a text for the length of one closure, on the stack where it can.

use crate::case;

/// Longest ASCII text that is lowercased without an allocation, in bytes.
const STACK: usize = 1024;
/// The same for the common case, so that little is cleared.
const SMALL: usize = 64;

/// Calls `use_it` with `text` lowercased by [`case::lower`]. ASCII of up to 1 KiB is not allocated for; any other text
/// costs one allocation.
pub(crate) fn with_lowered<R>(text: &str, use_it: impl FnOnce(&str) -> R) -> R {
    if text.is_ascii() {
        if text.len() <= SMALL {
            return on_stack::<SMALL, R>(text, use_it);
        }
        if text.len() <= STACK {
            return on_stack::<STACK, R>(text, use_it);
        }
    }
    use_it(&case::lower_text(text))
}

fn on_stack<const N: usize, R>(text: &str, use_it: impl FnOnce(&str) -> R) -> R {
    let mut buffer = [0_u8; N];
    for (place, byte) in buffer.iter_mut().zip(text.bytes()) {
        *place = byte.to_ascii_lowercase();
    }
    let lowered = buffer.get(..text.len()).and_then(|bytes| core::str::from_utf8(bytes).ok());
    use_it(lowered.unwrap_or(text))
}
