//! Conditions: what can be read, and what is said of what cannot.

use locus_aeolus::families::metis_a;
use locus_aeolus::{Counted, Relation, Want};

fn error(text: &str) -> String {
    let error = Want::parse(&metis_a(3), text).expect_err(text);
    format!("{}: {}{}", error.at, error.message, error.help.map_or(String::new(), |help| format!("; {help}")))
}

#[test]
fn conditions_are_read() {
    let universe = metis_a(3);
    let want = Want::parse(&universe, "A@s1 >= 2 and B = 1").unwrap();
    let Want::And(all) = want else { panic!("{want:?}") };
    let Want::Compare(sum, relation) = &all[0] else { panic!("{all:?}") };
    assert_eq!((sum.constant, *relation), (-2, Relation::AtLeast));
    assert!(matches!(sum.terms[..], [(1, Counted::Components(_, Some(_)))]));
    for text in [
        "true",
        "not A = 0",
        "(A >= 1)",
        "(A + B) >= 2",
        "((A + B) >= 2 or A = 1) and not (B > 3)",
        "2 * A - B <= 0",
        "#A = 1",
        "p0_1 >= 1",
        "\"A\"@\"s1\" >= 1",
        "#(_){_ : #A > 1} = 0",
    ] {
        Want::parse(&universe, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn what_is_wrong_is_said() {
    assert_eq!(error(""), "0: expected the name of a component type, found the end");
    assert_eq!(error("C >= 1"), "0: there is no component type `C`");
    assert_eq!(error("A@s9 >= 1"), "2: the component type `A` has no state `s9`");
    assert_eq!(error("A >= -1"), "5: a number of components is not negative");
    assert_eq!(error("A >= 99999999999"), "5: the number 99999999999 is larger than 4294967295");
    assert_eq!(
        error("A"),
        "1: expected a comparison, found the end; write, for example, `wordpress@running >= 2`"
    );
    assert_eq!(error("A >= 1 B"), "7: `B` is not expected here; join conditions with `and` or `or`");
    assert_eq!(
        error("A >= 1 %"),
        "7: `%` is not expected here; put names with other characters in double quotes"
    );
    assert_eq!(error("\"A"), "0: the name in quotes does not end; close it with `\"`");
    let deep = format!("{}A = 1{}", "(".repeat(100), ")".repeat(100));
    assert!(error(&deep).contains("nested more than 64 deep"), "{}", error(&deep));
    assert_eq!(
        error("#(_){_ : #(_){_ : A > 1} = 0} = 0"),
        "18: a condition on machines cannot count machines"
    );
}

#[test]
fn a_condition_that_is_shown_is_read_as_the_same() {
    let universe = metis_a(3);
    for text in [
        "A@s1 >= 2 and B = 1",
        "A + 2 * B > 3 or not (B != 0)",
        "A - B < 1 and (A = 1 or B = 2)",
        "#(_){_ : #p0_1 > 1} = 0",
        "true",
    ] {
        let want = Want::parse(&universe, text).expect(text);
        let shown = want.shown(&universe);
        assert_eq!(Want::parse(&universe, &shown).expect(&shown), want, "{shown}");
    }
}
