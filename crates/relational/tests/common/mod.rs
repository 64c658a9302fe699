//! Random problems small enough to be solved by trying everything.

#![expect(dead_code, reason = "each test file uses its own part of this")]

use locus_relational::{
    Ast, Atom, Bounds, Compare, Decl, Expr, Formula, Instance, IntExpr, IntOp, Mult, Quantifier, Range,
    Relation, Tag, TupleSet, Universe, Var,
};

/// A small generator with a fixed sequence for each seed (xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

pub(crate) struct Problem {
    pub(crate) ast: Ast,
    pub(crate) bounds: Bounds,
    pub(crate) formula: Formula,
    pub(crate) plain: Vec<Atom>,
}

/// The constructs that a generator may use.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) ints: bool,
    pub(crate) higher_order: bool,
    pub(crate) symmetric: bool,
    pub(crate) order: bool,
    /// Whether fields are functions, and said to be so.
    pub(crate) functions: bool,
    /// Whether there are sums over what variables range over.
    pub(crate) sums: bool,
    pub(crate) depth: usize,
}

pub(crate) struct Generator {
    pub(crate) random: Random,
    pub(crate) ast: Ast,
    relations: Vec<Relation>,
    vars: Vec<Var>,
    shape: Shape,
    tags: u32,
    tagging: bool,
}

/// A random problem: three atoms, the integers of three bits when asked for, a handful of relations.
pub(crate) fn problem(seed: u64, shape: Shape) -> Problem {
    several(seed, shape, 1).problem
}

/// A random problem with a conjunction of several formulas, none of them tagged.
pub(crate) fn several(seed: u64, shape: Shape, count: usize) -> Several {
    let mut random = Random::new(seed);
    let mut universe = Universe::new();
    let plain: Vec<Atom> = (0..3).map(|i| universe.add(format!("a{i}"))).collect();
    let ints: Vec<Atom> =
        if shape.ints { (-4..4).map(|i| universe.add_int(i)).collect() } else { Vec::new() };
    let mut ast = Ast::new();
    let mut bounds = Bounds::new(universe);
    let mut relations = Vec::new();
    let mut open = 0;
    let mut add = |ast: &mut Ast, name: &str, all: TupleSet, random: &mut Random| {
        let relation = ast.relation(name, all.arity());
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for tuple in &all {
            if shape.symmetric {
                upper.push(tuple.to_vec());
                continue;
            }
            match random.below(4) {
                0 => {}
                1 => {
                    lower.push(tuple.to_vec());
                    upper.push(tuple.to_vec());
                }
                _ if open < 7 => {
                    open += 1;
                    upper.push(tuple.to_vec());
                }
                _ => {}
            }
        }
        bounds.bound(
            relation,
            TupleSet::from_tuples(all.arity(), lower),
            TupleSet::from_tuples(all.arity(), upper),
        );
        relations.push(relation);
    };
    let set = TupleSet::unary(plain.iter().copied());
    add(&mut ast, "A", set.clone(), &mut random);
    if !shape.symmetric {
        add(&mut ast, "B", set.clone(), &mut random);
    }
    add(&mut ast, "r", TupleSet::product(&[&set, &set]), &mut random);
    if shape.ints {
        let values = TupleSet::unary([ints[1], ints[4], ints[6]]);
        add(&mut ast, "f", TupleSet::product(&[&set, &values]), &mut random);
        add(&mut ast, "I", values, &mut random);
    }
    let mut generator =
        Generator { random, ast, relations, vars: Vec::new(), shape, tags: 0, tagging: count == 1 };
    let parts: Vec<Formula> = (0..count).map(|_| generator.formula(shape.depth)).collect();
    let mut formula = generator.ast.and(&parts);
    if shape.functions {
        let facts = generator.function_facts();
        formula = generator.ast.and(&[formula, facts]);
    }
    Several { problem: Problem { ast: generator.ast, bounds, formula, plain }, parts }
}

/// A random problem and the formulas it is the conjunction of.
pub(crate) struct Several {
    pub(crate) problem: Problem,
    pub(crate) parts: Vec<Formula>,
}

impl Generator {
    /// Every binary relation is a function from `A`, in one of the ways that a language would say it.
    fn function_facts(&mut self) -> Formula {
        let domain = self.ast.rel(self.relations[0]);
        let mut facts = Vec::new();
        for i in 0..self.relations.len() {
            let relation = self.relations[i];
            if self.ast.relation_arity(relation) != 2 {
                continue;
            }
            let (value, univ, this) = (self.ast.rel(relation), self.ast.univ(), self.ast.var("this", 1));
            facts.push(if self.random.chance(50) {
                let all = self.ast.product(domain, univ);
                self.ast.subset(value, all)
            } else {
                let first = self.ast.join(value, univ);
                self.ast.subset(first, domain)
            });
            let this_expr = self.ast.var_expr(this);
            let image = self.ast.join(this_expr, value);
            let mult = self.random.pick(&[Mult::One, Mult::Lone]);
            let body = self.ast.mult(mult, image);
            facts.push(self.ast.all(&[Decl::one(this, domain)], body));
        }
        self.ast.and(&facts)
    }

    fn decl(&mut self, depth: usize, first_order: bool) -> Decl {
        let arity = if self.random.chance(15) { 2 } else { 1 };
        let mut domain = self.expr(arity, depth.min(1));
        if arity == 1 && self.shape.ints && self.random.chance(25) {
            domain = self.ast.ints();
        }
        let range = match self.random.below(12) {
            0 if !first_order => Range::Lone,
            1 if !first_order && self.shape.higher_order => Range::Set,
            2 if !first_order && self.shape.higher_order => Range::Some,
            _ => Range::One,
        };
        let name = format!("v{}", self.vars.len());
        let var = self.ast.var(name, arity);
        Decl { var, range, domain }
    }

    /// Declares variables for the duration of `inside`.
    fn scope<T>(
        &mut self,
        depth: usize,
        first_order: bool,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> (Vec<Decl>, T) {
        let before = self.vars.len();
        let mut decls = Vec::new();
        for _ in 0..=usize::from(self.random.chance(40)) {
            let decl = self.decl(depth, first_order);
            self.vars.push(decl.var);
            decls.push(decl);
        }
        let value = inside(self);
        self.vars.truncate(before);
        (decls, value)
    }

    pub(crate) fn formula(&mut self, depth: usize) -> Formula {
        let formula = self.untagged(depth);
        if self.tagging && self.random.chance(20) {
            self.tags += 1;
            return self.ast.tagged(Tag(self.tags), formula);
        }
        formula
    }

    fn untagged(&mut self, depth: usize) -> Formula {
        if depth == 0 {
            return self.atom(0);
        }
        let d = depth - 1;
        match self.random.below(12) {
            0 | 1 => {
                let parts: Vec<Formula> = (0..2 + self.random.below(2)).map(|_| self.formula(d)).collect();
                self.ast.and(&parts)
            }
            2 | 3 => {
                let parts: Vec<Formula> = (0..2).map(|_| self.formula(d)).collect();
                self.ast.or(&parts)
            }
            4 => {
                let inner = self.formula(d);
                self.ast.not(inner)
            }
            5 => {
                let (a, b) = (self.formula(d), self.formula(d));
                self.ast.iff(a, b)
            }
            6..=9 => {
                let quantifier = self.random.pick(&[Quantifier::All, Quantifier::Some]);
                let (decls, body) = self.scope(d, false, |g| g.formula(d));
                self.ast.quantified(quantifier, &decls, body)
            }
            _ => self.atom(d),
        }
    }

    fn atom(&mut self, depth: usize) -> Formula {
        let arity = if self.random.chance(40) { 2 } else { 1 };
        match self.random.below(10) {
            0 if self.shape.order => {
                let (elements, first, next) = (self.expr(1, 0), self.expr(1, 0), self.expr(2, 0));
                self.ast.total_order(elements, first, next)
            }
            0..=3 => {
                let mult = self.random.pick(&[Mult::No, Mult::Lone, Mult::One, Mult::Some]);
                let e = self.expr(arity, depth);
                self.ast.mult(mult, e)
            }
            4 | 5 => {
                let (a, b) = (self.expr(arity, depth), self.expr(arity, depth));
                self.ast.equal(a, b)
            }
            6 | 7 if self.shape.ints => {
                let compare = self.random.pick(&[Compare::Eq, Compare::Lt, Compare::Le]);
                let (a, b) = (self.int(depth), self.int(depth));
                self.ast.compare(compare, a, b)
            }
            _ => {
                let (a, b) = (self.expr(arity, depth), self.expr(arity, depth));
                self.ast.subset(a, b)
            }
        }
    }

    fn leaf(&mut self, arity: usize) -> Expr {
        let vars: Vec<Var> = self.vars.iter().copied().filter(|&v| self.ast.var_arity(v) == arity).collect();
        if !vars.is_empty() && self.random.chance(60) {
            let var = self.random.pick(&vars);
            return self.ast.var_expr(var);
        }
        let relations: Vec<Relation> =
            self.relations.iter().copied().filter(|&r| self.ast.relation_arity(r) == arity).collect();
        if !relations.is_empty() && self.random.chance(85) {
            let relation = self.random.pick(&relations);
            return self.ast.rel(relation);
        }
        match (arity, self.random.below(3)) {
            (1, 0) => self.ast.univ(),
            (2, 0) => self.ast.iden(),
            (1, 1) if !self.shape.symmetric => self.ast.constant_expr(TupleSet::unary([Atom(1)])),
            _ => self.ast.none(arity),
        }
    }

    fn expr(&mut self, arity: usize, depth: usize) -> Expr {
        if depth == 0 || arity > 2 {
            if arity > 2 {
                let (a, b) = (self.expr(1, 0), self.expr(arity - 1, 0));
                return self.ast.product(a, b);
            }
            return self.leaf(arity);
        }
        let d = depth - 1;
        match self.random.below(16) {
            0 => {
                let (a, b) = (self.expr(arity, d), self.expr(arity, d));
                self.ast.union(&[a, b])
            }
            1 => {
                let (a, b) = (self.expr(arity, d), self.expr(arity, d));
                self.ast.intersection(&[a, b])
            }
            2 => {
                let (a, b) = (self.expr(arity, d), self.expr(arity, d));
                self.ast.difference(a, b)
            }
            3..=6 => {
                let (a, b) = self.random.pick(&[(1, arity + 1), (arity + 1, 1), (2, arity)]);
                let (a, b) = (self.expr(a, d), self.expr(b, d));
                self.ast.join(a, b)
            }
            7 if arity == 2 => {
                let (a, b) = (self.expr(1, d), self.expr(1, d));
                self.ast.product(a, b)
            }
            8 if arity == 2 => {
                let a = self.expr(2, d);
                self.ast.transpose(a)
            }
            9 if arity == 2 => {
                let a = self.expr(2, d);
                if self.random.chance(50) { self.ast.closure(a) } else { self.ast.reflexive_closure(a) }
            }
            10 => {
                let (a, b) = (self.expr(arity, d), self.expr(arity, d));
                self.ast.override_with(a, b)
            }
            11 => {
                let (s, a) = (self.expr(1, d), self.expr(arity, d));
                if self.random.chance(50) {
                    self.ast.domain_restriction(s, a)
                } else {
                    self.ast.range_restriction(a, s)
                }
            }
            12 if arity == 1 => {
                let decl = Decl { range: Range::One, ..self.decl_of(1, d) };
                self.vars.push(decl.var);
                let body = self.formula(d);
                self.vars.pop();
                self.ast.comprehension(&[decl], body)
            }
            12 => {
                let first = self.decl_of(1, d);
                self.vars.push(first.var);
                let second = self.decl_of(1, d);
                self.vars.push(second.var);
                let body = self.formula(d);
                self.vars.truncate(self.vars.len() - 2);
                self.ast.comprehension(&[first, second], body)
            }
            13 => {
                let condition = self.formula(d);
                let (a, b) = (self.expr(arity, d), self.expr(arity, d));
                self.ast.if_expr(condition, a, b)
            }
            14 if arity == 1 && self.shape.ints => {
                let int = self.int(d);
                self.ast.int_atom(int)
            }
            _ => self.leaf(arity),
        }
    }

    fn decl_of(&mut self, arity: usize, depth: usize) -> Decl {
        let domain = self.expr(arity, depth.min(1));
        let name = format!("c{}", self.vars.len());
        Decl::one(self.ast.var(name, arity), domain)
    }

    fn int(&mut self, depth: usize) -> IntExpr {
        let d = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0 => {
                let value = self.random.below(8) as i64 - 4;
                self.ast.int_const(value)
            }
            1 | 2 => {
                let arity = 1 + self.random.below(2);
                let e = self.expr(arity, d);
                self.ast.count(e)
            }
            3 => {
                let e = self.expr(1, d);
                self.ast.sum(e)
            }
            4 if self.shape.sums => {
                let (decls, body) = self.scope(d, true, |g| g.int(d));
                self.ast.sum_over(&decls, body)
            }
            5 => {
                let condition = self.formula(d);
                let (a, b) = (self.int(d), self.int(d));
                self.ast.if_int(condition, a, b)
            }
            _ => {
                let op = self.random.pick(&[
                    IntOp::Add,
                    IntOp::Sub,
                    IntOp::Mul,
                    IntOp::Div,
                    IntOp::Rem,
                    IntOp::Shl,
                    IntOp::Shr,
                    IntOp::Sha,
                ]);
                let (a, b) = (self.int(d), self.int(d));
                self.ast.int_op(op, a, b)
            }
        }
    }
}

/// All instances within bounds.
pub(crate) fn all_instances(bounds: &Bounds) -> Vec<Instance> {
    let mut instances = vec![Instance::new()];
    for (relation, bound) in bounds.relations() {
        let open = bound.upper.difference(&bound.lower);
        let mut next = Vec::new();
        for instance in &instances {
            for choice in 0..1usize << open.len() {
                let chosen = (0..open.len()).filter(|i| choice >> i & 1 == 1).map(|i| open.get(i));
                let mut extended = instance.clone();
                extended.set(relation, bound.lower.union(&TupleSet::from_tuples(open.arity(), chosen)));
                next.push(extended);
            }
        }
        instances = next;
    }
    instances
}
