//! Judgement over all worlds against the definition: every world, one by one.

mod common;

use common::{Problem, Random, Shape, problem};
use locus_relational::{
    Ast, Atom, AtomKind, Decl, Evaluator, Expr, Formula, Instance, Relation, TupleSet, Universe, Worlds,
};

/// The atoms that each atom becomes in one world: none, itself, another, or several.
type World = Vec<Vec<Atom>>;

/// An instance with what is not known about it.
struct Open {
    universe: Universe,
    instance: Instance,
    unknown: Vec<Atom>,
    optional: Vec<Atom>,
    /// The universe, and two more atoms of each kind after it.
    wide: Universe,
    /// A relation that is computed in each world.
    computed: Option<Relation>,
}

/// A relation that depends on nothing but what its atoms are called, the last of them an integer.
fn computed(universe: &Universe, arity: usize) -> TupleSet {
    let plain = TupleSet::unary(universe.atoms().filter(|&atom| universe.int_value(atom).is_none()));
    let ints = TupleSet::unary(universe.ints().map(|(atom, _)| atom));
    let all = if arity == 1 { ints } else { TupleSet::product(&[&plain, &ints]) };
    let name = |tuple: &[Atom]| tuple.iter().map(|&atom| universe.label(atom)).collect::<String>();
    let some = |tuple: &&[Atom]| name(tuple).bytes().map(usize::from).sum::<usize>() % 3 == 0;
    TupleSet::from_tuples(arity, all.iter().filter(some).collect::<Vec<_>>())
}

impl Open {
    /// Makes some atoms of a random instance unknown or optional.
    fn new(seed: u64, problem: &Problem) -> Self {
        let mut random = Random::new(seed ^ 0x5eed);
        let universe = problem.bounds.universe().clone();
        let mut instance = Instance::new();
        let mut used: Vec<Atom> = universe.atoms().collect();
        for (relation, bound) in problem.bounds.relations() {
            let chosen: Vec<&[Atom]> = bound.upper.iter().filter(|_| random.chance(40)).collect();
            let tuples = TupleSet::from_tuples(bound.upper.arity(), chosen);
            used.extend_from_slice(tuples.flat());
            instance.set(relation, tuples);
        }
        let mut wide = universe.clone();
        for i in 0..2 {
            wide.add(format!("new{i}"));
            wide.add_int(17 + i);
        }
        let (mut unknown, mut optional) = (Vec::new(), Vec::new());
        for _ in 0..=random.below(2) {
            let atom = random.pick(&used);
            let kind = random.below(5);
            if kind != 2 && kind != 3 {
                unknown.push(atom);
            }
            if kind >= 2 {
                optional.push(atom);
            }
        }
        let is_int = |atom: &Atom| universe.int_value(*atom).is_some();
        let computed_of = |name: &str| {
            problem.bounds.relations().map(|(r, _)| r).find(|&r| problem.ast.relation_name(r) == name)
        };
        let chosen = match seed % 4 {
            1 => computed_of("I"),
            2 if unknown.iter().all(is_int) => computed_of("f"),
            _ => None,
        };
        if let Some(relation) = chosen {
            let all = computed(&universe, problem.ast.relation_arity(relation));
            let known = all.iter().filter(|tuple| !tuple.iter().any(|atom| unknown.contains(atom)));
            instance.set(relation, TupleSet::from_tuples(all.arity(), known.collect::<Vec<_>>()));
        }
        Self { universe, instance, unknown, optional, wide, computed: chosen }
    }

    fn worlds(&self) -> Worlds {
        let mut worlds = Worlds::new(&self.universe);
        self.unknown.iter().for_each(|&atom| worlds.unknown(atom));
        self.optional.iter().for_each(|&atom| worlds.optional(atom));
        self.computed.iter().for_each(|&relation| worlds.computed(relation));
        worlds
    }

    /// Returns the atoms that an atom may become.
    fn choices(&self, atom: Atom) -> Vec<Vec<Atom>> {
        let mut choices = Vec::new();
        let (unknown, optional) = (self.unknown.contains(&atom), self.optional.contains(&atom));
        if optional {
            choices.push(Vec::new());
        }
        if !unknown {
            choices.push(vec![atom]);
            return choices;
        }
        let is_int = |a: Atom| matches!(self.wide.kind(a), AtomKind::Int(_));
        let values: Vec<Atom> = self.wide.atoms().filter(|&other| is_int(other) == is_int(atom)).collect();
        choices.extend(values.iter().map(|&value| vec![value]));
        if optional {
            for (i, &a) in values.iter().enumerate() {
                choices.extend(values[i + 1..].iter().map(|&b| vec![a, b]));
            }
        }
        choices
    }

    fn all_worlds(&self) -> Vec<World> {
        let mut all: Vec<World> = vec![Vec::new()];
        for atom in self.universe.atoms() {
            let choices = self.choices(atom);
            let mut longer = Vec::new();
            for world in &all {
                longer
                    .extend(choices.iter().map(|choice| [&world[..], std::slice::from_ref(choice)].concat()));
            }
            all = longer;
        }
        all
    }

    /// The universe and the instance of a world.
    fn in_world(&self, world: &World) -> (Universe, Instance) {
        let mut there = vec![false; self.wide.len()];
        world.iter().flatten().for_each(|to| there[to.0 as usize] = true);
        let mut universe = Universe::new();
        let mut renamed = Vec::new();
        for atom in self.wide.atoms() {
            renamed.push(there[atom.0 as usize].then(|| match self.wide.kind(atom) {
                AtomKind::Int(value) => universe.add_int(value),
                _ => universe.add(self.wide.label(atom)),
            }));
        }
        let mut instance = Instance::new();
        for (relation, tuples) in self.instance.relations() {
            if self.computed == Some(relation) {
                instance.set(relation, computed(&universe, tuples.arity()));
                continue;
            }
            let mut found: Vec<Vec<Atom>> = Vec::new();
            for tuple in tuples {
                let columns = tuple.iter().map(|atom| &world[atom.0 as usize]);
                found.extend(columns.fold(vec![Vec::new()], |start, column| {
                    let longer = |t: &Vec<Atom>| -> Vec<Vec<Atom>> {
                        let ends = column.iter().filter_map(|to| renamed[to.0 as usize]);
                        ends.map(|end| [&t[..], &[end]].concat()).collect()
                    };
                    start.iter().flat_map(longer).collect()
                }));
            }
            instance.set(relation, TupleSet::from_tuples(tuples.arity(), found));
        }
        (universe, instance)
    }

    /// Whether a formula holds, in each world that has an answer.
    fn answers(&self, problem: &Problem, formula: Formula) -> Vec<(World, bool)> {
        let answer = |world: World| {
            let (universe, instance) = self.in_world(&world);
            let holds = Evaluator::new(&problem.ast, &universe, &instance).holds(formula).ok()?;
            Some((world, holds))
        };
        self.all_worlds().into_iter().filter_map(answer).collect()
    }

    /// Worlds are many when two atoms that stand for many integers are open.
    fn is_small(&self) -> bool {
        self.universe.atoms().map(|atom| self.choices(atom).len()).product::<usize>() <= 600
    }
}

const SHAPE: Shape = Shape {
    ints: true,
    higher_order: false,
    symmetric: true,
    order: false,
    functions: false,
    sums: true,
    depth: 3,
};

/// How often there was an answer, and how often there was none although all worlds agree.
fn compare(seeds: std::ops::Range<u64>, shape: Shape) -> (usize, usize) {
    let (mut certain, mut missed) = (0, 0);
    for seed in seeds {
        let problem = problem(seed, Shape { depth: 1 + seed as usize % shape.depth, ..shape });
        let open = Open::new(seed, &problem);
        if !open.is_small() {
            continue;
        }
        let worlds = open.worlds();
        let mut evaluator = Evaluator::new(&problem.ast, &open.universe, &open.instance).with_worlds(&worlds);
        let truth = evaluator.truth(problem.formula).expect("a small formula");
        let answers = open.answers(&problem, problem.formula);
        let agreed = answers.first().filter(|(_, first)| answers.iter().all(|(_, holds)| holds == first));
        if let Some(value) = truth {
            let wrong = answers.iter().find(|(_, holds)| *holds != value);
            assert!(
                wrong.is_none(),
                "seed {seed}: {value} is wrong in {wrong:?}\n{}\nunknown {:?} optional {:?}\n{}",
                problem.ast.show_formula(problem.formula),
                open.unknown,
                open.optional,
                open.instance.show(&problem.ast, &open.universe)
            );
            certain += 1;
        } else if agreed.is_some() {
            missed += 1;
        }
    }
    (certain, missed)
}

#[test]
fn what_is_certain_holds_in_every_world() {
    let (certain, missed) = compare(0..3000, SHAPE);
    assert!(certain > 1000, "{certain} certain, {missed} missed");
    assert!(missed * 20 < certain, "{certain} certain, {missed} missed");
}

#[test]
fn what_is_certain_without_integers_holds_in_every_world() {
    let (certain, missed) = compare(10_000..13_000, Shape { ints: false, ..SHAPE });
    assert!(certain > 1000, "{certain} certain, {missed} missed");
    assert!(missed * 20 < certain, "{certain} certain, {missed} missed");
}

#[test]
fn settled_violations_are_violations_in_every_world() {
    let (mut settled, mut open_ones) = (0, 0);
    for seed in 20_000..24_000 {
        let problem = problem(seed, SHAPE);
        let open = Open::new(seed, &problem);
        if !open.is_small() {
            continue;
        }
        let worlds = open.worlds();
        let mut evaluator = Evaluator::new(&problem.ast, &open.universe, &open.instance).with_worlds(&worlds);
        let Ok(found) = evaluator.violations(problem.formula, 1000) else { continue };
        if found.list.is_empty() {
            continue;
        }
        let answers = open.answers(&problem, problem.formula);
        for violation in &found.list {
            if !violation.settled {
                open_ones += 1;
                continue;
            }
            settled += 1;
            let bound: Vec<Atom> = violation.bindings.iter().flat_map(|(_, t)| t.flat().to_vec()).collect();
            let assumed: Vec<Atom> = open.optional.iter().copied().filter(|a| bound.contains(a)).collect();
            for (world, holds) in &answers {
                if assumed.iter().all(|atom| !world[atom.0 as usize].is_empty()) {
                    assert!(
                        !holds,
                        "seed {seed}: {violation:?} in {world:?}\n{}\nunknown {:?} optional {:?}\n{}",
                        problem.ast.show_formula(problem.formula),
                        open.unknown,
                        open.optional,
                        open.instance.show(&problem.ast, &open.universe)
                    );
                }
            }
        }
    }
    assert!(settled > 500 && open_ones > 500, "{settled} settled, {open_ones} open");
}

/// Sets and relations over two known atoms, an unknown one, an optional one, and one that stands for many.
struct Small {
    universe: Universe,
    ast: Ast,
    instance: Instance,
    worlds: Worlds,
    atoms: Vec<Atom>,
}

impl Small {
    fn new() -> Self {
        let mut universe = Universe::new();
        let atoms: Vec<Atom> =
            ["a", "b", "unknown", "optional", "many"].map(|name| universe.add(name)).to_vec();
        for n in [1, 2, 1000] {
            universe.add_int(n);
        }
        let mut worlds = Worlds::new(&universe);
        worlds.unknown(atoms[2]);
        worlds.optional(atoms[3]);
        worlds.unknown(atoms[4]);
        worlds.optional(atoms[4]);
        worlds.unknown(universe.int(1000).expect("it was added"));
        Self { universe, ast: Ast::new(), instance: Instance::new(), worlds, atoms }
    }

    /// A relation with tuples written as words: `a`, `b`, `u`, `o`, `m`, `1`, `2`, `?`.
    fn rel(&mut self, arity: usize, tuples: &str) -> Expr {
        let atom = |sign: char| match sign {
            '1' | '2' => self.universe.int(i64::from(sign.to_digit(10).unwrap_or(0))).expect("it was added"),
            '?' => self.universe.int(1000).expect("it was added"),
            _ => self.atoms["abuom".find(sign).expect("an atom")],
        };
        let tuples: Vec<Vec<Atom>> =
            tuples.split_whitespace().map(|word| word.chars().map(atom).collect()).collect();
        let relation = self.ast.relation(format!("r{}", self.ast.relations().len()), arity);
        self.instance.set(relation, TupleSet::from_tuples(arity, tuples));
        self.ast.rel(relation)
    }

    fn truth(&self, formula: Formula) -> Option<bool> {
        let mut evaluator =
            Evaluator::new(&self.ast, &self.universe, &self.instance).with_worlds(&self.worlds);
        evaluator.truth(formula).expect("a small formula")
    }

    /// Whether a set is equal to another, written out.
    fn is(&mut self, value: Expr, arity: usize, tuples: &str) -> Option<bool> {
        let other = self.rel(arity, tuples);
        let equal = self.ast.equal(value, other);
        self.truth(equal)
    }

    /// Whether a tuple is in a set.
    fn has(&mut self, value: Expr, tuple: &str) -> Option<bool> {
        let other = self.rel(tuple.len(), tuple);
        let inside = self.ast.subset(other, value);
        self.truth(inside)
    }
}

#[test]
fn equality_and_membership() {
    let mut small = Small::new();
    let (a, u, o) = (small.rel(1, "a"), small.rel(1, "u"), small.rel(1, "o"));
    assert_eq!(small.is(a, 1, "a"), Some(true));
    assert_eq!(small.is(a, 1, "b"), Some(false));
    assert_eq!(small.is(u, 1, "u"), Some(true), "the same unknown is the same");
    assert_eq!(small.is(u, 1, "a"), None);
    assert_eq!(small.is(u, 1, "a b"), Some(false), "one is not two");
    assert_eq!(small.is(u, 1, "1"), Some(false), "it is no integer");
    assert_eq!(small.is(o, 1, "o"), Some(true));
    assert_eq!(small.is(o, 1, "a"), Some(false), "there or not, it is no other");
    assert_eq!(small.is(o, 1, ""), None);
    assert_eq!(small.has(a, "u"), None);
    assert_eq!(small.has(a, "o"), None, "what is not there is in anything");
    let m = small.rel(1, "m");
    assert_eq!(small.is(m, 1, "m"), Some(true));
    assert_eq!(small.is(m, 1, "a b"), None);
    assert_eq!(small.is(m, 1, "1"), Some(false));
}

#[test]
fn operators_on_sets() {
    let mut small = Small::new();
    let (au, b, bo, ab) = (small.rel(1, "a u"), small.rel(1, "b"), small.rel(1, "b o"), small.rel(1, "a b"));
    let union = small.ast.union(&[au, b]);
    assert_eq!(small.has(union, "b"), Some(true));
    assert_eq!(small.has(union, "u"), Some(true));
    let both = small.ast.intersection(&[au, b]);
    assert_eq!((small.has(both, "b"), small.has(both, "a")), (None, Some(false)));
    let both = small.ast.intersection(&[bo, ab]);
    assert_eq!(small.is(both, 1, "b"), Some(true));
    let rest = small.ast.difference(ab, au);
    assert_eq!((small.has(rest, "a"), small.has(rest, "b")), (Some(false), None));
    let rest = small.ast.difference(bo, b);
    assert_eq!((small.is(rest, 1, "o"), small.has(rest, "b")), (Some(true), Some(false)));
    let product = small.ast.product(au, b);
    assert_eq!((small.has(product, "ab"), small.has(product, "ub")), (Some(true), Some(true)));
    assert_eq!((small.has(product, "bb"), small.has(product, "aa")), (None, Some(false)));
}

#[test]
fn operators_on_relations() {
    let mut small = Small::new();
    let (a, u) = (small.rel(1, "a"), small.rel(1, "u"));
    let r = small.rel(2, "a1 u2 ob");
    let image = small.ast.join(a, r);
    assert_eq!((small.has(image, "1"), small.has(image, "2")), (Some(true), None));
    let image = small.ast.join(u, r);
    assert_eq!((small.has(image, "2"), small.has(image, "1")), (Some(true), None));
    let turned = small.ast.transpose(r);
    assert_eq!((small.has(turned, "1a"), small.has(turned, "2b")), (Some(true), None));
    let s = small.rel(2, "ab bu");
    let closure = small.ast.closure(s);
    assert_eq!((small.has(closure, "au"), small.has(closure, "ba")), (Some(true), None));
    let through = small.rel(2, "ao ob");
    let closure = small.ast.closure(through);
    assert_eq!((small.has(closure, "ab"), small.has(closure, "ba")), (None, Some(false)));
    let reflexive = small.ast.reflexive_closure(s);
    assert_eq!((small.has(reflexive, "aa"), small.has(reflexive, "uu")), (Some(true), Some(true)));
    let t = small.rel(2, "a2");
    let changed = small.ast.override_with(r, t);
    assert_eq!(
        (small.has(changed, "a2"), small.has(changed, "u2"), small.has(changed, "a1")),
        (Some(true), None, Some(false))
    );
    let domain = small.ast.domain_restriction(a, r);
    assert_eq!((small.has(domain, "a1"), small.has(domain, "a2")), (Some(true), None));
    let one = small.rel(1, "1");
    let range = small.ast.range_restriction(r, one);
    assert_eq!(small.is(range, 2, "a1"), Some(true));
}

#[test]
fn counts_and_numbers() {
    let mut small = Small::new();
    let count = |small: &mut Small, tuples: &str, n: i64| {
        let set = small.rel(1, tuples);
        let (count, n) = (small.ast.count(set), small.ast.int_const(n));
        let (equal, less) = (
            small.ast.compare(locus_relational::Compare::Eq, count, n),
            small.ast.compare(locus_relational::Compare::Lt, count, n),
        );
        (small.truth(equal), small.truth(less))
    };
    assert_eq!(count(&mut small, "a b", 2), (Some(true), Some(false)));
    assert_eq!(count(&mut small, "a u", 2), (None, None));
    assert_eq!(count(&mut small, "a 1 u ?", 5), (Some(false), Some(true)));
    assert_eq!(count(&mut small, "1 u", 2), (Some(true), Some(false)));
    assert_eq!(count(&mut small, "a o", 3), (Some(false), Some(true)));
    assert_eq!(count(&mut small, "a m", 1000), (None, None));
    let (known, open) = (small.rel(1, "1 2"), small.rel(1, "1 ?"));
    let (known, open, three) = (small.ast.sum(known), small.ast.sum(open), small.ast.int_const(3));
    let known = small.ast.compare(locus_relational::Compare::Eq, known, three);
    let open = small.ast.compare(locus_relational::Compare::Eq, open, three);
    assert_eq!((small.truth(known), small.truth(open)), (Some(true), None));
    let mut some_and_one = |tuples: &str| {
        let set = small.rel(1, tuples);
        let (some, one) = (small.ast.some(set), small.ast.one(set));
        (small.truth(some), small.truth(one))
    };
    assert_eq!(some_and_one("u"), (Some(true), Some(true)));
    assert_eq!(some_and_one("o"), (None, None));
    assert_eq!(some_and_one("m"), (None, None));
    assert_eq!(some_and_one("a b o"), (Some(true), Some(false)));
}

#[test]
fn quantifiers_take_what_they_range_over_to_be_there() {
    let mut small = Small::new();
    let (all, r) = (small.rel(1, "a o"), small.rel(2, "a1 o2"));
    let x = small.ast.var("x", 1);
    let value = small.ast.var_expr(x);
    let image = small.ast.join(value, r);
    let some = small.ast.some(image);
    let every = small.ast.all(&[Decl::one(x, all)], some);
    assert_eq!(small.truth(every), Some(true), "where `o` is there, so is its tuple");
    let two = small.rel(1, "2");
    let is_two = small.ast.equal(image, two);
    let (every, any) =
        (small.ast.all(&[Decl::one(x, all)], is_two), small.ast.exists(&[Decl::one(x, all)], is_two));
    assert_eq!((small.truth(every), small.truth(any)), (Some(false), None));
    let set = small.ast.comprehension(&[Decl::one(x, all)], is_two);
    assert_eq!(small.is(set, 1, "o"), Some(true));
    let many = small.rel(1, "m");
    let inside = small.ast.subset(value, many);
    let every = small.ast.all(&[Decl::one(x, many)], inside);
    assert_eq!(small.truth(every), Some(true));
    let all_of_it = small.ast.subset(many, value);
    let every = small.ast.all(&[Decl::one(x, many)], all_of_it);
    assert_eq!(small.truth(every), None, "there may be more than one");
}

#[test]
fn work_is_limited() {
    let mut small = Small::new();
    let (a, b) = (small.rel(1, "a u o"), small.rel(1, "b u m"));
    let equal = small.ast.equal(a, b);
    small.worlds = small.worlds.clone().with_steps(3, 3);
    assert_eq!(small.truth(equal), None);
}
