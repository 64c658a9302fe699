//! Relative paths made absolute, from the folder of the project.

use locus_source::clean_path;

use crate::read::load::Files;
use crate::report::Report;
use crate::rules;
use crate::values::datum::{Content, Datum, Map};

/// All that paths are made absolute with.
pub(crate) struct Paths<'p> {
    /// The folder that paths are relative to.
    pub(crate) folder: &'p str,
    pub(crate) home: Option<&'p str>,
    pub(crate) files: Files<'p>,
}

/// A path below a folder.
pub(crate) fn join(folder: &str, path: &str) -> String {
    if path.starts_with('/') { clean_path(path) } else { clean_path(&format!("{folder}/{path}")) }
}

/// The folder of a file.
pub(crate) fn parent(path: &str) -> String {
    match path.rfind('/') {
        Some(0) => "/".to_owned(),
        Some(at) => path[..at].to_owned(),
        None => ".".to_owned(),
    }
}

/// Whether a file is somewhere else: a Git repository or an OCI artifact.
pub(crate) fn is_remote(path: &str) -> bool {
    path.starts_with("oci://")
        || path.starts_with("https://")
        || path.starts_with("http://")
        || path.starts_with("git://")
        || path.starts_with("ssh://")
        || path.starts_with("git@")
        || path.starts_with("github.com/")
}

impl Paths<'_> {
    /// Makes all paths of a model absolute.
    pub(crate) fn resolve(&self, model: &mut Datum, report: &mut Report) {
        let Some(top) = model.as_map_mut() else { return };
        for (section, value) in top.iter_mut() {
            let Some(items) = value.as_map_mut() else { continue };
            for (_, item) in items.iter_mut() {
                let Some(map) = item.as_map_mut() else { continue };
                match section {
                    "services" => self.service(map, report),
                    "configs" | "secrets" => self.change(map, "file", Self::unix),
                    "volumes" => self.volume(map),
                    _ => {}
                }
            }
        }
    }

    fn change(&self, map: &mut Map, key: &str, change: fn(&Self, &str) -> String) {
        if let Some(Content::Str(text)) = map.get_mut(key).map(|value| &mut value.content) {
            *text = change(self, text);
        }
    }

    fn change_all(&self, value: Option<&mut Datum>, change: fn(&Self, &str) -> String) {
        let texts: Vec<&mut Datum> = match value.map(|value| &mut value.content) {
            Some(Content::List(items)) => items.iter_mut().collect(),
            Some(Content::Map(map)) => map.0.values_mut().map(|entry| &mut entry.value).collect(),
            _ => return,
        };
        for value in texts {
            if let Content::Str(text) = &mut value.content {
                *text = change(self, text);
            }
        }
    }

    fn service(&self, map: &mut Map, report: &mut Report) {
        if let Some(build) = map.get_mut("build").and_then(Datum::as_map_mut) {
            self.change(build, "context", Self::context);
            self.change_all(build.get_mut("additional_contexts"), Self::context);
            self.change_all(build.get_mut("ssh"), Self::unix);
        }
        if let Some(Content::List(files)) = map.get_mut("env_file").map(|value| &mut value.content) {
            for file in files.iter_mut().filter_map(Datum::as_map_mut) {
                self.change(file, "path", Self::absolute);
            }
        }
        self.change_all(map.get_mut("label_file"), Self::absolute);
        if let Some(extends) = map.get_mut("extends").and_then(Datum::as_map_mut) {
            self.change(extends, "file", |paths, file| {
                if is_remote(file) { file.to_owned() } else { paths.absolute(file) }
            });
        }
        if let Some(develop) = map.get_mut("develop").and_then(Datum::as_map_mut)
            && let Some(Content::List(watched)) = develop.get_mut("watch").map(|value| &mut value.content)
        {
            for watch in watched.iter_mut().filter_map(Datum::as_map_mut) {
                self.change(watch, "path", |paths, path| paths.files.loader.follow(&paths.absolute(path)));
            }
        }
        if let Some(Content::List(mounts)) = map.get_mut("volumes").map(|value| &mut value.content) {
            for mount in mounts {
                let place = mount.place;
                let Some(mount) = mount.as_map_mut() else { continue };
                if mount.get("type").and_then(Datum::as_str) != Some("bind") {
                    continue;
                }
                if mount.has("source") {
                    self.change(mount, "source", Self::unix);
                } else {
                    report.say(&rules::MISSING_KEY, place, "a bind mount must have a `source`");
                }
            }
        }
    }

    /// A volume of the local driver may be a folder in disguise.
    fn volume(&self, map: &mut Map) {
        if map.get("driver").and_then(Datum::as_str) != Some("local") {
            return;
        }
        if let Some(options) = map.get_mut("driver_opts").and_then(Datum::as_map_mut)
            && options.get("o").and_then(Datum::as_str) == Some("bind")
        {
            self.change(options, "device", Self::unix);
        }
    }

    fn user(&self, path: &str) -> String {
        match (path.strip_prefix('~'), self.home) {
            (Some(rest), Some(home)) => clean_path(&format!("{home}/{rest}")),
            _ => path.to_owned(),
        }
    }

    pub(crate) fn absolute(&self, path: &str) -> String {
        let path = self.user(path);
        if path.is_empty() || path.starts_with('/') { path } else { join(self.folder, &path) }
    }

    fn unix(&self, path: &str) -> String {
        let path = self.user(path);
        if path.starts_with('/') || is_windows(&path) { path } else { join(self.folder, &path) }
    }

    fn context(&self, path: &str) -> String {
        if path.contains("://") || path.starts_with("service:") || is_remote(path) {
            return path.to_owned();
        }
        self.absolute(path)
    }
}

/// Whether a path is absolute on Windows.
fn is_windows(path: &str) -> bool {
    let bytes = path.as_bytes();
    let is_separator = |b: Option<&u8>| matches!(b, Some(b'/' | b'\\'));
    if bytes.get(1) == Some(&b':') {
        return is_separator(bytes.get(2));
    }
    is_separator(bytes.first()) && is_separator(bytes.get(1))
}
