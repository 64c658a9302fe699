//! The order in which resources and links are made and started: a link is made when both its ends are, and is active
//! when its target is; a resource is active when its links are. Resources that lead to each other in a circle are
//! started in any order, once all of them are made.

use locus_meaning::{Meaning, Need, ThingId};
use locus_schema::cycles::knots;

use super::{Facet, term_of};
use crate::catalogue::Catalogue;
use crate::syntax::{Action, Model};

const CREATED: &str = "created";
const ACTIVE: &str = "active";

/// The terms of the actions after which a resource is active.
const STARTS: [&str; 4] = ["start", "up", "online", "accept"];

/// Adds what entities need of each other.
pub(super) fn needs(
    model: &Model,
    facets: &[Facet],
    ids: &[ThingId],
    catalogue: &Catalogue<'_>,
    all: &mut Meaning<'_>,
) {
    let starts: Vec<bool> = facets.iter().map(|facet| is_started(facet, catalogue)).collect();
    let mut leads: Vec<Vec<usize>> = vec![Vec::new(); facets.len()];
    for (facet, _) in facets.iter().zip(&model.entities).filter(|(_, entity)| entity.is_link) {
        if let (Some(source), Some(target)) = (facet.source, facet.target) {
            leads[source].push(target);
        }
    }
    let circles = knots(&leads);
    for (at, (facet, entity)) in facets.iter().zip(&model.entities).enumerate() {
        let phases: &[&str] = if starts[at] || entity.is_link { &[CREATED, ACTIVE] } else { &[CREATED] };
        let mut needs = Vec::new();
        if entity.is_link {
            let need = |end: usize, at: usize, phase: &str, via: &str| Need {
                at,
                phase: Some(phase.into()),
                via: Some(via.into()),
                ..Need::new(ids[end])
            };
            needs.extend(facet.source.map(|source| need(source, 0, CREATED, "source")));
            if let Some(target) = facet.target {
                needs.push(need(target, 0, CREATED, "target"));
                let is_circle = facet.source.is_some_and(|source| circles[source] == circles[target]);
                if starts[target] && !is_circle {
                    needs.push(need(target, 1, ACTIVE, "target"));
                }
            }
        }
        if let Some(process) = &mut all.element_mut(ids[at]).process {
            process.phases = phases.iter().map(|&phase| phase.into()).collect();
            process.needs = needs;
        }
    }
    // What begins links is active when they are.
    for (at, facet) in facets.iter().enumerate().filter(|(at, _)| model.entities[*at].is_link) {
        let Some(source) = facet.source.filter(|&source| starts[source]) else { continue };
        if let Some(process) = &mut all.element_mut(ids[source]).process {
            process.needs.push(Need {
                at: 1,
                phase: Some(ACTIVE.into()),
                via: Some("links".into()),
                ..Need::new(ids[at])
            });
        }
    }
}

/// Whether an entity has an action that starts it.
fn is_started(facet: &Facet, catalogue: &Catalogue<'_>) -> bool {
    let actions = facet.kinds.iter().chain(&facet.all_mixins).flat_map(|&id| catalogue.actions(id));
    actions.into_iter().any(|action| {
        let term = match action {
            Action::Defined(category) => &category.term.text,
            Action::Named(text) => &text.text,
        };
        STARTS.contains(&term_of(term))
    })
}
