//! Lowercases a text for the length of one closure, on the stack where it can, and notes on the way what the rules
//! dialect asks next.

use crate::case;

/// Longest ASCII text that is lowercased without an allocation, in bytes.
const STACK: usize = 1024;
/// The same for the common case, so that little is cleared.
const SMALL: usize = 64;

/// A lowercased text.
#[derive(Clone, Copy)]
pub(crate) struct Lowered<'a> {
    /// The text.
    pub(crate) bytes: &'a [u8],
    /// It may hold a shell control operator: some character of one is there.
    pub(crate) may_control: bool,
}

/// Calls `use_it` with `text` lowercased by [`case::lower`]. ASCII of up to 1 KiB is not allocated for; any other text
/// costs one allocation.
pub(crate) fn with_lowered<R>(text: &str, use_it: impl FnOnce(Lowered<'_>) -> R) -> R {
    let bytes = text.as_bytes();
    if bytes.len() <= SMALL {
        let mut buffer = [0_u8; SMALL];
        if let Some(lowered) = lower_ascii(bytes, &mut buffer) {
            return use_it(lowered);
        }
    } else if bytes.len() <= STACK {
        let mut buffer = [0_u8; STACK];
        if let Some(lowered) = lower_ascii(bytes, &mut buffer) {
            return use_it(lowered);
        }
    }
    use_it(Lowered {
        bytes: case::lower_text(text).as_bytes(),
        may_control: true,
    })
}

/// Lowercases into `buffer`, which is all zeros; `None` when the text is not ASCII. The loop runs over the whole buffer,
/// so that it compiles to straight vector code.
#[inline]
fn lower_ascii<'b, const N: usize>(bytes: &[u8], buffer: &'b mut [u8; N]) -> Option<Lowered<'b>> {
    buffer.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let (mut all, mut control) = (0_u8, false);
    for byte in buffer.iter_mut() {
        all |= *byte;
        control |= is_control(*byte);
        *byte |= u8::from(byte.is_ascii_uppercase()) << 5;
    }
    let lowered = buffer.get(..bytes.len())?;
    all.is_ascii().then_some(Lowered {
        bytes: lowered,
        may_control: control,
    })
}

/// A character that some shell control operator has.
#[inline]
pub(crate) fn is_control(byte: u8) -> bool {
    matches!(byte, b';' | b'&' | b'|' | b'`' | b'$' | b'<' | b'>' | b'\n')
}
