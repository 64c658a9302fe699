//! Files of definitions, by name: `a.b.C` is in `a/b/C.fractal` below the folder that the sources of the project start
//! at, or below a library. That folder is one of those around the file that is checked.

use std::sync::Arc;

use locus_source::xml;
use locus_source::{Finding, Found as Seen, SourceFile, words};
use rustc_hash::FxHashMap;

use super::{Part, Surroundings};
use crate::read;
use crate::rules;
use crate::syntax::{Definition, Text};

/// So many files are read for one.
const MOST_FILES: usize = 2_000;

/// So many folders around a file are looked into.
const MOST_FOLDERS: usize = 24;

/// The result of looking for a definition.
#[derive(Clone)]
pub(super) enum Found {
    /// It was read.
    Definition(Arc<Definition>),
    /// There is a file, which is not a definition; that was said.
    Broken,
    /// There is a file that cannot be read.
    Unreadable(String),
    /// There is no file. Another of the same package may have nearly the name: packages may be in several places, so
    /// that others are there says nothing.
    Nothing(Option<String>),
}

pub(super) struct Files<'s> {
    main: &'s SourceFile,
    surroundings: Surroundings<'s>,
    known: FxHashMap<String, Found>,
    parts: Vec<Part>,
    /// From the folder of the file to those around it, as far as they may be looked into.
    folders: Vec<String>,
    /// Whether the definition that is checked has a name without packages.
    is_in_no_package: bool,
}

impl<'s> Files<'s> {
    pub(super) fn new(main: &'s SourceFile, name: &Text, surroundings: Surroundings<'s>) -> Self {
        // The folder where the package of the file starts is the most likely one.
        let packages = name.text.split('.').count() - 1;
        let up = |count: &usize| "../".repeat(*count);
        let may_look = |count: &usize| surroundings.loader.look(main, &(up(count) + ".")) != Seen::Unknown;
        let likely = (packages < MOST_FOLDERS).then_some(packages);
        let around = (0..MOST_FOLDERS).take_while(may_look).filter(|count| Some(*count) != likely);
        let folders: Vec<String> = likely.into_iter().chain(around).map(|count| up(&count)).collect();
        let known = FxHashMap::default();
        Self { main, surroundings, known, parts: Vec::new(), folders, is_in_no_package: packages == 0 }
    }

    pub(super) fn into_parts(self) -> Vec<Part> {
        self.parts
    }

    pub(super) fn find(&mut self, name: &str) -> Found {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let found = self.look(name);
        self.known.insert(name.to_owned(), found.clone());
        found
    }

    fn look(&mut self, name: &str) -> Found {
        let is_name =
            !name.is_empty() && name.split('.').all(|part| !part.is_empty() && !part.contains(['/', '\\']));
        if !is_name || self.parts.len() >= MOST_FILES {
            return Found::Nothing(None);
        }
        let path = format!("{}.fractal", name.replace('.', "/"));
        for (number, folder) in self.roots().into_iter().enumerate() {
            // Elsewhere than where packages start, a file of this name may be another one.
            let is_certain = number == 0 || number >= self.folders.len();
            if let Some(found) = self.at(&format!("{folder}{path}"), name, is_certain) {
                return found;
            }
        }
        // A file beside the one that is checked may be of a package that its folder does not show.
        let last = name.rsplit('.').next().unwrap_or(name);
        match self.at(&format!("{last}.fractal"), name, false) {
            Some(found) => found,
            None => Found::Nothing(self.guess(name)),
        }
    }

    /// The folders in which packages may start.
    fn roots(&self) -> Vec<String> {
        let libraries = self.surroundings.libraries.iter();
        let libraries = libraries.map(|library| format!("{}/", library.trim_end_matches('/')));
        self.folders.iter().cloned().chain(libraries).collect()
    }

    /// The definition in a file, if there is one. Unless the path tells which it is, the file must say so.
    fn at(&mut self, path: &str, name: &str, is_certain: bool) -> Option<Found> {
        let Surroundings { sources, loader, limits, report, .. } = self.surroundings;
        if loader.look(self.main, path) != Seen::File {
            return None;
        }
        let (shown, bytes) = match loader.bytes(self.main, path) {
            Ok(read) => read,
            Err(error) => return is_certain.then(|| Found::Unreadable(error.to_string())),
        };
        let source = match sources.add_bytes(shown, xml::decode(bytes), limits) {
            Ok(source) => source,
            Err(error) => return is_certain.then(|| Found::Unreadable(error.to_string())),
        };
        if !is_certain && !source.text().contains(name) {
            return None;
        }
        let reading = read::read(&source, limits, report);
        let part = Part { source, comments: reading.comments };
        let Some(definition) = reading.definition else {
            self.parts.push(part);
            return Some(Found::Broken);
        };
        let own = &definition.body.name;
        if !own.is(name) {
            if !is_certain {
                return None;
            }
            let message = format!(
                "this file should define `{}`, and it defines `{}`",
                words::short(name),
                words::short(&own.text)
            );
            let finding = Finding::new(&rules::OTHER_NAME, own.place, message);
            report.add(finding.help("let the name of the definition be that of the file"));
        }
        self.parts.push(part);
        Some(Found::Definition(definition))
    }

    /// The nearest name of a definition in the same package, if one is near.
    fn guess(&self, name: &str) -> Option<String> {
        let Some((package, last)) = name.rsplit_once('.') else { return self.guess_beside(name) };
        let path = package.replace('.', "/");
        for folder in self.roots() {
            let listed = self.surroundings.loader.list(self.main, &format!("{folder}{path}"));
            let names: Vec<&str> = listed.iter().filter_map(|file| file.strip_suffix(".fractal")).collect();
            if !names.is_empty() {
                let near = words::nearest(last, names.iter().map(|name| (*name, *name)));
                return near.map(|near| format!("{package}.{near}"));
            }
        }
        None
    }

    /// The nearest name among the definitions without package beside the file.
    fn guess_beside(&self, name: &str) -> Option<String> {
        let own = self.main.name().rsplit(['/', '\\']).next().unwrap_or_default();
        let listed = self.surroundings.loader.list(self.main, ".");
        let others = listed.iter().filter(|file| **file != own);
        let names: Vec<&str> = others.filter_map(|file| file.strip_suffix(".fractal")).collect();
        let near = words::nearest(name, names.iter().map(|name| (*name, *name)));
        near.filter(|_| self.is_in_no_package).map(str::to_owned)
    }
}
