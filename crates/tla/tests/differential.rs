//! The evaluator against a naive one: random expressions, written out as TLA+ and evaluated here by walking the tree
//! with the plainest data structures. Both must agree on every value.

use std::collections::BTreeSet;

use locus_source::Sources;
use locus_tla::check::{CheckOptions, Verdict, check};
use locus_tla::config::{Model, parse};
use locus_tla::semantic::{NoModules, Specification};
use proptest::prelude::*;

/// An expression of numbers, sets of numbers, and functions between them. Bound variables are counted from outside.
#[derive(Clone, Debug)]
enum Expr {
    Number(i64),
    Bound(usize),
    Add(Box<Expr>, Box<Expr>),
    Subtract(Box<Expr>, Box<Expr>),
    Size(Box<Set>),
    If(Box<Test>, Box<Expr>, Box<Expr>),
    /// `[x \in S |-> e][y]` if `y` is in `S`, and otherwise a number.
    Apply(Box<Set>, Box<Expr>, Box<Expr>),
    /// The same after `EXCEPT`.
    Except(Box<Set>, Box<Expr>, Box<Expr>, Box<Expr>),
    Let(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
enum Set {
    Listed(Vec<Expr>),
    Range(Box<Expr>, u8),
    Cup(Box<Set>, Box<Set>),
    Cap(Box<Set>, Box<Set>),
    Minus(Box<Set>, Box<Set>),
    Filter(Box<Set>, Box<Test>),
    Map(Box<Set>, Box<Expr>),
}

#[derive(Clone, Debug)]
enum Test {
    Less(Expr, Expr),
    Equal(Set, Set),
    In(Expr, Set),
    Subset(Set, Set),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Implies(Box<Test>, Box<Test>),
    All(Box<Set>, Box<Test>),
    Some(Box<Set>, Box<Test>),
}

impl Expr {
    fn text(&self, depth: usize) -> String {
        match self {
            Self::Number(n) if *n < 0 => format!("(-{})", -n),
            Self::Number(n) => n.to_string(),
            Self::Bound(i) if depth == 0 => (*i as i64).to_string(),
            Self::Bound(i) => format!("x{}", i % depth),
            Self::Add(a, b) => format!("({} + {})", a.text(depth), b.text(depth)),
            Self::Subtract(a, b) => format!("({} - {})", a.text(depth), b.text(depth)),
            Self::Size(s) => format!("Cardinality({})", s.text(depth)),
            Self::If(t, a, b) => {
                format!("(IF {} THEN {} ELSE {})", t.text(depth), a.text(depth), b.text(depth))
            }
            Self::Apply(s, body, at) => {
                let (s, at) = (s.text(depth), at.text(depth));
                let f = format!("[x{depth} \\in {s} |-> {}]", body.text(depth + 1));
                format!("(IF {at} \\in {s} THEN {f}[{at}] ELSE 7)")
            }
            Self::Except(s, body, at, new) => {
                let (s, at) = (s.text(depth), at.text(depth));
                let f = format!("[x{depth} \\in {s} |-> {}]", body.text(depth + 1));
                let new = new.text(depth);
                format!("(IF {at} \\in {s} THEN [{f} EXCEPT ![{at}] = @ + {new}][{at}] ELSE 7)")
            }
            Self::Let(value, body) => {
                format!("(LET x{depth} == {} IN {})", value.text(depth), body.text(depth + 1))
            }
        }
    }

    fn eval(&self, bound: &mut Vec<i64>) -> i64 {
        match self {
            Self::Number(n) => *n,
            Self::Bound(i) if bound.is_empty() => *i as i64,
            Self::Bound(i) => bound[i % bound.len()],
            Self::Add(a, b) => a.eval(bound) + b.eval(bound),
            Self::Subtract(a, b) => a.eval(bound) - b.eval(bound),
            Self::Size(s) => s.eval(bound).len() as i64,
            Self::If(t, a, b) => {
                if t.eval(bound) {
                    a.eval(bound)
                } else {
                    b.eval(bound)
                }
            }
            Self::Apply(s, body, at) => {
                let at = at.eval(bound);
                if s.eval(bound).contains(&at) { with(bound, at, |bound| body.eval(bound)) } else { 7 }
            }
            Self::Except(s, body, at, new) => {
                let at = at.eval(bound);
                if !s.eval(bound).contains(&at) {
                    return 7;
                }
                with(bound, at, |bound| body.eval(bound)) + new.eval(bound)
            }
            Self::Let(value, body) => {
                let value = value.eval(bound);
                with(bound, value, |bound| body.eval(bound))
            }
        }
    }
}

fn with<T>(bound: &mut Vec<i64>, value: i64, work: impl FnOnce(&mut Vec<i64>) -> T) -> T {
    bound.push(value);
    let result = work(bound);
    bound.pop();
    result
}

impl Set {
    fn text(&self, depth: usize) -> String {
        match self {
            Self::Listed(items) => {
                format!("{{{}}}", items.iter().map(|i| i.text(depth)).collect::<Vec<_>>().join(", "))
            }
            Self::Range(lo, size) => {
                let lo = lo.text(depth);
                format!("(({lo})..(({lo}) + {size} - 1))")
            }
            Self::Cup(a, b) => format!("({} \\cup {})", a.text(depth), b.text(depth)),
            Self::Cap(a, b) => format!("({} \\cap {})", a.text(depth), b.text(depth)),
            Self::Minus(a, b) => format!("({} \\ {})", a.text(depth), b.text(depth)),
            Self::Filter(s, t) => format!("{{x{depth} \\in {} : {}}}", s.text(depth), t.text(depth + 1)),
            Self::Map(s, e) => format!("{{{} : x{depth} \\in {}}}", e.text(depth + 1), s.text(depth)),
        }
    }

    fn eval(&self, bound: &mut Vec<i64>) -> BTreeSet<i64> {
        match self {
            Self::Listed(items) => items.iter().map(|i| i.eval(bound)).collect(),
            Self::Range(lo, size) => {
                let lo = lo.eval(bound);
                (lo..lo + i64::from(*size)).collect()
            }
            Self::Cup(a, b) => a.eval(bound).union(&b.eval(bound)).copied().collect(),
            Self::Cap(a, b) => a.eval(bound).intersection(&b.eval(bound)).copied().collect(),
            Self::Minus(a, b) => a.eval(bound).difference(&b.eval(bound)).copied().collect(),
            Self::Filter(s, t) => {
                let set = s.eval(bound);
                set.into_iter().filter(|x| with(bound, *x, |bound| t.eval(bound))).collect()
            }
            Self::Map(s, e) => {
                let set = s.eval(bound);
                set.into_iter().map(|x| with(bound, x, |bound| e.eval(bound))).collect()
            }
        }
    }
}

impl Test {
    fn text(&self, depth: usize) -> String {
        match self {
            Self::Less(a, b) => format!("({} < {})", a.text(depth), b.text(depth)),
            Self::Equal(a, b) => format!("({} = {})", a.text(depth), b.text(depth)),
            Self::In(a, s) => format!("({} \\in {})", a.text(depth), s.text(depth)),
            Self::Subset(a, b) => format!("({} \\subseteq {})", a.text(depth), b.text(depth)),
            Self::Not(t) => format!("(~{})", t.text(depth)),
            Self::And(a, b) => format!("({} /\\ {})", a.text(depth), b.text(depth)),
            Self::Implies(a, b) => format!("({} => {})", a.text(depth), b.text(depth)),
            Self::All(s, t) => format!("(\\A x{depth} \\in {} : {})", s.text(depth), t.text(depth + 1)),
            Self::Some(s, t) => format!("(\\E x{depth} \\in {} : {})", s.text(depth), t.text(depth + 1)),
        }
    }

    fn eval(&self, bound: &mut Vec<i64>) -> bool {
        match self {
            Self::Less(a, b) => a.eval(bound) < b.eval(bound),
            Self::Equal(a, b) => a.eval(bound) == b.eval(bound),
            Self::In(a, s) => s.eval(bound).contains(&a.eval(bound)),
            Self::Subset(a, b) => a.eval(bound).is_subset(&b.eval(bound)),
            Self::Not(t) => !t.eval(bound),
            Self::And(a, b) => a.eval(bound) & b.eval(bound),
            Self::Implies(a, b) => !a.eval(bound) | b.eval(bound),
            Self::All(s, t) => {
                let set = s.eval(bound);
                set.into_iter().all(|x| with(bound, x, |bound| t.eval(bound)))
            }
            Self::Some(s, t) => {
                let set = s.eval(bound);
                set.into_iter().any(|x| with(bound, x, |bound| t.eval(bound)))
            }
        }
    }
}

fn expr(depth: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![(-3_i64..6).prop_map(Expr::Number), (0_usize..4).prop_map(Expr::Bound)];
    if depth == 0 {
        return leaf.boxed();
    }
    let e = move || expr(depth - 1).prop_map(Box::new);
    let s = move || set(depth - 1).prop_map(Box::new);
    prop_oneof![
        2 => leaf,
        2 => (e(), e()).prop_map(|(a, b)| Expr::Add(a, b)),
        1 => (e(), e()).prop_map(|(a, b)| Expr::Subtract(a, b)),
        1 => s().prop_map(Expr::Size),
        1 => (test(depth - 1).prop_map(Box::new), e(), e()).prop_map(|(t, a, b)| Expr::If(t, a, b)),
        2 => (s(), e(), e()).prop_map(|(s, b, a)| Expr::Apply(s, b, a)),
        1 => (s(), e(), e(), e()).prop_map(|(s, b, a, n)| Expr::Except(s, b, a, n)),
        2 => (e(), e()).prop_map(|(a, b)| Expr::Let(a, b)),
    ]
    .boxed()
}

fn set(depth: u32) -> BoxedStrategy<Set> {
    let leaf = prop::collection::vec(expr(0), 0..4).prop_map(Set::Listed);
    if depth == 0 {
        return leaf.boxed();
    }
    let s = move || set(depth - 1).prop_map(Box::new);
    prop_oneof![
        2 => leaf,
        2 => (expr(depth - 1).prop_map(Box::new), 0_u8..5).prop_map(|(lo, n)| Set::Range(lo, n)),
        1 => (s(), s()).prop_map(|(a, b)| Set::Cup(a, b)),
        1 => (s(), s()).prop_map(|(a, b)| Set::Cap(a, b)),
        1 => (s(), s()).prop_map(|(a, b)| Set::Minus(a, b)),
        1 => (s(), test(depth - 1).prop_map(Box::new)).prop_map(|(s, t)| Set::Filter(s, t)),
        1 => (s(), expr(depth - 1).prop_map(Box::new)).prop_map(|(s, e)| Set::Map(s, e)),
    ]
    .boxed()
}

fn test(depth: u32) -> BoxedStrategy<Test> {
    let leaf = (expr(0), expr(0)).prop_map(|(a, b)| Test::Less(a, b));
    if depth == 0 {
        return leaf.boxed();
    }
    let t = move || test(depth - 1).prop_map(Box::new);
    let s = move || set(depth - 1);
    prop_oneof![
        (expr(depth - 1), expr(depth - 1)).prop_map(|(a, b)| Test::Less(a, b)),
        (s(), s()).prop_map(|(a, b)| Test::Equal(a, b)),
        (expr(depth - 1), s()).prop_map(|(a, b)| Test::In(a, b)),
        (s(), s()).prop_map(|(a, b)| Test::Subset(a, b)),
        t().prop_map(Test::Not),
        (t(), t()).prop_map(|(a, b)| Test::And(a, b)),
        (t(), t()).prop_map(|(a, b)| Test::Implies(a, b)),
        (s().prop_map(Box::new), t()).prop_map(|(s, t)| Test::All(s, t)),
        (s().prop_map(Box::new), t()).prop_map(|(s, t)| Test::Some(s, t)),
    ]
    .boxed()
}

/// Evaluates an expression as an invariant of a machine that counts, so that nothing is folded as a constant: the
/// expression is `Value(c)` with the variable `c` as its first bound variable.
fn holds(text: &str, expected: &[i64]) -> Result<(), String> {
    let sources = Sources::new();
    let values: Vec<String> =
        expected.iter().map(|n| if *n < 0 { format!("(-{})", -n) } else { n.to_string() }).collect();
    let module = format!(
        "---- MODULE Spec ----\nEXTENDS Integers, FiniteSets\nVARIABLE c\nValue(x0) == {text}\n\
         Init == c = 0\nNext == c < 2 /\\ c' = c + 1\nRight == Value(c) = <<{}>>[c + 1]\n====",
        values.join(", ")
    );
    let file = sources.add("Spec.tla", module.clone());
    let loaded = Specification::load(&sources, &file, &NoModules, locus_tla::standard::text);
    let Some(mut specification) = loaded.specification else {
        return Err(format!("{:?}\n{module}", loaded.findings));
    };
    let file = sources.add("Spec.cfg", "INIT Init NEXT Next INVARIANT Right CHECK_DEADLOCK FALSE");
    let tree = parse(file.id(), file.text()).tree.expect("a configuration");
    let (model, _) = Model::resolve(&tree, &mut specification, &sources, file.id());
    let result = check(&sources, &specification, &model, &CheckOptions::default());
    if result.verdict == Verdict::Ok && result.distinct == 3 {
        return Ok(());
    }
    Err(format!("{}\n{module}", result.message))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn the_evaluator_agrees_with_a_naive_one(expr in expr(3)) {
        let expected: Vec<i64> = (0..3).map(|c| expr.eval(&mut vec![c])).collect();
        if let Err(message) = holds(&expr.text(1), &expected) {
            return Err(TestCaseError::fail(message));
        }
    }
}
