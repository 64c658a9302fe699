//! `include`: other projects become part of this one.

use locus_source::words::did_you_mean_word;
use locus_source::{Finding, Place};

use crate::read::dotenv::Variables;
use crate::read::paths::{is_remote, parent};
use crate::read::{ComposeFile, Reader, Scope};
use crate::rules;
use crate::values::datum::{Content, Datum, Map};

/// How deep files may include each other.
const DEEPEST: usize = 50;

/// Takes what a file includes into its model.
pub(crate) fn apply(reader: &mut Reader<'_>, file: &ComposeFile, scope: Scope<'_>, model: &mut Datum) {
    let Some(value) = model.as_map_mut().and_then(|top| top.remove("include")) else { return };
    let Content::List(items) = value.content else {
        if !value.is_null() {
            let message = format!("`include` must be a list, not {}", value.kind());
            reader.report.say(&rules::WRONG_TYPE, value.place, message);
        }
        return;
    };
    let mut included = scope.included.to_vec();
    included.push(file.path.clone());
    for item in items {
        let Some(request) = request(reader, &item) else { continue };
        let scope = Scope { included: &included, ..scope };
        if let Some(imported) = load(reader, scope, &request) {
            import(reader, imported, model, request.place);
        }
    }
}

/// One item of `include`.
struct Request {
    paths: Vec<String>,
    folder: Option<String>,
    env_files: Vec<String>,
    place: Place,
}

fn request(reader: &mut Reader<'_>, item: &Datum) -> Option<Request> {
    let strings = |value: Option<&Datum>| -> Vec<String> {
        match value.map(|value| &value.content) {
            Some(Content::Str(text)) => vec![text.clone()],
            Some(Content::List(items)) => items.iter().map(Datum::print).collect(),
            _ => Vec::new(),
        }
    };
    let known = ["path", "project_directory", "env_file"];
    let request = match &item.content {
        Content::Str(path) => {
            Request { paths: vec![path.clone()], folder: None, env_files: Vec::new(), place: item.place }
        }
        Content::Map(map) => {
            if let Some((key, entry)) = map.0.iter().find(|(key, _)| !known.contains(&key.as_str())) {
                let message = format!("`include` has no key `{key}`");
                let finding = Finding::new(&rules::UNKNOWN_KEY, entry.key, message);
                reader.report.add(did_you_mean_word(finding, key, known));
            }
            Request {
                paths: strings(map.get("path")),
                folder: map.get("project_directory").and_then(Datum::as_str).map(str::to_owned),
                env_files: strings(map.get("env_file")),
                place: item.place,
            }
        }
        _ => {
            let message = format!("an item of `include` must be a path or a mapping, not {}", item.kind());
            reader.report.say(&rules::WRONG_TYPE, item.place, message);
            return None;
        }
    };
    if request.paths.is_empty() {
        reader.report.say(&rules::MISSING_KEY, item.place, "an item of `include` must have a `path`");
        return None;
    }
    Some(request)
}

/// The model of what is included; nothing if it cannot be had.
fn load(reader: &mut Reader<'_>, scope: Scope<'_>, request: &Request) -> Option<Datum> {
    let mut files = Vec::new();
    for path in &request.paths {
        if is_remote(path) {
            reader.incomplete = true;
            let message = format!("`{path}` is not fetched, so what it defines is not known");
            reader.report.say(&rules::REMOTE, request.place, message);
            return None;
        }
        let path = scope.path(path);
        match reader.compose_file(&path) {
            Ok(file) => files.push(file),
            Err(error) => {
                reader.not_read(&rules::INCLUDE, request.place, &path, &error, " to include");
                return None;
            }
        }
    }
    let main = &files[0];
    if scope.included.len() > DEEPEST && !scope.included.contains(&main.path) {
        let name = main.source.name();
        reader.give_up(format!(
            "{name} is included by more than {DEEPEST} files, each by the one before, and was not read"
        ));
        return None;
    }
    if scope.included.contains(&main.path) {
        let message = format!("{} includes itself through the files that it includes", main.source.name());
        reader.report.say(&rules::INCLUDE, request.place, message);
        return None;
    }
    let folder = match &request.folder {
        Some(folder) => scope.path(folder),
        None => parent(&main.path),
    };
    let variables = variables(reader, scope, request, &folder)?;
    let scope = Scope { folder: &folder, variables: &variables, included: scope.included };
    Some(reader.model(&files, scope))
}

/// The variables that the included files see: those of this project, and those of their own files.
fn variables(
    reader: &mut Reader<'_>,
    scope: Scope<'_>,
    request: &Request,
    folder: &str,
) -> Option<Variables> {
    let mut files: Vec<String> = request.env_files.iter().map(|path| scope.path(path)).collect();
    if files.is_empty() {
        let default = format!("{folder}/.env");
        files.extend(reader.is_file(&default).then_some(default));
    }
    let mut own = Variables::new();
    let outer = scope.variables;
    for file in &files {
        let before = own.clone();
        let known = |name: &str| outer.get(name).or_else(|| before.get(name)).cloned();
        if !reader.variables(file, request.place, None, &mut own, &known) {
            return None;
        }
    }
    own.extend(outer.iter().map(|(name, value)| (name.clone(), value.clone())));
    Some(own)
}

/// Takes the resources of one model into another, where none of the same name may say something else.
fn import(reader: &mut Reader<'_>, imported: Datum, model: &mut Datum, place: Place) {
    let Content::Map(imported) = imported.content else { return };
    let Some(top) = model.as_map_mut() else { return };
    for (section, entry) in imported.0 {
        if !["services", "volumes", "networks", "secrets", "configs", "models"].contains(&section.as_str()) {
            continue;
        }
        let Content::Map(resources) = entry.value.content else { continue };
        if top.get(&section).and_then(Datum::as_map).is_none() {
            top.put(&section, Datum::new(Content::Map(Map::default()), entry.value.place));
        }
        let Some(own) = top.get_mut(&section).and_then(Datum::as_map_mut) else { continue };
        for (name, resource) in resources.0 {
            match own.0.get(&name) {
                None => {
                    own.0.insert(name, resource);
                }
                Some(before) if *before == resource => {}
                Some(before) => {
                    let message = format!(
                        "`{section}.{name}` is defined here, and differently in a file that is included"
                    );
                    let finding = Finding::new(&rules::INCLUDE, before.key, message);
                    reader.report.add(finding.also(resource.key, "there").also(place, "included here"));
                }
            }
        }
    }
}
