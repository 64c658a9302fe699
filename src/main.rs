//! The command `locus`, as a package of the root folder, so that `cargo install --path .` and pre-commit find it.
//! Everything is in `crates/cli`.

fn main() -> std::process::ExitCode {
    locus_cli::main()
}
