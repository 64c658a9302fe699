//! Tests of the YAML and JSON readers through their public face.

mod api;
mod common;
#[path = "../effort/mod.rs"]
mod effort;
mod hostile;
mod invariants;
mod json_mistakes;
mod json_values;
mod memory;
mod pyyaml_documents;
mod random_text;
mod scalars;
mod trees;
