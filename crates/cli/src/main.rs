//! The command `locus`.
//!
//! This crate is the only one that reads files, looks at the environment and prints. Each subcommand has a
//! module under [`commands`]; what they share has one of its own: which files are meant ([`inputs`]), what
//! language a file is in ([`language`]), how findings leave ([`report`]).

mod allocator;
mod args;
mod commands;
mod config;
mod inputs;
mod interrupt;
mod language;
mod memory;
mod progress;
mod report;
mod rulebook;
mod suggest;
mod templates;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

/// How a run ended. The numbers are a promise: scripts rely on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// Nothing to complain about.
    Clean = 0,
    /// Findings at or above the severity that fails a run.
    Findings = 1,
    /// Something could not be done, so the answer is not known.
    CouldNotRun = 2,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome as u8)
    }
}

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // `--help` and `--version` arrive here too, and are no errors.
            let outcome = if error.use_stderr() { Outcome::CouldNotRun } else { Outcome::Clean };
            return if error.print().is_ok() { outcome.into() } else { Outcome::CouldNotRun.into() };
        }
    };
    let terminal = terminal::Terminal::new(args.global.color);
    match commands::run(args, &terminal) {
        Ok(outcome) => outcome.into(),
        Err(error) if terminal::is_broken_pipe(&error) => Outcome::Clean.into(),
        Err(error) => {
            terminal.error(&error);
            Outcome::CouldNotRun.into()
        }
    }
}
