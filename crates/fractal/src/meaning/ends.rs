//! The ends of bindings: which component and which interface each names.

use std::sync::Arc;

use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::assembly::{Assembly, Kell};
use crate::syntax::{Binding, Interface, Text};
use crate::values::ends;

/// An interface: that of a component, or of its controller, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct GateId {
    pub(crate) kell: usize,
    pub(crate) of_controller: bool,
    pub(crate) number: usize,
}

/// An end of a binding.
#[derive(Clone, Debug)]
pub(crate) struct End {
    /// The text.
    pub(crate) written: Arc<str>,
    pub(crate) component: Arc<str>,
    pub(crate) gate: Arc<str>,
    pub(crate) place: Place,
    pub(crate) kell: Option<usize>,
    pub(crate) is: Option<GateId>,
    pub(crate) is_this: bool,
    pub(crate) is_control: bool,
}

/// A binding.
#[derive(Clone, Debug)]
pub(crate) struct Tie {
    pub(crate) place: Place,
    /// None if it is not known, or is outside of the definition.
    pub(crate) client: Option<End>,
    pub(crate) server: Option<End>,
    pub(crate) of_controller: bool,
}

/// The bindings of each component.
#[derive(Debug)]
pub(crate) struct Ends {
    pub(crate) ties: Vec<Vec<Tie>>,
}

impl Ends {
    pub(crate) fn new(assembly: &Assembly) -> Self {
        let ties = (0..assembly.kells.len()).map(|at| Finding::new(assembly, at).ties()).collect();
        Self { ties }
    }
}

/// The interface of a list that a name means: the one that is called so, or the collection with the longest name that
/// it begins with.
fn gate(interfaces: &[Interface], name: &str) -> Option<usize> {
    let same = interfaces.iter().position(|one| one.name.is(name));
    same.or_else(|| {
        let is_collection =
            |one: &Interface| one.cardinality.as_ref().is_some_and(|text| text.is("collection"));
        let begins = |one: &Interface| one.name.known().is_some_and(|start| name.starts_with(start));
        let fitting = interfaces.iter().enumerate().filter(|(_, one)| is_collection(one) && begins(one));
        fitting.max_by_key(|(_, one)| one.name.text.len()).map(|(at, _)| at)
    })
}

/// The interfaces of the controller of a component.
pub(crate) fn controls(kell: &Kell) -> &[Interface] {
    kell.says.controller.as_ref().map_or(&[], |controller| &controller.interfaces)
}

/// Finds the ends of the bindings of one component.
struct Finding<'a> {
    assembly: &'a Assembly,
    at: usize,
    /// Its subcomponents by name, the first of each.
    sc: FxHashMap<&'a str, usize>,
    membrane: FxHashMap<&'a str, usize>,
}

impl<'a> Finding<'a> {
    fn new(assembly: &'a Assembly, at: usize) -> Self {
        let by_name = |inner: &[usize]| {
            let mut all: FxHashMap<&'a str, usize> = FxHashMap::default();
            for &one in inner {
                all.entry(&assembly.kells[one].says.name.text).or_insert(one);
            }
            all
        };
        let kell = &assembly.kells[at];
        Self { assembly, at, sc: by_name(&kell.sc), membrane: by_name(&kell.membrane) }
    }

    fn ties(&self) -> Vec<Tie> {
        let says = &self.assembly.kells[self.at].says;
        let controller = says.controller.iter().flat_map(|one| &one.bindings);
        let tie = |binding: &Binding, of_controller: bool| Tie {
            place: binding.place,
            client: self.end(&binding.client, of_controller),
            server: self.end(&binding.server, of_controller),
            of_controller,
        };
        let own = says.bindings.iter().map(|one| tie(one, false));
        own.chain(controller.map(|one| tie(one, true))).collect()
    }

    fn end(&self, text: &Text, of_controller: bool) -> Option<End> {
        let known = text.known()?;
        if ends::is_remote(known) {
            return None;
        }
        let named = ends::end(text)?;
        let (kell, is) = self.means(named, of_controller);
        Some(End {
            written: Arc::clone(&text.text),
            component: named.component.into(),
            gate: named.interface.into(),
            place: text.place,
            kell,
            is,
            is_this: named.is_this(),
            is_control: named.is_control(),
        })
    }

    /// The component and the interface that an end means. In a controller these are its own interfaces, those of its
    /// components, and those of the controllers of subcomponents.
    fn means(&self, end: ends::End<'_>, of_controller: bool) -> (Option<usize>, Option<GateId>) {
        if end.is_this() {
            return (Some(self.at), self.gate(self.at, end.interface, of_controller));
        }
        let sub = self.sc.get(end.component).copied();
        if !of_controller {
            return (sub, sub.and_then(|kell| self.gate(kell, end.interface, false)));
        }
        let inner = self.membrane.get(end.component).copied();
        let found = inner.and_then(|kell| self.gate(kell, end.interface, false));
        let found = found.or_else(|| sub.and_then(|kell| self.gate(kell, end.interface, true)));
        (found.map(|gate| gate.kell).or(inner).or(sub), found)
    }

    fn gate(&self, kell: usize, name: &str, of_controller: bool) -> Option<GateId> {
        let says = &self.assembly.kells[kell];
        let interfaces = if of_controller { controls(says) } else { &says.says.interfaces };
        gate(interfaces, name).map(|number| GateId { kell, of_controller, number })
    }
}
