//! The document that a deployment was made from, kept with it: its text, and the content of all that it reads.
//!
//! A [`Recorder`] hands on what a document asks of the files and variables around it, and notes the answers. Of them,
//! and of the document itself, a [`Document`] is made, which is stored. It can be read again at any time by its own
//! answers, whatever has become of the files ([`Document::loader`]).
//!
//! A value that is looked up where it is needed is not in the store, and not in a document that is: of variables of the
//! environment, and of those in files of variables, only the values are kept that the stored goal has as well.
//!
//! Out of scope: languages, and the judgement of a document.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use locus_source::{Found, LoadError, Loader, SourceFile};
use serde::{Deserialize, Serialize};

use crate::Error;

/// The version of what is stored.
const VERSION: u32 = 1;

/// The most bytes of a document, with all that it reads, that are kept.
const MOST: usize = 4 << 20;

/// The beginning of the names of variables that say which files and profiles a project has.
const COMPOSE: &str = "COMPOSE_";

/// A document that was read, with the answers to all that it asked.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct Document {
    /// The version of what is stored.
    version: u32,
    /// The id of its language.
    pub language: String,
    /// The name of its file.
    pub name: String,
    /// Its text; none if it is too long to be kept.
    pub text: Option<String>,
    /// The options that it was read with, by name.
    pub options: Vec<(String, Given)>,
    /// The answers.
    asked: Asked,
}

/// The values of an option.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// It was given.
    Flag,
    /// Texts or paths.
    Texts(Vec<String>),
    /// Names with values.
    Pairs(Vec<(String, String)>),
    /// Files: names and texts.
    Files(Vec<(String, String)>),
}

impl Given {
    fn files(&self) -> &[(String, String)] {
        if let Given::Files(files) = self { files } else { &[] }
    }
}

/// The answers to what a document asked.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Default, Debug)]
struct Asked {
    files: Vec<(String, String, Result<String, Refused>)>,
    /// The contents of files, by the names to show.
    contents: BTreeMap<String, Content>,
    looks: Vec<(String, String, Kind)>,
    lists: Vec<(String, String, Vec<String>)>,
    folders: BTreeMap<String, Option<String>>,
    links: BTreeMap<String, String>,
    variables: BTreeMap<String, String>,
    hidden: Vec<String>,
}

/// The content of a file.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(untagged)]
enum Content {
    Text(String),
    Bytes(Vec<u8>),
}

impl Content {
    fn len(&self) -> usize {
        match self {
            Content::Text(text) => text.len(),
            // Each is a number in a list.
            Content::Bytes(bytes) => 4 * bytes.len(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Content::Text(text) => text.clone().into_bytes(),
            Content::Bytes(bytes) => bytes.clone(),
        }
    }
}

/// Why a file was not read.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
enum Refused {
    Missing,
    NotAllowed(String),
    NotLocal,
    Unreadable(String),
}

/// The kind of thing at a path.
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Nothing,
    File,
    Folder,
    Unknown,
}

impl From<LoadError> for Refused {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Missing => Refused::Missing,
            LoadError::NotAllowed(how) => Refused::NotAllowed(how),
            LoadError::NotLocal => Refused::NotLocal,
            LoadError::Unreadable(why) => Refused::Unreadable(why),
        }
    }
}

impl From<Refused> for LoadError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Missing => LoadError::Missing,
            Refused::NotAllowed(how) => LoadError::NotAllowed(how),
            Refused::NotLocal => LoadError::NotLocal,
            Refused::Unreadable(why) => LoadError::Unreadable(why),
        }
    }
}

impl From<Found> for Kind {
    fn from(found: Found) -> Self {
        match found {
            Found::Nothing => Kind::Nothing,
            Found::File => Kind::File,
            Found::Folder => Kind::Folder,
            Found::Unknown => Kind::Unknown,
        }
    }
}

impl From<Kind> for Found {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Nothing => Found::Nothing,
            Kind::File => Found::File,
            Kind::Folder => Found::Folder,
            Kind::Unknown => Found::Unknown,
        }
    }
}

/// The notes of a recorder.
#[derive(Default)]
struct Noted {
    files: BTreeMap<(String, String), Result<String, LoadError>>,
    contents: BTreeMap<String, Content>,
    size: usize,
    looks: BTreeMap<(String, String), Kind>,
    lists: BTreeMap<(String, String), Vec<String>>,
    folders: BTreeMap<String, Option<String>>,
    links: BTreeMap<String, String>,
}

/// A loader that notes the answers of another one.
pub struct Recorder {
    inner: Arc<dyn Loader>,
    noted: Mutex<Noted>,
}

impl Recorder {
    /// A recorder in front of a loader.
    pub fn new(inner: Arc<dyn Loader>) -> Self {
        Self { inner, noted: Mutex::default() }
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Completes a document with the answers that were noted. `stored` is the text of the goal that is stored with it:
    /// a value of a variable that is not in it is not kept. `variables` are the paths of files of variables.
    pub fn complete(&self, mut document: Document, stored: &str, variables: &[String]) -> Document {
        let noted = self.noted();
        let texts = || {
            let others = noted.contents.values().filter_map(|content| match content {
                Content::Text(text) => Some(text.as_str()),
                Content::Bytes(_) => None,
            });
            let files = document.options.iter().flat_map(|(_, given)| given.files());
            document.text.as_deref().into_iter().chain(others).chain(files.map(|(_, text)| text.as_str()))
        };
        let is_named = |name: &str| name.starts_with(COMPOSE) || texts().any(|text| text.contains(name));
        let all = self.inner.variables().into_iter().filter(|(name, _)| is_named(name));
        let kept = |(name, value): (String, String)| {
            // These name files and profiles.
            let value = if name.starts_with(COMPOSE) { value } else { protected(&value, stored) };
            (name, value)
        };
        let seen = all.map(kept).collect();
        let hidden = self.inner.hidden_variables().into_iter().filter(|name| is_named(name)).collect();
        let own = document.text.as_ref().map_or(0, String::len);
        let given = document.options.iter().flat_map(|(_, given)| given.files());
        let given: usize = given.map(|(_, text)| text.len()).sum();
        if noted.size + own + given > MOST {
            document.text = None;
            return document;
        }
        let is_of_variables =
            |name: &str| is_env(name) || variables.iter().any(|listed| listed.ends_with(name));
        let content = |(name, content): (&String, &Content)| {
            let content = match content {
                Content::Text(text) if is_of_variables(name) => Content::Text(masked(text, stored)),
                content => content.clone(),
            };
            (name.clone(), content)
        };
        let file = |((from, path), answer): (&(String, String), &Result<String, LoadError>)| {
            (from.clone(), path.clone(), answer.clone().map_err(Refused::from))
        };
        document.asked = Asked {
            files: noted.files.iter().map(file).collect(),
            contents: noted.contents.iter().map(content).collect(),
            looks: noted
                .looks
                .iter()
                .map(|((from, path), kind)| (from.clone(), path.clone(), *kind))
                .collect(),
            lists: noted
                .lists
                .iter()
                .map(|((from, path), names)| (from.clone(), path.clone(), names.clone()))
                .collect(),
            folders: noted.folders.clone(),
            links: noted.links.clone(),
            variables: seen,
            hidden,
        };
        for (_, given) in &mut document.options {
            if let Given::Files(files) = given {
                for (_, text) in files.iter_mut().filter(|(name, _)| is_env(name)) {
                    *text = masked(text, stored);
                }
            }
        }
        document
    }
}

/// Whether a file is one of variables, by its name: `.env`, or with that ending.
fn is_env(name: &str) -> bool {
    let path = std::path::Path::new(name);
    path.file_name().is_some_and(|name| name == ".env")
        || path.extension().is_some_and(|ending| ending == "env")
}

/// A value, if the stored text has it too; else as many `*`.
fn protected(value: &str, stored: &str) -> String {
    let written = serde_json::Value::from(value).to_string();
    let is_stored = stored.contains(&written[1..written.len() - 1]);
    if is_stored { value.to_owned() } else { value.chars().map(|_| '*').collect() }
}

/// The text of a file of variables without the values that are not stored. What stands where stays where it is.
fn masked(text: &str, stored: &str) -> String {
    let line = |line: &str| match line.split_once(['=', ':']) {
        None => line.to_owned(),
        Some((name, rest)) => {
            let bare = rest.trim().trim_matches(['"', '\'']);
            let Some(at) = rest.find(bare).filter(|_| !bare.is_empty()) else { return line.to_owned() };
            let between = &line[name.len()..=name.len()];
            let (before, after) = (&rest[..at], &rest[at + bare.len()..]);
            format!("{name}{between}{before}{}{after}", protected(bare, stored))
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

impl Loader for Recorder {
    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let found = self.inner.bytes(from, path);
        let mut noted = self.noted();
        let answer = found.as_ref().map(|(name, _)| name.clone()).map_err(Clone::clone);
        noted.files.insert((from.name().to_owned(), path.to_owned()), answer);
        if let Ok((name, bytes)) = &found
            && !noted.contents.contains_key(name)
        {
            let content = match String::from_utf8(bytes.clone()) {
                Ok(text) => Content::Text(text),
                Err(error) => Content::Bytes(error.into_bytes()),
            };
            noted.size = noted.size.saturating_add(content.len());
            if noted.size <= MOST {
                noted.contents.insert(name.clone(), content);
            }
        }
        found
    }

    fn look(&self, from: &SourceFile, path: &str) -> Found {
        let found = self.inner.look(from, path);
        self.noted().looks.insert((from.name().to_owned(), path.to_owned()), found.into());
        found
    }

    fn list(&self, from: &SourceFile, folder: &str) -> Vec<String> {
        let names = self.inner.list(from, folder);
        self.noted().lists.insert((from.name().to_owned(), folder.to_owned()), names.clone());
        names
    }

    fn folder(&self, of: &SourceFile) -> Option<String> {
        let folder = self.inner.folder(of);
        self.noted().folders.insert(of.name().to_owned(), folder.clone());
        folder
    }

    fn follow(&self, path: &str) -> String {
        let target = self.inner.follow(path);
        self.noted().links.insert(path.to_owned(), target.clone());
        target
    }

    fn variables(&self) -> Vec<(String, String)> {
        self.inner.variables()
    }

    fn hidden_variables(&self) -> Vec<String> {
        self.inner.hidden_variables()
    }
}

impl Document {
    /// A document without the answers to what it asked.
    pub fn new(language: &str, name: &str, text: &str) -> Self {
        Self {
            version: VERSION,
            language: language.to_owned(),
            name: name.to_owned(),
            text: Some(text.to_owned()),
            options: Vec::new(),
            asked: Asked::default(),
        }
    }

    /// The text that is stored.
    pub fn stored(&self) -> String {
        serde_json::to_string(self).expect("texts can be written")
    }

    /// The document that was stored.
    ///
    /// # Errors
    /// If it is not what was written, or of a newer version.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let document = serde_json::from_str(text);
        let document: Self = document.map_err(|error| Error::Damaged { what: "document", error })?;
        if document.version > VERSION { Err(Error::Newer) } else { Ok(document) }
    }

    /// The name that a file has when it is read again, below a folder that is shown with it.
    pub fn shown(folder: &str, name: &str) -> String {
        format!("{folder}/{}", name.trim_start_matches('/'))
    }

    /// The loader that gives the answers of then, to files whose names are below this folder.
    pub fn loader(&self, folder: &str) -> Replayed {
        let asked = self.asked.clone();
        let names = std::iter::once(&self.name)
            .chain(asked.contents.keys())
            .chain(asked.folders.keys())
            .chain(asked.files.iter().map(|(from, ..)| from))
            .chain(asked.looks.iter().map(|(from, ..)| from))
            .chain(asked.lists.iter().map(|(from, ..)| from));
        let names = names.map(|name| (Self::shown(folder, name), name.clone())).collect();
        let by = |from: &String, path: &String| (from.clone(), path.clone());
        Replayed {
            folder: folder.to_owned(),
            names,
            files: asked.files.iter().map(|(from, path, answer)| (by(from, path), answer.clone())).collect(),
            looks: asked.looks.iter().map(|(from, path, kind)| (by(from, path), *kind)).collect(),
            lists: asked.lists.iter().map(|(from, path, names)| (by(from, path), names.clone())).collect(),
            asked,
            misses: AtomicBool::new(false),
        }
    }
}

/// A loader that gives the answers that were noted.
pub struct Replayed {
    folder: String,
    /// The names of then, by those of now.
    names: BTreeMap<String, String>,
    files: BTreeMap<(String, String), Result<String, Refused>>,
    looks: BTreeMap<(String, String), Kind>,
    lists: BTreeMap<(String, String), Vec<String>>,
    asked: Asked,
    misses: AtomicBool,
}

impl Replayed {
    /// Whether something was asked for that was not asked for then.
    pub fn misses(&self) -> bool {
        self.misses.load(Ordering::Relaxed)
    }

    fn key(&self, from: &SourceFile, path: &str) -> (String, String) {
        let name = self.names.get(from.name()).cloned();
        (name.unwrap_or_else(|| from.name().to_owned()), path.to_owned())
    }

    fn answer<T>(&self, found: Option<T>) -> Option<T> {
        if found.is_none() {
            self.misses.store(true, Ordering::Relaxed);
        }
        found
    }
}

impl Loader for Replayed {
    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let unknown = || LoadError::Unreadable("it was not read when this was deployed".to_owned());
        let name = self.answer(self.files.get(&self.key(from, path)).cloned()).ok_or_else(unknown)??;
        let content = self.answer(self.asked.contents.get(&name)).ok_or_else(unknown)?;
        Ok((Document::shown(&self.folder, &name), content.bytes()))
    }

    fn look(&self, from: &SourceFile, path: &str) -> Found {
        self.answer(self.looks.get(&self.key(from, path)).copied()).map_or(Found::Unknown, Found::from)
    }

    fn list(&self, from: &SourceFile, folder: &str) -> Vec<String> {
        self.answer(self.lists.get(&self.key(from, folder)).cloned()).unwrap_or_default()
    }

    fn folder(&self, of: &SourceFile) -> Option<String> {
        self.answer(self.asked.folders.get(&self.key(of, "").0).cloned()).flatten()
    }

    fn follow(&self, path: &str) -> String {
        self.answer(self.asked.links.get(path).cloned()).unwrap_or_else(|| path.to_owned())
    }

    fn variables(&self) -> Vec<(String, String)> {
        self.asked.variables.clone().into_iter().collect()
    }

    fn hidden_variables(&self) -> Vec<String> {
        self.asked.hidden.clone()
    }
}

#[cfg(test)]
mod tests {
    use locus_source::Sources;

    use super::*;

    /// A folder with two files, and two variables.
    struct Folder;

    impl Loader for Folder {
        fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
            match path {
                ".env" => Ok(("sub/.env".to_owned(), b"PORT=8080\nDB=\"s3cret!\"\n# note\n".to_vec())),
                "raw" => Ok(("sub/raw".to_owned(), vec![0xff, 0])),
                _ => Err(LoadError::Missing),
            }
        }

        fn folder(&self, _: &SourceFile) -> Option<String> {
            Some("/home/me/sub".to_owned())
        }

        fn variables(&self) -> Vec<(String, String)> {
            [("TOKEN", "t0ken-of-mine"), ("PORT", "8080"), ("OTHER", "unrelated")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into()
        }
    }

    #[test]
    fn a_document_is_read_again_by_the_answers_of_then() {
        let sources = Sources::new();
        let file = sources.add("sub/a.yaml", "x: ${PORT} ${TOKEN}");
        let recorder = Recorder::new(Arc::new(Folder));
        for path in [".env", "raw", "nothing"] {
            let _ = recorder.bytes(&file, path);
        }
        assert_eq!(recorder.look(&file, "nothing"), Found::Nothing);
        assert_eq!(recorder.folder(&file).as_deref(), Some("/home/me/sub"));
        let document = Document::new("compose", file.name(), file.text());
        let kept = recorder.complete(document, "{\"nodes\":[\"8080\"]}", &[]).stored();
        for secret in ["s3cret!", "t0ken-of-mine", "unrelated", "OTHER"] {
            assert!(!kept.contains(secret), "{kept}");
        }

        let read = Document::parse(&kept).expect("it was written");
        let again =
            sources.add(Document::shown("x (deployed)", &read.name), read.text.clone().expect("short"));
        assert_eq!(again.name(), "x (deployed)/sub/a.yaml");
        let loader = read.loader("x (deployed)");
        let env = loader.bytes(&again, ".env").expect("it was read");
        assert_eq!(env.0, "x (deployed)/sub/.env");
        assert_eq!(String::from_utf8_lossy(&env.1), "PORT=8080\nDB=\"*******\"\n# note\n");
        assert_eq!(loader.bytes(&again, "raw").map(|(_, bytes)| bytes), Ok(vec![0xff, 0]));
        assert_eq!(loader.bytes(&again, "nothing"), Err(LoadError::Missing));
        assert_eq!(loader.look(&again, "nothing"), Found::Nothing);
        assert_eq!(loader.folder(&again).as_deref(), Some("/home/me/sub"));
        let variables = loader.variables();
        assert_eq!(
            variables.iter().find(|(name, _)| name == "PORT").map(|(_, value)| value.as_str()),
            Some("8080")
        );
        assert_eq!(variables.len(), 2);
        assert!(!loader.misses());
        assert!(loader.bytes(&again, "another").is_err() && loader.misses());
    }

    #[test]
    fn what_is_too_long_is_not_kept() {
        let recorder = Recorder::new(Arc::new(Folder));
        let document = recorder.complete(Document::new("hot", "a", &"x".repeat(MOST + 1)), "", &[]);
        assert_eq!(document.text, None);
    }

    #[test]
    fn documents_of_newer_versions_are_refused() {
        let newer = Document { version: VERSION + 1, ..Document::new("hot", "a", "") };
        assert!(matches!(Document::parse(&newer.stored()), Err(Error::Newer)));
    }
}
