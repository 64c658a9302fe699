//! `locus graph`: draw what a file describes.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use locus_source::{Severity, Sources};

use crate::Outcome;
use crate::args::{FailOn, Format, Global, Graph, Picture};
use crate::config::Config;
use crate::inputs::{self, Input};
use crate::language::{self, Language};
use crate::report::Report;
use crate::rulebook::rulebook;
use crate::templates;
use crate::terminal::Terminal;

pub(crate) fn run(command: &Graph, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let picture = wanted(command)?;
    let rules = rulebook();
    let sources = Sources::new();
    let config = Config::load(&command.reading, &sources, &rules)?;
    let input = Input { path: command.path.clone(), named: true };
    let file = inputs::read(&input, &command.reading.stdin_name, &sources, &config.limits)?;
    let language = match &command.reading.language {
        Some(id) => Language::by_id(id)?,
        None => language::detect(&file)?,
    };
    let (graph, findings) = match language {
        Language::LocationGraph => {
            let read = locus_graph::text::read(&file, &config.limits);
            (Some(read.graph), read.findings)
        }
        Language::Hot => {
            let read = templates::read(&file, &command.reading, &sources, &config.limits)?;
            (read.template.as_ref().map(locus_hot::graph), Vec::new())
        }
        Language::Alloy => {
            bail!("`locus alloy run {} --format svg` draws an instance of a model", file.name())
        }
        Language::Tla => bail!("`locus tla check {} --format svg` draws a state graph", file.name()),
    };
    // A graph that breaks the rules can still be drawn, which may be how somebody finds out why; a text that
    // could not be read as one cannot.
    let broken = findings.iter().any(|finding| finding.severity == Severity::Error);
    let Some(graph) = graph.filter(|_| !broken) else {
        let report = Report { sources, findings, errors: Vec::new(), files: 1, suggested: None };
        report.write(Format::Human, FailOn::Error, global.quiet, &rules, terminal)?;
        bail!("{} was not drawn, because it could not be read; `locus check` says why", file.name());
    };
    let text = match picture {
        Picture::Svg => {
            locus_draw::svg(&locus_graph::picture(&graph, file.name()), &locus_draw::Options::default())?
        }
        Picture::Dot => locus_draw::dot(&locus_graph::picture(&graph, file.name())),
        Picture::Json => locus_graph::text::write_json_with_bindings(&graph),
        Picture::Yaml => locus_graph::text::write_yaml(&graph),
    };
    match &command.output {
        Some(path) => write_whole(path, &text)?,
        None => terminal.result(&text)?,
    }
    Ok(Outcome::Clean)
}

fn wanted(command: &Graph) -> anyhow::Result<Picture> {
    if let Some(picture) = command.to {
        return Ok(picture);
    }
    let Some(output) = &command.output else { return Ok(Picture::Svg) };
    match output.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => Ok(Picture::Svg),
        Some("dot" | "gv") => Ok(Picture::Dot),
        Some("json") => Ok(Picture::Json),
        Some("yaml" | "yml") => Ok(Picture::Yaml),
        _ => bail!(
            "cannot tell from {} what to write; end it in .svg, .dot, .json or .yaml, or say --to",
            output.display()
        ),
    }
}

/// Writes a file whole or not at all: whoever interrupts us finds the old file or the new one.
fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let context = || format!("cannot write {}", path.display());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".locus-");
    // A temporary file is private unless told otherwise; a picture is as readable as any other file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).with_context(context)?;
    file.write_all(text.as_bytes()).with_context(context)?;
    file.persist(path).with_context(context)?;
    Ok(())
}
