//! The way from files to a model, in the order in which Compose goes it: each file is read, its variables get their
//! values, `extends` and `include` bring in others, and the result is put over what came before.

mod build;
mod canonical;
mod consistency;
pub(crate) mod counts;
mod decode;
pub mod dockerfile;
pub(crate) mod dotenv;
mod extends;
mod include;
pub(crate) mod interpolate;
mod late;
pub(crate) mod load;
mod merge;
pub(crate) mod normalize;
pub(crate) mod paths;
pub(crate) mod project;
pub(crate) mod recognise;
mod unique;

use std::rc::Rc;
use std::sync::Arc;

use locus_source::words::short;
use locus_source::yaml::{self, YamlOptions};
use locus_source::{FileId, Finding, Found, Limits, LoadError, Parsed, Place, Rule, SourceFile, Span};
use rustc_hash::FxHashMap;

use self::build::{Resets, build};
use self::canonical::canonical;
use self::dotenv::Variables;
use self::interpolate::interpolate;
use self::load::Files;
use self::paths::{Paths, join};
use crate::report::Report;
use crate::rules;
use crate::types::schema;
use crate::values::datum::{Content, Datum, Map};

/// A file of a project.
#[derive(Clone, Debug)]
pub struct ComposeFile {
    /// Its text.
    pub source: Arc<SourceFile>,
    /// Where it is: an absolute path.
    pub path: String,
}

/// All that all steps share.
pub(crate) struct Reader<'r> {
    pub(crate) files: Files<'r>,
    pub(crate) home: Option<&'r str>,
    pub(crate) limits: &'r Limits,
    pub(crate) report: Report,
    /// Comments of the files that were given, not of those that they name.
    pub(crate) comments: Vec<(FileId, Span)>,
    /// Whether something of the model is somewhere that we do not look.
    pub(crate) incomplete: bool,
    /// Limits of ours that were met, so that not all was read: which, as sentences without full stop.
    pub(crate) unanswered: Vec<String>,
    /// Files that were read.
    pub(crate) parsed: FxHashMap<FileId, Rc<Parsed>>,
}

/// All that some files are read with.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    /// The folder of the project.
    pub(crate) folder: &'s str,
    pub(crate) variables: &'s Variables,
    /// The files that include each other down to here.
    pub(crate) included: &'s [String],
}

/// How far a file is processed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It is part of the model.
    Whole,
    /// Only a service of it is wanted, as the base of another.
    Base,
}

impl Reader<'_> {
    /// The trees of a file, each file read once.
    pub(crate) fn parse(&mut self, file: &Arc<SourceFile>) -> Rc<Parsed> {
        let limits = self.limits;
        let parsed = self.parsed.entry(file.id()).or_insert_with(|| {
            let options = YamlOptions { limits: limits.clone(), ..YamlOptions::default() };
            Rc::new(yaml::parse(file, &options))
        });
        Rc::clone(parsed)
    }

    /// The model that several files make together, with defaults and absolute paths.
    pub(crate) fn model(&mut self, files: &[ComposeFile], scope: Scope<'_>) -> Datum {
        let start = files[0].source.place(Span::point(0));
        let mut model = Datum::new(Content::Map(Map::default()), start);
        for file in files {
            (model, _) = self.file(file, scope, model, Stage::Whole);
        }
        late::defaults(&mut model);
        late::validate(&model, &mut self.report);
        let paths = Paths { folder: scope.folder, home: self.home, files: self.files };
        paths.resolve(&mut model, &mut self.report);
        resolve_environment(&mut model, scope.variables);
        model
    }

    /// A model with a file put over it, and what the last document of the file resets.
    pub(crate) fn file(
        &mut self,
        file: &ComposeFile,
        scope: Scope<'_>,
        mut model: Datum,
        stage: Stage,
    ) -> (Datum, Resets) {
        let parsed = self.parse(&file.source);
        if stage == Stage::Whole {
            self.comments.extend(parsed.comments.iter().map(|span| (file.source.id(), *span)));
        }
        let broken = parsed.has_errors();
        for finding in &parsed.findings {
            self.report.add(finding.clone());
        }
        let mut resets = Resets::default();
        if broken {
            return (model, resets);
        }
        for document in &parsed.documents {
            let (value, document_resets) = build(document.root(), &mut self.report);
            resets = document_resets;
            if value.as_map().is_none() {
                let message = format!("a Compose file must be a mapping, not {}", value.kind());
                self.report.say(&rules::NOT_COMPOSE, value.place, message);
                continue;
            }
            model = self.document(file, scope, model, value, &resets, stage);
        }
        (model, resets)
    }

    fn document(
        &mut self,
        file: &ComposeFile,
        scope: Scope<'_>,
        mut model: Datum,
        mut value: Datum,
        resets: &Resets,
        stage: Stage,
    ) -> Datum {
        interpolate(&mut value, scope.variables, &mut self.report);
        if stage == Stage::Whole {
            extends::apply(self, file, scope, &mut value, resets);
        }
        resets.apply(&mut model);
        if stage == Stage::Whole {
            include::apply(self, file, scope, &mut value);
        }
        let mut model = merge::merge(model, value, &mut self.report);
        unique::enforce(&mut model, &mut self.report);
        if stage == Stage::Whole {
            schema::correct(&mut model, &mut self.report);
            schema::validate(&model, &mut self.report);
            self.version(&mut model);
        }
        canonical(&mut model, &mut self.report);
        unique::enforce(&mut model, &mut self.report);
        model
    }

    fn version(&mut self, model: &mut Datum) {
        let Some(top) = model.as_map_mut() else { return };
        if let Some(place) = top.key_place("version") {
            let message = "`version` is obsolete and has no effect";
            self.report.add(Finding::new(&rules::VERSION, place, message).help("remove it"));
            top.remove("version");
        }
    }

    /// Reads a file of variables into `out`. Says why it cannot; whether it could.
    pub(crate) fn variables(
        &mut self,
        path: &str,
        place: Place,
        format: Option<&str>,
        out: &mut Variables,
        known: &dyn Fn(&str) -> Option<String>,
    ) -> bool {
        let read = match format {
            None | Some("" | ".env") => dotenv::read,
            Some("raw") => dotenv::read_raw,
            Some(other) => {
                let message = format!("`{}` is not a format of files of variables", short(other));
                self.report.say(&rules::VARIABLES_FILE, place, message);
                return false;
            }
        };
        let file = match self.files.read(path) {
            Ok(file) => file,
            Err(error) => {
                self.not_read(&rules::VARIABLES_FILE, place, path, &error, "");
                return false;
            }
        };
        match read(file.text(), out, known) {
            Ok(unset) => {
                for name in unset {
                    if self.report.hidden.contains(&name) {
                        continue;
                    }
                    let message = format!("the variable `{name}`, which this file uses, is not set");
                    let at = file.place(Span::point(0));
                    self.report.say(&rules::UNSET_VARIABLE, at, message);
                }
                true
            }
            Err(error) => {
                let span = file.line_span(error.line).unwrap_or(Span::point(0));
                self.report.say(&rules::VARIABLES_FILE, file.place(span), error.message);
                false
            }
        }
    }

    /// Gives up because of a limit of ours.
    pub(crate) fn give_up(&mut self, why: String) {
        self.incomplete = true;
        if !self.unanswered.contains(&why) {
            self.unanswered.push(why);
        }
    }

    /// Whether there is a file to read at a path.
    pub(crate) fn is_file(&self, path: &str) -> bool {
        self.files.look(path) == Found::File
    }

    /// Says why a file was not read. What nobody may look at is not wrong, but what it would say is missing.
    pub(crate) fn not_read(&mut self, rule: &Rule, place: Place, path: &str, error: &LoadError, what: &str) {
        let shown = short(self.files.relative(path));
        match error {
            LoadError::Missing => self.report.say(rule, place, format!("there is no file `{shown}`{what}")),
            LoadError::Unreadable(why) => {
                self.report.say(rule, place, format!("`{shown}` cannot be read: {why}"));
            }
            LoadError::NotAllowed(_) | LoadError::NotLocal => {
                self.incomplete = true;
                let message = format!("`{shown}` was not read, so what it says is not known");
                self.report.say(&rules::REMOTE, place, message);
            }
        }
    }

    /// A file that another one names.
    pub(crate) fn compose_file(&mut self, path: &str) -> Result<ComposeFile, LoadError> {
        self.files.read(path).map(|source| ComposeFile { source, path: path.to_owned() })
    }
}

impl Scope<'_> {
    /// A path that is relative to the folder of the project.
    pub(crate) fn path(&self, path: &str) -> String {
        join(self.folder, path)
    }
}

/// Variables without a value in lists get that of the environment.
fn resolve_environment(model: &mut Datum, variables: &Variables) {
    let Some(services) = model.as_map_mut().and_then(|top| top.get_mut("services")) else { return };
    let Some(services) = services.as_map_mut() else { return };
    for (_, service) in services.iter_mut() {
        let environment = service.as_map_mut().and_then(|service| service.get_mut("environment"));
        let Some(Content::List(items)) = environment.map(|value| &mut value.content) else { continue };
        for item in items {
            if let Content::Str(text) = &mut item.content
                && let Some(value) = variables.get(text.as_str())
            {
                *text = format!("{text}={value}");
            }
        }
    }
}
