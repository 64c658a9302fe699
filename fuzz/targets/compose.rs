//! Any bytes as a Compose file, and as its own override: findings of the reader and of the rules, and a graph that
//! keeps the static rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_compose::{ComposeFile, Files, Inputs, Variables, check, json, meaning, read, yaml};
use locus_meaning::Relationships;
use locus_source::{Limits, NoFiles, Sources};

fuzz_target!(|bytes: &[u8]| {
    let sources = Sources::new();
    let Ok(source) = sources.add_bytes("compose.yaml", bytes.to_vec(), &Limits::default()) else { return };
    let main = source.clone();
    let around = Files { loader: &NoFiles, sources: &sources, main: &main, folder: "/project" };
    let file = ComposeFile { source, path: "/project/compose.yaml".to_owned() };
    for files in [vec![file.clone()], vec![file.clone(), file]] {
        let inputs = Inputs {
            folder: "/project".to_owned(),
            variables: Variables::new(),
            env_files: Vec::new(),
            profiles: vec!["*".to_owned()],
            name: None,
            files: around,
            hidden: Default::default(),
            limits: Limits::default(),
        };
        if let Some(project) = read(&files, &inputs).project {
            assert!(serde_json::from_str::<serde_json::Value>(&json(&project)).is_ok());
            assert!(!yaml(&project).is_empty());
            assert!(locus_graph::is_well_formed(&meaning(&project).graph(Relationships::Bindings)));
            let checked = check(&project, &around);
            let of_engine = checked.findings.iter().find(|finding| finding.code.as_str().starts_with("ALS"));
            assert!(of_engine.is_none(), "{of_engine:?}");
        }
    }
});
