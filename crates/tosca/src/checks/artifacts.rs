//! Artifacts: the types, properties and repositories of their definitions, and whether the files that artifacts and
//! implementations of operations name are there.

use locus_source::{Finding, LoadError, Loader, Node, Sources};
use rustc_hash::FxHashSet;

use crate::read::grammar::Family;
use crate::report::short;
use crate::rules;
use crate::service::{Scope, Section, Service, This};
use crate::types::interfaces::{self, Interface};
use crate::values::conform::Assigned;

/// Where files are looked for, and which ones have been.
struct Search<'s, 't> {
    sources: &'s Sources,
    loader: &'s dyn Loader,
    asked: FxHashSet<(usize, &'t str)>,
}

impl<'t> Service<'_, 't> {
    /// An artifact and what is assigned to its properties.
    pub(crate) fn artifact(&self, key: Node<'t>, node: Node<'t>, scope: &Scope<'_, 't>) {
        if !node.is_mapping() {
            return;
        }
        if let Some(repository) = node.get("repository").and_then(Node::as_str)
            && self.repository(scope.file, repository).is_none()
        {
            let message = format!("the file defines no repository `{}`", short(repository));
            self.world.say(scope.file, &rules::UNKNOWN_REPOSITORY, node.use_place(), message);
        }
        let owner = format!("the artifact `{}`", short(key.raw()));
        if let (Some(checksum), None) = (node.get("checksum"), node.get("checksum_algorithm")) {
            let message = format!("{owner} has a checksum and needs the keyname `checksum_algorithm`");
            self.world.say(scope.file, &rules::MISSING_KEY, checksum.use_place(), message);
        }
        let flat = node
            .get("type")
            .and_then(|one| self.world.names.find_type(scope.file, Family::Artifact, one.as_str()?))
            .and_then(|id| self.world.flat(id));
        let whole = flat.as_ref().is_some_and(|flat| flat.whole);
        let assigned = Assigned {
            section: node.get("properties").into(),
            owner: &owner,
            word: "property",
            whole,
            // A type may leave the values to its templates.
            complete: whole && scope.this != This::Type,
            place: key.use_place(),
            unknown: &rules::ARTIFACT_PROPERTY,
        };
        self.assignments(&assigned, &flat.map(|flat| flat.properties.clone()).unwrap_or_default(), scope);
    }

    /// The artifacts of an implementation that are defined in place.
    pub(crate) fn implementation(&self, key: Node<'t>, node: Node<'t>, scope: &Scope<'_, 't>) {
        let dependencies = node.get("dependencies").into_iter().flat_map(Node::items);
        for artifact in node.get("primary").into_iter().chain(dependencies) {
            self.artifact(key, artifact, scope);
        }
    }

    /// Asks for each file that the templates, their types and the workflows name.
    pub(crate) fn check_files(&self, sources: &Sources, loader: &dyn Loader) {
        let mut search = Search { sources, loader, asked: FxHashSet::default() };
        for template in &self.templates {
            let own = template.section("artifacts");
            for entry in own.entries() {
                self.ask(entry.value, self.file, false, &mut search);
            }
            for &(_, node, file) in &template.flat.artifacts {
                self.ask(node, file, false, &mut search);
            }
            let is_artifact = |name: &str| {
                own.get(name).is_some() || template.flat.artifacts.iter().any(|(one, ..)| *one == name)
            };
            let whole = template.is_whole();
            let assigned = template.section("interfaces");
            self.files_of(&template.flat.interfaces, assigned, whole, &is_artifact, &mut search);
            for assignment in &template.requirements {
                let flat = assignment.relationship.and_then(|id| self.world.flat(id));
                let inline = assignment.node.and_then(|node| node.get("relationship")?.get("interfaces"));
                let (known, whole) =
                    flat.as_ref().map_or((&[][..], false), |one| (&one.interfaces, one.whole));
                self.files_of(known, inline.into(), whole, &|_| false, &mut search);
            }
        }
        for template in &self.relationships {
            let assigned = template.section("interfaces");
            self.files_of(&[], assigned, template.flat.whole, &|_| false, &mut search);
        }
        for entry in self.section("workflows").into_iter().flat_map(Node::entries) {
            if let Some(node) = entry.value.get("implementation") {
                self.files_of_implementation(node, self.file, true, &|_| false, &mut search);
            }
        }
    }

    /// The files of the operations and notifications of interfaces.
    fn files_of(
        &self,
        known: &[Interface<'t>],
        assigned: Section<'t>,
        whole: bool,
        is_artifact: &dyn Fn(&str) -> bool,
        search: &mut Search<'_, 't>,
    ) {
        for (node, file) in known.iter().flat_map(|one| &one.operations).filter_map(|one| one.implementation)
        {
            self.files_of_implementation(node, file, whole, is_artifact, search);
        }
        let simple = self.world.version(self.file).is_simple();
        for interface in assigned.entries() {
            for (operation, _) in interfaces::operations_in(interface.value, simple) {
                let value = operation.value;
                let node = value.as_str().map(|_| value).or_else(|| value.get("implementation"));
                if let Some(node) = node {
                    self.files_of_implementation(node, self.file, whole, is_artifact, search);
                }
            }
        }
    }

    fn files_of_implementation(
        &self,
        node: Node<'t>,
        file: usize,
        whole: bool,
        is_artifact: &dyn Fn(&str) -> bool,
        search: &mut Search<'_, 't>,
    ) {
        let dependencies = node.get("dependencies").into_iter().flat_map(Node::items);
        let own = node.as_str().map(|_| node).or_else(|| node.get("primary"));
        for one in own.into_iter().chain(dependencies) {
            if !one.as_str().is_some_and(is_artifact) {
                self.ask(one, file, whole, search);
            }
        }
    }

    /// Asks for the file of an artifact. `names_artifact` says that a string is the name of an artifact that is not
    /// there, if it is not that of a file.
    fn ask(&self, node: Node<'t>, file: usize, names_artifact: bool, search: &mut Search<'_, 't>) {
        let Some(named) = node.as_str().map(|_| node).or_else(|| node.get("file")) else { return };
        let path = named.raw();
        let names_artifact = names_artifact && node.as_str().is_some();
        // A file of an artifact without extension and folder is mostly the name of an image or a package.
        let is_file = (names_artifact || path.contains(['/', '.']))
            && !path.is_empty()
            && !path.contains([':', '{', '$', '\n'])
            && node.get("repository").is_none();
        if !is_file || self.world.file(file).house || !search.asked.insert((file, path)) {
            return;
        }
        let from = self.world.file(file).tree.source();
        if let Err(LoadError::Missing) = search.loader.load(search.sources, from, path) {
            let (message, help) = if path.contains(['/', '.']) {
                (
                    format!("the file `{}` does not exist", short(path)),
                    "paths start at the folder of the TOSCA file",
                )
            } else {
                (
                    format!("`{}` is neither an artifact of the node nor a file", short(path)),
                    "define it under `artifacts`, or give the path of a file",
                )
            };
            let finding = Finding::new(&rules::MISSING_FILE, named.use_place(), message);
            self.world.add(file, finding.help(help));
        }
    }
}
