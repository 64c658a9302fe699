//! Which types and fields an instance of a document has anything for, found without its rules.

use locus_rules::Occurring;
use locus_schema::modules::{field_name, item};
use locus_schema::walk::{Keys, Step, Typed, Visitor, walk};
use locus_schema::{Content, Property};

use crate::{Meaning, Vocabulary};

impl Meaning<'_> {
    /// The signatures and fields that [`Self::instance`] may have atoms and tuples for, and perhaps more.
    pub fn occurring(&self, vocabulary: &Vocabulary) -> Occurring {
        let mut occurring = Occurring::new(vocabulary.types);
        for element in &self.elements {
            let Some(kind) = element.kind else { continue };
            let (module, _) = (vocabulary.signature)(kind.name);
            occurring.add_module(module);
            if let Some((known, given)) = element.typed() {
                let mut fields = Fields { occurring: &mut occurring, complete: element.complete };
                walk(known, given, element.place, &mut fields);
            }
        }
        occurring
    }
}

struct Fields<'o> {
    occurring: &'o mut Occurring,
    /// Whether all properties of the element are known by name.
    complete: bool,
}

impl Fields<'_> {
    /// A field, and all fields of maps in it if it is not known what they have.
    fn add(&mut self, property: &Property, top: bool, with_parts: bool) {
        self.occurring.add_field(field_name(&property.name, top));
        if with_parts {
            for inner in &item(property).nested {
                self.add(inner, false, true);
            }
        }
    }
}

impl<'d> Visitor<'d> for Fields<'_> {
    fn value(&mut self, typed: Typed<'_, 'd>) -> bool {
        let is_unknown = matches!(typed.datum.value, Content::Unknown(_));
        match typed.at.step {
            Step::Key(_) => self.add(typed.property, typed.at.outer.is_none(), is_unknown),
            // Of an item nothing but what is in it is new.
            Step::Item(_) if is_unknown => self.add(typed.property, false, true),
            Step::Item(_) => {}
        }
        true
    }

    fn absent(&mut self, keys: Keys<'_, 'd>, property: &'d Property) {
        if !self.complete || property.default.is_some() {
            self.add(property, keys.at.is_none(), true);
        }
    }
}
