//! Things: what a language describes, as far as planning is concerned.

use locus_graph::{LocationGraph, LocationId};
use locus_source::Place;

/// What becomes of a thing when a property of it changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OnChange {
    /// It is changed in place.
    InPlace,
    /// It is replaced by another.
    Replace,
}

/// A property of a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its value, as a text that is the same exactly if the value is.
    pub value: String,
    /// What becomes of the thing when it changes.
    pub on_change: OnChange,
    /// Where it is written.
    pub place: Option<Place>,
}

/// A thing needs another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Need {
    /// The name of the other.
    pub target: String,
    /// The property that refers to it; none for an order that is only asked for.
    pub via: Option<String>,
}

/// A thing: a resource, a service, a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thing {
    /// Its name, by which two versions of it are known to be the same.
    pub name: String,
    /// What it is.
    pub sort: String,
    /// Its properties.
    pub properties: Vec<Property>,
    /// What it needs.
    pub needs: Vec<Need>,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// The locations of a graph as things, but for those that exist already: every bound role is a need, every attribute a
/// property that can be changed in place.
pub fn things(graph: &LocationGraph, exists: impl Fn(LocationId) -> bool) -> Vec<Thing> {
    let mut things: Vec<Thing> = Vec::new();
    let mut index = vec![None; graph.len()];
    for (id, entry) in graph.iter().filter(|&(id, _)| !exists(id)) {
        index[id.index()] = Some(things.len());
        let properties = entry.attributes.into_iter().map(|attribute| Property {
            name: attribute.key.to_string(),
            value: attribute.value.display(graph.symbols()).to_string(),
            on_change: OnChange::InPlace,
            place: attribute.place,
        });
        things.push(Thing {
            name: graph.name_of(id).to_owned(),
            sort: entry.sort.0.display(graph.symbols()).to_string(),
            properties: properties.collect(),
            needs: Vec::new(),
            place: entry.place,
        });
    }
    for binding in graph.bindings() {
        let ends = (index[binding.requirer.index()], index[binding.provider.index()]);
        if let (Some(requirer), Some(provider)) = ends {
            let target = things[provider].name.clone();
            things[requirer].needs.push(Need { target, via: None });
        }
    }
    things
}
