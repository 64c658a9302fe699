//! Files of extensions: those beside the file, those of `--library`, and those that a path of Eclipse names.

use std::sync::Arc;

use locus_source::{Found as Seen, SharedReport, SourceFile, xml};
use rustc_hash::FxHashMap;

use super::{Loaded, Meant, Surroundings};
use crate::read;

/// The ending of the names of files of extensions.
const ENDING: &str = ".occie";

/// So many files of extensions are read for one.
const MOST_FILES: usize = 500;

/// So many folders around a file are looked into for a plugin.
const MOST_FOLDERS: usize = 8;

pub(super) struct Finder<'s> {
    known: FxHashMap<Arc<str>, Meant<usize>>,
    /// The file that is checked.
    main: &'s SourceFile,
    count: usize,
}

impl<'s> Finder<'s> {
    pub(super) fn new(main: &'s SourceFile) -> Self {
        Self { known: FxHashMap::default(), main, count: 0 }
    }

    pub(super) fn known(&self, within: &str) -> Option<Meant<usize>> {
        self.known.get(within).copied()
    }

    pub(super) fn remember(&mut self, within: &str, meant: Meant<usize>) {
        self.known.insert(within.into(), meant);
    }

    /// The extensions in the folder of the file, and in those of `--library`.
    pub(super) fn libraries(&mut self, surroundings: Surroundings<'_>) -> Vec<Loaded> {
        let file = self.main;
        let own = file.name().rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let folders = std::iter::once(".").chain(surroundings.libraries.iter().map(String::as_str));
        let mut all = Vec::new();
        for folder in folders {
            if folder.ends_with(ENDING) {
                all.extend(self.load(file, folder, surroundings));
                continue;
            }
            for name in surroundings.loader.list(file, folder) {
                if !name.ends_with(ENDING) || folder == "." && name == own {
                    continue;
                }
                all.extend(self.load(
                    file,
                    &format!("{}/{name}", folder.trim_end_matches('/')),
                    surroundings,
                ));
            }
        }
        all
    }

    /// The extension in a file, if it is one. What is wrong in it is said where it is checked itself.
    fn load(&mut self, from: &SourceFile, path: &str, surroundings: Surroundings<'_>) -> Option<Loaded> {
        let Surroundings { sources, loader, limits, .. } = surroundings;
        if self.count >= MOST_FILES || loader.look(from, path) != Seen::File {
            return None;
        }
        self.count += 1;
        let (shown, bytes) = loader.bytes(from, path).ok()?;
        let source = sources.add_bytes(shown, xml::decode(bytes), limits).ok()?;
        let read = read::read(&source, limits, &SharedReport::default());
        let model = Arc::new(read.model.filter(|model| model.is_extension)?);
        Some(Loaded { model, source: Some(source), comments: read.comments, is_house: false })
    }

    /// The extension that a path names: `platform:/plugin/NAME/model/A.occie`, `platform:/resource/…`, or one that
    /// starts at the folder of the file.
    pub(super) fn by_path(
        &mut self,
        within: &str,
        from: Option<&SourceFile>,
        surroundings: Surroundings<'_>,
    ) -> Option<Loaded> {
        let plugin =
            within.strip_prefix("platform:/plugin/").or_else(|| within.strip_prefix("platform:/resource/"));
        let paths: Vec<String> = match plugin {
            Some(path) => (0..MOST_FOLDERS).map(|up| format!("{}{path}", "../".repeat(up))).collect(),
            None if within.contains("://") => return None,
            None => vec![within.to_owned()],
        };
        let from = from.unwrap_or(self.main);
        paths.into_iter().find_map(|path| self.load(from, &path, surroundings))
    }
}
