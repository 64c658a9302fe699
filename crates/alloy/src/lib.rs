//! The Alloy language: read a model, check its types, execute its commands.

pub mod ast;
mod lexer;
mod parser;
pub mod rules;
mod token;

pub use parser::{parse, parse_expression};
