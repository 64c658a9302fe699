//! Expressions on an instance: what a reader asks when looking at one.

use std::fmt;

use locus_relational::{Atom, AtomKind, Evaluator, IntMode, TupleSet};
use locus_source::{Finding, Place, Sources, Span};

use crate::check::{self, fresh_var};
use crate::instance::Instance;
use crate::model::{E, Expr, Kind};
use crate::translate::{Lower, Value};
use crate::types::Type;
use crate::{Model, parser, rules};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Of a formula.
    Truth(bool),
    /// Of an integer expression.
    Integer(i64),
    /// Of a set or relation: the names of atoms, tuple by tuple.
    Tuples(Vec<Vec<String>>),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Tuples(tuples) => {
                let shown: Vec<String> = tuples.iter().map(|tuple| tuple.join("->")).collect();
                write!(f, "{{{}}}", shown.join(", "))
            }
        }
    }
}

impl Model {
    /// The value of an expression on an instance. Atoms are named as the instance names them (`A$0`), and the
    /// variables of the command's outermost `some` as `$name`.
    ///
    /// # Errors
    /// If the text is not an expression of this model, or has no value on this instance.
    pub fn eval(&self, sources: &Sources, instance: &Instance, text: &str) -> Result<Answer, Vec<Finding>> {
        let file = sources.add("expression", text);
        let ast = parser::parse_expression(&file)?;
        let place = Place::new(file.id(), Span::new(0, text.len()));
        let known = self.known(instance, place);
        let bound: Vec<(String, E)> = known.iter().map(|(name, e, _)| (name.clone(), e.clone())).collect();
        let e = check::check_expression(&self.world, &self.index, &ast, file.id(), &bound)?;
        let refuse = |message: String| vec![Finding::new(&rules::KIND, place, message)];
        let mut lower = Lower::new(&self.world, instance.problem.space.clone(), Some(64));
        for (_, e, tuples) in known {
            if let Kind::Var(v) = &e.kind {
                let value = lower.space.ast.constant_expr(tuples);
                lower.bind_value(v.id, Value::Set(value));
            }
        }
        let value = lower.value(&e).map_err(|failed| vec![*failed.finding(place)])?;
        let bits = lower.space.int_bits();
        let space = &lower.space;
        let mut evaluator = Evaluator::new(&space.ast, space.bounds.universe(), &instance.found.instance)
            .with_ints(IntMode::Wrap(bits));
        let failed = |error: locus_relational::EvalError| refuse(error.to_string());
        Ok(match value {
            Value::Formula(formula) => Answer::Truth(evaluator.holds(formula).map_err(failed)?),
            Value::Int(int) => Answer::Integer(evaluator.int(int).map_err(failed)?),
            Value::Set(set) => Answer::Tuples(names(instance, &evaluator.tuples(set).map_err(failed)?)),
        })
    }

    /// Atoms and witnesses of an instance, as variables with their values.
    fn known(&self, instance: &Instance, place: Place) -> Vec<(String, E, TupleSet)> {
        let mut known = Vec::new();
        let mut add = |name: String, ty: Type, tuples: TupleSet| {
            let v = fresh_var(&self.index, &name, ty.clone(), place);
            known.push((name, Expr::new(Kind::Var(v), ty, place, 0, 0, None), tuples));
        };
        for sig in self.world.user_sigs() {
            let declared = self.world.sig(sig);
            let below =
                |atom: Atom| declared.children.iter().any(|&child| instance.sig(child).contains(&[atom]));
            for tuple in instance.sig(sig).iter().filter(|tuple| declared.is_prim() && !below(tuple[0])) {
                add(instance.label(tuple[0]).to_owned(), Type::sig(sig), TupleSet::unary([tuple[0]]));
            }
        }
        for (name, ty, tuples) in instance.witnesses() {
            add(format!("${name}"), ty.clone(), tuples.clone());
        }
        known
    }
}

/// The atoms of tuples by name; strings in quotes.
pub(crate) fn names(instance: &Instance, tuples: &TupleSet) -> Vec<Vec<String>> {
    tuples.iter().map(|tuple| tuple.iter().map(|&atom| name(instance, atom)).collect()).collect()
}

/// The name of an atom; a string in quotes.
pub(crate) fn name(instance: &Instance, atom: Atom) -> String {
    let label = instance.label(atom);
    match instance.universe().kind(atom) {
        AtomKind::Text => format!("{label:?}"),
        _ => label.to_owned(),
    }
}
