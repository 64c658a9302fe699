//! Any text as a Dockerfile and as a `.dockerignore` of a service that is built: findings of the rules, in time.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_compose::{ComposeFile, Files, Inputs, Variables, check, dockerfile, read};
use locus_source::{Found, Limits, LoadError, Loader, SourceFile, Sources};

/// A folder in which every file has the same text.
struct Same<'t>(&'t str);

impl Loader for Same<'_> {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        Ok((path.to_owned(), self.0.as_bytes().to_vec()))
    }

    fn look(&self, _: &SourceFile, path: &str) -> Found {
        if path.len() % 2 == 0 { Found::Nothing } else { Found::Folder }
    }

    fn list(&self, _: &SourceFile, _: &str) -> Vec<String> {
        vec!["a.conf".to_owned()]
    }
}

const COMPOSE: &str = "services: { a: { build: { context: ., target: b, args: { A: \"1\" } } }, b: { build: . } }";

fuzz_target!(|text: &str| {
    for line in text.lines().take(8) {
        let _ = dockerfile::is_match(line, text);
    }
    let loader = Same(text);
    let sources = Sources::new();
    let source = sources.add("compose.yaml", COMPOSE);
    let main = source.clone();
    let around = Files { loader: &loader, sources: &sources, main: &main, folder: "/project" };
    let inputs = Inputs {
        folder: "/project".to_owned(),
        variables: Variables::new(),
        env_files: Vec::new(),
        profiles: Vec::new(),
        name: Some("p".to_owned()),
        files: around,
        hidden: Default::default(),
        limits: Limits::default(),
    };
    let file = ComposeFile { source, path: "/project/compose.yaml".to_owned() };
    if let Some(project) = read(&[file], &inputs).project {
        let checked = check(&project, &around);
        for finding in &checked.findings {
            for place in finding.places() {
                let _ = sources.get(place.file).slice(place.span);
            }
        }
        let of_engine = checked.findings.iter().find(|finding| finding.code.as_str().starts_with("ALS"));
        assert!(of_engine.is_none(), "{of_engine:?}");
    }
});
