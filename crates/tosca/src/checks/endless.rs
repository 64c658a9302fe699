//! Data types whose values have no end, since each needs another one within it.

use locus_schema::cycles::circles;
use locus_source::{Finding, Place};
use rustc_hash::FxHashMap;

use crate::read::grammar::Family;
use crate::report::short;
use crate::rules;
use crate::service::Service;
use crate::types::base::Base;
use crate::types::names::TypeId;

impl Service<'_, '_> {
    /// Looks for data types that need themselves, at once or by others.
    pub(crate) fn endless_types(&self) {
        let names = &self.world.names;
        let ids = (0..names.all.len()).map(|at| TypeId(at as u32));
        let types: Vec<TypeId> = ids.filter(|id| names.get(*id).family == Family::Data).collect();
        let numbers: FxHashMap<TypeId, usize> = types.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let edges: Vec<Vec<(usize, Place)>> =
            types.iter().map(|id| self.needed_types(*id, &numbers)).collect();
        for circle in circles(&edges) {
            let Some(&(at, place)) = circle.first() else { continue };
            let one = names.get(types[at]);
            let others = circle.iter().skip(1).take(3).map(|(at, _)| short(names.get(types[*at]).name));
            let by = others.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let by = if by.is_empty() { by } else { format!(", by way of {by}") };
            let message =
                format!("a value of the data type `{}` needs another one in it{by}", short(one.name));
            let finding = Finding::new(&rules::ENDLESS_TYPE, place, message);
            let help = "let one of these fields not be required, give it a default, or make it a list";
            self.world.add(one.file, finding.help(help));
        }
    }

    /// The data types of which each value of a type has one.
    fn needed_types(&self, id: TypeId, numbers: &FxHashMap<TypeId, usize>) -> Vec<(usize, Place)> {
        let found = self.world.data_type(id);
        let needed = found
            .properties
            .iter()
            .filter(|one| one.required && one.default.is_none() && one.fixed.is_none());
        let edge = |property: &crate::types::flat::Property<'_>| match property.schema.base {
            Base::Complex(inner) => Some((*numbers.get(&inner)?, property.place)),
            _ => None,
        };
        needed.filter_map(edge).collect()
    }
}
