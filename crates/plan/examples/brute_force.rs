//! The planner beside brute force on many random universes:
//! `cargo run --release -p locus-plan --example brute_force -- CASES [SEED]`.
//!
//! It ends with an error at the first difference.

#[path = "../tests/common/mod.rs"]
mod common;

#[expect(clippy::print_stdout, reason = "this is a program that tells what it found")]
fn main() {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>().expect("a number"));
    let (cases, seed) = (numbers.next().unwrap_or(100_000), numbers.next().unwrap_or(7));
    println!("{:?}", common::compare(cases as usize, seed));
    println!("{:?}", common::compare_deployed(cases as usize, seed));
}
