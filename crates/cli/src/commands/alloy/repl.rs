//! Questions about an instance, one a line.

use std::io::BufRead;

use super::{instance, session};
use crate::Outcome;
use crate::args::AlloyRepl;
use crate::deadline;
use crate::page::Page;
use crate::terminal::Terminal;

const HELP: &str = "\
Write an expression or formula of Alloy to have it evaluated on the instance.
  :show  the whole instance
  :help  this
  :quit  leave";

/// Reads expressions from standard input and answers each.
pub(super) fn run(command: &AlloyRepl, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let session = session(&command.solving, &command.access)?;
    let wanted = command.command.as_deref();
    let (model, instance) = instance(&session, &command.path, wanted, &command.solving, terminal)?;
    let name = &model.commands()[instance.command].name;
    terminal.remark(&format!(
        "An instance of {name}. Write an expression, `:show` for the instance, `:help` for help, `:quit` to leave."
    ));
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut page = Page::new(terminal.style());
        match line.trim() {
            "" => {}
            ":quit" | ":q" => break,
            ":help" | ":h" => terminal.remark(HELP),
            ":show" => page.text(&locus_alloy::render::text(&model, &instance)),
            expression => {
                let answer = || model.eval(&session.sources, &instance, expression);
                match deadline::guarded(command.solving.timeout, terminal, answer)? {
                    Ok(answer) => page.lines(&answer.to_string()),
                    Err(findings) => {
                        for finding in &findings {
                            terminal.remark_finding(finding, &session.sources);
                        }
                    }
                }
            }
        }
        terminal.page(&page)?;
    }
    Ok(Outcome::Clean)
}
