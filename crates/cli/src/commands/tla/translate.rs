//! `locus tla translate`: the translation of a PlusCal algorithm, written into its module.

use anyhow::{Context, bail};
use locus_source::{Limits, Sources};
use locus_tla::pluscal::{self, Translated};

use super::{Answer, Show};
use crate::Outcome;
use crate::args::{Global, TlaFormat, TlaTranslate};
use crate::inputs::{self, Input};
use crate::terminal::Terminal;

pub(super) fn run(command: &TlaTranslate, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let sources = Sources::new();
    let input = Input { path: command.path.clone(), named: true };
    let file = inputs::read(&input, "<stdin>", &sources, &Limits::default())?;
    let Translated { text, labels, is_same } = match pluscal::translate(&file) {
        Ok(Some(translated)) => translated,
        Ok(None) => {
            bail!("{}: there is no algorithm in this file, which would begin with `--algorithm`", file.name())
        }
        Err(finding) => {
            let show = Show { format: TlaFormat::Human, path: &command.path, coverage: false };
            return show.write(&Answer::Refused(vec![*finding]), &sources, global, terminal);
        }
    };
    for (label, place) in labels {
        terminal.remark(&format!("{}: the label {label} was added", sources.describe(place)));
    }
    if command.print {
        terminal.result(&text)?;
        return Ok(Outcome::Clean);
    }
    if is_same {
        terminal.remark(&format!("{}: the translation is up to date", file.name()));
        return Ok(Outcome::Clean);
    }
    std::fs::write(&command.path, text).with_context(|| format!("{}: cannot be written", file.name()))?;
    terminal.remark(&format!("{}: translated", file.name()));
    Ok(Outcome::Clean)
}
