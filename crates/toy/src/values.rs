//! Values: what properties are known to be before anything is made, and whether they are of their types.

use locus_schema::walk::{Keys, Typed, Visitor, walk};
use locus_schema::{Content, Datum, Field, Nature, Property, Reason, Type, Why};
use locus_source::words::{did_you_mean, did_you_mean_word, listed, short};
use locus_source::{Finding, Node, Place, Report};

use crate::rules::{KEY, MISSING, REFERENCE, VALUE};
use crate::types::Kind;

const PARAMETER: Reason =
    Reason { id: "parameter", clause: "the parameter `{}` has no value", nature: Nature::Input };

/// A value as it is written: `$name` is the value of a parameter.
pub(crate) fn value(node: Node<'_>, parameters: &[(String, String)]) -> Datum {
    let name = node.as_str().and_then(|text| text.strip_prefix('$'));
    let Some(name) = name else { return Datum::new(Content::of_scalar(node), node.use_place()) };
    match parameters.iter().rev().find(|(known, _)| known == name) {
        Some((_, given)) => {
            let content = given.parse().map_or_else(|_| Content::str(given), Content::Int);
            Datum::new(content, node.use_place())
        }
        None => Datum::unknown(Why::of(&PARAMETER, name), node.use_place()),
    }
}

/// Makes locations of names where a property names a thing.
pub(crate) fn located(field: &mut Field, property: Option<&Property>, names: &[&str], report: &mut Report) {
    if property.and_then(Property::names_kind).is_none() {
        return;
    }
    let Content::Str(name) = &field.value.value else { return };
    if names.contains(&&**name) {
        field.value.value = Content::Location(name.clone());
    } else {
        let finding =
            Finding::new(&REFERENCE, field.value.place, format!("there is no thing `{}`", short(name)));
        report.add(did_you_mean(finding, name, names.iter().copied()));
    }
}

/// Says what of a thing is not as its type has it.
pub(crate) fn check(kind: &'static Kind, fields: &[Field], place: Place, report: &mut Report) {
    walk(&kind.properties, fields, place, &mut Check { of: kind.name, report });
}

struct Check<'c> {
    of: &'static str,
    report: &'c mut Report,
}

impl<'d> Visitor<'d> for Check<'_> {
    fn leaf(&mut self, typed: Typed<'_, 'd>) {
        let fits = match (&typed.datum.value, typed.property.kind) {
            (Content::Int(number), Type::Integer) => *number >= 0,
            (Content::Unknown(_), _) | (Content::Str(_) | Content::Location(_), Type::String) => true,
            _ => false,
        };
        if !fits {
            let (at, kind) = (typed.at, typed.property.kind.with_article());
            let message = format!("`{at}` must be {kind}, not {}", typed.datum.shown());
            self.report.say(&VALUE, typed.datum.place, message);
        }
    }

    fn surplus(&mut self, keys: Keys<'_, 'd>, field: &'d Field) {
        let names = || keys.known.iter().map(|property| &*property.name).chain(["count", "is"]);
        let message = format!("a {} has no `{}`", self.of, short(&field.key));
        let finding = Finding::new(&KEY, field.place, message).help(format!("it has {}", listed(names())));
        self.report.add(did_you_mean_word(finding, &field.key, names()));
    }

    fn absent(&mut self, keys: Keys<'_, 'd>, property: &'d Property) {
        if property.required {
            self.report.say(&MISSING, keys.place, format!("a {} needs `{}`", self.of, property.name));
        }
    }
}
