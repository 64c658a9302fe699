//! Names of types: which definition a name means in which file.
//!
//! A file sees its own types, those that it imports into the root namespace, those of other imports by the prefix of
//! their namespace, and in the Simple Profile the normative types by their full name, by `tosca:` and by their short
//! name, and what is in the root namespace of the files that import it.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use locus_source::{Node, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::read::files::Files;
use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::types::ancestry::Ancestry;
use crate::types::base::Base;

/// A type that some file defines, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TypeId(pub(crate) u32);

/// A definition of a type.
#[derive(Clone, Copy)]
pub(crate) struct Type<'t> {
    pub(crate) family: Family,
    pub(crate) name: &'t str,
    pub(crate) file: usize,
    pub(crate) key: Node<'t>,
    pub(crate) node: Node<'t>,
}

impl Type<'_> {
    pub(crate) fn place(&self) -> Place {
        self.key.place()
    }
}

/// The meaning of a name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Meaning {
    Type(TypeId),
    /// One of the built-in data types.
    Builtin(Base),
    /// Nothing.
    Unknown,
    /// Something in a file that was not read, perhaps.
    Unread,
}

/// The meanings of names, by the file and the family in which they were looked up.
type FoundNames = FxHashMap<(usize, Family), FxHashMap<Rc<str>, Meaning>>;

/// The files that were visited, each with the length of what the name is there.
type Visited = FxHashSet<(usize, usize)>;

/// A step of a search through files: a file with the name that is looked for in it.
enum Visit<'n> {
    Enter(usize, &'n str),
    /// All that the file imports was visited.
    Leave(usize, &'n str),
    /// A file that was not read, perhaps one that has normative types of its own.
    Unread {
        normative: bool,
    },
}

/// All types of all files.
pub(crate) struct Names<'t> {
    files: &'t Files,
    pub(crate) all: Vec<Type<'t>>,
    own: FxHashMap<(usize, Family, &'t str), TypeId>,
    found: RefCell<FoundNames>,
    ancestry: OnceCell<Ancestry>,
    /// The files that import a file into their root namespace.
    importers: FxHashMap<usize, Vec<usize>>,
}

impl<'t> Names<'t> {
    pub(crate) fn new(files: &'t Files) -> Self {
        let (mut all, mut own) = (Vec::new(), FxHashMap::default());
        for (at, file) in files.all.iter().enumerate() {
            for family in Family::ALL {
                let section = file.tree.root().get(family.section());
                for entry in section.into_iter().flat_map(Node::entries) {
                    let name = entry.key.raw();
                    own.insert((at, family, name), TypeId(all.len() as u32));
                    all.push(Type { family, name, file: at, key: entry.key, node: entry.value });
                }
            }
        }
        let mut importers: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (at, file) in files.all.iter().enumerate() {
            for import in file.imports.iter().filter(|import| import.prefix.is_none()) {
                if let Some(imported) = import.file {
                    importers.entry(imported).or_default().push(at);
                }
            }
        }
        Self { files, all, own, found: RefCell::default(), ancestry: OnceCell::new(), importers }
    }

    pub(crate) fn get(&self, id: TypeId) -> Type<'t> {
        self.all[id.0 as usize]
    }

    /// The meaning of a name in a file.
    pub(crate) fn find(&self, file: usize, family: Family, name: &str) -> Meaning {
        if let Some(known) = self.found.borrow().get(&(file, family)).and_then(|names| names.get(name)) {
            return known.clone();
        }
        let mut meaning = self.look(file, family, name, &mut Visited::default());
        if meaning == Meaning::Unknown && self.files.all[file].version.is_simple() {
            meaning = self.through_importers(file, family, name);
        }
        self.found.borrow_mut().entry((file, family)).or_default().insert(name.into(), meaning.clone());
        meaning
    }

    /// The type that a name means in a file.
    pub(crate) fn find_type(&self, file: usize, family: Family, name: &str) -> Option<TypeId> {
        match self.find(file, family, name) {
            Meaning::Type(id) => Some(id),
            _ => None,
        }
    }

    /// The meaning of a name in a file and in those that it imports, depth first, in the order of the imports. Files
    /// that were visited already are passed by.
    fn look(&self, start: usize, family: Family, name: &str, visited: &mut Visited) -> Meaning {
        let (mut unread, mut own_normative) = (false, false);
        let mut left = vec![Visit::Enter(start, name)];
        while let Some(visit) = left.pop() {
            match visit {
                Visit::Enter(at, name) => {
                    if let Some(&own) = self.own.get(&(at, family, name)) {
                        return Meaning::Type(own);
                    }
                    // A rest of the name tells by its length what was taken off.
                    if visited.insert((at, name.len())) {
                        left.push(Visit::Leave(at, name));
                        self.visit_imports(at, name, &mut left);
                    }
                }
                Visit::Leave(at, name) => {
                    let file = &self.files.all[at];
                    if family == Family::Data
                        && let Some(base) = Base::built_in(name, file.version)
                    {
                        // A file does not hand on what is built in.
                        if left.is_empty() {
                            return Meaning::Builtin(base);
                        }
                    } else if !own_normative && let Some(found) = self.normative(file.version, family, name) {
                        return Meaning::Type(found);
                    } else {
                        unread |= file.extended;
                    }
                }
                Visit::Unread { normative } => {
                    unread = true;
                    own_normative |= normative;
                }
            }
        }
        if unread { Meaning::Unread } else { Meaning::Unknown }
    }

    /// Adds the imports that may have a name to what is left to visit, the first one on top.
    fn visit_imports<'n>(&self, at: usize, name: &'n str, left: &mut Vec<Visit<'n>>) {
        for import in self.files.all[at].imports.iter().rev() {
            let rest = match &import.prefix {
                None => Some(name),
                Some(prefix) => name.strip_prefix(prefix.as_str()).and_then(|rest| rest.strip_prefix(':')),
            };
            let Some(rest) = rest else { continue };
            let unread = Visit::Unread { normative: import.normative };
            left.push(import.file.map_or(unread, |file| Visit::Enter(file, rest)));
        }
    }

    /// The meaning of a name in the files that import a file. The Simple Profile has one namespace for all files that
    /// are imported without a prefix, so that a file may use what another one defines that is imported beside it.
    fn through_importers(&self, file: usize, family: Family, name: &str) -> Meaning {
        let (mut visited, mut left) = (FxHashSet::default(), vec![file]);
        while let Some(at) = left.pop() {
            for &importer in self.importers.get(&at).into_iter().flatten() {
                if visited.insert(importer) {
                    left.push(importer);
                    match self.look(importer, family, name, &mut Visited::default()) {
                        Meaning::Unknown => {}
                        meaning => return meaning,
                    }
                }
            }
        }
        Meaning::Unknown
    }

    /// The type of this name that a file imports into its root namespace.
    pub(crate) fn imported(&self, at: usize, family: Family, name: &str) -> Option<Type<'t>> {
        let mut visited = Visited::from_iter([(at, name.len())]);
        let imports = self.files.all[at].imports.iter().filter(|import| import.prefix.is_none());
        for file in imports.filter_map(|import| import.file) {
            if !visited.contains(&(file, name.len()))
                && let Meaning::Type(found) = self.look(file, family, name, &mut visited)
                && self.get(found).file != at
            {
                return Some(self.get(found));
            }
        }
        None
    }

    fn normative(&self, version: Version, family: Family, name: &str) -> Option<TypeId> {
        let house = *self.files.normative.get(&version)?;
        if let Some(&found) = self.own.get(&(house, family, name)) {
            return Some(found);
        }
        let short = name.strip_prefix("tosca:").unwrap_or(name);
        family.normative().iter().find_map(|prefix| {
            let full = format!("{prefix}{short}");
            self.own.get(&(house, family, full.as_str())).copied()
        })
    }

    /// Names of a family that a file can use, for suggestions.
    pub(crate) fn candidates(&self, file: usize, family: Family) -> Vec<&'t str> {
        let visible = |one: &&Type<'t>| {
            one.family == family && (one.file == file || self.find_type(file, family, one.name).is_some())
        };
        self.all.iter().filter(visible).take(5_000).map(|one| one.name).collect()
    }

    fn ancestry(&self) -> &Ancestry {
        self.ancestry.get_or_init(|| {
            let parent = |at: usize| {
                let one = &self.all[at];
                let name = one.node.get("derived_from").and_then(Node::as_str)?;
                match self.find(one.file, one.family, name) {
                    Meaning::Type(id) => Some(Ok(id.0 as usize)),
                    Meaning::Builtin(_) => None,
                    Meaning::Unknown | Meaning::Unread => Some(Err(())),
                }
            };
            Ancestry::new(&(0..self.all.len()).map(parent).collect::<Vec<_>>())
        })
    }

    /// The type that a type derives from, if that is another type of a file. Where types derive from each other in a
    /// circle, one of them is taken for the first.
    pub(crate) fn parent(&self, id: TypeId) -> Option<TypeId> {
        self.ancestry().parent(id.0 as usize).map(|parent| TypeId(parent as u32))
    }

    /// Whether a type is where a circle of types begins and ends.
    pub(crate) fn closes_circle(&self, id: TypeId) -> bool {
        self.ancestry().closes_circle(id.0 as usize)
    }

    /// Whether a type derives from so many others that its parent is left out.
    pub(crate) fn is_too_deep(&self, id: TypeId) -> bool {
        self.ancestry().is_too_deep(id.0 as usize)
    }

    /// A type and those that it derives from, the nearest first; each once, even if they go in a circle.
    pub(crate) fn line(&self, id: TypeId) -> Vec<TypeId> {
        std::iter::successors(Some(id), |&one| self.parent(one)).collect()
    }

    /// Whether one type is another or derives from it.
    pub(crate) fn is_a(&self, one: TypeId, other: TypeId) -> bool {
        one == other || self.ancestry().is_below(one.0 as usize, other.0 as usize)
    }

    /// Whether the parents of a type are all known.
    pub(crate) fn is_whole(&self, id: TypeId) -> bool {
        self.ancestry().is_whole(id.0 as usize)
    }
}
