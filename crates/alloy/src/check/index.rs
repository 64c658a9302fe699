//! Which names each module sees.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use locus_source::{FileId, SourceFile, Sources, Span};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::model::{FieldId, FuncId, MacroDef, ModuleId, World};
use crate::types::SigId;

/// From names to all that is declared with them, in whichever module.
type Table<X> = FxHashMap<String, Vec<(ModuleId, X)>>;

/// Tables from names to their meanings, and which modules each module sees.
pub(crate) struct Index {
    /// For each module, those whose names it can use without a path: itself first.
    nameable: Vec<Vec<ModuleId>>,
    /// For each module, the position of every module among those that it can name, if it can.
    rank: Vec<Vec<Option<u32>>>,
    sigs: Table<SigId>,
    funcs: Table<FuncId>,
    macros: Table<Arc<MacroDef>>,
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
            rank: Vec::new(),
            sigs: Table::default(),
            funcs: Table::default(),
            macros: Table::default(),
            fields: FxHashMap::default(),
            files: Vec::new(),
            vars: AtomicU32::new(0),
            steps: AtomicU32::new(0),
        };
        for (i, module) in world.modules.iter().enumerate() {
            let id = ModuleId(i as u32);
            let mut seen = Vec::new();
            visit(world, id, true, &mut seen);
            let mut rank = vec![None; world.modules.len()];
            for (place, module) in (0..).zip(&seen) {
                rank[module.index()] = Some(place);
            }
            index.nameable.push(seen);
            index.rank.push(rank);
            for &sig in &module.sigs {
                add(&mut index.sigs, &world.sig(sig).name, id, sig);
            }
            for definition in &module.macros {
                add(&mut index.macros, &definition.ast.name.text, id, Arc::clone(definition));
            }
            index.files.push(sources.get(module.file));
        }
        index
    }

    pub(crate) fn next_var(&self) -> u32 {
        self.vars.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn add_func(&mut self, module: ModuleId, name: &str, func: FuncId) {
        add(&mut self.funcs, name, module, func);
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

    /// The meanings of a name: with a path, those in the module that it leads to, or else in the modules that this
    /// one can name; without a path, those in all modules that can be named, in their order.
    fn look_up<'i, X: PartialEq>(
        &'i self,
        world: &World,
        from: ModuleId,
        name: &str,
        table: &'i Table<X>,
        is_visible: impl Fn(ModuleId, &X) -> bool,
    ) -> SmallVec<[&'i X; 4]> {
        let mut all = SmallVec::new();
        let Some((at, rest)) = Self::follow(world, from, name) else { return all };
        let Some(declared) = table.get(rest) else { return all };
        let visible = declared.iter().filter(|(module, x)| is_visible(*module, x));
        if name.contains('/') {
            all.extend(visible.clone().filter(|(module, _)| *module == at).map(|(_, x)| x));
            if !all.is_empty() {
                return all;
            }
        }
        let rank = &self.rank[at.index()];
        let mut ranked: SmallVec<[(u32, &X); 4]> =
            visible.filter_map(|(module, x)| Some((rank[module.index()]?, x))).collect();
        // Those of one module stay in the order in which they are declared.
        ranked.sort_by_key(|(rank, _)| *rank);
        for (_, x) in ranked {
            if !all.contains(&x) {
                all.push(x);
            }
        }
        all
    }

    pub(crate) fn sigs(&self, world: &World, from: ModuleId, name: &str) -> Vec<SigId> {
        let is_visible = |module, sig: &SigId| module == from || !world.sig(*sig).private;
        let mut all: Vec<SigId> =
            self.look_up(world, from, name, &self.sigs, is_visible).into_iter().copied().collect();
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
        let is_visible = |module, func: &FuncId| module == from || !world.func(*func).private;
        self.look_up(world, from, name, &self.funcs, is_visible).into_iter().copied().collect()
    }

    pub(crate) fn asserts(&self, world: &World, from: ModuleId, name: &str) -> Vec<usize> {
        let mut table = Table::default();
        for (i, module) in world.modules.iter().enumerate() {
            for &assert in &module.asserts {
                if let Some(name) = &world.asserts[assert].name {
                    add(&mut table, name, ModuleId(i as u32), assert);
                }
            }
        }
        self.look_up(world, from, name, &table, |_, _| true).into_iter().copied().collect()
    }

    pub(crate) fn macros(&self, from: ModuleId, name: &str) -> Vec<&Arc<MacroDef>> {
        let Some(declared) = self.macros.get(name) else { return Vec::new() };
        let rank = &self.rank[from.index()];
        let visible = |(module, found): &&(ModuleId, Arc<MacroDef>)| {
            rank[module.index()].is_some() && (*module == from || found.ast.private.is_none())
        };
        declared.iter().filter(visible).map(|(_, found)| found).collect()
    }

    pub(crate) fn fields(&self, world: &World, from: ModuleId, name: &str) -> Vec<FieldId> {
        let Some(all) = self.fields.get(name) else { return Vec::new() };
        let visible = |field: &&FieldId| {
            let declared = world.field(**field);
            let sig = world.sig(declared.sig);
            sig.module == from
                || (!sig.private
                    && !declared.private
                    && self.rank[from.index()][sig.module.index()].is_some())
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

fn add<X>(table: &mut Table<X>, name: &str, module: ModuleId, x: X) {
    match table.get_mut(name) {
        Some(known) => known.push((module, x)),
        None => drop(table.insert(name.to_owned(), vec![(module, x)])),
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
