//! From scopes to a universe, and to relations with their bounds.
//!
//! A signature that nothing extends has a relation of its own; another is the union of those that extend it and,
//! unless it is abstract, of a remainder. The remainder never shares an atom with the rest, so that every instance of
//! a model is one instance of these relations. A field is a relation whose columns are bounded by its type.

mod given;

pub(crate) use given::{Values, given_tuples, ground, ordered, stand_ins, too_many_atoms};

use std::collections::{BTreeMap, BTreeSet};

use locus_relational::{Ast, Atom, Bounds, Expr, Relation, TupleSet, Universe};
use locus_source::{Finding, Place};
use rustc_hash::FxHashSet;

use crate::ast::{ListOp, Mult, UnOp};
use crate::ground::{Blank, Sort};
use crate::model::{Command, E, FieldId, Kind, Parent, World};
use crate::scope::{MAX_ATOMS, Scopes};
use crate::types::{SigId, Type};
use crate::{native, rules};

/// A relation with more tuples in its upper bound than this is refused.
const MAX_TUPLES: u64 = 1 << 26;

/// More pairs of signatures that formulas have to keep apart than this are refused.
const MAX_APART: usize = 5_000_000;

/// The bounds of signatures and fields that the relational engine is given, before any formula.
#[derive(Clone)]
pub(crate) struct Space {
    pub(crate) scopes: Scopes,
    pub(crate) ast: Ast,
    pub(crate) bounds: Bounds,
    /// The value of each signature.
    pub(crate) sigs: Vec<Expr>,
    /// The value of each field.
    pub(crate) fields: Vec<Expr>,
    /// Bounds of each signature: what it surely has and what it can have.
    pub(crate) sig_bounds: Vec<(TupleSet, TupleSet)>,
    /// Atoms of strings.
    pub(crate) strings: Vec<(String, Atom)>,
    /// Integers and their atoms, in order.
    pub(crate) ints: Vec<(i64, Atom)>,
    /// Atoms of the integers and strings of given data that are not known.
    pub(crate) unknown: BTreeMap<Blank, Atom>,
    /// Formulas that bounds cannot say.
    pub(crate) side: Vec<Side>,
}

impl Space {
    /// How wide integers are on the way to an answer. Where a command has no integers of its own (`0 Int`), they are
    /// wide enough to count all atoms, as in Alloy.
    pub(crate) fn int_bits(&self) -> u32 {
        match self.scopes.bitwidth {
            0 => usize::BITS - self.bounds.universe().len().max(1).leading_zeros() + 1,
            bits => bits,
        }
    }
}

/// A condition on the value of a signature.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) what: SideKind,
    pub(crate) place: Place,
    pub(crate) text: String,
    /// The signature it is about.
    pub(crate) sig: SigId,
}

#[derive(Clone)]
pub(crate) enum SideKind {
    /// Two expressions have nothing in common.
    Disjoint(Expr, Expr),
    /// One is within the other.
    Within(Expr, Expr),
    /// A multiplicity.
    Mult(Mult, Expr),
    /// At most, or exactly, so many atoms.
    Size { value: Expr, size: i64, exact: bool },
}

/// Makes the universe and all relations of a command.
pub(crate) fn space(world: &World, command: &Command, strings: Vec<String>) -> Result<Space, Box<Finding>> {
    let scopes = Scopes::compute(world, command)?;
    let mut making = Making::new(world, command, scopes);
    making.atoms()?;
    let ints = making.space.scopes.min_int()..=making.space.scopes.max_int();
    making.built_in(ints, strings, BTreeSet::new());
    making.relations();
    if making.apart > MAX_APART {
        let message = format!(
            "more than {MAX_APART} pairs of signatures that extend the same one have to be kept apart, which is the limit"
        );
        let finding = Finding::new(&rules::TOO_LARGE, command.place, message);
        return Err(Box::new(
            finding.help("give them `one` or exact scopes, or make them atoms of one signature"),
        ));
    }
    making.fields()?;
    making.sizes();
    Ok(making.space)
}

struct Making<'a> {
    world: &'a World,
    command: &'a Command,
    space: Space,
    names: FxHashSet<String>,
    /// Atoms, until relations are bounded over them.
    universe: Universe,
    /// Whether everything is given, rather than to be found.
    given: bool,
    /// How many pairs of signatures have to be kept apart by formulas.
    apart: usize,
}

impl<'a> Making<'a> {
    fn new(world: &'a World, command: &'a Command, scopes: Scopes) -> Self {
        let count = world.sigs.len();
        let mut ast = Ast::new();
        let nothing = ast.none(1);
        Self {
            world,
            command,
            space: Space {
                scopes,
                ast,
                bounds: Bounds::default(),
                sigs: vec![nothing; count],
                fields: vec![nothing; world.fields.len()],
                sig_bounds: vec![(TupleSet::empty(1), TupleSet::empty(1)); count],
                strings: Vec::new(),
                ints: Vec::new(),
                unknown: BTreeMap::new(),
                side: Vec::new(),
            },
            names: FxHashSet::default(),
            universe: Universe::new(),
            given: false,
            apart: 0,
        }
    }

    fn tops(&self) -> Vec<SigId> {
        let top = |sig: &SigId| self.world.sig(*sig).parent == Parent::Prim(SigId::UNIV);
        self.world.user_sigs().filter(top).collect()
    }

    fn atoms(&mut self) -> Result<(), Box<Finding>> {
        let total: i64 = self.tops().iter().map(|&sig| self.space.scopes.size(sig)).sum();
        let ints = 1_i64 << self.space.scopes.bitwidth;
        if total + ints > MAX_ATOMS {
            let message = format!("the scopes ask for {} atoms; the limit is {MAX_ATOMS}", total + ints);
            return Err(Box::new(Finding::new(&rules::TOO_LARGE, self.command.place, message)));
        }
        for sig in self.tops() {
            self.lower(sig);
        }
        for sig in self.tops() {
            self.upper(sig);
        }
        Ok(())
    }

    /// Atoms that a signature surely has, those that extend it first; also a first upper bound.
    fn lower(&mut self, sig: SigId) -> TupleSet {
        let declared = self.world.sig(sig);
        let mut lower = TupleSet::empty(1);
        for &child in &declared.children {
            lower = lower.union(&self.lower(child));
        }
        let have = lower.len() as i64;
        let (mut size, mut exact) = self.space.scopes.sizes[sig.index()].unwrap_or((0, false));
        size = size.max(have);
        exact |= self.world.exact.contains(&sig);
        self.space.scopes.sizes[sig.index()] = Some((size, exact));
        let mut upper = lower.clone();
        if size > have && (exact || declared.parent == Parent::Prim(SigId::UNIV)) {
            let name = self.atom_name(sig);
            let new = (0..size - have).map(|i| self.universe.add(format!("{name}${i}")));
            let new = TupleSet::unary(new.collect::<Vec<_>>());
            upper = upper.union(&new);
            if exact {
                lower = lower.union(&new);
            }
        }
        self.space.sig_bounds[sig.index()] = (lower.clone(), upper);
        lower
    }

    fn atom_name(&mut self, sig: SigId) -> String {
        let mut name = self.world.short(sig).to_owned();
        while self.names.contains(&name) {
            name.push('\'');
        }
        self.names.insert(name.clone());
        name
    }

    /// Atoms that a signature can have, from the top down.
    fn upper(&mut self, sig: SigId) {
        let children = self.world.sig(sig).children.clone();
        let mut free = self.space.sig_bounds[sig.index()].1.clone();
        for child in &children {
            free = free.difference(&self.space.sig_bounds[child.index()].0);
        }
        for child in children {
            let (lower, upper) = &mut self.space.sig_bounds[child.index()];
            if self.space.scopes.size(child) > lower.len() as i64 {
                *upper = upper.union(&free);
            }
            self.upper(child);
        }
    }

    fn built_in(
        &mut self,
        ints: impl Iterator<Item = i64>,
        mut strings: Vec<String>,
        unknown: BTreeSet<Blank>,
    ) {
        let space = &mut self.space;
        for value in ints {
            space.ints.push((value, self.universe.add_int(value)));
        }
        let ints = TupleSet::unary(space.ints.iter().map(|(_, atom)| *atom));
        let max_seq = space.scopes.max_seq;
        let index = |(value, _): &&(i64, Atom)| (0..max_seq).contains(value);
        let indices = TupleSet::unary(space.ints.iter().filter(index).map(|(_, atom)| *atom));
        let wanted = space.scopes.strings.unwrap_or(0);
        let mut extra = 0;
        while (strings.len() as i64) < wanted {
            let name = format!("String{extra}");
            if !strings.contains(&name) {
                strings.push(name);
            }
            extra += 1;
        }
        for text in strings {
            let atom = self.universe.add_text(&text);
            space.strings.push((text, atom));
        }
        let texts = TupleSet::unary(space.strings.iter().map(|(_, atom)| *atom));
        space.unknown = stand_ins(unknown, &mut self.universe);
        let not_known = |sort: Sort| {
            let of_sort = space.unknown.iter().filter(move |(unknown, _)| unknown.sort == sort);
            TupleSet::unary(of_sort.map(|(_, atom)| *atom))
        };
        let (ints, texts) = (ints.union(&not_known(Sort::Int)), texts.union(&not_known(Sort::Text)));
        for (sig, value) in [(SigId::INT, ints), (SigId::SEQ_INT, indices), (SigId::STRING, texts)] {
            space.sigs[sig.index()] = space.ast.constant_expr(value.clone());
            space.sig_bounds[sig.index()] = (value.clone(), value);
        }
        space.sigs[SigId::INT.index()] = space.ast.ints();
        space.bounds = Bounds::new(std::mem::take(&mut self.universe));
    }

    fn relation(&mut self, name: &str, lower: TupleSet, upper: TupleSet) -> (Relation, Expr) {
        let relation = self.space.ast.relation(name, upper.arity());
        self.space.bounds.bound(relation, lower, upper);
        (relation, self.space.ast.rel(relation))
    }

    fn place_of(&self, sig: SigId) -> Place {
        self.world.sig(sig).place.unwrap_or(self.command.place)
    }

    fn relations(&mut self) {
        for sig in self.tops() {
            self.prim(sig);
        }
        let subsets: Vec<SigId> =
            self.world.user_sigs().filter(|&sig| !self.world.sig(sig).is_prim()).collect();
        let mut done = vec![false; self.world.sigs.len()];
        for sig in subsets {
            self.subset(sig, &mut done);
        }
        self.universe();
    }

    fn prim(&mut self, sig: SigId) -> Expr {
        let declared = self.world.sig(sig);
        let (lower, upper) = self.space.sig_bounds[sig.index()].clone();
        let mut parts: Vec<Expr> = Vec::new();
        let mut part_bounds: Vec<TupleSet> = Vec::new();
        let mut in_parts = TupleSet::empty(1);
        let mut surely_in_parts = TupleSet::empty(1);
        for &child in &declared.children {
            let value = self.prim(child);
            let (child_lower, child_upper) = self.space.sig_bounds[child.index()].clone();
            self.disjoint(&parts, &part_bounds, value, &child_upper, child);
            in_parts = in_parts.union(&child_upper);
            surely_in_parts = surely_in_parts.union(&child_lower);
            parts.push(value);
            part_bounds.push(child_upper);
        }
        let value = if parts.is_empty() || lower == upper {
            // What it has is known, or it has a relation of its own.
            self.relation(&declared.label.clone(), lower.clone(), upper).1
        } else {
            if !declared.is_abstract {
                let name = format!("{}_remainder", declared.label);
                let rest_lower = lower.difference(&in_parts);
                let rest_upper = upper.difference(&surely_in_parts);
                let (_, rest) = self.relation(&name, rest_lower, rest_upper.clone());
                self.disjoint(&parts, &part_bounds, rest, &rest_upper, sig);
                parts.push(rest);
            }
            self.space.ast.union(&parts)
        };
        // Atoms that it surely has, but of which bounds do not say where.
        let surely = if declared.is_abstract { lower.clone() } else { lower.intersection(&in_parts) };
        let open = surely.difference(&surely_in_parts);
        let known = !declared.is_abstract && self.space.sig_bounds[sig.index()].1 == lower;
        if !parts.is_empty() && !open.is_empty() && !known {
            let open = self.space.ast.constant_expr(open);
            let all = self.space.ast.union(&parts);
            let text = format!("every `{}` is one of those that extend it", self.world.short(sig));
            self.space.side.push(Side {
                what: SideKind::Within(open, all),
                place: self.place_of(sig),
                text,
                sig,
            });
        }
        self.space.sigs[sig.index()] = value;
        value
    }

    /// Says that a signature shares no atom with its siblings, where bounds leave that open.
    fn disjoint(&mut self, parts: &[Expr], bounds: &[TupleSet], value: Expr, upper: &TupleSet, sig: SigId) {
        if self.apart > MAX_APART {
            return;
        }
        let near: Vec<Expr> = parts
            .iter()
            .zip(bounds)
            .filter(|(_, bound)| !bound.intersection(upper).is_empty())
            .map(|(&part, _)| part)
            .collect();
        if near.is_empty() {
            return;
        }
        self.apart += near.len();
        let all = self.space.ast.union(&near);
        let text = format!("`{}` shares no atom with what extends the same signature", self.world.short(sig));
        self.space.side.push(Side {
            what: SideKind::Disjoint(all, value),
            place: self.place_of(sig),
            text,
            sig,
        });
    }

    fn subset(&mut self, sig: SigId, done: &mut [bool]) {
        if std::mem::replace(&mut done[sig.index()], true) {
            return;
        }
        let Parent::Subset(parents, exact) = self.world.sig(sig).parent.clone() else { return };
        let mut values = Vec::new();
        let mut upper = TupleSet::empty(1);
        let mut lower = TupleSet::empty(1);
        for parent in parents {
            if !self.world.sig(parent).is_prim() {
                self.subset(parent, done);
            }
            if parent == SigId::UNIV {
                self.universe();
            }
            values.push(self.space.sigs[parent.index()]);
            upper = upper.union(&self.space.sig_bounds[parent.index()].1);
            lower = lower.union(&self.space.sig_bounds[parent.index()].0);
        }
        let above = self.space.ast.union(&values);
        if exact {
            self.space.sigs[sig.index()] = above;
            self.space.sig_bounds[sig.index()] = (lower, upper);
            return;
        }
        let label = self.world.sig(sig).label.clone();
        let known = self.space.sig_bounds[sig.index()].0.clone();
        let own = if self.given { known.clone() } else { upper.clone() };
        let (_, value) = self.relation(&label, known.clone(), own);
        self.space.sigs[sig.index()] = value;
        if self.given || !upper.is_subset(&lower) {
            let text = format!("`{}` is a subset", self.world.short(sig));
            self.space.side.push(Side {
                what: SideKind::Within(value, above),
                place: self.place_of(sig),
                text,
                sig,
            });
        }
        if !self.given {
            self.space.sig_bounds[sig.index()] = (known, upper);
        }
    }

    /// `univ`: all atoms of top-level signatures, integers and strings.
    fn universe(&mut self) {
        let built_in = [SigId::INT, SigId::STRING];
        let all: Vec<SigId> = self.tops().into_iter().chain(built_in).collect();
        let bounds = || all.iter().map(|sig| &self.space.sig_bounds[sig.index()]);
        let lower = TupleSet::unary(bounds().flat_map(|(lower, _)| lower.flat()).copied());
        let upper = TupleSet::unary(bounds().flat_map(|(_, upper)| upper.flat()).copied());
        let value = if lower == upper {
            self.space.ast.univ()
        } else {
            let parts: Vec<Expr> = all.iter().map(|sig| self.space.sigs[sig.index()]).collect();
            self.space.ast.union(&parts)
        };
        self.space.sigs[SigId::UNIV.index()] = value;
        self.space.sig_bounds[SigId::UNIV.index()] = (lower, upper);
    }

    fn fields(&mut self) -> Result<(), Box<Finding>> {
        for sig in self.world.user_sigs().collect::<Vec<_>>() {
            let declared = self.world.sig(sig);
            if self.enum_order(sig) || self.native(sig)? {
                continue;
            }
            let alone = declared.is(Mult::One);
            for decl in &declared.decls {
                for &field in &decl.fields {
                    if !self.defined(sig, field, &decl.bound) {
                        self.field(sig, field, alone, &decl.bound.ty)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn field(&mut self, sig: SigId, field: FieldId, alone: bool, bound: &Type) -> Result<(), Box<Finding>> {
        let declared = self.world.field(field);
        let ty = if alone { bound } else { &declared.ty };
        let arity = ty.arity().unwrap_or(1);
        let mut upper = TupleSet::empty(arity);
        for product in &ty.products {
            let columns: Vec<&TupleSet> =
                product.iter().map(|s| &self.space.sig_bounds[s.index()].1).collect();
            let tuples = columns.iter().try_fold(1_u64, |n, column| n.checked_mul(column.len() as u64));
            if tuples.is_none_or(|n| n > MAX_TUPLES) {
                let sizes: Vec<String> = columns.iter().map(|column| column.len().to_string()).collect();
                let message = format!(
                    "the field `{}` could have {} tuples in this scope; the limit is {MAX_TUPLES}",
                    declared.name,
                    sizes.join(" × ")
                );
                let finding = Finding::new(&rules::TOO_LARGE, self.command.place, message);
                return Err(Box::new(finding.also(declared.place, "declared here")));
            }
            upper = upper.union(&TupleSet::product(&columns));
        }
        let name = format!("{}.{}", self.world.sig(sig).label, declared.name);
        let (_, value) = self.relation(&name, TupleSet::empty(arity), upper);
        let owner = self.space.sigs[sig.index()];
        self.space.fields[field.index()] = if alone { self.space.ast.product(owner, value) } else { value };
        Ok(())
    }

    /// The order of an enumeration is known: its members in the order they are written.
    fn enum_order(&mut self, sig: SigId) -> bool {
        let declared = self.world.sig(sig);
        let [first, next] = &declared.decls[..] else { return false };
        let Some(ordered) = ordered(self.world, sig) else { return false };
        let members = self.world.sig(ordered).children.clone();
        if !declared.is(Mult::One)
            || !self.world.sig(ordered).is_enum
            || first.fields.len() + next.fields.len() != 2
        {
            return false;
        }
        let atoms: Vec<Atom> =
            members.iter().flat_map(|m| self.space.sig_bounds[m.index()].0.flat().to_vec()).collect();
        self.order(sig, &atoms)
    }

    /// Gives the two fields of an order, its first element and the steps, their values.
    fn order(&mut self, sig: SigId, atoms: &[Atom]) -> bool {
        let declared = self.world.sig(sig);
        let [first, next] = &declared.decls[..] else { return false };
        let first_value = TupleSet::unary(atoms.first().copied());
        let next_value = TupleSet::binary(atoms.windows(2).map(|pair| (pair[0], pair[1])));
        let owner = self.space.sigs[sig.index()];
        for (field, value) in [(first.fields[0], first_value), (next.fields[0], next_value)] {
            let name = format!("{}.{}", declared.label, self.world.field(field).name);
            let (_, rel) = self.relation(&name, value.clone(), value);
            self.space.fields[field.index()] = self.space.ast.product(owner, rel);
        }
        true
    }

    /// Fields of a library module that are computed from the values present.
    fn native(&mut self, sig: SigId) -> Result<bool, Box<Finding>> {
        let Some(module) = native::module(self.world, sig) else { return Ok(false) };
        let declared = self.world.sig(sig);
        let owner = self.space.sigs[sig.index()];
        for &field in declared.decls.iter().flat_map(|decl| &decl.fields) {
            let name = &self.world.field(field).name;
            // On given data, what is asked for is computed when that is known.
            let value = if self.given {
                TupleSet::empty(2)
            } else {
                let texts = self.space.strings.iter().map(|(text, atom)| (text.as_str(), *atom)).collect();
                let values = native::Values::new(texts, self.space.ints.iter().copied().collect());
                let (all, patterns) = (native::Asked::Everything, native::Patterns::default());
                native::compute(self.world, module, name, &values, &all, &patterns)?
            };
            let label = format!("{}.{name}", declared.label);
            let (_, rel) = self.relation(&label, value.clone(), value);
            self.space.fields[field.index()] = self.space.ast.product(owner, rel);
        }
        Ok(true)
    }

    /// A field of a `one` signature that is defined by `=` from signatures has a value without being given one.
    fn defined(&mut self, sig: SigId, field: FieldId, bound: &E) -> bool {
        let Kind::Unary(UnOp::ExactlyOf, value) = &bound.kind else { return false };
        if !self.world.sig(sig).is(Mult::One) {
            return false;
        }
        let Some(value) = self.simple(value) else { return false };
        let owner = self.space.sigs[sig.index()];
        self.space.fields[field.index()] = self.space.ast.product(owner, value);
        true
    }

    /// An expression made of signatures and fields only, by union, product and join.
    fn simple(&mut self, e: &E) -> Option<Expr> {
        match &e.kind {
            Kind::Sig(SigId::NONE) => Some(self.space.ast.none(1)),
            Kind::Sig(sig) => Some(self.space.sigs[sig.index()]),
            Kind::List(ListOp::Union, parts) => {
                let parts: Option<Vec<Expr>> = parts.iter().map(|part| self.simple(part)).collect();
                parts.map(|parts| self.space.ast.union(&parts))
            }
            Kind::Binary(crate::ast::BinOp::Arrow(Mult::Set, Mult::Set), a, b) => {
                let (a, b) = (self.simple(a)?, self.simple(b)?);
                Some(self.space.ast.product(a, b))
            }
            _ => None,
        }
    }

    fn sizes(&mut self) {
        for sig in self.world.user_sigs().collect::<Vec<_>>() {
            let declared = self.world.sig(sig);
            let value = self.space.sigs[sig.index()];
            let (lower, upper) = self.space.sig_bounds[sig.index()].clone();
            let name = self.world.short(sig);
            if let Some((mult, place)) = declared.mult {
                let open = match mult {
                    Mult::One => lower.len() != 1 || upper.len() != 1,
                    Mult::Some => lower.is_empty(),
                    Mult::Lone => upper.len() > 1,
                    Mult::Set => false,
                };
                if open {
                    let text = format!("`{name}` is declared `{}`", mult_word(mult));
                    self.space.side.push(Side { what: SideKind::Mult(mult, value), place, text, sig });
                }
                if mult == Mult::One && open {
                    continue;
                }
            }
            let Some((size, exact)) = self.space.scopes.sizes[sig.index()] else { continue };
            let (low, up) = (lower.len() as i64, upper.len() as i64);
            let place =
                self.command.scopes.iter().find(|s| s.sig == sig).map_or(self.command.place, |s| s.place);
            if exact && (low != size || up != size) {
                let text = format!("the scope of `{name}` is exactly {size}");
                self.space.side.push(Side {
                    what: SideKind::Size { value, size, exact: true },
                    place,
                    text,
                    sig,
                });
            } else if !exact && up > size {
                let text = format!("the scope of `{name}` is {size}");
                self.space.side.push(Side {
                    what: SideKind::Size { value, size, exact: false },
                    place,
                    text,
                    sig,
                });
            }
        }
    }
}

fn mult_word(mult: Mult) -> &'static str {
    match mult {
        Mult::Set => "set",
        Mult::Lone => "lone",
        Mult::One => "one",
        Mult::Some => "some",
    }
}
