//! Questions about an instance, one a line.

use std::io::BufRead;

use locus_source::Sources;
use locus_source::render::Style;

use super::{instance, model_or_error};
use crate::Outcome;
use crate::args::AlloyRepl;
use crate::terminal::Terminal;

/// Reads expressions from standard input and answers each.
pub(super) fn run(command: &AlloyRepl, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let sources = Sources::new();
    let model = model_or_error(&command.path, &sources, terminal)?;
    let instance = instance(&model, command.command.as_deref(), &command.solving)?;
    let name = &model.commands()[instance.command].name;
    terminal.remark(&format!(
        "An instance of {name}. Write an expression, `:show` for the instance, `:quit` to leave."
    ));
    let style = Style { colour: terminal.colour(), width: terminal.width() };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match line.trim() {
            "" => {}
            ":quit" | ":q" => break,
            ":show" => terminal.result(&locus_alloy::render::text(&model, &instance))?,
            expression => match model.eval(&sources, &instance, expression) {
                Ok(answer) => terminal.result(&format!("{answer}\n"))?,
                Err(findings) => {
                    for finding in &findings {
                        terminal.remark(&locus_source::render::human(finding, &sources, style));
                    }
                }
            },
        }
    }
    Ok(Outcome::Clean)
}
