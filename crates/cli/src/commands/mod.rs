//! The subcommands, one module each.

mod alloy;
mod check;
mod completions;
mod compose;
mod destroyed;
mod engine;
mod explain;
mod graph;
mod plan;
mod rules;
mod rules_test;
mod show;
mod tla;

use crate::Outcome;
use crate::args::{Args, Command};
use crate::memory;
use crate::terminal::Terminal;

pub(crate) use compose::ComposeCommand;
pub(crate) use engine::{
    Cancel, Down, Drift, Engine, Events, Forget, Import, Output, Resolve, Status, Up, against, usual,
};
pub(crate) use show::Show;

/// Runs what was asked for.
pub(crate) fn run(args: Args, terminal: &Terminal) -> anyhow::Result<Outcome> {
    if matches!(args.command, Command::Alloy(_)) {
        memory::large_pages();
    }
    match args.command {
        Command::Check(command) => check::run(&command, &args.global, terminal),
        Command::Show(command) => show::run(&command, &args.global, terminal),
        Command::Graph(command) => graph::run(&command, &args.global, terminal),
        Command::Plan(command) => plan::run(&command, &args.global, terminal),
        Command::Alloy(command) => alloy::run(&command, &args.global, terminal),
        Command::Compose(command) => compose::run(&command, &args.global, terminal),
        Command::Tla(command) => tla::run(&command, &args.global, terminal),
        Command::Up(command) => engine::up(&command, &args.global, terminal),
        Command::Down(command) => engine::down(&command, &args.global, terminal),
        Command::Status(command) => engine::status(&command, &args.global, terminal),
        Command::Events(command) => engine::events(&command, &args.global, terminal),
        Command::Cancel(command) => engine::cancel(&command, &args.global, terminal),
        Command::Resolve(command) => engine::resolve(&command, &args.global, terminal),
        Command::Forget(command) => engine::forget(&command, &args.global, terminal),
        Command::Import(command) => engine::import(&command, &args.global, terminal),
        Command::Output(command) => engine::output(&command, &args.global, terminal),
        Command::Drift(command) => engine::drift(&command, &args.global, terminal),
        Command::Engine(command) => engine::engine(&command, &args.global, terminal),
        Command::Rules(command) => rules::run(&command, terminal),
        Command::Explain(command) => explain::run(&command, terminal),
        Command::Completions(command) => completions::run(&command, terminal),
    }
}
