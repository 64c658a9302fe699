//! `locus plan --name` and `--out`: a file against what is deployed.

use std::path::PathBuf;

use anyhow::bail;
use locus_deploy::Error;

use super::answer::Question;
use super::durations::Durations;
use super::{Asked, Said};
use crate::Outcome;
use crate::args::{Plan, Reading};
use crate::commands::against;
use crate::session::Session;
use crate::terminal::Terminal;

pub(super) fn plan(
    command: &Plan,
    reading: &Reading,
    paths: &[PathBuf],
    session: &Session,
    terminal: &Terminal,
    durations: Option<Durations>,
) -> anyhow::Result<Outcome> {
    let [path] = paths else { bail!("one file is planned against what is deployed; leave the old one out") };
    if let Some(out) = &command.out
        && out.extension().is_none_or(|ending| ending != "plan")
    {
        bail!("{}: the name of a plan ends with `.plan`", out.display());
    }
    let against = match against(command, reading, path, terminal) {
        Ok(Some(against)) => against,
        Ok(None) => return Ok(Outcome::CouldNotRun),
        Err(error) => match error.downcast_ref() {
            Some(why @ (Error::Refused { .. } | Error::NoOrder)) => {
                let asked = Asked { command, reading, session, terminal, durations };
                return asked.say(&Said::None(vec![why.to_string()]));
            }
            _ => return Err(error),
        },
    };
    let pivot = against.pivot();
    let asked = Asked { command, reading, session: against.session(), terminal, durations };
    let question = Question { not_judged: against.not_judged(), ..Question::of(pivot, against.documents()) };
    let outcome = asked.answer(&question, against.file())?;
    match &command.out {
        Some(out) if outcome != Outcome::Findings => {
            against.write(out)?;
            terminal.remark(&format!("'locus up {}' does exactly this", out.display()));
        }
        Some(out) => terminal.remark(&format!("{} was not written", out.display())),
        None => {}
    }
    Ok(outcome)
}
