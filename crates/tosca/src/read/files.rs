//! The files that make up a service: the one that is read, and those that it imports.
//!
//! All of them are read before anything is checked. What an import brings into which namespace is kept as it is
//! written; names are looked up by [`names`](crate::types::names).

use std::sync::Arc;

use locus_source::yaml::{self, YamlOptions};
use locus_source::{
    Finding, Limits, LoadError, Loader, Node, Place, SourceFile, Sources, Span, Tree, clean_path,
};
use rustc_hash::FxHashMap;

use crate::read::csar::is_yaml_name;
use crate::read::house;
use crate::read::version::Version;
use crate::report::{Report, did_you_mean, did_you_mean_word, short};
use crate::rules;

/// More files than this are not read.
const MOST_FILES: usize = 20_000;

/// So many files of a library folder are looked at for the profile that they are.
const MOST_LOOKED_AT: usize = 1_000;

/// The starts of the names of the archives in which Alien4Cloud has its normative types; the second one is the older.
const OWN_NORMATIVE: [&str; 2] = ["tosca-normative-types:", "tosca-base-types:"];

/// No more symbolic links than this are followed on the way to a file.
const MOST_LINKS: usize = 40;

/// A file.
pub(crate) struct File {
    pub(crate) tree: Tree,
    pub(crate) version: Version,
    pub(crate) imports: Vec<Import>,
    /// Whether it comes with Locus.
    pub(crate) house: bool,
    /// Whether its version adds types that Locus does not know.
    pub(crate) extended: bool,
    /// Whether its version is none of the standard's, so that its form need not be.
    pub(crate) dialect: bool,
}

/// A version with what is known of it.
#[derive(Clone, Copy)]
struct Declared {
    version: Version,
    extended: bool,
    dialect: bool,
}

impl From<Version> for Declared {
    fn from(version: Version) -> Self {
        Self { version, extended: false, dialect: false }
    }
}

/// An import of a file.
pub(crate) struct Import {
    /// The namespace, which is the root one if there is none.
    pub(crate) prefix: Option<String>,
    /// The file, if it was read.
    pub(crate) file: Option<usize>,
    /// Whether it has the normative types of a dialect, which are not those of the standard.
    pub(crate) normative: bool,
}

/// All files, the one that was asked for first.
#[derive(Default)]
pub(crate) struct Files {
    pub(crate) all: Vec<File>,
    /// The normative types of each version of the Simple Profile that some file has.
    pub(crate) normative: FxHashMap<Version, usize>,
    pub(crate) comments: Vec<Span>,
}

/// The context in which files are read.
pub(crate) struct Reader<'r> {
    pub(crate) sources: &'r Sources,
    pub(crate) loader: &'r dyn Loader,
    pub(crate) limits: &'r Limits,
    pub(crate) libraries: &'r [String],
    /// Whether the files are in an archive, where a path that starts with a slash starts at the root of the archive.
    pub(crate) archive: bool,
    pub(crate) report: &'r Report,
    pub(crate) files: Files,
    known: FxHashMap<String, Option<usize>>,
    profiles: FxHashMap<String, Option<usize>>,
}

impl<'r> Reader<'r> {
    pub(crate) fn new(
        sources: &'r Sources,
        loader: &'r dyn Loader,
        limits: &'r Limits,
        libraries: &'r [String],
        archive: bool,
        report: &'r Report,
    ) -> Self {
        let (files, known, profiles) = (Files::default(), FxHashMap::default(), FxHashMap::default());
        Self { sources, loader, limits, libraries, archive, report, files, known, profiles }
    }

    /// Reads a file and all that it imports. Gives nothing if it is not TOSCA.
    pub(crate) fn read(mut self, main: &Arc<SourceFile>) -> Option<Files> {
        self.add(main, true)?;
        let mut next = 0;
        while next < self.files.all.len() {
            self.imports(next);
            next += 1;
        }
        Some(self.files)
    }

    /// Parses a file. What it imports is read later.
    fn add(&mut self, source: &Arc<SourceFile>, main: bool) -> Option<usize> {
        let identity = self.identity(source);
        if let Some(known) = self.known.get(&identity) {
            return *known;
        }
        self.known.insert(identity.clone(), None);
        let options =
            YamlOptions { limits: self.limits.clone(), adjacent_values: true, ..YamlOptions::default() };
        let parsed = yaml::parse(source, &options);
        let broken = parsed.has_errors();
        parsed.findings.into_iter().for_each(|finding| self.report.add(finding));
        if main {
            self.files.comments = parsed.comments;
        }
        let mut documents = parsed.documents.into_iter();
        let Some(tree) = documents.next() else {
            if !broken {
                let place = source.place(Span::new(0, 0));
                self.report.say(&rules::NOT_TOSCA, place, "the file is empty, so it is not a TOSCA file");
            }
            return None;
        };
        if let Some(second) = documents.next() {
            let place = second.root().place();
            self.report.say(
                &rules::NOT_TOSCA,
                place,
                "a TOSCA file is one YAML document, and this is a second one",
            );
        }
        let declared = self.version(tree.root())?;
        Some(self.push(identity, tree, declared, false))
    }

    /// The name by which a file is known, whichever way an import leads to it: files that import each other by
    /// `../other/types.yaml` have a longer path each time.
    fn identity(&self, source: &SourceFile) -> String {
        let name = source.name();
        let Some(mut folder) = self.loader.folder(source) else { return clean_path(name) };
        for _ in 0..MOST_LINKS {
            let followed = self.loader.follow(&folder);
            if followed == folder {
                break;
            }
            folder = followed;
        }
        let file = name.rsplit('/').next().unwrap_or(name);
        clean_path(&format!("{folder}/{file}"))
    }

    fn push(&mut self, identity: String, tree: Tree, declared: Declared, house: bool) -> usize {
        let Declared { version, extended, dialect } = declared;
        let at = self.files.all.len();
        self.known.insert(identity, Some(at));
        self.files.all.push(File { tree, version, imports: Vec::new(), house, extended, dialect });
        if version.is_simple() && !house && !self.files.normative.contains_key(&version) {
            let normative = self.house(version);
            self.files.normative.insert(version, normative);
        }
        at
    }

    fn house(&mut self, version: Version) -> usize {
        let tree = house::tree(version, self.sources);
        let name = tree.source().name();
        if let Some(Some(known)) = self.known.get(name) {
            return *known;
        }
        let name = name.to_owned();
        self.push(name, tree, version.into(), true)
    }

    /// The version of a file; a finding if it is not TOSCA.
    fn version(&self, root: Node<'_>) -> Option<Declared> {
        let Some(entry) = root.get_entry("tosca_definitions_version") else {
            let message = "the file has no `tosca_definitions_version`, so it is not a TOSCA file";
            let finding = Finding::new(&rules::NOT_TOSCA, root.place(), message);
            self.report.add(finding.help("start the file with `tosca_definitions_version: tosca_2_0`"));
            return None;
        };
        let name = entry.value.raw();
        if let Some(version) = Version::extended(name) {
            let message =
                format!("the types of `{}` are not known to Locus, so they are not checked", short(name));
            self.report.say(&rules::IMPORT_NOT_READ, entry.value.use_place(), message);
            // A profile of OASIS adds types to it.
            return Some(Declared { extended: true, ..version.into() });
        }
        let version = entry.value.as_str().and_then(Version::parse);
        let first = root.written_entries().next();
        if first.is_some_and(|first| !first.key.is_same(entry.key)) {
            let message = "`tosca_definitions_version` must be the first line of the file";
            self.report.say(&rules::VERSION_FIRST, entry.key.place(), message);
        }
        if let Some(version) = version {
            return Some(version.into());
        }
        let place = entry.value.use_place();
        if let Some((version, extended)) = Version::resembled(name) {
            let message =
                format!("`{}` is not a version of the standard; it is read as {version}", short(name));
            let finding = Finding::new(&rules::DIALECT, place, message);
            self.report.add(finding.help(format!("write `{}`, if it is meant", version.name())));
            return Some(Declared { version, extended, dialect: true });
        }
        let message = format!("`{}` is not a version of TOSCA", short(name));
        let mut finding = Finding::new(&rules::VERSION, place, message);
        finding = did_you_mean_word(finding, name, Version::ALL.map(Version::name));
        if finding.help.is_none() && name.starts_with("cloudify_dsl_") {
            finding =
                finding.help("blueprints of Cloudify are a language of their own, which Locus does not read");
        }
        self.report.add(finding);
        None
    }

    fn imports(&mut self, at: usize) {
        let file = &self.files.all[at];
        let (tree, version) = (file.tree.clone(), file.version);
        let Some(list) = tree.root().get("imports") else { return };
        for item in list.items() {
            let Some(import) = Wanted::read(item, version) else { continue };
            let file = self.import(&tree, &import);
            let normative = matches!(import.what, What::File(path) if OWN_NORMATIVE.iter().any(|one| path.starts_with(one)));
            let prefix = import.prefix.map(str::to_owned);
            self.files.all[at].imports.push(Import { prefix, file, normative });
        }
    }

    fn import(&mut self, from: &Tree, import: &Wanted<'_>) -> Option<usize> {
        if self.files.all.len() >= MOST_FILES {
            let message = format!("more than {MOST_FILES} files are imported; the rest is not read");
            self.report.say(&rules::IMPORT_NOT_READ, import.place, message);
            return None;
        }
        match import.what {
            What::Profile(name) => self.profile(from, name, import.place),
            What::File(path) => self.file(from, path, import),
        }
    }

    fn file(&mut self, from: &Tree, path: &str, import: &Wanted<'_>) -> Option<usize> {
        let (path, lenient) = match import.repository {
            Some(name) => match self.in_repository(from, name, path, import)? {
                Ok(path) => (path, true),
                Err(url) => {
                    self.not_read(import.place, &url, "it is not a local file");
                    return None;
                }
            },
            None => match scheme(path) {
                Some("file") => (path["file:".len()..].trim_start_matches("//").to_owned(), true),
                Some(_) => {
                    self.not_read(import.place, path, "it is not a local file");
                    return None;
                }
                // Yorc writes what is built into it in angle brackets.
                None => {
                    let is_built_in = path.starts_with('<') && path.ends_with('>');
                    (path.to_owned(), is_built_in || is_archive(path))
                }
            },
        };
        let rooted = path.starts_with('/') && !self.archive;
        let (from, wanted) = if rooted && !lenient {
            (Arc::clone(self.files.all[0].tree.source()), path.trim_start_matches('/'))
        } else {
            (Arc::clone(from.source()), path.as_str())
        };
        match self.loader.load(self.sources, &from, wanted) {
            Ok(source) => self.add(&source, false),
            Err(LoadError::Missing) if !lenient => {
                let message = format!("the imported file `{}` does not exist", short(&path));
                self.report.say(&rules::IMPORT_MISSING, import.place, message);
                None
            }
            Err(LoadError::Unreadable(why)) => {
                let message = format!("the imported file `{}` cannot be read: {why}", short(&path));
                self.report.say(&rules::IMPORT_MISSING, import.place, message);
                None
            }
            Err(error) => {
                let why = match error {
                    LoadError::NotAllowed(why) => why,
                    LoadError::Missing => "it does not exist here".to_owned(),
                    _ => "it is not a local file".to_owned(),
                };
                self.not_read(import.place, &path, &why);
                None
            }
        }
    }

    /// The path of a file in a repository, or its URL; nothing if there is no such repository.
    fn in_repository(
        &self,
        from: &Tree,
        name: &str,
        path: &str,
        import: &Wanted<'_>,
    ) -> Option<Result<String, String>> {
        let repositories = from.root().get("repositories");
        let Some(repository) = repositories.and_then(|all| all.get(name)) else {
            let message = format!("the file defines no repository `{}`", short(name));
            let finding = Finding::new(&rules::UNKNOWN_REPOSITORY, import.place, message);
            let names = repositories.into_iter().flat_map(Node::entries).map(|entry| entry.key.raw());
            self.report.add(did_you_mean(finding, name, names));
            return None;
        };
        let url = repository.as_str().or_else(|| repository.get("url")?.as_str()).unwrap_or_default();
        if scheme(path).is_some() {
            let message = format!("`{}` is a complete URL, so it is in no repository", short(path));
            self.report.say(&rules::IMPORT_FORM, import.place, message);
            return None;
        }
        let joined = |base: &str| format!("{}/{}", base.trim_end_matches('/'), path.trim_start_matches('/'));
        Some(match scheme(url) {
            Some("file") => Ok(joined(url["file:".len()..].trim_start_matches("//"))),
            Some(_) => Err(joined(url)),
            None => Ok(joined(url)),
        })
    }

    fn not_read(&self, place: Place, what: &str, why: &str) {
        let message = format!("the import `{}` is not read: {why}", short(what));
        let finding = Finding::new(&rules::IMPORT_NOT_READ, place, message);
        self.report.add(finding.note("names that it may define are not checked"));
    }

    fn profile(&mut self, from: &Tree, name: &str, place: Place) -> Option<usize> {
        if let Some(known) = self.profiles.get(name) {
            return *known;
        }
        let found = match house::profile(name) {
            Some(version) => Some(self.house(version)),
            None => self.library(from, name),
        };
        if found.is_none() {
            let message = format!("the profile `{}` is not known", short(name));
            let finding = Finding::new(&rules::UNKNOWN_PROFILE, place, message);
            self.report.add(finding.help("name the folder that has it by `--library`"));
        }
        self.profiles.insert(name.to_owned(), found);
        found
    }

    /// A profile in one of the folders and files of the user.
    fn library(&mut self, from: &Tree, name: &str) -> Option<usize> {
        let parts = name.replace([':', '.'], "/");
        let (base, version) = name.split_once(':').unwrap_or((name, ""));
        let nested = format!("{}/{version}", base.replace('.', "/"));
        let main = Arc::clone(from.source());
        // The profiles of an archive are those in it, and those of the user.
        let root = self.archive.then(|| "/".to_owned());
        for library in root.iter().chain(self.libraries) {
            let is_file = is_yaml_name(library);
            let paths = if is_file {
                vec![library.clone()]
            } else {
                let file = |path: &str| format!("{}/{path}", library.trim_end_matches('/'));
                vec![
                    file(&format!("{name}.yaml")),
                    file(&format!("{name}/profile.yaml")),
                    file(&format!("{}/profile.yaml", nested.trim_end_matches('/'))),
                    file(&format!("{parts}/profile.yaml")),
                    file("profile.yaml"),
                    file(base),
                ]
            };
            for path in paths {
                if let Some(source) = self.declaring(&main, &path, name) {
                    return self.add(&source, false);
                }
            }
            // Nothing in the standard says how the file of a profile is called.
            let listed = if is_file { Vec::new() } else { self.loader.list(&main, library) };
            for file in listed.iter().filter(|file| is_yaml_name(file)).take(MOST_LOOKED_AT) {
                let path = format!("{}/{file}", library.trim_end_matches('/'));
                if let Some(source) = self.declaring(&main, &path, name) {
                    return self.add(&source, false);
                }
            }
        }
        None
    }

    /// The file at a path, if it says that it is this profile.
    fn declaring(&self, from: &SourceFile, path: &str, name: &str) -> Option<Arc<SourceFile>> {
        let (_, bytes) = self.loader.bytes(from, path).ok()?;
        let text = std::str::from_utf8(&bytes).ok()?;
        declares(text, name).then(|| self.loader.load(self.sources, from, path).ok()).flatten()
    }
}

/// Whether a text says that it is this profile.
fn declares(text: &str, name: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| {
        let rest = line.strip_prefix("profile:").map(|rest| rest.split(" #").next().unwrap_or(rest).trim());
        rest.is_some_and(|value| value.trim_matches(['"', '\'']) == name)
    })
}

/// The scheme of a URL.
pub(crate) fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let mut letters = scheme.chars();
    let fits = letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|one| one.is_ascii_alphanumeric() || "+-.".contains(one))
        && scheme.len() > 1;
    fits.then_some(scheme)
}

/// Whether an import names an archive of a catalogue and its version, as Alien4Cloud has them: `my_types:1.0-SNAPSHOT`.
fn is_archive(import: &str) -> bool {
    import.split_once(':').is_some_and(|(name, version)| {
        !name.contains('/') && version.starts_with(|one: char| one.is_ascii_digit())
    })
}

/// The request of an item of `imports`.
struct Wanted<'t> {
    what: What<'t>,
    repository: Option<&'t str>,
    prefix: Option<&'t str>,
    place: Place,
}

#[derive(Clone, Copy)]
enum What<'t> {
    File(&'t str),
    Profile(&'t str),
}

impl<'t> Wanted<'t> {
    /// Nothing if the item has not the right form, which is reported elsewhere.
    fn read(item: Node<'t>, version: Version) -> Option<Self> {
        let place = item.use_place();
        if let Some(path) = item.as_str() {
            return Some(Self { what: What::File(path), repository: None, prefix: None, place });
        }
        let text = |key: &str| item.get(key).and_then(Node::as_str);
        if version == Version::V2_0 {
            let what = match (text("url"), text("profile")) {
                (Some(url), None) => What::File(url),
                (None, Some(profile)) => What::Profile(profile),
                _ => return None,
            };
            return Some(Self { what, repository: text("repository"), prefix: text("namespace"), place });
        }
        if let Some(path) = text("file") {
            let (repository, prefix) = (text("repository"), text("namespace_prefix"));
            return Some(Self { what: What::File(path), repository, prefix, place });
        }
        // The Simple Profile 1.0 has a form with a name for each import.
        let mut entries = item.entries();
        let (entry, None) = (entries.next()?, entries.next()) else { return None };
        Self::read(entry.value, version)
    }
}
