//! Categories: those that come with Locus (core, infrastructure, platform, templates and agreements), those of
//! extensions beside the file, and those that the file defines itself; and what references to them mean.

mod find;

use std::sync::Arc;

use locus_source::{Finding, Limits, Loader, SharedReport, SourceFile, Sources, words};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::read;
use crate::rules;
use crate::syntax::{Action, Category, Definition, Kind, Mixin, Model, Reference, Type, What};

/// The categories that come with Locus, after GFD.221, 224, 227, 222 and 228.
const HOUSE: [(&str, &str); 5] = [
    ("<occi core>", include_str!("../../data/core.json")),
    ("<occi infrastructure>", include_str!("../../data/infrastructure.json")),
    ("<occi platform>", include_str!("../../data/platform.json")),
    ("<occi compute resource templates>", include_str!("../../data/templates.json")),
    ("<occi agreements>", include_str!("../../data/sla.json")),
];

/// The surroundings in which extensions are found.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'s> {
    pub(crate) sources: &'s Sources,
    pub(crate) loader: &'s dyn Loader,
    pub(crate) limits: &'s Limits,
    pub(crate) libraries: &'s [String],
    pub(crate) report: &'s SharedReport,
}

/// Which category: a kind or a mixin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CategoryId {
    pub(crate) extension: usize,
    pub(crate) is_kind: bool,
    pub(crate) number: usize,
}

/// The meaning of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meant<T> {
    /// It is there.
    Found(T),
    /// It is not there, and that was said.
    Missing,
    /// Its extension is not there, so nothing is known of it.
    Unknown,
}

impl<T> Meant<T> {
    pub(crate) fn found(self) -> Option<T> {
        if let Self::Found(found) = self { Some(found) } else { None }
    }
}

/// Categories from one file.
pub(crate) struct Loaded {
    pub(crate) model: Arc<Model>,
    /// The file, where it is another than the one that is checked.
    pub(crate) source: Option<Arc<SourceFile>>,
    pub(crate) comments: Vec<locus_source::Span>,
    pub(crate) is_house: bool,
}

/// All categories that a file can speak of. The first are its own.
pub(crate) struct Catalogue<'s> {
    pub(crate) all: Vec<Loaded>,
    surroundings: Surroundings<'s>,
    finder: find::Finder<'s>,
    /// By scheme and term. What is not of the house comes first.
    by_identity: FxHashMap<String, CategoryId>,
    schemes: FxHashSet<Arc<str>>,
    said: FxHashSet<(String, locus_source::Place)>,
}

impl<'s> Catalogue<'s> {
    pub(crate) fn new(file: &'s SourceFile, own: Arc<Model>, surroundings: Surroundings<'s>) -> Self {
        let mut catalogue = Self {
            all: Vec::new(),
            surroundings,
            finder: find::Finder::new(file),
            by_identity: FxHashMap::default(),
            schemes: FxHashSet::default(),
            said: FxHashSet::default(),
        };
        catalogue.add(Loaded { model: own, source: None, comments: Vec::new(), is_house: false });
        for library in catalogue.finder.libraries(surroundings) {
            catalogue.add(library);
        }
        // What the house says of itself is not wrong: a test reads it.
        let quiet = SharedReport::default();
        for (name, text) in HOUSE {
            let source = surroundings.sources.add(name, text);
            if let Some(model) = read::read(&source, surroundings.limits, &quiet).model {
                let model = Arc::new(model);
                catalogue.add(Loaded { model, source: Some(source), comments: Vec::new(), is_house: true });
            }
        }
        catalogue
    }

    fn add(&mut self, loaded: Loaded) -> usize {
        let extension = self.all.len();
        let model = Arc::clone(&loaded.model);
        self.all.push(loaded);
        let kinds = model.extension.kinds.iter().enumerate().map(|(at, one)| (true, at, &one.category));
        let mixins = model.extension.mixins.iter().enumerate().map(|(at, one)| (false, at, &one.category));
        for (is_kind, number, category) in kinds.chain(mixins) {
            self.schemes.insert(Arc::clone(&category.scheme.text));
            let id = CategoryId { extension, is_kind, number };
            self.by_identity.entry(category.identity()).or_insert(id);
        }
        extension
    }

    pub(crate) fn kind(&self, id: CategoryId) -> Option<&Kind> {
        self.all[id.extension].model.extension.kinds.get(id.number).filter(|_| id.is_kind)
    }

    pub(crate) fn mixin(&self, id: CategoryId) -> Option<&Mixin> {
        self.all[id.extension].model.extension.mixins.get(id.number).filter(|_| !id.is_kind)
    }

    pub(crate) fn category(&self, id: CategoryId) -> &Category {
        let extension = &self.all[id.extension].model.extension;
        if id.is_kind { &extension.kinds[id.number].category } else { &extension.mixins[id.number].category }
    }

    /// The actions of a category, as they are defined or named.
    pub(crate) fn actions(&self, id: CategoryId) -> &[Action] {
        let extension = &self.all[id.extension].model.extension;
        if id.is_kind { &extension.kinds[id.number].actions } else { &extension.mixins[id.number].actions }
    }

    /// The kinds that a kind derives from, itself first; and whether all of them are known. A circle ends where it
    /// began.
    pub(crate) fn ancestry(&mut self, id: CategoryId) -> (Vec<CategoryId>, bool) {
        let mut all = vec![id];
        loop {
            let last = all[all.len() - 1];
            let Some(parent) = self.kind(last).and_then(|kind| kind.parent.clone()) else {
                return (all, true);
            };
            match self.meant(&parent, last.extension) {
                Meant::Found(parent) if all.contains(&parent) => return (all, true),
                Meant::Found(parent) => all.push(parent),
                Meant::Missing | Meant::Unknown => return (all, false),
            }
        }
    }

    /// The mixins that a mixin depends on, itself first; and whether all of them are known.
    pub(crate) fn dependencies(&mut self, id: CategoryId) -> (Vec<CategoryId>, bool) {
        let mut all = vec![id];
        let mut is_known = true;
        let mut next = 0;
        while let Some(&at) = all.get(next) {
            next += 1;
            let depends = self.mixin(at).map(|mixin| mixin.depends.clone()).unwrap_or_default();
            for reference in depends {
                match self.meant(&reference, at.extension) {
                    Meant::Found(one) if all.contains(&one) => {}
                    Meant::Found(one) => all.push(one),
                    Meant::Missing | Meant::Unknown => is_known = false,
                }
            }
        }
        (all, is_known)
    }

    /// The kind or mixin that a reference in an extension means.
    pub(crate) fn meant(&mut self, reference: &Reference, from: usize) -> Meant<CategoryId> {
        if let What::Identity(identity) = &reference.what {
            return self.identified(identity, reference);
        }
        let extension = match self.extension(reference, from) {
            Meant::Found(extension) => extension,
            Meant::Missing => return Meant::Missing,
            Meant::Unknown => return Meant::Unknown,
        };
        let loaded = &self.all[extension].model.extension;
        let term_is = |category: &Category, term: &str| category.term.text.eq_ignore_ascii_case(term);
        let found = match &reference.what {
            What::Kind(term) => {
                loaded.kinds.iter().position(|one| term_is(&one.category, term)).map(|at| (true, at))
            }
            What::Mixin(term) => {
                loaded.mixins.iter().position(|one| term_is(&one.category, term)).map(|at| (false, at))
            }
            What::KindAt(at) => loaded.kinds.get(*at).map(|_| (true, *at)),
            What::MixinAt(at) => loaded.mixins.get(*at).map(|_| (false, *at)),
            _ => return Meant::Missing,
        };
        if let Some((is_kind, number)) = found {
            Meant::Found(CategoryId { extension, is_kind, number })
        } else {
            let kinds = loaded.kinds.iter().map(|one| one.category.term.text.to_string());
            let mixins = loaded.mixins.iter().map(|one| one.category.term.text.to_string());
            let (is_kind, term) = match &reference.what {
                What::Kind(term) => (true, term.to_string()),
                What::Mixin(term) => (false, term.to_string()),
                _ => (true, reference.text.text.to_string()),
            };
            let names: Vec<String> = if is_kind { kinds.collect() } else { mixins.collect() };
            self.missing(reference, &term, if is_kind { "kind" } else { "mixin" }, &names);
            Meant::Missing
        }
    }

    fn identified(&mut self, identity: &str, reference: &Reference) -> Meant<CategoryId> {
        if let Some(id) = self.by_identity.get(identity) {
            return Meant::Found(*id);
        }
        let (scheme, term) = identity.split_once('#').unwrap_or((identity, ""));
        if self.schemes.contains(format!("{scheme}#").as_str()) {
            let mut names: Vec<String> = Vec::new();
            for loaded in &self.all {
                let extension = &loaded.model.extension;
                let kinds = extension.kinds.iter().map(|one| &one.category);
                let all = kinds.chain(extension.mixins.iter().map(|one| &one.category));
                let same = all.filter(|one| one.scheme.text.strip_suffix('#') == Some(scheme));
                names.extend(same.map(|one| one.term.text.to_string()));
            }
            // Templates may have the scheme of what they are templates of.
            if words::nearest(term, names.iter().map(|name| (name.as_str(), ()))).is_some() {
                self.missing(reference, term, "category", &names);
                return Meant::Missing;
            }
        }
        self.unknown(reference, &format!("the category `{}`", words::short(identity)));
        Meant::Unknown
    }

    fn missing(&mut self, reference: &Reference, term: &str, what: &str, names: &[String]) {
        if !self.said.insert((term.to_owned(), reference.text.place)) {
            return;
        }
        let message = format!("there is no {what} `{}` in its extension", words::short(term));
        let finding = Finding::new(&rules::CATEGORY_MISSING, reference.text.place, message);
        let near = words::nearest(term, names.iter().map(|name| (name.as_str(), name.as_str())));
        self.surroundings.report.add(match near {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("correct the name, or define it"),
        });
    }

    fn unknown(&mut self, reference: &Reference, what: &str) {
        if !self.said.insert((what.to_owned(), reference.text.place)) {
            return;
        }
        let message = format!("{what} is not here, so what it adds is not known");
        let finding = Finding::new(&rules::EXTENSION_UNKNOWN, reference.text.place, message);
        self.surroundings.report.add(finding.help("name the folder with its extension by `--library`"));
    }

    /// The extension that a reference names.
    pub(crate) fn extension(&mut self, reference: &Reference, from: usize) -> Meant<usize> {
        let Some(within) = &reference.within else {
            return if reference.what == What::Malformed { Meant::Missing } else { Meant::Found(from) };
        };
        let scheme = format!("{within}#");
        let has_scheme = |loaded: &Loaded| {
            let extension = &loaded.model.extension;
            let own = extension.scheme.as_ref().map(|text| &*text.text);
            let of_kinds = || {
                let kinds = extension.kinds.iter().map(|one| &one.category);
                kinds
                    .chain(extension.mixins.iter().map(|one| &one.category))
                    .any(|one| *one.scheme.text == *scheme)
            };
            own == Some(&*scheme) || loaded.is_house && of_kinds()
        };
        if let Some(found) = self.all.iter().position(has_scheme) {
            return Meant::Found(found);
        }
        let source = self.all[from].source.clone();
        if let Some(known) = self.finder.known(within) {
            return known;
        }
        let found = self.finder.by_path(within, source.as_deref(), self.surroundings);
        let meant = if let Some(loaded) = found {
            Meant::Found(self.add(loaded))
        } else {
            self.unknown(reference, &format!("the extension `{}`", words::short(within)));
            Meant::Unknown
        };
        self.finder.remember(within, meant);
        meant
    }

    /// The type that a reference in an extension means.
    pub(crate) fn type_of(&mut self, reference: &Reference, from: usize) -> Option<Type> {
        let extension = self.extension(reference, from).found()?;
        let types = &self.all[extension].model.extension.types;
        match &reference.what {
            What::TypeAt(at) => types.get(*at).cloned(),
            What::TypeNamed(name) => types.iter().find(|one| one.name.text == *name).cloned(),
            _ => None,
        }
    }

    /// The actions that are defined, with kinds and mixins or by themselves.
    pub(crate) fn defined_actions(&self) -> impl Iterator<Item = &Category> {
        self.all.iter().flat_map(|loaded| {
            let extension = &loaded.model.extension;
            let of_kinds = extension.kinds.iter().flat_map(|kind| &kind.actions);
            let inner = of_kinds.chain(extension.mixins.iter().flat_map(|mixin| &mixin.actions));
            extension.actions.iter().chain(inner.filter_map(defined))
        })
    }

    /// The definitions of the attributes of a category.
    pub(crate) fn definitions(&self, id: CategoryId) -> &[Definition] {
        &self.category(id).attributes
    }

    pub(crate) fn into_loaded(self) -> Vec<Loaded> {
        self.all
    }
}

/// The definition of an action, where it is given.
fn defined(action: &Action) -> Option<&Category> {
    if let Action::Defined(category) = action { Some(category) } else { None }
}
