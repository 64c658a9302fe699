//! `extends`: a service takes another one, of this file or another, as its base.

use locus_source::words::did_you_mean;
use locus_source::{Finding, Place};

use crate::read::build::Resets;
use crate::read::merge::extend_service;
use crate::read::paths::{Paths, is_remote, parent};
use crate::read::{ComposeFile, Reader, Scope, Stage};
use crate::rules;
use crate::values::datum::{Content, Datum, Map};

/// Services that extend each other down to here: the file and the name of each.
type Chain = Vec<(String, String)>;

/// How long a chain of services that extend each other may be.
const LONGEST: usize = 100;

/// Gives all services of a file what they extend.
pub(crate) fn apply(
    reader: &mut Reader<'_>,
    file: &ComposeFile,
    scope: Scope<'_>,
    model: &mut Datum,
    resets: &Resets,
) {
    let Some(services) = model.as_map_mut().and_then(|top| top.get_mut("services")) else { return };
    let Some(services) = services.as_map_mut() else { return };
    let extending: Vec<String> = services
        .iter()
        .filter(|(_, service)| service.get("extends").is_some())
        .map(|(name, _)| name.to_owned())
        .collect();
    for name in extending {
        let mut chain = Chain::new();
        if let Some(merged) = service(reader, file, scope, services, &name, resets, &mut chain) {
            services.put(&name, merged);
        }
    }
}

/// All that a service extends.
struct Base {
    service: String,
    file: Option<String>,
    place: Place,
}

fn base_of(service: &Datum) -> Option<Base> {
    let extends = service.get("extends")?;
    match &extends.content {
        Content::Str(service) => Some(Base { service: service.clone(), file: None, place: extends.place }),
        Content::Map(map) => {
            let service = map.get("service")?;
            let file = map.get("file").and_then(Datum::as_str).map(str::to_owned);
            Some(Base { service: service.as_str()?.to_owned(), file, place: service.place })
        }
        _ => None,
    }
}

/// A service with what it extends; nothing if it is not there or cannot be had.
fn service(
    reader: &mut Reader<'_>,
    file: &ComposeFile,
    scope: Scope<'_>,
    services: &mut Map,
    name: &str,
    resets: &Resets,
    chain: &mut Chain,
) -> Option<Datum> {
    let own = services.get(name)?.clone();
    if own.is_null() {
        return None;
    }
    let Some(base) = base_of(&own) else { return Some(own) };
    let (mut elsewhere, base_file, base_resets);
    let found = if let Some(path) = &base.file {
        (elsewhere, base_file, base_resets) = from_file(reader, scope, &base, path)?;
        elsewhere.as_map_mut()?
    } else {
        base_file = file.clone();
        base_resets = Resets::default();
        services
    };
    if !found.has(&base.service) {
        let message = format!(
            "`{name}` extends `{}`, and {} has no such service",
            base.service,
            base_file.source.name()
        );
        let finding = Finding::new(&rules::EXTENDS, base.place, message);
        reader.report.add(did_you_mean(finding, &base.service, found.keys()));
        return None;
    }
    let link = (base_file.path.clone(), name.to_owned());
    if chain.len() > LONGEST && !chain.contains(&link) {
        // Once for a file, however many of its services such a chain begins with.
        reader.give_up(format!(
            "{} has a chain of more than {LONGEST} services that extend each other, and was not read",
            file.source.name()
        ));
        return None;
    }
    if chain.contains(&link) {
        let names: Vec<_> = chain.iter().map(|(_, name)| format!("`{name}`")).collect();
        let message = format!("{} extend each other in a circle", names.join(", "));
        reader.report.say(&rules::EXTENDS, base.place, message);
        return None;
    }
    chain.push(link);
    let merged = service(reader, &base_file, scope, found, &base.service, &base_resets, chain);
    chain.pop();
    let Some(source) = merged else { return Some(own) };
    let mut shell = Datum::new(Content::Map(Map::default()), source.place);
    let mut inner = Map::default();
    inner.put(name, source);
    if let Some(top) = shell.as_map_mut() {
        top.put("services", Datum::new(Content::Map(inner), own.place));
    }
    resets.apply(&mut shell);
    let source = shell
        .as_map_mut()
        .and_then(|top| top.get_mut("services")?.as_map_mut()?.remove(name))
        .unwrap_or_else(|| Datum::new(Content::Map(Map::default()), own.place));
    let mut merged = extend_service(source, own, &mut reader.report);
    if let Some(map) = merged.as_map_mut() {
        map.remove("extends");
    }
    Some(merged)
}

/// The services of another file, with absolute paths.
fn from_file(
    reader: &mut Reader<'_>,
    scope: Scope<'_>,
    base: &Base,
    path: &str,
) -> Option<(Datum, ComposeFile, Resets)> {
    if is_remote(path) {
        reader.incomplete = true;
        let message = format!("`{path}` is not fetched, so what it defines is not known");
        reader.report.say(&rules::REMOTE, base.place, message);
        return None;
    }
    let path = scope.path(path);
    let file = match reader.compose_file(&path) {
        Ok(file) => file,
        Err(error) => {
            reader.not_read(&rules::EXTENDS, base.place, &path, &error, " to extend a service of");
            return None;
        }
    };
    let folder = parent(&path);
    let empty = Datum::new(Content::Map(Map::default()), base.place);
    let (mut model, resets) = reader.file(&file, scope, empty, Stage::Base);
    let paths = Paths { folder: &folder, home: reader.home, files: reader.files };
    paths.resolve(&mut model, &mut reader.report);
    let services = model.as_map_mut().and_then(|top| top.remove("services"));
    match services {
        Some(services) if services.as_map().is_some() => Some((services, file, resets)),
        _ => {
            let message = format!("{} has no services to extend", file.source.name());
            reader.report.say(&rules::EXTENDS, base.place, message);
            None
        }
    }
}
