//! The components of a definition, each once: those that are shared have several parents.
//!
//! Out of scope: what is right and wrong about them, but for paths that lead to nothing.

use std::fmt::Write as _;
use std::sync::Arc;

use locus_source::{Finding, Place, words};
use rustc_hash::FxHashSet;

use crate::report::Report;
use crate::rules;
use crate::syntax::{Component, Text};
use crate::types::merge;

/// No definition shares more components.
const MOST_SHARED: usize = 1_000;

/// All components of a definition. The first is the definition itself.
#[derive(Debug)]
pub(crate) struct Assembly {
    pub(crate) kells: Vec<Kell>,
    /// Whether it is incomplete because of a mistake.
    pub(crate) is_broken: bool,
}

/// A component.
#[derive(Debug)]
pub(crate) struct Kell {
    /// Its content, without the components in it.
    pub(crate) says: Component,
    /// The path to it from the outermost component, whose path is its name.
    pub(crate) path: Arc<str>,
    /// The components in it, by their numbers.
    pub(crate) sc: Vec<usize>,
    /// The components of its controller.
    pub(crate) membrane: Vec<usize>,
    /// The component that it is written in.
    pub(crate) parent: Option<usize>,
    /// Whether other components share it.
    pub(crate) is_shared: bool,
    /// Whether all definitions that it is made of are known.
    pub(crate) is_known: bool,
}

/// A component that is shared.
struct Pending {
    parent: usize,
    /// Where it stands among the components of the parent.
    slot: usize,
    path: Text,
    /// The component at which the path starts.
    root: usize,
    says: Component,
}

/// A component that is not there yet.
const OPEN: usize = usize::MAX;

impl Assembly {
    pub(crate) fn new(body: Component, report: &Report) -> Self {
        let mut building = Building {
            kells: Vec::new(),
            pending: Vec::new(),
            paths: FxHashSet::default(),
            report,
            is_broken: false,
        };
        let path = Arc::clone(&body.name.text);
        building.add(body, &path, None, &[]);
        building.share();
        Self { kells: building.kells, is_broken: building.is_broken }
    }

    /// The components in a component, with those of its controller.
    pub(crate) fn inside(&self, kell: usize) -> impl Iterator<Item = usize> {
        let Kell { sc, membrane, .. } = &self.kells[kell];
        sc.iter().chain(membrane).copied()
    }
}

impl Assembly {
    /// For each component those that it is directly in, in order.
    pub(crate) fn sharers(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new(); self.kells.len()];
        for at in 0..self.kells.len() {
            for inner in self.inside(at) {
                all[inner].push(at);
            }
        }
        all
    }

    /// The innermost component that all of some are written in, or one of them.
    pub(crate) fn around_all(&self, kells: &[usize]) -> Option<usize> {
        let outwards = |kell: usize| std::iter::successors(Some(kell), |&at| self.kells[at].parent);
        let (&first, others) = kells.split_first()?;
        outwards(first).find(|&around| others.iter().all(|&one| outwards(one).any(|at| at == around)))
    }

    /// Whether some component is inside itself.
    pub(crate) fn is_circular(&self) -> bool {
        // Where each component is put behind all that is in it, none is in one before it.
        let mut left: Vec<usize> = (0..self.kells.len()).map(|at| self.inside(at).count()).collect();
        let sharers = self.sharers();
        let mut done: Vec<usize> = (0..left.len()).filter(|&at| left[at] == 0).collect();
        let mut next = 0;
        while let Some(&at) = done.get(next) {
            next += 1;
            for &outer in &sharers[at] {
                left[outer] -= 1;
                if left[outer] == 0 {
                    done.push(outer);
                }
            }
        }
        done.len() < self.kells.len()
    }
}

struct Building<'r> {
    kells: Vec<Kell>,
    pending: Vec<Pending>,
    /// The paths of all components.
    paths: FxHashSet<Arc<str>>,
    report: &'r Report,
    is_broken: bool,
}

impl Building<'_> {
    /// Adds a component with all that is in it. `around` are those that it is in, the outermost first.
    fn add(
        &mut self,
        mut says: Component,
        path: &Arc<str>,
        parent: Option<usize>,
        around: &[usize],
    ) -> usize {
        let at = self.kells.len();
        let components = std::mem::take(&mut says.components);
        let membrane =
            says.controller.as_mut().map(|one| std::mem::take(&mut one.components)).unwrap_or_default();
        let is_known = says.unknown.is_empty();
        let kell = Kell {
            says,
            path: Arc::clone(path),
            sc: Vec::new(),
            membrane: Vec::new(),
            parent,
            is_shared: false,
            is_known,
        };
        self.kells.push(kell);
        let inside: Vec<usize> = around.iter().copied().chain([at]).collect();
        self.components(components, at, &inside);
        for mut component in membrane {
            if let Some(shared) = component.definition.take() {
                let message = "a component of a controller does not share another";
                let finding = Finding::new(&rules::SHARED_PATH, shared.place, message);
                self.report.add(finding.help("name a definition"));
                component.unknown.push(shared);
            }
            let path = self.below(at, &component.name.text);
            let inner = self.add(component, &path, Some(at), &inside);
            self.kells[at].membrane.push(inner);
        }
        at
    }

    /// Adds the components that a component contains. `inside` ends in it.
    fn components(&mut self, components: Vec<Component>, at: usize, inside: &[usize]) {
        for component in components {
            let inner = if let Some(shared) = component.definition.clone() {
                let slot = self.kells[at].sc.len();
                // A component stands so many levels below the definition that it is written in.
                let root = inside[inside.len().saturating_sub(component.depth.max(1))];
                self.pending.push(Pending { parent: at, slot, path: shared, root, says: component });
                OPEN
            } else {
                let path = self.below(at, &component.name.text);
                self.add(component, &path, Some(at), inside)
            };
            self.kells[at].sc.push(inner);
        }
    }

    /// The path of a component in another, which no other component has.
    fn below(&mut self, parent: usize, name: &str) -> Arc<str> {
        let parent = &self.kells[parent];
        let mut path =
            if parent.parent.is_none() { name.to_owned() } else { format!("{}/{name}", parent.path) };
        while !self.paths.insert(path.as_str().into()) {
            let _ = write!(path, " ({})", self.kells.len());
        }
        path.into()
    }

    /// Finds the components that others share.
    fn share(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        if pending.len() > MOST_SHARED {
            let message = format!("more than {MOST_SHARED} components are shared, so they are not looked at");
            self.report.add(Finding::new(&rules::TOO_LARGE, pending[0].path.place, message));
            self.is_broken = true;
        } else {
            loop {
                let before = pending.len();
                pending.retain(|one| !self.resolve(one));
                pending.append(&mut self.pending);
                if pending.len() == before {
                    break;
                }
            }
            for one in pending {
                self.lost(one);
            }
        }
        for kell in &mut self.kells {
            kell.sc.retain(|&one| one != OPEN);
        }
    }

    /// Finds a component that is shared, if it is there already.
    fn resolve(&mut self, one: &Pending) -> bool {
        let Some(target) = self.follow(one) else { return false };
        let own = &self.kells[target].says.name;
        if own.text != one.says.name.text {
            let message = format!(
                "the component is called `{}` here, and `{}` where it is shared from",
                words::short(&one.says.name.text),
                words::short(&own.text)
            );
            let finding = Finding::new(&rules::SHARED_NAME, one.says.name.place, message);
            let finding = finding.also(own.place, "the component");
            self.report.add(finding.help("give it the same name"));
        }
        // What is said of it in either place is said of the same component.
        let mut says = Component { definition: None, ..one.says.clone() };
        let components = std::mem::take(&mut says.components);
        let kell = &mut self.kells[target];
        let (name, place) = (kell.says.name.clone(), kell.says.place);
        merge(&mut says, std::mem::replace(&mut kell.says, Component::new(name.clone(), place, 0)));
        kell.says = Component { name, place, ..says };
        kell.is_shared = true;
        self.kells[one.parent].sc[one.slot] = target;
        let mut inside = vec![target];
        while let Some(parent) = self.kells[inside[inside.len() - 1]].parent {
            inside.push(parent);
        }
        inside.reverse();
        self.components(components, target, &inside);
        true
    }

    fn follow(&self, one: &Pending) -> Option<usize> {
        let mut at = one.root;
        let path = one.path.text.strip_prefix("./").unwrap_or(&one.path.text);
        for name in path.split('/') {
            let inner = self.kells[at].sc.iter().copied().filter(|&inner| inner != OPEN);
            let mut same = inner.filter(|&inner| &*self.kells[inner].says.name.text == name);
            at = same.next()?;
        }
        (at != one.root).then_some(at)
    }

    /// Puts something that is not known in the place of a component that is not found.
    fn lost(&mut self, one: Pending) {
        if !self.may_be_there(&one) {
            let message = format!("the path `{}` leads to no component", words::short(&one.path.text));
            let finding = Finding::new(&rules::SHARED_PATH, one.path.place, message);
            let place: Place = self.kells[one.root].says.name.place;
            let finding = finding.also(place, "paths start here");
            let help = "write the names of components from the outermost one on, with `/` between them";
            self.report.add(finding.help(help));
        }
        let path = self.below(one.parent, &one.says.name.text);
        let at = self.kells.len();
        let says = Component { components: Vec::new(), ..one.says };
        self.kells.push(Kell {
            says,
            path,
            sc: Vec::new(),
            membrane: Vec::new(),
            parent: Some(one.parent),
            is_shared: false,
            is_known: false,
        });
        self.kells[one.parent].sc[one.slot] = at;
    }

    /// Whether something that is not known may have the component.
    fn may_be_there(&self, one: &Pending) -> bool {
        let mut at = one.root;
        let path = one.path.text.strip_prefix("./").unwrap_or(&one.path.text);
        for name in path.split('/') {
            let kell = &self.kells[at];
            if !kell.is_known {
                return true;
            }
            let inner = kell.sc.iter().copied().filter(|&inner| inner != OPEN);
            match inner.into_iter().find(|&inner| &*self.kells[inner].says.name.text == name) {
                Some(inner) => at = inner,
                None => return false,
            }
        }
        false
    }
}
