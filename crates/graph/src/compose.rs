//! Composition of graphs: all locations of both, where names and roles allow.

use std::sync::Arc;

use locus_source::Place;
use locus_source::words::short;

use crate::{LocationGraph, Position};

/// Something that occurs in both of two graphs and may only occur in one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shared {
    /// The text of the name or role.
    pub text: Arc<str>,
    /// Where it stands first in the first graph.
    pub first: Option<Place>,
    /// Where it stands first in the second graph.
    pub second: Option<Place>,
}

/// Why two graphs are not mixable: exactly what clashes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphClash {
    /// Names that both graphs have.
    pub names: Vec<Shared>,
    /// Roles that both graphs provide.
    pub provided: Vec<Shared>,
    /// Roles that both graphs require.
    pub required: Vec<Shared>,
}

impl std::fmt::Display for GraphClash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the graphs cannot be composed")?;
        let parts = [
            ("have a location", &self.names),
            ("provide the role", &self.provided),
            ("require the role", &self.required),
        ];
        let mut separator = ": ";
        for (word, shared) in parts {
            for item in shared {
                write!(f, "{separator}both {word} {}", short(&item.text))?;
                separator = "; ";
            }
        }
        Ok(())
    }
}

impl std::error::Error for GraphClash {}

/// The composition of two graphs (`Compose` in the report): the locations of the first, then those of the
/// second. Drawn boxes of the same name become one. Linear time.
///
/// # Errors
/// If the graphs are not mixable (`MixableLG`), with everything that clashes. The composition of mixable,
/// well-formed graphs is well-formed.
pub fn compose(first: &LocationGraph, second: &LocationGraph) -> Result<LocationGraph, GraphClash> {
    let clash = clash(first, second);
    if clash != GraphClash::default() {
        return Err(clash);
    }
    let mut both = first.clone();
    both.append(second);
    Ok(both)
}

/// Returns the reason why two graphs are not mixable, in the order of the second graph.
fn clash(first: &LocationGraph, second: &LocationGraph) -> GraphClash {
    // Per name and per role of the first graph: has it been seen there, and where first?
    let mut names: Vec<Option<Option<Place>>> = vec![None; first.symbols().name_count()];
    let mut roles: Vec<[Option<Option<Place>>; 2]> = vec![[None; 2]; first.symbols().role_count()];
    for entry in first.entries() {
        names[entry.name.index()].get_or_insert(entry.place);
        for port in &entry.ports {
            roles[port.role.index()][port.position as usize].get_or_insert(port.place);
        }
    }
    // Taking what was found makes each clash one item, however often the second graph repeats it.
    let mut clash = GraphClash::default();
    let shared = |text: &str, first, second| Shared { text: text.into(), first, second };
    for entry in second.entries() {
        let text = second.symbols().name_text(entry.name);
        if let Some(place) = first.symbols().find_name(text).and_then(|name| names[name.index()].take()) {
            clash.names.push(shared(text, place, entry.place));
        }
        for port in &entry.ports {
            let text = second.symbols().role_text(port.role);
            let Some(role) = first.symbols().find_role(text) else { continue };
            if let Some(place) = roles[role.index()][port.position as usize].take() {
                let list = match port.position {
                    Position::Provided => &mut clash.provided,
                    Position::Required => &mut clash.required,
                };
                list.push(shared(text, place, port.place));
            }
        }
    }
    clash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::graph;

    #[test]
    fn composition_binds_roles_across_the_graphs() {
        let web = graph(&[("web", &["http"], &["sql"])]);
        let db = graph(&[("db", &["sql"], &[])]);
        let both = compose(&web, &db).unwrap();
        assert_eq!((both.len(), both.bindings().len(), both.unbound().len()), (2, 1, 1));
    }

    #[test]
    fn everything_that_clashes_is_named_once() {
        let first = graph(&[("a", &["p", "q"], &["r"]), ("b", &[], &[])]);
        let second = graph(&[("b", &["q"], &["p"]), ("c", &[], &["r"]), ("b", &["q"], &[])]);
        let clash = compose(&first, &second).unwrap_err();
        insta::assert_snapshot!(clash, @"the graphs cannot be composed: both have a location b; both provide the role q; both require the role r");
    }

    #[test]
    fn boxes_of_the_same_name_become_one() {
        let mut first = graph(&[("a", &[], &[])]);
        let zone = first.add_box("zone");
        let a = first.iter().next().unwrap().0;
        first.entry_mut(a).within = Some(zone);
        let mut second = graph(&[("b", &[], &[])]);
        let (region, zone) = (second.add_box("region"), second.add_box("zone"));
        second.nest_box(zone, Some(region));
        let b = second.iter().next().unwrap().0;
        second.entry_mut(b).within = Some(zone);
        let both = compose(&first, &second).unwrap();
        let within: Vec<_> = both.entries().iter().map(|e| both.box_name(e.within.unwrap())).collect();
        assert_eq!(within, ["zone", "zone"]);
        let zone = both.find_box("zone").unwrap();
        assert_eq!(both.box_within(zone).map(|id| both.box_name(id)), Some("region"));
    }
}
