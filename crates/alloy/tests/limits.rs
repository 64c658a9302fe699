//! Models that are large or nest deeply in some way: answered in time that follows their size, or refused with the
//! limit.

mod common;
#[path = "../../source/tests/effort/mod.rs"]
mod effort;

use std::fmt::Write as _;
use std::time::Duration;

use locus_alloy::{Options, Verdict};

/// Far more than any of these takes, and far less than they took when that grew with the square of their size.
const LONG: Duration = Duration::from_mins(1);

#[test]
fn macros_that_double_are_refused() {
    let mut text = "sig A { r: set A }\nlet m0[x] = x + x.r\n".to_owned();
    for i in 1..12 {
        let _ = writeln!(text, "let m{i}[x] = m{}[m{}[x]]", i - 1, i - 1);
    }
    let findings = effort::within(LONG, || common::findings(&format!("{text}run {{ some m11[A] }}")));
    assert!(findings.contains("expanded, this has more than 200000 parts"), "{findings}");
    // A few of them are fine.
    assert!(!common::findings(&format!("{text}run {{ some m2[A] }}")).contains("expanded"));
}

#[test]
fn a_long_chain_of_signatures_is_no_circle() {
    let link = |i: usize| format!("sig S{i} extends S{} {{}}\n", i - 1);
    let chain = |links: &mut dyn Iterator<Item = usize>| {
        common::findings(&format!("sig S0 {{}}\n{}run {{}} for 1", links.map(link).collect::<String>()))
    };
    for (findings, named) in [(chain(&mut (1..1500)), "S1000"), (chain(&mut (1..1500).rev()), "S1499")] {
        let limit = format!("`{named}` has 1000 signatures or more above it");
        assert!(findings.contains(&limit), "{findings}");
        assert!(!findings.contains("part of itself"), "{findings}");
    }
    assert_eq!(chain(&mut (1..200)), "");
    assert_eq!(chain(&mut (1..200).rev()), "");
    assert!(common::findings("sig A extends B {} sig B extends A {}").contains("part of itself"));
}

#[test]
fn many_conjuncts_take_time_that_follows_their_number() {
    let conjuncts = vec!["some A"; 100_000].join(" and ");
    let text = format!("sig A {{}} fact {{ {conjuncts} }} run {{}} for 2");
    let verdicts = effort::within(LONG, || common::verdicts(&text, &Options::default()));
    assert_eq!(verdicts[0].1, Verdict::Sat);
}

#[test]
fn many_signatures_take_memory_that_follows_their_number() {
    let sigs: String = (0..10_000).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "sig S{i} {{}}");
        text
    });
    let text = format!("{sigs}run {{ some S7 }} for 1");
    let verdicts = effort::within(LONG, || common::verdicts(&text, &Options::default()));
    assert_eq!(verdicts[0].1, Verdict::Sat);
}

#[test]
fn signatures_that_formulas_would_have_to_keep_apart_are_counted() {
    let mut sigs = "sig P {}\n".to_owned();
    for i in 0..4000 {
        let _ = writeln!(sigs, "sig S{i} extends P {{}}");
    }
    let (_, model) = common::model(&format!("{sigs}run {{}} for 1"));
    let Err(refused) = model.execute(0, &Options::default()) else { panic!("it is too large") };
    assert!(refused.message.contains("more than 5000000 pairs of signatures"), "{}", refused.message);
}

#[test]
fn a_translation_ends_when_time_is_up() {
    let conjuncts: String = (0..20_000).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "all a: A | a.f = a or #a.f != {}", i % 7);
        text
    });
    let (_, model) = common::model(&format!("sig A {{ f: set A }} fact {{ {conjuncts} }} run {{}} for 3"));
    let options = Options { timeout: Some(Duration::ZERO), ..Options::default() };
    let outcome = effort::within(LONG, || model.execute(0, &options));
    let outcome = outcome.unwrap_or_else(|finding| panic!("{}", finding.message));
    assert_eq!(outcome.verdict, Verdict::Unknown);
}

#[test]
fn many_numbers_without_room_are_one_finding() {
    let numbers = (100..20_100).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "  {n} != 1");
        text
    });
    let (_, model) = common::model(&format!("sig A {{}}\nrun large {{\n{numbers}}}\n"));
    let outcome = model.execute(0, &Options::default()).unwrap();
    let findings = outcome.findings(&model.commands()[0]);
    let large: Vec<_> = findings.iter().filter(|one| one.code.as_str() == "ALS046").collect();
    assert_eq!(large.len(), 1, "{findings:?}");
    assert!(large[0].message.ends_with("as do 19999 other numbers"), "{}", large[0].message);
    assert_eq!(large[0].secondary.len(), 10);
}
