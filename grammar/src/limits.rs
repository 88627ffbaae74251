//! Every bound on input, in one place. Past a bound is an error, never a truncation.

/// Bounds on one source text, checked before any parser sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest source text, in bytes.
    pub max_bytes: usize,
    /// Deepest nesting of collections; [`DEEPEST`](Self::DEEPEST) at most.
    pub max_depth: usize,
}

impl Limits {
    /// The deepest nesting that can be asked for; a larger `max_depth` counts as this one. The grammar itself stops a
    /// little beyond it, so that no text can exhaust the call stack.
    pub const DEEPEST: usize = 128;

    /// The nesting that is really accepted.
    pub(crate) fn depth(&self) -> usize {
        self.max_depth.min(Self::DEEPEST)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 1 << 20,
            max_depth: 64,
        }
    }
}

/// LIMIT: refusals listed for one text. A text with more of them is not worth reading further.
pub(crate) const MAX_REFUSALS: usize = 100;
