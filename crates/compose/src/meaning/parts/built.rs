//! All that the Dockerfiles of services say: stages, what they copy from the build context, at which ports they listen.

use std::sync::Arc;

use locus_meaning::{Related, Subject};
use locus_source::words::short;
use locus_source::{Found, LoadError, Place, SourceFile, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Filling;
use crate::project::Project;
use crate::read::dockerfile::{self, Ignored, Instruction};
use crate::read::load::Files;
use crate::read::paths::join;
use crate::values::datum::Datum;
use crate::values::short::port;

/// So many Dockerfiles are looked at, each once for what services ask of it.
const MOST: usize = 500;

/// All that a Dockerfile became, for one context, target and set of arguments.
#[derive(Clone, Default)]
pub(super) struct Built {
    steps: Vec<(Subject, Place)>,
    stages: Vec<(Subject, Place)>,
    /// The ports at which what is built listens.
    listens: Vec<(u16, Place)>,
    /// Whether what is built has an entrypoint of its own.
    entrypoint: Option<Place>,
}

/// The Dockerfiles that were looked at.
pub(super) type Dockerfiles = FxHashMap<String, Built>;

/// A Dockerfile that is being read.
struct Reading<'a> {
    context: &'a str,
    target: Option<String>,
    arguments: Vec<(String, Option<String>)>,
    ignored: Option<Ignored>,
    /// Its file, or the place of its text in the Compose file.
    source: Result<Arc<SourceFile>, Place>,
}

/// A stage that is being read.
struct Stage {
    atom: Subject,
    title: Option<String>,
    place: Place,
    /// The stages that it needs, and the one that it begins with.
    needs: Vec<usize>,
    begins_with: Option<usize>,
    listens: Vec<(u16, Place)>,
    entrypoint: Option<Place>,
}

/// The path of the Dockerfile of a build.
fn path(value: &Datum, context: &str) -> Option<String> {
    value.get("dockerfile").and_then(Datum::as_str).map(|path| join(context, path))
}

/// All that a Dockerfile is asked for by a build.
fn key(value: &Datum, context: &str) -> String {
    let path = path(value, context);
    let inline = value.get("dockerfile_inline").and_then(Datum::as_str);
    let target = value.get("target").and_then(Datum::as_str).filter(|target| !target.is_empty());
    let named = inline.or(path.as_deref()).unwrap_or_default();
    format!("{context}\n{named}\n{target:?}\n{:?}", arguments(value))
}

/// The Dockerfiles that are there and are not looked at: those that cannot be read, and those over a limit of ours.
pub(crate) fn unread(project: &Project, files: &Files<'_>) -> Vec<String> {
    let mut said = Vec::new();
    let mut seen = FxHashSet::default();
    let builds = project.section("services").filter_map(|(_, service)| service.get("build"));
    for value in builds {
        let context = value.get("context").and_then(Datum::as_str).unwrap_or_default();
        if !context.starts_with('/') || !seen.insert(key(value, context)) {
            continue;
        }
        if seen.len() > MOST {
            said.push(format!(
                "of the Dockerfiles of the project, {MOST} were looked at, and there are more"
            ));
            break;
        }
        if value.get("dockerfile_inline").is_some() {
            continue;
        }
        let ignored = [join(context, ".dockerignore")];
        for path in path(value, context).iter().chain(&ignored) {
            if let Err(LoadError::Unreadable(why)) = files.read(path) {
                let why = format!("`{}` was not looked at: {why}", short(files.relative(path)));
                if !said.contains(&why) {
                    said.push(why);
                }
            }
        }
    }
    said
}

impl Filling<'_, '_> {
    /// Relates a build to what its Dockerfile says, and its service to what comes of it.
    pub(super) fn dockerfile(&mut self, service: Subject, build: Subject, value: &Datum, context: &str) {
        let target =
            value.get("target").filter(|target| target.as_str().is_some_and(|text| !text.is_empty()));
        self.put_text(build, "Build", "target", target);
        let inline = value.get("dockerfile_inline");
        let path = path(value, context);
        let arguments = arguments(value);
        let key = key(value, context);
        if !self.dockerfiles.contains_key(&key) {
            if self.dockerfiles.len() >= MOST {
                return;
            }
            let (text, source) = match (inline, &path) {
                (Some(inline), _) => (inline.as_str().unwrap_or_default().to_owned(), Err(inline.place)),
                (None, Some(path)) => match self.files.read(path) {
                    Ok(file) => (file.text().to_owned(), Ok(file)),
                    Err(_) => return,
                },
                (None, None) => return,
            };
            let Some(instructions) = dockerfile::read(&text) else { return };
            let target = target.and_then(Datum::as_str).map(str::to_ascii_lowercase);
            let ignored = self.ignored(context, path.as_deref());
            let reading = Reading { context, target, arguments, ignored, source };
            let built = self.stages(&reading, &instructions);
            self.dockerfiles.insert(key.clone(), built);
        }
        let built = self.dockerfiles[&key].clone();
        for (atom, place) in built.steps {
            self.put(build, "Build", "lines", Related::To(atom), place);
        }
        for (atom, place) in built.stages {
            self.put(build, "Build", "stages", Related::To(atom), place);
        }
        for (port, place) in built.listens {
            self.put(service, "Service", "listens", Related::Int(port.into()), place);
        }
        if let Some(place) = built.entrypoint {
            self.put(service, "Service", "entrypoint", Related::Truth(true), place);
        }
    }

    /// All that the context leaves out; nothing where that is not known.
    fn ignored(&self, context: &str, dockerfile: Option<&str>) -> Option<Ignored> {
        let own = dockerfile.map(|path| format!("{path}.dockerignore"));
        for path in own.into_iter().chain([join(context, ".dockerignore")]) {
            match self.files.read(&path) {
                Ok(file) => return Ignored::read(file.text()),
                Err(LoadError::Missing) => {}
                Err(_) => return None,
            }
        }
        Some(Ignored::default())
    }

    fn stages(&mut self, reading: &Reading<'_>, instructions: &[Instruction]) -> Built {
        let mut built = Built::default();
        let mut stages: Vec<Stage> = Vec::new();
        let mut known: FxHashMap<String, Option<String>> = FxHashMap::default();
        for instruction in instructions {
            let place = reading.place(instruction);
            let step = self.part("Step", format!("{} {}", instruction.word, instruction.rest), place);
            built.steps.push((step, place));
            self.put(step, "Step", "word", Related::text(&instruction.word), place);
            match instruction.word.as_str() {
                "ARG" if stages.is_empty() => known.extend(reading.defaults(instruction)),
                "FROM" => {
                    let stage = self.stage(&stages, instruction, &known, place);
                    built.stages.push((stage.atom, place));
                    stages.push(stage);
                }
                _ => {}
            }
            let count = stages.len();
            let Some(current) = stages.last().map(|stage| stage.atom) else { continue };
            self.put(step, "Step", "stage", Related::To(current), place);
            match instruction.word.as_str() {
                "COPY" | "ADD" => match instruction.flag("from") {
                    Some(from) => self.copied_from(&mut stages, step, from, place),
                    None => self.copied(reading, step, instruction, place),
                },
                "RUN" => {
                    let mounts = instruction.flags.iter().filter_map(|flag| flag.strip_prefix("--mount="));
                    for from in mounts
                        .flat_map(|mount| mount.split(','))
                        .filter_map(|part| part.strip_prefix("from="))
                    {
                        let needed = find(&stages[..count - 1], from);
                        stages[count - 1].needs.extend(needed);
                    }
                }
                "EXPOSE" => stages[count - 1].listens.extend(exposed(instruction).map(|port| (port, place))),
                "ENTRYPOINT" => stages[count - 1].entrypoint = Some(place),
                _ => {}
            }
        }
        self.related(reading, &stages, &mut built);
        built
    }

    fn stage(
        &mut self,
        earlier: &[Stage],
        instruction: &Instruction,
        known: &FxHashMap<String, Option<String>>,
        place: Place,
    ) -> Stage {
        let words = instruction.words();
        let base = words.first().map(|word| expanded(word, known));
        let title = match &words[..] {
            [_, middle, title, ..] if middle.eq_ignore_ascii_case("as") => Some(title.to_ascii_lowercase()),
            _ => None,
        };
        let atom = self.part("Stage", instruction.rest.as_str(), place);
        if let Some(title) = &title {
            self.put(atom, "Stage", "title", Related::text(title), place);
        }
        let begins_with = match &base {
            Some(Some(base)) if base.is_empty() => {
                self.put(atom, "Stage", "blank", Related::Truth(true), place);
                None
            }
            Some(Some(base)) => {
                let stage = earlier
                    .iter()
                    .rposition(|stage| stage.title.as_deref() == Some(&base.to_ascii_lowercase()));
                if stage.is_none() {
                    self.put(atom, "Stage", "base", Related::text(base), place);
                }
                stage
            }
            _ => None,
        };
        let needs = begins_with.into_iter().collect();
        Stage { atom, title, place, needs, begins_with, listens: Vec::new(), entrypoint: None }
    }

    fn copied_from(&mut self, stages: &mut [Stage], step: Subject, from: &str, place: Place) {
        let Some((current, earlier)) = stages.split_last_mut() else { return };
        match (find(earlier, from), from.parse::<u32>()) {
            (Some(needed), _) => current.needs.push(needed),
            (None, Ok(number)) => self.put(step, "Step", "from", Related::Int(number.into()), place),
            (None, Err(_)) => {}
        }
    }

    /// Whether what is copied from the context is there.
    fn copied(&mut self, reading: &Reading<'_>, step: Subject, instruction: &Instruction, place: Place) {
        let words = instruction.words();
        let sources = words.split_last().map(|(_, sources)| sources).unwrap_or_default();
        for source in sources {
            let is_elsewhere =
                source.starts_with("<<") || source.contains("://") || source.starts_with("git@");
            // Variables, quotes and sets of characters are not followed.
            if is_elsewhere || source.contains(['$', '"', '\'', '\\', '[']) {
                continue;
            }
            let path = dockerfile::inner(source);
            if path.is_empty() {
                continue;
            }
            if self.is_missing(reading.context, &path) {
                self.put(step, "Step", "missing", Related::text(&path), place);
            } else if reading
                .ignored
                .as_ref()
                .is_some_and(|ignored| !has_wildcard(&path) && ignored.covers(&path))
            {
                self.put(step, "Step", "ignored", Related::text(&path), place);
            }
        }
    }

    fn is_missing(&self, context: &str, path: &str) -> bool {
        let (folder, last) = path.rsplit_once('/').unwrap_or(("", path));
        let folder_path = if folder.is_empty() { context.to_owned() } else { join(context, folder) };
        if !has_wildcard(path) {
            return self.files.look(&join(context, path)) == Found::Nothing;
        }
        if has_wildcard(folder) || self.files.look(&folder_path) != Found::Folder {
            return !has_wildcard(folder) && self.files.look(&folder_path) == Found::Nothing;
        }
        // Only files are listed, so the pattern must be one of files: it ends in an extension.
        let is_of_files = last.rsplit_once('.').is_some_and(|(_, end)| !end.is_empty() && !has_wildcard(end));
        let names = self.files.list(&folder_path);
        is_of_files && !names.is_empty() && !names.iter().any(|name| dockerfile::is_match(last, name))
    }

    /// Which stages need which, which one is built, and what that one has from those that it begins with.
    fn related(&mut self, reading: &Reading<'_>, stages: &[Stage], built: &mut Built) {
        for stage in stages {
            for needed in &stage.needs {
                self.put(stage.atom, "Stage", "needs", Related::To(stages[*needed].atom), stage.place);
            }
        }
        let wanted = match &reading.target {
            Some(target) => stages.iter().rposition(|stage| stage.title.as_ref() == Some(target)),
            None => stages.len().checked_sub(1),
        };
        let mut current = wanted;
        if let Some(wanted) = wanted {
            self.put(stages[wanted].atom, "Stage", "wanted", Related::Truth(true), stages[wanted].place);
        }
        while let Some(at) = current {
            built.listens.extend(&stages[at].listens);
            built.entrypoint = built.entrypoint.or(stages[at].entrypoint);
            // Stages begin with earlier ones only.
            current = stages[at].begins_with;
        }
    }
}

impl Reading<'_> {
    fn place(&self, instruction: &Instruction) -> Place {
        match &self.source {
            Ok(file) => file.place(Span::new(instruction.span.start, instruction.span.end)),
            Err(place) => *place,
        }
    }

    /// The variables that an instruction `ARG` declares, with what the build gives them, or their default. Nothing
    /// stands for a value that is not known.
    fn defaults(&self, instruction: &Instruction) -> Vec<(String, Option<String>)> {
        let declared = instruction.words().into_iter().map(|word| {
            let (name, default) = word.split_once('=').unwrap_or((&word, ""));
            let default = default.trim_matches(['"', '\'']);
            let given =
                self.arguments.iter().find(|(given, _)| given == name).map(|(_, value)| value.clone());
            let default = (!default.contains('$')).then(|| default.to_owned());
            (name.to_owned(), given.unwrap_or(default))
        });
        declared.collect()
    }
}

/// The arguments of a build. Nothing stands for a value that the environment gives.
fn arguments(build: &Datum) -> Vec<(String, Option<String>)> {
    let given =
        build.get("args").and_then(Datum::as_map).into_iter().flat_map(crate::values::datum::Map::iter);
    given.map(|(name, value)| (name.to_owned(), (!value.is_null()).then(|| value.print()))).collect()
}

/// A word with its variables replaced; nothing if one of them is not known.
fn expanded(word: &str, known: &FxHashMap<String, Option<String>>) -> Option<String> {
    let mut text = String::new();
    let mut rest = word.trim_matches(['"', '\'']);
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (inner, after) = if let Some(braced) = rest.strip_prefix('{') {
            braced.split_once('}')?
        } else {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            rest.split_at(end)
        };
        rest = after;
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        // A form that is not read here, or a variable that Docker itself gives.
        let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_plain || name.starts_with("TARGET") || name.starts_with("BUILD") {
            return None;
        }
        let value = match known.get(name) {
            Some(value) => value.clone()?,
            None => String::new(),
        };
        text.push_str(if value.is_empty() { default.unwrap_or_default() } else { &value });
    }
    text.push_str(rest);
    Some(text)
}

/// A stage by its name or number.
fn find(stages: &[Stage], name: &str) -> Option<usize> {
    let lower = name.to_ascii_lowercase();
    let by_name = stages.iter().rposition(|stage| stage.title.as_ref() == Some(&lower));
    by_name.or_else(|| name.parse().ok().filter(|number| *number < stages.len()))
}

fn exposed(instruction: &Instruction) -> impl Iterator<Item = u16> {
    let words = instruction.words().into_iter();
    let ranges = words.filter_map(|word| port::range(word.split('/').next().unwrap_or_default()));
    ranges.filter(|(first, last)| last - first < 100).flat_map(|(first, last)| first..=last)
}

fn has_wildcard(path: &str) -> bool {
    path.contains(['*', '?'])
}
