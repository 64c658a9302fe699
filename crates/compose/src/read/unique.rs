//! Lists that stand for sets: of items with the same key, the last one counts, at the place of the first.

use locus_source::words::short;
use locus_source::{Finding, Place};
use rustc_hash::FxHashMap;

use crate::report::Report;
use crate::rules;
use crate::values::datum::{Content, Datum, Map};
use crate::values::short::volume;

/// Drops from a model what is said again in the same list.
pub(crate) fn enforce(model: &mut Datum, report: &mut Report) {
    let Some(top) = model.as_map_mut() else { return };
    for (section, value) in top.iter_mut() {
        let Some(items) = value.as_map_mut() else { continue };
        for (_, item) in items.iter_mut() {
            let Some(map) = item.as_map_mut() else { continue };
            match section {
                "services" => service(map, report),
                "networks" => {
                    list(map, "labels", Index::Key, report);
                    if let Some(ipam) = map.get_mut("ipam").and_then(Datum::as_map_mut) {
                        list(ipam, "options", Index::Key, report);
                    }
                }
                _ => {}
            }
        }
    }
}

/// All that tells whether two items are the same.
#[derive(Clone, Copy)]
enum Index {
    /// All that stands before `=`.
    Key,
    Device,
    Mount(&'static str),
    EnvFile,
    Expose,
    Port,
    Volume,
}

const OF_SERVICES: &[(&str, Index)] = &[
    ("annotations", Index::Key),
    ("cap_add", Index::Key),
    ("cap_drop", Index::Key),
    ("configs", Index::Mount("")),
    ("devices", Index::Device),
    ("dns", Index::Key),
    ("dns_opt", Index::Key),
    ("dns_search", Index::Key),
    ("env_file", Index::EnvFile),
    ("environment", Index::Key),
    ("expose", Index::Expose),
    ("labels", Index::Key),
    ("links", Index::Key),
    ("ports", Index::Port),
    ("profiles", Index::Key),
    ("secrets", Index::Mount("/run/secrets")),
    ("sysctls", Index::Key),
    ("tmpfs", Index::Key),
    ("volumes", Index::Volume),
];

fn service(map: &mut Map, report: &mut Report) {
    for (key, index) in OF_SERVICES {
        list(map, key, *index, report);
    }
    if let Some(build) = map.get_mut("build").and_then(Datum::as_map_mut) {
        for key in ["args", "additional_contexts", "platform", "tags", "labels"] {
            list(build, key, Index::Key, report);
        }
    }
    if let Some(deploy) = map.get_mut("deploy").and_then(Datum::as_map_mut) {
        list(deploy, "labels", Index::Key, report);
    }
    if let Some(networks) = map.get_mut("networks").and_then(Datum::as_map_mut) {
        for (_, network) in networks.iter_mut() {
            if let Some(network) = network.as_map_mut() {
                list(network, "aliases", Index::Key, report);
                list(network, "link_local_ips", Index::Key, report);
            }
        }
    }
}

fn list(map: &mut Map, key: &str, index: Index, report: &mut Report) {
    let Some(value) = map.get_mut(key) else { return };
    let whole = value.place;
    let Content::List(items) = &mut value.content else { return };
    // Each item has its index worked out even if it is the only one, since a malformed one is refused.
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    let mut kept: Vec<Datum> = Vec::with_capacity(items.len());
    for item in std::mem::take(items) {
        match index.of(&item) {
            Ok(name) => {
                if let Some(&at) = seen.get(&name) {
                    if let Index::Mount(_) | Index::Volume = index {
                        hidden(whole, &kept[at], &item, &name, report);
                    }
                    kept[at] = item;
                } else {
                    seen.insert(name, kept.len());
                    kept.push(item);
                }
            }
            Err(message) => {
                report.say(&rules::WRONG_TYPE, item.place, format!("`{key}`: {message}"));
                kept.push(item);
            }
        }
    }
    *items = kept;
}

/// Says that an item of a list hides another one with the same target. A later file, or a service that extends another
/// one, may replace an item, so both must be written in that list.
fn hidden(list: Place, first: &Datum, second: &Datum, target: &str, report: &mut Report) {
    let is_within = |item: &Datum| {
        item.place.file == list.file
            && list.span.start <= item.place.span.start
            && item.place.span.end <= list.span.end
    };
    if first != second && first.place != second.place && is_within(first) && is_within(second) {
        let message = format!("two items have the target `{}`, and only the second counts", short(target));
        let finding = Finding::new(&rules::HIDDEN_ITEM, second.place, message);
        report.add(finding.also(first.place, "the first").help("give one of them another target"));
    }
}

impl Index {
    fn of(self, item: &Datum) -> Result<String, String> {
        let text = |key: &str| item.get(key).map(Datum::print);
        Ok(match (self, &item.content) {
            (Self::Key, Content::Str(text)) => text.split('=').next().unwrap_or(text).to_owned(),
            (Self::Key, _) => return Err(format!("an item must be a string, not {}", item.kind())),
            (Self::Expose | Self::Port | Self::EnvFile, Content::Str(text)) => text.clone(),
            (Self::Expose | Self::Port, Content::Int(value)) => value.to_string(),
            (Self::Expose, _) => return Err(format!("an item must be a port, not {}", item.kind())),
            (Self::Volume, Content::Str(text)) => match volume::parse(text) {
                Ok(volume) => volume.target,
                // Reported with its own rule when the short form is made long.
                Err(_) => text.clone(),
            },
            (Self::Volume, Content::Map(_)) => {
                text("target").ok_or("a mount in the long form needs a `target`")?
            }
            (Self::Device, Content::Map(_)) => {
                text("target").ok_or("a device in the long form needs a `target`")?
            }
            (Self::Device, Content::Str(text)) => {
                let mut parts = text.split(':');
                let first = parts.next().unwrap_or(text);
                parts.next().unwrap_or(first).to_owned()
            }
            (Self::Mount(folder), Content::Str(text)) => format!("{folder}/{text}"),
            (Self::Mount(folder), Content::Map(_)) => match text("target") {
                Some(target) => target,
                None => format!("{folder}/{}", text("source").unwrap_or_default()),
            },
            (Self::Mount(_), _) => return Err(format!("an item cannot be {}", item.kind())),
            (Self::Port, Content::Map(_)) => {
                let target = text("target").ok_or("a port in the long form needs a `target`")?;
                let host = text("host_ip").unwrap_or_else(|| "0.0.0.0".to_owned());
                let protocol = text("protocol").unwrap_or_else(|| "tcp".to_owned());
                format!("{host}:{}:{target}/{protocol}", text("published").unwrap_or_default())
            }
            (Self::EnvFile, Content::Map(_)) => {
                text("path").ok_or("an item in the long form needs a `path`")?
            }
            (Self::Volume | Self::Device | Self::Port | Self::EnvFile, _) => String::new(),
        })
    }
}
