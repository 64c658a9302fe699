//! Algorithms translated: what becomes of them, what is refused and where, and what is checked.

mod common;

use std::fmt::Write as _;
use std::path::Path;

use locus_source::{Severity, Sources};
use locus_tla::check::{CheckOptions, Verdict, check};
use locus_tla::config::{Model, parse};
use locus_tla::pluscal::translate;
use locus_tla::semantic::{NoModules, Specification};

/// A module with an algorithm.
fn module(algorithm: &str, rest: &str) -> String {
    format!("---- MODULE Spec ----\nEXTENDS Integers, Sequences, TLC\n(* {algorithm} *)\n{rest}====\n")
}

fn translated(algorithm: &str) -> Result<String, String> {
    let sources = Sources::new();
    let file = sources.add("Spec.tla", module(algorithm, ""));
    match translate(&file) {
        Ok(translated) => Ok(translated.expect("there is an algorithm").text),
        Err(finding) => Err(common::findings(&sources, &[*finding])),
    }
}

/// Every file has an algorithm; its snapshot is the module with the translation, which was compared with that of
/// `pcal`.
#[test]
fn algorithms_are_translated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pluscal");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let sources = Sources::new();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let file = sources.add(format!("{stem}.tla"), std::fs::read_to_string(&path).unwrap());
        let text = match translate(&file) {
            Ok(translated) => translated.expect("there is an algorithm").text,
            Err(finding) => panic!("{}", common::findings(&sources, &[*finding])),
        };
        let file = sources.add(format!("{stem}.tla"), text.clone());
        let again = translate(&file).unwrap().unwrap();
        assert!(again.is_same && again.text == text, "{stem} is not the same when it is translated again");
        let loaded = Specification::load(&sources, &file, &NoModules, locus_tla::standard::text);
        assert!(loaded.findings.is_empty(), "{}", common::findings(&sources, &loaded.findings));
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path("snapshots/pluscal");
        settings.bind(|| insta::assert_snapshot!(stem, text));
    }
}

#[test]
fn what_is_wrong_is_shown_in_the_algorithm() {
    let wrong = [
        "--algorithm A { variable x = 0; { x := 1; x := 2; a: skip } }",
        "--algorithm A { variable x = 0; process (p = 1) { skip } }",
        "--algorithm A { variable x = 0; { a: with (y = 1) { b: x := y } } }",
        "--algorithm A { variable x = 0; { with (y = 1) { x := y; x := 2 } } }",
        "--algorithm A { variable x = 0; { x = 1 } }",
        "--algorithm A { variable x = 0; { x := (1 } }",
        "--algorithm A { variable x = 0; { y := 1 } }",
        "--algorithm A { variable x = 0; { goto nowhere } }",
        "--algorithm A { variable x = 0; { return } }",
        "--algorithm A { variable x = 0; { call P(1) } }",
        "--algorithm A { variable x = 0; macro m(a) { a := 1 } { m(x, 2) } }",
        "--algorithm A { variable x = 0; macro m(a) { a := 1 } { m(3) } }",
        "--algorithm A { variable x = 0; macro m(a) { l: a := 1 } { m(x) } }",
        "--algorithm A { variable x = 0, x = 1; { skip } }",
        "--algorithm A variable x = 0; begin either x := 1; end either; end algorithm",
        "--algorithm A variable x = 0; begin if x = 0 then x := 1; end algorithm",
        "--algorithm A variable x = 0; begin x := 1 print x; end algorithm",
        "--algorithm A variable x = 0; begin x := \"open; end algorithm",
        "--algorithm A variable x = 0; begin x := 1",
    ];
    let mut text = String::new();
    for algorithm in wrong {
        let finding = translated(algorithm).expect_err(algorithm);
        writeln!(text, "{algorithm}\n{finding}").unwrap();
    }
    insta::assert_snapshot!("pluscal_wrong", text);
}

/// Where an error in a module is, and the text there.
fn pointed(text: &str) -> String {
    let sources = Sources::new();
    let file = sources.add("Spec.tla", text.to_owned());
    let loaded = Specification::load(&sources, &file, &NoModules, locus_tla::standard::text);
    let place = match loaded.specification {
        None => {
            let is_error = |finding: &&locus_source::Finding| finding.severity == Severity::Error;
            loaded.findings.iter().find(is_error).expect("there is an error").primary.place
        }
        Some(mut specification) => {
            let file = sources.add("Spec.cfg", "SPECIFICATION Spec\nINVARIANT Inv");
            let tree = parse(file.id(), file.text()).tree.unwrap();
            let (model, _) = Model::resolve(&tree, &mut specification, &sources, file.id());
            check(&sources, &specification, &model, &CheckOptions::default())
                .place
                .expect("there is an error")
        }
    };
    format!("{} {}", sources.describe(place), sources.get(place.file).slice(place.span))
}

#[test]
fn errors_in_a_translation_are_shown_in_the_algorithm() {
    let rest = "Inv == x \\in Int\n";
    let cases = [
        // Names without a meaning: in a step, in the body of a macro, in its argument, in a definition.
        ("--algorithm A { variable x = 0; { a: x := x + miss } }", "3:50 miss"),
        ("--algorithm A { variable x = 0; macro m(y) { x := y * miss } { a: m(2) } }", "3:58 miss"),
        ("--algorithm A { variable x = 0; macro m(y) { x := y * 2 } { a: m(x - miss) } }", "3:73 miss"),
        ("--algorithm A { variable x = 0; define { D == miss } { a: x := 1 } }", "3:50 miss"),
        // Errors in evaluation: of an initial value, a value, a test, an assertion, of what was changed in the same
        // step.
        ("--algorithm A { variable x = 1 \\div 0; { a: x := 1 } }", "3:33 1 \\div 0"),
        ("--algorithm A { variable x = 0; { a: x := x + \"é\" } }", "3:46 x + \"é\""),
        ("--algorithm A { variable x = 0; { a: await Head(<<>>) = x; x := 1 } }", "3:47 Head(<<>>)"),
        ("--algorithm A { variable x = 0; { a: x := 1; assert\t x = 2 } }", "3:57 x = 2"),
        ("--algorithm A { variable x = 0, y = 1; { a: x := <<1>>; y := x[2] } }", "3:65 x[2]"),
        // Variables of processes have subscripts in the translation.
        (
            "--algorithm A { variable x = 0; process (p \\in 1..2) variable y = <<>>; { a: with (z \\in {3}) { x := y[z] } } }",
            "3:105 y[z]",
        ),
        // A violated property is where it is defined: behind the translation.
        ("--algorithm A { variable x = 0; { a: x := \"b\" } }", "4:8 x \\in Int"),
    ];
    for (algorithm, place) in cases {
        let text = module(algorithm, rest);
        let expected = format!("Spec.tla:{place}");
        assert_eq!(pointed(&text), expected, "{algorithm}");
        // The same where the translation stands in the file, with other lines and before other text.
        let translated = translate(&Sources::new().add("Spec.tla", text)).unwrap().unwrap().text;
        if !place.starts_with('4') {
            assert_eq!(pointed(&translated), expected, "{algorithm}, translated");
            assert_eq!(
                pointed(&translated.replace("' = ", "'   =   (* is *) ")),
                expected,
                "{algorithm}, laid out anew"
            );
        }
    }
}

#[test]
fn hostile_algorithms_end_in_an_error() {
    let nested = format!("--algorithm A {{ variable x = 0; {}", "{ if (x = 0) ".repeat(100_000));
    assert!(translated(&nested).unwrap_err().contains("nested more than"));
    let mut macros = "macro m0() { x := 0 } ".to_owned();
    for n in 1..40 {
        write!(macros, "macro m{n}() {{ m{0}(); m{0}() }} ", n - 1).unwrap();
    }
    let doubling = format!("--algorithm A {{ variable x = 0; {macros} {{ m39() }} }}");
    assert!(translated(&doubling).unwrap_err().contains("more than 100000 statements"));
}

/// The verdict of a check, its counts, and what is said about the translation.
fn checked(text: &str) -> (Verdict, u64, Vec<String>) {
    let sources = Sources::new();
    let file = sources.add("Spec.tla", text.to_owned());
    let loaded = Specification::load(&sources, &file, &NoModules, locus_tla::standard::text);
    let messages = loaded.findings.iter().map(|finding| finding.message.clone()).collect();
    let Some(mut specification) = loaded.specification else { return (Verdict::Evaluation, 0, messages) };
    let file = sources.add("Spec.cfg", "SPECIFICATION Spec");
    let tree = parse(file.id(), file.text()).tree.unwrap();
    let (model, findings) = Model::resolve(&tree, &mut specification, &sources, file.id());
    assert!(findings.iter().all(|finding| finding.severity < Severity::Error), "{findings:?}");
    let result = check(&sources, &specification, &model, &CheckOptions::default());
    (result.verdict, result.distinct, messages)
}

const COUNT: &str = "--algorithm A { variable x = 0; { a: while (x < 3) { x := x + 1 } } }";

#[test]
fn an_algorithm_without_translation_is_translated_for_the_check() {
    assert_eq!(checked(&module(COUNT, "")), (Verdict::Ok, 5, Vec::new()));
    // A module that says what to check itself is not touched.
    let own = "VARIABLE x\nInit == x = 0\nNext == x' = x\nSpec == Init /\\ [][Next]_x\n";
    let (verdict, distinct, messages) = checked(&module(COUNT, own));
    assert_eq!((verdict, distinct), (Verdict::Ok, 1));
    assert!(messages[0].contains("has no translation"), "{messages:?}");
    // And a wrong one is an error, not nothing.
    let (verdict, _, messages) = checked(&module("--algorithm A { variable x = 0; { x = 1 } }", ""));
    assert_eq!(verdict, Verdict::Evaluation);
    assert!(messages[0].contains("is expected here"), "{messages:?}");
}

#[test]
fn a_translation_is_compared_with_its_algorithm_and_its_checksum() {
    let text = translated(COUNT).unwrap();
    assert_eq!(checked(&text), (Verdict::Ok, 5, Vec::new()));
    // The algorithm is newer: it is what is checked.
    let (verdict, distinct, messages) = checked(&text.replace("while (x < 3)", "while (x < 5)"));
    assert_eq!((verdict, distinct), (Verdict::Ok, 7));
    assert!(messages[0].contains("has changed since it was translated"), "{messages:?}");
    // The translation was changed by hand: it is what is checked.
    let (verdict, distinct, messages) = checked(&text.replace("IF x < 3", "IF x < 4"));
    assert_eq!((verdict, distinct), (Verdict::Ok, 6));
    assert!(
        messages[0].contains("not the one that its checksum belongs to, and does not fit"),
        "{messages:?}"
    );
    let (_, _, messages) = checked(&text.replace("IF x < 3", "IF  x < 3"));
    assert!(messages[0].contains("yet it still fits"), "{messages:?}");
    // Without a checksum, nobody knows which of them is newer.
    let begin = text.find(" (chksum").unwrap();
    let end = begin + text[begin..].find('\n').unwrap();
    let bare = format!("{}{}", &text[..begin], &text[end..]);
    assert_eq!(checked(&bare), (Verdict::Ok, 5, Vec::new()));
    let (_, distinct, messages) = checked(&bare.replace("while (x < 3)", "while (x < 5)"));
    assert_eq!(distinct, 5);
    assert!(messages[0].contains("does not fit the algorithm"), "{messages:?}");
}
