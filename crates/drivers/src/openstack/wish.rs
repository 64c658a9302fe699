//! The wish of a step: the type and the properties of a node, worked out with what is known of others.

use std::cell::RefCell;
use std::collections::BTreeMap;

use locus_openstack::expression::{Known, evaluate};
use locus_openstack::kinds::{self, Kind};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::attributes::ALL;
use super::{OpenStack, node_of};
use crate::driver::Order;
use crate::secret::{Secret, resolve};

/// The wish of a step.
pub(super) struct Wish {
    pub(super) sort: String,
    pub(super) properties: Map<String, Value>,
    /// The id of what exists already.
    pub(super) external: Option<String>,
    /// The name, if the template gives none.
    pub(super) name: String,
    secrets: Vec<(String, String)>,
}

/// The key of the attributes that are places of secrets.
pub(super) const SECRETS: &str = "$secrets";

impl Wish {
    /// The type of the node of an order, and whether it stands for something that exists already.
    pub(super) fn kind(order: &Order) -> Result<(&'static Kind, bool), String> {
        let desired: Value = serde_json::from_str(&order.desired).map_err(|error| error.to_string())?;
        let sort = desired["sort"].as_str().unwrap_or_default();
        let kind = kinds::kind(sort).ok_or_else(|| format!("nothing of the type {sort} is made here"))?;
        Ok((kind, desired["specification"].get("external").is_some()))
    }

    pub(super) fn read(driver: &OpenStack, order: &Order) -> Result<Self, String> {
        let desired: Value = serde_json::from_str(&order.desired).map_err(|error| error.to_string())?;
        let told = Told { driver, order, desired: &desired, secrets: RefCell::default() };
        let specification = &desired["specification"];
        let given = specification["properties"].as_object().cloned().unwrap_or_default();
        let mut properties = Map::new();
        // What cannot be known when a node is deleted is not needed then.
        let is_needed = order.does != locus_engine::Does::Delete;
        for (name, value) in &given {
            match evaluate(value, &told) {
                Ok(value) => _ = properties.insert(name.clone(), value),
                Err(why) if is_needed => return Err(format!("`{name}`: {why}")),
                Err(_) => {}
            }
        }
        let external = match specification.get("external") {
            Some(id) => {
                let id = evaluate(id, &told)?;
                Some(id.as_str().map_or_else(|| id.to_string(), str::to_owned))
            }
            None => None,
        };
        let sort = desired["sort"].as_str().unwrap_or_default().to_owned();
        let name = name(order);
        Ok(Self { sort, properties, external, name, secrets: told.secrets.into_inner() })
    }

    /// The secrets that were looked up for it.
    pub(super) fn secrets(&self) -> Vec<Secret> {
        let secret =
            |(value, place): &(String, String)| Secret { value: value.clone(), place: place.clone() };
        self.secrets.iter().map(secret).collect()
    }
}

/// The name of a resource that the template gives none: of the deployment and the resource, with a few digits that no
/// other has, as Heat makes it.
fn name(order: &Order) -> String {
    let digits = hex(Sha256::digest(node_of(&order.token).as_bytes()).iter().take(6));
    let plain = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' })
            .take(90)
            .collect()
    };
    format!(
        "{}-{}-{digits}",
        plain(&order.deployment),
        plain(order.node.split('~').next().unwrap_or_default())
    )
}

/// Bytes as digits.
pub(super) fn hex<'b>(bytes: impl Iterator<Item = &'b u8>) -> String {
    let digits = bytes.flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}

/// All that is known when a step is done.
struct Told<'a> {
    driver: &'a OpenStack,
    order: &'a Order,
    desired: &'a Value,
    /// The secrets that were looked up, with their places.
    secrets: RefCell<Vec<(String, String)>>,
}

impl Told<'_> {
    /// An output of another node. The deployment may have the node under another key than its name.
    fn output(&self, name: &str, output: &str) -> Option<&String> {
        let needs = self.desired["needs"].as_array().into_iter().flatten();
        let via = needs.filter(|need| need["target"] == *name).find_map(|need| need["via"].as_str());
        let key = via.and_then(|via| self.desired["refers"].get(via)?.as_str());
        let own = (name == self.desired["name"]).then_some(self.order.node.as_str());
        let plain = name.replace('~', "~t");
        let key = key.or(own).unwrap_or(&plain);
        self.order.output(key, output)
    }
}

impl Known for Told<'_> {
    fn id(&self, name: &str) -> Result<Value, String> {
        let id = self.output(name, "id").ok_or_else(|| format!("the id of `{name}` is not known"))?;
        Ok(Value::from(id.as_str()))
    }

    fn attributes(&self, name: &str) -> Result<Value, String> {
        let text =
            self.output(name, ALL).ok_or_else(|| format!("the attributes of `{name}` are not known"))?;
        let mut all: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let places = all.get_mut(SECRETS).map(Value::take);
        for (key, place) in places.as_ref().and_then(Value::as_object).into_iter().flatten() {
            let value = self.secret(place.as_str().unwrap_or_default())?;
            all[key] = Value::from(value);
        }
        if let Some(map) = all.as_object_mut() {
            map.remove(SECRETS);
        }
        Ok(all)
    }

    fn parameter(&self, name: &str) -> Result<Value, String> {
        let session = &self.driver.session;
        Ok(Value::from(match name {
            "OS::stack_name" => self.driver.deployment.clone(),
            // One that is the same for all of the deployment.
            "OS::stack_id" => {
                let known: Vec<&str> = self.order.token.split('/').take(3).collect();
                known.join("/")
            }
            "OS::project_id" => session.project().map_err(|trouble| trouble.reason)?,
            "OS::region" => session.region().map_err(|trouble| trouble.reason)?,
            _ => return Err(format!("the parameter `{name}` is not known")),
        }))
    }

    fn secret(&self, place: &str) -> Result<String, String> {
        let (value, _) = resolve(place)?;
        self.secrets.borrow_mut().push((value.clone(), place.to_owned()));
        Ok(value)
    }
}

/// The outputs of a node, worked out: as they are stored, which is without secrets.
pub(super) fn stored(wish: &Wish) -> BTreeMap<String, String> {
    let secrets = wish.secrets();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let properties = wish.properties.iter().filter(|(_, value)| !value.is_null());
    properties.map(|(name, value)| (name.clone(), crate::secret::stored(&text(value), &secrets))).collect()
}
