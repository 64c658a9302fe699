//! Limits on input. Every limit is an option, and the error for each names it.

/// Limits against hostile or mistaken input. [`Limits::default`] suits files that people write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file, in bytes. Never more than 4 GiB, because spans have 32 bits.
    pub file_bytes: usize,
    /// Deepest nesting of collections in a tree.
    pub depth: usize,
    /// Most nodes in one tree, counting what aliases and merge keys repeat as often as it is reached.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 64 << 20, depth: 128, nodes: 10_000_000 }
    }
}
