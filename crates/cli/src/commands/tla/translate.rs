//! `locus tla translate`: the translation of a PlusCal algorithm, written into its module.

use anyhow::bail;
use locus_tla::pluscal::{self, Translated};

use crate::Outcome;
use crate::args::{FailOn, Format, Global, TlaTranslate};
use crate::deadline;
use crate::inputs::Input;
use crate::languages;
use crate::output;
use crate::report::{Report, Way};
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

pub(super) fn run(command: &TlaTranslate, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    deadline::watch(command.limit.timeout, terminal)?;
    let session = Session::new(languages::ALL, &Setup::default())?;
    let input = Input { path: command.path.clone(), named: true };
    let file = session.read(&input, "<stdin>")?;
    let Translated { text, labels, is_same, .. } = match pluscal::translate(&file) {
        Ok(Some(translated)) => translated,
        Ok(None) => {
            bail!("{}: there is no algorithm in this file, which would begin with `--algorithm`", file.name())
        }
        Err(finding) => {
            let report = Report { findings: vec![*finding], files: 1, ..Report::default() };
            let (sources, rules) = (&session.sources, &session.rules);
            let (quiet, verbose) = (global.quiet, global.verbose);
            let way = Way { fail_on: FailOn::Error, quiet, verbose, sources, rules, terminal };
            return report.write(Format::Human, &way);
        }
    };
    for (label, place) in labels {
        terminal.remark(&format!("{}: the label {label} was added", session.sources.describe(place)));
    }
    if command.print {
        terminal.text(&text)?;
        return Ok(Outcome::Clean);
    }
    if is_same {
        terminal.remark(&format!("{}: the translation is up to date", file.name()));
        return Ok(Outcome::Clean);
    }
    output::write_whole(&command.path, &text)?;
    terminal.remark(&format!("{}: translated", file.name()));
    Ok(Outcome::Clean)
}
