//! The static rules: what makes a graph well-formed.
//!
//! Each violation is one finding, with all the locations involved: a role with three providers is one
//! mistake, not two or three. Time and memory are linear in the number of locations and roles; only what
//! breaks a rule is ever sorted.

use locus_source::words::short;
use locus_source::{Finding, Place};

use crate::rules::{NAME_TAKEN, PROVIDED_AND_REQUIRED, PROVIDED_TWICE, REQUIRED_TWICE};
use crate::{LocationGraph, LocationId, Position, Role};

/// Every violation of the static rules, in the order in which the graph declares what is wrong.
///
/// `otherwise` is the place to point at where a location or role does not know its own: the whole file, say.
pub fn check(graph: &LocationGraph, otherwise: Place) -> Vec<Finding> {
    let mut violations = names_taken(graph);
    violations.extend(roles_repeated(graph));
    violations.extend(roles_on_both_sides(graph));
    violations.sort_by_key(|violation| violation.involved[1].0);
    violations.iter().map(|violation| violation.finding(graph, otherwise)).collect()
}

/// Whether the graph obeys all static rules (`WellFormedLocationGraph`).
pub fn is_well_formed(graph: &LocationGraph) -> bool {
    names_taken(graph).is_empty() && roles_repeated(graph).is_empty() && roles_on_both_sides(graph).is_empty()
}

/// Which static rule is broken.
#[derive(Clone, Copy)]
enum Kind {
    NameTaken,
    ProvidedTwice,
    RequiredTwice,
    /// With the position that is declared first.
    BothSides(Position),
}

/// The most places that a finding points at; beyond that nobody looks, and drawing them takes long.
const PLACES: usize = 100;

/// One violation.
struct Violation {
    kind: Kind,
    /// The text of the name or role that it is about.
    subject: String,
    /// The locations involved with the places that matter, in order of declaration; at least two.
    involved: Involved,
}

impl Violation {
    fn finding(&self, graph: &LocationGraph, otherwise: Place) -> Finding {
        let (rule, help) = match self.kind {
            Kind::NameTaken => (NAME_TAKEN, "rename all but one, or make them one location"),
            Kind::ProvidedTwice => (
                PROVIDED_TWICE,
                "a role binds two locations at most; a location between them can require one role of each \
                 and provide this one",
            ),
            Kind::RequiredTwice => (
                REQUIRED_TWICE,
                "a role binds two locations at most; let the provider have one role for each location that \
                 requires it",
            ),
            Kind::BothSides(_) => (
                PROVIDED_AND_REQUIRED,
                "give the two roles different names; a location of its own can connect them",
            ),
        };
        // The second is where a reader finds out; the first is where they look next.
        let place = |index: usize| self.involved[index].1.unwrap_or(otherwise);
        let mut finding =
            Finding::new(&rule, place(1), self.message(graph)).label(self.label(1, graph)).help(help);
        for index in (0..self.involved.len().min(PLACES)).filter(|&index| index != 1) {
            finding = finding.also(place(index), self.label(index, graph));
        }
        match self.involved.len().saturating_sub(PLACES) {
            0 => finding,
            more => finding.note(format!("{more} more places are involved, which are not shown")),
        }
    }

    fn message(&self, graph: &LocationGraph) -> String {
        let (subject, count) = (short(&self.subject), self.involved.len());
        match self.kind {
            Kind::NameTaken => format!("{count} locations are named `{subject}`"),
            Kind::ProvidedTwice => {
                format!("role `{subject}` is provided by {count} locations: {}", self.names(graph))
            }
            Kind::RequiredTwice => {
                format!("role `{subject}` is required by {count} locations: {}", self.names(graph))
            }
            Kind::BothSides(_) => {
                let name = short(graph.name_of(self.involved[0].0));
                format!("location `{name}` both provides and requires the role `{subject}`")
            }
        }
    }

    /// Returns the label of the location with this index among those involved.
    fn label(&self, index: usize, graph: &LocationGraph) -> String {
        let name = short(graph.name_of(self.involved[index].0));
        match (self.kind, index) {
            (Kind::NameTaken, 0) => "first declared here".to_owned(),
            (Kind::NameTaken, _) => "declared again here".to_owned(),
            (Kind::ProvidedTwice, 0) => format!("provided by `{name}`"),
            (Kind::ProvidedTwice, _) => format!("also provided by `{name}`"),
            (Kind::RequiredTwice, 0) => format!("required by `{name}`"),
            (Kind::RequiredTwice, _) => format!("also required by `{name}`"),
            (Kind::BothSides(first), _) => {
                let provided = (first == Position::Provided) == (index == 0);
                if provided { "provided here".to_owned() } else { "required here".to_owned() }
            }
        }
    }

    /// The names of the locations; of very many, the first ones and how many more there are.
    fn names(&self, graph: &LocationGraph) -> String {
        const SHOWN: usize = 20;
        let names = self.involved.iter().map(|(id, _)| format!("`{}`", short(graph.name_of(*id))));
        let mut names: Vec<String> = names.take(SHOWN).collect();
        let last = match self.involved.len() - names.len() {
            0 => names.pop().expect("at least two locations are involved"),
            more => format!("{more} more"),
        };
        format!("{} and {last}", names.join(", "))
    }
}

fn names_taken(graph: &LocationGraph) -> Vec<Violation> {
    let mut seen = vec![false; graph.symbols().name_count()];
    let mut taken = Vec::new();
    for entry in graph.entries() {
        if std::mem::replace(&mut seen[entry.name.index()], true) {
            taken.push(entry.name);
        }
    }
    if taken.is_empty() {
        return Vec::new();
    }
    seen.fill(false);
    for name in taken {
        seen[name.index()] = true;
    }
    let holders = graph.iter().filter(|(_, entry)| seen[entry.name.index()]);
    let groups = group(holders.map(|(id, entry)| (entry.name, id, entry.place)).collect());
    let violation = |(name, involved)| Violation {
        kind: Kind::NameTaken,
        subject: graph.symbols().name_text(name).to_owned(),
        involved,
    };
    groups.into_iter().map(violation).collect()
}

fn roles_repeated(graph: &LocationGraph) -> Vec<Violation> {
    let mut repeated = vec![[false; 2]; graph.symbols().role_count()];
    let mut any = false;
    each_holder(graph, |_, role, position, _, others| {
        if others {
            repeated[role.index()][position as usize] = true;
            any = true;
        }
    });
    if !any {
        return Vec::new();
    }
    let mut holders = Vec::new();
    each_holder(graph, |id, role, position, place, _| {
        if repeated[role.index()][position as usize] {
            holders.push(((role, position), id, place));
        }
    });
    let violation = |((role, position), involved): ((Role, Position), _)| {
        let kind = match position {
            Position::Provided => Kind::ProvidedTwice,
            Position::Required => Kind::RequiredTwice,
        };
        Violation { kind, subject: graph.symbols().role_text(role).to_owned(), involved }
    };
    group(holders).into_iter().map(violation).collect()
}

/// Calls `see` once for each location, role and position, with the first place and whether an earlier
/// location has the role in the same position. What one location says twice counts once.
fn each_holder(graph: &LocationGraph, mut see: impl FnMut(LocationId, Role, Position, Option<Place>, bool)) {
    let mut last: Vec<[Option<LocationId>; 2]> = vec![[None; 2]; graph.symbols().role_count()];
    for (id, entry) in graph.iter() {
        for port in &entry.ports {
            let before = last[port.role.index()][port.position as usize].replace(id);
            if before != Some(id) {
                see(id, port.role, port.position, port.place, before.is_some());
            }
        }
    }
}

fn roles_on_both_sides(graph: &LocationGraph) -> Vec<Violation> {
    // For each role and position, the last location that was seen to have it, with its first port there.
    let mut last: Vec<[Option<(LocationId, u32)>; 2]> = vec![[None; 2]; graph.symbols().role_count()];
    let mut violations = Vec::new();
    for (id, entry) in graph.iter() {
        for (index, port) in entry.ports.iter().enumerate() {
            let [this, opposite] = match port.position {
                Position::Provided => [0, 1],
                Position::Required => [1, 0],
            };
            let sides = &mut last[port.role.index()];
            if sides[this].is_some_and(|(location, _)| location == id) {
                continue;
            }
            sides[this] = Some((id, index as u32));
            if let Some((location, first)) = sides[opposite]
                && location == id
            {
                let subject = graph.symbols().role_text(port.role).to_owned();
                let involved = vec![(id, entry.ports[first as usize].place), (id, port.place)];
                let kind = Kind::BothSides(entry.ports[first as usize].position);
                violations.push(Violation { kind, subject, involved });
            }
        }
    }
    violations
}

type Involved = Vec<(LocationId, Option<Place>)>;

/// The items by key, each group in the order of locations.
fn group<K: Ord + Copy>(mut items: Vec<(K, LocationId, Option<Place>)>) -> Vec<(K, Involved)> {
    items.sort_by_key(|&(key, id, _)| (key, id));
    let groups = items.chunk_by(|a, b| a.0 == b.0);
    groups.map(|group| (group[0].0, group.iter().map(|&(_, id, place)| (id, place)).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locus_source::{Sources, Span};

    /// A graph from lines `name: provided / required`, with a place on every name and role.
    fn graph(file: &locus_source::SourceFile) -> LocationGraph {
        let mut graph = LocationGraph::new();
        let place = |word: &str| {
            let start = word.as_ptr() as usize - file.text().as_ptr() as usize;
            Some(file.place(Span::new(start, start + word.len())))
        };
        for line in file.text().lines() {
            let (name, roles) = line.split_once(':').unwrap();
            let (provided, required) = roles.split_once('/').unwrap();
            let id = graph.add(name);
            graph.entry_mut(id).place = place(name);
            for (roles, position) in [(provided, Position::Provided), (required, Position::Required)] {
                for role in roles.split_whitespace() {
                    graph.add_port(id, role, position).place = place(role);
                }
            }
        }
        graph
    }

    fn findings(text: &str) -> String {
        let sources = Sources::new();
        let file = sources.add("g", text);
        let graph = graph(&file);
        let found = check(&graph, file.place(Span::point(0)));
        assert_eq!(found.is_empty(), is_well_formed(&graph));
        let line = |f: &Finding| {
            let label = |l: &locus_source::Label| format!("\n  {} {}", sources.describe(l.place), l.message);
            let places: String = std::iter::once(&f.primary).chain(&f.secondary).map(label).collect();
            format!("{} {}{places}\n", f.code, f.message)
        };
        found.iter().map(line).collect()
    }

    #[test]
    fn near_misses_are_well_formed() {
        assert_eq!(findings("a: p p / q\nb: q / p\np: a / b"), "");
        assert_eq!(findings(""), "");
    }

    #[test]
    fn one_finding_with_all_places() {
        insta::assert_snapshot!(findings("a: p / q\nb: p p / q\na: p / r\na: r / r q"), @r"
        LG002 role `p` is provided by 3 locations: `a`, `b` and `a`
          g:2:4 also provided by `b`
          g:1:4 provided by `a`
          g:3:4 also provided by `a`
        LG003 role `q` is required by 3 locations: `a`, `b` and `a`
          g:2:10 also required by `b`
          g:1:8 required by `a`
          g:4:10 also required by `a`
        LG001 3 locations are named `a`
          g:3:1 declared again here
          g:1:1 first declared here
          g:4:1 declared again here
        LG003 role `r` is required by 2 locations: `a` and `a`
          g:4:8 also required by `a`
          g:3:8 required by `a`
        LG004 location `a` both provides and requires the role `r`
          g:4:8 required here
          g:4:4 provided here
        ");
    }

    #[test]
    fn what_has_no_place_is_found_all_the_same() {
        let file = Sources::new().add("g", "made by a program");
        let mut graph = LocationGraph::new();
        graph.add("a");
        graph.add("a");
        let whole = file.place(Span::new(0, file.text().len()));
        let found = check(&graph, whole);
        assert_eq!(found.iter().map(|f| f.primary.place).collect::<Vec<_>>(), [whole]);
    }

    #[test]
    fn many_holders_are_all_labelled_but_not_all_in_the_message() {
        let text = (0..30).fold(String::new(), |text, i| text + &format!("l{i}: p /\n"));
        let sources = Sources::new();
        let file = sources.add("g", text);
        let found = check(&graph(&file), file.place(Span::point(0)));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].secondary.len(), 29);
        assert!(found[0].message.ends_with("`l18`, `l19` and 10 more"), "{}", found[0].message);
    }
}
