//! Instances: a value for every signature and field of a model.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use locus_relational::{Atom, Expr, ExprNode, Model as Found, TupleSet, Universe};

use crate::Model;
use crate::model::FieldId;
use crate::translate::Problem;
use crate::types::{SigId, Type};

/// An instance of a model: of a check, a counterexample.
pub struct Instance {
    pub(crate) problem: Arc<Problem>,
    pub(crate) found: Found,
    /// The command it answers.
    pub command: usize,
    sigs: Vec<TupleSet>,
    fields: Vec<TupleSet>,
    witnesses: Vec<(String, Type, TupleSet)>,
    /// Names of atoms, after the lowest signature that each is in.
    labels: FxHashMap<Atom, String>,
}

impl Instance {
    pub(crate) fn new(model: &Model, command: usize, problem: Arc<Problem>, found: Found) -> Self {
        let space = &problem.space;
        let value = |expr: Expr| value(&problem, &found, expr);
        let sigs: Vec<TupleSet> = (0..model.world.sigs.len()).map(|sig| value(space.sigs[sig])).collect();
        let labels = labels(model, &sigs);
        let fields = (0..model.world.fields.len()).map(|field| value(space.fields[field])).collect();
        let witnesses = found
            .witnesses
            .iter()
            .map(|(var, tuples)| {
                let ty = problem.var_types.get(var).cloned().unwrap_or_default();
                (space.ast.var_name(*var).to_owned(), ty, tuples.clone())
            })
            .collect();
        Self { problem, found, command, sigs, fields, witnesses, labels }
    }

    /// The scopes it was found in.
    pub fn scopes(&self) -> &crate::Scopes {
        &self.problem.space.scopes
    }

    /// The atoms there could be.
    pub fn universe(&self) -> &Universe {
        self.problem.space.bounds.universe()
    }

    /// The name of an atom: that of the lowest signature it is in, and a number.
    pub fn label(&self, atom: Atom) -> &str {
        self.labels.get(&atom).map_or_else(|| self.universe().label(atom), String::as_str)
    }

    /// The atoms of a signature.
    pub fn sig(&self, sig: SigId) -> &TupleSet {
        &self.sigs[sig.index()]
    }

    /// The tuples of a field, the signature's atom first.
    pub fn field(&self, field: FieldId) -> &TupleSet {
        &self.fields[field.index()]
    }

    /// Returns the values of the variables of the command's outermost `some`, with their types.
    pub fn witnesses(&self) -> &[(String, Type, TupleSet)] {
        &self.witnesses
    }
}

fn labels(model: &Model, sigs: &[TupleSet]) -> FxHashMap<Atom, String> {
    let mut labels = FxHashMap::default();
    for sig in model.world.user_sigs() {
        let declared = model.world.sig(sig);
        if !declared.is_prim() {
            continue;
        }
        let below =
            |tuple: &&[Atom]| declared.children.iter().any(|child| sigs[child.index()].contains(tuple));
        for (i, tuple) in sigs[sig.index()].iter().filter(|tuple| !below(tuple)).enumerate() {
            labels.insert(tuple[0], format!("{}${i}", model.world.short(sig)));
        }
    }
    labels
}

/// The value of an expression made of relations by union and product.
fn value(problem: &Problem, found: &Found, expr: Expr) -> TupleSet {
    let ast = &problem.space.ast;
    match ast.expr(expr) {
        ExprNode::Relation(relation) => {
            found.instance.get(*relation).cloned().unwrap_or_else(|| TupleSet::empty(ast.arity(expr)))
        }
        ExprNode::Constant(constant) => ast.constant(*constant).clone(),
        ExprNode::Union(parts) => parts
            .iter()
            .map(|&part| value(problem, found, part))
            .reduce(|a, b| a.union(&b))
            .unwrap_or_else(|| TupleSet::empty(ast.arity(expr))),
        ExprNode::Product(a, b) => {
            let (a, b) = (value(problem, found, *a), value(problem, found, *b));
            TupleSet::product(&[&a, &b])
        }
        ExprNode::Ints => TupleSet::unary(problem.space.ints.iter().map(|(_, atom)| *atom)),
        ExprNode::Univ => TupleSet::unary(problem.space.bounds.universe().atoms()),
        _ => unreachable!("signatures and fields are made of relations"),
    }
}
