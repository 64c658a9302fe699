//! From broken rules to findings.

use locus_alloy::{Given, Judgement, MOST_COUNTED, Subject, Violation};
use locus_source::{Finding, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::description::Description;
use crate::instance::{AtomId, Instance, Item, Tuple};
use crate::phrase::{Path, Phrase};

/// The result of checking an instance.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Every way in which a rule is broken, whatever the values that are not known turn out to be.
    pub findings: Vec<Finding>,
    /// Every way in which a rule may be broken, depending on values that are not known.
    pub unsettled: Vec<Finding>,
}

/// A violation as bindings: variables, and what each is bound to.
pub(crate) type Bindings = Vec<(String, Given)>;

impl Instance<'_> {
    /// Returns the rules that are broken, up to `limit` ways for each. `everything` is the place of findings about no
    /// thing in particular.
    ///
    /// # Errors
    /// If a rule cannot be evaluated; the finding says which and why.
    pub fn check(&self, limit: usize, everything: Place) -> Result<Verdict, Box<Finding>> {
        let mut verdict = Verdict::default();
        let judgements = self.rules.model.judge(&self.data, limit)?;
        if judgements.is_empty() {
            return Ok(verdict);
        }
        let writer = Writer { instance: self, by_owner: self.by_owner(), everything, is_there: &|_| true };
        for Judgement { subject, violations, truncated, more } in judgements {
            let Subject::Fact(fact) = subject else { continue };
            let description = &self.rules.description(fact);
            if description.native.is_some() {
                continue;
            }
            let (settled, open): (Vec<_>, Vec<_>) = violations.into_iter().partition(|one| one.settled);
            let [settled, open] = [settled, open].map(|list| list.into_iter().map(bound).collect());
            let count = verdict.findings.len();
            for (bindings, ()) in distinct(settled) {
                verdict.findings.push(writer.finding(description, &bindings));
            }
            if truncated && let Some(last) = verdict.findings[count..].last_mut() {
                last.notes.push(not_shown(more));
            }
            for (bindings, ()) in distinct(open) {
                verdict.unsettled.push(writer.finding(description, &bindings));
            }
        }
        Ok(verdict)
    }
}

/// The bindings of a violation.
fn bound(violation: Violation) -> (Bindings, ()) {
    let bound = violation.bindings.into_iter();
    (bound.filter_map(|(name, tuples)| Some((name, tuples.into_iter().flatten().next()?))).collect(), ())
}

/// That there are more ways in which a rule is broken than are shown. One finding may stand for several of them.
pub(crate) fn not_shown(more: usize) -> String {
    match more {
        0 => "this rule is broken in more ways, which are not shown".to_owned(),
        1 => "this rule is broken in 1 more way, which is not shown".to_owned(),
        MOST_COUNTED.. => format!("this rule is broken in at least {more} more ways, which are not shown"),
        _ => format!("this rule is broken in {more} more ways, which are not shown"),
    }
}

/// Writes findings about an instance.
pub(crate) struct Writer<'i> {
    pub(crate) instance: &'i Instance<'i>,
    pub(crate) by_owner: FxHashMap<AtomId, Vec<&'i Tuple>>,
    pub(crate) everything: Place,
    /// Whether an atom is there: findings name no others.
    pub(crate) is_there: &'i dyn Fn(AtomId) -> bool,
}

/// Something on the way of a path, and where it is written.
struct Met<'i> {
    item: Item,
    tuple: Option<&'i Tuple>,
}

impl Writer<'_> {
    pub(crate) fn finding(&self, description: &Description, bindings: &Bindings) -> Finding {
        let fill = |phrase: &Phrase| phrase.fill(|path| self.words(path, bindings));
        let message = match &description.message {
            Some(message) => fill(message),
            None => self.plain_message(description, bindings),
        };
        let mut labels: Vec<(Place, String)> = Vec::new();
        let mut add = |place: Place, label: String| {
            if !labels.iter().any(|(known, _)| *known == place) {
                labels.push((place, label));
            }
        };
        let mut origins = Vec::new();
        for (path, label) in &description.places {
            let label = fill(label);
            for (place, origin) in self.places(path, bindings) {
                add(place, label.clone());
                origins.extend(origin);
            }
        }
        if description.places.is_empty() {
            for (_, given) in bindings {
                if let Some(Item::Atom(atom)) = Item::of(given) {
                    add(self.instance.atoms[atom.index()].place, String::new());
                }
            }
        }
        for origin in origins {
            add(origin, "the value comes from here".to_owned());
        }
        let mut labels = labels.into_iter();
        let (place, label) = labels.next().unwrap_or_else(|| (self.everything, String::new()));
        let mut finding = Finding::new(&description.rule, place, message).label(label);
        for (place, label) in labels {
            finding = finding.also(place, label);
        }
        finding.help = description.help.as_ref().map(fill);
        finding
    }

    /// The message of a rule that has none of its own.
    fn plain_message(&self, description: &Description, bindings: &Bindings) -> String {
        let name = description.fact.as_deref().unwrap_or("a fact");
        if bindings.is_empty() {
            return format!("`{name}` does not hold");
        }
        let with = bindings.iter().map(|(variable, given)| {
            // What the instance does not have is a signature with one atom.
            let word = Item::of(given).map_or_else(|| format!("`{given}`"), |item| self.word(&item));
            format!("{variable} = {word}")
        });
        format!("`{name}` does not hold for {}", with.collect::<Vec<_>>().join(", "))
    }

    /// Returns the name by which people know something.
    fn word(&self, item: &Item) -> String {
        match item {
            Item::Atom(atom) => format!("`{}`", self.instance.atoms[atom.index()].label),
            Item::Int(value) => format!("`{value}`"),
            Item::Text(text) => format!("`{text}`"),
            Item::Unknown(_) => "(not known)".to_owned(),
        }
    }

    fn words(&self, path: &Path, bindings: &Bindings) -> String {
        let mut words: Vec<String> = Vec::new();
        for met in self.follow(path, bindings) {
            let word = self.word(&met.item);
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if words.is_empty() { "(none)".to_owned() } else { words.join(", ") }
    }

    /// Where a path leads, with where the values came from. Where it leads nowhere, as far as it leads.
    fn places(&self, path: &Path, bindings: &Bindings) -> Vec<(Place, Option<Place>)> {
        for length in (0..=path.fields.len()).rev() {
            let part = Path { variable: path.variable.clone(), fields: path.fields[..length].to_vec() };
            let places: Vec<_> =
                self.follow(&part, bindings).into_iter().filter_map(|met| self.place(&met)).collect();
            if !places.is_empty() {
                return places;
            }
        }
        Vec::new()
    }

    fn place(&self, met: &Met<'_>) -> Option<(Place, Option<Place>)> {
        match (met.tuple, &met.item) {
            (Some(tuple), _) => Some((tuple.place, tuple.origin)),
            (None, Item::Atom(atom)) => Some((self.instance.atoms[atom.index()].place, None)),
            (None, _) => None,
        }
    }

    fn follow(&self, path: &Path, bindings: &Bindings) -> Vec<Met<'_>> {
        let bound = bindings.iter().find(|(variable, _)| *variable == path.variable);
        let Some(item) = bound.and_then(|(_, given)| Item::of(given)) else { return Vec::new() };
        let mut met = vec![Met { item, tuple: None }];
        let world = self.instance.rules.model.world();
        for field in &path.fields {
            let owners = met.iter().filter_map(|one| match one.item {
                Item::Atom(atom) => self.by_owner.get(&atom),
                _ => None,
            });
            let is_there = |tuple: &&&Tuple| !matches!(tuple.item, Item::Atom(to) if !(self.is_there)(to));
            let tuples = owners.flatten().filter(|tuple| world.field(tuple.field).name == *field);
            let tuples = tuples.filter(is_there);
            met = tuples.map(|tuple| Met { item: tuple.item.clone(), tuple: Some(tuple) }).collect();
        }
        met
    }
}

/// The violations in the order of the text, each cause once: of a pair of things that break a rule together there
/// is one finding and not two, and of many things that break it pairwise one for each after the first.
pub(crate) fn distinct<T>(mut all: Vec<(Bindings, T)>) -> Vec<(Bindings, T)> {
    all.sort_by_cached_key(|(bindings, _)| {
        let order = |(_, given): &(String, Given)| match Item::of(given) {
            Some(Item::Atom(atom)) => (atom.index(), None),
            _ => (usize::MAX, Some(given.clone())),
        };
        bindings.iter().map(order).collect::<Vec<_>>()
    });
    let values =
        |bindings: &Bindings| -> Vec<Given> { bindings.iter().map(|(_, given)| given.clone()).collect() };
    // A number beside two things is what both have in common.
    let things = |values: &[Given]| -> Vec<Given> {
        values.iter().filter(|given| !matches!(Item::of(given), Some(Item::Int(_)))).cloned().collect()
    };
    let present: FxHashSet<Vec<Given>> = all.iter().map(|(bindings, _)| things(&values(bindings))).collect();
    let (mut seen, mut second) = (FxHashSet::default(), FxHashSet::default());
    all.retain(|(bindings, _)| {
        let values = values(bindings);
        let pair = things(&values);
        if let [a, b] = pair.as_slice()
            && a != b
            && present.contains(&vec![b.clone(), a.clone()])
        {
            // Those that come after another one in a pair that was kept are covered by that pair.
            let keep = !seen.contains(&vec![b.clone(), a.clone()]) && !second.contains(b);
            if keep {
                second.insert(b.clone());
            }
            seen.insert(pair);
            return keep;
        }
        let mut sorted = values;
        sorted.sort_unstable();
        seen.insert(sorted)
    });
    all
}
