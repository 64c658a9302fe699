//! Types of one name in one namespace: files that are imported side by side and define a type differently.
//!
//! The same type in two files, word for word but for descriptions, is no harm. A type of the importing file itself that
//! hides an imported one is another matter ([`rules::HIDDEN_TYPE`]).

use locus_source::{Finding, Node};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::read::grammar::Family;
use crate::report::short;
use crate::rules;
use crate::service::Service;
use crate::types::names::TypeId;

/// After so many comparisons of nodes two definitions are taken to be the same.
const MOST_COMPARED: usize = 100_000;

impl Service<'_, '_> {
    pub(crate) fn types_of_one_name(&self) {
        let files = &self.world.files.all;
        let mut of_file: Vec<Vec<TypeId>> = vec![Vec::new(); files.len()];
        for (at, one) in self.world.names.all.iter().enumerate() {
            of_file[one.file].push(TypeId(at as u32));
        }
        let prefixed = files.iter().flat_map(|file| &file.imports).filter(|one| one.prefix.is_some());
        let mut roots: Vec<usize> = prefixed.filter_map(|one| one.file).chain([0]).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut said = FxHashSet::default();
        for root in roots {
            let mut first: FxHashMap<(Family, &str), TypeId> = FxHashMap::default();
            for id in self.namespace(root).into_iter().flat_map(|file| &of_file[file]) {
                let one = self.world.names.get(*id);
                let known = *first.entry((one.family, one.name)).or_insert(*id);
                if known != *id && said.insert((known, *id)) {
                    self.twice_in_namespace(known, *id);
                }
            }
        }
    }

    /// The files of one namespace: a file and all that it imports without a prefix, the nearest first.
    fn namespace(&self, root: usize) -> Vec<usize> {
        let mut found = vec![root];
        let mut seen = FxHashSet::from_iter([root]);
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            next += 1;
            let imports = self.world.file(at).imports.iter().filter(|import| import.prefix.is_none());
            found.extend(imports.filter_map(|import| import.file).filter(|&file| seen.insert(file)));
        }
        found
    }

    fn twice_in_namespace(&self, first: TypeId, second: TypeId) {
        let (one, other) = (self.world.names.get(first), self.world.names.get(second));
        let imports = |from: usize, to: usize| self.namespace(from).contains(&to);
        if self.world.file(one.file).house
            || self.world.file(other.file).house
            || imports(one.file, other.file)
            || imports(other.file, one.file)
            || is_same(one.node, other.node, &mut 0)
        {
            return;
        }
        let (word, name) = (one.family.word(), short(one.name));
        let message =
            format!("the {word} type `{name}` is defined differently in two files that are imported");
        let finding = Finding::new(&rules::DUPLICATE_NAME, other.place(), message);
        let finding = finding.also(one.place(), "it is defined here too");
        self.world.add(other.file, finding.help("import one of the files into a namespace of its own"));
    }
}

/// Whether two nodes say the same. Descriptions say nothing.
fn is_same(one: Node<'_>, other: Node<'_>, compared: &mut usize) -> bool {
    *compared += 1;
    if *compared > MOST_COMPARED {
        return true;
    }
    let counts = |node: Node<'_>| node.entries().filter(|entry| counts(entry.key)).count();
    if one.is_mapping() && other.is_mapping() {
        let entries = one.entries().filter(|entry| self::counts(entry.key));
        return counts(one) == counts(other)
            && entries.into_iter().all(|entry| {
                other.get(entry.key.raw()).is_some_and(|value| is_same(entry.value, value, compared))
            });
    }
    if one.is_sequence() && other.is_sequence() {
        return one.len() == other.len()
            && one.items().zip(other.items()).all(|(a, b)| is_same(a, b, compared));
    }
    one.kind_name() == other.kind_name() && one.raw() == other.raw()
}

fn counts(key: Node<'_>) -> bool {
    !matches!(key.raw(), "description" | "metadata")
}
