//! The body of a request, of the properties of a template.

use serde_json::{Map, Value};

use super::Work;
use crate::expression::escaped;
use crate::kinds::{Field, Inner, Names, Role};
use crate::session::{Ask, Service, Session};
use crate::trouble::{Kind as Cause, Trouble};

impl Work<'_> {
    /// The fields of the thing, without a mark.
    pub(super) fn body(&self) -> Result<Map<String, Value>, Trouble> {
        let mut body = Map::new();
        for field in self.kind.fields {
            let Some(value) = self.property(field.property) else {
                if field.property == "name" {
                    body.insert("name".to_owned(), Value::from(self.name));
                }
                continue;
            };
            match field.role {
                Role::Plain | Role::Unseen => {
                    let value = if field.property == "gateway_ip" && *value == "" {
                        Value::Null
                    } else {
                        self.converted(field, value)?
                    };
                    body.insert(field.to.to_owned(), value);
                }
                Role::Merged => {
                    body.extend(
                        value
                            .as_object()
                            .into_iter()
                            .flatten()
                            .map(|(key, value)| (key.clone(), value.clone())),
                    );
                }
                Role::Tags => _ = body.insert(field.to.to_owned(), value.clone()),
                Role::Apart | Role::Ignored | Role::Refused => {}
            }
        }
        if let (Some(Value::String(kind)), Some(Value::String(object))) =
            (body.get("object_type"), body.get("object_id"))
        {
            let names = match kind.as_str() {
                "network" => Some(Names::Network),
                "qos_policy" => Some(Names::Policy),
                "security_group" => Some(Names::SecurityGroup),
                "address_scope" => Some(Names::AddressScope),
                "subnetpool" => Some(Names::SubnetPool),
                _ => None,
            };
            if let Some(names) = names {
                let id = self.session.id_of(names, object)?;
                body.insert("object_id".to_owned(), Value::from(id));
            }
        }
        if self.property("no_fixed_ips").is_some_and(|value| *value == true) {
            body.insert("fixed_ips".to_owned(), Value::Array(Vec::new()));
        }
        // Heat has a word for an id that Nova is to make.
        body.retain(|key, value| !(key == "id" && *value == "auto"));
        // What is empty by default and means nothing to some services.
        body.retain(|key, value| !matches!(key.as_str(), "device_id" | "device_owner") || *value != "");
        Ok(body)
    }

    /// A value with the names and ids of the service.
    pub(super) fn converted(&self, field: &Field, value: &Value) -> Result<Value, Trouble> {
        let value = renamed(self.session, value, field.inner)?;
        match (field.names, value) {
            (Some(names), Value::String(name)) => self.session.id_of(names, &name).map(Value::String),
            (Some(names), Value::Array(items)) => {
                let each = items.iter().map(|item| match item {
                    Value::String(name) => self.session.id_of(names, name).map(Value::String),
                    other => Ok(other.clone()),
                });
                each.collect()
            }
            (_, value) => Ok(value),
        }
    }
}

/// A value whose keys are called as the service calls them.
fn renamed(session: &Session, value: &Value, inner: &[Inner]) -> Result<Value, Trouble> {
    if inner.is_empty() {
        return Ok(value.clone());
    }
    match value {
        Value::Array(items) => items.iter().map(|item| renamed(session, item, inner)).collect(),
        Value::Object(map) => {
            let mut new = Map::new();
            for (key, value) in map.iter().filter(|(_, value)| !value.is_null()) {
                match inner.iter().find(|one| one.key == key) {
                    Some(one) => {
                        let value = match (one.names, value) {
                            (Some(names), Value::String(name)) => Value::from(session.id_of(names, name)?),
                            (_, value) => value.clone(),
                        };
                        new.insert(one.to.to_owned(), value);
                    }
                    None => _ = new.insert(key.clone(), renamed(session, value, inner)?),
                }
            }
            Ok(Value::Object(new))
        }
        other => Ok(other.clone()),
    }
}

/// Whether a text is an id that a service has made.
fn is_id(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_hexdigit).count();
    digits == 32 && (text.len() == 32 || text.len() == 36 && text.matches('-').count() == 4)
}

impl Session {
    /// The id of what has a name or an id.
    ///
    /// # Errors
    /// If there is none, or several have the name.
    pub fn id_of(&self, names: Names, name: &str) -> Result<String, Trouble> {
        if is_id(name) || name.is_empty() {
            return Ok(name.to_owned());
        }
        let found =
            self.once(&format!("{names:?} {name}"), || self.look_up(names, name).map(Value::String))?;
        Ok(found.as_str().unwrap_or_default().to_owned())
    }

    fn look_up(&self, names: Names, name: &str) -> Result<String, Trouble> {
        let (service, path, key, word) = names.list();
        let join = if path.contains('?') { '&' } else { '?' };
        let query = match names {
            // A flavor has an id of any form, and cannot be asked for by its name.
            Names::Flavor | Names::VolumeType => format!("{path}{join}is_public=None"),
            Names::SecurityGroup => {
                format!("{path}{join}name={}&project_id={}", escaped(name), escaped(&self.project()?))
            }
            Names::Server => format!("{path}{join}name={}", escaped(&format!("^{}$", plain_pattern(name)))),
            _ => format!("{path}{join}name={}", escaped(name)),
        };
        let mut found = self.all(service, &query, key)?;
        found.retain(|one| one["name"] == *name);
        if found.is_empty() {
            // Some have ids of their own.
            let by_id = |path: &str| self.ask(&Ask::get(service, path));
            let path = path.strip_suffix("/detail").unwrap_or(path);
            match by_id(&format!("{path}/{}", escaped(name))) {
                Ok(body) => {
                    let body = if body.get("id").is_some() {
                        &body
                    } else {
                        body.as_object().and_then(|map| map.values().next()).unwrap_or(&body)
                    };
                    return Ok(body["id"].as_str().unwrap_or(name).to_owned());
                }
                Err(trouble) if matches!(trouble.kind, Cause::Missing | Cause::Refused) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        if names == Names::Service && found.is_empty() {
            found = self.all(service, path, key)?;
            found.retain(|one| one["type"] == *name);
        }
        match found.as_slice() {
            [] => Err(Trouble::refused(format!("there is no {word} `{name}`"))),
            [one] => Ok(one["id"].as_str().unwrap_or_default().to_owned()),
            _ => Err(Trouble::refused(format!(
                "there are {} of the name `{name}`, each a {word}",
                found.len()
            ))),
        }
    }

    /// As [`Session::all`], of another version of a service.
    ///
    /// # Errors
    /// As [`Session::ask`].
    pub fn all_in(
        &self,
        service: Service,
        path: &str,
        key: &str,
        version: Option<&'static str>,
    ) -> Result<Vec<Value>, Trouble> {
        if version.is_none() {
            return self.all(service, path, key);
        }
        let mut page = self.ask(&Ask { version, ..Ask::get(service, path) })?;
        Ok(page[key].take().as_array().cloned().unwrap_or_default())
    }
}

/// A text as a regular expression for itself.
pub(super) fn plain_pattern(text: &str) -> String {
    text.chars()
        .flat_map(|c| (!c.is_alphanumeric() && c != '-' && c != '_').then_some('\\').into_iter().chain([c]))
        .collect()
}
