//! Any bytes: no panic, no overflow, no hang.

#![allow(clippy::format_collect, reason = "texts of tests are short")]

use locus_source::{Sources, Span};
use locus_tla::config;
use locus_tla::semantic::{NoModules, Specification};
use locus_tla::syntax::{NESTING_LIMIT, parse_expression, parse_module};
use proptest::prelude::*;

fn module(body: &str) -> usize {
    let sources = Sources::new();
    let file = sources.add("M.tla", format!("---- MODULE M ----\nVARIABLE v\n{body}\n===="));
    let loaded = Specification::load(&sources, &file, &NoModules, |_| None);
    loaded.findings.len()
}

/// On a thread with the stack that Rust gives to threads, which is less than a main thread has.
fn on_small_stack(f: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, f).unwrap().join().unwrap();
    });
}

#[test]
fn nesting_just_below_the_limit_is_read() {
    on_small_stack(|| {
        let n = NESTING_LIMIT as usize - 5;
        assert_eq!(module(&format!("A == {}v{}", "(".repeat(n), ")".repeat(n))), 0);
        assert_eq!(module(&format!("A == {}v", "~".repeat(n))), 0);
        assert_eq!(module(&format!("A == {}v{}", "{".repeat(n), "}".repeat(n))), 0);
        assert_eq!(module(&format!("A == {}v", "IF v THEN v ELSE ".repeat(n))), 0);
        let lets: String = (0..n / 2).map(|i| format!("LET a{i} == v IN ")).collect();
        assert_eq!(module(&format!("A == {lets}v")), 0);
        let quantifiers: String = (0..n).map(|i| format!("\\A x{i} \\in v : ")).collect();
        assert_eq!(module(&format!("A == {quantifiers}v")), 0);
        assert_eq!(module(&format!("A == v{}", " /\\ v".repeat(900))), 0);
        assert_eq!(module(&format!("A == v{}", "[v]".repeat(900))), 0);
    });
}

#[test]
fn nesting_beyond_the_limit_is_refused() {
    on_small_stack(|| {
        for text in [
            "(",
            "~",
            "{",
            "<<",
            "[a |-> ",
            "IF v THEN v ELSE ",
            "LET a == ",
            "\\A x \\in v : ",
            "/\\ ",
            "f(",
            "v[",
            "[v EXCEPT ![",
            "CASE v -> ",
        ] {
            assert!(module(&format!("A == {}", text.repeat(100_000))) > 0, "{text}");
        }
        for text in [" \\cup v", "[v]", "'", ".a", " \\X v", " /\\ v"] {
            let long = format!("A == v{}", text.repeat(50_000));
            let errors = module(&long);
            assert!(errors > 0 || text == " \\X v", "{text}");
        }
        let modules: String = (0..10_000).map(|i| format!("---- MODULE M{i} ----\n")).collect();
        assert!(module(&modules) > 0);
        let steps: String = (0..10_000).map(|i| format!("<{i}>1. TRUE\n")).collect();
        assert!(module(&format!("THEOREM TRUE\n{steps}")) > 0);
    });
}

#[test]
fn instances_that_double_are_refused() {
    let mut body = "---- MODULE I0 ----\nVARIABLE w\nA == w\n====\n".to_owned();
    for i in 1..30 {
        let j = i - 1;
        let module = format!(
            "---- MODULE I{i} ----\nVARIABLE w\nL == INSTANCE I{j}\nR == INSTANCE I{j} WITH w <- L!A\nA == R!A\n====\n"
        );
        body.push_str(&module);
    }
    assert!(module(&format!("{body}X == INSTANCE I29 WITH w <- v")) > 0);
}

/// Large texts of every sort that could take time that grows with its square. The sizes are such that it would take
/// minutes; nothing is measured, so a slow machine does not matter.
#[test]
fn large_texts_are_read() {
    let many = |n: usize, one: fn(usize) -> String| (0..n).map(one).collect::<String>();
    assert_eq!(module(&many(50_000, |i| format!("A{i} == {i}\n"))), 0);
    assert!(module(&many(50_000, |i| format!("A{i} == B{i}\n"))) >= 50_000);
    assert_eq!(module(&format!("A == [z |-> 1{}]", many(50_000, |i| format!(", a{i} |-> v")))), 0);
    assert_eq!(
        module(&format!(
            "A(z{}) == {{z{}}}",
            many(20_000, |i| format!(", a{i}")),
            many(20_000, |i| format!(", a{i}"))
        )),
        0
    );
    let recursive = many(30_000, |i| format!(", R{i}"));
    assert_eq!(
        module(&format!("RECURSIVE Z{recursive}\nZ == 1\n{}", many(30_000, |i| format!("R{i} == 1\n")))),
        0
    );
    assert!(module(&many(20_000, |i| format!("A{i} == v''\n"))) > 0);
    assert_eq!(module(&format!("A == /\\ v\n{}", "     /\\ v\n".repeat(50_000))), 0);
    assert_eq!(module(&format!("A == LET {} IN v", many(20_000, |i| format!("l{i} == v\n")))), 0);
}

/// Texts made of what TLA+ is made of, which get further than random bytes.
fn soup() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "==",
        "A",
        "B(x)",
        "v",
        "v'",
        "/\\",
        "\\/",
        "\n/\\",
        "\n  \\/ ",
        "(",
        ")",
        "[",
        "]",
        "]_",
        "{",
        "}",
        "<<",
        ">>",
        ">>_",
        "\\in",
        "\\A",
        "\\E",
        ":",
        "::",
        ",",
        "!",
        "@",
        "|->",
        "->",
        "<-",
        "[]",
        "<>",
        "~>",
        "'",
        "-",
        "+",
        "\\X",
        "LET",
        "IN",
        "IF",
        "THEN",
        "ELSE",
        "CASE",
        "OTHER",
        "CHOOSE",
        "LAMBDA",
        "EXCEPT",
        "INSTANCE",
        "WITH",
        "LOCAL",
        "RECURSIVE",
        "CONSTANT",
        "VARIABLE",
        "ASSUME",
        "THEOREM",
        "PROOF",
        "BY",
        "<1>1.",
        "<2>",
        "QED",
        "DEF",
        "---- MODULE N ----",
        "====",
        "----",
        "WF_v",
        "SF_",
        "ENABLED",
        "UNCHANGED",
        "SUBSET",
        "1",
        "2.5",
        "\\b1",
        "\"s\"",
        "\"",
        "(*",
        "*)",
        "\\*",
        "\n",
        "é",
        "∧",
        "_",
        "f[x \\in v]",
        "I(v)",
        "M",
        "TRUE",
        "=",
        "a.b",
        "1..2",
    ]);
    prop::collection::vec(words, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in "\\PC*") {
        let sources = Sources::new();
        let file = sources.add("T.tla", text.clone());
        parse_module(file.id(), file.text());
        parse_expression(file.id(), file.text(), Span::new(0, file.text().len()));
        config::parse(file.id(), file.text());
    }

    #[test]
    fn any_soup(text in soup()) {
        module(&text);
        let sources = Sources::new();
        let file = sources.add("T.cfg", text.clone());
        config::parse(file.id(), file.text());
        let spec = sources.add("M.tla", "---- MODULE M ----\nCONSTANT A\nVARIABLE v\nB(x) == x\n====");
        let mut spec = Specification::load(&sources, &spec, &NoModules, |_| None).specification.unwrap();
        let parsed = config::parse(file.id(), file.text());
        config::Model::resolve(&parsed.tree.unwrap(), &mut spec, &sources, file.id());
    }

    /// In accepted text everything has its place: the place of a tree is within its file, and the texts of definitions
    /// are in order.
    #[test]
    fn places_are_within_the_text(text in soup()) {
        let sources = Sources::new();
        let file = sources.add("M.tla", format!("---- MODULE M ----\n{text}\n===="));
        let parsed = parse_module(file.id(), file.text());
        for finding in &parsed.findings {
            prop_assert!(finding.primary.place.span.end as usize <= file.text().len());
            file.slice(finding.primary.place.span);
        }
        if let Some(tree) = parsed.tree {
            for pair in tree.units.windows(2) {
                prop_assert!(pair[0].span.start <= pair[1].span.start);
            }
        }
    }
}
