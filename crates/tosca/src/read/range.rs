//! The ends of ranges, such as those of `occurrences`.

use locus_source::Node;

/// An end of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Number(i64),
    Unbounded,
}

/// An end of a range, if it is one.
pub(crate) fn end_of_range(node: Node<'_>) -> Option<End> {
    match node.as_i64() {
        Some(number) if number >= 0 => Some(End::Number(number)),
        Some(_) => None,
        None => (node.as_str()? == "UNBOUNDED").then_some(End::Unbounded),
    }
}
