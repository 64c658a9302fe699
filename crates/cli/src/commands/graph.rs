//! `locus graph`: draw what a file describes.

use std::sync::Arc;

use anyhow::bail;
use locus_language::NoGraph;
use locus_source::{Loader, Severity};

use crate::Outcome;
use crate::args::{Global, Graph, Picture};
use crate::deadline;
use crate::inputs::Input;
use crate::languages;
use crate::output;
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

pub(crate) fn run(command: &Graph, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let wanted = wanted(command)?;
    deadline::watch(command.limit.timeout, terminal)?;
    let reading = command.reading.of_some_file(command.path.is_some())?;
    let mut setup = Setup::reading(&reading);
    setup.given.extend(command.given.0.iter().cloned());
    let session = Session::new(languages::ALL, &setup)?;
    let path = command.path.as_ref().or(reading.project.file.first()).expect("a file is named or was found");
    let input = Input { path: path.clone(), named: true };
    let file = session.read(&input, &reading.stdin_name)?;
    let language = session.language(reading.language(), &file)?;
    if let Some(choice) = session.refused(language).first() {
        return Err(
            session.refusal(*choice, &format!("{}: a file in the language {}", file.name(), language.id()))
        );
    }
    let loader: Arc<dyn Loader> = session.files(&input.path);
    let effort = session.effort(None, 1);
    let request = session.request(&loader, &effort);
    let document = language.read(&file, &request);
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
        Picture::Alloy => document.model(&request).map(Ok),
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
    let errors = document.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let mut outcome = Outcome::Clean;
    for finding in errors {
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
