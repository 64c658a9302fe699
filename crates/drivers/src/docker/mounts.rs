//! The mounts of a container: volumes, files of the host, secrets and configs. Contents that have no file are copied
//! into it instead ([`copies`]).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::part::Part;
use super::spec::Container;
use super::translate::Around;

/// A file that is copied into a container before it starts.
pub(crate) struct Copy<'v> {
    /// Where to.
    pub(crate) target: String,
    /// The contents.
    pub(crate) content: Content<'v>,
    pub(crate) owner: (u64, u64),
    /// Whether the owner was said.
    pub(crate) is_owned: bool,
    pub(crate) mode: u32,
}

/// Where the content of a file comes from.
pub(crate) enum Content<'v> {
    /// From the file that is deployed.
    Inline(&'v str),
    /// From a variable of the environment.
    Variable(&'v str),
}

/// The binds and mounts of a container.
pub(crate) fn of(
    spec: &Container,
    config: Part<'_>,
    around: &Around<'_>,
) -> Result<(Vec<String>, Vec<Value>), String> {
    let (mut binds, mut mounts) = (Vec::new(), Vec::new());
    let mut all: BTreeMap<String, Value> = BTreeMap::new();
    for volume in config.list("volumes") {
        let target = volume.text("target").to_owned();
        if volume.text("source").is_empty() && around.inherited.contains_key(&target) {
            continue;
        }
        match bind(spec, volume) {
            Some(text) => binds.push(text),
            None => {
                all.insert(target, mount(spec, volume)?);
            }
        }
    }
    let taken: Vec<&str> = config.list("volumes").map(|volume| volume.text("target")).collect();
    for (list, section) in [("secrets", &spec.secrets), ("configs", &spec.configs)] {
        for reference in config.list(list) {
            let source = reference.text("source");
            let definition = section.get(source).map(Part).ok_or_else(|| format!("there is no {source}"))?;
            refuse(list, source, definition)?;
            let target = target(reference, list);
            if is_copied(definition) || taken.contains(&target.as_str()) || all.contains_key(&target) {
                continue;
            }
            let mut mount = json!({
                "Type": "bind",
                "Source": definition.text("file"),
                "Target": target,
                "ReadOnly": true,
            });
            if list == "secrets" {
                mount["BindOptions"] = json!({});
            }
            all.insert(target, mount);
        }
    }
    for (target, mount) in &around.inherited {
        all.entry(target.clone()).or_insert_with(|| mount.clone());
    }
    mounts.extend(all.into_values());
    binds.sort();
    Ok((binds, mounts))
}

/// Refuses definitions that Docker Compose refuses, too.
fn refuse(list: &str, source: &str, definition: Part<'_>) -> Result<(), String> {
    if definition.flag("external") {
        return Err(format!("{source} of {list} is external, which only a swarm has"));
    }
    let key = ["driver", "template_driver"].into_iter().find(|key| !definition.text(key).is_empty());
    key.map_or(Ok(()), |key| Err(format!("`{key}` of {source} of {list} is not supported")))
}

fn is_copied(definition: Part<'_>) -> bool {
    !definition.text("environment").is_empty() || !definition.text("content").is_empty()
}

/// Where a secret or config stands in a container.
fn target(reference: Part<'_>, list: &str) -> String {
    let folder = if list == "secrets" { "/run/secrets/" } else { "/" };
    match reference.text("target") {
        "" => format!("{folder}{}", reference.text("source")),
        target if target.starts_with('/') => target.to_owned(),
        target => format!("{folder}{target}"),
    }
}

/// The secrets and configs that are copied into a container.
pub(crate) fn copies<'v>(spec: &'v Container, config: Part<'v>) -> Result<Vec<Copy<'v>>, String> {
    let mut copies = Vec::new();
    for (list, section) in [("secrets", &spec.secrets), ("configs", &spec.configs)] {
        for reference in config.list(list) {
            let source = reference.text("source");
            let Some(definition) = section.get(source).map(Part).filter(|part| is_copied(*part)) else {
                continue;
            };
            if config.flag("read_only") {
                return Err(format!(
                    "{source} of {list} cannot be copied into the service {}, which is read-only; use `file`",
                    spec.key
                ));
            }
            let number = |key: &str| reference.text(key).parse().unwrap_or_default();
            let mode = u32::from_str_radix(reference.text("mode"), 8).unwrap_or(0o444);
            copies.push(Copy {
                target: target(reference, list),
                content: match definition.text("content") {
                    "" => Content::Variable(definition.text("environment")),
                    content => Content::Inline(content),
                },
                owner: (number("uid"), number("gid")),
                is_owned: !reference.text("uid").is_empty() || !reference.text("gid").is_empty(),
                mode,
            });
        }
    }
    Ok(copies)
}

/// The short form of a mount, which makes the folder if there is none; none if the mount says more than it can.
fn bind(spec: &Container, volume: Part<'_>) -> Option<String> {
    let source = match volume.text("type") {
        "bind" => {
            let options = volume.part("bind");
            let is_plain = |bind: Part<'_>| {
                bind.flag("create_host_path")
                    && bind.text("propagation").is_empty()
                    && bind.text("recursive").is_empty()
            };
            options.is_none_or(is_plain).then(|| volume.text("source"))?
        }
        "volume" => {
            let is_plain = |options: Part<'_>| {
                options.part("labels").is_none()
                    && options.text("subpath").is_empty()
                    && !options.flag("nocopy")
            };
            volume.part("volume").is_none_or(is_plain).then_some(())?;
            spec.volumes.get(volume.text("source"))?
        }
        _ => return None,
    };
    let mut options = vec![if volume.flag("read_only") { "ro" } else { "rw" }];
    let selinux = volume.part("bind").map_or("", |bind| bind.text("selinux"));
    options.extend((!selinux.is_empty()).then_some(selinux));
    Some(format!("{source}:{}:{}", volume.text("target"), options.join(",")))
}

fn mount(spec: &Container, volume: Part<'_>) -> Result<Value, String> {
    let kind = volume.text("type");
    let source = match kind {
        "volume" => spec.volumes.get(volume.text("source")).map_or(volume.text("source"), String::as_str),
        _ => volume.text("source"),
    };
    let mut mount =
        json!({ "Type": kind, "Target": volume.text("target"), "ReadOnly": volume.flag("read_only") });
    if !source.is_empty() {
        mount["Source"] = json!(source);
    }
    if !volume.text("consistency").is_empty() {
        mount["Consistency"] = json!(volume.text("consistency"));
    }
    match kind {
        "bind" => {
            if let Some(bind) = volume.part("bind") {
                let mut options = json!({ "CreateMountpoint": bind.flag("create_host_path") });
                if !bind.text("propagation").is_empty() {
                    options["Propagation"] = json!(bind.text("propagation"));
                }
                let recursive = match bind.text("recursive") {
                    "disabled" => Some("NonRecursive"),
                    "writable" => Some("ReadOnlyNonRecursive"),
                    "readonly" => Some("ReadOnlyForceRecursive"),
                    _ => None,
                };
                if let Some(recursive) = recursive {
                    options[recursive] = json!(true);
                }
                mount["BindOptions"] = options;
            }
        }
        "volume" => {
            if let Some(options) = volume.part("volume") {
                mount["VolumeOptions"] = json!({
                    "NoCopy": options.flag("nocopy"),
                    "Labels": options.part("labels").map_or_else(|| json!({}), |labels| labels.0.clone()),
                    "Subpath": options.text("subpath"),
                });
            }
        }
        "tmpfs" => {
            if let Some(options) = volume.part("tmpfs") {
                mount["TmpfsOptions"] =
                    json!({ "SizeBytes": options.number("size"), "Mode": options.number("mode") });
            }
        }
        "image" => {
            if let Some(options) = volume.part("image") {
                mount["ImageOptions"] = json!({ "Subpath": options.text("subpath") });
            }
        }
        other => return Err(format!("a mount of type `{other}` is not supported")),
    }
    Ok(mount)
}
