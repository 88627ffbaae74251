//! Little-endian numbers in a byte slice, each read with one bounds check.

/// A `u32` as an index.
pub(crate) fn index(word: u32) -> usize {
    const { assert!(usize::BITS >= 32, "an index of a table is 32 bits wide") };
    #[expect(
        clippy::as_conversions,
        reason = "usize is at least 32 bits wide, asserted above"
    )]
    {
        word as usize
    }
}

/// The `u32` at byte offset `at`.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..)?
        .first_chunk::<4>()
        .map(|chunk| u32::from_le_bytes(*chunk))
}

/// The `u16` at byte offset `at`.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes
        .get(at..)?
        .first_chunk::<2>()
        .map(|chunk| u16::from_le_bytes(*chunk))
}

/// Reads one after another from the front of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        let (chunk, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*chunk))
    }

    /// The next `len` bytes.
    pub(crate) fn bytes(&mut self, len: u32) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(index(len))?;
        self.rest = rest;
        Some(taken)
    }

    /// The next `count` words, as bytes.
    pub(crate) fn words(&mut self, count: u32) -> Option<Words<'a>> {
        self.bytes(count.checked_mul(4)?).map(|bytes| Words { bytes })
    }

    /// How many bytes of `whole`, which the cursor began with, are behind it.
    pub(crate) fn behind(&self, whole: &[u8]) -> Option<usize> {
        whole.len().checked_sub(self.rest.len())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

/// A run of `u32`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    bytes: &'a [u8],
}

impl<'a> Words<'a> {
    pub(crate) fn iter(self) -> impl Iterator<Item = u32> + use<'a> {
        self.bytes
            .chunks_exact(4)
            .filter_map(|chunk| chunk.first_chunk().map(|word| u32::from_le_bytes(*word)))
    }
}
