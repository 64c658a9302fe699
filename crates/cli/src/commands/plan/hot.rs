//! The resources of a HOT template as things that are made, changed and removed.
//!
//! What may be changed in place and what forces a replacement is in the catalogue: a property with `update_allowed` is
//! changed in place, any other replaces the resource; resources that are templates of their own are changed in place;
//! resources whose type is not in the catalogue are replaced when anything about them changes. What some types of Heat
//! decide case by case (`image_update_policy` of a server, say) is not considered. Resources whose condition is false, and those that only stand for
//! something that exists already, are left out.

use std::collections::HashSet;

use locus_hot::{How, Kind, Resource, Template};
use locus_plan::{Need, OnChange, Property, Thing};
use locus_schema::{Content, Datum};
use locus_source::Sources;

/// The things of a template.
pub(super) fn things(template: &Template, sources: &Sources) -> Vec<Thing> {
    let made = template.resources.iter().filter(|r| r.created != Some(false) && r.external_id.is_none());
    let made: Vec<&Resource> = made.collect();
    let names: HashSet<&str> = made.iter().map(|resource| &*resource.name.text).collect();
    let thing = |resource: &&Resource| {
        let properties = resource.properties.iter().map(|field| {
            let in_place = match &resource.kind {
                Kind::Known(kind) => {
                    kind.property(&field.key).is_some_and(|property| property.update_allowed)
                }
                Kind::Nested(_) => true,
                Kind::Unknown => false,
            };
            Property {
                name: field.key.to_string(),
                value: value(&field.value, sources),
                on_change: if in_place { OnChange::InPlace } else { OnChange::Replace },
                place: Some(field.place),
            }
        });
        let needs = resource.references.iter().filter(|reference| names.contains(&*reference.target));
        let needs = needs.map(|reference| Need {
            target: reference.target.to_string(),
            via: match &reference.how {
                How::DependsOn => None,
                How::Id | How::Attribute(_) => reference.via.as_deref().map(str::to_owned),
            },
        });
        Thing {
            name: resource.name.text.to_string(),
            sort: resource.type_name.text.to_string(),
            properties: properties.collect(),
            needs: needs.filter(|need| *need.target != *resource.name.text).collect(),
            place: Some(resource.name.place),
        }
    };
    made.iter().map(thing).collect()
}

/// A value as a text: what it is, as far as that is known, else the expression that will give it.
fn value(datum: &Datum, sources: &Sources) -> String {
    match &datum.value {
        Content::List(items) => {
            format!("[{}]", items.iter().map(|item| value(item, sources)).collect::<Vec<_>>().join(", "))
        }
        Content::Map(fields) => {
            let mut fields: Vec<String> = fields
                .iter()
                .map(|field| format!("{}: {}", field.key, value(&field.value, sources)))
                .collect();
            fields.sort();
            format!("{{{}}}", fields.join(", "))
        }
        Content::Unknown(_) => {
            let text = sources.get(datum.place.file).slice(datum.place.span).to_owned();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        other => other.to_text().map_or_else(|| format!("{other:?}"), |text| text.to_string()),
    }
}
