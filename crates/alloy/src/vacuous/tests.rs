//! Which facts and functions remain where fields and signatures are absent.

use locus_source::Sources;

use crate::{Model, ModuleLoader, NoFiles};

const DECLARED: &str = "
    one sig yes {}
    sig Here { there: set Here, gone: set Here, lost: lone Here, many: Here->Here, names: set String }
    sig Gone extends Here {}
    sig Lost {}
    fun through: Here->Here { there.gone }
    fun rest [s: set Here]: set Here { Here - s }
    fun nothing [s: set Here]: set Here { s.gone }
    fun local [gone: set Here]: set Here { gone }
    pred bad [h: Here] { some h.gone }
    pred fine [h: Here] { no h.gone }
    pred other [h: Here] { some h.there }
";

const ABSENT: &[&str] = &["gone", "lost", "many", "names", "Gone", "Lost"];

/// The facts that remain, by their names.
fn remaining(facts: &str) -> Vec<String> {
    let sources = Sources::new();
    let file = sources.add("m.als", format!("module m\n{DECLARED}\n{facts}"));
    let absent = |module: &str, name: &str| module == "m" && ABSENT.contains(&name);
    let (model, findings) = Model::load_without(&sources, &NoFiles, file.id(), &absent);
    let model = model.unwrap_or_else(|| panic!("{findings:?}"));
    model.facts().iter().filter_map(|fact| fact.name.clone()).collect()
}

/// That a fact with this body is left out.
#[track_caller]
fn left_out(body: &str) {
    let left = remaining(&format!("fact f {{ {body} }}"));
    assert!(left.is_empty(), "{body} remains");
}

/// That a fact with this body remains.
#[track_caller]
fn remains(body: &str) {
    assert_eq!(remaining(&format!("fact f {{ {body} }}")), ["f"], "{body} is left out");
}

#[test]
fn variables_over_nothing() {
    left_out("all g: Gone | some g.there");
    left_out("all h: Here, g: h.gone | some g.there");
    left_out("all disj g, h: Gone | g = h");
    left_out("no g: Here & Gone | some g");
    left_out("all h: Here | all g: h.there.gone | some g.there");
    left_out("all h: (Here <: lost).Here | some h");
    left_out("all h: Lost <: Here | some h");
    remains("all h: Here | some h.there");
    remains("some g: Gone | some g.there");
    remains("all h: Here - Gone | some h.there");
    remains("all h: Here + Gone | some h.there");
    // The empty set and the empty relation are values of these.
    remains("all s: set Gone | some s");
    remains("all s: lone Gone | some s");
    remains("all r: gone | some r");
    remains("all r: many | some r");
    remains("all r: Gone -> Gone | some r");
}

#[test]
fn formulas() {
    left_out("all h: Here | some h.gone implies some h.there");
    left_out("all h: Here | no h.gone.there and h.lost in h.there");
    left_out("all h: Here | lone h.gone or some h.there");
    left_out("all h: Here | h.lost = yes implies some h.there");
    left_out("all h: Here | h.names = \"a\" implies some h.there");
    left_out("all h: Here | not some h.gone");
    left_out("all h: Here | h.gone = h.lost");
    left_out("all h: Here | (some h.there and some h.gone) implies no h");
    left_out("no Gone no Lost");
    left_out("let g = Here | no g.gone");
    remains("all h: Here | no h.gone implies some h.there");
    remains("all h: Here | h.there in h.gone");
    remains("all h: Here | one h.gone");
    remains("all h: Here | h.gone = h.there");
    remains("all h: Here | (some h.there or some h.gone) implies no h");
    remains("no Gone some Here");
    remains("all h: Here | #h.gone = 0 implies no h");
}

#[test]
fn variables_have_names_of_their_own() {
    remains("all gone: Here | no gone");
    remains("let gone = Here | no gone");
    remains("no local[Here]");
    left_out("all there: Here | no there.gone");
}

#[test]
fn calls_take_arguments() {
    left_out("all h: Here | fine[h]");
    left_out("all h: Here | bad[h] implies some h.there");
    left_out("all h: Here | h.bad implies some h.there");
    left_out("all h: Here, g: h.through | some g.there");
    left_out("all h: Here, g: nothing[h] | some g.there");
    left_out("all h: Here, g: h.nothing | some g.there");
    remains("all h: Here | other[h]");
    remains("all h: Here | bad[h]");
    // Nothing is an argument here, and not what is joined.
    remains("all h: rest[Gone] | some h.there");
    remains("all h: Gone.rest | some h.there");
    remains("no Gone.rest");
}

#[test]
fn what_nothing_names_is_left_out_too() {
    let sources = Sources::new();
    let file = sources
        .add("m.als", format!("module m\n{DECLARED}\nfact f {{ all h: Here | other[h] and no h.lost }}"));
    let kept = sources.add("k.als", format!("module k\n{DECLARED}\nfact f {{ all h: Here | other[h] }}"));
    let absent = |module: &str, name: &str| module == "m" && ABSENT.contains(&name);
    let load = |id| Model::load_without(&sources, &NoFiles, id, &absent).0.expect("a model");
    let names = |model: &Model| {
        let own = model.world().funcs.iter().filter(|func| func.label.starts_with("this/"));
        let funcs: Vec<String> = own.map(|func| func.name.clone()).collect();
        let fields: Vec<String> = model.world().fields.iter().map(|field| field.name.clone()).collect();
        (funcs, fields)
    };
    // The fields of a module that lacks nothing are all there.
    let all = ["there", "gone", "lost", "many", "names"].map(str::to_owned).to_vec();
    assert_eq!(names(&load(kept.id())), (vec!["other".to_owned()], all));
    let (funcs, fields) = names(&load(file.id()));
    assert_eq!(funcs, ["other"]);
    assert_eq!(fields, ["there", "lost"].map(str::to_owned));
}

/// A module with parameters stays as it is, and what it names is there.
#[test]
fn a_module_that_is_opened_twice_stays_whole() {
    struct Two;
    impl ModuleLoader for Two {
        fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
            Ok(match name {
                "p.als" => Some("module p[e]\nopen q\nfact f { all x: e | no x.gone & help }".into()),
                "q.als" => Some(
                    "module q\nsig Gone {}\nfun help: set Gone { Gone }\nsig H { gone: set Gone }".into(),
                ),
                _ => None,
            })
        }
    }
    let sources = Sources::new();
    let text = "module m\nopen q\nopen p[A] as a\nopen p[B] as b\nsig A, B extends H {}";
    let file = sources.add("m.als", text);
    let absent = |module: &str, name: &str| module == "q" && ["Gone", "gone"].contains(&name);
    let (model, findings) = Model::load_without(&sources, &Two, file.id(), &absent);
    assert_eq!(model.unwrap_or_else(|| panic!("{findings:?}")).facts().len(), 2);
}
