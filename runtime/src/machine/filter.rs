//! A filter: which of many pieces of text stand in a subject, by hash.
//!
//! TABLE: words: kind, gram length (0 for the other kinds), a mask of the tiers in use, the logarithms of the number of
//! bits and of buckets, the number of entries; then the bits (a Bloom filter, `2^bits / 32` words), the buckets
//! (`2^buckets + 1` indices into the entries) and the entries (hash, rank), sorted by bucket, then hash, then rank. Bit
//! and bucket are the top bits of the hash. A filter without entries is its six header words.

use super::hash::{mix, seed, word};
use crate::table::words::{Cursor, Words, index};

/// The kinds of filter.
pub mod kind {
    /// Pieces that stand at the beginning.
    pub const BEGINNINGS: u32 = 0;
    /// Pieces that stand at the end.
    pub const ENDS: u32 = 1;
    /// Pieces of one length that stand anywhere.
    pub const GRAMS: u32 = 2;
}

/// Most bits or buckets, as a logarithm. LIMIT: keeps shifts inside a word; 2^24 buckets are more than any policy needs.
const MAX_LOG: u32 = 24;

#[derive(Clone, Copy)]
pub(super) struct Filter<'a> {
    kind: u32,
    gram: u32,
    tiers: u32,
    bits_shift: u32,
    buckets_shift: u32,
    count: u32,
    bits: &'a [u8],
    buckets: Words<'a>,
    entries: Words<'a>,
}

impl<'a> Filter<'a> {
    /// Reads the filter at the front of `cursor`.
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        let kind = cursor.u32()?;
        let gram = cursor.u32()?;
        let tiers = cursor.u32()?;
        let bits_log = cursor.u32()?;
        let buckets_log = cursor.u32()?;
        let count = cursor.u32()?;
        let sized = |log: u32| if count == 0 { Some(0) } else { 1_u32.checked_shl(log) };
        let bits = cursor.bytes(sized(bits_log)?.checked_div(8)?)?;
        let starts = if count == 0 { 0 } else { sized(buckets_log)?.checked_add(1)? };
        Some(Self {
            kind,
            gram,
            tiers,
            bits_shift: 32_u32.wrapping_sub(bits_log),
            buckets_shift: 32_u32.wrapping_sub(buckets_log),
            count,
            bits,
            buckets: cursor.words(starts)?,
            entries: cursor.words(count.checked_mul(2)?)?,
        })
    }

    /// Offers the rules whose pieces may be beginnings of `text`.
    #[inline]
    pub(super) fn beginnings(&self, text: &[u8], offer: impl FnMut(u32)) {
        let chunks = text.chunks_exact(4).map(word);
        self.tiers(text.first(), text.get(..2), chunks, offer);
    }

    /// Offers the rules whose pieces may be ends of `text`.
    #[inline]
    pub(super) fn ends(&self, text: &[u8], offer: impl FnMut(u32)) {
        let chunks = text.rchunks_exact(4).map(word);
        let two = text.len().checked_sub(2).and_then(|start| text.get(start..));
        self.tiers(text.last(), two, chunks, offer);
    }

    #[inline]
    fn tiers(
        &self,
        one: Option<&u8>,
        two: Option<&[u8]>,
        chunks: impl Iterator<Item = u32>,
        mut offer: impl FnMut(u32),
    ) {
        if self.count == 0 {
            return;
        }
        if self.tiers & 1 != 0
            && let Some(byte) = one
        {
            self.look_up(mix(seed(1), u32::from(*byte)), &mut offer);
        }
        if self.tiers & 2 != 0
            && let Some([a, b]) = two
        {
            self.look_up(mix(seed(2), u32::from_le_bytes([*a, *b, 0, 0])), &mut offer);
        }
        // Bit 2 + n of the mask stands for the length of n + 1 words.
        let mut left = self.tiers >> 2;
        let mut hash = seed(4);
        for chunk in chunks {
            if left == 0 {
                break;
            }
            hash = mix(hash, chunk);
            if left & 1 != 0 {
                self.look_up(hash, &mut offer);
            }
            left >>= 1;
        }
    }

    /// Offers the rules whose grams may stand in `text`.
    #[inline]
    pub(super) fn grams(&self, text: &[u8], mut offer: impl FnMut(u32)) {
        let length = index(self.gram);
        if self.count == 0 || text.len() < length {
            return;
        }
        if length == 4 {
            let mut window = 0_u32;
            let (first, rest) = text.split_at_checked(3).unwrap_or_default();
            for byte in first {
                window = (window >> 8) | (u32::from(*byte) << 24);
            }
            for byte in rest {
                window = (window >> 8) | (u32::from(*byte) << 24);
                self.look_up(mix(0, window), &mut offer);
            }
            return;
        }
        for window in text.windows(length) {
            let value = window.iter().rev().fold(0_u32, |value, byte| (value << 8) | u32::from(*byte));
            self.look_up(mix(0, value), &mut offer);
        }
    }

    #[inline]
    fn look_up(&self, hash: u32, offer: &mut impl FnMut(u32)) {
        let bit = hash.wrapping_shr(self.bits_shift);
        let known = self.bits.get(index(bit >> 3)).is_some_and(|byte| (byte >> (bit & 7)) & 1 != 0);
        if known {
            self.open_bucket(hash, offer);
        }
    }

    #[inline(never)]
    fn open_bucket(&self, hash: u32, offer: &mut impl FnMut(u32)) {
        let bucket = hash.wrapping_shr(self.buckets_shift);
        let bounds = self.buckets.get(bucket).zip(self.buckets.get(bucket.wrapping_add(1)));
        let Some((start, end)) = bounds else { return };
        let Some(entries) = self.entries.range(start.wrapping_mul(2), end.wrapping_mul(2)) else { return };
        let mut words = entries.iter();
        while let (Some(key), Some(rank)) = (words.next(), words.next()) {
            if key == hash {
                offer(rank);
            }
        }
    }

    /// Checks everything that [`read`](Self::read) does not: sizes, the order of the buckets, the ranks.
    pub(super) fn validate(&self, kind: u32, rules: u32) -> Option<()> {
        let logs = [self.bits_shift, self.buckets_shift].map(|shift| 32_u32.wrapping_sub(shift));
        let [bits_log, buckets_log] = logs;
        let gram_fits = if kind == kind::GRAMS { (1..=super::MAX_GRAM).contains(&self.gram) } else { self.gram == 0 };
        if self.kind != kind || !gram_fits {
            return None;
        }
        if self.count == 0 {
            return (logs == [0, 0]).then_some(());
        }
        if !(5..=MAX_LOG).contains(&bits_log) || !(1..=MAX_LOG).contains(&buckets_log) {
            return None;
        }
        let mut least = 0;
        for start in self.buckets.iter() {
            if start < least || start > self.count {
                return None;
            }
            least = start;
        }
        let complete = self.buckets.get(0) == Some(0) && least == self.count;
        let ranks_exist = self.entries.iter().skip(1).step_by(2).all(|rank| rank < rules);
        (complete && ranks_exist).then_some(())
    }
}
