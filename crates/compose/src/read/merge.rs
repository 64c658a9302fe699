//! Merging of files: a later one adds to and replaces what an earlier one says, key by key, with rules of its own for
//! some keys.

use locus_source::Finding;

use crate::report::Report;
use crate::rules;
use crate::values::datum::{Content, Datum, Map};

/// The model with what another file says put over it.
pub(crate) fn merge(base: Datum, other: Datum, report: &mut Report) -> Datum {
    Merger { path: Vec::new(), report }.merge(base, other)
}

/// A service with what another says of it put over it.
pub(crate) fn extend_service(base: Datum, other: Datum, report: &mut Report) -> Datum {
    let path = vec!["services".to_owned(), "x".to_owned()];
    Merger { path, report }.merge(base, other)
}

struct Merger<'r> {
    path: Vec<String>,
    report: &'r mut Report,
}

/// How some keys are merged.
#[derive(Clone, Copy)]
enum Special {
    Pools,
    Sequence,
    Build,
    Replace,
    DependsOn,
    Hosts,
    Logging,
    Names,
    Ulimit,
}

fn special(path: &[String]) -> Option<Special> {
    let mut keys = [""; 6];
    if path.len() > keys.len() {
        return None;
    }
    for (key, part) in keys.iter_mut().zip(path) {
        *key = part;
    }
    let keys = &keys[..path.len()];
    Some(match keys {
        ["networks", _, "ipam", "config"] => Special::Pools,
        ["networks" | "volumes", _, "labels"]
        | ["services", _, "deploy", "labels"]
        | ["services", _, "build", "args" | "additional_contexts" | "labels"]
        | [
            "services",
            _,
            "annotations" | "dns" | "dns_opt" | "dns_search" | "env_file" | "label_file" | "environment"
            | "labels" | "sysctls" | "tmpfs",
        ]
        | ["services", _, "volumes", _, "volume", "labels"] => Special::Sequence,
        ["services", _, "build"] => Special::Build,
        ["services", _, "command" | "entrypoint"] | ["services", _, "healthcheck", "test"] => {
            Special::Replace
        }
        ["services", _, "depends_on"] => Special::DependsOn,
        ["services", _, "extra_hosts"] | ["services", _, "build", "extra_hosts"] => Special::Hosts,
        ["services", _, "logging"] => Special::Logging,
        ["services", _, "models" | "networks"] => Special::Names,
        ["services", _, "ulimits", _] => Special::Ulimit,
        _ => return None,
    })
}

impl Merger<'_> {
    fn merge(&mut self, base: Datum, other: Datum) -> Datum {
        if let Some(special) = special(&self.path) {
            return self.special(special, base, other);
        }
        let place = other.place;
        match (base.content, other.content) {
            (content, Content::Null) => Datum::new(content, base.place),
            (Content::Map(map), Content::Map(other)) => {
                Datum::new(Content::Map(self.mappings(map, other)), base.place)
            }
            (Content::List(mut items), Content::List(more)) => {
                items.extend(more);
                Datum::new(Content::List(items), base.place)
            }
            (content @ (Content::Map(_) | Content::List(_)), other) => {
                let base = Datum::new(content, base.place);
                self.cannot(&base, &Datum::new(other, place));
                base
            }
            (_, content) => Datum::new(content, place),
        }
    }

    fn cannot(&mut self, base: &Datum, other: &Datum) {
        let message =
            format!("`{}` is {} here and {} before", self.path.join("."), other.kind(), base.kind());
        let finding = Finding::new(&rules::OVERRIDE, other.place, message).also(base.place, "before");
        self.report.add(finding.help("write `!override` before the value to replace what was before"));
    }

    fn mappings(&mut self, mut map: Map, other: Map) -> Map {
        for (key, entry) in other.0 {
            match map.0.get_mut(&key) {
                Some(before) => {
                    let old =
                        std::mem::replace(&mut before.value, Datum::new(Content::Null, entry.value.place));
                    self.path.push(key);
                    before.value = self.merge(old, entry.value);
                    self.path.pop();
                }
                None => {
                    map.0.insert(key, entry);
                }
            }
        }
        map
    }

    fn special(&mut self, special: Special, base: Datum, other: Datum) -> Datum {
        let place = other.place;
        let both = |map: Map| Datum::new(Content::Map(map), place);
        match special {
            Special::Replace | Special::Ulimit => other,
            Special::Sequence => {
                let mut items = sequence(base);
                items.extend(sequence(other));
                Datum::new(Content::List(items), place)
            }
            Special::Hosts => {
                let mut items = sequence(base);
                for item in sequence(other) {
                    if !items.contains(&item) {
                        items.push(item);
                    }
                }
                Datum::new(Content::List(items), place)
            }
            Special::Build => both(self.mappings(build(base), build(other))),
            Special::DependsOn => {
                let map = self.mappings(mapping(base, true), mapping(other, true));
                both(map)
            }
            Special::Names => {
                let map = self.mappings(mapping(base, false), mapping(other, false));
                both(map)
            }
            Special::Logging => self.logging(base, other),
            Special::Pools => self.pools(base, &other),
        }
    }

    /// Options of logging are merged only if both have the same driver, or one has none.
    fn logging(&mut self, base: Datum, other: Datum) -> Datum {
        let place = other.place;
        match (base.content, other.content) {
            (Content::Map(base), Content::Map(other)) => {
                let differ =
                    matches!((base.get("driver"), other.get("driver")), (Some(a), Some(b)) if a != b);
                let map = if differ { other } else { self.mappings(base, other) };
                Datum::new(Content::Map(map), place)
            }
            (base, other) => {
                let (base, other) = (Datum::new(base, place), Datum::new(other, place));
                self.cannot(&base, &other);
                base
            }
        }
    }

    /// Address pools are merged by their subnet, in the order that Compose gives them.
    fn pools(&mut self, base: Datum, other: &Datum) -> Datum {
        let (Some(before), Some(after)) = (base.as_list(), other.as_list()) else {
            self.cannot(&base, other);
            return base;
        };
        let subnet = |map: &Map| map.get("subnet").cloned();
        let mut pools: Vec<Map> = Vec::new();
        for original in before {
            let mut right = mapping(original.clone(), false);
            for pool in after {
                let left = mapping(pool.clone(), false);
                if subnet(&left) != subnet(&right) && !pools.iter().any(|p| subnet(p) == subnet(&left)) {
                    pools.push(left);
                    continue;
                }
                right = self.mappings(right, left);
                match pools.iter().position(|p| subnet(p) == subnet(&right)) {
                    Some(at) => pools[at] = right.clone(),
                    None => pools.push(right.clone()),
                }
            }
        }
        let items = pools.into_iter().map(|map| Datum::new(Content::Map(map), other.place)).collect();
        Datum::new(Content::List(items), other.place)
    }
}

/// `KEY=VALUE` for each entry of a mapping, in order; a list as it is; a string as the only item.
fn sequence(value: Datum) -> Vec<Datum> {
    match value.content {
        Content::Map(map) => {
            let mut items = Vec::new();
            for (key, entry) in map.0 {
                let place = entry.value.place;
                match entry.value.content {
                    Content::Null => items.push(Datum::text(key, place)),
                    Content::List(values) => {
                        let texts = values.iter().map(|value| format!("{key}={}", value.print()));
                        items.extend(texts.map(|text| Datum::text(text, place)));
                    }
                    content => {
                        let printed = Datum::new(content, place).print();
                        items.push(Datum::text(format!("{key}={printed}"), place));
                    }
                }
            }
            items.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
            items
        }
        Content::List(items) => items,
        Content::Str(text) => vec![Datum::text(text, value.place)],
        _ => Vec::new(),
    }
}

fn build(value: Datum) -> Map {
    let place = value.place;
    match value.content {
        Content::Map(map) => map,
        Content::Str(text) => {
            let mut map = Map::default();
            map.put("context", Datum::text(text, place));
            map
        }
        _ => Map::default(),
    }
}

/// A mapping as it is, or one with the items of a list as keys: without values, or as dependencies.
fn mapping(value: Datum, dependencies: bool) -> Map {
    match value.content {
        Content::Map(map) => map,
        Content::List(items) => {
            let mut map = Map::default();
            for item in items {
                let Some(key) = item.as_str() else { continue };
                let entry =
                    if dependencies { started(item.place) } else { Datum::new(Content::Null, item.place) };
                map.put(key, entry);
            }
            map
        }
        _ => Map::default(),
    }
}

/// All that a dependency in short form means.
pub(crate) fn started(place: locus_source::Place) -> Datum {
    let condition = Content::Str("service_started".to_owned());
    Datum::map(place, [("condition", condition), ("required", Content::Bool(true))])
}
