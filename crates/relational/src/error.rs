//! Why there is no answer.

/// Why a problem could not be solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// A relation without bounds.
    #[error("relation `{relation}` has no bounds")]
    Unbound {
        /// Its name.
        relation: String,
    },
    /// A variable that nothing binds.
    #[error("variable `{variable}` is not bound")]
    Free {
        /// Its name.
        variable: String,
    },
    /// A quantifier over sets that is not existential at the top.
    #[error("`{variable}` ranges over sets and is not an outermost existential: this cannot be analysed")]
    HigherOrder {
        /// The variable.
        variable: String,
    },
    /// Tuples too wide for so many atoms.
    #[error(
        "tuples of {arity} columns over {atoms} atoms are too wide; use fewer columns or a smaller scope"
    )]
    TooWide {
        /// How many columns.
        arity: usize,
        /// How many atoms.
        atoms: usize,
    },
    /// The translation would not fit into memory.
    #[error(
        "the problem is too large: {atoms} atoms, {variables} unknown tuples, and over {gates} gates; \
         use a smaller scope"
    )]
    TooLarge {
        /// How many atoms.
        atoms: usize,
        /// How many tuples are unknown.
        variables: usize,
        /// How many gates were made so far.
        gates: usize,
    },
    /// A formula nested too deeply.
    #[error("the formula nests {depth} levels deep, of which {limit} are allowed")]
    TooDeep {
        /// How deep.
        depth: usize,
        /// How deep is allowed.
        limit: usize,
    },
    /// Integers of no usable width.
    #[error("integers of {bits} bits cannot be solved for; 0 to {max} can")]
    Width {
        /// The width asked for.
        bits: u32,
        /// The widest possible.
        max: u32,
    },
    /// Stopped by the caller or by the deadline.
    #[error("stopped before the answer was known")]
    Interrupted,
}
