//! From a file to what is to be deployed.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use locus_deploy::{DriverChoice, Goal, Node};
use locus_drivers::DEFAULT_HOST;
use locus_language::{Maker, NoGraph};
use locus_meaning::things::{Programs, Thing};
use locus_source::{Loader, Severity};

use super::args::Up;
use super::sites;
use crate::args::Reading;
use crate::inputs::Input;
use crate::languages;
use crate::loader::Allowed;
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

/// The goal that a file describes, and the name that it gives to it; none if there are errors in it, which were
/// reported.
pub(crate) fn describe(
    command: &Up,
    reading: &Reading,
    path: &Path,
    terminal: &Terminal,
) -> anyhow::Result<Option<(Goal, Option<String>)>> {
    let input = Input { path: path.to_owned(), named: true };
    let mut setup = Setup::reading(reading);
    if command.simulate.is_none() {
        // What is built is built with the rights of who asks for it, and from all that they may read.
        setup.allowed = Allowed::everything();
    }
    let mut session = Session::new(languages::ALL, &setup)?;
    let mut file = session.read(&input, &reading.stdin_name)?;
    let mut language = session.language(reading.language(), &file)?;
    let parameters;
    if let Some(name) = command.name.as_ref().filter(|_| language.maker() == Some(Maker::Docker)) {
        let named = format!("{PROJECT_NAME}={name}");
        parameters = reading.parameter.iter().cloned().chain([named]).collect::<Vec<_>>();
        setup.parameters = &parameters;
        session = Session::new(languages::ALL, &setup)?;
        file = session.read(&input, &reading.stdin_name)?;
        language = session.language(reading.language(), &file)?;
    }
    if let Some(choice) = session.refused(language).first() {
        let what = format!("{}: a file in the language {}", file.name(), language.id());
        return Err(session.refusal(*choice, &what));
    }
    let loader: Arc<dyn Loader> = session.files(&input.path);
    let effort = session.effort(None, 1);
    let request = session.request(&loader, &effort);
    let document = language.read(&file, &request);
    let judged = document.judge(&request);
    let errors = document.findings().iter().chain(&judged.findings);
    let errors: Vec<_> = errors.filter(|finding| finding.severity == Severity::Error).collect();
    for finding in &errors {
        terminal.remark_finding(finding, &session.sources);
    }
    if !errors.is_empty() {
        terminal.remark(&format!("{} was not deployed, because something is wrong with it", file.name()));
        return Ok(None);
    }
    if let Some(unanswered) = judged.unanswered.first() {
        bail!("{} was not deployed: {}", file.name(), unanswered.why);
    }
    let things = match document.things(&request) {
        Ok(things) => things,
        Err(NoGraph::NotThisLanguage(_)) => {
            bail!("{}: {} describes nothing that could be deployed", file.name(), language.name())
        }
        Err(NoGraph::NotUnderstood) => bail!("{} could not be read", file.name()),
        Err(NoGraph::NotBuildable(why)) => bail!("{} cannot be built: {why}", file.name()),
    };
    // Nobody makes a milestone.
    let things = locus_meaning::things::without_milestones(things, usize::MAX);
    let mut nodes = Node::of_all(&things);
    let driver = match (command.simulate, language.maker()) {
        (Some(seed), _) => DriverChoice::Simulated(seed),
        (None, Some(Maker::Docker)) => DriverChoice::Docker(docker_host()?),
        (None, Some(Maker::Programs)) => {
            nodes = made_by_programs(nodes, &things, file.name())?;
            DriverChoice::Script
        }
        (None, None) => bail!(
            "{}: there is no driver for {} yet; rehearse it with --simulate SEED",
            file.name(),
            language.name()
        ),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let base = folder.unwrap_or(Path::new(".")).canonicalize()?;
    let sites = sites::chosen(command.sites.as_deref(), &mut nodes)?;
    let timeouts = command.step_timeout.iter().cloned().collect();
    let (base, place) = (base.display().to_string(), String::new());
    let mut goal = Goal { driver, base, sites, timeouts, place, nodes };
    goal.suit()?;
    goal.check()?;
    // A file whose name ends as those of its language do is called by what stands before that.
    let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let before = language.endings().iter().find_map(|ending| file_name.strip_suffix(ending));
    let named = || before.filter(|before| !before.is_empty()).map(str::to_owned);
    let name = goal.nodes.iter().find_map(|node| project_of(node.specification.as_ref()?)).or_else(named);
    Ok(Some((goal, name)))
}

/// The nodes with the programs that make them.
fn made_by_programs(nodes: Vec<Node>, things: &[Thing], file: &str) -> anyhow::Result<Vec<Node>> {
    let programs = || things.iter().map(|thing| thing.programs.as_deref());
    if let Some(unknown) = programs().flatten().find_map(|programs| programs.unknown.first()) {
        bail!("{file} was not deployed, because something that programs are told is not known: {unknown}");
    }
    let with = |(node, programs): (Node, Option<&Programs>)| match programs {
        Some(programs) => node.with(programs),
        None => node,
    };
    Ok(nodes.into_iter().zip(programs()).map(with).collect())
}

/// The variable that names a Compose project.
const PROJECT_NAME: &str = "COMPOSE_PROJECT_NAME";

/// The name of the project that a container, network or volume belongs to.
fn project_of(specification: &serde_json::Value) -> Option<String> {
    specification.get("project")?.as_str().map(str::to_owned)
}

/// Where the Docker engine is.
pub(crate) fn docker_host() -> anyhow::Result<String> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if set("DOCKER_TLS_VERIFY").is_some() {
        bail!("a Docker engine cannot be reached with TLS yet (DOCKER_TLS_VERIFY is set)");
    }
    Ok(set("DOCKER_HOST").unwrap_or_else(|| DEFAULT_HOST.to_owned()))
}
