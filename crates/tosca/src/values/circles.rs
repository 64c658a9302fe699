//! Values that depend on themselves: what `get_property` and `get_input` ask for while it is being evaluated.
//!
//! One part of a value may be made of another one of the same value, so the part is looked at by itself.

use locus_source::{Finding, Node, Place};

use crate::report::short;
use crate::rules;
use crate::service::{Part, Scope, Service, This, Valued};
use crate::types::value::Typed;
use crate::values::path::At;

impl<'t> Service<'_, 't> {
    /// Says that a value depends on itself.
    pub(crate) fn circle(&self, key: Valued<'t>, place: Place) {
        let open = self.open.borrow();
        let since = open.iter().position(|one| *one == key).unwrap_or(open.len());
        let between: Vec<String> = open.iter().skip(since + 1).take(3).map(|one| self.called(one)).collect();
        let mut message = format!("{} depends on itself", self.called(&key));
        if !between.is_empty() {
            message = format!("{message}, by way of {}", between.join(", "));
        }
        let finding = Finding::new(&rules::VALUE_CIRCLE, place, message);
        self.world.add(self.file, finding.help("write one of these values out"));
    }

    /// The name of a value in messages.
    fn called(&self, (this, part, name): &Valued<'t>) -> String {
        let name = short(name);
        let of_node = |at: usize| short(self.templates[at].name);
        match (this, part) {
            (This::Node(at), Part::Own) => format!("`{name}` of `{}`", of_node(*at)),
            (This::Node(at), Part::Capability(one)) => {
                format!("`{name}` of the capability `{}` of `{}`", short(one), of_node(*at))
            }
            (This::Relationship(at, index), _) => {
                let requirement = short(self.templates[*at].requirements[*index].name);
                format!("`{name}` of the relationship `{requirement}` of `{}`", of_node(*at))
            }
            (This::Template(at), _) => {
                format!("`{name}` of the relationship `{}`", short(self.relationships[*at].name))
            }
            (This::Nothing | This::Type, _) => format!("the input `{name}`"),
        }
    }

    /// The part that a path leads to of a property that is being evaluated, if that part is not.
    pub(crate) fn within_open(
        &self,
        at: At<'t>,
        rest: &[Node<'t>],
        attribute: bool,
        place: Place,
    ) -> Option<Typed<'t>> {
        let (name, steps) = rest.split_first().filter(|(_, steps)| !steps.is_empty() && !attribute)?;
        let (this, part) = at.owner()?;
        let (definitions, assigned) = self.properties(this, part)?;
        let definition = definitions.iter().find(|one| one.name == name.raw())?;
        if !self.is_open(&(this, part, definition.name)) {
            return None;
        }
        let given = definition.fixed.map(|node| (node, definition.file));
        let given = given.or_else(|| Some((assigned.get(definition.name)?, self.file)));
        let (node, file) = given.or_else(|| Some((definition.default?, definition.file)))?;
        let inner = steps.iter().try_fold(node, |node, step| match step.as_i64() {
            Some(index) => node.items().nth(usize::try_from(index).ok()?),
            None => node.get(step.as_str()?),
        })?;
        // Each part is known by the place where it is written.
        let (inside, key) = (inner.place(), (this, part, definition.name));
        if self.parts_open.borrow().contains(&inside) {
            self.circle(key, place);
            return Some(Typed::wrong(place));
        }
        self.parts_open.borrow_mut().push(inside);
        let found = self.evaluate(inner, &Scope::new(file, this));
        self.parts_open.borrow_mut().pop();
        Some(Typed::untyped(found.datum.used_at(place)))
    }
}
