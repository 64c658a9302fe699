//! From short forms to long ones: after this, each key has one form.

use locus_schema::words::short;
use locus_source::{Finding, Place, clean_path};

use crate::merge::started;
use crate::report::Report;
use crate::rules;
use crate::short::volume::Volume;
use crate::short::{port, volume};
use crate::value::{Datum, Map, Value};

/// Gives a model the long form everywhere.
pub(crate) fn canonical(model: &mut Value, report: &mut Report) {
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
        if let Datum::Str(context) = &value.datum {
            *value = Value::map(value.place, [("context", Datum::Str(context.clone()))]);
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
        && let Datum::Str(service) = &value.datum
    {
        *value = Value::map(value.place, [("service", Datum::Str(service.clone()))]);
    }
    if let Some(value) = map.get_mut("gpus")
        && value.as_str().is_some()
    {
        let all = Value::map(value.place, [("count", Datum::Str("all".to_owned()))]);
        value.datum = Datum::List(vec![all]);
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
        ports(value, report);
    }
    if let Some(watch) = map.get_mut("develop").and_then(Value::as_map_mut).and_then(|d| d.get_mut("watch"))
        && let Datum::List(items) = &mut watch.datum
    {
        for item in items.iter_mut().filter_map(Value::as_map_mut) {
            for key in ["ignore", "include"] {
                if let Some(value) = item.get_mut(key) {
                    to_list(value);
                }
            }
        }
    }
    // Empty addresses of name servers are left out.
    if let Some(Datum::List(items)) = map.get_mut("dns").map(|value| &mut value.datum) {
        items.retain(|item| !item.is_null() && item.as_str() != Some(""));
    }
}

fn each(map: &mut Map, key: &str, report: &mut Report, change: fn(&mut Value, &mut Report)) {
    if let Some(Datum::List(items)) = map.get_mut(key).map(|value| &mut value.datum) {
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
            value.datum = Datum::Str(value.print());
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
fn to_list(value: &mut Value) {
    if let Datum::Str(text) = &value.datum {
        value.datum = Datum::List(vec![Value::text(text.clone(), value.place)]);
    }
}

/// A list of names becomes a mapping from them to nothing.
fn names(value: &mut Value) {
    if let Datum::List(items) = &value.datum {
        let mut map = Map::default();
        for item in items {
            if let Some(name) = item.as_str() {
                map.put(name, Value::new(Datum::Null, item.place));
            }
        }
        value.datum = Datum::Map(map);
    }
}

fn depends_on(value: &mut Value) {
    match &mut value.datum {
        Datum::List(items) => {
            let mut map = Map::default();
            for item in items {
                if let Some(name) = item.as_str() {
                    map.put(name, started(item.place));
                }
            }
            value.datum = Datum::Map(map);
        }
        Datum::Map(map) => {
            for (_, dependency) in map.iter_mut() {
                let place = dependency.place;
                if let Some(dependency) = dependency.as_map_mut() {
                    let started = Datum::Str("service_started".to_owned());
                    dependency.put_default("condition", started, place);
                    dependency.put_default("required", Datum::Bool(true), place);
                }
            }
        }
        _ => {}
    }
}

fn env_file(value: &mut Value) {
    to_list(value);
    let Datum::List(items) = &mut value.datum else { return };
    for item in items {
        let place = item.place;
        match &mut item.datum {
            Datum::Str(path) => {
                let path = Datum::Str(path.clone());
                *item = Value::map(place, [("path", path), ("required", Datum::Bool(true))]);
            }
            Datum::Map(map) => map.put_default("required", Datum::Bool(true), place),
            _ => {}
        }
    }
}

fn key_values(value: &mut Value, report: &mut Report) {
    let Datum::List(items) = &value.datum else { return };
    let mut map = Map::default();
    for item in items {
        if let Some((key, text)) = item.as_str().and_then(|text| text.split_once('=')) {
            map.put(key, Value::text(text, item.place));
        } else {
            let message = format!("`{}` is not of the form NAME=VALUE", short(&item.print()));
            report.say(&rules::SHORT_FORM, item.place, message);
        }
    }
    value.datum = Datum::Map(map);
}

fn ssh(value: &mut Value, report: &mut Report) {
    let Datum::List(items) = &value.datum else { return };
    let mut map = Map::default();
    for item in items {
        let text = item.as_str().unwrap_or_default();
        if text == "default" {
            map.put("default", Value::new(Datum::Null, item.place));
        } else if let Some((id, path)) = text.split_once('=') {
            map.put(id, Value::text(path, item.place));
        } else {
            let message = format!("`{}` is not an SSH key: `default` or ID=PATH", short(&item.print()));
            report.say(&rules::SHORT_FORM, item.place, message);
        }
    }
    value.datum = Datum::Map(map);
}

fn file_mount(item: &mut Value, _: &mut Report) {
    if let Datum::Str(source) = &item.datum {
        *item = Value::map(item.place, [("source", Datum::Str(source.clone()))]);
    }
}

fn device(item: &mut Value, report: &mut Report) {
    let Datum::Str(text) = &item.datum else { return };
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() > 3 {
        let message = format!("`{}` is not a device: HOST[:CONTAINER[:PERMISSIONS]]", short(text));
        report.say(&rules::SHORT_FORM, item.place, message);
        return;
    }
    let source = parts[0];
    let target = parts.get(1).copied().filter(|target| !target.is_empty()).unwrap_or(source);
    let permissions = parts.get(2).copied().unwrap_or("rwm");
    let text = |text: &str| Datum::Str(text.to_owned());
    let entries = [("source", text(source)), ("target", text(target)), ("permissions", text(permissions))];
    *item = Value::map(item.place, entries);
}

fn mount(item: &mut Value, report: &mut Report) {
    let Datum::Str(text) = &item.datum else { return };
    match volume::parse(text) {
        Ok(volume) => *item = long_mount(&volume, item.place),
        Err(message) => {
            let message = format!("`{}` is not a volume: {message}", short(text));
            report.say(&rules::VOLUME, item.place, message);
        }
    }
}

fn long_mount(volume: &Volume, place: Place) -> Value {
    let text = |text: &str| Datum::Str(text.to_owned());
    let kind = if volume.is_bind { "bind" } else { "volume" };
    let mut mount = Value::map(place, [("type", text(kind))]);
    let Some(map) = mount.as_map_mut() else { return mount };
    if !volume.source.is_empty() {
        map.put("source", Value::new(text(&volume.source), place));
    }
    if !volume.target.is_empty() {
        map.put("target", Value::new(text(&clean_path(&volume.target)), place));
    }
    if volume.read_only {
        map.put("read_only", Value::new(Datum::Bool(true), place));
    }
    if volume.is_bind || volume.has_bind_option() {
        let mut bind = Map::default();
        if volume.is_bind {
            bind.put("create_host_path", Value::new(Datum::Bool(true), place));
        }
        if let Some(propagation) = &volume.propagation {
            bind.put("propagation", Value::new(text(propagation), place));
        }
        if let Some(selinux) = &volume.selinux {
            bind.put("selinux", Value::new(text(selinux), place));
        }
        map.put("bind", Value::new(Datum::Map(bind), place));
    }
    if volume.no_copy || !volume.is_bind && !volume.is_bare {
        let mut options = Map::default();
        if volume.no_copy {
            options.put("nocopy", Value::new(Datum::Bool(true), place));
        }
        map.put("volume", Value::new(Datum::Map(options), place));
    }
    mount
}

fn ports(value: &mut Value, report: &mut Report) {
    let Datum::List(items) = &mut value.datum else { return };
    let mut long = Vec::with_capacity(items.len());
    for item in std::mem::take(items) {
        let spec = match &item.datum {
            Datum::Str(text) => text.clone(),
            Datum::Int(number) => number.to_string(),
            Datum::Map(_) => {
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
            Ok(ports) => long.extend(ports.iter().map(|port| long_port(port, item.place))),
            Err(message) => {
                let message = format!("`{}` is not a port: {message}", short(&spec));
                let help = "write `HOST:CONTAINER`, such as `\"8080:80\"`";
                report.add(Finding::new(&rules::PORT, item.place, message).help(help));
            }
        }
    }
    *items = long;
}

fn long_port(port: &port::Port, place: Place) -> Value {
    let text = |text: &str| Datum::Str(text.to_owned());
    let entries = [
        ("mode", text("ingress")),
        ("protocol", text(&port.protocol)),
        ("target", Datum::Int(port.target.into())),
    ];
    let mut value = Value::map(place, entries);
    if let Some(map) = value.as_map_mut() {
        if !port.published.is_empty() {
            map.put("published", Value::new(text(&port.published), place));
        }
        if !port.address.is_empty() {
            map.put("host_ip", Value::new(text(&port.address), place));
        }
    }
    value
}

/// `external: { name: … }` becomes `external: true` with a name beside it.
fn external(section: &str, name: &str, map: &mut Map, report: &mut Report) {
    let Some(value) = map.get_mut("external") else { return };
    let place = value.place;
    let Datum::Map(external) = &value.datum else { return };
    let external = external.clone();
    value.datum = Datum::Bool(true);
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
