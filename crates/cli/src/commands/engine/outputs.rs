//! `locus output`: what the programs and the driver of a deployment say of its nodes.

use anyhow::bail;
use locus_drivers::shown;
use locus_store::Stored;
use serde_json::{Map, Value};

use super::Home;
use super::args::Output;
use crate::Outcome;
use crate::args::{Global, TextFormat};
use crate::page::Page;
use crate::terminal::Terminal;

/// Each output as `NODE.OUTPUT`, secrets masked. What only the engine needs begins with a point, and is left out.
fn outputs(stored: &Stored) -> impl Iterator<Item = (String, String)> {
    let present = stored.state.nodes.iter().filter(|(_, node)| node.present);
    present.flat_map(|(name, node)| {
        let told = node.outputs.iter().filter(|(key, _)| !key.starts_with('.'));
        told.map(move |(key, value)| (format!("{name}.{key}"), shown(value)))
    })
}

pub(crate) fn output(command: &Output, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::read(&command.kept)?;
    let stored = home.deployment(&command.name)?;
    let is_json = command.kept.format == TextFormat::Json;
    if let Some(key) = &command.key {
        let Some((_, value)) = outputs(&stored).find(|(name, _)| name == key) else {
            bail!("{} has no output {key}; 'locus output {}' lists all", stored.name, stored.name);
        };
        if is_json {
            terminal.json(Value::from(value).to_string())?;
        } else {
            let mut page = Page::new(terminal.style());
            page.line(&value);
            terminal.page(&page)?;
        }
        return Ok(Outcome::Clean);
    }
    if is_json {
        let all: Map<String, Value> = outputs(&stored).map(|(name, value)| (name, value.into())).collect();
        terminal.json(Value::Object(all).to_string())?;
        return Ok(Outcome::Clean);
    }
    let mut page = Page::new(terminal.style());
    for (name, value) in outputs(&stored) {
        page.line(&format!("{name} = {value}"));
    }
    terminal.page(&page)?;
    Ok(Outcome::Clean)
}
