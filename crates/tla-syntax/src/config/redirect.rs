//! Lets references to one definition go to another, where a configuration says so.
//!
//! As in TLC, what is replaced is a definition as the root module has it. Modules that extend the one it comes from
//! have the same definition, so their references change too, also within instances. Modules that have it by INSTANCE
//! have a copy of their own, which stays: so `LET M == INSTANCE Module IN M!Op` still means the original. But a
//! module that declares nothing, such as `Sequences`, needs no copies: what reaches the root through an instance of a
//! module that extends it is the definition itself. And what is replaced in a module by name (`Op <-[Module]`) is
//! replaced in all its copies. In the body of what replaces it, a definition keeps its meaning: `Init <- Start`, where
//! `Start == Init /\ x = 0`.

use std::collections::BTreeSet;

use locus_source::Place;

use crate::semantic::{Arg, DefId, ExprKind, ModuleId, OpRef, Program, Specification};

/// One definition in place of another.
#[derive(Clone, Debug)]
pub(super) struct Redirect {
    from: DefId,
    to: DefId,
    /// The modules whose texts it concerns.
    texts: BTreeSet<ModuleId>,
}

impl Redirect {
    /// `to` for `from` in the text of one module.
    pub(super) fn within(from: DefId, to: DefId, module: ModuleId) -> Self {
        Self { from, to, texts: BTreeSet::from([module]) }
    }

    /// `to` for `from` wherever it is referred to.
    pub(super) fn everywhere(program: &Program, from: DefId, to: DefId) -> Self {
        Self { from, to, texts: (0..program.modules.len() as u32).map(ModuleId).collect() }
    }

    /// `to` for `def` as `module` has it, and for its copies in instances as far as they are the same.
    pub(super) fn of(specification: &Specification, def: DefId, to: DefId, module: ModuleId) -> Vec<Self> {
        let program = specification.program();
        let origin = program.def(def).origin;
        if !specification.extends(module, origin) && !is_free(specification, origin) {
            return vec![Self::within(def, to, module)];
        }
        let all = (0..program.modules.len() as u32).map(ModuleId);
        let has = |text: &ModuleId| *text == module || specification.extends(*text, origin);
        let texts: BTreeSet<ModuleId> = all.filter(has).collect();
        let mut redirects = vec![Self { from: def, to, texts: texts.clone() }];
        let place = program.def(def).name_place;
        let copies = (0..program.defs.len() as u32).map(DefId);
        for copy in copies.filter(|copy| *copy != def && program.def(*copy).name_place == place) {
            let mut texts = texts.clone();
            // A copy is called by name where its instance stands; only references within it are the same.
            if let Some(place) = specification.instance_place(copy)
                && let Some(module) = module_of(program, place)
            {
                texts.remove(&module);
            }
            redirects.push(Self { from: copy, to, texts });
        }
        redirects
    }
}

/// Whether a module has no constants and no variables, its own or of those it extends.
fn is_free(specification: &Specification, module: ModuleId) -> bool {
    let program = specification.program();
    let constants = program.constants.iter().map(|constant| constant.module);
    let variables = program.variables.iter().map(|variable| variable.module);
    !constants.chain(variables).any(|declaring| specification.extends(module, declaring))
}

/// Redirects all references. What stands in no module, such as in the configuration, counts as text of the root module.
pub(super) fn apply(program: &mut Program, redirects: &[Redirect]) {
    if redirects.is_empty() {
        return;
    }
    let bodies: Vec<Option<Place>> = redirects.iter().map(|r| body_place(program, r.to)).collect();
    for i in 0..program.exprs.len() {
        let place = program.exprs[i].place;
        let Some(module) = module_of(program, place).or(program.root) else { continue };
        let target = |def: DefId| {
            let applies = |(r, body): &(&Redirect, &Option<Place>)| {
                r.from == def && r.texts.contains(&module) && !is_within(place, **body)
            };
            redirects.iter().zip(&bodies).find(applies).map(|(r, _)| r.to)
        };
        let mut kind = std::mem::replace(&mut program.exprs[i].kind, ExprKind::Or(Vec::new()));
        let args = match &mut kind {
            ExprKind::Apply(def, args) => {
                if let Some(to) = target(*def) {
                    // What stands for it takes no arguments of an instance.
                    args.drain(..program.defs[def.index()].instance_params);
                    *def = to;
                }
                Some(args)
            }
            ExprKind::ApplyConstant(_, args)
            | ExprKind::ApplyLocal(_, args)
            | ExprKind::ApplySubst(_, args) => Some(args),
            _ => None,
        };
        for arg in args.into_iter().flatten() {
            if let Arg::Op(OpRef::Def(def)) = arg
                && let Some(to) = target(*def)
            {
                *arg = Arg::Op(OpRef::Def(to));
            }
        }
        program.exprs[i].kind = kind;
    }
}

/// Where the body of a definition stands.
fn body_place(program: &Program, def: DefId) -> Option<Place> {
    program.def(def).body.map(|body| program.expr(body).place)
}

fn is_within(place: Place, text: Option<Place>) -> bool {
    text.is_some_and(|text| {
        text.file == place.file && text.span.start <= place.span.start && place.span.end <= text.span.end
    })
}

/// The innermost module whose text holds a place.
pub(super) fn module_of(program: &Program, place: Place) -> Option<ModuleId> {
    let holds = |id: &ModuleId| {
        let text = program.modules[id.index()].place;
        text.file == place.file && text.span.start <= place.span.start && place.span.end <= text.span.end
    };
    let modules = (0..program.modules.len() as u32).map(ModuleId).filter(holds);
    modules.min_by_key(|id| program.modules[id.index()].place.span.len())
}
