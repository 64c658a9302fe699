//! The solver against the definition, on random problems small enough to try every instance.

mod common;

use common::{Problem, Shape, all_instances, problem};
use locus_relational::naive::Naive;
use locus_relational::sat::{Backend, Hope};
use locus_relational::{Atom, Instance, IntMode, Options, Search, SolveError, Tag, TupleSet, core};
use std::collections::BTreeSet;

const PLAIN: Shape = Shape {
    ints: false,
    higher_order: false,
    symmetric: false,
    order: false,
    functions: false,
    sums: true,
    depth: 3,
};

fn options(ints: IntMode, symmetry: usize) -> Options {
    Options { ints, symmetry, fix_orders: symmetry > 0, ..Options::default() }
}

/// All instances that satisfy the formula, by the definition.
fn expected(problem: &Problem, ints: IntMode) -> Vec<Instance> {
    let mut all = all_instances(&problem.bounds);
    all.retain(|instance| {
        Naive::new(&problem.ast, problem.bounds.universe(), instance, ints).holds(problem.formula)
    });
    all
}

fn key(instance: &Instance) -> String {
    format!("{instance:?}")
}

fn enumerate(problem: &Problem, options: &Options) -> Result<Vec<Instance>, SolveError> {
    let mut search = Search::new(&problem.ast, &problem.bounds, problem.formula, options)?;
    let mut found = Vec::new();
    while let Some(model) = search.next()? {
        found.push(model.instance);
        assert!(found.len() <= 1 << 12, "more instances than there can be");
    }
    Ok(found)
}

/// Without symmetry breaking, the solver finds exactly the instances there are, each once.
fn finds_exactly(seeds: std::ops::Range<u64>, shape: Shape, ints: IntMode, backend: Backend) -> usize {
    let mut checked = 0;
    for seed in seeds {
        let problem = problem(seed, shape);
        let hope = if seed % 2 == 0 { Hope::Nothing } else { Hope::Model };
        let found = match enumerate(&problem, &Options { backend, hope, ..options(ints, 0) }) {
            Err(SolveError::HigherOrder { .. }) => continue,
            other => other.expect("a small problem"),
        };
        let found_keys: BTreeSet<String> = found.iter().map(key).collect();
        let wanted: BTreeSet<String> = expected(&problem, ints).iter().map(key).collect();
        assert_eq!(found_keys.len(), found.len(), "an instance twice, seed {seed}");
        assert!(
            found_keys == wanted,
            "seed {seed}: {}\nfound {} wanted {}",
            problem.ast.show_formula(problem.formula),
            found_keys.len(),
            wanted.len()
        );
        checked += 1;
    }
    checked
}

#[test]
fn first_order() {
    assert_eq!(finds_exactly(0..800, PLAIN, IntMode::Wrap(3), Backend::Batsat), 800);
}

#[test]
fn deeper_with_cadical() {
    assert_eq!(
        finds_exactly(10_000..10_150, Shape { depth: 4, ..PLAIN }, IntMode::Wrap(3), Backend::Best),
        150
    );
}

#[test]
fn higher_order() {
    let shape = Shape { higher_order: true, ..PLAIN };
    let checked = finds_exactly(20_000..20_600, shape, IntMode::Wrap(3), Backend::Batsat);
    assert!(checked > 400, "{checked}");
}

#[test]
fn total_orders() {
    assert_eq!(
        finds_exactly(30_000..30_300, Shape { order: true, ..PLAIN }, IntMode::Wrap(3), Backend::Batsat),
        300
    );
}

#[test]
fn integers_that_wrap() {
    assert_eq!(
        finds_exactly(40_000..40_500, Shape { ints: true, ..PLAIN }, IntMode::Wrap(3), Backend::Batsat),
        500
    );
}

#[test]
fn integers_that_do_not_overflow() {
    // Of these sums every partial one counts, which depends on bounds.
    let shape = Shape { ints: true, sums: false, ..PLAIN };
    assert_eq!(finds_exactly(50_000..50_400, shape, IntMode::Prevent(3), Backend::Batsat), 400);
}

#[test]
fn fields_that_are_functions() {
    let shape = Shape { ints: true, functions: true, ..PLAIN };
    assert_eq!(finds_exactly(80_000..80_300, shape, IntMode::Wrap(3), Backend::Batsat), 300);
    let shape = Shape { sums: false, ..shape };
    assert_eq!(finds_exactly(81_000..81_100, shape, IntMode::Prevent(3), Backend::Batsat), 100);
}

/// The instance with its atoms renamed.
fn renamed(instance: &Instance, names: &[Atom]) -> Instance {
    let mut result = Instance::new();
    for (relation, tuples) in instance.relations() {
        let atoms = tuples.flat().iter().map(|a| names.get(a.0 as usize).copied().unwrap_or(*a)).collect();
        result.set(relation, TupleSet::from_flat(tuples.arity(), atoms));
    }
    result
}

/// With symmetry breaking, every instance is found up to the names of atoms, and nothing else.
#[test]
fn symmetry_breaking_keeps_one_of_each() {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map(|o| o.map(Atom));
    let (mut fewer, mut all) = (0, 0);
    for seed in 60_000..60_150 {
        let problem = problem(seed, Shape { symmetric: true, order: true, ..PLAIN });
        let found = enumerate(&problem, &options(IntMode::Wrap(3), 20)).expect("a small problem");
        let wanted: BTreeSet<String> = expected(&problem, IntMode::Wrap(3)).iter().map(key).collect();
        let mut covered = BTreeSet::new();
        for instance in &found {
            assert!(wanted.contains(&key(instance)), "seed {seed}");
            covered.extend(orders.iter().map(|order| key(&renamed(instance, order))));
        }
        assert_eq!(covered, wanted, "seed {seed}: {}", problem.ast.show_formula(problem.formula));
        fewer += found.len();
        all += wanted.len();
    }
    assert!(fewer * 4 < all, "{fewer} of {all}");
}

/// Takes a formula apart as a core does: the parts under each tag, and what is always there.
fn is_unsat(problem: &Problem, parts: &[locus_relational::Formula]) -> bool {
    let mut ast = problem.ast.clone();
    let formula = ast.and(parts);
    let all = all_instances(&problem.bounds);
    !all.iter().any(|instance| {
        Naive::new(&ast, problem.bounds.universe(), instance, IntMode::Wrap(3)).holds(formula)
    })
}

/// Conjunctions of several random formulas, one tag each: the core contradicts itself, and no smaller part does.
#[test]
fn cores_are_minimal() {
    let mut seen = 0;
    for seed in 70_000..70_400 {
        let mut generated = common::several(seed, Shape { depth: 2, ..PLAIN }, 6);
        let parts: Vec<_> = generated.parts.clone();
        let tagged: Vec<_> = parts
            .iter()
            .enumerate()
            .map(|(i, &part)| generated.problem.ast.tagged(Tag(100 + i as u32), part))
            .collect();
        let formula = generated.problem.ast.and(&tagged);
        generated.problem.formula = formula;
        let problem = &generated.problem;
        let unsat = is_unsat(problem, &parts);
        let found =
            core(&problem.ast, &problem.bounds, formula, &options(IntMode::Wrap(3), 20)).expect("small");
        let Some(found) = found else {
            assert!(!unsat, "seed {seed}: no core");
            continue;
        };
        assert!(unsat && found.minimal, "seed {seed}: a core of something satisfiable");
        seen += 1;
        let chosen: Vec<_> = found.tags.iter().map(|tag| parts[tag.0 as usize - 100]).collect();
        assert!(is_unsat(problem, &chosen), "seed {seed}: the core is satisfiable");
        for i in 0..chosen.len() {
            let mut rest = chosen.clone();
            rest.remove(i);
            assert!(!is_unsat(problem, &rest), "seed {seed}: the core is not minimal");
        }
    }
    assert!(seen > 50, "{seen}");
}
