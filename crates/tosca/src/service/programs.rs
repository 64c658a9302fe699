//! The programs of a service: the implementations of operations, of nodes and of their relationships, with what they
//! are told.
//!
//! An implementation is the path of a file, from the folder of the file that it stands in, or the name of an artifact
//! of the node. Operations of relationships have the name of the phase in which they are called ([`crate::meaning`]).
//!
//! Out of scope: when they are called, and running them.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use locus_meaning::written::{self, Notation, Within};
use locus_meaning::{Key, Programs};
use locus_schema::Content;
use locus_source::{Node, Sources};

use crate::service::operations::phase_of;
use crate::service::{Scope, Section, Service, Target, This};
use crate::types::interfaces::{self, Interface};

/// How many hosts are looked at for the machine of a node.
const DEEPEST: usize = 64;

/// A value and the file that it stands in.
type Written<'t> = (Node<'t>, usize);

/// The implementations of operations, or the values of inputs.
type ByName<'t> = BTreeMap<&'t str, Written<'t>>;

impl<'t> Service<'_, 't> {
    /// The programs of each node template; none for one that has none.
    pub(crate) fn programs(&self, sources: &Sources) -> Vec<Option<Box<Programs>>> {
        let all = (0..self.templates.len()).map(|at| self.programs_of(at, sources));
        let mut all: Vec<Programs> = all.collect();
        for at in 0..self.templates.len() {
            for index in 0..self.templates[at].requirements.len() {
                self.relationship_programs(at, index, &mut all);
            }
        }
        all.into_iter().map(|one| (!one.operations.is_empty()).then(|| Box::new(one))).collect()
    }

    /// The implementations and inputs of interfaces: of the types, and then of the template, which wins.
    fn implementations(&self, known: &[Interface<'t>], assigned: Section<'t>) -> (ByName<'t>, ByName<'t>) {
        let (mut operations, mut inputs) = (ByName::new(), ByName::new());
        for interface in known {
            let own = interface.operations.iter().filter(|one| !one.notification);
            for property in interface.inputs.iter().chain(own.clone().flat_map(|one| &one.inputs)) {
                let value = property.fixed.or(property.default);
                inputs.extend(value.map(|value| (property.name, (value, property.file))));
            }
            operations.extend(own.filter_map(|one| Some((one.name, one.implementation?))));
        }
        let simple = self.world.version(self.file).is_simple();
        let assign = |of: Node<'t>| of.get("inputs").into_iter().flat_map(Node::entries);
        for interface in assigned.entries() {
            inputs.extend(assign(interface.value).map(|one| (one.key.raw(), (one.value, self.file))));
            for (operation, is_notification) in interfaces::operations_in(interface.value, simple) {
                let value = operation.value;
                let program = value.as_str().map(|_| value).or_else(|| value.get("implementation"));
                if let Some(program) = program.filter(|_| !is_notification) {
                    operations.insert(operation.key.raw(), (program, self.file));
                }
                inputs.extend(assign(value).map(|one| (one.key.raw(), (one.value, self.file))));
            }
        }
        (operations, inputs)
    }

    fn programs_of(&self, at: usize, sources: &Sources) -> Programs {
        let template = &self.templates[at];
        let (operations, inputs) =
            self.implementations(&template.flat.interfaces, template.section("interfaces"));
        let mut programs = Programs {
            is_idempotent: self.metadata(at, "idempotent").is_some_and(|value| value == "true"),
            machine: self.machine(at),
            ..Programs::default()
        };
        for (name, implementation) in operations {
            let path = self.program(implementation, Some(at));
            programs.operations.extend(path.map(|path| (name.to_owned(), path)));
        }
        for (name, (value, file)) in inputs {
            self.tell(&mut programs, name, value, (at, file), sources);
        }
        programs
    }

    /// The programs of the relationship of a requirement, at both of its ends.
    fn relationship_programs(&self, at: usize, index: usize, all: &mut [Programs]) {
        let assignment = &self.templates[at].requirements[index];
        let Target::Node(target, _) = assignment.target else { return };
        let flat = assignment.relationship.and_then(|id| self.world.flat(id));
        let known = flat.as_ref().map_or(&[][..], |flat| &flat.interfaces);
        let template =
            assignment.relationship_template.map(|one| self.relationships[one].section("interfaces"));
        let inline = assignment.node.and_then(|node| node.get("relationship")?.get("interfaces"));
        let mut operations = self.implementations(known, template.unwrap_or_default()).0;
        operations.extend(self.implementations(&[], inline.into()).0);
        for (name, implementation) in operations {
            let names = (self.templates[at].name, self.templates[target].name);
            let Some((phase, at_target)) = phase_of(name, assignment.name, names) else { continue };
            let owner = if at_target { target } else { at };
            let path = self.program(implementation, None);
            all[owner].operations.extend(path.map(|path| (phase, path)));
        }
    }

    /// The path of the program of an implementation, from the folder of the main file.
    fn program(&self, (node, file): Written<'t>, at: Option<usize>) -> Option<String> {
        let primary = node.as_str().map(|_| node).or_else(|| node.get("primary"))?;
        let named = primary.as_str().and_then(|name| self.artifact_of(at?, name));
        let (artifact, file) = named.unwrap_or((primary, file));
        let path = artifact.as_str().or_else(|| artifact.get("file")?.as_str())?;
        if file == self.file {
            return Some(path.to_owned());
        }
        let folder = |file: usize| {
            let name = self.world.file(file).tree.source().name().to_owned();
            Path::new(&name).parent().map(Path::to_path_buf).unwrap_or_default()
        };
        Some(from_folder(&folder(self.file), &folder(file).join(path)).to_string_lossy().into_owned())
    }

    /// An artifact of a node, of its own or of its type, and the file that it stands in.
    fn artifact_of(&self, at: usize, name: &str) -> Option<Written<'t>> {
        let template = &self.templates[at];
        let own = template.section("artifacts").get(name).map(|node| (node, self.file));
        let inherited = || template.flat.artifacts.iter().find(|(one, ..)| *one == name);
        own.or_else(|| inherited().map(|&(_, node, file)| (node, file)))
    }

    /// Adds an input: its value, or where it comes from once that is known.
    fn tell(
        &self,
        programs: &mut Programs,
        name: &str,
        value: Node<'t>,
        (at, file): (usize, usize),
        sources: &Sources,
    ) {
        if let Some(output) = self.output_of(value, at) {
            programs.outputs.insert(name.to_owned(), output);
            return;
        }
        let datum = self.evaluate(value, &Scope::new(file, This::Node(at))).datum;
        // A part that is not known leaves no value to tell.
        let mut reason = None;
        datum.each_unknown(&mut |unknown| {
            reason.get_or_insert_with(|| Arc::clone(unknown));
        });
        if let Some(unknown) = reason {
            let template = self.templates[at].name;
            programs.unknown.push(format!("the input `{name}` of `{template}`: {}", unknown.why));
            return;
        }
        let text = match &datum.value {
            Content::Null => return,
            Content::Str(text) => text.to_string(),
            _ => written::datum(&datum, sources, Notation::default(), Within::Nothing),
        };
        programs.inputs.insert(name.to_owned(), text);
    }

    /// The node and the output whose attribute a value is: `get_attribute` with the name of a node and that of an
    /// attribute.
    fn output_of(&self, value: Node<'t>, at: usize) -> Option<(Key, String)> {
        let call = value.get("get_attribute").or_else(|| value.get("$get_attribute"))?;
        let mut path = call.items().map(Node::as_str);
        let (node, attribute) = (path.next()??, path.next()??);
        if path.next().is_some() {
            return None;
        }
        let node = if node == "SELF" { at } else { *self.by_name.get(node)? };
        Some((Key::name(self.templates[node].name), attribute.to_owned()))
    }

    /// An entry of the metadata of a node, or else of its types, the nearest first.
    fn metadata(&self, at: usize, key: &str) -> Option<String> {
        let template = &self.templates[at];
        let line = template.type_id.map(|id| self.world.names.line(id)).unwrap_or_default();
        let types = line.into_iter().map(|id| self.world.names.get(id).node.get("metadata")?.get(key));
        let own = std::iter::once_with(|| template.section("metadata").get(key));
        own.chain(types).flatten().next().map(|node| node.raw().to_owned())
    }

    /// The machine that the programs of a node run on: its own, or that of what it is on.
    fn machine(&self, mut at: usize) -> Option<String> {
        for _ in 0..DEEPEST {
            if let Some(machine) = self.metadata(at, "ssh") {
                return Some(machine);
            }
            let host = self.templates[at].requirements.iter().find(|one| one.name == "host")?;
            let Target::Node(target, _) = host.target else { return None };
            at = target;
        }
        None
    }
}

/// The way from a folder to a file, both from the same place.
fn from_folder(folder: &Path, file: &Path) -> PathBuf {
    let plain = |path: &Path| -> Vec<PathBuf> {
        let parts = path.components().filter(|part| *part != Component::CurDir);
        parts.map(|part| PathBuf::from(part.as_os_str())).collect()
    };
    if file.is_absolute() && !folder.is_absolute() {
        return file.to_owned();
    }
    let (folder, file) = (plain(folder), plain(file));
    let same = folder.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let up = folder[same..].iter().map(|_| Path::new(".."));
    up.chain(file[same..].iter().map(PathBuf::as_path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_a_folder_to_a_file() {
        let cases = [
            ("", "types/a.sh", "types/a.sh"),
            ("shop", "shop/types/a.sh", "types/a.sh"),
            ("shop", "common/a.sh", "../common/a.sh"),
            ("/srv/shop", "/srv/common/./a.sh", "../common/a.sh"),
            ("shop", "/usr/bin/a", "/usr/bin/a"),
        ];
        for (folder, file, expected) in cases {
            assert_eq!(from_folder(Path::new(folder), Path::new(file)), Path::new(expected), "{file}");
        }
    }
}
