//! From a file to what is to be deployed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use locus_drivers::DEFAULT_HOST;
use locus_language::NoGraph;
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Loader, Node as Tree, Severity, SourceFile};

use super::args::Up;
use super::goal::{DriverChoice, Goal, Node};
use crate::inputs::Input;
use crate::languages;
use crate::loader::Allowed;
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

/// What a file describes, and the name that it gives to it; none if something is wrong with it, which was said.
pub(crate) fn describe(command: &Up, terminal: &Terminal) -> anyhow::Result<Option<(Goal, Option<String>)>> {
    let input = Input { path: command.path.clone(), named: true };
    let mut setup = Setup::reading(&command.reading);
    if command.simulate.is_none() {
        // What is built is built with the rights of who asks for it, and from all that they may read.
        setup.allowed = Allowed::everything();
    }
    let mut session = Session::new(languages::ALL, &setup)?;
    let mut file = session.read(&input, &command.reading.stdin_name)?;
    let mut language = session.language(command.reading.language.as_deref(), &file)?;
    let parameters;
    if let Some(name) = command.name.as_ref().filter(|_| language.id() == "compose") {
        let named = format!("{PROJECT_NAME}={name}");
        parameters = command.reading.parameter.iter().cloned().chain([named]).collect::<Vec<_>>();
        setup.parameters = &parameters;
        session = Session::new(languages::ALL, &setup)?;
        file = session.read(&input, &command.reading.stdin_name)?;
        language = session.language(command.reading.language.as_deref(), &file)?;
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
    };
    // Nobody makes a milestone.
    let things = locus_graph::lifecycle::without_milestones(things, usize::MAX);
    let mut nodes: Vec<Node> = things.iter().map(Node::of).collect();
    let driver = match command.simulate {
        Some(seed) => DriverChoice::Simulated(seed),
        None if language.id() == "tosca" => {
            Programs::read(&file).add(&mut nodes);
            DriverChoice::Script
        }
        None if language.id() == "compose" => DriverChoice::Docker(docker_host()?),
        None => bail!(
            "{}: there is no driver for {} yet; rehearse it with --simulate SEED",
            file.name(),
            language.name()
        ),
    };
    let folder = command.path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let base = folder.unwrap_or(Path::new(".")).canonicalize()?;
    let goal = Goal { driver, base: base.display().to_string(), nodes };
    goal.check()?;
    let name = goal.nodes.iter().find_map(|node| project_of(&node.told));
    Ok(Some((goal, name)))
}

/// The variable that names a Compose project.
const PROJECT_NAME: &str = "COMPOSE_PROJECT_NAME";

/// The name of the project that a container, network or volume belongs to.
fn project_of(told: &str) -> Option<String> {
    serde_json::from_str::<serde_json::Value>(told).ok()?.get("project")?.as_str().map(str::to_owned)
}

/// Where the Docker engine is.
pub(crate) fn docker_host() -> anyhow::Result<String> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if set("DOCKER_TLS_VERIFY").is_some() {
        bail!("a Docker engine cannot be reached with TLS yet (DOCKER_TLS_VERIFY is set)");
    }
    Ok(set("DOCKER_HOST").unwrap_or_else(|| DEFAULT_HOST.to_owned()))
}

/// The programs of a TOSCA file: the operations of node templates, and those of node types in the same file that the
/// templates inherit.
struct Programs {
    templates: BTreeMap<String, Operations>,
}

#[derive(Clone, Default)]
struct Operations {
    programs: BTreeMap<String, String>,
    inputs: BTreeMap<String, String>,
    idempotent: bool,
}

impl Programs {
    fn read(file: &Arc<SourceFile>) -> Self {
        let mut templates = BTreeMap::new();
        let parsed = yaml::parse(file, &YamlOptions::default());
        if let Some(tree) = parsed.documents.first() {
            let root = tree.root();
            let service = ["topology_template", "service_template"].iter().find_map(|key| root.get(key));
            let types = root.get("node_types");
            for entry in
                service.and_then(|service| service.get("node_templates")).into_iter().flat_map(Tree::entries)
            {
                let Some(name) = entry.key.as_str() else { continue };
                let mut operations = Operations::default();
                inherit(types, entry.value.get("type").and_then(Tree::as_str), &mut operations, 0);
                operations.read(entry.value);
                templates.insert(name.to_owned(), operations);
            }
        }
        Self { templates }
    }

    fn add(&self, nodes: &mut [Node]) {
        for node in nodes {
            if let Some(operations) = self.templates.get(&node.name) {
                node.operations.clone_from(&operations.programs);
                node.inputs.clone_from(&operations.inputs);
                node.idempotent = operations.idempotent;
            }
        }
    }
}

/// How far types may derive from each other.
const DEEPEST: usize = 64;

fn inherit(types: Option<Tree<'_>>, name: Option<&str>, operations: &mut Operations, depth: usize) {
    let found = name.and_then(|name| types?.get(name));
    if let Some(found) = found.filter(|_| depth < DEEPEST) {
        inherit(types, found.get("derived_from").and_then(Tree::as_str), operations, depth + 1);
        operations.read(found);
    }
}

impl Operations {
    /// Adds what a template or type says; it wins over what was said before.
    fn read(&mut self, node: Tree<'_>) {
        let metadata = node.get("metadata").and_then(|metadata| metadata.get("idempotent"));
        if let Some(value) = metadata {
            self.idempotent = value.as_bool().unwrap_or_else(|| value.as_str() == Some("true"));
        }
        for interface in node.get("interfaces").into_iter().flat_map(Tree::entries) {
            self.inputs(interface.value);
            // Since 1.3 operations stand below a key of their own.
            let operations = interface.value.get("operations").unwrap_or(interface.value);
            for operation in operations.entries() {
                let Some(name) = operation.key.as_str() else { continue };
                self.inputs(operation.value);
                let program = operation.value.get("implementation").unwrap_or(operation.value);
                let program = program.get("primary").unwrap_or(program);
                let program = program.get("file").unwrap_or(program);
                if let Some(program) = program.as_str().filter(|_| name != "inputs") {
                    self.programs.insert(name.to_owned(), program.to_owned());
                }
            }
        }
    }

    fn inputs(&mut self, of: Tree<'_>) {
        for input in of.get("inputs").into_iter().flat_map(Tree::entries) {
            let value =
                input.value.get("value").or_else(|| input.value.get("default")).unwrap_or(input.value);
            if let (Some(name), true) = (input.key.as_str(), value.is_scalar()) {
                self.inputs.insert(name.to_owned(), value.as_str().unwrap_or(value.raw()).to_owned());
            }
        }
    }
}
