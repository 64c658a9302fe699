//! `locus.toml`: found, read, and joined with what the command line says.

use std::path::{Path, PathBuf};

use anyhow::Context;
use locus_source::policy::Policy;
use locus_source::{Finding, Limits, RuleBook, Sources};

use crate::args::ReadingLimits;
use crate::inputs::{self, Input};
use crate::session::ConfigChoice;

/// The settings of the project and of the command line for reading and reporting.
#[derive(Clone)]
pub(crate) struct Config {
    pub(crate) policy: Policy,
    pub(crate) limits: Limits,
    /// The folder of the `locus.toml` in force.
    pub(crate) folder: Option<PathBuf>,
    /// The findings about it.
    pub(crate) findings: Vec<Finding>,
}

impl Config {
    /// Finds and reads the configuration.
    pub(crate) fn load(
        choice: ConfigChoice<'_>,
        given: ReadingLimits,
        sources: &Sources,
        rules: &RuleBook,
    ) -> anyhow::Result<Self> {
        let path = match choice {
            ConfigChoice::Off => None,
            ConfigChoice::Given(path) => Some(path.to_owned()),
            ConfigChoice::Nearest => nearest(&std::env::current_dir().context("there is no current folder")?),
        };
        let mut config =
            Self { policy: Policy::default(), limits: Limits::default(), folder: None, findings: Vec::new() };
        if let Some(path) = path {
            let input = Input { path: path.clone(), named: true };
            let file = inputs::read(&input, "", sources, &Limits::default())?;
            (config.policy, config.findings) = Policy::read(&file, rules);
            config.limits = config.policy.limits().clone();
            config.folder = path.parent().and_then(|folder| std::path::absolute(folder).ok());
        }
        let limits = &mut config.limits;
        limits.file_bytes = given.max_file_bytes.unwrap_or(limits.file_bytes);
        limits.depth = given.max_depth.unwrap_or(limits.depth);
        limits.nodes = given.max_nodes.unwrap_or(limits.nodes);
        Ok(config)
    }

    /// The path of a file from the folder of the `locus.toml`, by the name under which it is shown. What is elsewhere
    /// has its whole path.
    pub(crate) fn path(&self, name: &str) -> String {
        let Some(folder) = &self.folder else { return name.strip_prefix("./").unwrap_or(name).to_owned() };
        relative(folder, name)
    }

    /// Removes and re-grades findings as the project wishes.
    pub(crate) fn apply(&mut self, sources: &Sources, findings: &mut Vec<Finding>) {
        let mut policy = std::mem::take(&mut self.policy);
        policy.apply(&|name| self.path(name), sources, findings);
        self.policy = policy;
    }

    /// The same for findings that are not reported, so that nothing is noted of entries without effect.
    pub(crate) fn applied(&self, sources: &Sources, findings: &mut Vec<Finding>) {
        self.policy.clone().apply(&|name| self.path(name), sources, findings);
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

/// The `locus.toml` in a folder or the nearest above it, by a path as short as can be.
fn nearest(folder: &Path) -> Option<PathBuf> {
    let found = folder.ancestors().map(|folder| folder.join("locus.toml")).find(|path| path.is_file())?;
    Some(found.strip_prefix(folder).map(Path::to_owned).unwrap_or(found))
}

/// The path of a file from a folder, by the name under which it is shown. What is elsewhere has its whole path.
pub(crate) fn relative(folder: &Path, name: &str) -> String {
    let whole = lexical(Path::new(name));
    let path = match whole.strip_prefix(lexical(folder)) {
        Ok(inside) => inside.to_owned(),
        // Somebody may have come here through a link.
        Err(_) => match (Path::new(name).canonicalize(), folder.canonicalize()) {
            (Ok(path), Ok(folder)) => path.strip_prefix(&folder).map(Path::to_owned).unwrap_or(path),
            _ => whole,
        },
    };
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

/// A path from the root, without `.` and `..`, whether it exists or not.
fn lexical(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
        match part {
            std::path::Component::ParentDir => drop(result.pop()),
            std::path::Component::CurDir => {}
            part => result.push(part),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_the_folder_of_the_configuration() {
        let at = |folder: &str| Config {
            policy: Policy::default(),
            limits: Limits::default(),
            folder: Some(PathBuf::from(folder)),
            findings: Vec::new(),
        };
        assert_eq!(at("/project").path("/project/sub/../legacy/./a.yaml"), "legacy/a.yaml");
        assert_eq!(at("/project/sub").path("/elsewhere/a.yaml"), "/elsewhere/a.yaml");
        let here = std::env::current_dir().unwrap();
        assert_eq!(at(&here.display().to_string()).path("./a/b.yaml"), "a/b.yaml");
        let above = here.parent().unwrap();
        let name = here.file_name().unwrap().to_str().unwrap();
        assert_eq!(at(&above.display().to_string()).path("a.yaml"), format!("{name}/a.yaml"));
    }
}
