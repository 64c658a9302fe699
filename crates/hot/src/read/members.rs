//! Members: what a group or a chain makes of the definition in its properties.
//!
//! Heat reads such a definition only when the stack is created, and looks at its values only when the members are.
//! Its functions belong to the template around it, so they are evaluated by now.

use std::sync::Arc;

use locus_meaning::Alike;
use locus_schema::{Content, Datum, Field};

use crate::read::environment::Environment;
use crate::read::instances::{self, User};
use crate::read::stacks;
use crate::read::types;
use crate::template::{Kind, Resource, Text};
use crate::values::evaluate::Evaluator;

/// So many members of a group are made at most where each of them is looked at.
pub(crate) const MOST_MADE: usize = 1000;

/// A group whose members are made.
pub(crate) struct Of<'o> {
    pub(crate) name: &'o Text,
    /// Its name among the resources of all templates.
    pub(crate) id: &'o str,
    /// Whether it is itself the second of two members.
    pub(crate) again: bool,
}

/// The members of a resource with this kind and these properties.
pub(crate) fn members(
    group: &Of<'_>,
    kind: &Kind,
    properties: &[Field],
    environment: &Environment,
    evaluator: &mut Evaluator<'_>,
) -> Vec<Resource> {
    let Kind::Known(kind) = kind else { return Vec::new() };
    let is_whole = evaluator.files.whole;
    let property = |name: &str| properties.iter().find(|field| &*field.key == name).map(|field| &field.value);
    let number =
        |name: &str| property(name).and_then(|datum| locus_schema::constraint::to_number(&datum.value));
    let mut member = |kind: Option<&Datum>,
                      properties: Option<Datum>,
                      some: bool,
                      alike: Option<Alike>,
                      (at, again): (usize, bool)| {
        let kind = kind.filter(|kind| kind.contents_of.is_none());
        let kind = kind.and_then(|kind| Some(Text { text: kind.as_str()?.into(), place: kind.place }))?;
        // No name of a resource is empty, so nothing else has this one.
        let id = format!("{}//{at}", group.id);
        let of = Of { name: group.name, id: &id, again: again || group.again };
        let member = member(&of, kind, properties, environment, evaluator);
        Some(Resource { created: some.then_some(true), alike, again, ..member })
    };
    match &*kind.name {
        "OS::Heat::ResourceGroup" => {
            let Some(definition) = property("resource_def") else { return Vec::new() };
            // A group of none is how people turn something off, and Heat does not look at it either.
            if number("count") == Some(0.0) {
                return Vec::new();
            }
            let some = property("count").is_none() || number("count").is_some();
            let variable = property("index_var").map_or(Some("%index%"), Datum::as_str);
            let Some(variable) = variable.filter(|variable| !variable.is_empty()) else { return Vec::new() };
            let several = number("count").is_some_and(|count| count >= 2.0);
            let alike = match property("count") {
                None => Alike::Exactly(1),
                Some(_) => number("count").map_or(Alike::AnyNumber, count),
            };
            let mut numbered = |at: usize| {
                let index = at.to_string();
                let properties = definition.get("properties").map(|datum| numbered(datum, variable, &index));
                member(definition.get("type"), properties, some, Some(alike), (at, at > 0))
            };
            let whole =
                number("count").filter(|_| is_whole).map_or(1, |count| (count as usize).min(MOST_MADE));
            let last = whole.max(1 + usize::from(several));
            (0..last).filter_map(&mut numbered).collect()
        }
        "OS::Heat::AutoScalingGroup" => {
            let Some(definition) = property("resource") else { return Vec::new() };
            let least = ["min_size", "desired_capacity"].into_iter().filter_map(number).fold(0.0, f64::max);
            let mut one = |at: usize| {
                let properties = definition.get("properties").cloned();
                member(definition.get("type"), properties, least > 0.0, Some(Alike::AnyNumber), (at, at > 0))
            };
            let whole = if is_whole { (least as usize).min(MOST_MADE) } else { 1 };
            let last = whole.max(1 + usize::from(least >= 2.0));
            (0..last).filter_map(&mut one).collect()
        }
        "OS::Heat::ResourceChain" => {
            let kinds = property("resources").map_or(&[][..], Datum::items);
            let properties = property("resource_properties");
            let each = kinds.iter().enumerate();
            each.filter_map(|(at, kind)| member(Some(kind), properties.cloned(), true, None, (at, false)))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// So many that are alike, if a number is one of things.
fn count(number: f64) -> Alike {
    if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) {
        return Alike::Exactly(number as u32);
    }
    Alike::AnyNumber
}

fn member(
    member: &Of<'_>,
    type_name: Text,
    properties: Option<Datum>,
    environment: &Environment,
    evaluator: &mut Evaluator<'_>,
) -> Resource {
    let (properties, properties_known) = match properties.map(|datum| datum.value) {
        None | Some(Content::Null) => (Vec::new(), true),
        Some(Content::Map(fields)) => (fields.to_vec(), true),
        Some(_) => (Vec::new(), false),
    };
    let kind = types::kind(&type_name, &member.name.text, environment, evaluator);
    let user = User {
        name: member.name,
        id: member.id,
        type_name: &type_name,
        properties: (&properties, properties_known),
        again: member.again,
    };
    // A member is in the stack of its group.
    evaluator.depth += 1;
    let stack = stacks::template(&kind, &user, evaluator);
    let kind = instances::used(kind, &user, environment, evaluator);
    let members = members(member, &kind, &properties, environment, evaluator);
    evaluator.depth -= 1;
    Resource {
        name: Text { text: Arc::clone(&member.name.text), place: type_name.place },
        id: member.id.into(),
        type_name,
        kind,
        stack,
        properties,
        properties_known,
        properties_place: None,
        metadata: None,
        depends_on: Vec::new(),
        created: Some(true),
        condition: None,
        alike: None,
        external_id: None,
        deletion_policy: None,
        update_policy: None,
        references: Vec::new(),
        members,
        again: false,
    }
}

/// A value as a member has it: with its number in the place of the variable.
fn numbered(datum: &Datum, variable: &str, index: &str) -> Datum {
    let value = match &datum.value {
        Content::Str(text) if text.contains(variable) => Content::Str(text.replace(variable, index).into()),
        Content::List(items) => {
            Content::List(items.iter().map(|item| numbered(item, variable, index)).collect())
        }
        Content::Map(fields) => Content::Map(
            fields
                .iter()
                .map(|field| Field { value: numbered(&field.value, variable, index), ..field.clone() })
                .collect(),
        ),
        Content::Unknown(unknown) => {
            return datum.with_given(unknown, |given| numbered(given, variable, index));
        }
        other => other.clone(),
    };
    Datum { value, ..datum.clone() }
}
