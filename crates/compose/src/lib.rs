//! Docker Compose.
//!
//! [`read`] makes a [`Project`] of files, as Docker Compose does: variables get their values, files are merged,
//! short forms become long, and everything that Compose would refuse is a finding. [`yaml`] and [`json`] print what
//! `docker compose config` prints.
//!
//! - `read`: files to a project, as Compose does it
//! - `types`: the keys that there are, and which form their values have
//! - `values`: data, scalars, variables in texts, and short forms
//! - `meaning`: containers, networks, volumes, processes, and what rules see
//! - `output`: the canonical form
//! - `engine`: what a Docker engine knows that a file does not say
//! - `rules`, `library`, `verdict`: rules as text, those in Alloy, and judging by them
//! - `repair`: the one right change of a finding
//! - `report`: findings, and what of them is said once
//!
//! The steps are those of compose-go 2.9.1, which Docker Compose 2.40 is built with; the table of keys is made from its
//! JSON schema (`types::schema`). Out of scope: rules about how services fit together, which are Alloy, and any
//! reading of files or talking to Docker.

pub mod engine;
mod language;
pub mod library;
mod meaning;
mod output;
mod read;
mod repair;
mod report;
mod rules;
mod types;
mod values;
mod verdict;

use std::collections::BTreeSet;

use locus_source::{FileId, Finding, Limits, Place, Span};
use rustc_hash::FxHashMap;

pub use self::language::{Compose, ENGINE, ENV_FILE, FILE, PROFILE};
pub use self::meaning::meaning;
pub use self::output::{json, yaml};
pub use self::read::dotenv::Variables;
pub use self::read::load::Files;
pub use self::read::project::Project;
pub use self::read::{ComposeFile, dockerfile};
pub use self::rules::{ENGINE_RULES, RULES};
pub use self::values::datum::{Content, Datum, Entry, Map};
pub use self::verdict::{check, check_by, model};

use self::read::{Reader, Scope, dotenv, interpolate, normalize, paths, project};
use self::values::datum::Datum as Model;

/// The inputs of reading a project.
pub struct Inputs<'i> {
    /// The folder of the project, to which paths are relative: an absolute path.
    pub folder: String,
    /// The variables of the environment.
    pub variables: Variables,
    /// Files of variables, as absolute paths; none stands for `.env` in the folder, if it is there.
    pub env_files: Vec<String>,
    /// The active profiles.
    pub profiles: Vec<String>,
    /// The name of the project, if it is given.
    pub name: Option<String>,
    /// The files that the project names.
    pub files: Files<'i>,
    /// Names of variables that the environment has and whose values are not to be seen.
    pub hidden: BTreeSet<String>,
    /// The limits beyond which files are refused.
    pub limits: Limits,
}

/// The result of reading a project.
#[derive(Debug, Default)]
pub struct Reading {
    /// The project, if nothing is so wrong that Compose would refuse it.
    pub project: Option<Project>,
    /// The project that is meant, if Compose would refuse it only because of keys that it does not know, or because its
    /// parts do not fit together. In the second case the rules find only errors in it.
    pub corrected: Option<Project>,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The comments of the files, each with its file.
    pub comments: Vec<(FileId, Span)>,
    /// Values with a variable that is not to be seen, each with the name of the variable.
    pub unknown: Vec<(String, Place)>,
    /// Limits of ours that were met, so that not all was read: which, as sentences without full stop.
    pub unanswered: Vec<String>,
    /// Whether the files are right by themselves, so that the model that they make together was looked at.
    pub(crate) is_merged: bool,
    /// Networks and volumes that services use and nothing declares.
    pub(crate) undeclared: Vec<Undeclared>,
}

/// A network or volume that a service uses and nothing declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Undeclared {
    /// Where the service names it.
    pub(crate) place: Place,
    /// The key at the top under which it belongs.
    pub(crate) section: &'static str,
    pub(crate) name: String,
}

/// Reads a project of at least one file. Never fails: what is wrong is among the findings.
///
/// # Panics
/// If there is no file.
pub fn read(files: &[ComposeFile], inputs: &Inputs<'_>) -> Reading {
    assert!(!files.is_empty(), "a project has a file");
    let mut reader = Reader {
        files: inputs.files,
        home: inputs.variables.get("HOME").map(String::as_str),
        limits: &inputs.limits,
        report: report::Report::hiding(inputs.hidden.clone()),
        comments: Vec::new(),
        incomplete: false,
        unanswered: Vec::new(),
        parsed: FxHashMap::default(),
    };
    let start = files[0].source.place(Span::point(0));
    let mut variables = environment(&mut reader, inputs, start);
    let name = project_name(&mut reader, files, inputs, &variables);
    variables.insert("COMPOSE_PROJECT_NAME".to_owned(), name.clone());
    let scope = Scope { folder: &inputs.folder, variables: &variables, included: &[] };
    let mut model = reader.model(files, scope);
    if model.as_map().is_some_and(Map::is_empty) && !reader.report.has_failed() && !reader.incomplete {
        reader.report.say(&rules::NOT_COMPOSE, start, "the file is empty");
    }
    let is_merged = !reader.report.has_failed() && !reader.incomplete;
    let mut project = if is_merged {
        normalize::normalize(&mut model, &name, &variables);
        let profiles = profiles(inputs, &variables);
        let mut project = project::finish(&mut reader, model, &name, &inputs.folder, &profiles, &variables);
        project.files = files.iter().map(|file| file.path.clone()).collect();
        Some(project)
    } else {
        None
    };
    let corrected = project.take_if(|_| reader.report.has_errors());
    let report::Reported { findings, unknown, undeclared } = reader.report.finish();
    let (comments, unanswered) = (reader.comments, reader.unanswered);
    Reading { project, corrected, findings, comments, unknown, unanswered, is_merged, undeclared }
}

/// A string with the values of its variables.
///
/// # Errors
/// If it is not a template, or a variable that must have a value has none; with the reason.
pub fn interpolated(text: &str, variables: &[(&str, &str)]) -> Result<String, String> {
    let known: Variables =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    interpolate::with(text, &known).map_err(|error| error.message())
}

/// The variables of a file of variables, which may use others.
///
/// # Errors
/// If it cannot be read: the line, counted from 1, and the reason.
pub fn variables_of(text: &str, others: &[(&str, &str)]) -> Result<Variables, (u32, String)> {
    let mut out = Variables::new();
    let known =
        |wanted: &str| others.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned());
    dotenv::read(text, &mut out, &known).map(|_| out).map_err(|error| (error.line, error.message))
}

/// The files that `COMPOSE_FILE` lists, if it is among some variables.
pub fn listed_files(variables: &Variables) -> Option<Vec<String>> {
    let variable = |name: &str| variables.get(name).map(String::as_str).filter(|value| !value.is_empty());
    let list = variable("COMPOSE_FILE")?;
    Some(list.split(variable("COMPOSE_PATH_SEPARATOR").unwrap_or(":")).map(str::to_owned).collect())
}

/// The variables of the environment and of the files of variables, which it wins over.
fn environment(reader: &mut Reader<'_>, inputs: &Inputs<'_>, place: Place) -> Variables {
    let mut files = inputs.env_files.clone();
    if files.is_empty() {
        let default = paths::join(&inputs.folder, ".env");
        files.extend(reader.is_file(&default).then_some(default));
    }
    let mut own = Variables::new();
    for file in &files {
        let before = own.clone();
        let known = |name: &str| inputs.variables.get(name).or_else(|| before.get(name)).cloned();
        reader.variables(file, place, None, &mut own, &known);
    }
    own.extend(inputs.variables.iter().map(|(name, value)| (name.clone(), value.clone())));
    own
}

fn profiles(inputs: &Inputs<'_>, variables: &Variables) -> Vec<String> {
    if !inputs.profiles.is_empty() {
        return inputs.profiles.clone();
    }
    let given = variables.get("COMPOSE_PROFILES").map_or("", String::as_str);
    given.split(',').map(|profile| profile.trim().to_owned()).collect()
}

/// Small letters, digits, hyphens and underscores, from the first letter or digit on.
fn normal_name(name: &str) -> String {
    let kept: String = name
        .to_lowercase()
        .chars()
        .filter(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(*c))
        .collect();
    kept.trim_start_matches(['_', '-']).to_owned()
}

/// The name of the project: the one that is given, that of the environment, of a file, or of the folder.
fn project_name(
    reader: &mut Reader<'_>,
    files: &[ComposeFile],
    inputs: &Inputs<'_>,
    variables: &Variables,
) -> String {
    let start = files[0].source.place(Span::point(0));
    let of_environment = variables.get("COMPOSE_PROJECT_NAME").filter(|name| !name.is_empty());
    if let Some(name) = inputs.name.as_ref().or(of_environment) {
        if normal_name(name) != *name {
            let message = format!("`{}` is not a name for a project", locus_source::words::short(name));
            reader.report.say(&rules::PROJECT_NAME, start, message);
        }
        return name.clone();
    }
    let mut named: Option<Model> = None;
    for file in files {
        for document in &reader.parse(&file.source).documents {
            if let Some(node) = document.root().get("name")
                && !node.raw().is_empty()
            {
                named = Some(Model::text(node.raw(), node.use_place()));
            }
        }
    }
    if let Some(name) = named {
        let text = name.as_str().unwrap_or_default();
        let text = interpolate::interpolate_text(text, name.place, variables, &mut reader.report);
        let normal = normal_name(text.as_deref().unwrap_or_default());
        if normal.is_empty() && !reader.report.has_failed() {
            let message = "nothing of this name can be part of the name of a project";
            reader.report.say(&rules::PROJECT_NAME, name.place, message);
        }
        return normal;
    }
    let folder = inputs.folder.rsplit('/').next().unwrap_or_default();
    let normal = normal_name(folder);
    if normal.is_empty() {
        let message =
            format!("the folder `{}` gives the project no name", locus_source::words::short(folder));
        let finding = Finding::new(&rules::PROJECT_NAME, start, message);
        reader.report.add(finding.help("write `name:` at the top of the file"));
    }
    normal
}
