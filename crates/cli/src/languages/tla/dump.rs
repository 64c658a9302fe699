//! The state graph as a file for other programs: Graphviz, JSON, or one JSON object a line.

use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, bail};
use locus_tla::check::{Dumped, Entry};
use serde_json::{Map, Value as Json, json};

use crate::output::Whole;

/// How a state graph is written.
enum Form {
    Dot,
    /// One object with `states` and `steps`. States and steps come in turn, so the steps wait in a file of their own.
    Json(std::fs::File),
    Lines,
}

/// A state graph that is being written.
pub(super) struct Writer {
    form: Form,
    file: Whole,
    entries: u64,
    failed: Option<std::io::Error>,
}

impl Writer {
    /// Begins a file, whose ending says how it is written.
    pub(super) fn new(path: &Path) -> anyhow::Result<Self> {
        let form = match path.extension().and_then(|extension| extension.to_str()) {
            Some("dot" | "gv") => Form::Dot,
            Some("json") => Form::Json(tempfile::tempfile().context("cannot make a temporary file")?),
            Some("ndjson" | "jsonl") => Form::Lines,
            _ => bail!("--dump {}: the file must end in .dot, .json or .ndjson", path.display()),
        };
        let mut writer = Self { form, file: Whole::new(path)?, entries: 0, failed: None };
        match writer.form {
            Form::Dot => writer.file.write_all(b"digraph states {\n")?,
            Form::Json(_) => writer.file.write_all(b"{\"states\": [")?,
            Form::Lines => {}
        }
        Ok(writer)
    }

    /// Writes a part.
    pub(super) fn entry(&mut self, entry: &Entry) -> ControlFlow<()> {
        match self.write(entry) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn write(&mut self, entry: &Entry) -> std::io::Result<()> {
        self.entries += 1;
        let is_first = self.entries == 1;
        match &mut self.form {
            Form::Dot => writeln!(self.file, "{}", dot(entry)),
            Form::Lines => writeln!(self.file, "{}", json_of(entry)),
            Form::Json(steps) => match entry {
                Entry::State { .. } => {
                    let comma = if is_first { "" } else { "," };
                    write!(self.file, "{comma}\n{}", json_of(entry))
                }
                Entry::Step { .. } => write!(steps, ",\n{}", json_of(entry)),
            },
        }
    }

    /// Puts the file in its place.
    pub(super) fn finish(mut self, dumped: Dumped) -> anyhow::Result<String> {
        if let Some(error) = self.failed {
            return Err(error.into());
        }
        match self.form {
            Form::Dot => self.file.write_all(b"}\n")?,
            Form::Lines => {}
            Form::Json(mut steps) => {
                self.file.write_all(b"\n],\n\"steps\": [")?;
                steps.seek(SeekFrom::Start(0))?;
                // The first comma has nothing before it.
                let mut comma = [0];
                if steps.read(&mut comma)? == 1 {
                    std::io::copy(&mut steps, &mut self.file)?;
                }
                self.file.write_all(b"\n]}\n")?;
            }
        }
        self.file.finish()?;
        Ok(format!("{} states and {} steps", dumped.states, dumped.steps))
    }
}

fn dot(entry: &Entry) -> String {
    let quoted =
        |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    match entry {
        Entry::State { number, is_initial, variables } => {
            let lines: Vec<String> = variables.iter().map(|v| format!("{} = {}", v.name, v.value)).collect();
            let style = if *is_initial { ", style=filled" } else { "" };
            format!("{number} [label={}{style}];", quoted(&lines.join("\n")))
        }
        Entry::Step { from, to, action } => {
            let label = action.as_ref().map_or(String::new(), |action| {
                let values: Vec<&str> = action.parameters.iter().map(|(_, value)| value.as_str()).collect();
                let list = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
                format!("{}{list}", action.name)
            });
            format!("{from} -> {to} [label={}];", quoted(&label))
        }
    }
}

fn json_of(entry: &Entry) -> Json {
    match entry {
        Entry::State { number, is_initial, variables } => {
            let values: Map<String, Json> =
                variables.iter().map(|v| (v.name.clone(), v.json.clone())).collect();
            json!({ "state": number, "initial": is_initial, "variables": values })
        }
        Entry::Step { from, to, action } => {
            let parameters: Map<String, Json> = action
                .iter()
                .flat_map(|action| &action.parameters)
                .map(|(name, value)| (name.clone(), value.clone().into()))
                .collect();
            let name = action.as_ref().map(|action| action.name.as_str());
            json!({ "from": from, "to": to, "action": name, "parameters": parameters })
        }
    }
}
