//! Definitions: that types say what makes sense, that defaults fit, that names are defined once.

use std::rc::Rc;

use locus_schema::unknown::WRONG;
use locus_schema::{Datum, Why};
use locus_source::{Finding, Node, Severity};
use rustc_hash::FxHashSet;

use crate::checks::operation_host::{OF_NODES, OF_RELATIONSHIPS};
use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::{did_you_mean, short};
use crate::requirements::wanted::Filter;
use crate::rules;
use crate::service::{Scope, Service, This};
use crate::types::base::Base;
use crate::types::data::{self, Schema};
use crate::types::flat::{Flat, Property};
use crate::types::interfaces;
use crate::types::names::{Type, TypeId};
use crate::types::value::Typed;

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
        self.endless_types();
        self.types_of_one_name();
    }

    fn type_definition(&self, id: TypeId) {
        let one = self.world.names.get(id);
        let mut sections: Vec<(Option<Node<'t>>, Vec<Property<'t>>)> = Vec::new();
        if one.family == Family::Data {
            let found = self.world.data_type(id);
            sections.push((one.node.get("properties"), found.properties.clone()));
            let schema = Rc::new(found.schema.clone());
            self.clauses_make_sense(&schema, one.key, one.file);
            self.constraints_fit(one.key, one.node, &schema, one.file);
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
            self.filters_of_type(one, &flat);
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
                    self.constraints_fit(entry.key, entry.value, &property.schema, property.file);
                }
            }
        }
        if one.family == Family::Node {
            for entry in one.node.get("artifacts").into_iter().flat_map(Node::entries) {
                self.artifact(entry.key, entry.value, &Scope::new(one.file, This::Type));
            }
        }
        if matches!(one.family, Family::Node | Family::Relationship) {
            self.operations_of_type(id);
        }
        if one.family == Family::Policy {
            for trigger in one.node.get("triggers").into_iter().flat_map(Node::entries) {
                self.watched(trigger.key, trigger.value, &[], one.file);
            }
        }
        self.shadowing(id);
    }

    /// The filters of the requirements that a type defines. Where there is no service, those who use the type may have
    /// types that derive from the wanted ones.
    fn filters_of_type(&self, one: Type<'t>, flat: &Flat<'t>) {
        let severity = if self.root.is_some() { Severity::Error } else { Severity::Warning };
        let items = one.node.get("requirements").into_iter().flat_map(Node::items);
        for entry in items.flat_map(Node::entries) {
            let definition = flat.requirements.iter().find(|known| known.name == entry.key.raw());
            if let (Some(node), Some(definition)) = (entry.value.get("node_filter"), definition)
                && let Some(wanted) = self.wanted_by_definition(definition, None)
            {
                self.filter_fits(Filter { node, file: one.file, severity }, &wanted);
            }
        }
    }

    /// Implementations of the operations of a type, and the attributes that their outputs are mapped to.
    fn operations_of_type(&self, id: TypeId) {
        let one = self.world.names.get(id);
        let scope = Scope::new(one.file, This::Type);
        let simple = self.world.version(one.file).is_simple();
        for interface in one.node.get("interfaces").into_iter().flat_map(Node::entries) {
            for (operation, _) in interfaces::operations_in(interface.value, simple) {
                if let Some(implementation) = operation.value.get("implementation") {
                    self.implementation(operation.key, implementation, &scope);
                    let hosts = if one.family == Family::Node { OF_NODES } else { OF_RELATIONSHIPS };
                    self.operation_host(implementation, hosts, one.file);
                }
                for output in operation.value.get("outputs").into_iter().flat_map(Node::entries) {
                    if let Some(mapping) = interfaces::mapping_in(output.value) {
                        self.mapping_of_type(mapping, id);
                    }
                }
            }
        }
    }

    /// An output of a type is mapped to an attribute of the same type.
    fn mapping_of_type(&self, mapping: Node<'t>, id: TypeId) {
        let one = self.world.names.get(id);
        let Some(flat) = self.world.flat(id).filter(|flat| flat.whole) else { return };
        let steps: Vec<_> = mapping.items().collect();
        let &[start, name, ..] = steps.as_slice() else { return };
        let Some(wanted) = name.as_str().filter(|_| start.as_str() == Some("SELF")) else { return };
        let known = || flat.attributes.iter().chain(&flat.properties).map(|one| one.name);
        let other =
            flat.capabilities.iter().map(|one| one.name).chain(flat.requirements.iter().map(|one| one.name));
        let keyword = ["RELATIONSHIP", "CAPABILITY", "SOURCE", "TARGET"].contains(&wanted);
        if !keyword && !known().chain(other).any(|name| name == wanted) {
            let (family, owner) = (one.family.word(), short(one.name));
            let message = format!("the {family} type `{owner}` has no attribute `{}`", short(wanted));
            let finding = Finding::new(&rules::PATH, name.use_place(), message);
            self.world.add(one.file, did_you_mean(finding, wanted, known()));
        }
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

    /// The values in the constraints of a definition are of the type that they constrain.
    pub(crate) fn constraints_fit(&self, key: Node<'t>, node: Node<'t>, schema: &Schema<'t>, file: usize) {
        for clause in data::clauses(file, node).filter(|clause| clause.constraint) {
            self.constraint_fits(key, clause.node, schema, file);
        }
        if data::clauses(file, node).next().is_some() {
            self.satisfiable(&Rc::new(schema.clone()));
        }
        for (name, inner) in [("entry_schema", &schema.entry), ("key_schema", &schema.key)] {
            if let (Some(node), Some(inner)) = (node.get(name), inner) {
                self.constraints_fit(key, node, inner, file);
            }
        }
    }

    /// The value in one constraint is of the type that it constrains.
    pub(crate) fn constraint_fits(&self, key: Node<'t>, node: Node<'t>, schema: &Schema<'t>, file: usize) {
        let plain = Rc::new(Schema { clauses: Vec::new(), ..schema.clone() });
        let number = Rc::new(Schema { base: Base::Integer, ..Schema::any() });
        let Some(entry) = node.entries().next() else { return };
        let name = entry.key.raw();
        if !can_be_asked(name, &schema.base) {
            let message = format!("`{}` cannot be asked of {}", short(name), schema.base.word());
            let mut finding = Finding::new(&rules::SCHEMA, entry.key.use_place(), message);
            // An example of the standard (3.3.4.2.1) has `max_length` of an integer.
            finding.severity = Severity::Warning;
            self.world.add(file, finding);
            return;
        }
        let (values, wanted): (Vec<_>, _) = match name {
            "equal" | "greater_than" | "greater_or_equal" | "less_than" | "less_or_equal" => {
                (vec![entry.value], &plain)
            }
            "in_range" | "valid_values" if schema.base != Base::Range => {
                (entry.value.items().collect(), &plain)
            }
            "length" | "min_length" | "max_length" => (vec![entry.value], &number),
            _ => return,
        };
        // Of lists and maps, the constraint may be meant for the entries.
        let whole = !matches!(schema.base, Base::List | Base::Map | Base::Complex(_) | Base::Any);
        let what = format!("`{}` of `{}`", short(name), short(key.raw()));
        let values = values.into_iter().filter(|value| value.as_str() != Some("UNBOUNDED"));
        for value in values.filter(|_| whole || Rc::ptr_eq(wanted, &number)) {
            self.checked(value, wanted, &Scope::new(file, This::Type), &what);
        }
    }

    /// Evaluates validation clauses for a value that is not known, which shows what is wrong with any value.
    fn clauses_make_sense(&self, schema: &Rc<Schema<'t>>, key: Node<'t>, file: usize) {
        let value = Typed::new(Datum::unknown(Why::plain(&WRONG), key.use_place()), schema);
        for clause in schema.clauses.iter().filter(|clause| !clause.constraint && clause.file == file) {
            if self.condition(clause.node, &Scope::new(clause.file, This::Type).about(&value)) == Some(false)
            {
                let message = format!("no value of `{}` satisfies this validation clause", short(key.raw()));
                let mut finding = Finding::new(&rules::VALIDATION, clause.node.use_place(), message);
                finding.severity = Severity::Warning;
                self.world.add(file, finding);
            }
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
            if let Some(first) = self.imported_repository(at, entry.key.raw()) {
                let message =
                    format!("the repository `{}` is defined twice in one namespace", short(entry.key.raw()));
                let finding = Finding::new(&rules::DUPLICATE_NAME, entry.key.use_place(), message);
                self.world.add(at, finding.also(first.use_place(), "first here"));
            }
        }
    }

    /// The repository of this name that a file knows.
    pub(crate) fn repository(&self, at: usize, name: &str) -> Option<Node<'t>> {
        let own = self.world.file(at).tree.root().get("repositories").and_then(|all| all.get(name));
        own.or_else(|| self.imported_repository(at, name))
    }

    /// The repository of this name that is imported into the root namespace.
    fn imported_repository(&self, at: usize, name: &str) -> Option<Node<'t>> {
        let mut seen = FxHashSet::from_iter([at]);
        let mut left = vec![at];
        while let Some(number) = left.pop() {
            let file = self.world.file(number);
            let all = file.tree.root().get("repositories");
            if number != at
                && let Some(entry) = all.and_then(|all| all.get_entry(name))
            {
                return Some(entry.key);
            }
            let imports = file.imports.iter().rev().filter(|import| import.prefix.is_none());
            left.extend(imports.filter_map(|import| import.file).filter(|&file| seen.insert(file)));
        }
        None
    }
}

/// Whether a constraint of the Simple Profile can be asked of values of a type.
fn can_be_asked(name: &str, base: &Base) -> bool {
    match name {
        _ if matches!(base, Base::Any | Base::Complex(_)) => true,
        "greater_than" | "greater_or_equal" | "less_than" | "less_or_equal" => {
            !matches!(base, Base::Boolean | Base::Nil | Base::Range | Base::List | Base::Map)
        }
        "in_range" => !matches!(base, Base::Boolean | Base::Nil | Base::List | Base::Map),
        "length" | "min_length" | "max_length" => matches!(base, Base::String | Base::List | Base::Map),
        "pattern" | "schema" => *base == Base::String,
        _ => true,
    }
}
