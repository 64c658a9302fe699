//! The models of the report, under `specs/report`: every command does what its `expect` says.
//!
//! Commands run in the scopes that stand in the file, except for those in [`CUT`], which take too long for a test, and
//! those in [`SLOW`]. The full scopes are for `bench/alloy.py`.

mod common;

use std::path::{Path, PathBuf};
use std::time::Duration;

use locus_alloy::ast::CommandKind;
use locus_alloy::model::Command;
use locus_alloy::{Model, ModuleLoader, Options};
use locus_source::{Severity, Sources};

/// Module, command (`check` for all checks of a module), and the largest scope in which it runs here. The verdict must
/// be the one that the file expects: what has an instance in a smaller scope has it in the full one as well, and what
/// has none in the full one has none in a smaller.
const CUT: &[(&str, &str, u32)] = &[
    ("Aeolus", "check", 5),
    ("Aeolus_actions", "check", 5),
    ("Aeolus_depth", "check", 5),
    ("Fractal", "All_immediate_subkells_linked", 15),
    ("Fractal", "All_linked_kells_in_kell_system_are_subkells", 8),
    ("Fractal", "All_tlinked_kells_in_kell_system_are_descendant_subkells", 7),
    ("Fractal", "All_descendant_subkells_in_a_kell_system_are_tlinked", 7),
    ("LG_Semantics", "MixableLGsAreComposable", 12),
    ("LG_Semantics", "Roles_In_Synchronizing_Transition_Labels_Are_Unbound", 16),
    ("TOSCA2OCCI", "MappingPreserveLocationNames", 6),
    ("TOSCA2OCCI", "MappingPreserveNumberOfLocations", 6),
];

/// Instances that need nearly all values of a large scope, and up to minutes to be found: there is nothing to cut.
const SLOW: &[(&str, &str)] = &[
    ("Aeolus_actions", "ModelBind"),
    ("Aeolus_actions", "ModelGlobalBind"),
    ("Aeolus_actions", "ModelGlobalUnbind"),
    ("Aeolus_actions", "ModelUnbind"),
    ("Aeolus_depth", "Bind"),
    ("Aeolus_depth", "BindTogether"),
    ("Aeolus_depth", "UnbindTogether"),
    ("OCCI_Infrastructure", "OneConfigurationWithTwoComputeOneNetworkOneStorage"),
];

struct Files;

impl ModuleLoader for Files {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match std::fs::read(name) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/report")
}

fn load(path: &Path, text: &str) -> (Sources, Model) {
    let sources = Sources::new();
    let file = sources.add(path.to_string_lossy(), text);
    let (model, findings) = Model::load(&sources, &Files, file.id());
    let errors: Vec<_> = findings.into_iter().filter(|found| found.severity == Severity::Error).collect();
    let shown = common::show(&sources, &errors);
    (sources, model.unwrap_or_else(|| panic!("{}: there are errors:\n{shown}", path.display())))
}

/// The text of a command with no scope above `largest`, but for exact ones.
fn cut(command: &str, largest: u32) -> String {
    let (head, scopes) = command.rsplit_once("for ").expect("a command with scopes");
    let mut words: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
    for i in 0..words.len() {
        let fixed = i > 0 && matches!(words[i - 1].as_str(), "exactly" | "expect");
        if let Some(scope) = words[i].parse::<u32>().ok().filter(|_| !fixed) {
            words[i] = scope.min(largest).to_string();
        }
    }
    format!("{head}for {}", words.join(" "))
}

#[test]
fn scopes_are_cut_where_they_may_be() {
    let full = "check A for 10 but 3 B, exactly 9 C, 17 D expect 0";
    assert_eq!(cut(full, 4), "check A for 4 but 3 B, exactly 9 C, 4 D expect 0");
}

fn run(path: &Path) {
    let module = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
    let mut text = std::fs::read_to_string(path).expect("a module is text");
    let (sources, model) = load(path, &text);
    let limit = |command: &Command| {
        let known = |name: &str| CUT.iter().find(|cut| (cut.0, cut.1) == (module, name)).map(|cut| cut.2);
        let check = command.kind == CommandKind::Check;
        known(&command.name).or_else(|| known("check").filter(|_| check))
    };
    for command in model.commands().iter().rev() {
        if let Some(largest) = limit(command) {
            let file = sources.get(command.place.file);
            let shorter = cut(file.slice(command.place.span), largest);
            let span = command.place.span;
            text.replace_range(span.start as usize..span.end as usize, &shorter);
        }
    }
    let (_, model) = load(path, &text);
    let options = Options { vacuity: false, timeout: Some(Duration::from_secs(45)), ..Options::default() };
    for (index, command) in model.commands().iter().enumerate() {
        if SLOW.contains(&(module, &command.name)) {
            continue;
        }
        match model.execute(index, &options) {
            Err(finding) => panic!("{module} {}: {}", command.name, finding.message),
            Ok(outcome) => {
                let verdict = outcome.verdict.as_str();
                assert_eq!(outcome.expected(command), Some(true), "{module} {}: {verdict}", command.name);
            }
        }
    }
}

#[test]
fn every_command_does_what_it_should() {
    let found = std::fs::read_dir(folder()).expect("the modules are there");
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "als"));
    paths.sort();
    assert!(paths.len() >= 14, "{paths:?}");
    for path in &paths {
        run(path);
    }
}
