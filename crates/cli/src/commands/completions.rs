//! `locus completions`: a script that teaches a shell our commands.

use clap::CommandFactory;

use crate::Outcome;
use crate::args::{Args, Completions};
use crate::terminal::Terminal;

pub(crate) fn run(command: &Completions, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Args::command(), "locus", &mut script);
    terminal.text(&String::from_utf8(script)?)?;
    Ok(Outcome::Clean)
}
