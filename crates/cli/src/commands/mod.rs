//! The subcommands, one module each.

mod alloy;
mod check;
mod completions;
mod compose;
mod explain;
mod graph;
mod plan;
mod rules;
mod rules_test;
mod tla;

use crate::Outcome;
use crate::args::{Args, Command};
use crate::terminal::Terminal;

pub(crate) use compose::ComposeCommand;

/// Runs what was asked for.
pub(crate) fn run(args: Args, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match args.command {
        Command::Check(command) => check::run(&command, &args.global, terminal),
        Command::Graph(command) => graph::run(&command, &args.global, terminal),
        Command::Plan(command) => plan::run(&command, &args.global, terminal),
        Command::Alloy(command) => alloy::run(&command, &args.global, terminal),
        Command::Compose(command) => compose::run(&command, &args.global, terminal),
        Command::Tla(command) => tla::run(&command, &args.global, terminal),
        Command::Rules(command) => rules::run(&command, terminal),
        Command::Explain(command) => explain::run(&command, terminal),
        Command::Completions(command) => completions::run(&command, terminal),
    }
}
