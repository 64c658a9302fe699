//! Compose's steps on the merged model before it makes paths absolute: defaults, and checks that its schema
//! cannot express.

use std::net::IpAddr;

use locus_source::Finding;
use locus_source::words::short;

use crate::report::Report;
use crate::rules;
use crate::values::datum::{Content, Datum, Map};

/// Adds what Compose adds where nothing is said.
pub(crate) fn defaults(model: &mut Datum) {
    let Some(services) = model.as_map_mut().and_then(|top| top.get_mut("services")) else { return };
    let Some(services) = services.as_map_mut() else { return };
    for (_, service) in services.iter_mut() {
        let Some(service) = service.as_map_mut() else { continue };
        if let Some(build) = service.get_mut("build") {
            let place = build.place;
            if let Some(build) = build.as_map_mut() {
                build.put_default("context", Content::Str(".".to_owned()), place);
            }
        }
        items(service, "secrets", |map, place| {
            let source = map.get("source").map_or("%!s(<nil>)".to_owned(), Datum::print);
            map.put_default("target", Content::Str(format!("/run/secrets/{source}")), place);
        });
        items(service, "ports", |map, place| {
            map.put_default("protocol", Content::Str("tcp".to_owned()), place);
            map.put_default("mode", Content::Str("ingress".to_owned()), place);
        });
        items(service, "gpus", device_request);
        let reservations = service.get_mut("deploy").and_then(Datum::as_map_mut).and_then(|deploy| {
            deploy.get_mut("resources")?.as_map_mut()?.get_mut("reservations")?.as_map_mut()
        });
        if let Some(reservations) = reservations {
            items(reservations, "devices", device_request);
        }
    }
}

fn device_request(map: &mut Map, place: locus_source::Place) {
    if !map.has("device_ids") {
        map.put_default("count", Content::Str("all".to_owned()), place);
    }
}

fn items(map: &mut Map, key: &str, change: fn(&mut Map, locus_source::Place)) {
    if let Some(Content::List(items)) = map.get_mut(key).map(|value| &mut value.content) {
        for item in items {
            let place = item.place;
            if let Some(map) = item.as_map_mut() {
                change(map, place);
            }
        }
    }
}

/// Says what is wrong with a model beyond its schema.
pub(crate) fn validate(model: &Datum, report: &mut Report) {
    let section = |name: &str| model.get(name).and_then(Datum::as_map).into_iter().flat_map(Map::iter);
    for (name, volume) in section("volumes") {
        if let Some(map) = volume.as_map() {
            external(name, map, report);
        }
    }
    for (name, config) in section("configs") {
        file_object("config", name, config, &["file", "environment", "content"], report);
    }
    for (name, secret) in section("secrets") {
        file_object("secret", name, secret, &["file", "environment"], report);
    }
    for (name, service) in section("services") {
        self::service(name, service, report);
    }
}

fn external(name: &str, map: &Map, report: &mut Report) {
    let Some(external) = map.get("external").filter(|value| value.as_bool() == Some(true)) else { return };
    for (key, entry) in &map.0 {
        if !matches!(key.as_str(), "name" | "external") && !key.starts_with("x-") {
            let message = format!("the volume `{name}` is external, so `{key}` has no place here");
            let finding = Finding::new(&rules::EXCLUSIVE, entry.key, message);
            report.add(finding.also(external.place, "external here"));
        }
    }
}

fn file_object(what: &str, name: &str, value: &Datum, keys: &[&str], report: &mut Report) {
    let Some(map) = value.as_map() else { return };
    let given: Vec<_> = keys.iter().filter_map(|key| map.key_place(key).map(|place| (*key, place))).collect();
    if let [first, second, ..] = given[..] {
        let message = format!("the {what} `{name}` has both `{}` and `{}`", first.0, second.0);
        report.add(Finding::new(&rules::EXCLUSIVE, second.1, message).also(first.1, "the other"));
    }
    if given.is_empty() && !map.has("driver") && !map.has("external") {
        let keys: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
        let message = format!("the {what} `{name}` says nowhere what is in it");
        let finding = Finding::new(&rules::MISSING_KEY, value.place, message);
        report.add(finding.help(format!("give it {}, or `external: true`", keys.join(" or "))));
    }
}

fn service(name: &str, service: &Datum, report: &mut Report) {
    let list = |keys: &[&str]| service.at(keys).and_then(Datum::as_list).unwrap_or_default();
    for port in list(&["ports"]) {
        if let Some(address) = port.get("host_ip")
            && address.as_str().is_some_and(|text| text.parse::<IpAddr>().is_err())
        {
            let message = format!(
                "`{}`, from which a port of `{name}` is published, is not an IP address",
                short(&address.print())
            );
            report.say(&rules::PORT, address.place, message);
        }
    }
    for watch in list(&["develop", "watch"]) {
        if let Some(path) = watch.get("path")
            && path.as_str() == Some("")
        {
            let message = format!("`services.{name}.develop.watch` has an empty path");
            report.say(&rules::NOT_ALLOWED, path.place, message);
        }
    }
    let devices = list(&["deploy", "resources", "reservations", "devices"]);
    for device in devices.iter().chain(list(&["gpus"])) {
        if let (Some(count), Some(ids)) = (device.get("count"), device.get("device_ids")) {
            let message = format!("a device of `{name}` has both `count` and `device_ids`");
            report.add(Finding::new(&rules::EXCLUSIVE, ids.place, message).also(count.place, "the other"));
        }
    }
}
