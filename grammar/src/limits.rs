//! Every bound on input, in one place. Past a bound is an error, never a truncation.

/// Bounds on one source text, checked before any parser sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest source text, in bytes.
    pub max_bytes: usize,
    /// Deepest nesting of collections.
    pub max_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: 1 << 20, max_depth: 64 }
    }
}
