//! A project: the model of its files, complete and typed, with the services of the active profiles.

use std::collections::BTreeSet;

use crate::read::Reader;
use crate::read::consistency;
use crate::read::decode::decode;
use crate::read::dotenv::Variables;
use crate::values::datum::{Content, Datum, Entry, Map};

/// All that Compose would work with.
#[derive(Clone, Debug)]
pub struct Project {
    /// The name of the project.
    pub name: String,
    /// Its folder.
    pub folder: String,
    /// The files that it was read from, without those that they include or extend: absolute paths.
    pub files: Vec<String>,
    /// The model in canonical form. Services are those of the active profiles.
    pub model: Datum,
    /// Services that no active profile has.
    pub disabled: Map,
    /// The variables without a value that secrets and configs are made of.
    pub unset: BTreeSet<String>,
    /// Whether its parts fit together, so that Compose takes it.
    pub(crate) fits: bool,
}

impl Project {
    /// The parts under a key at the top: services, networks and so on.
    pub fn section(&self, name: &str) -> impl Iterator<Item = (&str, &Datum)> {
        self.model.get(name).and_then(Datum::as_map).into_iter().flat_map(Map::iter)
    }

    /// The same with the places of their names, in the order of the files.
    pub(crate) fn entries(&self, name: &str) -> impl Iterator<Item = (&str, &Entry)> {
        self.model.get(name).and_then(Datum::as_map).into_iter().flat_map(Map::in_file_order)
    }

    /// The project without networks, volumes, secrets, configs and models that no service uses, as
    /// `docker compose config` prints it.
    #[must_use]
    pub fn without_unused(&self) -> Self {
        let mut used: [(&str, Vec<&str>); 5] =
            ["networks", "volumes", "secrets", "configs", "models"].map(|section| (section, Vec::new()));
        for (_, service) in self.section("services") {
            for (section, names) in &mut used {
                match *section {
                    "networks" | "models" => {
                        let map = service.get(section).and_then(Datum::as_map);
                        names.extend(map.into_iter().flat_map(Map::keys));
                    }
                    _ => {
                        let build = service.get("build").filter(|_| *section == "secrets");
                        for holder in [Some(service), build].into_iter().flatten() {
                            let items = holder.get(section).and_then(Datum::as_list).unwrap_or_default();
                            let volumes = *section == "volumes";
                            let of_volume = |item: &&Datum| {
                                !volumes || item.get("type").and_then(Datum::as_str) == Some("volume")
                            };
                            let sources = items.iter().filter(of_volume);
                            names.extend(sources.filter_map(|item| item.get("source")?.as_str()));
                        }
                    }
                }
            }
        }
        let mut kept = self.clone();
        if let Some(top) = kept.model.as_map_mut() {
            for (section, names) in used {
                if let Some(map) = top.get_mut(section).and_then(Datum::as_map_mut) {
                    let names: rustc_hash::FxHashSet<&str> = names.into_iter().collect();
                    map.0.retain(|name, _| names.contains(name.as_str()));
                }
            }
        }
        kept
    }
}

/// Types, profiles, checks, files of variables: the last steps of reading.
pub(crate) fn finish(
    reader: &mut Reader<'_>,
    mut model: Datum,
    name: &str,
    folder: &str,
    profiles: &[String],
    variables: &Variables,
) -> Project {
    decode(&mut model, &mut reader.report);
    let disabled = split(&mut model, profiles);
    consistency::check(&mut model, &disabled, &mut reader.report);
    if let Some(services) =
        model.as_map_mut().and_then(|top| top.get_mut("services")).and_then(Datum::as_map_mut)
    {
        for (_, service) in services.iter_mut() {
            environment(reader, service, variables);
            labels(reader, service);
        }
    }
    let unset = unset(&model, variables, &reader.report.hidden);
    let fits = !reader.report.has_failed();
    let (name, folder) = (name.to_owned(), folder.to_owned());
    Project { name, folder, files: Vec::new(), model, disabled, unset, fits }
}

/// The variables that secrets and configs are made of and that have no value, as far as the environment may be seen.
fn unset(model: &Datum, variables: &Variables, hidden: &BTreeSet<String>) -> BTreeSet<String> {
    let sections = ["secrets", "configs"].into_iter().filter_map(|section| model.get(section)?.as_map());
    let named = sections.flat_map(Map::iter).filter_map(|(_, value)| value.get("environment")?.as_str());
    let unset = named.filter(|name| !variables.contains_key(*name) && !hidden.contains(*name));
    unset.map(str::to_owned).collect()
}

/// Takes the services out that no active profile has.
fn split(model: &mut Datum, profiles: &[String]) -> Map {
    let mut disabled = Map::default();
    let Some(services) = model.as_map_mut().and_then(|top| top.get_mut("services")) else { return disabled };
    let Some(services) = services.as_map_mut() else { return disabled };
    for (name, entry) in std::mem::take(&mut services.0) {
        let own = entry.value.get("profiles").and_then(Datum::as_list).unwrap_or_default();
        let active = own.is_empty()
            || profiles.iter().any(|p| p == "*" || own.iter().any(|own| own.as_str() == Some(p)));
        let map = if active { &mut services.0 } else { &mut disabled.0 };
        map.insert(name, entry);
    }
    disabled
}

/// Reads the `env_file`s of a service into its environment, which wins over them.
fn environment(reader: &mut Reader<'_>, service: &mut Datum, variables: &Variables) {
    let place = service.place;
    let Some(map) = service.as_map_mut() else { return };
    let Some(files) = map.get("env_file").and_then(Datum::as_list).map(<[Datum]>::to_vec) else { return };
    let own = map.get("environment").and_then(Datum::as_map).cloned().unwrap_or_default();
    let mut all: Variables =
        own.iter().filter_map(|(name, value)| Some((name.to_owned(), value.as_str()?.to_owned()))).collect();
    let given = all.clone();
    for file in files {
        let path = file.get("path").unwrap_or(&file);
        let Some(text) = path.as_str() else { continue };
        let required = file.get("required").is_none_or(|value| match &value.content {
            Content::Bool(required) => *required,
            other => *other != Content::Str("false".to_owned()),
        });
        if !required && reader.files.look(text) == locus_source::Found::Nothing {
            continue;
        }
        let known = |name: &str| variables.get(name).or_else(|| given.get(name)).cloned();
        let format = file.get("format").and_then(Datum::as_str);
        reader.variables(text, path.place, format, &mut all, &known);
    }
    let mut environment = own;
    for (name, value) in all {
        if !environment.has(&name) {
            environment.put(&name, Datum::text(value, place));
        }
    }
    map.put("environment", Datum::new(Content::Map(environment), place));
}

/// Reads the `label_file`s of a service into its labels, which win over them.
fn labels(reader: &mut Reader<'_>, service: &mut Datum) {
    let place = service.place;
    let Some(map) = service.as_map_mut() else { return };
    let Some(files) = map.get("label_file").and_then(Datum::as_list).map(<[Datum]>::to_vec) else { return };
    let mut all = Variables::new();
    for file in files {
        let Some(path) = file.as_str() else { continue };
        let before = all.clone();
        let known = |name: &str| before.get(name).cloned();
        reader.variables(path, file.place, None, &mut all, &known);
    }
    let mut labels = map.get("labels").and_then(Datum::as_map).cloned().unwrap_or_default();
    for (name, value) in all {
        labels.put_default(&name, Content::Str(value), place);
    }
    map.put("labels", Datum::new(Content::Map(labels), place));
}
