//! The command `locus`, as a library with one function: the programs that call it are this package's own, and that of
//! the root package, which `cargo install` finds.
//!
//! This crate is the only one that reads files, looks at the environment and prints. Each subcommand has a
//! module under [`commands`]; what they share has one of its own: which files are meant ([`inputs`]), what
//! languages there are ([`languages`]), what a run works with ([`session`]), what files may read ([`loader`]), how
//! findings leave ([`report`]) and how text is made safe for a terminal ([`page`]).

#[cfg(test)]
mod acceptance;
mod allocator;
mod args;
mod baseline;
mod commands;
mod config;
#[cfg(test)]
mod counts;
mod deadline;
mod fix;
mod inputs;
mod interrupt;
mod languages;
mod loader;
mod machine;
mod memory;
mod opened;
mod output;
mod page;
mod progress;
mod projects;
mod quantities;
#[cfg(test)]
mod renaming;
mod report;
mod session;
mod storage;
mod suggest;
mod terminal;
mod tlc;

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

/// The whole command: reads the arguments, does what they say, and gives the exit code.
pub fn main() -> ExitCode {
    // For tests of what is made of a meaning; not in builds for users.
    #[cfg(debug_assertions)]
    if let Ok(name) = std::env::var("LOCUS_MUTANT")
        && let Some(mutant) = locus_meaning::mutant::named(&name)
    {
        locus_meaning::mutant::choose(mutant);
    }
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
            return match tlc::advice(arguments) {
                Some(advice) if error.use_stderr() => {
                    terminal::Terminal::new(args::Color::Auto).error(&anyhow::anyhow!(advice));
                    Outcome::CouldNotRun.into()
                }
                _ => refuse(&error).into(),
            };
        }
    };
    let terminal = terminal::Terminal::new(args.global.color);
    match commands::run(args, &terminal) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            terminal.error(&error);
            Outcome::CouldNotRun.into()
        }
    }
}

/// Says what is wrong with the arguments. `--help` and `--version` arrive here too, and are not errors.
fn refuse(error: &clap::Error) -> Outcome {
    if !error.use_stderr() {
        return if error.print().is_ok() { Outcome::Clean } else { Outcome::CouldNotRun };
    }
    // The message repeats arguments as they came, so those that could steer a terminal cost its colours.
    let text = error.render().to_string();
    let safe = locus_source::render::visible(&text);
    if safe == text {
        let _ = error.print();
    } else {
        terminal::Terminal::new(args::Color::Never).remark(safe.trim_end());
    }
    Outcome::CouldNotRun
}
