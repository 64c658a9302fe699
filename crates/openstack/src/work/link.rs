//! Relations: what is no thing of its own, but made and ended by calls about two others. Their ids are made of those of
//! the two.

use serde_json::{Value, json};

use super::{State, Thing, Work};
use crate::expression::escaped;
use crate::kinds::Link;
use crate::session::{Ask, Service};
use crate::trouble::{Kind as Cause, Trouble};

impl Work<'_> {
    /// A property that is an id, or names something.
    fn end(&self, property: &str) -> Result<Option<String>, Trouble> {
        let Some(value) = self.property(property).and_then(Value::as_str).filter(|text| !text.is_empty())
        else {
            return Ok(None);
        };
        match self.kind.field(property).and_then(|field| field.names) {
            Some(names) => self.session.id_of(names, value).map(Some),
            None => Ok(Some(value.to_owned())),
        }
    }

    fn needed(&self, property: &str) -> Result<String, Trouble> {
        let missing = || Trouble::refused(format!("`{property}` of a {} is empty", self.kind.sort));
        self.end(property)?.ok_or_else(missing)
    }

    /// The id that the relation has.
    fn link_id(&self, link: Link) -> Result<String, Trouble> {
        Ok(match link {
            Link::Interface => {
                let router = self.needed("router")?;
                match self.end("port")? {
                    Some(port) => format!("{router}:port_id={port}"),
                    None => format!("{router}:subnet_id={}", self.needed("subnet")?),
                }
            }
            Link::Gateway => format!("{}:{}", self.needed("router_id")?, self.needed("network")?),
            Link::Address => {
                let address = self.end("fixed_ip_address")?.map(|address| format!(":{address}"));
                format!(
                    "{}:{}{}",
                    self.needed("floatingip_id")?,
                    self.needed("port_id")?,
                    address.unwrap_or_default()
                )
            }
            Link::Attachment => format!("{}:{}", self.needed("instance_uuid")?, self.needed("volume_id")?),
            Link::Routes => {
                format!("{}:{}", self.needed("router")?, self.property("routes").cloned().unwrap_or_default())
            }
            Link::Roles => {
                let (word, who) = match self.end("user")? {
                    Some(user) => ("users", user),
                    None => ("groups", self.needed("group")?),
                };
                let mut all = vec![format!("{word}/{who}")];
                if let Some(field) = self.kind.field("roles") {
                    let roles = self.converted(field, self.property("roles").unwrap_or(&Value::Null))?;
                    for role in roles.as_array().into_iter().flatten() {
                        let text = |key: &str| role[key].as_str().filter(|text| !text.is_empty());
                        let scope = text("project").map(|id| format!("projects/{id}"));
                        let scope = scope.or_else(|| text("domain").map(|id| format!("domains/{id}")));
                        let scope =
                            scope.ok_or_else(|| Trouble::refused("a role needs a project or a domain"))?;
                        all.push(format!("{scope}/{}", text("role").unwrap_or_default()));
                    }
                }
                all.join(",")
            }
        })
    }

    /// The relation, if it is there.
    pub(super) fn found_link(&self, link: Link) -> Result<Option<Thing>, Trouble> {
        match self.read_link(link, &self.link_id(link)?) {
            Ok(thing) => Ok(Some(thing)),
            Err(trouble) if trouble.kind == Cause::Missing => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    /// Reads a relation by its id.
    pub(super) fn read_link(&self, link: Link, id: &str) -> Result<Thing, Trouble> {
        let missing = || Trouble::new(Cause::Missing, "there is no such relation");
        let (one, other) = id.split_once(':').unwrap_or((id, ""));
        let get = |service: Service, path: &str| self.session.ask(&Ask::get(service, path));
        let body = match link {
            Link::Interface => {
                let path = format!("/ports?device_id={}", escaped(one));
                let ports = self.session.all(Service::Network, &path, "ports")?;
                let (what, wanted) = other.split_once('=').unwrap_or(("", other));
                let is_it = |port: &&Value| {
                    if what == "port_id" {
                        return port["id"] == *wanted;
                    }
                    let owner = port["device_owner"].as_str().unwrap_or_default();
                    let is_interface = owner.contains("router_") && !owner.contains("gateway");
                    let mut on = port["fixed_ips"].as_array().into_iter().flatten();
                    is_interface && on.any(|address| address["subnet_id"] == *wanted)
                };
                ports.iter().find(is_it).cloned().ok_or_else(missing)?
            }
            Link::Gateway => {
                let router = get(Service::Network, &format!("/routers/{}", escaped(one)))?;
                let gateway = &router["router"]["external_gateway_info"];
                if gateway["network_id"] != *other {
                    return Err(missing());
                }
                gateway.clone()
            }
            Link::Address => {
                let address = get(Service::Network, &format!("/floatingips/{}", escaped(one)))?;
                let (port, fixed) =
                    other.split_once(':').map_or((other, None), |(port, fixed)| (port, Some(fixed)));
                let address = &address["floatingip"];
                if address["port_id"] != *port
                    || fixed.is_some_and(|fixed| address["fixed_ip_address"] != *fixed)
                {
                    return Err(missing());
                }
                address.clone()
            }
            Link::Attachment => {
                let path = format!("/servers/{}/os-volume_attachments/{}", escaped(one), escaped(other));
                get(Service::Compute, &path)?["volumeAttachment"].clone()
            }
            Link::Routes => {
                let router = get(Service::Network, &format!("/routers/{}", escaped(one)))?;
                let wanted: Value = serde_json::from_str(other).unwrap_or_default();
                let there = router["router"]["routes"].as_array().cloned().unwrap_or_default();
                if !wanted.as_array().into_iter().flatten().all(|route| there.contains(route)) {
                    return Err(missing());
                }
                router["router"].clone()
            }
            Link::Roles => {
                let mut parts = id.split(',');
                let (word, who) = parts.next().and_then(|who| who.split_once('/')).unwrap_or(("users", ""));
                for part in parts {
                    let mut steps = part.splitn(3, '/');
                    let (scope, of, role) = (steps.next(), steps.next(), steps.next());
                    let path = format!(
                        "/role_assignments?{}.id={}&role.id={}&scope.{}.id={}",
                        word.trim_end_matches('s'),
                        escaped(who),
                        escaped(role.unwrap_or_default()),
                        scope.unwrap_or_default().trim_end_matches('s'),
                        escaped(of.unwrap_or_default()),
                    );
                    self.first(Service::Identity, &path, "role_assignments")?.ok_or_else(missing)?;
                }
                json!({})
            }
        };
        Ok(Thing { id: id.to_owned(), body })
    }

    /// Makes the relation. One that is there already is an error of the service, but where it is the same to make it.
    pub(super) fn make_link(&self, link: Link) -> Result<Thing, Trouble> {
        let id = self.link_id(link)?;
        let (one, other) = id.split_once(':').unwrap_or((&id, ""));
        let send = |service, method, path: &str, body: &Value| {
            self.session.ask(&Ask::send(service, method, path, body))
        };
        match link {
            Link::Interface => {
                let (what, wanted) = other.split_once('=').unwrap_or(("subnet_id", other));
                let path = format!("/routers/{}/add_router_interface", escaped(one));
                send(Service::Network, "PUT", &path, &json!({ what: wanted }))?;
            }
            Link::Gateway => {
                let body = json!({ "router": { "external_gateway_info": { "network_id": other } } });
                send(Service::Network, "PUT", &format!("/routers/{}", escaped(one)), &body)?;
            }
            Link::Address => {
                let (port, fixed) =
                    other.split_once(':').map_or((other, None), |(port, fixed)| (port, Some(fixed)));
                let mut body = json!({ "floatingip": { "port_id": port } });
                if let Some(fixed) = fixed {
                    body["floatingip"]["fixed_ip_address"] = Value::from(fixed);
                }
                send(Service::Network, "PUT", &format!("/floatingips/{}", escaped(one)), &body)?;
            }
            Link::Attachment => {
                let mut body = json!({ "volumeAttachment": { "volumeId": other } });
                if let Some(device) = self.end("mountpoint")? {
                    body["volumeAttachment"]["device"] = Value::from(device);
                }
                let path = format!("/servers/{}/os-volume_attachments", escaped(one));
                send(Service::Compute, "POST", &path, &body)?;
            }
            Link::Routes => {
                let routes: Value = serde_json::from_str(other).unwrap_or_default();
                let path = format!("/routers/{}/add_extraroutes", escaped(one));
                send(Service::Network, "PUT", &path, &json!({ "router": { "routes": routes } }))?;
            }
            Link::Roles => {
                for path in role_paths(&id) {
                    self.session.ask(&Ask { method: "PUT", ..Ask::get(Service::Identity, &path) })?;
                }
            }
        }
        self.read_link(link, &id)
    }

    /// Ends the relation. Says whether it is ended by now.
    pub(super) fn end_link(&self, link: Link, id: &str) -> Result<bool, Trouble> {
        let (one, other) = id.split_once(':').unwrap_or((id, ""));
        let send = |service, method, path: &str, body: &Value| {
            self.session.ask(&Ask::send(service, method, path, body))
        };
        // One that leads elsewhere by now is not ended.
        match self.read_link(link, id) {
            Err(trouble) if trouble.kind == Cause::Missing => return Ok(true),
            Err(trouble) => return Err(trouble),
            Ok(_) => {}
        }
        let done = match link {
            Link::Interface => {
                let (what, wanted) = other.split_once('=').unwrap_or(("subnet_id", other));
                let path = format!("/routers/{}/remove_router_interface", escaped(one));
                send(Service::Network, "PUT", &path, &json!({ what: wanted }))
            }
            Link::Gateway => {
                let body = json!({ "router": { "external_gateway_info": {} } });
                send(Service::Network, "PUT", &format!("/routers/{}", escaped(one)), &body)
            }
            Link::Address => {
                let body = json!({ "floatingip": { "port_id": null } });
                send(Service::Network, "PUT", &format!("/floatingips/{}", escaped(one)), &body)
            }
            Link::Attachment => {
                let path = format!("/servers/{}/os-volume_attachments/{}", escaped(one), escaped(other));
                self.session.ask(&Ask::delete(Service::Compute, &path))
            }
            Link::Routes => {
                let routes: Value = serde_json::from_str(other).unwrap_or_default();
                let path = format!("/routers/{}/remove_extraroutes", escaped(one));
                send(Service::Network, "PUT", &path, &json!({ "router": { "routes": routes } }))
            }
            Link::Roles => {
                for path in role_paths(id) {
                    self.delete_at(Service::Identity, &path)?;
                }
                Ok(Value::Null)
            }
        };
        match done {
            Err(trouble) if trouble.kind != Cause::Missing => Err(trouble),
            // A volume is let go in its own time.
            Ok(_) if link == Link::Attachment => self.is_gone(id),
            Ok(_) | Err(_) => Ok(true),
        }
    }

    /// Whether a relation that was made is in effect.
    ///
    /// # Errors
    /// If the service cannot be asked.
    pub fn link_state(&self, id: &str) -> Result<State, Trouble> {
        let Some((Link::Attachment, (_, volume))) = self.kind.as_link().zip(id.split_once(':')) else {
            return Ok(State::Ready);
        };
        let path = format!("/volumes/{}", escaped(volume));
        let volume = self.session.ask(&Ask::get(Service::Volume, &path))?;
        Ok(match volume["volume"]["status"].as_str().unwrap_or_default() {
            "in-use" => State::Ready,
            status if status.starts_with("error") => {
                State::Failed(format!("the status of the volume is {status}"))
            }
            _ => State::UnderWay,
        })
    }
}

/// The paths of the roles in the id of an assignment.
fn role_paths(id: &str) -> Vec<String> {
    let mut parts = id.split(',');
    let who = parts.next().unwrap_or_default();
    let path = |part: &str| {
        let (scope, role) = part.rsplit_once('/').unwrap_or((part, ""));
        format!("/{scope}/{who}/roles/{role}")
    };
    parts.map(path).collect()
}
