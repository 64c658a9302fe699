//! The command `locus`.

fn main() -> std::process::ExitCode {
    locus_cli::main()
}
