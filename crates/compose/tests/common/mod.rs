//! A project of texts, read and judged.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_compose::{ComposeFile, Files, Inputs, Project, Reading, Variables, read};
use locus_meaning::Relationships;
use locus_source::{Finding, Found, Limits, LoadError, Loader, SourceFile, Sources};

/// A project in which `there` is a folder with a Dockerfile, `there.txt` a file, and what is called `missing` is not.
struct Folder;

impl Loader for Folder {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let text = match path {
            "base.yaml" => "services: { base: { image: \"i:1\", ports: [\"90:90\"] } }",
            "a.env" => "A=1\nB=${A}2\n",
            "built/Dockerfile" => DOCKERFILE,
            "ignoring/.dockerignore" => "*.conf\n",
            "named.yaml" => "services: { one: { image: \"i:1\", container_name: fixed } }",
            _ => return Err(LoadError::Missing),
        };
        Ok((path.to_owned(), text.as_bytes().to_vec()))
    }

    fn list(&self, _: &SourceFile, folder: &str) -> Vec<String> {
        if folder == "built/src" { vec!["main.ts".to_owned()] } else { Vec::new() }
    }

    fn look(&self, _: &SourceFile, path: &str) -> Found {
        match path {
            "there" | "ignoring" | "built" | "built/src" => Found::Folder,
            "there.txt" | "there/Dockerfile" | "ignoring/app.conf" | "ignoring/app.ini" | "a.env" => {
                Found::File
            }
            _ if path.contains("missing") || path.rsplit('.').next() == Some("env") => Found::Nothing,
            _ => Found::Unknown,
        }
    }
}

/// The Dockerfile of the folder `built`.
pub(crate) const DOCKERFILE: &str = "\
FROM node:22 AS base
EXPOSE 8080
FROM base AS broken
COPY src/*.js /app/
FROM base AS prod
COPY --from=tools /x /x
COPY src/*.ts $WHERE /app/
RUN --mount=type=bind,from=other,target=/x true
ENTRYPOINT [\"node\"]
FROM busybox:1 AS other
COPY missing.txt /
";

fn files<'s>(sources: &'s Sources, main: &'s SourceFile) -> Files<'s> {
    Files { loader: &Folder, sources, main, folder: "/project" }
}

pub(crate) fn reading(sources: &Sources, texts: &[&str], profiles: &[&str]) -> Reading {
    let files: Vec<ComposeFile> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let path = format!("/project/compose{at}.yaml");
            ComposeFile { source: sources.add(path.clone(), *text), path }
        })
        .collect();
    let main = Arc::clone(&files[0].source);
    let inputs = Inputs {
        folder: "/project".to_owned(),
        variables: Variables::new(),
        hidden: BTreeSet::new(),
        env_files: Vec::new(),
        profiles: profiles.iter().map(|profile| (*profile).to_owned()).collect(),
        name: None,
        files: self::files(sources, &main),
        limits: Limits::default(),
    };
    read(&files, &inputs)
}

/// The codes and messages of all findings.
pub(crate) fn findings(texts: &[&str], profiles: &[&str]) -> Vec<(String, String)> {
    let sources = Sources::new();
    let reading = reading(&sources, texts, profiles);
    let mut all = reading.findings;
    if let Some(project) = reading.project.as_ref().or(reading.corrected.as_ref()) {
        all.extend(judged(&sources, project));
    }
    if let Some(project) = &reading.project {
        let graph = locus_compose::meaning(project).graph(Relationships::Bindings);
        assert!(locus_graph::is_well_formed(&graph));
    }
    all.iter().map(|finding| (finding.code.to_string(), finding.message.clone())).collect()
}

/// The findings of the rules for a project.
pub(crate) fn judged(sources: &Sources, project: &Project) -> Vec<Finding> {
    let main = sources.find("/project/compose0.yaml").expect("it was added");
    locus_compose::check(project, &files(sources, &main)).findings
}
