//! A filter: which of many pieces of text stand in a subject, by hash.
//!
//! TABLE: words: kind, gram length (0 for the other kinds), step (see below, 0 for the other kinds), a mask of the tiers in use, the logarithms of the number of
//! bits and of buckets, the number of entries; then the bits (a Bloom filter, `2^bits / 32` words), the buckets
//! (`2^buckets + 1` indices into the entries) and the entries (hash, rank), sorted by bucket, then hash, then rank. The
//! bit is the hash's lowest bits, the bucket its highest. A filter without entries is its seven header words.
//!
//! A gram filter of step 1 is asked at every place of the subject. One of step 2 holds each rule under two grams of four
//! bytes that overlap in three, and is asked at every other place: one of the two is always met.

use alloc::vec::Vec;

use super::Search;
use super::hash::{gram, mix, seed, word};
use crate::table::words::{Cursor, index};

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

#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    gram: usize,
    step: u32,
    tiers: u32,
    bits_mask: u32,
    buckets_shift: u32,
    bits: Vec<u32>,
    buckets: Vec<u32>,
    entries: Vec<(u32, u32)>,
}

impl Filter {
    /// Reads the filter at the front of `cursor` and checks every part of it.
    pub(super) fn decode(cursor: &mut Cursor<'_>, kind: u32, rules: u32) -> Option<Self> {
        let (found, gram, step, tiers) = (cursor.u32()?, cursor.u32()?, cursor.u32()?, cursor.u32()?);
        let (bits_log, buckets_log, count) = (cursor.u32()?, cursor.u32()?, cursor.u32()?);
        let gram_fits = match step {
            0 => kind != kind::GRAMS && gram == 0,
            1 => kind == kind::GRAMS && (1..=super::MAX_GRAM).contains(&gram),
            2 => kind == kind::GRAMS && gram == super::MAX_GRAM,
            _ => false,
        };
        if found != kind || !gram_fits {
            return None;
        }
        let gram = index(gram);
        if count == 0 {
            return (bits_log == 0 && buckets_log == 0).then(|| Self {
                gram,
                step,
                ..Self::default()
            });
        }
        if !(5..=MAX_LOG).contains(&bits_log) || !(1..=MAX_LOG).contains(&buckets_log) {
            return None;
        }
        let bits = cursor
            .words(1_u32.checked_shl(bits_log.checked_sub(5)?)?)?
            .iter()
            .collect();
        let buckets: Vec<u32> = cursor
            .words(1_u32.checked_shl(buckets_log)?.checked_add(1)?)?
            .iter()
            .collect();
        let sorted = buckets.is_sorted() && buckets.first() == Some(&0) && buckets.last() == Some(&count);
        let mut entries = Vec::new();
        for _ in 0..count {
            entries.push((cursor.u32()?, Some(cursor.u32()?).filter(|rank| *rank < rules)?));
        }
        let bits_mask = 1_u32.checked_shl(bits_log)?.checked_sub(1)?;
        let buckets_shift = 32_u32.checked_sub(buckets_log)?;
        sorted.then_some(Self {
            gram,
            step,
            tiers,
            bits_mask,
            buckets_shift,
            bits,
            buckets,
            entries,
        })
    }

    /// How many entries it has.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Offers the rules whose pieces may be beginnings of `text`.
    #[inline]
    pub(super) fn beginnings(&self, text: &[u8], search: &mut Search<'_, '_>) {
        if !self.entries.is_empty() {
            self.tiers(
                text.first(),
                text.first_chunk(),
                text.chunks_exact(4).map(word),
                search,
            );
        }
    }

    /// Offers the rules whose pieces may be ends of `text`.
    #[inline]
    pub(super) fn ends(&self, text: &[u8], search: &mut Search<'_, '_>) {
        if !self.entries.is_empty() {
            self.tiers(
                text.last(),
                text.last_chunk(),
                text.rchunks_exact(4).map(word),
                search,
            );
        }
    }

    fn tiers(
        &self,
        one: Option<&u8>,
        two: Option<&[u8; 2]>,
        chunks: impl Iterator<Item = u32>,
        search: &mut Search<'_, '_>,
    ) {
        if self.tiers & 1 != 0
            && let Some(byte) = one
        {
            self.look_up(mix(seed(1), u32::from(*byte)), search);
        }
        if self.tiers & 2 != 0
            && let Some(pair) = two
        {
            self.look_up(mix(seed(2), u32::from(u16::from_le_bytes(*pair))), search);
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
                self.look_up(hash, search);
            }
            left >>= 1;
        }
    }

    /// Offers the rules whose grams may stand in `text`.
    #[inline]
    pub(super) fn grams(&self, text: &[u8], search: &mut Search<'_, '_>) {
        if self.entries.is_empty() {
            return;
        }
        match (self.gram, self.step) {
            (4, 2) => self.pairs(text, search),
            (length, _) => {
                for window in text.windows(length.max(1)) {
                    self.look_up(gram(window), search);
                }
            }
        }
    }

    /// [`grams`](Self::grams) of step 2: first all the bits, without a branch, then the few that are set.
    #[inline]
    fn pairs(&self, text: &[u8], search: &mut Search<'_, '_>) {
        let (pairs, _) = text.as_chunks::<2>();
        let mut window = 0_u32;
        let mut rest = pairs;
        while !rest.is_empty() {
            let part = rest.get(..64).unwrap_or(rest);
            let start = window;
            let mut known = 0_u64;
            for pair in part {
                window = slide(window, *pair);
                known = (known >> 1) | (u64::from(self.is_set(mix(0, window))) << 63);
            }
            known = known.wrapping_shr(64_u32.wrapping_sub(u32::try_from(part.len()).unwrap_or(64)));
            while known != 0 {
                let met = part.get(..=index(known.trailing_zeros())).unwrap_or_default();
                let window = met
                    .iter()
                    .skip(met.len().saturating_sub(2))
                    .fold(start, |window, pair| slide(window, *pair));
                self.open_bucket(mix(0, window), search);
                known &= known.wrapping_sub(1);
            }
            rest = rest.get(64..).unwrap_or_default();
        }
    }

    #[inline]
    fn is_set(&self, hash: u32) -> bool {
        let bit = hash & self.bits_mask;
        self.bits
            .get(index(bit >> 5))
            .is_some_and(|bits| bits.wrapping_shr(bit) & 1 != 0)
    }

    #[inline]
    fn look_up(&self, hash: u32, search: &mut Search<'_, '_>) {
        if self.is_set(hash) {
            self.open_bucket(hash, search);
        }
    }

    #[inline(never)]
    fn open_bucket(&self, hash: u32, search: &mut Search<'_, '_>) {
        let bucket = index(hash.wrapping_shr(self.buckets_shift));
        let Some([start, end]) = self.buckets.get(bucket..).and_then(<[u32]>::first_chunk) else {
            return;
        };
        for (key, rank) in self.entries.get(index(*start)..index(*end)).unwrap_or_default() {
            if !search.spend() {
                return;
            }
            if *key == hash {
                search.offer(*rank);
            }
        }
    }
}

/// The window of four bytes, two bytes further.
#[inline]
fn slide(window: u32, pair: [u8; 2]) -> u32 {
    (window >> 16) | (u32::from(u16::from_le_bytes(pair)) << 16)
}
