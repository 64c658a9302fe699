//! From a command to a problem for the relational engine.
//!
//! [`problem`] gives the universe, the bounds and the formulas: facts of signatures and fields, facts, and the
//! command's goal. Every conjunct carries a tag, which leads back to its place, so that a core can be shown.

mod expressions;
mod membership;

use std::collections::BTreeSet;

use locus_relational::sat::Interrupt;
use locus_relational::{Ast, Decl, Expr, Formula, Mult as Count, Relation, SolveError, Tag, Var};
use locus_source::{Finding, Place, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{BinOp, ListOp, Mult, UnOp};
use crate::bounds::{self, Side, SideKind, Space};
use crate::check::uses;
use crate::execute::{LargeNumber, Options};
use crate::ground::{Data, Given, Subject};
use crate::model::{Command, E, FieldDecl, FieldId, FuncId, Kind, World};
use crate::types::{SigId, Type};
use crate::{behaviour, native, rules};

pub(crate) use expressions::{Lower, Value};

/// The part of a model that a tag stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it stands.
    pub place: Place,
    /// Its statement, in a few words.
    pub text: String,
    /// Whether it belongs to the command's goal rather than to the facts.
    pub goal: bool,
}

/// A command, translated.
pub(crate) struct Problem {
    pub(crate) space: Space,
    /// Formulas that every instance of the model satisfies.
    pub(crate) facts: Vec<Formula>,
    /// The formulas that the command asks for in addition.
    pub(crate) goal: Vec<Formula>,
    /// The parts that tags stand for, by their number.
    pub(crate) parts: Vec<Part>,
    /// The types of variables, for those that an instance has a value for.
    pub(crate) var_types: FxHashMap<Var, Type>,
    /// Numbers that the bitwidth has no room for, and where they stand.
    pub(crate) large: Vec<LargeNumber>,
}

/// Why there is no translation.
pub(crate) enum Failure {
    /// Time was up, or somebody wants no answer any more.
    Interrupted,
    /// It cannot be analysed.
    Impossible(Box<Finding>),
}

impl From<Box<Finding>> for Failure {
    fn from(finding: Box<Finding>) -> Self {
        Self::Impossible(finding)
    }
}

impl Failure {
    /// The same as a finding about a place, for those who only have findings.
    pub(crate) fn finding(self, place: Place) -> Box<Finding> {
        match self {
            Self::Interrupted => {
                Box::new(Finding::new(&rules::TOO_LARGE, place, SolveError::Interrupted.to_string()))
            }
            Self::Impossible(finding) => finding,
        }
    }
}

type Lowered<X> = Result<X, Failure>;

/// Translates a command.
pub(crate) fn problem(
    world: &World,
    command: &Command,
    options: &Options,
    interrupt: &Interrupt,
) -> Lowered<Problem> {
    let strings = Literals::of(world, command).texts.into_iter().collect();
    let space = bounds::space(world, command, strings)?;
    let lower = Lower::new(world, space, options.unrolls).within(interrupt.clone(), options.overflow);
    let mut translating = Translating { lower, parts: Vec::new() };
    let mut facts = Vec::new();
    for side in std::mem::take(&mut translating.lower.space.side) {
        facts.push(translating.side(&side));
    }
    for sig in world.user_sigs().collect::<Vec<_>>() {
        translating.sig(sig, &mut facts)?;
    }
    for fact in &world.facts {
        translating.conjuncts(&fact.body, false, false, &mut facts)?;
    }
    let mut goal = Vec::new();
    translating.lower.goal_name(&command.name);
    translating.conjuncts(&command.goal, false, true, &mut goal)?;
    behaviour::steps_of_nothing(world, command)?;
    let Translating { lower, parts } = translating;
    let Lower { space, var_types, large, .. } = lower;
    Ok(Problem { space, facts, goal, parts, var_types, large: large.into_iter().collect() })
}

/// Facts on given data: what is known, and the formulas with what each is about.
pub(crate) struct Ground {
    pub(crate) space: Space,
    pub(crate) facts: Vec<(Subject, Formula)>,
    pub(crate) parts: Vec<Part>,
}

impl Ground {
    pub(crate) fn formulas(&self) -> Vec<Formula> {
        self.facts.iter().map(|(_, formula)| *formula).collect()
    }
}

/// Translates the facts of a model for given data.
pub(crate) fn ground(world: &World, data: &Data) -> Result<Ground, Box<Finding>> {
    let place = Place::new(world.modules[0].file, Span::point(0));
    ground_at(world, data, place).map_err(|failed| failed.finding(place))
}

fn ground_at(world: &World, data: &Data, place: Place) -> Lowered<Ground> {
    let command = Command::default_at(place);
    let mut literals = Literals::of(world, &command);
    let mut unknown = BTreeSet::new();
    for given in data.tuples.values().flatten().flatten() {
        match given {
            Given::Int(n) => drop(literals.ints.insert(*n)),
            Given::Text(text) => drop(literals.texts.insert(text.clone())),
            Given::Unknown(one) => drop(unknown.insert(one.clone())),
            Given::Atom(_) => {}
        }
    }
    literals.ints.extend(native::ints(world, &literals.fields, literals.texts.iter().map(String::as_str)));
    let values = bounds::Values { ints: literals.ints, texts: literals.texts, unknown };
    let space = bounds::ground(world, &command, data, values)?;
    let (mut ground, _) = facts_in(world, space, data.only_facts)?;
    let formulas = ground.formulas();
    native::fill(world, &mut ground.space, &formulas)?;
    Ok(ground)
}

/// Translates the facts of a model for any well-formed data: the space has what the model itself mentions, and
/// nothing else. Nothing if the translation depends on which integers there are.
pub(crate) fn for_any_data(world: &World) -> Lowered<Option<AnyData>> {
    let command = Command::default_at(Place::new(world.modules[0].file, Span::point(0)));
    let Literals { ints, texts, fields, .. } = Literals::of(world, &command);
    let values = bounds::Values { ints, texts, unknown: BTreeSet::new() };
    let mut space = bounds::ground(world, &command, &Data::new(), values)?;
    // Where data is given these are constants.
    let [strings, indices] = [SigId::STRING, SigId::SEQ_INT].map(|sig| {
        let relation = space.ast.relation(world.sig(sig).label.clone(), 1);
        space.sigs[sig.index()] = space.ast.rel(relation);
        relation
    });
    let (ground, uses_next) = facts_in(world, space, true)?;
    let asked = native::used(&ground.space.ast, &ground.formulas());
    let depends = uses_next || asked.contains_key(&indices);
    Ok((!depends).then_some(AnyData { ground, fields, strings, asked }))
}

/// Facts for any data.
pub(crate) struct AnyData {
    pub(crate) ground: Ground,
    /// The fields that the model uses.
    pub(crate) fields: FxHashSet<FieldId>,
    /// The relation that has all texts.
    pub(crate) strings: Relation,
    /// The questions that are asked of relations.
    pub(crate) asked: FxHashMap<Relation, native::Asked>,
}

/// Translates facts in a space, and what declarations say unless only facts are asked for. Says, too, whether the
/// order of the integers that there are was used.
fn facts_in(world: &World, space: Space, only_facts: bool) -> Lowered<(Ground, bool)> {
    let mut translating = Translating { lower: Lower::new(world, space, Some(64)), parts: Vec::new() };
    let mut facts = Vec::new();
    if !only_facts {
        translating.declarations(world, &mut facts)?;
    }
    for (i, fact) in world.facts.iter().enumerate() {
        let mut own = Vec::new();
        translating.conjuncts(&fact.body, false, false, &mut own)?;
        facts.extend(own.into_iter().map(|formula| (Subject::Fact(i), formula)));
    }
    let Translating { lower, parts } = translating;
    let uses_next = lower.uses_next();
    Ok((Ground { space: lower.space, facts, parts }, uses_next))
}

struct Translating<'a> {
    lower: Lower<'a>,
    parts: Vec<Part>,
}

impl Translating<'_> {
    fn ast(&mut self) -> &mut Ast {
        &mut self.lower.space.ast
    }

    fn tag(&mut self, formula: Formula, place: Place, text: impl Into<String>, goal: bool) -> Formula {
        let tag = Tag(self.parts.len() as u32);
        self.parts.push(Part { place, text: text.into(), goal });
        self.ast().tagged(tag, formula)
    }

    /// Collects the statements about given data that the declarations of signatures and fields make.
    fn declarations(&mut self, world: &World, facts: &mut Vec<(Subject, Formula)>) -> Lowered<()> {
        for side in std::mem::take(&mut self.lower.space.side) {
            let formula = self.side(&side);
            facts.push((Subject::Signature(side.sig), formula));
        }
        for sig in world.user_sigs().collect::<Vec<_>>() {
            if world.module(world.sig(sig).module).library.is_none() {
                let mut own = Vec::new();
                self.sig(sig, &mut own)?;
                facts.extend(own.into_iter().map(|formula| (Subject::Signature(sig), formula)));
            }
        }
        Ok(())
    }

    fn side(&mut self, side: &Side) -> Formula {
        let formula = match side.what {
            SideKind::Disjoint(a, b) => {
                let both = self.ast().intersection(&[a, b]);
                self.ast().no(both)
            }
            SideKind::Within(a, b) => self.ast().subset(a, b),
            SideKind::Mult(mult, value) => match count(mult) {
                Some(mult) => self.ast().mult(mult, value),
                None => self.ast().truth(),
            },
            SideKind::Size { value, size, exact } => self.size(value, size, exact),
        };
        self.tag(formula, side.place, side.text.clone(), false)
    }

    /// At most, or exactly, so many atoms: there are so many (different) ones that are all.
    fn size(&mut self, value: Expr, size: i64, exact: bool) -> Formula {
        match (size, exact) {
            (..=0, _) => return self.ast().no(value),
            (1, true) => return self.ast().one(value),
            (1, false) => return self.ast().lone(value),
            _ => {}
        }
        let ast = self.ast();
        let mut decls = Vec::new();
        let mut atoms: Vec<Expr> = Vec::new();
        let mut conditions = Vec::new();
        for i in 0..size {
            let var = ast.var(format!("atom{i}"), 1);
            decls.push(Decl::one(var, value));
            let atom = ast.var_expr(var);
            if exact && !atoms.is_empty() {
                let before = ast.union(&atoms);
                let both = ast.intersection(&[before, atom]);
                conditions.push(ast.no(both));
            }
            atoms.push(atom);
        }
        let all = ast.union(&atoms);
        conditions.push(ast.equal(all, value));
        let body = ast.and(&conditions);
        let some = ast.exists(&decls, body);
        if exact {
            return some;
        }
        let none = ast.no(value);
        ast.or(&[none, some])
    }

    /// Adds the statements that the declaration of a signature makes of its fields, and its facts.
    fn sig(&mut self, sig: SigId, facts: &mut Vec<Formula>) -> Lowered<()> {
        let world = self.lower.world;
        let declared = world.sig(sig);
        for decl in &declared.decls {
            self.field_decl(sig, decl, facts)?;
        }
        let owner = self.lower.space.sigs[sig.index()];
        for fact in &declared.facts {
            for conjunct in conjuncts_of(fact) {
                let formula = if declared.is(Mult::One) {
                    self.lower.bind_value(declared.this.id, Value::Set(owner));
                    self.lower.formula(conjunct)?
                } else {
                    let (decl, atom) = self.lower.quantified_atom("this", owner);
                    self.lower.bind_value(declared.this.id, Value::Set(atom));
                    let body = self.lower.formula(conjunct)?;
                    self.ast().all(&[decl], body)
                };
                let text = format!("a fact of `{}`", world.short(sig));
                facts.push(self.tag(formula, conjunct.place, text, false));
            }
        }
        Ok(())
    }

    fn field_decl(&mut self, sig: SigId, decl: &FieldDecl, facts: &mut Vec<Formula>) -> Lowered<()> {
        let world = self.lower.world;
        let declared = world.sig(sig);
        let owner = self.lower.space.sigs[sig.index()];
        let alone = declared.is(Mult::One);
        for &field in &decl.fields {
            let value = self.lower.space.fields[field.index()];
            let conditions = if alone {
                self.lower.bind_value(declared.this.id, Value::Set(owner));
                let image = self.lower.join(owner, value);
                vec![self.lower.is_in(image, &decl.bound)?]
            } else {
                self.field_of_many(owner, declared.this.id, value, &decl.bound)?
            };
            let formula = self.ast().and(&conditions);
            let text = format!("the declaration of `{}`", world.field(field).name);
            facts.push(self.tag(formula, world.field(field).place, text, false));
            if let Some(place) = decl.disjoint_range.filter(|_| !alone) {
                let formula = self.disjoint_range(owner, value);
                let text = format!("`{}` is `disj`", world.field(field).name);
                facts.push(self.tag(formula, place, text, false));
            }
        }
        if let Some(place) = decl.disjoint.filter(|_| decl.fields.len() > 1) {
            let values: Vec<Expr> = decl.fields.iter().map(|f| self.lower.space.fields[f.index()]).collect();
            let formula = self.lower.disjoint(&values);
            facts.push(self.tag(formula, place, "the fields are `disj`", false));
        }
        Ok(())
    }

    /// Returns the statements that the declaration of a field makes, for a signature that can have several atoms. The
    /// first column is the signature. For a bound that does not depend on the atom, states at once that the rest is
    /// within it.
    fn field_of_many(&mut self, owner: Expr, this: u32, value: Expr, bound: &E) -> Lowered<Vec<Formula>> {
        let mut conditions = Vec::new();
        let depends = uses(bound, this) || matches!(bound.kind, Kind::Unary(UnOp::ExactlyOf, _));
        if depends {
            let mut first = value;
            for _ in 1..self.ast().arity(value) {
                let univ = self.ast().univ();
                first = self.ast().join(first, univ);
            }
            conditions.push(self.ast().subset(first, owner));
        } else {
            let bound = self.lower.set(bound)?;
            let all = self.ast().product(owner, bound);
            conditions.push(self.ast().subset(value, all));
        }
        let (quantified, atom) = self.lower.quantified_atom("this", owner);
        self.lower.bind_value(this, Value::Set(atom));
        let image = self.ast().join(atom, value);
        let within = if depends {
            Some(self.lower.is_in(image, bound)?)
        } else {
            self.lower.multiplicity(image, bound)?
        };
        if let Some(within) = within {
            conditions.push(self.ast().all(&[quantified], within));
        }
        Ok(conditions)
    }

    fn disjoint_range(&mut self, owner: Expr, field: Expr) -> Formula {
        let (one, this) = self.lower.quantified_atom("this", owner);
        let (other, that) = self.lower.quantified_atom("that", owner);
        let ast = self.ast();
        let equal = ast.equal(this, that);
        let (a, b) = (ast.join(this, field), ast.join(that, field));
        let both = ast.intersection(&[a, b]);
        let apart = ast.no(both);
        let body = ast.or(&[equal, apart]);
        ast.all(&[one, other], body)
    }

    /// Splits a formula into what it requires, each with its own place.
    fn conjuncts(&mut self, e: &E, negated: bool, goal: bool, out: &mut Vec<Formula>) -> Lowered<()> {
        match (&e.kind, negated) {
            (Kind::List(ListOp::And, parts), false) | (Kind::List(ListOp::Or, parts), true) => {
                for part in parts {
                    self.conjuncts(part, negated, goal, out)?;
                }
                return Ok(());
            }
            (Kind::Unary(UnOp::Not, sub), _) => return self.conjuncts(sub, !negated, goal, out),
            (Kind::Binary(BinOp::Implies, a, b), true) if self.lower.wraps() => {
                self.conjuncts(a, false, goal, out)?;
                return self.conjuncts(b, true, goal, out);
            }
            (Kind::Call(func, args), false) if self.can_open(*func) => {
                let body = self.lower.enter(*func, args)?;
                let result = self.conjuncts(&body, false, goal, out);
                self.lower.leave();
                return result;
            }
            _ => {}
        }
        let mut formula = self.lower.formula(e)?;
        if negated {
            formula = self.ast().not(formula);
        }
        let text = match (goal, negated) {
            (false, _) => "a fact",
            (true, true) => "the assertion is to fail",
            (true, false) => "what is asked for",
        };
        let tagged = self.tag(formula, e.place, text, goal);
        out.push(tagged);
        Ok(())
    }

    fn can_open(&self, func: FuncId) -> bool {
        self.lower.world.func(func).is_pred && !self.lower.is_open(func)
    }
}

fn conjuncts_of(e: &E) -> Vec<&E> {
    match &e.kind {
        Kind::List(ListOp::And, parts) => parts.iter().collect(),
        _ => vec![e],
    }
}

pub(crate) fn count(mult: Mult) -> Option<Count> {
    match mult {
        Mult::Set => None,
        Mult::Lone => Some(Count::Lone),
        Mult::One => Some(Count::One),
        Mult::Some => Some(Count::Some),
    }
}

/// The strings and numbers that are written in what a command can see.
struct Literals<'a> {
    world: &'a World,
    texts: BTreeSet<String>,
    ints: BTreeSet<i64>,
    fields: FxHashSet<FieldId>,
    seen: FxHashSet<FuncId>,
}

impl<'a> Literals<'a> {
    fn of(world: &'a World, command: &Command) -> Self {
        let mut found = Self {
            world,
            texts: BTreeSet::new(),
            ints: BTreeSet::new(),
            fields: FxHashSet::default(),
            seen: FxHashSet::default(),
        };
        for sig in world.user_sigs() {
            let declared = world.sig(sig);
            for e in declared.decls.iter().map(|decl| &decl.bound).chain(&declared.facts) {
                found.visit(e);
            }
        }
        for e in world.facts.iter().map(|fact| &fact.body).chain([&command.goal]) {
            found.visit(e);
        }
        found
    }

    fn visit(&mut self, e: &E) {
        match &e.kind {
            Kind::Text(text) => drop(self.texts.insert(text.to_string())),
            Kind::Number(n) => drop(self.ints.insert(*n)),
            Kind::Field(field) => drop(self.fields.insert(*field)),
            Kind::Unary(_, a) => self.visit(a),
            Kind::Binary(_, a, b) | Kind::Let(_, a, b) => {
                self.visit(a);
                self.visit(b);
            }
            Kind::IfElse(a, b, c) => {
                self.visit(a);
                self.visit(b);
                self.visit(c);
            }
            Kind::List(_, parts) => parts.iter().for_each(|part| self.visit(part)),
            Kind::Quant(_, decls, body) => {
                for decl in decls {
                    self.visit(&decl.bound);
                }
                self.visit(body);
            }
            Kind::Call(func, args) => {
                for arg in args {
                    self.visit(arg);
                }
                if self.seen.insert(*func) {
                    let body = self.world.func(*func).body.clone();
                    self.visit(&body);
                }
            }
            _ => {}
        }
    }
}

fn recursion<X>(place: Place, name: &str) -> Lowered<X> {
    let finding = Finding::new(&rules::RECURSION, place, format!("`{name}` calls itself"));
    Err(Box::new(finding.help("allow it with the option `unrolls`: how often it may do so")).into())
}
