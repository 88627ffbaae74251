//! Bytes to choices: equal bytes, equal choices; where the bytes have run out, the first of everything.

use crate::random::Random;

/// A reader of choices.
#[derive(Clone, Debug)]
pub struct Choices<'b> {
    rest: &'b [u8],
}

impl<'b> Choices<'b> {
    /// The choices that `bytes` make.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Whether the bytes have run out, so that everything from here on is the first of its kind.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else {
            return 0;
        };
        self.rest = rest;
        *first
    }

    /// A number below `bound`, which is 1 at least and 65,536 at most.
    pub fn below(&mut self, bound: usize) -> usize {
        match bound {
            0 | 1 => 0,
            2..=256 => usize::from(self.byte()) % bound,
            _ => usize::from(u16::from_le_bytes([self.byte(), self.byte()])) % bound,
        }
    }

    /// True in `percent` of a hundred cases, and never once the bytes have run out.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100_usize.saturating_sub(percent)
    }

    /// One of `items`, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// `count` bytes that depend on `seed` alone.
pub fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes: Vec<u8> = std::iter::repeat_with(|| random.bits().to_le_bytes())
        .take(count.div_ceil(8))
        .flatten()
        .collect();
    bytes.truncate(count);
    bytes
}
