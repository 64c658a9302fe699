//! How many containers a service has, and what exists already: decided once, for the reader, rules, pictures, plans and
//! deployments.

use locus_source::Place;

use crate::read::project::Project;
use crate::values::datum::Datum;

/// So many containers of a project are planned.
pub(crate) const MOST: i64 = 10_000;

/// How many containers a service has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) count: i64,
    /// Where it is written; none if nothing is said and it is one.
    pub(crate) place: Option<Place>,
}

/// How many containers a service has: `scale`, or the replicas of `deploy`. Compose pays no attention to `deploy.mode`.
pub(crate) fn number(service: &Datum) -> Number {
    let given = service.get("scale").or_else(|| service.at(&["deploy", "replicas"]));
    match given.and_then(|given| Some((given.as_i64()?, given.place))) {
        Some((count, place)) => Number { count: count.max(0), place: Some(place) },
        None => Number { count: 1, place: None },
    }
}

/// Why a project has more containers than are planned, if it has.
pub(crate) fn too_many(project: &Project) -> Option<String> {
    let counts = || project.section("services").map(|(name, service)| (number(service).count, name));
    let total = counts().fold(0_i64, |total, (count, _)| total.saturating_add(count));
    let (most, name) = counts().max_by_key(|(count, _)| *count)?;
    (total > MOST).then(|| {
        format!(
            "it has {total} containers, {most} of them of {name}, and at most {MOST} of a project are planned"
        )
    })
}

/// Whether a network, volume, secret or config is there already, so that nobody makes it. Also before texts become
/// truth values: those that Go takes for true.
pub(crate) fn is_external(resource: &Datum) -> bool {
    let written = resource.get("external").map(Datum::print);
    matches!(written.as_deref(), Some("1" | "t" | "T" | "TRUE" | "true" | "True"))
}
