//! Which names each module sees.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use locus_source::{FileId, SourceFile, Sources, Span};
use rustc_hash::FxHashMap;

use crate::model::{FieldId, FuncId, MacroDef, ModuleId, World};
use crate::types::SigId;

/// Tables from names to what they mean, per module.
pub(crate) struct Index {
    /// For each module, those whose names it can use without a path: itself first.
    nameable: Vec<Vec<ModuleId>>,
    sigs: Vec<FxHashMap<String, SigId>>,
    funcs: Vec<FxHashMap<String, Vec<FuncId>>>,
    macros: Vec<FxHashMap<String, Arc<MacroDef>>>,
    fields: FxHashMap<String, Vec<FieldId>>,
    files: Vec<Arc<SourceFile>>,
    vars: AtomicU32,
    /// Macro expansions and choices between readings so far.
    pub(crate) steps: AtomicU32,
}

impl Index {
    pub(crate) fn new(world: &World, sources: &Sources) -> Self {
        let mut index = Self {
            nameable: Vec::new(),
            sigs: Vec::new(),
            funcs: vec![FxHashMap::default(); world.modules.len()],
            macros: Vec::new(),
            fields: FxHashMap::default(),
            files: Vec::new(),
            vars: AtomicU32::new(0),
            steps: AtomicU32::new(0),
        };
        for (i, module) in world.modules.iter().enumerate() {
            let mut seen = Vec::new();
            visit(world, ModuleId(i as u32), true, &mut seen);
            index.nameable.push(seen);
            index.sigs.push(module.sigs.iter().map(|&sig| (world.sig(sig).name.clone(), sig)).collect());
            index
                .macros
                .push(module.macros.iter().map(|m| (m.ast.name.text.clone(), Arc::clone(m))).collect());
            index.files.push(sources.get(module.file));
        }
        index
    }

    pub(crate) fn next_var(&self) -> u32 {
        self.vars.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn add_func(&mut self, module: ModuleId, name: &str, func: FuncId) {
        self.funcs[module.index()].entry(name.to_owned()).or_default().push(func);
    }

    pub(crate) fn add_field(&mut self, name: &str, field: FieldId) {
        self.fields.entry(name.to_owned()).or_default().push(field);
    }

    pub(crate) fn text_between(&self, file: FileId, span: Span) -> &str {
        let file = self.files.iter().find(|f| f.id() == file);
        file.filter(|_| span.start <= span.end).map_or("\n", |f| f.slice(span))
    }

    /// The module that a path leads to, and the last part of the name.
    fn follow<'n>(world: &World, from: ModuleId, name: &'n str) -> Option<(ModuleId, &'n str)> {
        let mut rest = name.strip_prefix("this/").unwrap_or(name);
        let mut at = from;
        while let Some((alias, tail)) = rest.split_once('/') {
            let open = world.module(at).opens.iter().find(|open| open.alias == alias)?;
            if open.private && at != from {
                return None;
            }
            (at, rest) = (open.module, tail);
        }
        Some((at, rest))
    }

    /// What `find` finds for a name: with a path, in the module it leads to or else in those that it can name; without
    /// one, in all that can be named.
    fn look_up<X: PartialEq>(
        &self,
        world: &World,
        from: ModuleId,
        name: &str,
        find: impl Fn(ModuleId, &str) -> Vec<X>,
    ) -> Vec<X> {
        let Some((at, rest)) = Self::follow(world, from, name) else { return Vec::new() };
        if name.contains('/') {
            let here = find(at, rest);
            if !here.is_empty() {
                return here;
            }
        }
        let mut all = Vec::new();
        for &module in &self.nameable[at.index()] {
            for x in find(module, rest) {
                if !all.contains(&x) {
                    all.push(x);
                }
            }
        }
        all
    }

    pub(crate) fn sigs(&self, world: &World, from: ModuleId, name: &str) -> Vec<SigId> {
        let mut all = self.look_up(world, from, name, |module, name| {
            let found = self.sigs[module.index()].get(name).copied();
            found.filter(|&sig| module == from || !world.sig(sig).private).into_iter().collect()
        });
        let plain = name.strip_prefix("this/").unwrap_or(name);
        let param = world.module(from).params.iter().find(|(param, ..)| param == plain);
        if let Some((_, Some(bound), _)) = param
            && !all.contains(bound)
        {
            all.push(*bound);
        }
        all
    }

    pub(crate) fn funcs(&self, world: &World, from: ModuleId, name: &str) -> Vec<FuncId> {
        self.look_up(world, from, name, |module, name| {
            let found = self.funcs[module.index()].get(name).map_or(&[][..], |found| found);
            found.iter().copied().filter(|&func| module == from || !world.func(func).private).collect()
        })
    }

    pub(crate) fn asserts(&self, world: &World, from: ModuleId, name: &str) -> Vec<usize> {
        self.look_up(world, from, name, |module, name| {
            let named = |&&i: &&usize| world.asserts[i].name.as_deref() == Some(name);
            world.module(module).asserts.iter().filter(named).copied().collect()
        })
    }

    pub(crate) fn macros(&self, from: ModuleId, name: &str) -> Vec<&Arc<MacroDef>> {
        let visible = |module: &ModuleId| {
            let found = self.macros[module.index()].get(name)?;
            (*module == from || found.ast.private.is_none()).then_some(found)
        };
        self.nameable[from.index()].iter().filter_map(visible).collect()
    }

    pub(crate) fn fields(&self, world: &World, from: ModuleId, name: &str) -> Vec<FieldId> {
        let Some(all) = self.fields.get(name) else { return Vec::new() };
        let visible = |field: &&FieldId| {
            let declared = world.field(**field);
            let sig = world.sig(declared.sig);
            sig.module == from
                || (!sig.private && !declared.private && self.nameable[from.index()].contains(&sig.module))
        };
        all.iter().filter(visible).copied().collect()
    }

    /// Every name that can be used without a path, for suggestions.
    pub(crate) fn all_names(&self, world: &World, from: ModuleId, calls: bool) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for &module in &self.nameable[from.index()] {
            all.extend(world.module(module).sigs.iter().map(|&sig| world.sig(sig).name.clone()));
            all.extend(world.module(module).macros.iter().map(|m| m.ast.name.text.clone()));
            if calls {
                all.extend(world.module(module).funcs.iter().map(|&func| world.func(func).name.clone()));
            }
        }
        all.extend(world.fields.iter().map(|field| field.name.clone()));
        all.sort();
        all.dedup();
        all
    }
}

fn visit(world: &World, at: ModuleId, start: bool, seen: &mut Vec<ModuleId>) {
    if seen.contains(&at) {
        return;
    }
    seen.push(at);
    for open in &world.module(at).opens {
        if start || !open.private {
            visit(world, open.module, false, seen);
        }
    }
}
