//! The files that an input may read: those of its project, and nothing else unless the user allows it.
//!
//! The project of a file is the nearest folder upwards that has a `locus.toml` or a `.git`, else the file's own folder.
//! Anything outside counts as unknown, and a note says how to allow it. `SECURITY.md` has the reasons.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use locus_source::{Finding, Found, Limits, LoadError, Loader, Rule, Severity, SourceFile, Sources, Span};

use crate::inputs;

/// The rules about what files read.
pub(crate) const RULES: &[Rule] = &[OUTSIDE, HIDDEN];

/// A document asks for the environment, which it may not see.
pub(crate) const HIDDEN: Rule = Rule::new(
    "LOC021",
    "environment-hidden",
    Severity::Note,
    "Documents depend on no environment variables, or are allowed to.",
    "A specification may ask for environment variables (`IOEnv`). Since they may hold secrets, and since what is written \
     may be published, it sees none of them unless you say `--allow-env`.",
);

const OUTSIDE: Rule = Rule::new(
    "LOC020",
    "file-outside-project",
    Severity::Note,
    "Files name only files of their project.",
    "A file that Locus reads may name others. Those in its project are read: the project is the nearest folder upwards \
     that has a `locus.toml` or a `.git`, else the folder of the file itself. What is outside is not read, and its content \
     counts as unknown. If you trust the file, allow it with `--allow-read FOLDER`.",
);

/// The access that the user allows beyond the project.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowed {
    /// Folders and files that may be read.
    pub(crate) read: Vec<PathBuf>,
    /// Whether environment variables may be read.
    pub(crate) environment: bool,
}

impl Allowed {
    /// Everything that the user may read.
    pub(crate) fn everything() -> Self {
        Self { read: vec![PathBuf::from("/")], environment: true }
    }
}

/// Reads the files that a document names.
pub(crate) struct ProjectFiles {
    limits: Limits,
    allowed: Allowed,
    /// The files on the command line that the document is read with, and itself.
    own: Vec<PathBuf>,
    roots: OnceLock<Vec<PathBuf>>,
    /// The requests that were refused: the file that made them, and the path.
    refused: Mutex<Vec<(String, String)>>,
}

impl ProjectFiles {
    /// The files of the projects of some files that the user named.
    pub(crate) fn new(own: Vec<PathBuf>, limits: &Limits, allowed: &Allowed) -> Self {
        Self {
            limits: limits.clone(),
            allowed: allowed.clone(),
            own,
            roots: OnceLock::new(),
            refused: Mutex::default(),
        }
    }

    /// Whether a file may be read: it is below one of the roots once links are followed.
    pub(crate) fn may_read(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| self.roots().iter().any(|root| path.starts_with(root)))
    }

    fn roots(&self) -> &[PathBuf] {
        self.roots.get_or_init(|| {
            let own = self.own.iter().map(|path| project(path));
            own.chain(self.allowed.read.iter().cloned()).filter_map(|root| resolved(&root)).collect()
        })
    }

    /// Whether anything at a path may be known, be it only that there is nothing.
    fn may_look(&self, path: &Path) -> bool {
        if path.exists() {
            return self.may_read(path);
        }
        resolved(path).is_some_and(|path| self.roots().iter().any(|root| path.starts_with(root)))
    }

    /// A note for each file that was not read, at the place that names it.
    pub(crate) fn notes(&self, sources: &Sources, file: &SourceFile) -> Vec<Finding> {
        let mut refused = std::mem::take(&mut *self.refused.lock().expect("no panic while locked"));
        refused.sort();
        refused.dedup();
        let note = |(from, path): (String, String)| {
            let from = sources.find(&from);
            let from = from.as_deref().unwrap_or(file);
            let at = from.text().find(&path).map_or(Span::point(0), |at| Span::new(at, at + path.len()));
            let message =
                format!("`{path}` is outside of the project, so it was not read and its content is unknown");
            let help = format!("to have it read, say --allow-read {path}, with the path from here");
            Finding::new(&OUTSIDE, from.place(at), message).help(help)
        };
        refused.into_iter().map(note).collect()
    }
}

/// A path with its links followed, as far as there is anything: what does not exist can be allowed, too.
fn resolved(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let existing = path.ancestors().find(|path| path.exists())?;
    let rest = path.strip_prefix(existing).ok()?;
    let existing = existing.canonicalize().ok()?;
    Some(if rest.as_os_str().is_empty() { existing } else { existing.join(rest) })
}

impl Loader for ProjectFiles {
    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let local = path.strip_prefix("file://").unwrap_or(path);
        if local.contains("://") {
            return Err(LoadError::NotLocal);
        }
        let found = beside(from, local);
        // Whether a file outside exists is nobody's business either, so this is asked first. What does not exist has no
        // canonical path; it is missing if its nearest folder that does is inside.
        if !self.may_look(&found) {
            self.refused
                .lock()
                .expect("no panic while locked")
                .push((from.name().to_owned(), path.to_owned()));
            return Err(LoadError::NotAllowed(found.display().to_string()));
        }
        if !found.is_file() {
            return Err(LoadError::Missing);
        }
        let name = from_here(&found).display().to_string();
        let bytes = inputs::bytes(&found, &self.limits);
        bytes.map(|bytes| (name, bytes)).map_err(|error| LoadError::Unreadable(format!("{error:#}")))
    }

    fn look(&self, from: &SourceFile, path: &str) -> Found {
        let found = beside(from, path);
        if path.contains("://") || !self.may_look(&found) {
            return Found::Unknown;
        }
        match found.metadata() {
            Ok(metadata) if metadata.is_dir() => Found::Folder,
            Ok(_) => Found::File,
            // Below a file there is nothing either.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                Found::Nothing
            }
            Err(_) => Found::Unknown,
        }
    }

    fn list(&self, from: &SourceFile, folder: &str) -> Vec<String> {
        let folder = beside(from, folder);
        if !self.may_read(&folder) {
            return Vec::new();
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let files = entries.filter(|entry| entry.path().is_file());
        let mut names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    fn folder(&self, of: &SourceFile) -> Option<String> {
        let beside = beside(of, "");
        // A file in this folder may be named without it.
        let beside = if beside.as_os_str().is_empty() { PathBuf::from(".") } else { beside };
        let folder = std::path::absolute(beside).ok()?;
        Some(folder.to_str()?.trim_end_matches('/').to_owned())
            .map(|path| if path.is_empty() { "/".to_owned() } else { path })
    }

    fn follow(&self, path: &str) -> String {
        let mut current = PathBuf::from("/");
        for part in Path::new(path).components().skip(1) {
            current.push(part);
            if current.is_symlink()
                && let Ok(target) = current.canonicalize()
                && let (Some(from), Some(to)) = (current.to_str(), target.to_str())
            {
                return path.replacen(from, to, 1);
            }
        }
        path.to_owned()
    }

    fn hidden_variables(&self) -> Vec<String> {
        if self.allowed.environment {
            return Vec::new();
        }
        std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect()
    }

    fn variables(&self) -> Vec<(String, String)> {
        if !self.allowed.environment {
            return Vec::new();
        }
        let text = |text: std::ffi::OsString| text.into_string().ok();
        std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect()
    }
}

/// A path as people write it in the current folder: findings show it so.
pub(crate) fn from_here(path: &Path) -> PathBuf {
    match std::env::current_dir().map(|here| path.strip_prefix(here).map(Path::to_owned)) {
        Ok(Ok(short)) if path.is_absolute() => short,
        _ => path.to_owned(),
    }
}

/// A path that a file names.
fn beside(from: &SourceFile, path: &str) -> PathBuf {
    Path::new(from.name()).parent().unwrap_or(Path::new("")).join(path)
}

/// The folder of the project that a file belongs to.
pub(crate) fn project(file: &Path) -> PathBuf {
    let folder = match file.parent() {
        Some(folder) if !inputs::is_stdin(file) && !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let Ok(absolute) = folder.canonicalize() else { return folder.to_owned() };
    let is_root = |folder: &&Path| folder.join("locus.toml").is_file() || folder.join(".git").exists();
    absolute.ancestors().find(is_root).unwrap_or(&absolute).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_inside_the_project_only() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path();
        for (path, text) in [
            ("secret.txt", "secret"),
            ("project/locus.toml", ""),
            ("project/sub/stack.yaml", "a: ../../secret.txt"),
            ("project/beside.txt", "beside"),
        ] {
            std::fs::create_dir_all(base.join(path).parent().unwrap()).unwrap();
            std::fs::write(base.join(path), text).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(base.join("secret.txt"), base.join("project/sub/link.txt")).unwrap();
        let (limits, sources) = (Limits::default(), Sources::new());
        let stack = base.join("project/sub/stack.yaml");
        let from = sources.add(stack.display().to_string(), "a: ../../secret.txt");
        let load = |allowed: &Allowed, path: &str| {
            let files = ProjectFiles::new(vec![stack.clone()], &limits, allowed);
            let loaded = files.load(&sources, &from, path).map(|file| file.text().to_owned());
            (loaded, files.notes(&sources, &from))
        };
        let none = Allowed::default();
        assert_eq!(load(&none, "../beside.txt").0.as_deref(), Ok("beside"));
        assert_eq!(load(&none, "file://../beside.txt").0.as_deref(), Ok("beside"));
        assert_eq!(load(&none, "../nowhere.txt").0, Err(LoadError::Missing));
        assert_eq!(load(&none, "https://example.org/x").0, Err(LoadError::NotLocal));
        for outside in ["../../secret.txt", "../../nowhere.txt", "/etc/passwd", "/nowhere/at/all"] {
            let (loaded, notes) = load(&none, outside);
            assert!(matches!(loaded, Err(LoadError::NotAllowed(_))), "{outside}: {loaded:?}");
            assert!(notes[0].help.as_deref().is_some_and(|help| help.contains("--allow-read")), "{notes:?}");
        }
        #[cfg(unix)]
        assert!(matches!(load(&none, "link.txt").0, Err(LoadError::NotAllowed(_))));
        let (_, notes) = load(&none, "../../secret.txt");
        assert_eq!(notes[0].primary.place.span, Span::new(3, 19));
        let allowed = Allowed { read: vec![base.to_owned()], environment: false };
        assert_eq!(load(&allowed, "../../secret.txt").0.as_deref(), Ok("secret"));
        assert_eq!(load(&allowed, "link.txt").0.as_deref(), Ok("secret"));
    }

    #[test]
    fn a_file_without_a_project_may_read_its_own_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.yaml");
        std::fs::write(&file, "").unwrap();
        // The folder of temporary files is in no project.
        assert_eq!(project(&file), folder.path().canonicalize().unwrap());
    }
}
