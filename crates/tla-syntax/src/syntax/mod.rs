//! From text to trees: lexer, parser and the tree itself.
//!
//! Out of scope: names. The tree says `Name("x")` wherever an `x` stands; what it means is found
//! out in [`semantic`](crate::semantic).

pub mod ast;
mod lexer;
pub mod operators;
mod parser;
mod token;

pub(crate) use lexer::lex_fragment;
pub use parser::{NESTING_LIMIT, Parsed, TREE_DEPTH_LIMIT, parse_expression, parse_module};
pub(crate) use parser::{parse_module_named, parse_prefix};
pub(crate) use token::{Kind, Token, Word};
