//! The calls for one resource: made, found again, read, changed, deleted. Everything may be done again: what is there
//! is found by its mark, and what is missing of it is added.
//!
//! Out of scope: when to call, and what becomes of trouble.

mod body;
mod compare;
mod link;
mod mark;
mod names;
mod rules;
mod server;

use serde_json::{Map, Value, json};

use crate::expression::escaped;
use crate::kinds::{Beside, Change, Field, Kind, Mark, Role};
use crate::session::{Ask, Service, Session};
use crate::trouble::{Kind as Cause, Trouble};

pub use compare::difference;
pub use mark::written;

/// A resource of a cloud.
#[derive(Clone, PartialEq, Debug)]
pub struct Thing {
    /// Its id. That of a thing within another has the id of that before it, with a slash.
    pub id: String,
    /// All that the service says of it.
    pub body: Value,
}

/// The state of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It is as it was asked for.
    Ready,
    /// The service is at it.
    UnderWay,
    /// It failed, with the reason of the service.
    Failed(String),
}

/// The outcome of a search by a mark.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// The thing that the step has made.
    Ours(Thing),
    /// A thing that may be it: nothing tells it from one of somebody else.
    Perhaps(Thing),
}

/// A resource that is worked on.
pub struct Work<'a> {
    /// The cloud.
    pub session: &'a Session,
    /// The type.
    pub kind: &'static Kind,
    /// The properties, worked out.
    pub properties: &'a Map<String, Value>,
    /// The name of the step that makes it.
    pub token: &'a str,
    /// Its name, if the template gives none.
    pub name: &'a str,
}

impl Work<'_> {
    fn get(&self, path: &str) -> Result<Value, Trouble> {
        self.session.ask(&Ask { version: self.kind.version, ..Ask::get(self.kind.service, path) })
    }

    fn send(&self, method: &'static str, path: &str, body: &Value) -> Result<Value, Trouble> {
        self.session
            .ask(&Ask { version: self.kind.version, ..Ask::send(self.kind.service, method, path, body) })
    }

    fn delete_at(&self, service: Service, path: &str) -> Result<(), Trouble> {
        match self.session.ask(&Ask { version: self.kind.version, ..Ask::delete(service, path) }) {
            Err(trouble) if trouble.kind != Cause::Missing => Err(trouble),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn property(&self, name: &str) -> Option<&Value> {
        self.properties.get(name).filter(|value| !value.is_null())
    }

    /// The path of the list that it is in, with the ids of what it is within, and these.
    fn list(&self) -> Result<(String, Option<String>), Trouble> {
        let Some((before, rest)) = self.kind.path.split_once('{') else {
            return Ok((self.kind.path.to_owned(), None));
        };
        let (property, after) = rest.split_once('}').unwrap_or((rest, ""));
        let field = self.kind.field(property);
        let value = self.property(property).and_then(Value::as_str).unwrap_or_default();
        let id = match field.and_then(|field| field.names) {
            Some(names) => self.session.id_of(names, value)?,
            None => value.to_owned(),
        };
        if id.is_empty() {
            return Err(Trouble::refused(format!("`{property}` of a {} is empty", self.kind.sort)));
        }
        Ok((format!("{before}{}{after}", escaped(&id)), Some(id)))
    }

    /// The path of one, by its id.
    fn path_of(&self, id: &str) -> String {
        match (self.kind.path.split_once('{'), id.split_once('/')) {
            (Some((before, rest)), Some((outer, id))) => {
                let after = rest.split_once('}').map_or("", |(_, after)| after);
                format!("{before}{}{after}/{}", escaped(outer), escaped(id))
            }
            _ => format!("{}/{}", self.kind.path, escaped(id)),
        }
    }

    /// A thing of what a service answers with.
    fn thing(&self, answer: Value, outer: Option<&str>) -> Thing {
        let body = if self.kind.one.is_empty() {
            answer
        } else {
            answer.get(self.kind.one).cloned().unwrap_or(answer)
        };
        let id =
            body.get("id").filter(|_| self.kind.sort != "OS::Nova::KeyPair").or_else(|| body.get("name"));
        let id = match id {
            Some(Value::String(id)) => id.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        Thing { id: outer.map_or_else(|| id.clone(), |outer| format!("{outer}/{id}")), body }
    }

    /// Looks for the thing by its mark.
    ///
    /// # Errors
    /// If the service cannot be asked.
    pub fn find(&self) -> Result<Found, Trouble> {
        if let Some(link) = self.kind.as_link() {
            return Ok(self.found_link(link)?.map_or(Found::Nothing, Found::Ours));
        }
        let (list, outer) = self.list()?;
        let outer = outer.as_deref();
        let of = |body: &Value| self.thing(json!({ self.kind.one: body }), outer);
        match self.kind.mark {
            Mark::Name => {
                let Some(body) = self.by_name(&list)? else { return Ok(Found::Nothing) };
                let is_given = self.property("name").is_some();
                Ok(if is_given { Found::Perhaps(of(&body)) } else { Found::Ours(of(&body)) })
            }
            Mark::Same => {
                let wanted = self.body()?;
                let all = self.session.all(self.kind.service, &list, self.kind.many)?;
                let same = all.iter().find(|body| self.differs(&wanted, body).is_none());
                Ok(same.map_or(Found::Nothing, |body| Found::Ours(of(body))))
            }
            _ => {
                let all = self.marked(&list, Some(self.token))?;
                Ok(all.into_iter().next().map_or(Found::Nothing, |(body, _)| Found::Ours(of(&body))))
            }
        }
    }

    /// All things of this type whose tokens have a beginning, with their tokens.
    ///
    /// # Errors
    /// If the service cannot be asked.
    pub fn of_tokens(&self, beginning: &str) -> Result<Vec<(Thing, String)>, Trouble> {
        if matches!(self.kind.mark, Mark::Name | Mark::Same) || self.kind.path.contains('{') {
            return Ok(Vec::new());
        }
        let all = self.marked(self.kind.path, None)?;
        let ours = all.into_iter().filter(|(_, token)| token.starts_with(beginning));
        Ok(ours.map(|(body, token)| (self.thing(json!({ self.kind.one: body }), None), token)).collect())
    }

    /// The one with the name, in a list.
    fn by_name(&self, list: &str) -> Result<Option<Value>, Trouble> {
        let name = self.property("name").and_then(Value::as_str).unwrap_or(self.name);
        let all = self.session.all_in(self.kind.service, list, self.kind.many, self.kind.version)?;
        Ok(all
            .into_iter()
            .map(|item| item.get("keypair").cloned().unwrap_or(item))
            .find(|item| item["name"] == *name))
    }

    /// Makes the thing. Whatever more belongs to it is done by [`Work::complete`].
    ///
    /// # Errors
    /// If the service does not; [`Cause::Lost`] if that cannot be told.
    pub fn create(&self) -> Result<Thing, Trouble> {
        if let Some(link) = self.kind.as_link() {
            return self.make_link(link);
        }
        let (list, outer) = self.list()?;
        let mut body = self.body()?;
        self.mark(&mut body);
        let wrapped = match self.kind.beside {
            Beside::Server => self.server(body)?,
            Beside::Volume => {
                let hints = self.property("scheduler_hints").cloned();
                let mut wrapped = Map::from_iter([(self.kind.one.to_owned(), Value::Object(body))]);
                wrapped.extend(hints.map(|hints| ("OS-SCH-HNT:scheduler_hints".to_owned(), hints)));
                Value::Object(wrapped)
            }
            _ if self.kind.one.is_empty() => Value::Object(body),
            _ => json!({ self.kind.one: body }),
        };
        let method = if self.kind.sort == "OS::Keystone::Region" && self.property("id").is_some() {
            "PUT"
        } else {
            "POST"
        };
        let path = match (method, self.property("id").and_then(Value::as_str)) {
            ("PUT", Some(id)) => format!("{list}/{}", escaped(id)),
            _ => list,
        };
        let answer = self.send(method, &path, &wrapped)?;
        let thing = self.thing(answer, outer.as_deref());
        if self.kind.ready.is_some() && thing.body.get("status").is_none() {
            // Nova says no more than the id. Where that cannot be read now, it is asked for again: it is made.
            let unread = || Thing { id: thing.id.clone(), body: json!({ "status": "UNKNOWN" }) };
            return Ok(self.read(&thing.id).unwrap_or_else(|_| unread()));
        }
        Ok(thing)
    }

    /// Whether more than one call makes the thing.
    pub fn has_more(&self) -> bool {
        matches!(self.kind.beside, Beside::Rules | Beside::Flavor | Beside::Import) || !self.tags().is_empty()
    }

    /// The tags that Neutron is told in a call of their own.
    fn tags(&self) -> &[Value] {
        let is_apart = self.kind.service == Service::Network;
        let field = self.fields_of(Role::Tags).next().filter(|_| is_apart);
        let tags = field.and_then(|field| self.property(field.property)?.as_array());
        tags.map_or(&[][..], Vec::as_slice)
    }

    /// Makes the tags of a thing what they are to be. Says whether they were not.
    fn put_tags(&self, thing: &Thing) -> Result<bool, Trouble> {
        let there = thing.body.get("tags").unwrap_or(&Value::Null);
        let wanted = Value::from(self.tags());
        let is_told = self.fields_of(Role::Tags).next().is_some() && self.kind.service == Service::Network;
        if !is_told || is_same(&wanted, there) {
            return Ok(false);
        }
        self.send("PUT", &format!("{}/tags", self.path_of(&thing.id)), &json!({ "tags": wanted }))?;
        Ok(true)
    }

    /// Adds what is missing of a thing that was made.
    ///
    /// # Errors
    /// If a service does not.
    pub fn complete(&self, thing: Thing) -> Result<Thing, Trouble> {
        let thing = if self.put_tags(&thing)? { self.read(&thing.id)? } else { thing };
        match self.kind.beside {
            Beside::Rules => {
                self.rules(&thing)?;
                self.read(&thing.id)
            }
            Beside::Flavor => {
                self.specifications(&thing.id)?;
                Ok(thing)
            }
            Beside::Import if thing.body["status"] == "queued" => {
                let uri = self.property("location").cloned().unwrap_or_default();
                let body = json!({ "method": { "name": "web-download", "uri": uri } });
                self.send("POST", &format!("/images/{}/import", escaped(&thing.id)), &body)?;
                self.read(&thing.id)
            }
            _ => Ok(thing),
        }
    }

    /// Makes the further specifications of a flavor what they are to be.
    fn specifications(&self, id: &str) -> Result<(), Trouble> {
        let path = format!("{}/os-extra_specs", self.path_of(id));
        let wanted = self.property("extra_specs").and_then(Value::as_object).cloned().unwrap_or_default();
        let there = self.get(&path)?;
        let there = there["extra_specs"].as_object().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let missing: Map<String, Value> = wanted
            .iter()
            .filter(|(key, value)| there.get(*key).map(text) != Some(text(value)))
            .map(|(key, value)| (key.clone(), Value::from(text(value))))
            .collect();
        if !missing.is_empty() {
            self.send("POST", &path, &json!({ "extra_specs": missing }))?;
        }
        for key in there.keys().filter(|key| !wanted.contains_key(*key)) {
            self.delete_at(self.kind.service, &format!("{path}/{}", escaped(key)))?;
        }
        Ok(())
    }

    /// Reads the thing.
    ///
    /// # Errors
    /// [`Cause::Missing`] if there is none.
    pub fn read(&self, id: &str) -> Result<Thing, Trouble> {
        if let Some(link) = self.kind.as_link() {
            return self.read_link(link, id);
        }
        let answer = self.get(&self.path_of(id))?;
        let outer = id.split_once('/').filter(|_| self.kind.path.contains('{')).map(|(outer, _)| outer);
        Ok(self.thing(answer, outer))
    }

    /// The state of a thing that was read.
    pub fn state(&self, thing: &Thing) -> State {
        let Some(ready) = &self.kind.ready else { return State::Ready };
        let status = thing.body["status"].as_str().unwrap_or_default();
        if status.to_ascii_lowercase().starts_with("error") || matches!(status, "killed" | "deactivated") {
            let fault = thing.body["fault"]["message"].as_str();
            let fault = fault.filter(|text| !text.is_empty()).map(|text| format!(": {text}"));
            return State::Failed(format!("its status is {status}{}", fault.unwrap_or_default()));
        }
        // The size shows only when it has grown.
        let is_volume = self.kind.beside == Beside::Volume;
        if ready.under_way.contains(&status) && !(self.kind.beside == Beside::Import && status == "queued") {
            return State::UnderWay;
        }
        if is_volume && status == "available" && thing.body["attachments"].get(0).is_some() {
            return State::UnderWay;
        }
        State::Ready
    }

    /// Changes the thing to what it is to be, if it is not.
    ///
    /// # Errors
    /// If a service does not.
    pub fn update(&self, id: &str) -> Result<Thing, Trouble> {
        let thing = self.read(id)?;
        if self.kind.as_link().is_some() {
            return Ok(thing);
        }
        let changed = self.changed(&thing)?;
        if !changed.is_empty() && self.kind.change != Change::Never {
            let path = self.path_of(id);
            match self.kind.change {
                Change::Put => _ = self.send("PUT", &path, &json!({ self.kind.one: changed }))?,
                Change::Patch => _ = self.send("PATCH", &path, &json!({ self.kind.one: changed }))?,
                Change::Operations | Change::Never => {
                    let operations = changed.iter().map(|(key, value)| {
                        let word = if thing.body.get(key).is_some() { "replace" } else { "add" };
                        json!({ "op": word, "path": format!("/{key}"), "value": value })
                    });
                    self.send("PATCH", &path, &operations.collect())?;
                }
            }
        }
        self.put_tags(&thing)?;
        match self.kind.beside {
            Beside::Volume => self.change_volume(&thing)?,
            Beside::Server => self.change_metadata(&thing)?,
            Beside::Rules => self.rules(&thing)?,
            Beside::Flavor => self.specifications(id)?,
            _ => {}
        }
        self.read(id)
    }

    /// The fields that are to be another value than they have.
    fn changed(&self, thing: &Thing) -> Result<Map<String, Value>, Trouble> {
        let mut wanted = self.body()?;
        for (property, value) in RESET {
            let field = self.kind.field(property).filter(|field| field.changes && field.role == Role::Plain);
            if let Some(field) = field.filter(|_| self.property(property).is_none()) {
                let value: Value = serde_json::from_str(value).unwrap_or_default();
                let is_there =
                    thing.body.get(field.to).is_some_and(|there| difference(&value, there).is_some());
                let is_mark = property == &"description" && written(thing.body.get(field.to)).0.is_empty();
                if is_there && !is_mark {
                    wanted.insert(field.to.to_owned(), value);
                }
            }
        }
        Self::keep_mark(&mut wanted, thing);
        if self.property("name").is_none() {
            // A name that nobody gave stays as it is.
            wanted.remove("name");
        }
        let merged: Vec<&String> = self
            .fields_of(Role::Merged)
            .filter_map(|field| self.property(field.property)?.as_object())
            .flat_map(Map::keys)
            .collect();
        let changes = |key: &String, value: &Value| {
            let field = self.kind.fields.iter().find(|field| field.to == *key);
            let may = field.map_or(key == "tags" || merged.contains(&key), |field| field.changes);
            let is_unseen = field.is_some_and(|field| field.role == Role::Unseen);
            let there = thing.body.get(key).unwrap_or(&Value::Null);
            // Tags, and the size of a volume, have calls of their own.
            let is_apart = key == "tags" || key == "size" && self.kind.beside == Beside::Volume;
            may && !is_apart && (is_unseen || !is_same(value, there))
        };
        wanted.retain(|key, value| changes(key, value));
        Ok(wanted)
    }

    fn fields_of(&self, role: Role) -> impl Iterator<Item = &'static Field> {
        self.kind.fields.iter().filter(move |field| field.role == role)
    }

    fn change_volume(&self, thing: &Thing) -> Result<(), Trouble> {
        let path = self.path_of(&thing.id);
        if let (Some(wanted), Some(there)) =
            (self.property("size").and_then(Value::as_i64), thing.body["size"].as_i64())
            && wanted != there
        {
            if wanted < there {
                return Err(Trouble::refused(format!("a volume of {there} GB cannot shrink to {wanted} GB")));
            }
            self.send("POST", &format!("{path}/action"), &json!({ "os-extend": { "new_size": wanted } }))?;
        }
        self.change_metadata(thing)
    }

    /// Makes the metadata what they are to be, with the mark.
    fn change_metadata(&self, thing: &Thing) -> Result<(), Trouble> {
        let mut wanted = self.property("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
        for value in wanted.values_mut() {
            if !value.is_string() {
                *value = Value::from(value.to_string());
            }
        }
        let there = thing.body["metadata"].as_object().cloned().unwrap_or_default();
        if let Some(mark) = there.get(mark::KEY) {
            wanted.insert(mark::KEY.to_owned(), mark.clone());
        }
        if wanted != there {
            let path = format!("{}/metadata", self.path_of(&thing.id));
            self.send("PUT", &path, &json!({ "metadata": wanted }))?;
        }
        Ok(())
    }

    /// How the thing is different from what it is to be, in words.
    ///
    /// # Errors
    /// If a name cannot be looked up.
    pub fn drifted(&self, thing: &Thing) -> Result<Option<String>, Trouble> {
        if self.kind.as_link().is_some() {
            return Ok(None);
        }
        let wanted = self.body()?;
        Ok(self.differs(&wanted, &thing.body).or_else(|| match self.kind.beside {
            Beside::Rules => self.rules_differ(thing),
            _ => None,
        }))
    }

    /// The first field that is not as it is to be. A name that nobody gave may be any.
    fn differs(&self, wanted: &Map<String, Value>, there: &Value) -> Option<String> {
        let seen = self.kind.fields.iter().filter(|field| field.role == Role::Plain);
        seen.filter(|field| self.property(field.property).is_some()).find_map(|field| {
            let wanted = wanted.get(field.to)?;
            let there = there.get(field.to).unwrap_or(&Value::Null);
            let text;
            let there = if field.to == "description" {
                text = Value::from(written(Some(there)).0);
                &text
            } else {
                there
            };
            difference(wanted, there).map(|why| format!("`{}` is {why}", field.property))
        })
    }

    /// Puts the mark on a thing that exists, so that it is found again. Types without one that can be put on later have
    /// none.
    ///
    /// # Errors
    /// If it has the mark of somebody else, or the service does not.
    pub fn adopt(&self, thing: &Thing) -> Result<(), Trouble> {
        self.mark_later(thing)
    }

    /// Deletes the thing. Says whether it is gone by now.
    ///
    /// # Errors
    /// If the service does not.
    pub fn delete(&self, id: &str) -> Result<bool, Trouble> {
        if let Some(link) = self.kind.as_link() {
            return self.end_link(link, id);
        }
        let path = self.path_of(id);
        if self.kind.beside == Beside::Disable {
            match self.send("PATCH", &path, &json!({ self.kind.one: { "enabled": false } })) {
                Err(trouble) if trouble.kind == Cause::Missing => return Ok(true),
                Err(trouble) => return Err(trouble),
                Ok(_) => {}
            }
        }
        match self.session.ask(&Ask { version: self.kind.version, ..Ask::delete(self.kind.service, &path) }) {
            Err(trouble) if trouble.kind == Cause::Missing => return Ok(true),
            Err(trouble) => return Err(trouble),
            Ok(_) => {}
        }
        if self.kind.lingers { self.is_gone(id) } else { Ok(true) }
    }

    /// Whether a thing that was deleted is gone.
    ///
    /// # Errors
    /// If its deletion failed, or the service cannot be asked.
    pub fn is_gone(&self, id: &str) -> Result<bool, Trouble> {
        match self.read(id) {
            Err(trouble) if trouble.kind == Cause::Missing => Ok(true),
            Err(trouble) => Err(trouble),
            Ok(thing) => {
                let status = thing.body["status"].as_str().unwrap_or_default();
                if matches!(status, "DELETED" | "SOFT_DELETED") {
                    return Ok(true);
                }
                if status == "error_deleting" {
                    return Err(Trouble::refused("its deletion failed: its status is error_deleting"));
                }
                Ok(false)
            }
        }
    }
}

/// Whether a value is what is there, whatever the service adds to it.
fn is_same(wanted: &Value, there: &Value) -> bool {
    difference(wanted, there).is_none()
}

/// The values of properties that a template does not give any more, where nothing is another value.
const RESET: &[(&str, &str)] = &[
    ("description", "\"\""),
    ("allowed_address_pairs", "[]"),
    ("host_routes", "[]"),
    ("external_gateway_info", "{}"),
];
