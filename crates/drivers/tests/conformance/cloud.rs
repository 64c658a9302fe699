//! The cloud of the tutorial: an interface like that of real ones, without a network. Calls that change something
//! answer with an operation, which is done when it was asked for twice; a token names an operation, and the same
//! token is the same one.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use locus_drivers::conformance::Trouble;
use serde_json::{Value, json};

/// An answer of the cloud.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// In how many seconds it wants to be asked again.
    pub(crate) retry_after: u64,
}

/// The cloud.
#[derive(Default)]
pub(crate) struct Cloud(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    /// All that the ids of its things begin with.
    name: &'static str,
    things: BTreeMap<String, Thing>,
    operations: BTreeMap<String, Operation>,
    next: usize,
    loses: bool,
    throttles: bool,
    halves: bool,
}

struct Thing {
    token: String,
    node: String,
    size: Value,
}

struct Operation {
    token: String,
    /// All that it does to the thing.
    what: String,
    thing: String,
    size: Value,
    asked: u32,
    fails: bool,
}

/// How much is on a page.
const PAGE: usize = 5;

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The node of a token.
fn node_of(token: &str) -> String {
    let last = token.rsplit('/').next().unwrap_or_default();
    last.split('#').next().unwrap_or_default().to_owned()
}

impl Cloud {
    /// Another cloud, whose ids are others.
    pub(crate) fn named(name: &'static str) -> Self {
        Self(Mutex::new(Inner { name, ..Inner::default() }))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a request; none if it is lost.
    pub(crate) fn request(&self, method: &str, path: &str, body: &Value) -> Option<Response> {
        let mut inner = self.inner();
        let answer = |status, body| Response { status, body, retry_after: 0 };
        if method != "GET" && std::mem::take(&mut inner.throttles) {
            let body = json!({ "reason": "slow down" });
            return Some(Response { status: 429, body, retry_after: 1 });
        }
        let (status, found) = match (method, path.trim_start_matches('/').split_once('/')) {
            ("GET", Some(("operations", id))) => {
                inner.ask(id).map_or((404, Value::Null), |found| (200, found))
            }
            ("GET", Some(("things", id))) => match inner.things.get(id) {
                Some(thing) => (200, json!({ "id": id, "size": thing.size })),
                None => (404, Value::Null),
            },
            ("GET", None) if path == "/operations" => {
                let token = text(&body["token"]);
                let known = inner.operations.iter().find(|(_, operation)| operation.token == token);
                let known = known.map(|(id, _)| id.clone());
                known.and_then(|id| inner.ask(&id)).map_or((404, Value::Null), |found| (200, found))
            }
            ("GET", None) => (200, inner.list(body)),
            ("POST", None) => (202, inner.begin("create", None, body)),
            (_, Some(("things", id))) if !inner.things.contains_key(id) => (404, Value::Null),
            ("PATCH", Some((_, id))) => (202, inner.begin("change", Some(id), body)),
            ("DELETE", Some((_, id))) => (202, inner.begin("delete", Some(id), body)),
            _ => (400, json!({ "reason": format!("{method} {path} means nothing") })),
        };
        let is_lost = method != "GET" && std::mem::take(&mut inner.loses);
        (!is_lost).then(|| answer(status, found))
    }

    /// How many things there are for a node.
    pub(crate) fn count(&self, node: &str) -> usize {
        let inner = self.inner();
        let made = inner.things.values().filter(|thing| thing.node == node).count();
        made + inner.operations.values().filter(|one| one.is_to_make(node)).count()
    }

    /// Brings something about.
    pub(crate) fn bring_about(&self, trouble: Trouble<'_>) {
        let mut inner = self.inner();
        match trouble {
            Trouble::LostReply => inner.loses = true,
            Trouble::Throttle => inner.throttles = true,
            Trouble::Half => inner.halves = true,
            Trouble::Remove(node) => inner.things.retain(|_, thing| thing.node != node),
            Trouble::Alter(node) => {
                inner
                    .things
                    .values_mut()
                    .filter(|thing| thing.node == node)
                    .for_each(|thing| thing.size = json!(99));
            }
            Trouble::Make(name) => {
                let thing = Thing { token: String::new(), node: name.to_owned(), size: json!(1) };
                inner.things.insert(name.to_owned(), thing);
            }
        }
    }
}

impl Operation {
    /// Whether it is under way and makes something for a node.
    fn is_to_make(&self, node: &str) -> bool {
        self.what == "create" && self.asked < 2 && node_of(&self.token) == node
    }
}

impl Inner {
    /// Begins an operation, unless it was begun under the same token.
    fn begin(&mut self, what: &str, thing: Option<&str>, body: &Value) -> Value {
        let token = text(&body["token"]);
        if let Some((id, _)) = self.operations.iter().find(|(_, operation)| operation.token == token) {
            let id = id.clone();
            return self.ask(&id).unwrap_or_default();
        }
        self.next += 1;
        let (id, thing) = (
            format!("op-{}", self.next),
            thing.map_or(format!("{}t-{}", self.name, self.next), str::to_owned),
        );
        let fails = what == "create" && std::mem::take(&mut self.halves);
        let (what, size) = (what.to_owned(), body["size"].clone());
        self.operations.insert(id.clone(), Operation { token, what, thing, size, asked: 0, fails });
        json!({ "id": id, "state": "running" })
    }

    /// Where an operation is. When it is asked for the second time it is done.
    fn ask(&mut self, id: &str) -> Option<Value> {
        let operation = self.operations.get_mut(id)?;
        operation.asked += 1;
        if operation.asked == 2 {
            let (token, node) = (operation.token.clone(), node_of(&operation.token));
            match operation.what.as_str() {
                "create" => {
                    let size = operation.size.clone();
                    self.things.insert(operation.thing.clone(), Thing { token, node, size });
                }
                "change" => {
                    let size = operation.size.clone();
                    self.things.entry(operation.thing.clone()).and_modify(|thing| thing.size = size);
                }
                _ => _ = self.things.remove(&operation.thing),
            }
        }
        let state = match (operation.asked, operation.fails) {
            (..2, _) => "running",
            (_, true) => "failed",
            _ => "done",
        };
        Some(json!({ "id": id, "state": state, "thing": operation.thing, "reason": "the disk was full" }))
    }

    /// A page of the things whose tokens have a beginning.
    fn list(&self, body: &Value) -> Value {
        let (tokens, from) = (text(&body["tokens"]), text(&body["from"]));
        let mut own =
            self.things.iter().filter(|(id, thing)| thing.token.starts_with(&tokens) && **id > from);
        let page: Vec<_> = own.by_ref().take(PAGE).collect();
        let next = own.next().and(page.last()).map(|(id, _)| (*id).clone());
        let shown = |(id, thing): &(&String, &Thing)| json!({ "id": id, "token": thing.token });
        json!({ "things": page.iter().map(shown).collect::<Vec<_>>(), "next": next })
    }
}
