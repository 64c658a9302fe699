//! From short forms to long ones: after this, each key has one form.

use locus_source::words::short;
use locus_source::{Finding, Place, clean_path};

use crate::read::merge::started;
use crate::report::Report;
use crate::rules;
use crate::values::datum::{Content, Datum, Map};
use crate::values::ports;
use crate::values::short::volume::Volume;
use crate::values::short::{port, volume};

/// Gives a model the long form everywhere.
pub(crate) fn canonical(model: &mut Datum, report: &mut Report) {
    let Some(top) = model.as_map_mut() else { return };
    for (section, value) in top.iter_mut() {
        let Some(items) = value.as_map_mut() else { continue };
        for (name, item) in items.iter_mut() {
            match section {
                "services" => {
                    if let Some(map) = item.as_map_mut() {
                        service(map, report);
                    }
                }
                "volumes" | "networks" | "secrets" | "configs" => {
                    if let Some(map) = item.as_map_mut() {
                        external(section, name, map, report);
                    }
                }
                _ => {}
            }
        }
    }
}

fn service(map: &mut Map, report: &mut Report) {
    if let Some(value) = map.get_mut("build") {
        if let Content::Str(context) = &value.content {
            *value = Datum::map(value.place, [("context", Content::Str(context.clone()))]);
        }
        if let Some(build) = value.as_map_mut() {
            self::build(build, report);
        }
    }
    if let Some(value) = map.get_mut("depends_on") {
        depends_on(value);
    }
    if let Some(value) = map.get_mut("env_file") {
        env_file(value);
    }
    for key in ["label_file", "dns"] {
        if let Some(value) = map.get_mut(key) {
            to_list(value);
        }
    }
    if let Some(value) = map.get_mut("extends")
        && let Content::Str(service) = &value.content
    {
        *value = Datum::map(value.place, [("service", Content::Str(service.clone()))]);
    }
    if let Some(value) = map.get_mut("gpus")
        && value.as_str().is_some()
    {
        let all = Datum::map(value.place, [("count", Content::Str("all".to_owned()))]);
        value.content = Content::List(vec![all]);
    }
    for key in ["networks", "models"] {
        if let Some(value) = map.get_mut(key) {
            names(value);
        }
    }
    each(map, "volumes", report, mount);
    each(map, "devices", report, device);
    for key in ["secrets", "configs"] {
        each(map, key, report, file_mount);
    }
    if let Some(value) = map.get_mut("ports") {
        published(value, report);
    }
    if let Some(watch) = map.get_mut("develop").and_then(Datum::as_map_mut).and_then(|d| d.get_mut("watch"))
        && let Content::List(items) = &mut watch.content
    {
        for item in items.iter_mut().filter_map(Datum::as_map_mut) {
            for key in ["ignore", "include"] {
                if let Some(value) = item.get_mut(key) {
                    to_list(value);
                }
            }
        }
    }
    // Empty addresses of name servers are left out.
    if let Some(Content::List(items)) = map.get_mut("dns").map(|value| &mut value.content) {
        items.retain(|item| !item.is_null() && item.as_str() != Some(""));
    }
}

fn each(map: &mut Map, key: &str, report: &mut Report, change: fn(&mut Datum, &mut Report)) {
    if let Some(Content::List(items)) = map.get_mut(key).map(|value| &mut value.content) {
        for item in items {
            change(item, report);
        }
    }
}

fn build(build: &mut Map, report: &mut Report) {
    each(build, "secrets", report, file_mount);
    for key in ["provenance", "sbom"] {
        if let Some(value) = build.get_mut(key)
            && value.as_str().is_none()
        {
            value.content = Content::Str(value.print());
        }
    }
    if let Some(value) = build.get_mut("additional_contexts") {
        key_values(value, report);
    }
    if let Some(value) = build.get_mut("ssh") {
        ssh(value, report);
    }
}

/// A string becomes a list of one.
fn to_list(value: &mut Datum) {
    if let Content::Str(text) = &value.content {
        value.content = Content::List(vec![Datum::text(text.clone(), value.place)]);
    }
}

/// A list of names becomes a mapping from them to nothing.
fn names(value: &mut Datum) {
    if let Content::List(items) = &value.content {
        let mut map = Map::default();
        for item in items {
            if let Some(name) = item.as_str() {
                map.put(name, Datum::new(Content::Null, item.place));
            }
        }
        value.content = Content::Map(map);
    }
}

fn depends_on(value: &mut Datum) {
    match &mut value.content {
        Content::List(items) => {
            let mut map = Map::default();
            for item in items {
                if let Some(name) = item.as_str() {
                    map.put(name, started(item.place));
                }
            }
            value.content = Content::Map(map);
        }
        Content::Map(map) => {
            for (_, dependency) in map.iter_mut() {
                let place = dependency.place;
                if let Some(dependency) = dependency.as_map_mut() {
                    let started = Content::Str("service_started".to_owned());
                    dependency.put_default("condition", started, place);
                    dependency.put_default("required", Content::Bool(true), place);
                }
            }
        }
        _ => {}
    }
}

fn env_file(value: &mut Datum) {
    to_list(value);
    let Content::List(items) = &mut value.content else { return };
    for item in items {
        let place = item.place;
        match &mut item.content {
            Content::Str(path) => {
                let path = Content::Str(path.clone());
                *item = Datum::map(place, [("path", path), ("required", Content::Bool(true))]);
            }
            Content::Map(map) => map.put_default("required", Content::Bool(true), place),
            _ => {}
        }
    }
}

fn key_values(value: &mut Datum, report: &mut Report) {
    let Content::List(items) = &value.content else { return };
    let mut map = Map::default();
    for item in items {
        if let Some((key, text)) = item.as_str().and_then(|text| text.split_once('=')) {
            map.put(key, Datum::text(text, item.place));
        } else {
            let message = format!("`{}` is not of the form NAME=VALUE", short(&item.print()));
            report.say(&rules::SHORT_FORM, item.place, message);
        }
    }
    value.content = Content::Map(map);
}

fn ssh(value: &mut Datum, report: &mut Report) {
    let Content::List(items) = &value.content else { return };
    let mut map = Map::default();
    for item in items {
        let text = item.as_str().unwrap_or_default();
        if text == "default" {
            map.put("default", Datum::new(Content::Null, item.place));
        } else if let Some((id, path)) = text.split_once('=') {
            map.put(id, Datum::text(path, item.place));
        } else {
            let message = format!("`{}` is not an SSH key: `default` or ID=PATH", short(&item.print()));
            report.say(&rules::SHORT_FORM, item.place, message);
        }
    }
    value.content = Content::Map(map);
}

fn file_mount(item: &mut Datum, _: &mut Report) {
    if let Content::Str(source) = &item.content {
        *item = Datum::map(item.place, [("source", Content::Str(source.clone()))]);
    }
}

fn device(item: &mut Datum, report: &mut Report) {
    let Content::Str(text) = &item.content else { return };
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() > 3 {
        let message = format!("`{}` is not a device: HOST[:CONTAINER[:PERMISSIONS]]", short(text));
        report.say(&rules::SHORT_FORM, item.place, message);
        return;
    }
    let source = parts[0];
    let target = parts.get(1).copied().filter(|target| !target.is_empty()).unwrap_or(source);
    let permissions = parts.get(2).copied().unwrap_or("rwm");
    let text = |text: &str| Content::Str(text.to_owned());
    let entries = [("source", text(source)), ("target", text(target)), ("permissions", text(permissions))];
    *item = Datum::map(item.place, entries);
}

fn mount(item: &mut Datum, report: &mut Report) {
    let Content::Str(text) = &item.content else { return };
    match volume::parse(text) {
        Ok(volume) => *item = long_mount(&volume, item.place),
        Err(message) => {
            let message = format!("`{}` is not a volume: {message}", short(text));
            report.say(&rules::VOLUME, item.place, message);
        }
    }
}

fn long_mount(volume: &Volume, place: Place) -> Datum {
    let text = |text: &str| Content::Str(text.to_owned());
    let kind = if volume.is_bind { "bind" } else { "volume" };
    let mut mount = Datum::map(place, [("type", text(kind))]);
    let Some(map) = mount.as_map_mut() else { return mount };
    if !volume.source.is_empty() {
        map.put("source", Datum::new(text(&volume.source), place));
    }
    if !volume.target.is_empty() {
        map.put("target", Datum::new(text(&clean_path(&volume.target)), place));
    }
    if volume.read_only {
        map.put("read_only", Datum::new(Content::Bool(true), place));
    }
    if volume.is_bind || volume.has_bind_option() {
        let mut bind = Map::default();
        if volume.is_bind {
            bind.put("create_host_path", Datum::new(Content::Bool(true), place));
        }
        if let Some(propagation) = &volume.propagation {
            bind.put("propagation", Datum::new(text(propagation), place));
        }
        if let Some(selinux) = &volume.selinux {
            bind.put("selinux", Datum::new(text(selinux), place));
        }
        map.put("bind", Datum::new(Content::Map(bind), place));
    }
    if volume.no_copy || !volume.is_bind && !volume.is_bare {
        let mut options = Map::default();
        if volume.no_copy {
            options.put("nocopy", Datum::new(Content::Bool(true), place));
        }
        map.put("volume", Datum::new(Content::Map(options), place));
    }
    mount
}

/// A range of ports of the container stays one item ([`crate::values::ports`]).
fn published(value: &mut Datum, report: &mut Report) {
    let Content::List(items) = &mut value.content else { return };
    let mut long = Vec::with_capacity(items.len());
    for item in std::mem::take(items) {
        let spec = match &item.content {
            Content::Str(text) => text.clone(),
            Content::Int(number) => number.to_string(),
            Content::Map(_) => {
                long.push(item);
                continue;
            }
            _ => {
                let message = format!("a port cannot be {}", item.kind());
                report.say(&rules::PORT, item.place, message);
                continue;
            }
        };
        match port::parse(&spec) {
            Ok(port) if port.target.0 < port.target.1 => long.push(Datum::text(port.to_string(), item.place)),
            Ok(port) => long.push(ports::long(&port, item.place)),
            Err(message) => {
                let message = format!("`{}` is not a port: {message}", short(&spec));
                let help = "write `HOST:CONTAINER`, such as `\"8080:80\"`";
                report.add(Finding::new(&rules::PORT, item.place, message).help(help));
            }
        }
    }
    *items = long;
}

/// `external: { name: … }` becomes `external: true` with a name beside it.
fn external(section: &str, name: &str, map: &mut Map, report: &mut Report) {
    let Some(value) = map.get_mut("external") else { return };
    let place = value.place;
    let Content::Map(external) = &value.content else { return };
    let external = external.clone();
    value.content = Content::Bool(true);
    let Some(given) = external.get("name") else { return };
    let message = format!("`{section}.{name}.external.name` is the old form of a name");
    let finding = Finding::new(&rules::EXTERNAL_NAME, given.place, message);
    report.add(finding.help("write `external: true` and `name` beside it"));
    match map.get("name") {
        Some(own) if own != given => {
            let message = format!("`{section}.{name}` has two names, `name` and `external.name`");
            report.add(Finding::new(&rules::EXCLUSIVE, place, message).also(own.place, "the other"));
        }
        Some(_) => {}
        None => map.put("name", given.clone()),
    }
}
