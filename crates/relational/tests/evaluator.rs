//! The evaluator against the definition, on random formulas and instances.

mod common;

use common::{Random, Shape, all_instances, problem};
use locus_relational::naive::Naive;
use locus_relational::{
    Ast, Atom, Decl, Evaluator, FormulaNode, Instance, IntMode, Quantifier, Range, TupleSet, Var,
};
use std::collections::BTreeSet;

const SHAPE: Shape = Shape {
    ints: true,
    higher_order: true,
    symmetric: false,
    order: true,
    functions: false,
    sums: true,
    depth: 4,
};

/// A few instances within the bounds.
fn some_instances(seed: u64, bounds: &locus_relational::Bounds) -> Vec<Instance> {
    let mut all = all_instances(bounds);
    let mut random = Random::new(seed);
    (0..4.min(all.len()))
        .map(|_| {
            let at = random.below(all.len());
            all.swap_remove(at)
        })
        .collect()
}

#[test]
fn formulas_hold_as_defined() {
    let mut held = 0;
    for seed in 0..2000 {
        let problem = problem(seed, Shape { depth: 2 + seed as usize % 3, ..SHAPE });
        for instance in some_instances(seed, &problem.bounds) {
            let universe = problem.bounds.universe();
            let expected =
                Naive::new(&problem.ast, universe, &instance, IntMode::Wrap(3)).holds(problem.formula);
            let mut evaluator = Evaluator::new(&problem.ast, universe, &instance).with_ints(IntMode::Wrap(3));
            let found = evaluator.holds(problem.formula).expect("a small formula");
            assert_eq!(found, expected, "seed {seed}: {}", problem.ast.show_formula(problem.formula));
            let violations = evaluator.violations(problem.formula, 10_000).expect("a small formula");
            assert_eq!(violations.list.is_empty(), expected, "seed {seed}");
            held += usize::from(expected);
        }
    }
    assert!(held > 1500, "{held}");
}

type Bindings = Vec<(Var, Vec<Atom>)>;

/// All bindings of the declarations for which the body is false, by the definition.
fn counterexamples(
    ast: &mut Ast,
    problem: &common::Problem,
    instance: &Instance,
    decls: &[Decl],
    body: locus_relational::Formula,
    before: &Bindings,
    found: &mut BTreeSet<Bindings>,
) {
    let universe = problem.bounds.universe();
    let Some((decl, rest)) = decls.split_first() else {
        if !Naive::new(ast, universe, instance, IntMode::Wrap(3)).holds(body) {
            found.insert(before.clone());
        }
        return;
    };
    let domain = Naive::new(ast, universe, instance, IntMode::Wrap(3)).set(decl.domain).0;
    for tuple in domain {
        let constant = ast.constant_expr(TupleSet::from_flat(tuple.len(), tuple.clone()));
        let rest: Vec<Decl> = rest
            .iter()
            .map(|d| Decl { domain: ast.substitute(d.domain, decl.var, constant), ..*d })
            .collect();
        let inner = ast.substitute(body, decl.var, constant);
        let mut bindings = before.clone();
        bindings.push((decl.var, tuple));
        counterexamples(ast, problem, instance, &rest, inner, &bindings, found);
    }
}

#[test]
fn every_counterexample_is_found_once() {
    let (mut checked, mut total) = (0, 0);
    for seed in 100_000..104_000 {
        let problem = problem(seed, Shape { higher_order: false, depth: 3, ..SHAPE });
        let FormulaNode::Quantified(Quantifier::All, decls, body) =
            problem.ast.formula(problem.formula).clone()
        else {
            continue;
        };
        // What is below must not be universal itself, nor come apart: then the bindings are those of these
        // declarations.
        let plain = matches!(
            problem.ast.formula(body),
            FormulaNode::In(..)
                | FormulaNode::Equal(..)
                | FormulaNode::Mult(..)
                | FormulaNode::Compare(..)
                | FormulaNode::Iff(..)
        );
        if !plain || decls.iter().any(|d| d.range != Range::One) {
            continue;
        }
        for instance in some_instances(seed, &problem.bounds) {
            let mut wanted = BTreeSet::new();
            let mut ast = problem.ast.clone();
            counterexamples(&mut ast, &problem, &instance, &decls, body, &Vec::new(), &mut wanted);
            let universe = problem.bounds.universe();
            let mut evaluator = Evaluator::new(&problem.ast, universe, &instance).with_ints(IntMode::Wrap(3));
            let found = evaluator.violations(problem.formula, 100_000).expect("a small formula").list;
            let keys: BTreeSet<Bindings> = found
                .iter()
                .map(|v| v.bindings.iter().map(|(var, value)| (*var, value.flat().to_vec())).collect())
                .collect();
            assert_eq!(keys.len(), found.len(), "seed {seed}: one twice");
            assert_eq!(keys, wanted, "seed {seed}: {}", problem.ast.show_formula(problem.formula));
            checked += 1;
            total += wanted.len();
        }
    }
    assert!(checked > 300 && total > 300, "{checked} {total}");
}
