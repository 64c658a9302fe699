//! A driver for a cloud as most of them are: calls are accepted and done later. `docs/drivers.md` explains each part.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use locus_drivers::{Ability, Driver, Found, Imported, Order, Page, Reply, Seen, Sort, Tokens, acceptance};
use locus_engine::{Cause, Does, Failure, Left, Observation, Outcome, Progress};
use serde_json::{Value, json};

use super::cloud::Cloud;

static ABILITY: Ability = Ability {
    tokens: Tokens::Honoured,
    lists: true,
    imports: true,
    sorts: &[Sort { fixed: &["shelf"], ..Sort::new("thing") }],
};

pub(crate) struct Shelf(pub(crate) Arc<Cloud>);

enum Trouble {
    Lost,
    Missing,
    Failed(Failure),
}

impl Shelf {
    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, Trouble> {
        let response = self.0.request(method, path, body).ok_or(Trouble::Lost)?;
        let reason = response.body["reason"].as_str().unwrap_or_default();
        let failure = match response.status {
            200..=299 => return Ok(response.body),
            404 => return Err(Trouble::Missing),
            409 => Failure::new(Cause::Conflict, reason),
            413 => Failure::new(Cause::Quota, reason),
            429 => Failure::new(Cause::Throttled, reason).after(response.retry_after * 1000),
            500..=599 => Failure::busy(reason),
            _ => Failure::refused(reason),
        };
        Err(Trouble::Failed(failure))
    }

    fn progress(operation: &Value) -> Progress {
        let text = |key: &str| operation[key].as_str().unwrap_or_default().to_owned();
        match operation["state"].as_str() {
            Some("done") => {
                let outputs = BTreeMap::from([("id".to_owned(), text("thing"))]);
                Progress::Ended(Outcome::Done { id: text("thing"), outputs })
            }
            Some("failed") => {
                let failure = Failure::refused(text("reason"));
                Progress::Ended(Outcome::Failed(failure.leaving(Left::Named(text("thing")))))
            }
            _ => Progress::GoesOn(acceptance(text("id"), Duration::from_millis(2))),
        }
    }
}

impl Driver for Shelf {
    fn ability(&self) -> &Ability {
        &ABILITY
    }

    fn call(&self, order: &Order) -> Reply {
        let desired: Value = serde_json::from_str(&order.desired).unwrap_or_default();
        let (thing, size) = (format!("/things/{}", order.id), &desired["properties"]["size"]);
        let body = json!({ "token": order.token, "size": size });
        let answer = match order.does {
            Does::Create => self.ask("POST", "/things", &body),
            Does::Change => self.ask("PATCH", &thing, &body),
            Does::Delete => self.ask("DELETE", &thing, &body),
        };
        match answer {
            Ok(operation) => match Shelf::progress(&operation) {
                Progress::GoesOn(accepted) => Reply::Accepted(accepted),
                Progress::Ended(outcome) => Reply::Ended(outcome),
                Progress::Forgotten => Reply::Lost,
            },
            Err(Trouble::Lost) => Reply::Lost,
            Err(Trouble::Missing) if order.does == Does::Delete => Reply::done(&order.id, BTreeMap::new()),
            Err(Trouble::Missing) => Reply::failed(Failure::refused(format!("{} is gone", order.id))),
            Err(Trouble::Failed(failure)) => Reply::failed(failure),
        }
    }

    fn poll(&self, order: &Order) -> Progress {
        match self.ask("GET", &format!("/operations/{}", order.handle), &Value::Null) {
            Ok(operation) => Shelf::progress(&operation),
            Err(Trouble::Missing) => Progress::Forgotten,
            Err(_) => Progress::GoesOn(acceptance(&order.handle, Duration::from_secs(1))),
        }
    }

    fn observe(&self, order: &Order) -> Observation {
        match self.ask("GET", "/operations", &json!({ "token": order.token })) {
            Ok(operation) => match Shelf::progress(&operation) {
                Progress::GoesOn(accepted) => Observation::Accepted(accepted),
                Progress::Ended(Outcome::Done { id, outputs }) => Observation::Done { id, outputs },
                Progress::Ended(Outcome::Failed(failure)) => Observation::Failed(failure),
                _ => Observation::Unsure { reason: "what the cloud says was not expected".to_owned() },
            },
            Err(Trouble::Missing) => Observation::Absent,
            Err(_) => Observation::Unsure { reason: "the cloud does not answer".to_owned() },
        }
    }

    fn look(&self, order: &Order) -> Seen {
        let desired: Value = serde_json::from_str(&order.desired).unwrap_or_default();
        match self.ask("GET", &format!("/things/{}", order.id), &Value::Null) {
            Ok(thing) if thing["size"] == desired["properties"]["size"] => Seen::There,
            Ok(thing) => Seen::Changed(format!("its size is {}", thing["size"])),
            Err(Trouble::Missing) => Seen::Gone,
            Err(_) => Seen::Unsure("the cloud does not answer".to_owned()),
        }
    }

    fn list(&self, tokens: &str, from: Option<&str>) -> Result<Page, Failure> {
        let page = self.ask("GET", "/things", &json!({ "tokens": tokens, "from": from }));
        let page = page.map_err(|trouble| match trouble {
            Trouble::Failed(failure) => failure,
            _ => Failure::new(Cause::Network, "the cloud does not answer"),
        })?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let found = |thing: &Value| Found { id: text(&thing["id"]), token: text(&thing["token"]) };
        let things = page["things"].as_array().into_iter().flatten();
        Ok(Page { found: things.map(found).collect(), next: page["next"].as_str().map(str::to_owned) })
    }

    fn import(&self, order: &Order, id: &str) -> Result<Imported, Failure> {
        let (id, outputs) = (id.to_owned(), BTreeMap::from([("id".to_owned(), id.to_owned())]));
        match self.look(&Order { id: id.clone(), ..order.clone() }) {
            Seen::There => Ok(Imported { id, outputs, differs: None }),
            Seen::Changed(differs) => Ok(Imported { id, outputs, differs: Some(differs) }),
            Seen::Gone => Err(Failure::refused(format!("there is no {id}"))),
            Seen::Unsure(reason) => Err(Failure::new(Cause::Network, reason)),
        }
    }
}
