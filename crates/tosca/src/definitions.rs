//! Definitions: that types say what makes sense, that defaults fit, that names are defined once.

use std::rc::Rc;

use locus_source::{Finding, Node};

use crate::flat::Property;
use crate::grammar::Family;
use crate::names::TypeId;
use crate::report::short;
use crate::rules;
use crate::service::{Scope, Service, This};
use crate::value::{Datum, Typed, Why};
use crate::version::Version;

impl<'t> Service<'_, 't> {
    /// Checks the definitions of all files.
    pub(crate) fn check_definitions(&self) {
        for (at, one) in self.world.names.all.iter().enumerate() {
            if !self.world.file(one.file).house {
                self.type_definition(TypeId(at as u32));
            }
        }
        for (at, file) in self.world.files.all.iter().enumerate() {
            if !file.house {
                self.file_as_a_whole(at, file.tree.root());
            }
        }
    }

    fn type_definition(&self, id: TypeId) {
        let one = self.world.names.get(id);
        let mut sections: Vec<(Option<Node<'t>>, Vec<Property<'t>>)> = Vec::new();
        if one.family == Family::Data {
            let Some(found) = self.world.data_type(id) else { return };
            sections.push((one.node.get("properties"), found.properties.clone()));
            let schema = Rc::new(found.schema.clone());
            self.clauses_make_sense(&schema, one.key, one.file);
        } else {
            let Some(flat) = self.world.flat(id) else { return };
            sections.push((one.node.get("properties"), flat.properties.clone()));
            sections.push((one.node.get("attributes"), flat.attributes.clone()));
            sections.push((one.node.get("inputs"), flat.inputs.clone()));
            for capability in &flat.capabilities {
                let node = one.node.get("capabilities").and_then(|all| all.get(capability.name));
                sections.push((node.and_then(|node| node.get("properties")), capability.properties.clone()));
                sections.push((node.and_then(|node| node.get("attributes")), capability.attributes.clone()));
            }
            for requirement in &flat.requirements {
                for (filter, file) in
                    requirement.filters.iter().filter(|(_, file)| self.world.version(*file) == Version::V2_0)
                {
                    self.condition(*filter, &Scope::new(*file, This::Type));
                }
            }
        }
        for (section, known) in sections {
            for entry in section.into_iter().flat_map(Node::entries) {
                if let Some(property) = known.iter().find(|one| one.name == entry.key.raw()) {
                    self.definition(property, entry.key);
                }
            }
        }
        self.shadowing(id);
    }

    /// A definition of a property: its default and its fixed value fit.
    fn definition(&self, property: &Property<'t>, key: Node<'t>) {
        let scope = Scope::new(property.file, This::Type);
        let what = format!("the default of `{}`", short(property.name));
        if let Some(default) = property.default {
            self.checked(default, &property.schema, &scope, &what);
        }
        if let Some(fixed) = property.fixed {
            self.checked(
                fixed,
                &property.schema,
                &scope,
                &format!("the value of `{}`", short(property.name)),
            );
        }
        if property.default.is_none() && property.fixed.is_none() {
            self.clauses_make_sense(&property.schema, key, property.file);
        }
    }

    /// Evaluates validation clauses for a value that is not known, which shows what is wrong with any value.
    fn clauses_make_sense(&self, schema: &Rc<crate::data::Schema<'t>>, key: Node<'t>, file: usize) {
        let value = Typed::new(Datum::unknown(Why::Wrong, key.use_place()), schema);
        for clause in schema.clauses.iter().filter(|clause| !clause.constraint && clause.file == file) {
            self.condition(clause.node, &Scope::new(clause.file, This::Type).about(&value));
        }
        for inner in schema.entry.iter().chain(&schema.key) {
            self.clauses_make_sense(inner, key, file);
        }
    }

    /// A type with the name of one that is imported into the same namespace hides it.
    fn shadowing(&self, id: TypeId) {
        let one = self.world.names.get(id);
        if let Some(hidden) = self.world.names.imported(one.file, one.family, one.name)
            && !self.world.file(hidden.file).house
        {
            let message = format!(
                "the {} type `{}` hides the imported one of the same name",
                one.family.word(),
                short(one.name)
            );
            let finding = Finding::new(&rules::HIDDEN_TYPE, one.place(), message);
            let finding = finding.also(hidden.place(), "this one is hidden");
            self.world.add(one.file, finding.help("give the import a `namespace`"));
        }
    }

    fn file_as_a_whole(&self, at: usize, root: Node<'t>) {
        if let (Some(profile), Some(service)) =
            (root.get_entry("profile"), root.get_entry("service_template"))
        {
            let message = "a file that defines a profile must not define a service template";
            let finding = Finding::new(&rules::PROFILE_WITH_SERVICE, service.key.use_place(), message);
            self.world.add(at, finding.also(profile.key.use_place(), "the profile"));
        }
        if let Some(service) = root.get_entry("service_template")
            && service.value.is_mapping()
            && service.value.get("node_templates").is_none()
        {
            let message = "a service template needs the keyname `node_templates`";
            self.world.say(at, &rules::MISSING_KEY, service.key.use_place(), message);
        }
        for entry in root.get("repositories").into_iter().flat_map(Node::entries) {
            if let Some(first) = self.imported_repository(at, entry.key.raw(), &mut vec![at]) {
                let message =
                    format!("the repository `{}` is defined twice in one namespace", short(entry.key.raw()));
                let finding = Finding::new(&rules::DUPLICATE_NAME, entry.key.use_place(), message);
                self.world.add(at, finding.also(first.use_place(), "first here"));
            }
        }
    }

    /// The repository of this name that is imported into the root namespace.
    fn imported_repository(&self, at: usize, name: &str, seen: &mut Vec<usize>) -> Option<Node<'t>> {
        for import in self.world.file(at).imports.iter().filter(|import| import.prefix.is_none()) {
            let Some(file) = import.file.filter(|file| !seen.contains(file)) else { continue };
            seen.push(file);
            let root = self.world.file(file).tree.root();
            let own = root.get("repositories").and_then(|all| all.get_entry(name)).map(|entry| entry.key);
            if let Some(found) = own.or_else(|| self.imported_repository(file, name, seen)) {
                return Some(found);
            }
        }
        None
    }
}
