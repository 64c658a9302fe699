//! `get_operation_output` of the Simple Profile: that the interface and the operation that it names exist (section
//! 4.6.1).

use locus_schema::Why;
use locus_source::{Finding, Node};

use crate::read::grammar::Family;
use crate::report::{did_you_mean, short};
use crate::rules;
use crate::service::{Scope, Section, Service};
use crate::types::interfaces::{self, Interface};
use crate::types::value::Typed;
use crate::values::call::Call;
use crate::values::path::At;
use crate::why::FUNCTION;

impl<'t> Service<'_, 't> {
    /// The value of an output, which only the deployment tells.
    pub(crate) fn operation_output(&self, call: &Call<'t>, scope: &Scope<'_, 't>) -> Typed<'t> {
        if let &[entity, interface, operation, ..] = call.list().as_slice()
            && let Some(at) = self.start(entity, scope)
        {
            self.operation_exists(at, interface, operation, scope);
        }
        Typed::unknown(Why::of(&FUNCTION, call.name), call.node.use_place())
    }

    fn operation_exists(&self, at: At<'t>, interface: Node<'t>, operation: Node<'t>, scope: &Scope<'_, 't>) {
        let Some((known, assigned, whole, owner)) = self.interfaces_at(at) else { return };
        let (Some(wanted), Some(name)) = (interface.as_str(), operation.as_str()) else { return };
        let of_type = |name: &str, file| self.world.names.find_type(file, Family::Interface, name);
        let by_type = of_type(wanted, scope.file);
        let is_it = |one: &Interface<'t>| one.name == wanted || by_type.is_some() && one.type_id == by_type;
        let found = known.iter().find(|one| is_it(one));
        let here = assigned.entries().find(|entry| {
            entry.key.raw() == wanted || by_type.is_some() && of_type(entry.key.raw(), self.file) == by_type
        });
        if found.is_none() && here.is_none() {
            if whole {
                let message = format!("{owner} has no interface `{}`", short(wanted));
                let finding = Finding::new(&rules::PATH, interface.use_place(), message);
                self.world.add(scope.file, did_you_mean(finding, wanted, known.iter().map(|one| one.name)));
            }
            return;
        }
        let own = here.map(|entry| entry.value);
        let mut names: Vec<&str> =
            found.iter().flat_map(|one| one.operations.iter().map(|one| one.name)).collect();
        names.extend(
            own.into_iter()
                .flat_map(|one| interfaces::operations_in(one, true))
                .map(|(one, _)| one.key.raw()),
        );
        if whole && found.is_none_or(|one| one.whole) && !names.contains(&name) {
            let message =
                format!("the interface `{}` of {owner} has no operation `{}`", short(wanted), short(name));
            let finding = Finding::new(&rules::PATH, operation.use_place(), message);
            self.world.add(scope.file, did_you_mean(finding, name, names));
        }
    }

    /// The interfaces of something: those of its type, those that it assigns, whether these are all, and its name.
    fn interfaces_at(&self, at: At<'t>) -> Option<(Vec<Interface<'t>>, Section<'t>, bool, String)> {
        match at {
            At::Node(node) => {
                let template = &self.templates[node];
                let owner = format!("the node `{}`", short(template.name));
                let known = template.flat.interfaces.clone();
                Some((known, template.section("interfaces"), template.is_whole(), owner))
            }
            At::Template(at) => {
                let template = &self.relationships[at];
                let owner = format!("the relationship `{}`", short(template.name));
                let whole = template.type_id.is_some() && template.flat.whole;
                Some((template.flat.interfaces.clone(), template.section("interfaces"), whole, owner))
            }
            At::Relationship(..) | At::Capability(..) | At::Type(_) | At::Open => None,
        }
    }
}
