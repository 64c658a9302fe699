//! Compose projects: which files they have, the environment that they see, and the files that they name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use locus_compose::{ComposeFile, Files, Inputs, Reading};
use locus_source::{Limits, Loader, SourceFile, Sources, clean_path};

use crate::loader::{Allowed, ProjectFiles};

/// What can be said of a project on the command line.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Options {
    /// A file of variables, instead of .env; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) env_file: Vec<PathBuf>,
    /// A profile to activate; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Vec<String>,
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

/// The files of the project when none is named: those of `COMPOSE_FILE`, or of this folder or the next above it that
/// has one.
pub(crate) fn find(options: &Options) -> anyhow::Result<Vec<PathBuf>> {
    if let Some(list) = std::env::var("COMPOSE_FILE").ok().filter(|list| !list.is_empty()) {
        let separator = std::env::var("COMPOSE_PATH_SEPARATOR").ok().filter(|s| !s.is_empty());
        return Ok(list.split(separator.as_deref().unwrap_or(":")).map(PathBuf::from).collect());
    }
    let here = match &options.project_directory {
        Some(folder) => folder.clone(),
        None => std::env::current_dir().context("cannot tell which folder this is")?,
    };
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
    let absolute = |path: &Path| -> anyhow::Result<String> {
        let path = std::path::absolute(path)?;
        let text = path.to_str().ok_or_else(|| anyhow!("the path {} is not UTF-8", path.display()))?;
        Ok(clean_path(text))
    };
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
    for path in &options.env_file {
        env_files.push(absolute(path)?);
    }
    if env_files.is_empty()
        && let Ok(list) = std::env::var("COMPOSE_ENV_FILES")
    {
        for path in list.split(',').filter(|path| !path.is_empty()) {
            env_files.push(absolute(Path::new(path))?);
        }
    }
    // `docker compose config` reads what its user may read, and so does this: what it prints is for that user.
    let own = files.iter().map(|file| PathBuf::from(file.name())).collect();
    let loader = ProjectFiles::new(own, limits, &Allowed::everything());
    let inputs = Inputs {
        folder: folder.clone(),
        variables: loader.variables().into_iter().collect(),
        hidden: BTreeSet::new(),
        env_files,
        profiles: options.profile.clone(),
        name: options.project_name.clone(),
        files: Files { loader: &loader, sources, main: &files[0], folder: &beside },
        limits: limits.clone(),
    };
    Ok(locus_compose::read(&compose_files, &inputs))
}
