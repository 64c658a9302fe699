//! The files that artifacts and implementations of operations name: whether they are there.

use locus_source::{Finding, LoadError, Loader, Node, Sources};
use rustc_hash::FxHashSet;

use crate::report::short;
use crate::rules;
use crate::service::Service;

impl<'t> Service<'_, 't> {
    /// Asks for each file that the templates and the types of this file name.
    pub(crate) fn check_files(&self, sources: &Sources, loader: &dyn Loader) {
        let mut asked = FxHashSet::default();
        for template in &self.templates {
            let names = |name: &str| {
                let own = template.get("artifacts").is_some_and(|all| all.get(name).is_some());
                own || template.flat.artifacts.iter().any(|(one, ..)| *one == name)
            };
            for entry in template.get("artifacts").into_iter().flat_map(Node::entries) {
                self.ask(entry.value, self.file, sources, loader, &mut asked);
            }
            for &(_, node, file) in &template.flat.artifacts {
                self.ask(node, file, sources, loader, &mut asked);
            }
            let inherited = template.flat.interfaces.iter().flat_map(|one| &one.operations);
            for (node, file) in inherited.filter_map(|one| one.implementation) {
                self.implementation(node, file, &names, sources, loader, &mut asked);
            }
            for interface in template.get("interfaces").into_iter().flat_map(Node::entries) {
                let listed = interface.value.get("operations").unwrap_or(interface.value);
                for operation in listed
                    .entries()
                    .filter(|entry| !matches!(entry.key.raw(), "inputs" | "type" | "description"))
                {
                    let node = operation
                        .value
                        .as_str()
                        .map(|_| operation.value)
                        .or_else(|| operation.value.get("implementation"));
                    if let Some(node) = node {
                        self.implementation(node, self.file, &names, sources, loader, &mut asked);
                    }
                }
            }
        }
    }

    fn implementation(
        &self,
        node: Node<'t>,
        file: usize,
        is_artifact: &impl Fn(&str) -> bool,
        sources: &Sources,
        loader: &dyn Loader,
        asked: &mut FxHashSet<(usize, &'t str)>,
    ) {
        let dependencies = node.get("dependencies").into_iter().flat_map(Node::items);
        let own = node.as_str().map(|_| node).or_else(|| node.get("primary"));
        for one in own.into_iter().chain(dependencies) {
            if !one.as_str().is_some_and(is_artifact) {
                self.ask(one, file, sources, loader, asked);
            }
        }
    }

    fn ask(
        &self,
        node: Node<'t>,
        file: usize,
        sources: &Sources,
        loader: &dyn Loader,
        asked: &mut FxHashSet<(usize, &'t str)>,
    ) {
        let Some(named) = node.as_str().map(|_| node).or_else(|| node.get("file")) else { return };
        let path = named.raw();
        // What has no extension and no folder is mostly the name of an image or a package.
        let is_file =
            path.contains(['/', '.']) && !path.contains([':', '{', '$']) && node.get("repository").is_none();
        if !is_file || self.world.file(file).house || !asked.insert((file, path)) {
            return;
        }
        let from = self.world.file(file).tree.source();
        if let Err(LoadError::Missing) = loader.load(sources, from, path) {
            let message = format!("the file `{}` does not exist", short(path));
            let finding = Finding::new(&rules::MISSING_FILE, named.use_place(), message);
            self.world.add(file, finding.help("paths start at the folder of the TOSCA file"));
        }
    }
}
