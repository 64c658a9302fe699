//! The command `locus`.

fn main() {}
