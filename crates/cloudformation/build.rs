//! Makes a table of the files under `rules/cloudformation`.

#[path = "../rules/build/table.rs"]
mod table;

fn main() -> std::io::Result<()> {
    table::write("cloudformation")
}
