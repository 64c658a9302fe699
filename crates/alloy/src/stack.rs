//! Room for recursion. Models nest as deeply as the named limits allow, on a thread of any size: frames differ by a
//! factor of four between builds, so that no limit on nesting alone fits into the 2 MiB that a thread usually has.

/// As much as reading a model or solving a command may need at once.
const ENOUGH: usize = 3 << 20;

/// Runs `work` with stack enough for all that the limits on nesting allow.
pub(crate) fn enough<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(ENOUGH, 32 << 20, work)
}

/// Runs one level of a recursion that may go deeper than [`enough`] foresees.
pub(crate) fn as_it_grows<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 << 10, 8 << 20, work)
}
