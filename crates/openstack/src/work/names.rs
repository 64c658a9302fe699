//! The names in a template that must stand for something in the cloud, before anything is built.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::expression::escaped;
use crate::kinds::{Beside, Inner, Kind, Names};
use crate::session::{Ask, Service, Session};
use crate::trouble::{Kind as Cause, Trouble};

/// The properties of a server that name something, and the keys within them.
const OF_SERVERS: [(&str, Names, &str); 6] = [
    ("image", Names::Image, ""),
    ("flavor", Names::Flavor, ""),
    ("networks", Names::Network, "network"),
    ("networks", Names::Port, "port"),
    ("block_device_mapping_v2", Names::Image, "image"),
    ("block_device_mapping_v2", Names::Volume, "volume_id"),
];

impl Session {
    /// The names in the properties of a thing that stand for nothing, or for several: in words, each once. `own` are
    /// the names that things of the same template have.
    ///
    /// # Errors
    /// If a service cannot be asked.
    pub fn unresolved(
        &self,
        kind: &Kind,
        properties: &Map<String, Value>,
        own: &BTreeSet<String>,
    ) -> Result<Vec<String>, Trouble> {
        let mut named: BTreeSet<(Names, &str)> = BTreeSet::new();
        for field in kind.fields {
            let Some(value) = properties.get(field.property) else { continue };
            if let Some(names) = field.names {
                texts(value, &mut |text| _ = named.insert((names, text)));
            }
            within(value, field.inner, &mut named);
        }
        if kind.beside == Beside::Server {
            for (property, names, key) in OF_SERVERS {
                let value = properties.get(property).unwrap_or(&Value::Null);
                if key.is_empty() {
                    texts(value, &mut |text| _ = named.insert((names, text)));
                } else {
                    within(value, &[Inner { key, to: key, names: Some(names) }], &mut named);
                }
            }
        }
        let mut said = Vec::new();
        for (names, name) in named.into_iter().filter(|(_, name)| !own.contains(*name)) {
            match self.id_of(names, name) {
                Err(trouble) if trouble.kind == Cause::Refused => said.push(trouble.reason),
                // Whoever may not list them cannot tell.
                Err(trouble) if trouble.kind != Cause::Missing => return Err(trouble),
                Ok(_) | Err(_) => {}
            }
        }
        let key = properties.get("key_name").and_then(Value::as_str).filter(|name| !own.contains(*name));
        if let (Some(name), Beside::Server) = (key, kind.beside) {
            let path = format!("/os-keypairs/{}", escaped(name));
            match self.once(&format!("key pair {name}"), || self.ask(&Ask::get(Service::Compute, &path))) {
                Err(trouble) if trouble.kind == Cause::Missing => {
                    said.push(format!("there is no key pair `{name}`"));
                }
                Err(trouble) => return Err(trouble),
                Ok(_) => {}
            }
        }
        Ok(said)
    }
}

/// The texts of a value that is one, or a list of some. What only the deployment tells is none.
fn texts<'v>(value: &'v Value, see: &mut impl FnMut(&'v str)) {
    match value {
        Value::String(text) if !text.is_empty() => see(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, see)),
        _ => {}
    }
}

fn within<'v>(value: &'v Value, inner: &[Inner], named: &mut BTreeSet<(Names, &'v str)>) {
    match value {
        Value::Array(items) if !inner.is_empty() => items.iter().for_each(|item| within(item, inner, named)),
        Value::Object(map) => {
            for (key, value) in map {
                match inner.iter().find(|one| one.key == key).map(|one| one.names) {
                    Some(Some(names)) => texts(value, &mut |text| _ = named.insert((names, text))),
                    _ => within(value, inner, named),
                }
            }
        }
        _ => {}
    }
}
