//! The grammar: what is read how, and what is said about what cannot be read.

mod common;

use common::findings;
use locus_alloy::ast::{Expr, ExprKind};
use locus_source::Sources;

/// An expression with all its parentheses.
fn shape(e: &Expr) -> String {
    let all = |parts: &[Expr]| parts.iter().map(shape).collect::<Vec<_>>().join(" ");
    match &e.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::IntMin | ExprKind::IntMax | ExprKind::IntNext => format!("{:?}", e.kind),
        ExprKind::Unary(op, a) => format!("({op:?} {})", shape(a)),
        ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", shape(a), shape(b)),
        ExprKind::List(op, parts) => format!("({op:?} {})", all(parts)),
        ExprKind::Box(a, args) => format!("{}[{}]", shape(a), all(args)),
        ExprKind::Block(parts) => format!("{{{}}}", all(parts)),
        ExprKind::IfElse(a, b, c) => format!("(if {} {} {})", shape(a), shape(b), shape(c)),
        ExprKind::Let(name, a, b) => format!("(let {} {} {})", name.text, shape(a), shape(b)),
        ExprKind::Quant(quant, decls, body) => {
            let decls: Vec<String> = decls
                .iter()
                .map(|d| {
                    let names: Vec<&str> = d.names.iter().map(|n| n.text.as_str()).collect();
                    format!("{}:{}", names.join(","), shape(&d.bound))
                })
                .collect();
            format!("({quant:?} {} {})", decls.join(" "), shape(body))
        }
    }
}

fn parsed(text: &str) -> String {
    let sources = Sources::new();
    match locus_alloy::parse_expression(&sources.add("e", text)) {
        Ok(e) => shape(&e),
        Err(findings) => findings[0].message.clone(),
    }
}

#[test]
fn precedence_is_that_of_alloy() {
    for (text, expected) in [
        ("a || b && c", "(Or a (And b c))"),
        ("a => b => c", "(Implies a (Implies b c))"),
        ("a => b else c => d else e", "(if a b (if c d e))"),
        ("a => b => c else d", "(Implies a (if b c d))"),
        ("a <=> b <=> c", "(Iff (Iff a b) c)"),
        ("!a && b", "(And (Not a) b)"),
        ("!a in b", "(Not (In a b))"),
        ("a !in b", "(NotIn a b)"),
        ("a not = b", "(NotEquals a b)"),
        ("no a + b", "(No (Union a b))"),
        ("a + b - c + d", "(Union (Minus (Union a b) c) d)"),
        ("a + b + c", "(Union a b c)"),
        ("#a + b", "(Union (Cardinality a) b)"),
        ("#a & b", "(Cardinality (Intersect a b))"),
        ("a ++ b & c", "(Override a (Intersect b c))"),
        ("a & b -> c", "(Intersect a (Arrow(Set, Set) b c))"),
        ("a -> b -> c", "(Arrow(Set, Set) a (Arrow(Set, Set) b c))"),
        ("a one -> lone b", "(Arrow(One, Lone) a b)"),
        ("a -> some b", "(Arrow(Set, Some) a b)"),
        ("a set -> set b", "(Arrow(Set, Set) a b)"),
        ("a -> b <: c :> d", "(Arrow(Set, Set) a (Domain b (Range c d)))"),
        ("a.b[c].d", "(Join (Join a b)[c] d)"),
        ("a.~b", "(Join a (Transpose b))"),
        ("a.^b.c", "(Join (Join a (Closure b)) c)"),
        ("*~a", "(ReflexiveClosure (Transpose a))"),
        ("a[b, c]", "a[b c]"),
        ("a = b = c", "(Equals (Equals a b) c)"),
        ("a << 1 + 2", "(ShiftLeft a (Union 1 2))"),
        ("a fun/add b fun/mul c", "(IntPlus a (Mul b c))"),
        ("fun/max > fun/min", "(Greater IntMax IntMin)"),
        ("a - 1", "(Minus a 1)"),
        ("a = -1", "(Equals a -1)"),
        ("all x: a | p && q", "(All x:a (And p q))"),
        ("p && all x: a | q || r", "(And p (All x:a (Or q r)))"),
        ("all x, y: a, disj z, w: b { p q }", "(All x,y:a z,w:b {p q})"),
        ("some x: one a | p", "(Some x:(OneOf a) p)"),
        ("sum x: a | #x", "(Sum x:a (Cardinality x))"),
        ("{ x: a, y: b | p }", "(Comprehension x:a y:b p)"),
        ("{ x: a }", "(Comprehension x:a {})"),
        ("let x = a, y = b | x + y", "(let x a (let y b (Union x y)))"),
        ("x in (some a)", "(In x (SomeOf a))"),
        ("disj[a, b, c]", "(Disjoint a b c)"),
        ("a.disj[b]", "(Disjoint a b)"),
        ("int[a] + a.sum", "(Union (Sum a) (Sum a))"),
        ("sum a", "(Sum a)"),
        ("seq/Int.f", "(Join seq/Int f)"),
        ("@f + this/x + a/b/c", "(Union @f this/x a/b/c)"),
        ("a::b", "(Join a b)"),
        ("always a until b'", "(Until (Always a) (Prime b))"),
        ("a ; b", "(And a (After b))"),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn everything_is_read() {
    let text = r#"
module every/of[exactly P, Q]
private open util/ordering[P] as ord
open util/relation
/** A kind. */
abstract sig A, B { private f: set A, disj g, h: lone B, i: disj some A, , var_: A -> one B } { some f }
one sig C extends A {} lone sig D, E extends A { } some sig F in A + B {} private sig G = A {}
private enum Colour { Red, Green }
fact "a fact" { no none } fact named { } fact { }
private pred p (x: A, y: set B) { } pred A.q [x: A] { } pred r { }
fun f1 [x: A]: set A { x } fun f2: A { A } fun A.f3: one A { this }
let m1 = A let m2[x] = x + x let m3(x, y) { x in y }
assert { no none } assert named { some univ }
run p run r for 3 run { } for 3 but exactly 2 A, 4 Int, 5 int, 2 seq, exactly 3 String expect 1
lab: check named for 2 A, 1..3 B, exactly 2..2 C, 1.. D, 3:2 E
other: run { some A } for 3
check { } run label { } run label2 p for 3
"#;
    let sources = Sources::new();
    let (file, findings) = locus_alloy::parse(&sources.add("m.als", text));
    assert_eq!(common::show(&sources, &findings), "");
    assert_eq!(file.paragraphs.len(), 28);
}

#[test]
fn a_module_may_be_named_after_what_it_opens() {
    assert_eq!(findings("open util/boolean module m open util/relation sig A {} run {}"), "");
    insta::assert_snapshot!(findings("sig A {} module m"), @"1:10 ALS002 `module` stands once, at the top of a file");
    insta::assert_snapshot!(findings("module m module n"), @"1:10 ALS002 `module` stands once, at the top of a file");
}

#[test]
fn primes_of_older_models_are_explained() {
    insta::assert_snapshot!(findings("sig A {} pred p[a, a': A] {}"), @"
    1:20 ALS002 a declared name cannot end in `'`, as `a'` does
      help: since Alloy 6, `x'` is the value of `x` in the next state; give it a name of its own, such as `x1`
    ");
    insta::assert_snapshot!(findings("sig A {} fact { all a, a'': A | a = a'' }"), @"
    1:24 ALS002 a declared name cannot end in `'`, as `a'` does
      help: since Alloy 6, `x'` is the value of `x` in the next state; give it a name of its own, such as `x1`
    ");
    insta::assert_snapshot!(findings("sig A {} fun f: A { { a': A | some a' } }"), @"
    1:23 ALS002 a declared name cannot end in `'`, as `a'` does
      help: since Alloy 6, `x'` is the value of `x` in the next state; give it a name of its own, such as `x1`
    ");
}

#[test]
fn errors_say_what_was_expected() {
    insta::assert_snapshot!(findings("sig A { f: }"), @"1:12 ALS002 expected an expression, found `}`");
    insta::assert_snapshot!(findings("sig A {} fact { some A"), @"1:23 ALS002 expected `}`, found the end of the file");
    insta::assert_snapshot!(findings("sig A {} pred p { q(A) }"), @r"
    1:19 ALS010 the name `q` is not declared
    1:20 ALS020 this must be a formula, but it is an expression of type {A}
      help: `some e` says that it has tuples, `e = f` and `e in f` compare it
    1:20 ALS045 this formula stands on the same line as the one before it, without a connective
      1:19 both are required
      help: a call has its arguments in brackets: `f[x]`
    ");
    insta::assert_snapshot!(findings("sig all {}"), @r"
    1:5 ALS002 expected a name, found `all`
      help: `all` is a word of the language; choose another name
    ");
    insta::assert_snapshot!(findings("sig A {} run {} for 3 but exactly 2 Int"), @"1:27 ALS002 the scope of `Int` is always exact; leave out `exactly`");
    insta::assert_snapshot!(findings("sig A {} open util/ordering[A]"), @"1:10 ALS002 `open` stands before all signatures, facts, predicates and commands");
    insta::assert_snapshot!(findings("sig A {} fact { A & #A = A }"), @"1:21 ALS002 `#` binds less tightly than what stands before it: put it in parentheses");
    insta::assert_snapshot!(findings("one one sig A {}"), @"1:5 ALS002 a signature has one multiplicity, and every other qualifier once");
    insta::assert_snapshot!(findings("sig A {}\nfoo bar\nsig B { f: C }\n"), @"2:1 ALS002 expected a paragraph such as `sig`, `fact`, `pred`, `fun`, `assert`, `run` or `check`, found `foo`");
}

#[test]
fn later_paragraphs_are_read_after_an_error() {
    insta::assert_snapshot!(findings("sig A { f: }\nsig B {}\nfact { some }\npred p { no B }\n"), @r"
    1:12 ALS002 expected an expression, found `}`
    3:13 ALS002 expected an expression, found `}`
    ");
}

#[test]
fn nesting_is_limited() {
    for text in [
        format!("fact {{ {}univ{} }}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("fact {{ some {}univ }}", "~".repeat(100_000)),
        format!("fact {{ {} some univ }}", "!".repeat(100_000)),
        format!("fact {{ some univ{} }}", ".iden".repeat(100_000)),
        format!("fact {{ some univ{} }}", "->univ".repeat(100_000)),
        format!("fact {{ some univ{} }}", " - univ".repeat(100_000)),
        format!("fact {{ {} }}", "some univ => ".repeat(100_000)),
        format!("fact {{ {} some univ }}", "all x: univ | ".repeat(100_000)),
        format!("fact {{ let {} x = univ | some x }}", "x = univ, ".repeat(100_000)),
        format!("fact {}", "{".repeat(100_000)),
        format!("fact {{ some iden{} }}", "[univ]".repeat(100_000)),
    ] {
        assert!(findings(&text).contains("ALS003"), "{}", &text[..60]);
    }
}

#[test]
fn nesting_within_the_limit_is_followed_through() {
    for text in [
        format!("fact {{ some {}univ{} }} run {{}}", "(".repeat(200), ")".repeat(200)),
        format!("fact {{ some {}iden }} run {{}}", "~".repeat(240)),
        format!("fact {{ {} some univ }} run {{}}", "!".repeat(240)),
        format!("fact {{ some univ{} }} run {{}}", ".iden".repeat(240)),
        format!("fact {{ {} some univ }} run {{}}", "all x: univ | ".repeat(5)),
        format!("fact {{ some univ{} }} run {{}}", " + univ".repeat(10_000)),
        format!("fact {{ some univ{} }} run {{}}", " and some univ".repeat(10_000)),
    ] {
        let (sources, model, findings) = common::load(&text);
        let model = model.unwrap_or_else(|| panic!("{}", common::show(&sources, &findings)));
        assert!(model.execute(0, &locus_alloy::Options::default()).is_ok());
    }
}

#[test]
fn calls_and_macros_are_limited() {
    let chain = |n: usize, one: &dyn Fn(usize) -> String| (1..=n).map(one).collect::<String>();
    let calls = chain(5000, &|i| format!("pred p{i}[x: A] {{ no x or not p{}[x] }}\n", i - 1));
    let wide = chain(40, &|i| format!("fun f{i}[x: A]: set A {{ f{0}[x.g] + f{0}[x.h] }}\n", i - 1));
    let macros = chain(18, &|i| format!("let m{i}[x] = {{ m{0}[x] and m{0}[x] and m{0}[x] }}\n", i - 1));
    let sigs = "sig A { g, h: one A }\n";
    for (text, code) in [
        (format!("{sigs}pred p0[x: A] {{ some x }}\n{calls}run p5000 for 2"), "ALS003"),
        (format!("{sigs}fun f0[x: A]: set A {{ x }}\n{wide}run {{ some f40[A] }} for 2"), "ALS061"),
        (format!("{sigs}let m0[x] = some x\n{macros}run {{ m18[A] }} for 2"), "ALS061"),
        (format!("sig A {{ f: A + B }} sig B {{ f: A + B }} run {{ some A{} }}", ".f".repeat(60)), "ALS061"),
    ] {
        let (sources, model, found) = common::load(&text);
        let shown = match model {
            None => common::show(&sources, &found),
            Some(model) => match model.execute(0, &locus_alloy::Options::default()) {
                Ok(outcome) => format!("{:?}", outcome.verdict),
                Err(finding) => common::show(&sources, &[*finding]),
            },
        };
        assert!(shown.contains(code), "{}: {shown}", &text[..40]);
    }
}

#[test]
fn the_deepest_calls_fit_a_small_thread() {
    let calls: Vec<String> =
        (1..=260).map(|i| format!("pred p{i}[x: A] {{ no x or not p{}[x] }}", i - 1)).collect();
    let calls = calls.join("\n");
    let text = format!("sig A {{}}\npred p0[x: A] {{ some x }}\n{calls}\nrun p260 for 2");
    let answer = std::thread::scope(|scope| {
        let work = || {
            let (sources, model, found) = common::load(&text);
            let model = model.unwrap_or_else(|| panic!("{}", common::show(&sources, &found)));
            model.execute(0, &locus_alloy::Options::default()).map(|outcome| outcome.verdict)
        };
        let thread = std::thread::Builder::new().stack_size(512 << 10).spawn_scoped(scope, work);
        thread.expect("a thread").join().expect("no overflow")
    });
    assert_eq!(answer.expect("an answer"), locus_alloy::Verdict::Sat);
}

#[test]
fn any_text_is_answered() {
    let seed = "module m[x] open util/ordering[A] as o abstract sig A { f: A one -> lone Int, g: seq A } { #f > 2 }
        one sig B in A {} fact { all disj a, b: A | a.f != b.f => some x: set A | x in a.*~g else no o/next[a] }
        pred A.p [x: A] { let y = x + this | y = { z: A | z.p[y] } } let mac[q] = q.f
        fun h: set A { mac[A].univ } assert s { \"t\" in String } check s for 3 but 2 A, 4 Int expect 0 run p";
    let pieces: Vec<&str> = seed.split_inclusive(' ').collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    for _ in 0..1500 {
        let mut text: Vec<&str> = pieces.clone();
        for _ in 0..=random(6) {
            let (a, b) = (random(text.len()), random(pieces.len()));
            match random(3) {
                0 => text[a] = pieces[b],
                1 => text.insert(a, pieces[b]),
                _ => drop(text.remove(a)),
            }
        }
        let text = text.concat();
        let cut = random(text.len());
        let text = if random(4) == 0 { text.get(..cut).unwrap_or_default() } else { &text };
        let (_, model, found) = common::load(text);
        assert!(model.is_some() || !found.is_empty(), "{text}");
        let Some(model) = model else { continue };
        let options = locus_alloy::Options {
            timeout: Some(std::time::Duration::from_millis(20)),
            ..locus_alloy::Options::default()
        };
        for index in 0..model.commands().len() {
            let _ = model.execute(index, &options);
        }
    }
}
