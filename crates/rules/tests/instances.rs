//! Rules on instances that were made by hand.

use std::fmt::Write as _;
use std::sync::Arc;

use locus_alloy::NoFiles;
use locus_rules::{AtomId, Instance, Item, Rules};
use locus_source::{Finding, Place, Sources, Span};

const MODEL: &str = "module m
open util/text
sig Thing { wait: lone Int, name: lone String }

/** ABC001 waits: Things wait for some time.
 *  @message {t} waits for {t.wait}
 *  @at t
 */
fact waits { all t: Thing | t.wait >= 0 }

/** ABC002 named: Names are words.
 *  @message {t} is called {t.name}
 *  @at t
 */
fact named { all t: Thing | t.name in \"[a-z]+\".matches }

fact unlike { all disj t, u: Thing | no t.name & u.name }
fact called { all n: Thing.name | some n.length and n != \"1\" }
";

/// An instance that grows.
struct Growing<'r> {
    rules: &'r Rules,
    instance: Instance<'r>,
    place: Place,
}

impl Growing<'_> {
    fn thing(&mut self, label: &str) -> AtomId {
        let sig = self.rules.sig("m", "Thing").expect("it is declared");
        self.instance.atom(sig, label, self.place)
    }

    fn set(&mut self, thing: AtomId, field: &str, item: Item) {
        let sig = self.rules.sig("m", "Thing").expect("it is declared");
        let field = self.rules.field(sig, field).expect("it is declared");
        self.instance.tuple(thing, field, item, self.place, None);
    }
}

fn text(text: &str) -> Item {
    Item::Text(Arc::from(text))
}

/// Lists the rules that are broken, and those that may be.
fn checked(grow: impl FnOnce(&mut Growing<'_>)) -> String {
    let sources = Sources::new();
    let file = sources.add("m.als", MODEL);
    let (rules, findings) = Rules::load(&sources, &NoFiles, file.id());
    let rules = rules.unwrap_or_else(|| panic!("{findings:?}"));
    let place = Place::new(file.id(), Span::point(0));
    let mut growing = Growing { rules: &rules, instance: rules.instance(), place };
    grow(&mut growing);
    let verdict = growing.instance.check(10, place).unwrap_or_else(|finding| panic!("{}", finding.message));
    let mut out = String::new();
    let mut write = |how: &str, findings: &[Finding]| {
        for finding in findings {
            let _ = writeln!(out, "{how} {} {}", finding.code, finding.message);
        }
    };
    write("broken", &verdict.findings);
    write("open  ", &verdict.unsettled);
    out
}

#[test]
fn a_number_of_a_file_is_known_whatever_it_is() {
    let shown = checked(|growing| {
        let unknown = growing.instance.unknown_int();
        let (a, b) = (growing.thing("a"), growing.thing("b"));
        growing.set(a, "wait", unknown);
        growing.set(b, "wait", Item::Int(-281_474_976_710_657));
    });
    insta::assert_snapshot!(shown, @r"
    broken ABC001 `b` waits for `-281474976710657`
    open   ABC001 `a` waits for (not known)
    ");
}

#[test]
fn a_text_of_a_file_is_known_whatever_it_is() {
    let shown = checked(|growing| {
        let unknown = growing.instance.unknown_text();
        for (label, item) in [("a", unknown), ("b", text("\u{1}1")), ("c", text("\u{1}?1")), ("d", text("2"))]
        {
            let thing = growing.thing(label);
            growing.set(thing, "name", item);
        }
    });
    let expected = "broken ABC002 `b` is called `\u{1}1`\nbroken ABC002 `c` is called `\u{1}?1`\n\
                    broken ABC002 `d` is called `2`\nopen   ABC002 `a` is called (not known)\n\
                    open   USR001 `called` does not hold for n = (not known)\n";
    assert_eq!(shown, expected);
}

#[test]
fn a_text_that_reads_like_the_name_of_an_atom_is_no_atom() {
    let shown = checked(|growing| {
        let (a, b) = (growing.thing("a"), growing.thing("b"));
        growing.set(a, "name", text("1"));
        growing.set(b, "name", text("somebody"));
    });
    insta::assert_snapshot!(shown, @r"
    broken ABC002 `a` is called `1`
    broken USR001 `called` does not hold for n = `1`
    ");
}
