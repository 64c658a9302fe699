//! Compose projects: which files they have, the environment that they see, and the files that they name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use locus_compose::{ComposeFile, ENV_FILE, FILE, Files, Inputs, PROFILE, Reading, Variables};
use locus_language::options::{self as given, Values};
use locus_source::{Limits, Loader, SourceFile, Sources, clean_path};

use crate::args;
use crate::inputs::{self, is_stdin};
use crate::loader::{Allowed, ProjectFiles};

/// Which files a Compose project has, and which part of it is meant.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Parts {
    /// Compose files as one project, later ones put over earlier ones; may be repeated
    #[arg(short, long, value_name = "FILE", help_heading = "Compose")]
    pub(crate) file: Vec<PathBuf>,
    /// A file of variables for Compose files, instead of .env; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Compose")]
    pub(crate) env_file: Vec<PathBuf>,
    /// A profile of Compose files to activate; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Compose")]
    pub(crate) profile: Vec<String>,
}

/// The options of the command line about a project.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) parts: Parts,
    /// The name of the project
    #[arg(short = 'p', long, value_name = "NAME")]
    pub(crate) project_name: Option<String>,
    /// The folder that paths are relative to [default: that of the first file]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project_directory: Option<PathBuf>,
}

/// The names of files that Compose looks for, the best first.
pub(crate) const NAMES: [&str; 4] =
    ["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"];

/// The names of the files that it puts over them.
const OVERRIDES: [&str; 4] = [
    "compose.override.yml",
    "compose.override.yaml",
    "docker-compose.override.yml",
    "docker-compose.override.yaml",
];

impl Parts {
    /// The same with the files that Compose finds, if none is named.
    pub(crate) fn found(&self) -> anyhow::Result<Self> {
        let file = if self.file.is_empty() { find(self, None)? } else { self.file.clone() };
        Ok(Self { file, ..self.clone() })
    }

    /// The files that the user says: those of the command line, or of `COMPOSE_FILE` in the environment.
    fn said(&self) -> Option<Vec<PathBuf>> {
        if self.file.is_empty() { of_environment() } else { Some(self.file.clone()) }
    }

    /// The files of variables: those of the command line, or of `COMPOSE_ENV_FILES` in the environment.
    fn env_files(&self) -> Vec<PathBuf> {
        if self.env_file.is_empty() { of_variable("COMPOSE_ENV_FILES") } else { self.env_file.clone() }
    }

    /// The active profiles: those of the command line, or of `COMPOSE_PROFILES` in the environment.
    fn profiles(&self) -> Vec<String> {
        if !self.profile.is_empty() {
            return self.profile.clone();
        }
        let of_environment = std::env::var("COMPOSE_PROFILES").unwrap_or_default();
        let names = of_environment.split(',').map(str::trim).filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    }

    /// The files that the user names, as absolute paths. What `.env` lists may be the word of somebody else.
    pub(crate) fn named(&self) -> anyhow::Result<Vec<PathBuf>> {
        let all = self.said().unwrap_or_default().into_iter().chain(self.env_files());
        all.map(|path| absolute(&path).map(PathBuf::from)).collect()
    }

    /// Adds what is read as one with any of the files to the options of the language. What the environment says is not
    /// given by the user: it does not concern files in other languages.
    pub(crate) fn add_to(&self, options: &mut given::Options) -> anyhow::Result<()> {
        let listed = self.said().or_else(|| of_files(self, Path::new("."))).unwrap_or_default();
        let several = listed.len() > 1;
        let is_stdin_alone = matches!(&listed[..], [alone] if is_stdin(alone));
        if let Some(stdin) = listed.iter().find(|path| several && is_stdin(path)) {
            bail!(
                "{} stands for standard input, which cannot be put together with other files",
                stdin.display()
            );
        }
        let paths =
            |paths: &[PathBuf]| paths.iter().map(|path| absolute(path)).collect::<anyhow::Result<_>>();
        let files = if is_stdin_alone { Vec::new() } else { paths(&listed)? };
        options.set(FILE, Values::Texts(files), !self.file.is_empty());
        options.set(ENV_FILE, Values::Texts(paths(&self.env_files())?), !self.env_file.is_empty());
        options.set(PROFILE, Values::Texts(self.profiles()), !self.profile.is_empty());
        Ok(())
    }
}

/// The paths in a variable of the environment, with commas between them.
fn of_variable(name: &str) -> Vec<PathBuf> {
    let list = std::env::var(name).unwrap_or_default();
    list.split(',').filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

impl args::Reading {
    /// The same with the files of the Compose project of this folder, if no file is named.
    pub(crate) fn of_some_file(&self, is_named: bool) -> anyhow::Result<Self> {
        let project = if is_named { self.project.clone() } else { self.project.found()? };
        Ok(Self { project, ..self.clone() })
    }

    /// The language that is named. Only Compose has projects of several files.
    pub(crate) fn language(&self) -> Option<&str> {
        self.language.as_deref().or((!self.project.file.is_empty()).then_some("compose"))
    }
}

/// The files that `COMPOSE_FILE` lists.
fn of_environment() -> Option<Vec<PathBuf>> {
    let variable = |name: &str| Some((name.to_owned(), std::env::var(name).ok()?));
    listed(&["COMPOSE_FILE", "COMPOSE_PATH_SEPARATOR"].into_iter().filter_map(variable).collect())
}

fn listed(variables: &Variables) -> Option<Vec<PathBuf>> {
    Some(locus_compose::listed_files(variables)?.into_iter().map(PathBuf::from).collect())
}

/// The files that a file of variables lists, which may be that of this folder.
fn of_files(parts: &Parts, folder: &Path) -> Option<Vec<PathBuf>> {
    let here = folder.join(".env");
    let named = parts.env_files();
    let files = if named.is_empty() { std::slice::from_ref(&here) } else { &named };
    let mut variables = Variables::new();
    for file in files {
        // What is wrong with such a file is said when the project is read. It may be a pipe, or a device without end.
        let bytes =
            Some(file).filter(|path| path.is_file()).map(|path| inputs::bytes(path, &Limits::default()));
        let text = String::from_utf8(bytes.and_then(Result::ok).unwrap_or_default()).unwrap_or_default();
        variables.extend(locus_compose::variables_of(&text, &[]).unwrap_or_default());
    }
    listed(&variables)
}

/// An absolute path without steps back.
fn absolute(path: &Path) -> anyhow::Result<String> {
    let path = std::path::absolute(path)?;
    let text = path.to_str().ok_or_else(|| anyhow!("the path {} is not UTF-8", path.display()))?;
    Ok(clean_path(text))
}

/// The files of the project when none is named: those of `COMPOSE_FILE`, in the environment or in a file of variables,
/// or of this folder or the next above it that has one.
pub(crate) fn find(parts: &Parts, folder: Option<&Path>) -> anyhow::Result<Vec<PathBuf>> {
    let here = match folder {
        Some(folder) => folder.to_owned(),
        None => std::env::current_dir().context("cannot tell which folder this is")?,
    };
    if let Some(files) = of_environment().or_else(|| of_files(parts, &here)) {
        return Ok(files);
    }
    let start = std::path::absolute(&here)?;
    for folder in start.ancestors() {
        if let Some(main) = NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file()) {
            return Ok(std::iter::once(main.clone()).chain(override_of(&main)).collect());
        }
    }
    bail!("there is no {} in {} or a folder above it", NAMES.join(", "), here.display())
}

/// The file that Compose puts over another by itself, if that one has a name which it looks for.
pub(crate) fn override_of(main: &Path) -> Option<PathBuf> {
    let name = main.file_name()?.to_str()?;
    if !NAMES.contains(&name) {
        return None;
    }
    OVERRIDES.iter().map(|name| main.with_file_name(name)).find(|path| path.is_file())
}

/// Reads a project.
pub(crate) fn read(
    files: &[Arc<SourceFile>],
    options: &Options,
    sources: &Sources,
    limits: &Limits,
) -> anyhow::Result<Reading> {
    let mut compose_files = Vec::new();
    for source in files {
        let path = absolute(Path::new(source.name()))?;
        compose_files.push(ComposeFile { source: Arc::clone(source), path });
    }
    let first = compose_files.first().context("a project has a file")?;
    let beside = first.path.rsplit_once('/').map_or("/", |(folder, _)| folder).to_owned();
    let folder = match &options.project_directory {
        Some(folder) => absolute(folder)?,
        None => beside.clone(),
    };
    let mut env_files = Vec::new();
    for path in options.parts.env_files() {
        env_files.push(absolute(&path)?);
    }
    // `docker compose config` reads what its user may read, and so does this: what it prints is for that user.
    let own = files.iter().map(|file| PathBuf::from(file.name())).collect();
    let loader = ProjectFiles::new(own, limits, &Allowed::everything());
    let inputs = Inputs {
        folder: folder.clone(),
        variables: loader.variables().into_iter().collect(),
        hidden: BTreeSet::new(),
        env_files,
        profiles: options.parts.profile.clone(),
        name: options.project_name.clone(),
        files: Files { loader: &loader, sources, main: &files[0], folder: &beside },
        limits: limits.clone(),
    };
    Ok(locus_compose::read(&compose_files, &inputs))
}
