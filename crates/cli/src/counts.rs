//! The counts of elements that commands go by, over all files of the repository: each is that of the meaning, or
//! differs from it by a folding that is named here.
//!
//! - A location is one copy of an element, or all of them where these are not drawn each; what the values of elements
//!   name and exists already is a location, too. Elements that only rules see are none.
//! - The instance of the rules has an atom of each element that the document defines, or another makes.
//! - A plan has a thing for each copy of an element that a deployment makes, and milestones beside them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use locus_deploy::Node;
use locus_language::Document;
use locus_meaning::things::{Thing, without_milestones};
use locus_meaning::{Meaning, Standing};
use locus_source::{Loader, Place};

use crate::args::{Args, Command};
use crate::inputs::Input;
use crate::languages::ALL;
use crate::session::{Session, Setup};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/cli is two levels down")
        .to_owned()
}

/// All files of the repository that may be in a language that makes a meaning.
fn corpus() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = ["examples", "rules", "crates"].map(|folder| root().join(folder)).into();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if ALL.is_candidate(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// How many locations there are to be.
fn locations(meaning: &Meaning<'_>) -> usize {
    let made = |standing: Standing| standing != Standing::Existing;
    let drawn: Vec<_> = meaning.elements().filter(|(_, one)| one.drawn && made(one.standing)).collect();
    let copies =
        drawn.iter().map(|(_, one)| if one.copies.drawn_each { one.copies.count as usize } else { 1 });
    let used: BTreeSet<_> =
        drawn.iter().flat_map(|(id, _)| meaning.used_by(*id).map(|(to, ..)| to)).collect();
    copies.sum::<usize>() + used.iter().filter(|&&id| !meaning.element(id).name.is_empty()).count()
}

/// The elements that are to have an atom.
fn atoms(meaning: &Meaning<'_>) -> BTreeSet<u32> {
    let has_signatures = meaning.elements().any(|(_, one)| one.signature.is_some());
    let seen = meaning.elements().filter(|(_, one)| match one.standing {
        Standing::Defined | Standing::Member(_) => !has_signatures || one.signature.is_some(),
        Standing::Inside(_) | Standing::Existing => false,
    });
    seen.map(|(id, _)| id.number()).collect()
}

/// How many files were compared in their graphs, in their instances and in their things.
#[derive(Default, Debug)]
struct Compared([usize; 3]);

fn compare(path: &Path, compared: &mut Compared) {
    let name = path.to_string_lossy();
    let args = Args::try_parse_from(["locus", "graph", &name]).expect("it is a command");
    let Command::Graph(command) = args.command else { panic!("it is another command") };
    let session = Session::new(ALL, &Setup::reading(&command.reading)).expect("nothing is asked for");
    let input = Input { path: path.to_owned(), named: true };
    let Ok(file) = session.read(&input, "") else { return };
    let Ok(language) = session.language(None, &file) else { return };
    let loader: Arc<dyn Loader> = session.files(path);
    let effort = session.effort(None, 1);
    let request = session.request(&loader, &effort);
    let document: Box<dyn Document> = language.read(&file, &request);
    let Ok(meaning) = document.meaning() else { return };
    let graph = document.graph().expect("what has a meaning has a graph");
    assert_eq!(graph.len(), locations(&meaning), "locations of {name}");
    compared.0[0] += 1;
    if let Some(ruled) = document.ruled(&request) {
        let everywhere: Place = ruled.everywhere;
        let rules = ruled.rules.rules(&ruled.modules, None, everywhere).expect("our rules are right");
        let instance = (ruled.instance)(&rules);
        let elements = instance.elements();
        // Without a rule that uses the core, there is nothing in an instance.
        if !elements.is_empty() {
            assert_eq!(elements, atoms(&meaning), "atoms of {name}");
            compared.0[1] += 1;
        }
    }
    let Ok(things) = document.things(&request) else { return };
    let planned = meaning.elements().filter(|(_, one)| one.is_planned());
    let planned: usize = planned.map(|(_, one)| one.copies.count as usize).sum();
    let made = |things: &[Thing]| things.iter().filter(|thing| !thing.is_milestone).count();
    assert_eq!(made(&things), planned, "things of {name}");
    // Of two things with the same key the first counts.
    let keys: BTreeSet<_> = things.iter().filter(|one| !one.is_milestone).map(|one| &one.key).collect();
    assert_eq!(locus_plan::pivot(&[], &things).differences.len(), keys.len(), "the plan of {name}");
    let things = without_milestones(things, usize::MAX);
    assert_eq!(Node::of_all(&things).len(), planned, "the goal of {name}");
    compared.0[2] += 1;
}

#[test]
fn all_counts_are_those_of_the_meaning() {
    let mut compared = Compared::default();
    for path in corpus() {
        compare(&path, &mut compared);
    }
    let Compared([graphs, instances, things]) = compared;
    assert!(graphs > 800 && instances > 500 && things > 700, "{graphs} {instances} {things}");
}
