//! Tests of the YAML and JSON readers through their public face.

mod common;
mod trees;
