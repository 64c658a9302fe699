//! How the states of a search were kept, and why so, for people who wonder about its speed.

use crate::machine::Machine;
use crate::packed::layout::{Field, ShapeId, ShapeKind};
use crate::packed::{Packed, Refusal};

/// How the states of a search were kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// As values, with the reasons.
    Values(Vec<String>),
    /// As words.
    Packed(Layout),
}

/// How packed states are laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// How many words of 32 bits a state has, its fingerprint included.
    pub words: usize,
    /// The parts of the state that are alike, such as those of all places of a function.
    pub parts: Vec<Part>,
    /// How many parts of a view have to be evaluated in each state.
    pub terms: usize,
}

/// Parts of the state that are laid out alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The variable, with the way to the part: `_` stands for any argument.
    pub name: String,
    /// How many such parts there are.
    pub count: usize,
    /// How many bits each has.
    pub bits: u32,
    /// Whether the bits stand for the elements of a set; otherwise they are the number of a value.
    pub is_set: bool,
    /// How many values, or elements, one of them has had, at the most.
    pub values: usize,
    /// Whether a view tells states apart by it.
    pub is_seen: bool,
}

impl Kept {
    /// Values, for a reason.
    pub(super) fn values(why: impl Into<String>) -> Self {
        Self::Values(vec![why.into()])
    }

    /// Values, since a search with packed states was given up.
    pub(super) fn refused(refusal: Refusal) -> Self {
        Self::values(match refusal {
            Refusal::Value => "a state has a value that is not all in memory, or is very large",
            Refusal::Evaluation => "what an action or predicate reads of the state cannot be noted",
            Refusal::Contradiction => "an evaluation on packed states was not as one on values",
            Refusal::NoGain => {
                "nearly each state needs new evaluations, so that looking them up does not pay"
            }
        })
    }

    /// Words, as they are laid out at the end of a search.
    pub(super) fn packed(machine: &Machine, model: &Packed<'_>) -> Self {
        let mut layout = Layout { words: model.packing.tables.layout.words, parts: Vec::new(), terms: 0 };
        layout.terms = model.packing.tables.layout.terms.len();
        for (root, name) in model.packing.tables.layout.roots.iter().zip(&machine.shared.variables) {
            layout.add(machine, model, *root, name);
        }
        Self::Packed(layout)
    }
}

impl Layout {
    /// Adds a part of the state with all that it is made of.
    fn add(&mut self, machine: &Machine, model: &Packed<'_>, shape: ShapeId, name: &str) {
        let tables = &model.packing.tables;
        let field = match &tables.layout.shapes[shape as usize].kind {
            ShapeKind::Value(field) | ShapeKind::Set(field) => *field,
            ShapeKind::Function(_, parts) => {
                for part in parts.iter() {
                    let inner = match tables.layout.shapes[*part as usize].pattern.field_name() {
                        Some(field) => format!("{name}.{}", machine.shared.names.text(field)),
                        None => format!("{name}[_]"),
                    };
                    self.add(machine, model, *part, &inner);
                }
                return;
            }
        };
        let values = tables.elements(field, <[_]>::len);
        let Field { words, mask, is_hidden, .. } = tables.layout.fields[field as usize];
        if let Some(known) = self.parts.iter_mut().find(|part| part.name == name) {
            known.count += 1;
            known.values = known.values.max(values);
            return;
        }
        self.parts.push(Part {
            name: name.to_owned(),
            count: 1,
            bits: mask.count_ones() * words.max(1),
            is_set: words > 0,
            values,
            is_seen: !is_hidden,
        });
    }
}
