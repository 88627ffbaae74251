//! Pieces of text to 32-bit hashes, the same in the table builder and in the evaluator.

/// Longest gram, in bytes.
pub const MAX_GRAM: u32 = 4;

/// Lengths, in bytes, at which beginnings and ends are hashed.
const TIERS: [u32; 12] = [1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48];

/// The longest hashed length that a piece of `len` bytes has, or `None` for an empty piece.
pub fn largest_tier(len: usize) -> Option<u32> {
    let fits = |tier: &u32| usize::try_from(*tier).is_ok_and(|tier| tier <= len);
    TIERS.iter().copied().rev().find(fits)
}

/// One step: mixes `word` into `hash`.
#[inline]
pub(super) fn mix(hash: u32, word: u32) -> u32 {
    let product = u64::from(hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let [_, _, _, _, a, b, c, d] = product.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Where hashing starts: another seed for each length below one whole word.
#[inline]
pub(super) fn seed(len: u32) -> u32 {
    0x5BD1_E995_u32.wrapping_add(len)
}

/// The hash of a beginning of 1, 2, or a multiple of 4 bytes.
pub fn beginning(piece: &[u8]) -> u32 {
    short(piece).unwrap_or_else(|| {
        piece
            .chunks_exact(4)
            .fold(seed(4), |hash, chunk| mix(hash, word(chunk)))
    })
}

/// The hash of an end of 1, 2, or a multiple of 4 bytes: its words from the last to the first.
pub fn end(piece: &[u8]) -> u32 {
    short(piece).unwrap_or_else(|| {
        piece
            .rchunks_exact(4)
            .fold(seed(4), |hash, chunk| mix(hash, word(chunk)))
    })
}

fn short(piece: &[u8]) -> Option<u32> {
    match piece {
        [a] => Some(mix(seed(1), u32::from(*a))),
        [a, b] => Some(mix(seed(2), u32::from_le_bytes([*a, *b, 0, 0]))),
        _ => None,
    }
}

/// Four bytes as a word.
#[inline]
pub(super) fn word(chunk: &[u8]) -> u32 {
    chunk
        .first_chunk::<4>()
        .map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The hash of a gram of 1 to 4 bytes.
#[inline]
pub fn gram(piece: &[u8]) -> u32 {
    if let [a, b, c, d] = *piece {
        return mix(0, u32::from_le_bytes([a, b, c, d]));
    }
    let value = piece
        .iter()
        .rev()
        .fold(0_u32, |value, byte| (value << 8) | u32::from(*byte));
    mix(0, value)
}

/// The hash of a tool's name.
pub fn name(text: &[u8]) -> u32 {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let (words, rest) = text.as_chunks::<4>();
    let hash = words
        .iter()
        .fold(seed(length), |hash, chunk| mix(hash, u32::from_le_bytes(*chunk)));
    mix(
        hash,
        rest.iter()
            .rev()
            .fold(0_u32, |value, byte| (value << 8) | u32::from(*byte)),
    )
}
