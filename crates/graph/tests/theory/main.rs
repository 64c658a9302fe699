//! The theory, checked against the report.
//!
//! `naive` is section 2 of the report once more, written straight from its formulas with loops over plain
//! sets; `generate` makes random graphs and transitions. The other modules compare the two and check every
//! assertion of the section, on thousands of random cases each.

mod composition;
mod generate;
mod naive;
mod statics;
mod stepping;
mod transitions;
