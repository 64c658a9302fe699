//! Whole models at random, against a definition that shares nothing with the engine.
//!
//! Each model has two signatures, a field of each, facts and a command in a scope of 2, so that all its instances can
//! be tried. Compared are: the number of instances with symmetry off, the verdict with it on, whether a check that
//! holds says nothing, and every fact on the instance that was found.
#![expect(clippy::trivially_copy_pass_by_ref, reason = "a case is handed down like any other model")]

mod tiny;

use std::fmt::Write;

use locus_alloy::{Answer, Model, NoFiles, Options, Verdict};
use locus_source::Sources;
use tiny::{ATOMS, Case, Formula, Pairs, Set, has, holds, many, table};

const MODELS: u64 = 2000;

/// Numbers that look random and are always the same (the generator is splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((x ^ (x >> 31)) >> 33).expect("31 bits") % limit
    }

    fn of<T: Copy>(&mut self, these: &[T]) -> T {
        these[self.below(these.len())]
    }

    fn set(&mut self, depth: usize, bound: usize) -> Set {
        if depth == 0 || self.below(3) == 0 {
            let pick = self.below(2 + bound);
            return match pick {
                0 => Set::A,
                1 => Set::B,
                v => Set::Var(v - 2),
            };
        }
        let depth = depth - 1;
        match self.below(8) {
            0..=2 => {
                let op = self.of(&['+', '-', '&']);
                Set::Both(op, Box::new(self.set(depth, bound)), Box::new(self.set(depth, bound)))
            }
            3 | 4 => Set::Join(Box::new(self.set(depth, bound)), Box::new(self.pairs(depth, bound))),
            5 => Set::JoinBack(Box::new(self.pairs(depth, bound)), Box::new(self.set(depth, bound))),
            6 => {
                Set::Those(bound, Box::new(self.set(depth, bound)), Box::new(self.formula(depth, bound + 1)))
            }
            _ => Set::Either(
                Box::new(self.formula(depth, bound)),
                Box::new(self.set(depth, bound)),
                Box::new(self.set(depth, bound)),
            ),
        }
    }

    fn pairs(&mut self, depth: usize, bound: usize) -> Pairs {
        if depth == 0 || self.below(3) == 0 {
            return if self.below(2) == 0 { Pairs::F } else { Pairs::G };
        }
        let depth = depth - 1;
        let mut one = || Box::new(self.pairs(depth, bound));
        let (r, s) = (one(), one());
        let mut set = || Box::new(self.set(depth, bound));
        let (x, y) = (set(), set());
        match self.below(11) {
            0 => Pairs::Turned(r),
            1 => Pairs::Closure(r),
            2 => Pairs::Reachable(x, r),
            3..=5 => Pairs::Both(self.of(&['+', '-', '&']), r, s),
            6 => Pairs::Override(r, s),
            7 => Pairs::Join(r, s),
            8 => Pairs::Product(x, y),
            9 => Pairs::From(x, r),
            _ => Pairs::To(r, x),
        }
    }

    fn formula(&mut self, depth: usize, bound: usize) -> Formula {
        let inner = depth.saturating_sub(1);
        match self.below(if depth == 0 { 5 } else { 10 }) {
            0 => Formula::Many(self.of(&["no", "some", "lone", "one"]), self.set(inner, bound)),
            1 => Formula::ManyPairs(self.of(&["no", "some", "lone", "one"]), self.pairs(inner, bound)),
            2 => {
                let op = self.of(&["in", "!in", "=", "!="]);
                Formula::Compare(op, self.set(inner, bound), self.set(inner, bound))
            }
            3 => {
                let op = self.of(&["in", "!in", "=", "!="]);
                Formula::ComparePairs(op, self.pairs(inner, bound), self.pairs(inner, bound))
            }
            4 => {
                let number = self.of(&[0, 1, 2, 3]);
                Formula::Size(self.set(inner, bound), self.of(&["<", ">", "="]), number)
            }
            5 => Formula::Not(Box::new(self.formula(inner, bound))),
            6 => {
                let op = self.of(&["and", "or", "=>", "<=>"]);
                Formula::Both(op, Box::new(self.formula(inner, bound)), Box::new(self.formula(inner, bound)))
            }
            7 | 8 => {
                let word = self.of(&["all", "all", "some", "no", "lone", "one"]);
                Formula::Each(word, bound, self.set(inner, bound), Box::new(self.formula(inner, bound + 1)))
            }
            _ => {
                let word = self.of(&["all", "some", "no"]);
                Formula::Pair(word, bound, self.set(inner, bound), Box::new(self.formula(inner, bound + 2)))
            }
        }
    }
}

/// How the second signature stands to the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Apart,
    Extends,
    Subset,
}

/// A field: the word of its multiplicity, and whether it leads to the first signature.
type Field = (&'static str, bool);

struct Sample {
    kind: Kind,
    mult_a: &'static str,
    exact_a: bool,
    f: Field,
    g: Field,
    of_a: Option<Formula>,
    facts: Vec<Formula>,
    /// With a parameter in the first signature.
    predicate: bool,
    check: bool,
    goal: Formula,
}

impl Sample {
    fn new(random: &mut Random) -> Self {
        let mults = ["set", "lone", "some", "one"];
        let kind = random.of(&[Kind::Apart, Kind::Extends, Kind::Subset]);
        let predicate = random.below(4) == 0;
        let count = random.below(3);
        Self {
            kind,
            mult_a: if kind == Kind::Apart { random.of(&["", "", "some", "lone", "one"]) } else { "" },
            exact_a: random.below(4) == 0,
            f: (random.of(&mults), random.below(2) == 0),
            g: (random.of(&mults), random.below(2) == 0),
            of_a: (random.below(3) == 0).then(|| random.formula(2, 1)),
            facts: (0..count).map(|_| random.formula(3, 0)).collect(),
            predicate,
            check: !predicate && random.below(2) == 0,
            goal: random.formula(3, usize::from(predicate)),
        }
    }

    /// `exactly` would contradict these words.
    fn exact_a(&self) -> bool {
        self.exact_a && !matches!(self.mult_a, "lone" | "one")
    }

    fn text(&self) -> String {
        let to = |first: bool| if first { "A" } else { "B" };
        let mut out = String::new();
        let (f, g) = (self.f, self.g);
        let _ = write!(out, "{} sig A {{ f: {} {} }}", self.mult_a, f.0, to(f.1));
        if let Some(formula) = &self.of_a {
            let _ = write!(out, " {{ {} }}", formula.text_of_this());
        }
        let above = match self.kind {
            Kind::Apart => "",
            Kind::Extends => "extends A ",
            Kind::Subset => "in A ",
        };
        let _ = writeln!(out, "\nsig B {above}{{ g: {} {} }}", g.0, to(g.1));
        for fact in &self.facts {
            let _ = writeln!(out, "fact {{ {} }}", fact.text());
        }
        let goal = self.goal.text();
        let _ = match (self.predicate, self.check) {
            (true, _) => write!(out, "pred p [x0: A] {{ {goal} }}\nrun p"),
            (_, true) => write!(out, "check {{ {goal} }}"),
            (_, false) => write!(out, "run {{ {goal} }}"),
        };
        out.push_str(" for 2");
        if self.exact_a() {
            out.push_str(" but exactly 2 A");
        }
        out
    }

    /// Whether the declarations allow a case, apart from the atoms of signatures.
    fn declared(&self, case: &Case) -> bool {
        let field = |(word, first): Field, owners: u8, pairs: u16| {
            let others = if first { case.a } else { case.b };
            pairs & !table(|i, j| has(owners, i) && has(others, j)) == 0
                && (0..ATOMS)
                    .filter(|&i| has(owners, i))
                    .all(|i| many(word, (0..ATOMS).map(|j| u32::from(holds(pairs, i, j))).sum()))
        };
        field(self.f, case.a, case.f) && field(self.g, case.b, case.g)
    }

    fn facts_hold(&self, case: &Case) -> bool {
        let each = |formula: &Formula| {
            (0..ATOMS).filter(|&i| has(case.a, i)).all(|i| formula.value(case, &mut vec![i]))
        };
        self.of_a.as_ref().is_none_or(each) && self.facts.iter().all(|fact| fact.value(case, &mut Vec::new()))
    }

    fn goal_holds(&self, case: &Case) -> bool {
        if self.predicate {
            (0..ATOMS).filter(|&i| has(case.a, i)).any(|i| self.goal.value(case, &mut vec![i]))
        } else {
            self.goal.value(case, &mut Vec::new()) != self.check
        }
    }

    /// How many cases satisfy the facts, and how many the goal as well.
    fn count(&self) -> (usize, usize) {
        let (mut with_facts, mut with_goal) = (0, 0);
        for a in 0..4_u8 {
            let limit = if matches!(self.mult_a, "lone" | "one") { 1 } else { 3 };
            if a > limit || !many(self.mult_a, a.count_ones()) || (self.exact_a() && a != 3) {
                continue;
            }
            for b in 0..4_u8 {
                let b = if self.kind == Kind::Apart { b << 2 } else { b };
                if self.kind != Kind::Apart && b & !a != 0 {
                    continue;
                }
                for f in subsets(a, if self.f.1 { a } else { b }) {
                    for g in subsets(b, if self.g.1 { a } else { b }) {
                        let case = Case { a, b, f, g };
                        if self.declared(&case) && self.facts_hold(&case) {
                            with_facts += 1;
                            with_goal += usize::from(self.goal_holds(&case));
                        }
                    }
                }
            }
        }
        (with_facts, with_goal)
    }
}

/// All relations from one set to another.
fn subsets(from: u8, to: u8) -> Vec<u16> {
    let cells: Vec<u16> = (0..16)
        .map(|bit| 1_u16 << bit)
        .filter(|cell| cell & table(|i, j| has(from, i) && has(to, j)) != 0)
        .collect();
    let chosen = |which: u32| (0..cells.len()).filter(|i| which >> i & 1 == 1).map(|i| cells[i]).sum();
    (0..1_u32 << cells.len()).map(chosen).collect()
}

fn compare(sample: &Sample) -> Verdict {
    let text = sample.text();
    let (with_facts, with_goal) = sample.count();
    let sources = Sources::new();
    let file = sources.add("m.als", text.clone());
    let (model, findings) = Model::load(&sources, &NoFiles, file.id());
    let model = model.unwrap_or_else(|| panic!("{text}\n{findings:?}"));
    let all = Options { symmetry: 0, ..Options::default() };
    let mut instances = model.instances(0, &all).unwrap_or_else(|finding| panic!("{text}\n{finding:?}"));
    let mut count = 0;
    while instances.next().expect("there is time").is_some() {
        count += 1;
    }
    assert_eq!(count, with_goal, "instances of\n{text}");
    let outcome =
        model.execute(0, &Options::default()).unwrap_or_else(|finding| panic!("{text}\n{finding:?}"));
    assert_eq!(outcome.verdict == Verdict::Sat, with_goal > 0, "the verdict of\n{text}");
    if sample.check && outcome.verdict == Verdict::Unsat {
        assert_eq!(outcome.vacuous, Some(with_facts == 0), "whether it says nothing:\n{text}");
    }
    if let Some(instance) = &outcome.instance {
        let mut formulas: Vec<String> = sample.facts.iter().map(Formula::text).collect();
        formulas.extend(sample.of_a.as_ref().map(|formula| format!("all x0: A | {}", formula.text())));
        let goal = sample.goal.text();
        formulas.push(match (sample.predicate, sample.check) {
            (true, _) => format!("some x0: A | {goal}"),
            (_, true) => format!("not {goal}"),
            (_, false) => goal,
        });
        for formula in formulas {
            let answer = model.eval(&sources, instance, &formula);
            assert_eq!(answer, Ok(Answer::Truth(true)), "{formula} on an instance of\n{text}");
        }
    }
    outcome.verdict
}

#[test]
fn whole_models_mean_what_the_definition_says() {
    let mut sat = 0;
    for seed in 0..MODELS {
        let sample = Sample::new(&mut Random(seed << 20));
        sat += u64::from(compare(&sample) == Verdict::Sat);
    }
    assert!((MODELS / 10..MODELS * 9 / 10).contains(&sat), "{sat} have an instance: too much alike");
}
