//! Modules and signatures: numbers for them, and which is part of which.

use std::sync::Arc;

use locus_source::{Finding, Place, Span};
use rustc_hash::FxHashMap;

use super::index::Index;
use crate::ast::{self, Mult, Name, Paragraph, Parents as Written};
use crate::model::{MacroDef, Module, ModuleId, Opened, Parent, Sig, Var, World};
use crate::modules::{Loaded, RawSig};
use crate::rules;
use crate::types::{Hierarchy, SigId, Type};

fn this_var(ty: Type, place: Place) -> Arc<Var> {
    // A stand-in until the signature's type is known.
    Arc::new(Var { id: 0, name: "this".to_owned(), ty, place })
}

fn built_in(name: &str, sig: SigId, place: Place) -> Sig {
    let parent = if sig == SigId::SEQ_INT { SigId::INT } else { SigId::UNIV };
    Sig {
        name: name.to_owned(),
        label: name.to_owned(),
        place: None,
        paragraph: None,
        module: ModuleId(0),
        parent: Parent::Prim(parent),
        children: Vec::new(),
        is_abstract: false,
        mult: None,
        private: false,
        is_enum: false,
        is_variable: false,
        ty: Type::sig(sig),
        decls: Vec::new(),
        facts: Vec::new(),
        this: this_var(Type::sig(sig), place),
        doc: None,
    }
}

/// Gives numbers to all modules and signatures. Parents are not known yet.
pub(crate) fn declare(loaded: Loaded, findings: &mut Vec<Finding>) -> Option<World> {
    let Loaded { modules: raw, order } = loaded;
    let number =
        |module: usize| ModuleId(order.iter().position(|&m| m == module).expect("it can be reached") as u32);
    let start = Place::new(raw[0].file, Span::point(0));
    let mut world = World {
        modules: Vec::new(),
        sigs: vec![
            built_in("univ", SigId::UNIV, start),
            built_in("none", SigId::NONE, start),
            built_in("Int", SigId::INT, start),
            built_in("seq/Int", SigId::SEQ_INT, start),
            built_in("String", SigId::STRING, start),
        ],
        hierarchy: Hierarchy::new(),
        fields: Vec::new(),
        funcs: Vec::new(),
        facts: Vec::new(),
        asserts: Vec::new(),
        commands: Vec::new(),
        exact: Vec::new(),
    };
    for (m, &r) in order.iter().enumerate() {
        let module = &raw[r];
        let opens = module.opens.iter().map(|open| Opened {
            alias: open.alias.clone(),
            module: number(open.target),
            private: open.private,
        });
        world.modules.push(Module {
            path: module.path.clone(),
            file: module.file,
            ast: Arc::clone(&module.ast),
            library: module.library,
            params: Vec::new(),
            opens: opens.collect(),
            sigs: Vec::new(),
            funcs: Vec::new(),
            macros: Vec::new(),
            asserts: Vec::new(),
        });
        declare_module(&mut world, ModuleId(m as u32), findings);
    }
    for (m, &r) in order.iter().enumerate() {
        for (name, exact, bound) in &raw[r].params {
            let sig = match bound {
                Some(RawSig::BuiltIn(sig)) => Some(*sig),
                Some(RawSig::Of(module, name)) => {
                    let sigs = &world.module(number(*module)).sigs;
                    sigs.iter().copied().find(|&sig| world.sig(sig).name == *name)
                }
                None => None,
            };
            world.modules[m].params.push((name.clone(), sig, *exact));
            if let Some(sig) = sig.filter(|_| *exact)
                && !world.exact.contains(&sig)
            {
                world.exact.push(sig);
            }
        }
    }
    findings.is_empty().then_some(world)
}

struct NewSig<'a> {
    name: &'a Name,
    paragraph: Option<usize>,
    is_abstract: bool,
    mult: Option<(Mult, Span)>,
    private: bool,
    is_enum: bool,
    is_variable: bool,
    doc: Option<Span>,
}

fn declare_module(world: &mut World, id: ModuleId, findings: &mut Vec<Finding>) {
    let ast = Arc::clone(&world.module(id).ast);
    let file = world.module(id).file;
    let plain = |name| NewSig {
        name,
        paragraph: None,
        is_abstract: false,
        mult: None,
        private: false,
        is_enum: false,
        is_variable: false,
        doc: None,
    };
    let mut new: Vec<NewSig> = Vec::new();
    let mut exact: Vec<&str> = Vec::new();
    if id.0 == 0
        && let Some(module) = &ast.module
    {
        for (name, is_exact) in &module.parameters {
            new.push(plain(name));
            if *is_exact {
                exact.push(&name.text);
            }
        }
    }
    for (at, paragraph) in ast.paragraphs.iter().enumerate() {
        match paragraph {
            Paragraph::Sig(sig) => {
                if let Some(span) = sig
                    .is_abstract
                    .filter(|_| matches!(sig.parents, Written::Subset(_) | Written::Exactly(_)))
                {
                    let place = Place::new(file, span);
                    findings.push(Finding::new(
                        &rules::DECLARATION,
                        place,
                        "a subset signature cannot be abstract",
                    ));
                }
                new.extend(sig.names.iter().map(|name| NewSig {
                    name,
                    paragraph: Some(at),
                    is_abstract: sig.is_abstract.is_some(),
                    mult: sig.mult,
                    private: sig.private.is_some(),
                    is_enum: false,
                    is_variable: sig.var.is_some(),
                    doc: sig.doc,
                }));
            }
            Paragraph::Enum(e) => {
                let private = e.private.is_some();
                new.push(NewSig { is_abstract: true, private, is_enum: true, doc: e.doc, ..plain(&e.name) });
                new.extend(e.members.iter().map(|name| NewSig {
                    mult: Some((Mult::One, name.span)),
                    private,
                    ..plain(name)
                }));
            }
            Paragraph::Macro(m) => {
                world.modules[id.index()].macros.push(Arc::new(MacroDef { ast: m.clone(), module: id }));
            }
            _ => {}
        }
    }
    let mut named = FxHashMap::default();
    for sig in new {
        add_sig(world, id, &sig, &mut named, findings);
        if exact.contains(&sig.name.text.as_str()) {
            world.exact.push(SigId(world.sigs.len() as u32 - 1));
        }
    }
    duplicate_macros(world, id, findings);
}

fn duplicate_macros(world: &World, id: ModuleId, findings: &mut Vec<Finding>) {
    let module = world.module(id);
    for (i, m) in module.macros.iter().enumerate() {
        if module.macros[..i].iter().any(|before| before.ast.name.text == m.ast.name.text) {
            let place = Place::new(module.file, m.ast.name.span);
            let message = format!("there are two macros called `{}`", m.ast.name.text);
            findings.push(Finding::new(&rules::DUPLICATE_NAME, place, message));
        }
    }
}

fn add_sig<'a>(
    world: &mut World,
    module: ModuleId,
    new: &NewSig<'a>,
    named: &mut FxHashMap<&'a str, SigId>,
    findings: &mut Vec<Finding>,
) {
    let file = world.module(module).file;
    let place = Place::new(file, new.name.span);
    let name = &new.name.text;
    if let Some(&twin) = named.get(name.as_str()) {
        let finding =
            Finding::new(&rules::DUPLICATE_NAME, place, format!("the signature `{name}` is declared twice"));
        findings.push(match world.sig(twin).place {
            Some(other) => finding.also(other, "the other"),
            None => finding,
        });
    }
    let id = SigId(world.sigs.len() as u32);
    named.entry(name).or_insert(id);
    let path = &world.module(module).path;
    let label = format!("{}/{name}", if path.is_empty() { "this" } else { path });
    world.hierarchy.push(SigId::UNIV);
    world.sigs.push(Sig {
        name: name.clone(),
        label,
        place: Some(place),
        paragraph: new.paragraph,
        module,
        parent: Parent::Prim(SigId::UNIV),
        children: Vec::new(),
        is_abstract: new.is_abstract,
        mult: new.mult.map(|(mult, span)| (mult, Place::new(file, span))),
        private: new.private,
        is_enum: new.is_enum,
        is_variable: new.is_variable,
        ty: Type::sig(id),
        decls: Vec::new(),
        facts: Vec::new(),
        this: this_var(Type::sig(id), place),
        doc: new.doc.map(|span| Place::new(file, span)),
    });
    world.modules[module.index()].sigs.push(id);
}

/// The declaration of a signature, unless it is a member of an enumeration or a parameter of the root.
pub(crate) fn sig_syntax<'a>(world: &World, ast: &'a ast::File, sig: SigId) -> Option<&'a ast::Sig> {
    match &ast.paragraphs[world.sig(sig).paragraph?] {
        Paragraph::Sig(declared) => Some(declared),
        _ => None,
    }
}

/// Finds out which signature is part of which.
pub(crate) struct Parents<'a> {
    pub(crate) world: World,
    pub(crate) index: &'a Index,
    pub(crate) findings: Vec<Finding>,
    /// Signatures, each after those it is part of.
    pub(crate) order: Vec<SigId>,
    /// How many others each of them is part of in a row.
    depths: FxHashMap<SigId, usize>,
}

/// How many signatures may be part of each other in a row: what follows recurses with them.
const MAX_CHAIN: usize = 1000;

impl<'a> Parents<'a> {
    pub(crate) fn new(world: World, index: &'a Index) -> Self {
        Self { world, index, findings: Vec::new(), order: Vec::new(), depths: FxHashMap::default() }
    }

    pub(crate) fn resolve(&mut self) {
        let mut open = Vec::new();
        for sig in self.world.user_sigs().collect::<Vec<_>>() {
            self.visit(sig, &mut open);
        }
        for &sig in &self.order.clone() {
            let this = Arc::new(Var {
                id: self.index.next_var(),
                name: "this".to_owned(),
                ty: self.world.sig(sig).ty.clone(),
                place: self.world.sig(sig).this.place,
            });
            self.world.sigs[sig.index()].this = this;
        }
    }

    fn visit(&mut self, sig: SigId, open: &mut Vec<SigId>) {
        if sig.is_built_in() || self.depths.contains_key(&sig) {
            return;
        }
        let place = self.world.sig(sig).place.expect("only built-in signatures have no place");
        if open.contains(&sig) {
            let message = format!("the signature `{}` is part of itself", self.world.short(sig));
            self.findings.push(Finding::new(&rules::HIERARCHY, place, message));
            return;
        }
        // The one that was asked for first has all the others above it.
        if open.len() >= MAX_CHAIN {
            self.too_deep(open[0]);
            return;
        }
        open.push(sig);
        self.attach(sig, place, open);
        open.pop();
        if self.depths.contains_key(&sig) {
            return;
        }
        let depth = match &self.world.sig(sig).parent {
            Parent::Prim(parent) => self.depths.get(parent).map_or(0, |depth| depth + 1),
            Parent::Subset(parents, _) => {
                parents.iter().filter_map(|parent| self.depths.get(parent)).max().map_or(0, |depth| depth + 1)
            }
        };
        self.depths.insert(sig, depth);
        self.order.push(sig);
        if depth == MAX_CHAIN {
            self.too_deep(sig);
        }
    }

    /// Says that a signature is too far down.
    fn too_deep(&mut self, sig: SigId) {
        let declared = self.world.sig(sig);
        let place = declared.place.expect("only built-in signatures have no place");
        let name = self.world.short(sig);
        let message = format!(
            "`{name}` has {MAX_CHAIN} signatures or more above it; fewer than {MAX_CHAIN} are allowed"
        );
        self.findings.push(Finding::new(&rules::TOO_DEEP, place, message));
    }

    fn attach(&mut self, sig: SigId, place: Place, open: &mut Vec<SigId>) {
        let module = self.world.sig(sig).module;
        let ast = Arc::clone(&self.world.module(module).ast);
        if let Some(parent) = self.enumeration_of(&ast, sig) {
            self.visit(parent, open);
            self.extend(sig, parent);
            return;
        }
        let Some(declared) = sig_syntax(&self.world, &ast, sig) else { return };
        match &declared.parents {
            Written::Top => {}
            Written::Extends(name) => {
                let Some(parent) = self.find(module, name) else { return };
                self.visit(parent, open);
                let at = Place::new(self.world.module(module).file, name.span);
                let problem = if parent == SigId::UNIV {
                    return;
                } else if parent.is_built_in() {
                    Some(format!("a signature cannot extend `{}`", name.text))
                } else if !self.world.sig(parent).is_prim() {
                    Some(format!("`{}` is a subset signature, which cannot be extended", name.text))
                } else if self.is_member(parent) {
                    Some("a member of an enumeration cannot be extended".to_owned())
                } else if self.world.sig(parent).is_enum && !self.world.sig(sig).is(Mult::One) {
                    Some(
                        "a signature that extends an enumeration is one more of its members, so it must be `one`"
                            .to_owned(),
                    )
                } else {
                    None
                };
                match problem {
                    Some(message) => self.findings.push(Finding::new(&rules::HIERARCHY, at, message)),
                    None => self.extend(sig, parent),
                }
            }
            Written::Subset(names) | Written::Exactly(names) => {
                let exact = matches!(declared.parents, Written::Exactly(_));
                let mut parents = Vec::new();
                let mut ty: Option<Type> = None;
                for name in names {
                    let Some(parent) = self.find(module, name) else { return };
                    self.visit(parent, open);
                    if parent == SigId::NONE || parents.contains(&parent) {
                        continue;
                    }
                    let parent_type = &self.world.sig(parent).ty;
                    ty = Some(match ty {
                        None => parent_type.clone(),
                        Some(before) => before.union(parent_type, &self.world.hierarchy),
                    });
                    parents.push(parent);
                }
                let Some(ty) = ty else {
                    let message = "a subset signature needs a signature that it is a subset of";
                    self.findings.push(Finding::new(&rules::HIERARCHY, place, message));
                    return;
                };
                let sig = &mut self.world.sigs[sig.index()];
                sig.parent = Parent::Subset(parents, exact);
                sig.ty = ty;
            }
        }
    }

    fn extend(&mut self, sig: SigId, parent: SigId) {
        self.world.sigs[sig.index()].parent = Parent::Prim(parent);
        self.world.hierarchy.set_parent(sig, parent);
        self.world.sigs[parent.index()].children.push(sig);
        if self.world.sig(parent).is_enum {
            let ty = self.world.sig(parent).ty.clone();
            self.world.sigs[sig.index()].ty = ty;
        }
    }

    fn is_member(&self, sig: SigId) -> bool {
        matches!(self.world.sig(sig).parent, Parent::Prim(parent) if self.world.sig(parent).is_enum)
    }

    fn enumeration_of(&self, ast: &ast::File, sig: SigId) -> Option<SigId> {
        let declared = self.world.sig(sig);
        let member = |e: &&ast::Enum| e.members.iter().any(|name| name.text == declared.name);
        let enums = ast.paragraphs.iter().filter_map(|paragraph| match paragraph {
            Paragraph::Enum(e) => Some(e),
            _ => None,
        });
        let name = &enums.into_iter().find(member)?.name.text;
        self.world.module(declared.module).sigs.iter().copied().find(|&s| self.world.sig(s).name == *name)
    }

    fn find(&mut self, module: ModuleId, name: &Name) -> Option<SigId> {
        let place = Place::new(self.world.module(module).file, name.span);
        let built_in = match name.text.as_str() {
            "univ" => Some(SigId::UNIV),
            "Int" => Some(SigId::INT),
            "seq/Int" => Some(SigId::SEQ_INT),
            "String" => Some(SigId::STRING),
            "none" => Some(SigId::NONE),
            _ => None,
        };
        if built_in.is_some() {
            return built_in;
        }
        let found = self.index.sigs(&self.world, module, &name.text);
        match found[..] {
            [sig] => Some(sig),
            [] => {
                let finding = Finding::new(
                    &rules::UNKNOWN_NAME,
                    place,
                    format!("the signature `{}` is not declared", name.text),
                );
                let known: Vec<&str> =
                    self.world.user_sigs().map(|sig| self.world.sig(sig).name.as_str()).collect();
                let finding = match crate::nearest(&name.text, known) {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding,
                };
                self.findings.push(finding);
                None
            }
            _ => {
                let message = format!("`{}` means several signatures here", name.text);
                self.findings.push(Finding::new(&rules::AMBIGUOUS_NAME, place, message));
                None
            }
        }
    }
}
