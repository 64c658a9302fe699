//! Judgement over all worlds against the definition: every world, one by one.

mod common;

use common::{Problem, Random, Shape, problem};
use locus_relational::{Atom, AtomKind, Evaluator, Formula, Instance, TupleSet, Universe, Worlds};

/// What each atom becomes in one world: nothing, itself, another, or several.
type World = Vec<Vec<Atom>>;

/// An instance with what is not known about it.
struct Open {
    universe: Universe,
    instance: Instance,
    unknown: Vec<Atom>,
    optional: Vec<Atom>,
    /// The universe, and two more atoms of each kind after it.
    wide: Universe,
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
        Self { universe, instance, unknown, optional, wide }
    }

    fn worlds(&self) -> Worlds {
        let mut worlds = Worlds::new(&self.universe);
        self.unknown.iter().for_each(|&atom| worlds.unknown(atom));
        self.optional.iter().for_each(|&atom| worlds.optional(atom));
        worlds
    }

    /// What an atom may become.
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

const SHAPE: Shape =
    Shape { ints: true, higher_order: false, symmetric: true, order: false, functions: false, depth: 3 };

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
    assert!(missed * 3 < certain, "{certain} certain, {missed} missed");
}

#[test]
fn what_is_certain_without_integers_holds_in_every_world() {
    let (certain, missed) = compare(10_000..13_000, Shape { ints: false, ..SHAPE });
    assert!(certain > 1000, "{certain} certain, {missed} missed");
    assert!(missed * 3 < certain, "{certain} certain, {missed} missed");
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
