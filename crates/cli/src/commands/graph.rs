//! `locus graph`: draw what a file describes.

use anyhow::bail;
use locus_language::NoGraph;

use crate::Outcome;
use crate::args::{Global, Graph, Picture};
use crate::deadline;
use crate::opened::Opened;
use crate::output;
use crate::terminal::Terminal;

pub(crate) fn run(command: &Graph, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let wanted = wanted(command)?;
    deadline::watch(command.limit.timeout, terminal)?;
    let opened = Opened::read(command.path.as_ref(), &command.given, &command.reading)?;
    let Opened { session, file, document, .. } = &opened;
    let name = file.name();
    let written = match wanted {
        Picture::Svg => {
            document.picture(name).map(|scene| locus_draw::svg(&scene, &locus_draw::Options::default()))
        }
        Picture::Dot => document.picture(name).map(|scene| Ok(locus_draw::dot(&scene))),
        Picture::Json => {
            document.graph().map(|graph| Ok(locus_graph::text::write_json_with_bindings(&graph)))
        }
        Picture::Yaml => document.graph().map(|graph| Ok(locus_graph::text::write_yaml(&graph))),
        Picture::Alloy => document.model(&opened.request()).map(Ok),
        Picture::Canonical => document.canonical().map(Ok),
    };
    let text = match written {
        Ok(text) => text?,
        Err(NoGraph::NotThisLanguage(why) | NoGraph::NotBuildable(why)) => bail!("{name}: {why}"),
        Err(NoGraph::NotUnderstood) => {
            for finding in document.findings() {
                terminal.remark_finding(finding, &session.sources);
            }
            bail!("{name} was not drawn, because it could not be read");
        }
    };
    match &command.output {
        Some(path) => {
            output::refuse_input(path, &session.sources)?;
            output::write_whole(path, &text)?;
        }
        None => terminal.text(&text)?,
    }
    // What could be understood is drawn; that it is not all is said.
    let mut outcome = Outcome::Clean;
    for finding in opened.errors() {
        terminal.remark_finding(finding, &session.sources);
        outcome = Outcome::Findings;
    }
    Ok(outcome)
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
        Some("als") => Ok(Picture::Alloy),
        _ => bail!(
            "cannot tell from {} what to write; end it in .svg, .dot, .json, .yaml or .als, or say --to",
            output.display()
        ),
    }
}
