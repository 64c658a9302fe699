//! Promises of the engines beside right answers: limits, interrupts, what costs nothing.

use locus_relational::sat::Interrupt;
use locus_relational::{
    Ast, Atom, Bounds, Compare, Core, Decl, EvalError, Evaluator, Instance, IntMode, IntOp, Limits, Options,
    Relation, Search, SolveError, Tag, TupleSet, Universe, Verdict, core, solve,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The depth that is allowed by default.
const DEPTH: usize = 2_000;

/// Some plain atoms, and the set of all of them.
fn atoms(count: usize) -> (Universe, Vec<Atom>, TupleSet) {
    let mut universe = Universe::new();
    let atoms: Vec<Atom> = (0..count).map(|i| universe.add(format!("a{i}"))).collect();
    let set = TupleSet::unary(atoms.iter().copied());
    (universe, atoms, set)
}

/// A graph within bounds: nodes and edges, all open.
fn graph(count: usize) -> (Ast, Bounds, Relation, Relation) {
    let (universe, _, set) = atoms(count);
    let mut ast = Ast::new();
    let (node, edge) = (ast.relation("Node", 1), ast.relation("edge", 2));
    let mut bounds = Bounds::new(universe);
    bounds.exact(node, set.clone());
    bounds.upper(edge, TupleSet::product(&[&set, &set]));
    (ast, bounds, node, edge)
}

#[test]
fn a_ground_problem_reaches_no_solver() {
    let (universe, atoms, set) = atoms(128);
    let mut ast = Ast::new();
    let (node, edge) = (ast.relation("Node", 1), ast.relation("edge", 2));
    let mut bounds = Bounds::new(universe);
    bounds.exact(node, set.clone());
    // Open, but the formula says what it is.
    bounds.upper(edge, TupleSet::product(&[&set, &set]));
    let chain = TupleSet::binary(atoms.windows(2).map(|pair| (pair[0], pair[1])));
    let (edges, known) = (ast.rel(edge), ast.constant_expr(chain));
    let fact = ast.equal(edges, known);
    let x = ast.var("x", 1);
    let (nodes, xe) = (ast.rel(node), ast.var_expr(x));
    let closure = ast.closure(edges);
    let after = ast.join(xe, closure);
    let on_cycle = ast.subset(xe, after);
    let cyclic = ast.exists(&[Decl::one(x, nodes)], on_cycle);
    let check = ast.and(&[fact, cyclic]);
    let (verdict, statistics) = solve(&ast, &bounds, check, &Options::default()).expect("a small problem");
    assert_eq!(verdict, Verdict::Unsat);
    assert_eq!((statistics.primary_variables, statistics.variables), (0, 0));

    // The other way round there is an instance, and the witness is named.
    let onward = ast.some(after);
    let some = ast.exists(&[Decl::one(x, nodes)], onward);
    let run = ast.and(&[fact, some]);
    let (verdict, statistics) = solve(&ast, &bounds, run, &Options::default()).expect("a small problem");
    let Verdict::Sat(model) = verdict else { panic!("there is an instance") };
    assert_eq!(statistics.clauses, 0);
    assert_eq!(model.witnesses, [(x, TupleSet::unary([atoms[0]]))]);
    assert_eq!(model.instance.get(edge).map(TupleSet::len), Some(127));
}

#[test]
fn a_total_order_is_chosen_where_all_are_alike() {
    let (universe, atoms, set) = atoms(30);
    let mut ast = Ast::new();
    let (time, first, next) = (ast.relation("Time", 1), ast.relation("first", 1), ast.relation("next", 2));
    let mut bounds = Bounds::new(universe);
    bounds.exact(time, set.clone());
    bounds.upper(first, set.clone());
    bounds.upper(next, TupleSet::product(&[&set, &set]));
    let (te, fe, ne) = (ast.rel(time), ast.rel(first), ast.rel(next));
    let order = ast.total_order(te, fe, ne);
    let (verdict, statistics) = solve(&ast, &bounds, order, &Options::default()).expect("a small problem");
    let Verdict::Sat(model) = verdict else { panic!("thirty atoms can be ordered") };
    assert_eq!(statistics.variables, 0);
    assert_eq!(model.instance.get(first), Some(&TupleSet::unary([atoms[0]])));
    let mut search = Search::new(&ast, &bounds, order, &Options::default()).expect("a small problem");
    assert!(search.next().expect("no limit").is_some());
    assert!(search.next().expect("no limit").is_none(), "one order up to names");
}

#[test]
fn too_large_a_problem_is_refused_with_figures() {
    let (mut ast, bounds, node, edge) = graph(100);
    let (nodes, edges) = (ast.rel(node), ast.rel(edge));
    let closure = ast.closure(edges);
    let square = ast.product(nodes, nodes);
    let connected = ast.equal(closure, square);
    let limits = Limits { circuit: 100_000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    match solve(&ast, &bounds, connected, &options) {
        Err(SolveError::TooLarge { atoms: 100, variables: 10_000, gates }) => assert!(gates > 10_000),
        other => panic!("{other:?}"),
    }
    let mut wide = nodes;
    for _ in 0..12 {
        wide = ast.product(wide, nodes);
    }
    let some = ast.some(wide);
    let answer = solve(&ast, &bounds, some, &Options::default());
    assert_eq!(answer, Err(SolveError::TooWide { arity: 13, atoms: 100 }));
}

#[test]
fn deep_nesting_is_refused() {
    let (mut ast, bounds, _, edge) = graph(2);
    let mut e = ast.rel(edge);
    for _ in 0..5_000 {
        let t = ast.transpose(e);
        e = ast.override_with(e, t);
    }
    let some = ast.some(e);
    assert!(matches!(solve(&ast, &bounds, some, &Options::default()), Err(SolveError::TooDeep { .. })));
    let mut instance = Instance::new();
    instance.set(edge, TupleSet::empty(2));
    let answer = Evaluator::new(&ast, bounds.universe(), &instance).holds(some);
    assert!(matches!(answer, Err(EvalError::TooDeep { .. })));
}

#[test]
fn sharing_is_not_paid_for_twice() {
    // As a tree this would have 2^100 leaves.
    let (mut ast, bounds, node, edge) = graph(3);
    let mut e = ast.rel(edge);
    let mut f = ast.some(e);
    let mut i = ast.count(e);
    for _ in 0..100 {
        let t = ast.transpose(e);
        e = ast.join(e, t);
        let g = ast.no(e);
        let iff = ast.iff(f, g);
        let not = ast.not(f);
        f = ast.or(&[iff, not]);
        i = ast.int_op(IntOp::Add, i, i);
    }
    let zero = ast.int_const(0);
    let less = ast.compare(Compare::Lt, i, zero);
    let nodes = ast.rel(node);
    let some = ast.some(nodes);
    let whole = ast.and(&[f, some]);
    let whole = ast.or(&[whole, less]);
    assert!(solve(&ast, &bounds, whole, &Options::default()).is_ok());
    let mut instance = Instance::new();
    instance.set(edge, TupleSet::empty(2));
    instance.set(node, TupleSet::empty(1));
    assert!(Evaluator::new(&ast, bounds.universe(), &instance).holds(whole).is_ok());
}

#[test]
fn an_interrupt_ends_everything() {
    let raised = Interrupt::never().with_flag(Arc::new(AtomicBool::new(true)));
    let (mut ast, bounds, node, edge) = graph(60);
    let (nodes, edges) = (ast.rel(node), ast.rel(edge));
    let [x, y, z] = ["x", "y", "z"].map(|name| ast.var(name, 1));
    let [xe, ye, ze] = [x, y, z].map(|v| ast.var_expr(v));
    let (a, b, c) = (ast.join(xe, edges), ast.join(ye, edges), ast.join(ze, edges));
    let both = ast.union(&[a, b]);
    let body = ast.equal(both, c);
    let all = ast.all(&[Decl::one(x, nodes), Decl::one(y, nodes), Decl::one(z, nodes)], body);
    let options = Options { interrupt: raised.clone(), ..Options::default() };
    assert_eq!(solve(&ast, &bounds, all, &options), Err(SolveError::Interrupted));
    let mut instance = Instance::new();
    instance.set(node, TupleSet::unary(bounds.universe().atoms()));
    instance.set(edge, TupleSet::empty(2));
    let mut evaluator = Evaluator::new(&ast, bounds.universe(), &instance).with_interrupt(raised);
    assert_eq!(evaluator.holds(all), Err(EvalError::Interrupted));
}

#[test]
fn sets_under_all_cannot_be_quantified() {
    let (mut ast, bounds, node, edge) = graph(30);
    let (nodes, edges) = (ast.rel(node), ast.rel(edge));
    let s = ast.var("s", 1);
    let se = ast.var_expr(s);
    let after = ast.join(se, edges);
    let some = ast.some(after);
    let all = ast.all(&[Decl::set(s, nodes)], some);
    let answer = solve(&ast, &bounds, all, &Options::default());
    assert_eq!(answer, Err(SolveError::HigherOrder { variable: "s".to_owned() }));
    let mut instance = Instance::new();
    instance.set(node, TupleSet::unary(bounds.universe().atoms()));
    instance.set(edge, TupleSet::empty(2));
    let answer = Evaluator::new(&ast, bounds.universe(), &instance).violations(all, 1);
    assert_eq!(answer, Err(EvalError::HigherOrder { variable: "s".to_owned(), size: 30, limit: 20 }));
}

#[test]
fn unbound_relations_are_named() {
    let (mut ast, bounds, _, _) = graph(2);
    let other = ast.relation("other", 1);
    let e = ast.rel(other);
    let some = ast.some(e);
    let answer = solve(&ast, &bounds, some, &Options::default());
    assert_eq!(answer, Err(SolveError::Unbound { relation: "other".to_owned() }));
    let instance = Instance::new();
    let answer = Evaluator::new(&ast, bounds.universe(), &instance).holds(some);
    assert_eq!(answer, Err(EvalError::Unbound { relation: "other".to_owned() }));
}

#[test]
fn exact_integers_need_no_atoms() {
    let mut universe = Universe::new();
    let big = universe.add_int(1_000_000_007);
    let mut ast = Ast::new();
    let size = ast.relation("size", 1);
    let mut instance = Instance::new();
    instance.set(size, TupleSet::unary([big]));
    let value = ast.rel(size);
    let number = ast.sum(value);
    let one = ast.int_const(1);
    let next = ast.int_op(IntOp::Add, number, one);
    let (next_atom, same) = (ast.int_atom(next), ast.int_const(1_000_000_008));
    let same_atom = ast.int_atom(same);
    let equal = ast.equal(next_atom, same_atom);
    let univ = ast.univ();
    let outside = ast.subset(next_atom, univ);
    let square = ast.int_op(IntOp::Mul, number, number);
    let huge = ast.int_op(IntOp::Mul, square, number);
    let mut evaluator = Evaluator::new(&ast, &universe, &instance);
    assert_eq!(evaluator.holds(equal), Ok(true));
    assert_eq!(evaluator.holds(outside), Ok(false));
    assert_eq!(evaluator.int(square), Ok(1_000_000_014_000_000_049));
    assert_eq!(evaluator.int(huge), Err(EvalError::Overflow));
    let atom = evaluator.tuples(next_atom).expect("one atom").get(0)[0];
    assert_eq!(evaluator.int_value(atom), Some(1_000_000_008));
    let mut wrapping = Evaluator::new(&ast, &universe, &instance).with_ints(IntMode::Wrap(4));
    assert_eq!(wrapping.int(next), Ok(8 - 16));
}

#[test]
fn what_is_not_tagged_is_not_blamed() {
    let (mut ast, bounds, node, edge) = graph(3);
    let (nodes, edges) = (ast.rel(node), ast.rel(edge));
    let (some, none) = (ast.some(edges), ast.no(edges));
    let two = ast.tagged(Tag(2), none);
    let extra = ast.some(nodes);
    let three = ast.tagged(Tag(3), extra);
    let formula = ast.and(&[some, two, three]);
    let found = core(&ast, &bounds, formula, &Options::default()).expect("a small problem");
    assert_eq!(found, Some(Core { tags: vec![Tag(2)], minimal: true }));
    let formula = ast.and(&[some, none, three]);
    let found = core(&ast, &bounds, formula, &Options::default()).expect("a small problem");
    assert_eq!(found, Some(Core { tags: Vec::new(), minimal: true }));
    let satisfiable = core(&ast, &bounds, three, &Options::default()).expect("a small problem");
    assert_eq!(satisfiable, None);
}

#[test]
fn cores_reach_under_universal_quantifiers() {
    let (mut ast, bounds, node, edge) = graph(3);
    let (nodes, edges) = (ast.rel(node), ast.rel(edge));
    let x = ast.var("x", 1);
    let xe = ast.var_expr(x);
    let after = ast.join(xe, edges);
    let (some, lone, none) = (ast.some(after), ast.lone(after), ast.no(edges));
    let (some, lone, none) = (ast.tagged(Tag(1), some), ast.tagged(Tag(2), lone), ast.tagged(Tag(3), none));
    let body = ast.and(&[some, lone]);
    let all = ast.all(&[Decl::one(x, nodes)], body);
    let formula = ast.and(&[all, none]);
    let found = core(&ast, &bounds, formula, &Options::default()).expect("a small problem");
    assert_eq!(found, Some(Core { tags: vec![Tag(1), Tag(3)], minimal: true }));
}

#[test]
fn the_depth_that_is_allowed_fits_the_stack() {
    // Alternating kinds of nodes, so that every engine recurses through all of its levels.
    let (mut ast, bounds, node, edge) = graph(2);
    let (nodes, mut f) = (ast.rel(node), ast.truth());
    let edges = ast.rel(edge);
    let mut e = edges;
    while ast.depth(f) + 8 < DEPTH {
        let x = ast.var("x", 1);
        let xe = ast.var_expr(x);
        let after = ast.join(xe, e);
        let some = ast.some(after);
        let both = ast.iff(some, f);
        f = ast.all(&[Decl::one(x, nodes)], both);
        let n = ast.count(e);
        let atom = ast.int_atom(n);
        let either = ast.product(atom, nodes);
        e = ast.if_expr(f, e, either);
    }
    assert!(solve(&ast, &bounds, f, &Options::default()).is_ok());
    assert!(core(&ast, &bounds, f, &Options::default()).is_ok());
    let mut instance = Instance::new();
    instance.set(node, TupleSet::unary(bounds.universe().atoms()));
    instance.set(edge, TupleSet::empty(2));
    assert!(Evaluator::new(&ast, bounds.universe(), &instance).holds(f).is_ok());
}

#[test]
fn a_puzzle_over_constants_is_solved_not_tried_out() {
    // Ten different atoms of nine.
    let (universe, _, set) = atoms(9);
    let mut ast = Ast::new();
    let node = ast.relation("Node", 1);
    let mut bounds = Bounds::new(universe);
    bounds.exact(node, set);
    let nodes = ast.rel(node);
    let vars: Vec<_> = (0..10).map(|i| ast.var(format!("x{i}"), 1)).collect();
    let exprs: Vec<_> = vars.iter().map(|&v| ast.var_expr(v)).collect();
    let mut conditions = Vec::new();
    for (i, &a) in exprs.iter().enumerate() {
        for &b in &exprs[..i] {
            let same = ast.equal(a, b);
            conditions.push(ast.not(same));
        }
    }
    // Nothing fits, and trying takes millions of bindings.
    let body = ast.and(&conditions);
    let decls: Vec<Decl> = vars.iter().map(|&v| Decl::one(v, nodes)).collect();
    let some = ast.exists(&decls, body);
    let (verdict, statistics) = solve(&ast, &bounds, some, &Options::default()).expect("a small problem");
    assert_eq!(verdict, Verdict::Unsat);
    assert!(statistics.clauses > 0);
    let instance = bounds.ground_instance().expect("all is constant");
    let answer = Evaluator::new(&ast, bounds.universe(), &instance).with_budget(1_000).holds(some);
    assert_eq!(answer, Err(EvalError::Budget { limit: 1_000 }));
}

/// `#A != #B`, `#A = #B` and their negations, over sets of three atoms each: as many instances as counting gives.
#[test]
fn counts_are_compared_in_both_polarities() {
    let (universe, _, set) = atoms(3);
    let mut ast = Ast::new();
    let (a, b) = (ast.relation("A", 1), ast.relation("B", 1));
    let mut bounds = Bounds::new(universe);
    bounds.upper(a, set.clone());
    bounds.upper(b, set);
    let (a, b) = (ast.rel(a), ast.rel(b));
    let (a, b) = (ast.count(a), ast.count(b));
    let equal = ast.compare(Compare::Eq, a, b);
    let different = ast.not(equal);
    let either = ast.iff(equal, different);
    let options = Options { symmetry: 0, ..Options::default() };
    // 1, 3, 3 and 1 sets of each size: 20 pairs of the same size among 64.
    for (formula, expected) in [(equal, 20), (different, 44), (either, 0)] {
        let mut search = Search::new(&ast, &bounds, formula, &options).expect("a small problem");
        let mut found = 0;
        while search.next().expect("a small problem").is_some() {
            found += 1;
        }
        assert_eq!(found, expected);
    }
}

#[test]
fn a_search_can_be_asked_under_assumptions() {
    let (mut ast, bounds, node, edge) = graph(3);
    let (nodes, edges) = (ast.rel(node), ast.rel(edge));
    let x = ast.var("x", 1);
    let xe = ast.var_expr(x);
    let after = ast.join(xe, edges);
    let one = ast.one(after);
    let function = ast.all(&[Decl::one(x, nodes)], one);
    let options = Options { symmetry: 0, ..Options::default() };
    let mut search = Search::new(&ast, &bounds, function, &options).expect("a small problem");
    let [a, b, c] = [Atom(0), Atom(1), Atom(2)];
    let mut ask = |assumed: &[(Relation, &[Atom], bool)]| {
        let found = search.under(assumed).expect("in time");
        found.map(|found| found.instance.get(edge).cloned().expect("a value"))
    };
    let found = ask(&[(edge, &[a, b], true), (edge, &[b, c], true)]).expect("there is one");
    assert!(found.contains(&[a, b]) && found.contains(&[b, c]) && found.len() == 3);
    assert_eq!(ask(&[(edge, &[a, b], true), (edge, &[a, c], true)]), None);
    // What is known needs no variable.
    assert_eq!(ask(&[(node, &[a], false)]), None);
    assert!(ask(&[(node, &[a], true), (edge, &[a, b], false), (edge, &[a, c], false)]).is_some());
    // Nothing of that lasts, but what is forbidden does.
    search.forbid(&[(edge, &[a, b]), (edge, &[b, c])]);
    assert!(search.under(&[(edge, &[a, b], true)]).expect("in time").is_some());
    assert_eq!(search.under(&[(edge, &[a, b], true), (edge, &[b, c], true)]).expect("in time"), None);
}
