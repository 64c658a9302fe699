//! Models of several files.

mod common;

use std::collections::BTreeMap;

use locus_alloy::{Loader, Model, Options, Verdict};
use locus_source::Sources;

struct Files(BTreeMap<&'static str, &'static str>);

impl Loader for Files {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.get(name).map(|text| text.as_bytes().to_vec()))
    }
}

fn load(files: &[(&'static str, &'static str)]) -> (Sources, Option<Model>, String) {
    let sources = Sources::new();
    let loader = Files(files.iter().copied().collect());
    let file = sources.add(files[0].0, files[0].1);
    let (model, findings) = Model::load(&sources, &loader, file.id());
    let shown = common::show(&sources, &findings);
    (sources, model, shown)
}

fn verdicts(files: &[(&'static str, &'static str)]) -> Vec<Verdict> {
    let (_, model, findings) = load(files);
    let model = model.unwrap_or_else(|| panic!("{findings}"));
    let verdict = |index| model.execute(index, &Options::default()).map(|outcome| outcome.verdict);
    (0..model.commands().len()).map(|index| verdict(index).unwrap_or(Verdict::Unknown)).collect()
}

#[test]
fn a_module_opened_twice_is_one() {
    assert_eq!(
        verdicts(&[
            (
                "dir/main.als",
                "open left open right run { some x: left/Item | x in right/Item } check { left/items = right/items }"
            ),
            ("dir/left.als", "open sub/base fun items: set Item { Item }"),
            ("dir/right.als", "module right open sub/base as b fun items: set b/Item { b/Item }"),
            ("dir/sub/base.als", "module sub/base sig Item {}"),
        ]),
        [Verdict::Sat, Verdict::Unsat]
    );
}

#[test]
fn instances_of_a_module_differ_by_their_arguments() {
    assert_eq!(
        verdicts(&[
            (
                "main.als",
                "open box[A] as a open box[B] as b open box[A] as c sig A, B {}
                run { some a/Box and no b/Box and a/Box = c/Box }
                run { some a/Box.content & A and no c/Box }"
            ),
            ("box.als", "module box[T] sig Box { content: T }"),
        ]),
        [Verdict::Sat, Verdict::Unsat]
    );
}

#[test]
fn private_names_are_seen_only_at_home() {
    let (_, _, findings) = load(&[
        ("main.als", "open lib\nrun { some Hidden }\nrun { some hidden }\nrun { open_ }\n"),
        ("lib.als", "private sig Hidden { private hidden: Hidden } pred open_ { some Hidden.hidden }"),
    ]);
    insta::assert_snapshot!(findings, @"
    2:12 ALS010 the name `Hidden` is not declared
      help: `Hidden` is declared elsewhere, but cannot be seen from here: it is `private`, or its module is not opened
    3:12 ALS010 the name `hidden` is not declared
      help: `hidden` is declared elsewhere, but cannot be seen from here: it is `private`, or its module is not opened
    ");
}

#[test]
fn circles_and_errors_elsewhere_are_reported() {
    let (_, _, findings) = load(&[("a.als", "open b sig A {}"), ("b.als", "open a sig B {}")]);
    insta::assert_snapshot!(findings, @"1:1 ALS014 `a` is opened by what it opens itself");
    let (_, _, findings) = load(&[("a.als", "open b sig A {}"), ("b.als", "sig B { f: }")]);
    insta::assert_snapshot!(findings, @"1:12 ALS002 expected an expression, found `}`");
}
