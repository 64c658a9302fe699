//! `locus resolve` and `locus forget`: what leads on where the engine itself cannot.

use anyhow::{anyhow, bail};
use locus_engine::{Answer, Input, Step, StepState};
use serde_json::json;

use super::args::{Forget, Resolve};
use super::show::said;
use super::up::confirm;
use super::{Home, put};
use crate::Outcome;
use crate::args::{Global, TextFormat};
use crate::page::Page;
use crate::report::counted;
use crate::terminal::Terminal;

/// Says whether steps were done.
pub(crate) fn resolve(command: &Resolve, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::open(&command.kept)?;
    let mut stored = home.deployment(&command.name)?;
    let is_meant = |step: &Step| {
        let planned = &step.planned;
        let is_named = command.node.as_ref().is_none_or(|node| node.is_node(&planned.node, &planned.desired));
        is_named && step.state == StepState::Unknown
    };
    let meant = (0u32..).zip(&stored.state.steps).filter(|(_, step)| is_meant(step));
    let mut places: Vec<u32> = meant.map(|(place, _)| place).collect();
    if places.is_empty() {
        let what = command
            .node
            .as_ref()
            .map_or_else(|| "nothing".to_owned(), |node| format!("nothing about {node}"));
        bail!("{what} is in doubt in {}", stored.name);
    }
    if !command.all {
        places.truncate(1);
    }
    for step in places {
        let answer = command.adopt.clone().map_or(Answer::Absent, Answer::Done);
        put(&*home.store, &mut stored, &Input::Resolve { step, answer })?
            .map_err(|refusal| anyhow!("somebody else has resolved it at the same time: {refusal}"))?;
    }
    let word = "resolved; 'locus up' or 'locus down' goes on";
    said(&stored, word, command.kept.format, terminal, Outcome::Clean)
}

/// Forgets a deployment without touching what was built.
pub(crate) fn forget(command: &Forget, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::open(&command.kept)?;
    let stored = home.deployment(&command.name)?;
    let left: Vec<(&String, &String)> = stored
        .state
        .nodes
        .iter()
        .filter(|(_, node)| node.present)
        .map(|(name, node)| (name, &node.id))
        .collect();
    let count = counted(left.len(), "node");
    confirm(command.yes, &format!("Forget {} and leave {count} as they are?", stored.name), terminal)?;
    home.store.forget(&stored.name)?;
    if command.kept.format == TextFormat::Json {
        let left: Vec<_> = left.iter().map(|(name, id)| json!({ "name": name, "id": id })).collect();
        let answer = json!({ "name": stored.name, "outcome": "forgotten", "left": left, "exit_code": 0 });
        terminal.json(answer.to_string())?;
        return Ok(Outcome::Clean);
    }
    let mut page = Page::new(terminal.style());
    page.line(&format!("{}: forgotten; {count} left as they are", stored.name));
    for (name, id) in left {
        page.line(&format!("  {name} {id}"));
    }
    terminal.page(&page)?;
    Ok(Outcome::Clean)
}
