//! The resolver: modules found, read and elaborated.
//!
//! A module is elaborated once on its own, which is when its mistakes are reported, and once more for every
//! instance that substitutes something. Modules that declare nothing are shared by all.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use locus_source::{FileId, Finding, Place, Rule, Severity, SourceFile, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::levels::Levels;
use super::loader::{ModuleLoader, StandardModules};
use super::program::{
    Assumption, Builtin, ConstId, DefId, Expr, ExprId, ExprKind, Level, Local, LocalId, LocalKind, Module,
    ModuleId, Name, Program, SubstId,
};
use super::scope::{Context, Entity, Entry, InnerModule, ModuleRef, NamedInstance, Outer, Scope};
use crate::pluscal::{self, Current, Origins};
use crate::rules::{MODULE_CYCLE, MODULE_MISSING, MODULE_NAME, NAME_CLASH, NESTING};
use crate::syntax::{Parsed, ast, parse_module, parse_module_named};
use locus_source::words::nearest;

/// How many times modules may be elaborated for instances; a chain of modules that instantiate each other twice
/// doubles with every link.
const INSTANCE_LIMIT: u32 = 2000;

/// How deeply modules may need modules.
const MODULE_DEPTH_LIMIT: usize = 64;

/// The state that lasts from loading on, so that expressions can be resolved later.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) program: Program,
    pub(crate) scope: Scope,
    pub(crate) instances: Vec<NamedInstance>,
    /// The arities of each definition's own parameters.
    pub(crate) signatures: Vec<Vec<u32>>,
    /// Which modules each module extends.
    pub(crate) extends: BTreeMap<ModuleId, BTreeSet<ModuleId>>,
    /// Where the instance stands that each copy of a definition was made for.
    pub(crate) instance_places: BTreeMap<DefId, Place>,
    /// The theorems that are no formulas.
    pub(crate) assume_prove: FxHashSet<DefId>,
    /// The parameters of labels, in the order written.
    pub(crate) label_params: FxHashMap<ExprId, Vec<LocalId>>,
    /// How many arguments the functions take that are defined by `f[x \\in S] == …`.
    pub(crate) functions: FxHashMap<DefId, usize>,
    /// The levels of all that was resolved so far.
    pub(crate) levels: Levels,
    /// Names that only a configuration uses, and that stand for model values.
    pub(crate) model_values: BTreeMap<Name, ConstId>,
}

/// Which copy of a module is being elaborated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Universe {
    /// The substitutions for declared names; nothing if these stand for themselves.
    pub(crate) substs: Option<Rc<FxHashMap<Name, SubstId>>>,
    /// The parameters of the instances around it.
    pub(crate) params: Vec<LocalId>,
    /// The names of the instances around it, each with `!`.
    pub(crate) prefix: String,
    /// Whether it stands within an expression, so that its definitions may capture.
    pub(crate) within_let: bool,
    /// Contexts already elaborated in it.
    pub(crate) contexts: FxHashMap<ModuleId, Rc<Context>>,
    /// The module around this one, if it is within another.
    pub(crate) outer: Option<Rc<Outer>>,
}

pub(crate) struct Resolver<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) loader: &'a dyn ModuleLoader,
    pub(crate) standard: StandardModules,
    pub(crate) state: State,
    pub(crate) findings: Vec<Finding>,
    /// Modules by name, those in files.
    by_name: FxHashMap<Box<str>, Option<u32>>,
    /// All modules, those within others included.
    pub(crate) modules: Vec<ModuleRef>,
    /// Ids of modules within others, by place, so that copies share them.
    inner_ids: FxHashMap<Place, ModuleId>,
    /// Modules being elaborated on their own, outermost first, with the place that asked for them.
    in_progress: Vec<(ModuleId, Option<Place>)>,
    pub(crate) universe: Universe,
    /// The file of the text being resolved.
    pub(crate) file: FileId,
    /// For files with translations of algorithms, the ways back to these.
    origins: Vec<Origins>,
    /// The module of the text being resolved.
    pub(crate) module: ModuleId,
    /// Whether findings are dropped, because the module's own elaboration has them.
    pub(crate) muted: bool,
    instances_made: u32,
    pub(crate) assumptions: Vec<Assumption>,
    /// The definitions of instances made within the LETs at hand.
    pub(crate) let_defs: Vec<DefId>,
    /// The `@` of the EXCEPT at hand, and whether it was used.
    pub(crate) at: Option<(LocalId, bool)>,
    /// Whether names without a meaning are model values.
    pub(crate) model_values_allowed: bool,
    /// Whether the text at hand is part of a proof.
    pub(crate) in_proof: bool,
    /// How many more suggestions are made: each looks at all names.
    pub(crate) suggestions: u32,
    /// How deep we are in definitions: 0 at the top of a module.
    pub(crate) let_depth: usize,
    /// How deep we are in elaborations.
    depth: usize,
    shared: Universe,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(
        sources: &'a Sources,
        loader: &'a dyn ModuleLoader,
        standard: StandardModules,
        file: FileId,
    ) -> Self {
        let mut state = State::default();
        state.scope = Scope::with_builtins(&mut state.program.names);
        Self::resume(sources, loader, standard, file, state)
    }

    pub(crate) fn resume(
        sources: &'a Sources,
        loader: &'a dyn ModuleLoader,
        standard: StandardModules,
        file: FileId,
        state: State,
    ) -> Self {
        Self {
            sources,
            loader,
            standard,
            module: state.program.root.unwrap_or(ModuleId(0)),
            state,
            findings: Vec::new(),
            by_name: FxHashMap::default(),
            modules: Vec::new(),
            inner_ids: FxHashMap::default(),
            in_progress: Vec::new(),
            universe: Universe::default(),
            file,
            origins: Vec::new(),
            muted: false,
            instances_made: 0,
            assumptions: Vec::new(),
            let_defs: Vec::new(),
            at: None,
            model_values_allowed: false,
            in_proof: false,
            suggestions: 100,
            let_depth: 0,
            depth: 0,
            shared: Universe::default(),
        }
    }

    /// The module in a file; one that is in PlusCal, with its translation.
    fn current(&mut self, file: &Arc<SourceFile>) -> (Arc<SourceFile>, Parsed<ast::Module>) {
        let Current { file, findings, steps, origins } = pluscal::current(self.sources, file);
        self.findings.extend(findings);
        self.state.program.algorithm.extend(steps);
        let mut parsed = parse_module(file.id(), file.text());
        if let Some(origins) = origins {
            parsed.findings = parsed.findings.into_iter().map(|finding| origins.finding(finding)).collect();
            self.origins.push(origins);
        }
        (file, parsed)
    }

    /// Reads and resolves the root module and all that it needs.
    pub(crate) fn root(&mut self, file: &Arc<SourceFile>) {
        let (file, parsed) = self.current(file);
        self.file = file.id();
        self.findings.extend(parsed.findings);
        let Some(tree) = parsed.tree else { return };
        let name: Box<str> = tree.name.text.clone();
        self.check_file_name(&file, &tree.name);
        let index = self.add_module(tree, file.id(), false, None);
        self.by_name.insert(name, Some(index));
        let id = self.modules[index as usize].id;
        self.state.program.root = Some(id);
        self.in_progress.push((id, None));
        let (context, scope) = self.elaborate(index, Universe::default());
        self.in_progress.pop();
        self.state.scope = scope;
        for declared in &context.declared {
            match declared.entity {
                Entity::Constant(id) => self.state.program.root_constants.push(id),
                Entity::Variable(id) => self.state.program.root_variables.push(id),
                _ => {}
            }
        }
        let assumptions = context.assumptions.iter().map(|i| self.assumptions[*i as usize].clone()).collect();
        self.state.program.assumptions = assumptions;
    }

    /// A module is found by its file's name, so the root must have it too.
    fn check_file_name(&mut self, file: &SourceFile, name: &ast::Ident) {
        let path = std::path::Path::new(file.name());
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if path.extension().is_some_and(|extension| extension == "tla") && stem != Some(&*name.text) {
            let stem = stem.unwrap_or_default();
            let message = format!("module `{}` is in a file called `{stem}.tla`", name.text);
            let finding = Finding::new(&MODULE_NAME, file.place(name.span), message)
                .help(format!("call the file `{}.tla`, or the module `{stem}`", name.text));
            self.findings.push(finding);
        }
    }

    fn add_module(
        &mut self,
        tree: ast::Module,
        file: FileId,
        standard: bool,
        outer: Option<Rc<Outer>>,
    ) -> u32 {
        let place = Place::new(file, tree.span);
        let id = if let Some(id) = self.inner_ids.get(&place) {
            *id
        } else {
            let id = ModuleId(self.state.program.modules.len() as u32);
            let name = self.state.program.names.intern(&tree.name.text);
            self.state.program.modules.push(Module { name, place, standard });
            self.inner_ids.insert(place, id);
            id
        };
        self.modules.push(ModuleRef { id, tree: Rc::new(tree), outer, base: None });
        self.modules.len() as u32 - 1
    }

    /// A module within the module at hand: in scope from here on.
    pub(crate) fn inner_module(&mut self, tree: &ast::Module, context: &mut Context) {
        let mut contexts =
            self.universe.outer.as_ref().map(|outer| outer.contexts.clone()).unwrap_or_default();
        contexts.extend(self.universe.contexts.iter().map(|(id, context)| (*id, Rc::clone(context))));
        let outer = Some(Rc::new(Outer { scope: self.state.scope.clone(), contexts }));
        let standard = self.state.program.modules[self.module.index()].standard;
        let index = self.add_module(tree.clone(), self.file, standard, outer);
        self.base(index, None);
        let (name, place) = (self.intern(&tree.name.text), self.place(tree.name.span));
        let module = InnerModule { index, place };
        if let Some(first) = self.module_called(name, &tree.name.text) {
            self.second_module(&tree.name.text, place, first);
        }
        self.state.scope.insert_module(name, module);
        context.modules.push((name, module));
    }

    /// Where the module stands that already has this name: one in scope, or one in a file that was needed before.
    fn module_called(&self, name: Name, text: &str) -> Option<Place> {
        if let Some(module) = self.state.scope.module(name) {
            return Some(module.place);
        }
        let known = (*self.by_name.get(text)?)?;
        let id = self.modules[known as usize].id;
        let in_progress = self.in_progress.iter().any(|(module, _)| *module == id);
        (!in_progress).then(|| self.state.program.modules[id.index()].place)
    }

    fn second_module(&mut self, name: &str, place: Place, first: Place) {
        let finding = Finding::new(&NAME_CLASH, place, format!("there is already a module `{name}` here"))
            .also(first, "the first one")
            .help("give the module another name");
        self.report(finding);
    }

    /// Whether a module has this name that was needed before, or is at hand.
    pub(crate) fn knows_module(&mut self, ident: &ast::Ident) -> bool {
        let name = self.intern(&ident.text);
        let own = self.state.program.modules[self.module.index()].name == name;
        let read = matches!(self.by_name.get(&ident.text), Some(Some(_)));
        own || read || self.state.scope.module(name).is_some()
    }

    /// The module called `ident`: one within reach in the scope, or one in a file.
    pub(crate) fn find_module(&mut self, ident: &ast::Ident) -> Option<u32> {
        let name = self.intern(&ident.text);
        if let Some(module) = self.state.scope.module(name) {
            return Some(module.index);
        }
        if let Some(known) = self.by_name.get(&ident.text) {
            return *known;
        }
        let found = self.load_module(ident);
        self.by_name.insert(ident.text.clone(), found);
        found
    }

    fn load_module(&mut self, ident: &ast::Ident) -> Option<u32> {
        let place = self.place(ident.span);
        let (file, standard, parsed) = match self.loader.load(self.sources, &ident.text) {
            Some(Ok(file)) => {
                let (file, parsed) = self.current(&file);
                (file, false, parsed)
            }
            Some(Err(reason)) => {
                let message = format!("module `{}` cannot be read: {reason}", ident.text);
                self.findings.push(Finding::new(&MODULE_MISSING, place, message));
                return None;
            }
            None => {
                if let Some(text) = (self.standard)(&ident.text) {
                    let file = self.sources.add(format!("{}.tla (standard module)", ident.text), text);
                    let parsed = parse_module(file.id(), file.text());
                    (file, true, parsed)
                } else if let Some((file, parsed)) = self.beside_root(&ident.text) {
                    (file, false, parsed)
                } else {
                    let finding = self.no_module(ident, place);
                    self.findings.push(finding);
                    return None;
                }
            }
        };
        self.findings.extend(parsed.findings);
        let tree = parsed.tree?;
        if tree.name.text != ident.text {
            let message =
                format!("this file should hold module `{}` but holds `{}`", ident.text, tree.name.text);
            let finding = Finding::new(&MODULE_NAME, Place::new(file.id(), tree.name.span), message)
                .also(place, "asked for here")
                .help("a module is called like its file");
            self.findings.push(finding);
            return None;
        }
        Some(self.add_module(tree, file.id(), standard, None))
    }

    /// Says that there is no such module, where it was looked for, and what could be done.
    fn no_module(&self, ident: &ast::Ident, place: Place) -> Finding {
        let message = format!("there is no module `{}`", ident.text);
        let mut finding = Finding::new(&MODULE_MISSING, place, message);
        let places = self.loader.places(&ident.text);
        if !places.is_empty() {
            let places: Vec<String> = places.iter().map(|place| format!("`{place}`")).collect();
            finding = finding.note(format!(
                "looked for {}, then among the standard modules and in the file of the root module",
                places.join(", ")
            ));
        }
        let known = ["Naturals", "Integers", "Sequences", "FiniteSets", "TLC", "Bags", "Reals"];
        match nearest(&ident.text, known.map(|name| (name, name))) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help(format!(
                "put `{}.tla` beside the specification, or name the folder that has it with `--library`",
                ident.text
            )),
        }
    }

    /// A module that stands in the file of the root module, before or after it.
    fn beside_root(&self, name: &str) -> Option<(Arc<SourceFile>, Parsed<ast::Module>)> {
        let root = self.state.program.root?;
        let file = self.sources.get(self.state.program.modules[root.index()].place.file);
        let parsed = parse_module_named(file.id(), file.text(), name)?;
        Some((file, parsed))
    }

    /// A module elaborated on its own.
    pub(crate) fn base(&mut self, index: u32, asked: Option<Place>) -> Option<Rc<Context>> {
        if let Some(context) = &self.modules[index as usize].base {
            return Some(Rc::clone(context));
        }
        let id = self.modules[index as usize].id;
        if self.is_cyclic(id, asked) {
            return None;
        }
        self.in_progress.push((id, asked));
        let universe = if self.declares_nothing(index) {
            std::mem::take(&mut self.shared)
        } else {
            // The base of an inner module of an instance still stands within that instance.
            let inner = self.modules[index as usize].outer.is_some();
            let outer = if inner { self.universe.clone() } else { Universe::default() };
            Universe { substs: None, contexts: FxHashMap::default(), ..outer }
        };
        let is_shared = self.declares_nothing(index);
        let muted = if self.modules[index as usize].outer.is_some() { self.muted } else { false };
        let outside = std::mem::replace(&mut self.muted, muted);
        let (context, _) = self.elaborate_in(index, universe, is_shared);
        self.muted = outside;
        self.in_progress.pop();
        self.modules[index as usize].base = Some(Rc::clone(&context));
        Some(context)
    }

    fn is_cyclic(&mut self, id: ModuleId, asked: Option<Place>) -> bool {
        let Some(from) = self.in_progress.iter().position(|(module, _)| *module == id) else {
            return false;
        };
        let name = |module: ModuleId| self.text(self.state.program.modules[module.index()].name).to_owned();
        let mut way: Vec<_> = self.in_progress[from..].iter().map(|(module, _)| name(*module)).collect();
        way.push(name(id));
        let message = format!("modules need each other in a circle: {}", way.join(" → "));
        let place = asked.unwrap_or(self.state.program.modules[id.index()].place);
        self.findings.push(Finding::new(&MODULE_CYCLE, place, message));
        true
    }

    /// Whether a module in a file, with all that it extends, declares no constants and variables.
    fn declares_nothing(&mut self, index: u32) -> bool {
        if self.modules[index as usize].outer.is_some() {
            return false;
        }
        let mut seen = FxHashSet::default();
        let mut todo = vec![index];
        while let Some(index) = todo.pop() {
            if !seen.insert(index) {
                continue;
            }
            let tree = Rc::clone(&self.modules[index as usize].tree);
            let declares = |unit: &ast::Unit| {
                matches!(unit.kind, ast::UnitKind::Constants(_) | ast::UnitKind::Variables(_))
            };
            if tree.units.iter().any(declares) {
                return false;
            }
            for extended in &tree.extends {
                let found = if let Some(known) = self.by_name.get(&extended.text) {
                    *known
                } else {
                    let file = self.sources_file(index);
                    let outside = std::mem::replace(&mut self.file, file);
                    let found = self.load_module(extended);
                    self.file = outside;
                    self.by_name.insert(extended.text.clone(), found);
                    found
                };
                todo.extend(found);
            }
        }
        true
    }

    fn sources_file(&self, index: u32) -> FileId {
        let id = self.modules[index as usize].id;
        self.state.program.modules[id.index()].place.file
    }

    /// Elaborates a module in a universe; also gives the scope at its end.
    pub(crate) fn elaborate(&mut self, index: u32, universe: Universe) -> (Rc<Context>, Scope) {
        let (context, scope) = self.elaborate_in(index, universe, false);
        (context, scope)
    }

    fn elaborate_in(&mut self, index: u32, mut universe: Universe, shared: bool) -> (Rc<Context>, Scope) {
        universe.outer.clone_from(&self.modules[index as usize].outer);
        if self.depth >= MODULE_DEPTH_LIMIT {
            let place = self.state.program.modules[self.modules[index as usize].id.index()].place;
            let message = format!("modules need each other more than {MODULE_DEPTH_LIMIT} levels deep");
            self.findings.push(Finding::new(&NESTING, Place::new(place.file, Span::point(0)), message));
            return (Rc::default(), Scope::default());
        }
        self.depth += 1;
        let outside = std::mem::replace(&mut self.universe, universe);
        let (context, scope) = self.context_and_scope(index);
        let inside = std::mem::replace(&mut self.universe, outside);
        if shared {
            self.shared = inside;
        }
        self.depth -= 1;
        (context, scope)
    }

    /// A module elaborated in the universe at hand.
    fn context_and_scope(&mut self, index: u32) -> (Rc<Context>, Scope) {
        let module = self.modules[index as usize].clone();
        let scope = match &module.outer {
            Some(outer) => outer.scope.clone(),
            None => Scope::with_builtins(&mut self.state.program.names),
        };
        let file = self.state.program.modules[module.id.index()].place.file;
        let outside = (
            std::mem::replace(&mut self.state.scope, scope),
            std::mem::replace(&mut self.file, file),
            std::mem::replace(&mut self.module, module.id),
            self.at.take(),
            std::mem::take(&mut self.let_depth),
        );
        let mut context = Context::default();
        for extended in &module.tree.extends {
            self.extend(extended, &mut context);
        }
        self.units(&module.tree.units, &mut context);
        let context = Rc::new(context);
        self.universe.contexts.insert(module.id, Rc::clone(&context));
        let scope = std::mem::replace(&mut self.state.scope, outside.0);
        (self.file, self.module, self.at, self.let_depth) = (outside.1, outside.2, outside.3, outside.4);
        (context, scope)
    }

    /// `EXTENDS ident`.
    fn extend(&mut self, ident: &ast::Ident, context: &mut Context) {
        let Some(index) = self.find_module(ident) else { return };
        let asked = self.place(ident.span);
        let id = self.modules[index as usize].id;
        let around = self.universe.outer.as_ref().and_then(|outer| outer.contexts.get(&id)).cloned();
        let is_around = around.is_some();
        let extended = if is_around {
            around
        } else if self.declares_nothing(index) {
            self.base(index, Some(asked))
        } else {
            let known = self.universe.contexts.get(&id).cloned();
            match known {
                Some(context) => Some(context),
                None if self.is_cyclic(id, Some(asked)) => None,
                None if self.depth >= MODULE_DEPTH_LIMIT => None,
                None => {
                    self.in_progress.push((id, Some(asked)));
                    self.depth += 1;
                    let (context, _) = self.context_and_scope(index);
                    self.depth -= 1;
                    self.in_progress.pop();
                    Some(context)
                }
            }
        };
        let Some(extended) = extended else { return };
        self.state.extends.entry(self.module).or_default().insert(id);
        for declared in &extended.declared {
            let entry = Entry { entity: declared.entity, place: Some(declared.place) };
            if self.import(declared.name, entry, asked) && !is_around {
                context.declared.push(*declared);
            }
        }
        for (name, entry) in &extended.exports {
            if self.import(*name, *entry, asked) {
                context.exports.push((*name, *entry));
            }
        }
        for (name, module) in &extended.modules {
            match self.state.scope.module(*name) {
                Some(known) if known.place == module.place => {}
                Some(known) => {
                    let text = self.text(*name).to_owned();
                    self.second_module(&text, asked, known.place);
                }
                None => {
                    self.state.scope.insert_module(*name, *module);
                    context.modules.push((*name, *module));
                }
            }
        }
        for assumption in &extended.assumptions {
            if !context.assumptions.contains(assumption) {
                context.assumptions.push(*assumption);
            }
        }
    }

    /// Brings a name of another module into scope; whether it is new.
    pub(crate) fn import(&mut self, name: Name, entry: Entry, asked: Place) -> bool {
        let Some(old) = self.state.scope.get(name) else {
            self.state.scope.insert(name, entry);
            return true;
        };
        if old.entity == entry.entity || self.same_origin(old.entity, entry.entity) {
            return false;
        }
        let text = self.text(name).to_owned();
        let mut finding = Finding::new(
            &NAME_CLASH,
            asked,
            format!("this brings a second meaning of `{text}` into the module"),
        );
        if let Some(place) = old.place {
            finding = finding.also(place, "the first meaning");
        }
        if let Some(place) = entry.place {
            finding = finding.also(place, "the second meaning");
        }
        // As SANY does: of two definitions that take as many arguments the first counts.
        if let (Entity::Def(a), Entity::Def(b)) = (old.entity, entry.entity)
            && self.state.signatures[a.index()].len() == self.state.signatures[b.index()].len()
        {
            finding.severity = Severity::Warning;
            finding = finding.note("the first meaning counts");
        }
        self.report(finding);
        false
    }

    /// Whether two definitions are copies of the same text.
    fn same_origin(&self, a: Entity, b: Entity) -> bool {
        match (a, b) {
            (Entity::Def(a), Entity::Def(b)) => {
                let (a, b) = (self.state.program.def(a), self.state.program.def(b));
                a.name_place == b.name_place && a.params.is_empty() == b.params.is_empty()
            }
            _ => false,
        }
    }

    /// Counts one more instance; whether that is too many.
    pub(crate) fn too_many_instances(&mut self, place: Place) -> bool {
        self.instances_made += 1;
        if self.instances_made == INSTANCE_LIMIT + 1 {
            let message = format!("the specification needs more than {INSTANCE_LIMIT} instances of modules");
            self.findings.push(Finding::new(&NESTING, place, message));
        }
        self.instances_made > INSTANCE_LIMIT
    }

    pub(crate) fn intern(&mut self, text: &str) -> Name {
        self.state.program.names.intern(text)
    }

    pub(crate) fn text(&self, name: Name) -> &str {
        self.state.program.names.text(name)
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        let place = Place::new(self.file, span);
        let origins = self.origins.iter().find(|origins| origins.translated() == self.file);
        origins.map_or(place, |origins| origins.place(place))
    }

    /// Keeps a finding, unless the module's own elaboration has it.
    pub(crate) fn report(&mut self, finding: Finding) {
        if !self.muted {
            self.findings.push(finding);
        }
    }

    pub(crate) fn wrong(&mut self, rule: &Rule, span: Span, message: impl Into<String>) {
        let finding = Finding::new(rule, self.place(span), message);
        self.report(finding);
    }

    pub(crate) fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let place = self.place(span);
        self.push_at(kind, place)
    }

    pub(crate) fn push_at(&mut self, kind: ExprKind, place: Place) -> ExprId {
        let id = ExprId(self.state.program.exprs.len() as u32);
        self.state.program.exprs.push(Expr { kind, place, level: Level::Constant });
        id
    }

    /// Stands for what could not be resolved; a finding says why.
    pub(crate) fn nothing(&mut self, span: Span) -> ExprId {
        self.push(ExprKind::Builtin(Builtin::False, Vec::new()), span)
    }

    pub(crate) fn local(&mut self, ident: &ast::Ident, arity: u32, kind: LocalKind) -> LocalId {
        let name = self.intern(&ident.text);
        let id = LocalId(self.state.program.locals.len() as u32);
        let place = self.place(ident.span);
        self.state.program.locals.push(Local { name, arity, kind, place });
        id
    }

    /// Brings a name into scope that must be new.
    pub(crate) fn declare(&mut self, ident: &ast::Ident, entity: Entity) {
        let name = self.intern(&ident.text);
        let place = self.place(ident.span);
        if let Some(old) = self.state.scope.get(name) {
            let mut finding =
                Finding::new(&NAME_CLASH, place, format!("`{}` already has a meaning here", ident.text));
            finding = match old.place {
                Some(first) => finding.also(first, "its first meaning"),
                None => finding.note("it belongs to the language"),
            };
            self.report(finding.help("TLA+ has no shadowing; use another name"));
        }
        self.state.scope.insert(name, Entry { entity, place: Some(place) });
    }
}
