//! What can be wrong with a source text, as a closed enum.
