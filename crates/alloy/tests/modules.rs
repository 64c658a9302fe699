//! Models of several files.

mod common;

use std::collections::BTreeMap;

use locus_alloy::{Model, ModuleLoader, Options, Verdict};
use locus_source::Sources;

/// Files of a folder beside which nobody may look.
struct Closed(Files);

impl ModuleLoader for Closed {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        if self.may_look(name) { self.0.load(name) } else { Err("it is outside of the project".to_owned()) }
    }

    fn may_look(&self, name: &str) -> bool {
        !name.starts_with("..")
    }
}

struct Files(BTreeMap<&'static str, &'static str>);

impl ModuleLoader for Files {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.get(name).map(|text| text.as_bytes().to_vec()))
    }

    /// Modules of a library have names in angle brackets.
    fn library(&self, module: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.get(format!("<{module}>").as_str()).map(|text| text.as_bytes().to_vec()))
    }

    fn declares(&self, name: &str) -> Option<String> {
        (name == "OS_Nova_Server").then(|| "hot/types/OS_Nova_Server".to_owned())
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

#[test]
fn a_model_copied_alone_has_the_library() {
    let verdict = |text: &'static str| {
        let (sources, loader) = (Sources::new(), Closed(Files(BTreeMap::new())));
        let file = sources.add("farmer.als", text);
        let (model, findings) = Model::load(&sources, &loader, file.id());
        let outcome = model.map(|model| model.execute(0, &Options::default()).map(|outcome| outcome.verdict));
        (outcome.and_then(Result::ok), common::show(&sources, &findings))
    };
    let text =
        "module examples/puzzles/farmer open util/ordering[A] sig A { n: Int } run { plus[first.n, 1] = 3 }";
    assert_eq!(verdict(text), (Some(Verdict::Sat), String::new()));
    // What is in no library is still said to be out of reach.
    let (_, findings) = verdict("module examples/farmer open models/other run {}");
    insta::assert_snapshot!(findings, @"1:24 ALS013 `../models/other.als` cannot be read: it is outside of the project");
}

#[test]
fn a_module_may_be_called_seq() {
    let main = "open util/seq as q run { some q/S and q/p }";
    let own = "module util/seq sig S {} pred p { one S }";
    assert_eq!(verdicts(&[("main.als", main), ("util/seq.als", own)]), [Verdict::Sat]);
    assert_eq!(verdicts(&[("util/seq.als", "module util/seq sig S {} run { some S }")]), [Verdict::Sat]);
    // Ours, where there is none of the user's own.
    let main = "open util/seq as q sig A {} run { some s: Int->A | q/isSeq[s] and #s = 2 } for 3 but 3 seq";
    assert_eq!(verdicts(&[("main.als", main)]), [Verdict::Sat]);
}

#[test]
fn modules_are_found_in_libraries_of_the_users_own() {
    let main = "open examples/algorithms/messaging as m run { some m/Msg }";
    let messaging =
        "module examples/algorithms/messaging open examples/algorithms/base sig Msg extends Base {}";
    let base = "module examples/algorithms/base sig Base {}";
    let files = [
        ("dir/main.als", main),
        ("<examples/algorithms/messaging>", messaging),
        ("<examples/algorithms/base>", base),
    ];
    assert_eq!(verdicts(&files), [Verdict::Sat]);
    let (_, model, findings) = load(&files[..1]);
    assert!(model.is_none());
    insta::assert_snapshot!(findings, @r"
    1:1 ALS013 the module `examples/algorithms/messaging` cannot be found
      note: looked for the file `dir/examples/algorithms/messaging.als` and in the library
      help: if it is one of the models that Alloy bundles, unpack these from its jar, and name the folder with `--library`
    ");
}

#[test]
fn who_comes_from_elsewhere_is_helped() {
    let findings = |text: &'static str| load(&[("m.als", text)]).2;
    insta::assert_snapshot!(findings("sig A { n: Int } fact { all a: A | a.n == 1 }"), @r"
    1:41 ALS002 expected an expression, found `=`
      help: equality is written with one `=`
    ");
    insta::assert_snapshot!(findings("sig A { n: String } fact { all a: A | a.n = 'web' }"), @r#"
    1:45 ALS002 expected an expression, found `'`
      help: texts stand in double quotes: `"web"`
    "#);
    insta::assert_snapshot!(findings("fact { all s: OS::Nova::Server | some s }"), @r"
    1:15 ALS010 the name `OS` is not declared
      help: `OS::Nova::Server` is written `OS_Nova_Server` here, after `open hot/types/OS_Nova_Server`
    1:19 ALS010 the name `Nova` is not declared
      help: `OS::Nova::Server` is written `OS_Nova_Server` here, after `open hot/types/OS_Nova_Server`
    1:25 ALS010 the name `Server` is not declared
      help: `OS::Nova::Server` is written `OS_Nova_Server` here, after `open hot/types/OS_Nova_Server`
    ");
    insta::assert_snapshot!(findings("fact { all s: OS_Nova_Server | some s }"), @r"
    1:15 ALS010 the name `OS_Nova_Server` is not declared
      help: `hot/types/OS_Nova_Server` declares it: `open hot/types/OS_Nova_Server`
    ");
    insta::assert_snapshot!(findings("sig A { n: String } fact { all a: A | a.n in \"x\".matches }"), @r"
    1:50 ALS010 the name `matches` is not declared
      help: `util/text` declares it: `open util/text`
    ");
}

/// A copy of a module of the library, wherever it lies, opens no other one of its name.
#[test]
fn a_copy_of_the_integers_is_a_model() {
    let model =
        "module util/integer\nfun plus [a, b: Int]: Int { a fun/add b }\nrun { plus[1, 2] = 3 } for 3 int\n";
    assert_eq!(verdicts(&[("integer.als", model)]), [Verdict::Sat]);
}
