//! `locus.toml`: found, read, and joined with what the command line says.

use std::path::{Path, PathBuf};

use anyhow::Context;
use locus_source::policy::Policy;
use locus_source::{Finding, Limits, RuleBook, Sources};

use crate::args::Reading;
use crate::inputs::{self, Input};

/// What the project and the command line say about reading and reporting.
pub(crate) struct Config {
    pub(crate) policy: Policy,
    pub(crate) limits: Limits,
    /// The folder of the `locus.toml` in force.
    pub(crate) folder: Option<PathBuf>,
    /// What is wrong with it.
    pub(crate) findings: Vec<Finding>,
}

impl Config {
    /// Finds and reads the configuration.
    pub(crate) fn load(reading: &Reading, sources: &Sources, rules: &RuleBook) -> anyhow::Result<Self> {
        let path = if reading.no_config { None } else { path(reading.config.as_deref())? };
        let mut config =
            Self { policy: Policy::default(), limits: Limits::default(), folder: None, findings: Vec::new() };
        if let Some(path) = path {
            (config.policy, config.findings) = policy(&path, sources, rules)?;
            config.limits = config.policy.limits().clone();
            config.folder = path.parent().and_then(|folder| std::path::absolute(folder).ok());
        }
        let limits = &mut config.limits;
        limits.file_bytes = reading.max_file_bytes.unwrap_or(limits.file_bytes);
        limits.depth = reading.max_depth.unwrap_or(limits.depth);
        limits.nodes = reading.max_nodes.unwrap_or(limits.nodes);
        Ok(config)
    }

    /// Whether checking these paths checks the whole project, so that an entry without effect is of no use.
    pub(crate) fn is_whole_project(&self, paths: &[PathBuf]) -> bool {
        let Some(folder) = &self.folder else { return false };
        let Ok(folder) = folder.canonicalize() else { return false };
        paths
            .iter()
            .any(|path| path.is_dir() && path.canonicalize().is_ok_and(|path| folder.starts_with(path)))
    }
}

/// The configuration that is given, or the nearest one.
pub(crate) fn path(given: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    Ok(match given {
        Some(path) => Some(path.to_owned()),
        None => nearest(&std::env::current_dir().context("there is no current folder")?),
    })
}

/// Reads a configuration.
pub(crate) fn policy(
    path: &Path,
    sources: &Sources,
    rules: &RuleBook,
) -> anyhow::Result<(Policy, Vec<Finding>)> {
    let input = Input { path: path.to_owned(), named: true };
    let file = inputs::read(&input, "", sources, &Limits::default())?;
    Ok(Policy::read(&file, rules))
}

/// The `locus.toml` in a folder or the nearest above it, by a path as short as can be.
fn nearest(folder: &Path) -> Option<PathBuf> {
    let found = folder.ancestors().map(|folder| folder.join("locus.toml")).find(|path| path.is_file())?;
    Some(found.strip_prefix(folder).map(Path::to_owned).unwrap_or(found))
}
